/* The table of codecs. A build holds what it was configured with; a codec that is not in it can still come from
 * the caller (the chunk reader's NEED_CODEC step). */
#ifndef PAGELANE_COMPRESSION_H
#define PAGELANE_COMPRESSION_H

#include "pagelane/types.h"

/* Decompresses a page body. The output is exactly out_size bytes: PL_CORRUPT when the stream holds fewer or
 * more, or when bytes are left over after it; PL_TRUNCATED when it is cut. Working memory is charged to
 * `limits`. */
typedef pl_status pl_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
                                pl_limits *limits);

/* NULL: not in this build. */
pl_decompress *pl_codec_decompress(int32_t codec);

/* No stream of in_size bytes decompresses to more: a page header that announces more is wrong, and nothing is
 * allocated for it. UINT64_MAX where nothing is known. */
uint64_t pl_codec_output_bound(int32_t codec, uint64_t in_size);

pl_status pl_snappy_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
                               pl_limits *limits);
pl_status pl_lz4_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
                            pl_limits *limits);
pl_status pl_lz4_raw_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
                                pl_limits *limits);
pl_status pl_brotli_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
                               pl_limits *limits);
pl_status pl_zstd_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
                             pl_limits *limits);
pl_status pl_gzip_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
                             pl_limits *limits);

#endif
