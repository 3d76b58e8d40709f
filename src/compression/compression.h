/* The table of codecs. A build holds what it was configured with; a codec that is not in it can still come from the caller
 * (the chunk reader's NEED_CODEC step). */
#ifndef PAGELANE_COMPRESSION_H
#define PAGELANE_COMPRESSION_H

#include "pagelane/types.h"

/* Decompresses a page body. The output is exactly out_size bytes: PL_CORRUPT when the stream holds fewer or more, or when
 * bytes are left over after it; PL_TRUNCATED when it is cut. Working memory is charged to `limits`. */
typedef pl_status pl_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size, pl_limits *limits);

/* NULL: not in this build. */
pl_decompress *pl_codec_decompress(int32_t codec);

pl_status pl_snappy_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size, pl_limits *limits);
pl_status pl_zstd_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size, pl_limits *limits);
pl_status pl_gzip_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size, pl_limits *limits);

#endif
