/* GZIP (RFC 1952) by zlib's inflate. A page may be several members one after another; zero bytes after the last
 * are padding. The zlib format (RFC 1950), which some writers took for it, is PL_CORRUPT. */
#ifdef PAGELANE_WITH_ZLIB

#include <limits.h>
#include <zlib.h>

#include "compression/codec_memory.h"
#include "compression/compression.h"

enum { GZIP_ONLY = 16, LARGEST_WINDOW = 15, MEMBER_BEGIN = 0x1F };

static voidpf allocate(voidpf opaque, uInt n, uInt size) {
  return pl_codec_allocate(opaque, (uint64_t)n * size);
}

static void release(voidpf opaque, voidpf address) {
  pl_codec_release(opaque, address);
}

static bool all_zero(const uint8_t *bytes, size_t size) {
  uint8_t any = 0;
  for (size_t i = 0; i < size; i++)
    any |= bytes[i];
  return any == 0;
}

/* Members until the input ends. */
static pl_status inflate_members(z_stream *stream, const pl_codec_memory *memory) {
  for (;;) {
    switch (inflate(stream, Z_FINISH)) {
    case Z_STREAM_END:
      if (stream->avail_out == 0 && all_zero(stream->next_in, stream->avail_in))
        return PL_OK;
      if (stream->avail_in == 0 || stream->next_in[0] != MEMBER_BEGIN)
        return PL_CORRUPT; /* fewer bytes than announced, or some left over */
      if (inflateReset(stream) != Z_OK)
        return PL_CORRUPT;
      break;
    case Z_MEM_ERROR:
      return memory->status;
    case Z_OK:
    case Z_BUF_ERROR: /* input or output came to its end within a member */
      return stream->avail_in == 0 ? PL_TRUNCATED : PL_CORRUPT;
    default:
      return PL_CORRUPT;
    }
  }
}

pl_status pl_gzip_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
                             pl_limits *limits) {
  uint8_t nowhere = 0; /* zlib wants an address for zero bytes too */
  pl_codec_memory memory = {limits, PL_NO_MEMORY};
  if (in_size == 0)
    return PL_TRUNCATED;
  if (in_size > UINT_MAX || out_size > UINT_MAX) /* a page's sizes are 31-bit numbers */
    return PL_LIMIT;
  z_stream stream = {
      .next_in = (z_const Bytef *)(uintptr_t)in,
      .avail_in = (uInt)in_size,
      .next_out = out_size == 0 ? &nowhere : out,
      .avail_out = (uInt)out_size,
      .zalloc = allocate,
      .zfree = release,
      .opaque = &memory,
  };
  switch (inflateInit2(&stream, GZIP_ONLY + LARGEST_WINDOW)) {
  case Z_OK:
    break;
  case Z_MEM_ERROR:
    return memory.status;
  default:
    return PL_UNSUPPORTED; /* a zlib of another major version */
  }
  const pl_status status = inflate_members(&stream, &memory);
  inflateEnd(&stream);
  return status;
}

#else
typedef int pl_gzip_is_not_in_this_build;
#endif
