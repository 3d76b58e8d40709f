/* AVX2: 256-bit registers of two rows. Operations: simd/simd.h. */
#ifndef PAGELANE_SIMD_AVX2_H
#define PAGELANE_SIMD_AVX2_H

#include <immintrin.h>

typedef __m256i vec;

#define V_BYTES 32
#define V_FLIGHT 2
#define V_FLIGHT_LANES 2
#define V_ALIGN_BY_MUL 0
#define V_HAS_SHIFT64 1
#define V_HAS_LOOKUP_FULL 0
#define V_HAS_EXPAND 0
#define V_COMPACT 0
#define V_STAGES32 3
#define V_STAGES64 2

PL_INLINE vec v_load(const void *p) {
  return _mm256_loadu_si256((const __m256i *)p);
}

PL_INLINE void v_store(void *p, vec x) {
  _mm256_storeu_si256((__m256i *)p, x);
}

PL_INLINE vec v_load_dup16(const void *p) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)p));
}

PL_INLINE vec v_load_dup32(const void *p) {
  return v_load(p);
}

PL_INLINE vec v_load_two(const void *p, const void *q) {
  const __m256i low = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)p));
  return _mm256_inserti128_si256(low, _mm_loadu_si128((const __m128i *)q), 1);
}

PL_INLINE vec v_load_spread(const uint8_t *p, size_t stride) {
  return v_load_two(p, p + stride);
}

PL_INLINE vec v_load_spread4(const uint8_t *p, size_t half, size_t stride) {
  (void)stride;
  return v_load_two(p, p + half);
}

PL_INLINE vec v_load_u8(const uint8_t *p) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p));
}

PL_INLINE vec v_load_u16(const uint8_t *p) {
  return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p));
}

PL_INLINE vec v_zero(void) {
  return _mm256_setzero_si256();
}

PL_INLINE vec v_splat8(uint8_t x) {
  return _mm256_set1_epi8((char)x);
}

PL_INLINE vec v_splat32(uint32_t x) {
  return _mm256_set1_epi32((int)x);
}

PL_INLINE vec v_splat64(uint64_t x) {
  return _mm256_set1_epi64x((long long)x);
}

PL_INLINE uint64_t v_first64(vec x) {
  uint64_t first;
  _mm_storel_epi64((__m128i *)&first, _mm256_castsi256_si128(x));
  return first;
}

PL_INLINE vec v_last32(vec x) {
  return _mm256_permutevar8x32_epi32(x, _mm256_set1_epi32(7));
}

PL_INLINE vec v_last64(vec x) {
  return _mm256_permute4x64_epi64(x, 0xff);
}

PL_INLINE vec v_last32to64(vec x) {
  return _mm256_srli_epi64(_mm256_permute4x64_epi64(x, 0xff), 32);
}

PL_INLINE vec v_lookup(vec x, vec i) {
  return _mm256_shuffle_epi8(x, i);
}

PL_INLINE void v_zip8(vec a, vec b, vec *x, vec *y) {
  *x = _mm256_unpacklo_epi8(a, b);
  *y = _mm256_unpackhi_epi8(a, b);
}

PL_INLINE vec v_and(vec a, vec b) {
  return _mm256_and_si256(a, b);
}

PL_INLINE vec v_or(vec a, vec b) {
  return _mm256_or_si256(a, b);
}

PL_INLINE vec v_add8(vec a, vec b) {
  return _mm256_add_epi8(a, b);
}

PL_INLINE vec v_add32(vec a, vec b) {
  return _mm256_add_epi32(a, b);
}

PL_INLINE vec v_sub32(vec a, vec b) {
  return _mm256_sub_epi32(a, b);
}

PL_INLINE vec v_mul32(vec a, vec b) {
  return _mm256_mullo_epi32(a, b);
}

PL_INLINE vec v_min32(vec a, vec b) {
  return _mm256_min_epu32(a, b);
}

PL_INLINE vec v_max32(vec a, vec b) {
  return _mm256_max_epu32(a, b);
}

PL_INLINE vec v_add64(vec a, vec b) {
  return _mm256_add_epi64(a, b);
}

PL_INLINE vec v_sub64(vec a, vec b) {
  return _mm256_sub_epi64(a, b);
}

PL_INLINE vec v_align32(vec x, vec s) {
  return _mm256_srlv_epi32(x, s);
}

