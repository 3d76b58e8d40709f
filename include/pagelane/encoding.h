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

/* A string or a fixed-width value where it stands. */
typedef struct pl_view {
  const uint8_t *bytes;
  uint32_t size;
} pl_view;

/* DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY, a whole section each. Their values come in one of three shapes:
 *
 *   views    pointer and size; what stands in the section in one piece is shown there and not copied
 *   offsets  n_values + 1 offsets from 0 and the bytes between them
 *   fixed    values of one width back to back, for FIXED_LEN_BYTE_ARRAY
 *
 * Capacities count values, offsets or bytes, as their names say. *in_used: bytes of the section that hold values; a page whose
 * section goes on after them is not a good one. All lengths of a stretch of values are checked before its first byte is
 * written. PL_TRUNCATED: a stream or the bytes of a value are cut. PL_CORRUPT: a stream is not legal, the counts of two
 * differ, a length is negative, a prefix is longer than the value before it (none stands before the first), a value is not of
 * the width. PL_NO_SPACE: more than fits. PL_LIMIT: over 2^31 - 1 bytes, of the section or with 32-bit offsets. */

/* How many values there are, and how many bytes they have together. */
PL_API pl_status pl_delta_length_byte_array_size(const uint8_t *in, size_t in_size, size_t *n_values,
                                                 uint64_t *data_size);
/* Views into the section. */
PL_API pl_status pl_delta_length_byte_array_decode_views(const uint8_t *in, size_t in_size, pl_view *views,
                                                         size_t views_capacity, size_t *n_values,
                                                         size_t *in_used);
/* The values stand in the section back to back: *data is where. */
PL_API pl_status pl_delta_length_byte_array_decode_offsets(const uint8_t *in, size_t in_size, int32_t *offsets,
                                                           size_t offsets_capacity, const uint8_t **data,
                                                           size_t *n_values, size_t *in_used);

/* What the outputs of a DELTA_BYTE_ARRAY section need, exactly. As fixed-width values: n_values times the width. */
typedef struct pl_delta_byte_array_sizes {
  size_t n_values;
  uint64_t data_size;  /* bytes of all values */
  uint64_t arena_size; /* bytes of the values that no view can show in the section */
} pl_delta_byte_array_sizes;
PL_API pl_status pl_delta_byte_array_size(const uint8_t *in, size_t in_size, pl_delta_byte_array_sizes *sizes);
/* Views into the section and, for values that have both a prefix and a suffix, into the arena, which is filled from its
 * first byte on. They hold as long as the two do. */
PL_API pl_status pl_delta_byte_array_decode_views(const uint8_t *in, size_t in_size, uint8_t *arena,
                                                  size_t arena_capacity, pl_view *views, size_t views_capacity,
                                                  size_t *n_values, size_t *in_used);
PL_API pl_status pl_delta_byte_array_decode_offsets(const uint8_t *in, size_t in_size, int32_t *offsets,
                                                    size_t offsets_capacity, uint8_t *data,
                                                    size_t data_capacity, size_t *n_values, size_t *in_used);
/* Values of value_width bytes (1 to 2^31 - 1), each straight to its place: no views between, no memory besides. */
PL_API pl_status pl_delta_byte_array_decode_fixed(const uint8_t *in, size_t in_size, uint32_t value_width,
                                                  uint8_t *out, size_t out_capacity, size_t *n_values,
                                                  size_t *in_used);

/* Name of the instruction set whose kernels this process uses: "scalar", "sse41", "avx2", "avx512", "avx512vbmi", "neon",
 * "simd128". Chosen once, at the first use; the environment variable PAGELANE_CPU takes instruction sets away ("scalar", or
 * "-avx2", which takes AVX-512 away too). */
PL_API const char *pl_kernels_name(void);

#ifdef __cplusplus
}
#endif
#endif
