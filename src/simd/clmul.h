/* Carry-less products of x86 (PCLMULQDQ), a 128-bit row at a time whatever V_BYTES is; four at a time where AVX-512 has
 * them (VPCLMULQDQ), which the machine is asked for when it runs. Operations: simd/simd.h. */
#ifndef PAGELANE_SIMD_CLMUL_H
#define PAGELANE_SIMD_CLMUL_H

#include <immintrin.h>

#define V_HAS_CLMUL 1
#define V_ROW 16

typedef __m128i v_row;

PL_INLINE v_row v_row_load(const void *p) {
  return _mm_loadu_si128((const __m128i *)p);
}

PL_INLINE void v_row_store(void *p, v_row x) {
  _mm_storeu_si128((__m128i *)p, x);
}

PL_INLINE v_row v_row_of32(uint32_t x) {
  return _mm_cvtsi32_si128((int)x);
}

PL_INLINE v_row v_row_xor(v_row a, v_row b) {
  return _mm_xor_si128(a, b);
}

PL_INLINE v_row v_row_fold(v_row x, v_row factors, v_row next) {
  const v_row low = _mm_clmulepi64_si128(x, factors, 0x00), high = _mm_clmulepi64_si128(x, factors, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

/* ---- four rows ---- */

#if defined(PL_SIMD_AVX2) || V_BYTES == 64
#define V_HAS_ROWS4 1
#define V_ROWS4_FUNCTION __attribute__((target("avx512f,vpclmulqdq,pclmul")))

typedef __m512i v_rows4;

PL_INLINE int v_rows4_are_there(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq");
}

V_ROWS4_FUNCTION PL_INLINE v_rows4 v_rows4_load(const void *p) {
  return _mm512_loadu_si512(p);
}

V_ROWS4_FUNCTION PL_INLINE void v_rows4_store(void *p, v_rows4 x) {
  _mm512_storeu_si512(p, x);
}

V_ROWS4_FUNCTION PL_INLINE v_rows4 v_rows4_dup(const void *p) {
  return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)p));
}

V_ROWS4_FUNCTION PL_INLINE v_rows4 v_rows4_fold(v_rows4 x, v_rows4 factors, v_rows4 next) {
  const v_rows4 low = _mm512_clmulepi64_epi128(x, factors, 0x00);
  const v_rows4 high = _mm512_clmulepi64_epi128(x, factors, 0x11);
  return _mm512_ternarylogic_epi64(low, high, next, 0x96);
}
#endif

#endif
