/* Level 1, values: one pure function per encoding and type, over the bytes of one value section. No padding is asked of
 * either buffer; nothing outside them is read or written. On anything but PL_OK the outputs' contents are undefined and
 * the counts are not set. Format: parquet-format, Encodings.md. */
#ifndef PAGELANE_ENCODING_H
#define PAGELANE_ENCODING_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* DELTA_BINARY_PACKED, a whole stream. out_capacity in values. *n_values: values written; *in_used: bytes of the stream,
 * the padding of its last miniblock included. PL_TRUNCATED, PL_CORRUPT, or PL_NO_SPACE when the stream announces more
 * values than fit. */
PL_API pl_status pl_delta_binary_packed_decode_i32(const uint8_t *in, size_t in_size, int32_t *out,
                                                   size_t out_capacity, size_t *n_values, size_t *in_used);
PL_API pl_status pl_delta_binary_packed_decode_i64(const uint8_t *in, size_t in_size, int64_t *out,
                                                   size_t out_capacity, size_t *n_values, size_t *in_used);

/* RLE / bit-packed hybrid without length prefix: exactly n values of bit_width (0 to 32) bits. PL_TRUNCATED when the runs
 * end before n values, PL_CORRUPT on a run of no values or an RLE value wider than bit_width. */
PL_API pl_status pl_rle_decode_u32(const uint8_t *in, size_t in_size, uint32_t bit_width, uint32_t *out,
                                   size_t n, size_t *in_used);

/* Bit-packed values, least significant bit first: n values of bit_width (0 to 32; 0 to 64) bits. */
PL_API pl_status pl_bit_unpack_u32(const uint8_t *in, size_t in_size, uint32_t bit_width, uint32_t *out,
                                   size_t n);
PL_API pl_status pl_bit_unpack_u64(const uint8_t *in, size_t in_size, uint32_t bit_width, uint64_t *out,
                                   size_t n);

/* BYTE_STREAM_SPLIT: n values of `width` bytes (any number from 1) to n * width bytes. The section holds exactly these:
 * PL_TRUNCATED when it has fewer values, PL_CORRUPT when it has more or a part of one. */
PL_API pl_status pl_byte_stream_split_decode(const uint8_t *in, size_t in_size, uint32_t width, void *out,
                                             size_t n);

/* ALP, a whole section. out_capacity in values; *n_values: values written. Every bit of every value is as it was
 * written, NaNs included. PL_TRUNCATED, PL_CORRUPT, PL_UNSUPPORTED for a layout that the format reserves, PL_NO_SPACE when
 * more values are announced than fit. */
PL_API pl_status pl_alp_decode_f32(const uint8_t *in, size_t in_size, float *out, size_t out_capacity,
                                   size_t *n_values);
PL_API pl_status pl_alp_decode_f64(const uint8_t *in, size_t in_size, double *out, size_t out_capacity,
                                   size_t *n_values);

/* Name of the instruction set whose kernels this process uses: "scalar", "sse41", "avx2", "neon", "simd128". Chosen
 * once, at the first use; the environment variable PAGELANE_CPU takes instruction sets away ("scalar", or "-avx2"). */
PL_API const char *pl_kernels_name(void);

#ifdef __cplusplus
}
#endif
#endif
