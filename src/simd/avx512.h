/* AVX-512 (F, BW, DQ, VL): 512-bit registers of four rows; with VBMI and VBMI2 also lookups over whole registers.
 * Operations: simd/simd.h. */
#ifndef PAGELANE_SIMD_AVX512_H
#define PAGELANE_SIMD_AVX512_H

#include "simd/avx512_constants.h"

#include <immintrin.h>

typedef __m512i vec;

#define V_BYTES 64
#define V_FLIGHT 4
#define V_FLIGHT_LANES 8
#define V_ALIGN_BY_MUL 0
#define V_HAS_SHIFT64 1
#define V_HAS_EXPAND 1
#define V_COMPACT 0
#define V_STAGES32 4
#define V_STAGES64 3

PL_INLINE vec v_load(const void *p) {
  return _mm512_loadu_si512(p);
}

PL_INLINE void v_store(void *p, vec x) {
  _mm512_storeu_si512(p, x);
}

PL_INLINE vec v_load_dup16(const void *p) {
  return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)p));
}

PL_INLINE vec v_load_dup32(const void *p) {
  return _mm512_broadcast_i64x4(_mm256_loadu_si256((const __m256i *)p));
}

PL_INLINE vec v_load_rows(const uint8_t *a, const uint8_t *b, const uint8_t *c, const uint8_t *d) {
  const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)a)),
                                              _mm_loadu_si128((const __m128i *)b), 1);
  const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)c)),
                                               _mm_loadu_si128((const __m128i *)d), 1);
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

PL_INLINE vec v_load_spread(const uint8_t *p, size_t stride) {
  return v_load_rows(p, p + stride, p + 2 * stride, p + 3 * stride);
}

PL_INLINE vec v_load_spread4(const uint8_t *p, size_t half, size_t stride) {
  return v_load_rows(p, p + half, p + stride, p + stride + half);
}

PL_INLINE vec v_load_u8(const uint8_t *p) {
  return _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p));
}

PL_INLINE vec v_load_u16(const uint8_t *p) {
  return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p));
}

PL_INLINE vec v_zero(void) {
  return _mm512_setzero_si512();
}

PL_INLINE vec v_splat8(uint8_t x) {
  return _mm512_set1_epi8((char)x);
}

PL_INLINE vec v_splat32(uint32_t x) {
  return _mm512_set1_epi32((int)x);
}

PL_INLINE vec v_splat64(uint64_t x) {
  return _mm512_set1_epi64((long long)x);
}

PL_INLINE uint64_t v_first64(vec x) {
  uint64_t first;
  _mm_storel_epi64((__m128i *)&first, _mm512_castsi512_si128(x));
  return first;
}

PL_INLINE vec v_last32(vec x) {
  return _mm512_permutexvar_epi32(v_load(pl_avx512_constants.lane_15), x);
}

PL_INLINE vec v_last64(vec x) {
  return _mm512_permutexvar_epi64(_mm512_set1_epi64(7), x);
}

PL_INLINE vec v_last32to64(vec x) {
  return _mm512_maskz_permutexvar_epi32(pl_avx512_constants.even_lanes, v_load(pl_avx512_constants.lane_15), x);
}

PL_INLINE vec v_lookup(vec x, vec i) {
  return _mm512_shuffle_epi8(x, i);
}

PL_INLINE void v_zip8(vec a, vec b, vec *x, vec *y) {
  *x = _mm512_unpacklo_epi8(a, b);
  *y = _mm512_unpackhi_epi8(a, b);
}

PL_INLINE vec v_and(vec a, vec b) {
  return _mm512_and_si512(a, b);
}

PL_INLINE vec v_or(vec a, vec b) {
  return _mm512_or_si512(a, b);
}

PL_INLINE vec v_add8(vec a, vec b) {
  return _mm512_add_epi8(a, b);
}

PL_INLINE vec v_add32(vec a, vec b) {
  return _mm512_add_epi32(a, b);
}

PL_INLINE vec v_sub32(vec a, vec b) {
  return _mm512_sub_epi32(a, b);
}

PL_INLINE vec v_mul32(vec a, vec b) {
  return _mm512_mullo_epi32(a, b);
}

PL_INLINE vec v_min32(vec a, vec b) {
  return _mm512_min_epu32(a, b);
}

PL_INLINE vec v_max32(vec a, vec b) {
  return _mm512_max_epu32(a, b);
}

PL_INLINE vec v_add64(vec a, vec b) {
  return _mm512_add_epi64(a, b);
}

PL_INLINE vec v_sub64(vec a, vec b) {
  return _mm512_sub_epi64(a, b);
}

PL_INLINE vec v_align32(vec x, vec s) {
  return _mm512_srlv_epi32(x, s);
}

PL_INLINE vec v_align64(vec x, vec s) {
  return _mm512_srlv_epi64(x, s);
}

#if defined(PL_SIMD_AVX512VBMI)
#define V_HAS_LOOKUP_FULL 1

PL_INLINE vec v_lookup_full(vec x, vec i) {
  return _mm512_permutexvar_epi8(i, x);
}

PL_INLINE vec v_lookup_full2(vec x, vec y, vec i) {
  return _mm512_permutex2var_epi8(x, i, y);
}

