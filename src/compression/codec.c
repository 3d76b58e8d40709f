#include "compression/compression.h"

#include "base/memory.h"

/* UNCOMPRESSED is no codec: those bytes are used where they stand. */
pl_decompress *pl_codec_decompress(int32_t codec) {
  switch (codec) {
  case PL_CODEC_SNAPPY:
    return pl_snappy_decompress;
  case PL_CODEC_LZ4:
    return pl_lz4_decompress;
  case PL_CODEC_LZ4_RAW:
    return pl_lz4_raw_decompress;
#ifdef PAGELANE_WITH_ZLIB
  case PL_CODEC_GZIP:
    return pl_gzip_decompress;
#endif
#ifdef PAGELANE_WITH_BROTLI
  case PL_CODEC_BROTLI:
    return pl_brotli_decompress;
#endif
#ifdef PAGELANE_WITH_ZSTD
  case PL_CODEC_ZSTD:
    return pl_zstd_decompress;
#endif
  default:
    return NULL;
  }
}

/* The most that each format can make of a byte. Snappy: 64 bytes from a 3-byte copy. LZ4: 255 bytes from a byte that
 * goes on a length. Deflate: 258 bytes from 2 bits. Zstandard: a block of 128 KiB from 4 bytes. Brotli: a meta-block of
 * 16 MiB from 12 bytes, its lengths, three prefix codes and one command. */
uint64_t pl_codec_output_bound(int32_t codec, uint64_t in_size) {
  switch (codec) {
  case PL_CODEC_SNAPPY:
    return pl_size_mul(in_size, 22);
  case PL_CODEC_LZ4:
  case PL_CODEC_LZ4_RAW:
    return pl_size_mul(in_size, 255);
  case PL_CODEC_GZIP:
    return pl_size_mul(in_size, 1032);
  case PL_CODEC_BROTLI:
    return pl_size_mul(in_size, 1398102);
  case PL_CODEC_ZSTD:
    return pl_size_mul(in_size, 32768);
  default:
    return UINT64_MAX;
  }
}
