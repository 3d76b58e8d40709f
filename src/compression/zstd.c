/* Zstandard (RFC 8878) by libzstd: one call a page, straight into the page's own bytes, so that no window is
 * needed beside them. A page may be several frames, skippable ones among them. */
#ifdef PAGELANE_WITH_ZSTD

/* Contexts in memory of our own are declared only so; PAGELANE_ZSTD_SHARED_API keeps to what every shared
 * libzstd has. */
#ifndef PAGELANE_ZSTD_SHARED_API
#define ZSTD_STATIC_LINKING_ONLY
#endif
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/memory.h"
#include "compression/compression.h"

/* Could a frame, or a skippable one, begin with these bytes? `size` is above 0. */
static bool may_begin_frame(const uint8_t *in, size_t size) {
  static const uint8_t magic[] = {0x28, 0xB5, 0x2F, 0xFD}, skippable[] = {0x50, 0x2A, 0x4D, 0x18};
  const size_t n = size < sizeof magic ? size : sizeof magic;
  return memcmp(in, magic, n) == 0 || ((in[0] & 0xF0) == 0x50 && memcmp(in + 1, skippable + 1, n - 1) == 0);
}

/* For libzstd a frame that is cut and a few bytes left over after the last one are the same error. */
static pl_status status_of_wrong_size(const uint8_t *in, size_t in_size) {
  while (in_size != 0) {
    const size_t frame_size = ZSTD_findFrameCompressedSize(in, in_size);
    if (ZSTD_isError(frame_size))
      return may_begin_frame(in, in_size) ? PL_TRUNCATED : PL_CORRUPT;
    in += frame_size;
    in_size -= frame_size;
  }
  return PL_CORRUPT;
}

static pl_status decompress(ZSTD_DCtx *context, const uint8_t *in, size_t in_size, uint8_t *out,
                            size_t out_size) {
  const size_t result = ZSTD_decompressDCtx(context, out, out_size, in, in_size);
  if (!ZSTD_isError(result))
    return result == out_size ? PL_OK : PL_CORRUPT;
  switch (ZSTD_getErrorCode(result)) {
  case ZSTD_error_srcSize_wrong:
    return status_of_wrong_size(in, in_size);
  case ZSTD_error_memory_allocation:
    return PL_NO_MEMORY;
  default:
    return PL_CORRUPT;
  }
}

pl_status pl_zstd_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
                             pl_limits *limits) {
  if (in_size == 0)
    return PL_TRUNCATED;
#ifdef PAGELANE_ZSTD_SHARED_API
  ZSTD_DCtx *context = ZSTD_createDCtx();
  if (context == NULL)
    return PL_NO_MEMORY;
  const size_t memory_size = ZSTD_sizeof_DCtx(context);
  pl_status status = pl_limits_charge(limits, memory_size);
  if (status == PL_OK) {
    status = decompress(context, in, in_size, out, out_size);
    pl_limits_release(limits, memory_size);
  }
  ZSTD_freeDCtx(context);
  return status;
#else
  void *memory = NULL;
  const size_t memory_size = ZSTD_estimateDCtxSize();
  pl_status status = pl_memory_resize(limits, &memory, 0, memory_size);
  if (status != PL_OK)
    return status;
  ZSTD_DCtx *context = ZSTD_initStaticDCtx(memory, memory_size);
  status = context == NULL ? PL_NO_MEMORY : decompress(context, in, in_size, out, out_size);
  pl_memory_free(limits, &memory, memory_size);
  return status;
#endif
}

#else
typedef int pl_zstd_is_not_in_this_build;
#endif