PL_INLINE vec v_funnel32(vec lo, vec hi, vec s) {
  return _mm512_shrdv_epi32(lo, hi, s);
}

PL_INLINE vec v_funnel64(vec lo, vec hi, vec s) {
  return _mm512_shrdv_epi64(lo, hi, s);
}
#else
#define V_HAS_LOOKUP_FULL 0

PL_INLINE vec v_funnel32(vec lo, vec hi, vec s) {
  const vec left = _mm512_sub_epi32(_mm512_set1_epi32(32), s);
  return _mm512_or_si512(_mm512_srlv_epi32(lo, s), _mm512_sllv_epi32(hi, left));
}

PL_INLINE vec v_funnel64(vec lo, vec hi, vec s) {
  const vec left = _mm512_sub_epi64(_mm512_set1_epi64(64), s);
  return _mm512_or_si512(_mm512_srlv_epi64(lo, s), _mm512_sllv_epi64(hi, left));
}
#endif

PL_INLINE vec v_scale_f32(vec x, vec up, vec down) {
  const __m512 scaled = _mm512_mul_ps(_mm512_cvtepi32_ps(x), _mm512_castsi512_ps(up));
  return _mm512_castps_si512(_mm512_mul_ps(scaled, _mm512_castsi512_ps(down)));
}

PL_INLINE vec v_scale_f64(vec x, vec up, vec down) {
  const __m512d scaled = _mm512_mul_pd(_mm512_cvtepi64_pd(x), _mm512_castsi512_pd(up));
  return _mm512_castpd_si512(_mm512_mul_pd(scaled, _mm512_castsi512_pd(down)));
}

/* Two stages within rows; then the last lane of rows 0 and 2 over rows 1 and 3, and that of row 1 over the upper two. */
PL_INLINE vec v_scan32_term(vec x, int stage) {
  const pl_avx512_rows *constants = &pl_avx512_constants;
  if (stage == 0)
    return _mm512_bslli_epi128(x, 4);
  if (stage == 1)
    return _mm512_bslli_epi128(x, 8);
  if (stage == 2)
    return _mm512_maskz_permutexvar_epi32(constants->rows_1_3, v_load(constants->last_below), x);
  return _mm512_maskz_permutexvar_epi32(constants->rows_2_3, v_load(constants->lane_7), x);
}

PL_INLINE vec v_scan64_term(vec x, int stage) {
  const pl_avx512_rows *constants = &pl_avx512_constants;
  if (stage == 0)
    return _mm512_bslli_epi128(x, 8);
  if (stage == 1)
    return _mm512_maskz_permutexvar_epi64(constants->rows_1_3_64, v_load(constants->last_below_64), x);
  return _mm512_maskz_permutexvar_epi64(constants->rows_2_3_64, _mm512_set1_epi64(3), x);
}

PL_INLINE void v_zip32(vec a, vec b, vec *x, vec *y) {
  *x = _mm512_permutex2var_epi32(a, v_load(pl_avx512_constants.zip_low), b);
  *y = _mm512_permutex2var_epi32(a, v_load(pl_avx512_constants.zip_high), b);
}

PL_INLINE void v_zip_rows(vec a, vec b, vec *x, vec *y) {
  *x = _mm512_permutex2var_epi64(a, v_load(pl_avx512_constants.zip_rows_low), b);
  *y = _mm512_permutex2var_epi64(a, v_load(pl_avx512_constants.zip_rows_high), b);
}

PL_INLINE void v_transpose_rows(vec x[4]) {
  const vec low0 = _mm512_shuffle_i64x2(x[0], x[1], 0x44), high0 = _mm512_shuffle_i64x2(x[0], x[1], 0xee);
  const vec low1 = _mm512_shuffle_i64x2(x[2], x[3], 0x44), high1 = _mm512_shuffle_i64x2(x[2], x[3], 0xee);
  x[0] = _mm512_shuffle_i64x2(low0, low1, 0x88);
  x[1] = _mm512_shuffle_i64x2(low0, low1, 0xdd);
  x[2] = _mm512_shuffle_i64x2(high0, high1, 0x88);
  x[3] = _mm512_shuffle_i64x2(high0, high1, 0xdd);
}

PL_INLINE void v_widen32(vec a, vec *x, vec *y) {
  *x = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(a));
  *y = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(a, 1));
}

PL_INLINE vec v_narrow32(vec a, vec b) {
  const __m256i low = _mm512_cvtepi32_epi16(a), high = _mm512_cvtepi32_epi16(b);
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

PL_INLINE vec v_narrow16(vec a, vec b) {
  const __m256i low = _mm512_cvtepi16_epi8(a), high = _mm512_cvtepi16_epi8(b);
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

PL_INLINE vec v_expand32(vec x, uint32_t bits) {
  return _mm512_maskz_expand_epi32((__mmask16)bits, x);
}

PL_INLINE vec v_expand64(vec x, uint32_t bits) {
  return _mm512_maskz_expand_epi64((__mmask8)bits, x);
}

/* The bits of x that m has ones for, moved together. */
#define V_COMPRESS64(x, m) _pext_u64(x, m)

PL_INLINE uint64_t v_mask_least8(vec a, vec b) {
  return _mm512_cmpge_epu8_mask(a, b);
}

#endif
