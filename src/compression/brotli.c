/* Brotli (RFC 7932) by libbrotlidec. A page is one stream. */
#ifdef PAGELANE_WITH_BROTLI

#include <brotli/decode.h>

#include "compression/codec_memory.h"
#include "compression/compression.h"

static void *allocate(void *opaque, size_t size) {
  return pl_codec_allocate(opaque, size);
}

static void release(void *opaque, void *address) {
  pl_codec_release(opaque, address);
}

static pl_status decompress(BrotliDecoderState *state, const pl_codec_memory *memory, const uint8_t *in,
                            size_t in_size, uint8_t *out, size_t out_size) {
  switch (BrotliDecoderDecompressStream(state, &in_size, &in, &out_size, &out, NULL)) {
  case BROTLI_DECODER_RESULT_SUCCESS: /* what is left of both counts now */
    return in_size == 0 && out_size == 0 ? PL_OK : PL_CORRUPT;
  case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
    return PL_TRUNCATED;
  case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
    return PL_CORRUPT;
  case BROTLI_DECODER_RESULT_ERROR:
    break;
  }
  return memory->status != PL_OK ? memory->status : PL_CORRUPT;
}

pl_status pl_brotli_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
                               pl_limits *limits) {
  pl_codec_memory memory = {.limits = limits};
  if (in_size == 0)
    return PL_TRUNCATED;
  BrotliDecoderState *state = BrotliDecoderCreateInstance(allocate, release, &memory);
  if (state == NULL)
    return memory.status != PL_OK ? memory.status : PL_NO_MEMORY;
  const pl_status status = decompress(state, &memory, in, in_size, out, out_size);
  BrotliDecoderDestroyInstance(state);
  return status;
}

#else
typedef int pl_brotli_is_not_in_this_build;
#endif
