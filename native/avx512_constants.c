/* The constants of src/simd/avx512_constants.h. */
#include "simd/avx512_constants.h"

#if defined(__x86_64__)
const pl_avx512_rows pl_avx512_constants = {
    .last_below = {3, 3, 3, 3, 3, 3, 3, 3, 11, 11, 11, 11, 11, 11, 11, 11},
    .lane_7 = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7},
    .lane_15 = {15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15},
    .zip_low = {0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23},
    .zip_high = {8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31},
    .zip_rows_low = {0, 1, 8, 9, 2, 3, 10, 11},
    .zip_rows_high = {4, 5, 12, 13, 6, 7, 14, 15},
    .last_below_64 = {1, 1, 1, 1, 5, 5, 5, 5},
    .rows_1_3 = 0xf0f0,
    .rows_2_3 = 0xff00,
    .even_lanes = 0x5555,
    .rows_1_3_64 = 0xcc,
    .rows_2_3_64 = 0xf0,
};
#else
typedef int pl_no_avx512; /* a unit must not be empty */
#endif
