/* Index vectors and masks of the AVX-512 operations. They stand in a unit of their own, where the compiler of the kernels
 * cannot see them: it would build visible ones anew in every block, and take a permutation under a visible mask apart. */
#ifndef PAGELANE_SIMD_AVX512_CONSTANTS_H
#define PAGELANE_SIMD_AVX512_CONSTANTS_H

#include <stdint.h>

typedef struct pl_avx512_rows {
  uint32_t last_below[16]; /* for rows 1 and 3 the last lane of the row below */
  uint32_t lane_7[16], lane_15[16];
  uint32_t zip_low[16], zip_high[16];
  uint64_t zip_rows_low[8], zip_rows_high[8];
  uint64_t last_below_64[8];
  uint16_t rows_1_3, rows_2_3, even_lanes; /* masks of 32-bit lanes */
  uint8_t rows_1_3_64, rows_2_3_64;        /* of 64-bit lanes */
} pl_avx512_rows;
extern const pl_avx512_rows pl_avx512_constants;

#endif
