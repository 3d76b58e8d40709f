#include "compression/compression.h"

/* UNCOMPRESSED is no codec: those bytes are used where they stand. */
pl_decompress *pl_codec_decompress(int32_t codec) {
  switch (codec) {
  case PL_CODEC_SNAPPY:
    return pl_snappy_decompress;
#ifdef PAGELANE_WITH_ZLIB
  case PL_CODEC_GZIP:
    return pl_gzip_decompress;
#endif
#ifdef PAGELANE_WITH_ZSTD
  case PL_CODEC_ZSTD:
    return pl_zstd_decompress;
#endif
  default:
    return NULL;
  }
}