PL_INLINE vec v_align64(vec x, vec s) {
  return _mm256_srlv_epi64(x, s);
}

PL_INLINE vec v_funnel32(vec lo, vec hi, vec s) {
  const vec left = _mm256_sub_epi32(_mm256_set1_epi32(32), s);
  return _mm256_or_si256(_mm256_srlv_epi32(lo, s), _mm256_sllv_epi32(hi, left));
}

PL_INLINE vec v_funnel64(vec lo, vec hi, vec s) {
  const vec left = _mm256_sub_epi64(_mm256_set1_epi64x(64), s);
  return _mm256_or_si256(_mm256_srlv_epi64(lo, s), _mm256_sllv_epi64(hi, left));
}

PL_INLINE vec v_scale_f32(vec x, vec up, vec down) {
  const __m256 scaled = _mm256_mul_ps(_mm256_cvtepi32_ps(x), _mm256_castsi256_ps(up));
  return _mm256_castps_si256(_mm256_mul_ps(scaled, _mm256_castsi256_ps(down)));
}

/* There is no conversion of 64-bit lanes. Both halves of a lane become the low bits of a binary64 whose
 * exponent gives them their weight: the high half, its sign bit turned, under 2^84, the low half under 2^52.
 * What was added goes off exactly again, and only the last addition rounds. */
PL_INLINE vec v_scale_f64(vec x, vec up, vec down) {
  const __m256d weight = _mm256_set1_pd(0x1p84 + 0x1p63 + 0x1p52);
  const vec high = _mm256_xor_si256(_mm256_srli_epi64(x, 32), _mm256_set1_epi64x(0x4530000080000000));
  const vec low = _mm256_blend_epi32(x, _mm256_set1_epi64x(0x4330000000000000), 0xaa);
  const __m256d sum = _mm256_add_pd(_mm256_sub_pd(_mm256_castsi256_pd(high), weight), _mm256_castsi256_pd(low));
  const __m256d scaled = _mm256_mul_pd(sum, _mm256_castsi256_pd(up));
  return _mm256_castpd_si256(_mm256_mul_pd(scaled, _mm256_castsi256_pd(down)));
}

/* The last stage copies the low row's last lane over the high row. permute2x128 with a zeroed half and a
 * shuffle: a blend of a permute with zero becomes, in clang, an insert into a register that is still busy. */
PL_INLINE vec v_scan32_term(vec x, int stage) {
  if (stage == 0)
    return _mm256_slli_si256(x, 4);
  if (stage == 1)
    return _mm256_slli_si256(x, 8);
  return _mm256_shuffle_epi32(_mm256_permute2x128_si256(x, x, 0x08), 0xff);
}

PL_INLINE vec v_scan64_term(vec x, int stage) {
  if (stage == 0)
    return _mm256_slli_si256(x, 8);
  const vec low_row_high = _mm256_permute2x128_si256(x, x, 0x08);
  return _mm256_unpackhi_epi64(low_row_high, low_row_high);
}

PL_INLINE void v_zip32(vec a, vec b, vec *x, vec *y) {
  const vec low = _mm256_unpacklo_epi32(a, b), high = _mm256_unpackhi_epi32(a, b);
  *x = _mm256_permute2x128_si256(low, high, 0x20);
  *y = _mm256_permute2x128_si256(low, high, 0x31);
}

PL_INLINE void v_part_rows(vec a, vec b, vec *x, vec *y) {
  *x = _mm256_permute2x128_si256(a, b, 0x20);
  *y = _mm256_permute2x128_si256(a, b, 0x31);
}

PL_INLINE void v_widen32(vec a, vec *x, vec *y) {
  *x = _mm256_cvtepu32_epi64(_mm256_castsi256_si128(a));
  *y = _mm256_cvtepu32_epi64(_mm256_extracti128_si256(a, 1));
}

PL_INLINE vec v_narrow32(vec a, vec b) {
  return _mm256_permute4x64_epi64(_mm256_packus_epi32(a, b), 0xd8);
}

PL_INLINE vec v_narrow16(vec a, vec b) {
  return _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xd8);
}

/* The bits of x that m has ones for, moved together. */
#define V_COMPRESS64(x, m) _pext_u64(x, m)

PL_INLINE uint64_t v_mask_least8(vec a, vec b) {
  return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(a, b), a));
}

#endif
