/* SSE4.1: one row. Lanes cannot shift by amounts of their own. Operations: simd/simd.h. */
#ifndef PAGELANE_SIMD_SSE41_H
#define PAGELANE_SIMD_SSE41_H

#include <smmintrin.h>
#include <string.h>

typedef __m128i vec;

#define V_BYTES 16
#define V_FLIGHT 2
#define V_FLIGHT_LANES 2
#define V_ALIGN_BY_MUL 1
#define V_HAS_SHIFT64 0
#define V_HAS_LOOKUP_FULL 0
#define V_HAS_EXPAND 0
#define V_COMPACT 0
#define V_STAGES32 2

PL_INLINE vec v_load(const void *p) {
  return _mm_loadu_si128((const __m128i *)p);
}

PL_INLINE void v_store(void *p, vec x) {
  _mm_storeu_si128((__m128i *)p, x);
}

PL_INLINE vec v_load_dup16(const void *p) {
  return v_load(p);
}

PL_INLINE vec v_load_spread(const uint8_t *p, size_t stride) {
  (void)stride;
  return v_load(p);
}

PL_INLINE vec v_load_u8(const uint8_t *p) {
  int bytes;
  memcpy(&bytes, p, sizeof bytes);
  return _mm_cvtepu8_epi32(_mm_cvtsi32_si128(bytes));
}

PL_INLINE vec v_load_u16(const uint8_t *p) {
  return _mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)p));
}

PL_INLINE vec v_zero(void) {
  return _mm_setzero_si128();
}

PL_INLINE vec v_splat8(uint8_t x) {
  return _mm_set1_epi8((char)x);
}

PL_INLINE vec v_splat32(uint32_t x) {
  return _mm_set1_epi32((int)x);
}

PL_INLINE vec v_splat64(uint64_t x) {
  return _mm_set1_epi64x((long long)x);
}

PL_INLINE uint64_t v_first64(vec x) {
  uint64_t first;
  _mm_storel_epi64((__m128i *)&first, x);
  return first;
}

PL_INLINE vec v_last32(vec x) {
  return _mm_shuffle_epi32(x, 0xff);
}

PL_INLINE vec v_last32to64(vec x) {
  return _mm_srli_epi64(_mm_shuffle_epi32(x, 0xff), 32);
}

PL_INLINE vec v_lookup(vec x, vec i) {
  return _mm_shuffle_epi8(x, i);
}

PL_INLINE void v_zip8(vec a, vec b, vec *x, vec *y) {
  *x = _mm_unpacklo_epi8(a, b);
  *y = _mm_unpackhi_epi8(a, b);
}

PL_INLINE vec v_and(vec a, vec b) {
  return _mm_and_si128(a, b);
}

PL_INLINE vec v_or(vec a, vec b) {
  return _mm_or_si128(a, b);
}

PL_INLINE vec v_shl32_16(vec a) {
  return _mm_slli_epi32(a, 16);
}

PL_INLINE vec v_add8(vec a, vec b) {
  return _mm_add_epi8(a, b);
}

PL_INLINE vec v_add32(vec a, vec b) {
  return _mm_add_epi32(a, b);
}

PL_INLINE vec v_sub32(vec a, vec b) {
  return _mm_sub_epi32(a, b);
}

PL_INLINE vec v_mul32(vec a, vec b) {
  return _mm_mullo_epi32(a, b);
}

PL_INLINE vec v_min32(vec a, vec b) {
  return _mm_min_epu32(a, b);
}

PL_INLINE vec v_max32(vec a, vec b) {
  return _mm_max_epu32(a, b);
}

PL_INLINE vec v_add64(vec a, vec b) {
  return _mm_add_epi64(a, b);
}

PL_INLINE vec v_sub64(vec a, vec b) {
  return _mm_sub_epi64(a, b);
}

PL_INLINE vec v_align32(vec x, vec s) {
  return _mm_srli_epi32(_mm_mullo_epi32(x, s), 7);
}

PL_INLINE vec v_scale_f32(vec x, vec up, vec down) {
  const __m128 scaled = _mm_mul_ps(_mm_cvtepi32_ps(x), _mm_castsi128_ps(up));
  return _mm_castps_si128(_mm_mul_ps(scaled, _mm_castsi128_ps(down)));
}

/* There is no conversion of 64-bit lanes: simd/avx2.h says how it is done. */
PL_INLINE vec v_scale_f64(vec x, vec up, vec down) {
  const __m128d weight = _mm_set1_pd(0x1p84 + 0x1p63 + 0x1p52);
  const vec high = _mm_xor_si128(_mm_srli_epi64(x, 32), _mm_set1_epi64x(0x4530000080000000));
  const vec low = _mm_blend_epi16(x, _mm_set1_epi64x(0x4330000000000000), 0xcc);
  const __m128d sum = _mm_add_pd(_mm_sub_pd(_mm_castsi128_pd(high), weight), _mm_castsi128_pd(low));
  const __m128d scaled = _mm_mul_pd(sum, _mm_castsi128_pd(up));
  return _mm_castpd_si128(_mm_mul_pd(scaled, _mm_castsi128_pd(down)));
}

PL_INLINE vec v_scan32_term(vec x, int stage) {
  return stage == 0 ? _mm_slli_si128(x, 4) : _mm_slli_si128(x, 8);
}

PL_INLINE void v_zip32(vec a, vec b, vec *x, vec *y) {
  *x = _mm_unpacklo_epi32(a, b);
  *y = _mm_unpackhi_epi32(a, b);
}

PL_INLINE void v_widen32(vec a, vec *x, vec *y) {
  *x = _mm_cvtepu32_epi64(a);
  *y = _mm_unpackhi_epi32(a, v_zero());
}

PL_INLINE vec v_narrow32(vec a, vec b) {
  return _mm_packus_epi32(a, b);
}

PL_INLINE vec v_narrow16(vec a, vec b) {
  return _mm_packus_epi16(a, b);
}

PL_INLINE uint64_t v_mask_least8(vec a, vec b) {
  return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(a, b), a));
}

#endif
