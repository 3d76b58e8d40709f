/* WebAssembly SIMD128: one row. Lanes cannot shift by amounts of their own. Operations: simd/simd.h. */
#ifndef PAGELANE_SIMD_SIMD128_H
#define PAGELANE_SIMD_SIMD128_H

#include <wasm_simd128.h>

typedef v128_t vec;

#define V_BYTES 16
#define V_FLIGHT 2
#define V_FLIGHT_LANES 2
#define V_ALIGN_BY_MUL 1
#define V_HAS_SHIFT64 0
#define V_HAS_LOOKUP_FULL 0
#define V_HAS_EXPAND 0
#define V_COMPACT 1
#define V_STAGES32 2

PL_INLINE vec v_load(const void *p) {
  return wasm_v128_load(p);
}

PL_INLINE void v_store(void *p, vec x) {
  wasm_v128_store(p, x);
}

PL_INLINE vec v_load_dup16(const void *p) {
  return wasm_v128_load(p);
}

PL_INLINE vec v_load_spread(const uint8_t *p, size_t stride) {
  (void)stride;
  return wasm_v128_load(p);
}

PL_INLINE vec v_load_u8(const uint8_t *p) {
  return wasm_u32x4_extend_low_u16x8(wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(p)));
}

PL_INLINE vec v_load_u16(const uint8_t *p) {
  return wasm_u32x4_load16x4(p);
}

PL_INLINE vec v_zero(void) {
  return wasm_i32x4_const_splat(0);
}

PL_INLINE vec v_splat8(uint8_t x) {
  return wasm_u8x16_splat(x);
}

PL_INLINE vec v_splat32(uint32_t x) {
  return wasm_u32x4_splat(x);
}

PL_INLINE vec v_splat64(uint64_t x) {
  return wasm_u64x2_splat(x);
}

PL_INLINE uint64_t v_first64(vec x) {
  return wasm_u64x2_extract_lane(x, 0);
}

PL_INLINE vec v_last32(vec x) {
  return wasm_i32x4_shuffle(x, x, 3, 3, 3, 3);
}

PL_INLINE vec v_last32to64(vec x) {
  return wasm_u64x2_shr(wasm_i32x4_shuffle(x, x, 3, 3, 3, 3), 32);
}

PL_INLINE vec v_lookup(vec x, vec i) {
  return wasm_i8x16_swizzle(x, i);
}

PL_INLINE void v_zip8(vec a, vec b, vec *x, vec *y) {
  *x = wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  *y = wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

PL_INLINE vec v_and(vec a, vec b) {
  return wasm_v128_and(a, b);
}

PL_INLINE vec v_or(vec a, vec b) {
  return wasm_v128_or(a, b);
}

PL_INLINE vec v_shl32_16(vec a) {
  return wasm_i32x4_shl(a, 16);
}

PL_INLINE vec v_add8(vec a, vec b) {
  return wasm_i8x16_add(a, b);
}

PL_INLINE vec v_add32(vec a, vec b) {
  return wasm_i32x4_add(a, b);
}

PL_INLINE vec v_sub32(vec a, vec b) {
  return wasm_i32x4_sub(a, b);
}

PL_INLINE vec v_mul32(vec a, vec b) {
  return wasm_i32x4_mul(a, b);
}

PL_INLINE vec v_min32(vec a, vec b) {
  return wasm_u32x4_min(a, b);
}

PL_INLINE vec v_max32(vec a, vec b) {
  return wasm_u32x4_max(a, b);
}

PL_INLINE vec v_add64(vec a, vec b) {
  return wasm_i64x2_add(a, b);
}

PL_INLINE vec v_sub64(vec a, vec b) {
  return wasm_i64x2_sub(a, b);
}

PL_INLINE vec v_align32(vec x, vec s) {
  return wasm_u32x4_shr(wasm_i32x4_mul(x, s), 7);
}

PL_INLINE vec v_scale_f32(vec x, vec up, vec down) {
  return wasm_f32x4_mul(wasm_f32x4_mul(wasm_f32x4_convert_i32x4(x), up), down);
}

/* There is no conversion of 64-bit lanes. Both halves of a lane become the low bits of a binary64 whose
 * exponent gives them their weight: the high half, its sign bit turned, under 2^84, the low half under 2^52.
 * What was added goes off exactly again, and only the last addition rounds. */
PL_INLINE vec v_scale_f64(vec x, vec up, vec down) {
  const vec weight = wasm_f64x2_const_splat(0x1p84 + 0x1p63 + 0x1p52);
  const vec high = wasm_v128_xor(wasm_u64x2_shr(x, 32), wasm_u64x2_const_splat(0x4530000080000000));
  const vec low = wasm_v128_or(wasm_v128_and(x, wasm_u64x2_const_splat(0xffffffff)),
                               wasm_u64x2_const_splat(0x4330000000000000));
  const vec sum = wasm_f64x2_add(wasm_f64x2_sub(high, weight), low);
  return wasm_f64x2_mul(wasm_f64x2_mul(sum, up), down);
}

PL_INLINE vec v_scan32_term(vec x, int stage) {
  return stage == 0 ? wasm_i32x4_shuffle(x, v_zero(), 4, 0, 1, 2) : wasm_i32x4_shuffle(x, v_zero(), 4, 4, 0, 1);
}

PL_INLINE void v_zip32(vec a, vec b, vec *x, vec *y) {
  *x = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5);
  *y = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
}

PL_INLINE void v_widen32(vec a, vec *x, vec *y) {
  *x = wasm_u64x2_extend_low_u32x4(a);
  *y = wasm_u64x2_extend_high_u32x4(a);
}

PL_INLINE vec v_narrow32(vec a, vec b) {
  return wasm_u16x8_narrow_i32x4(a, b);
}

PL_INLINE vec v_narrow16(vec a, vec b) {
  return wasm_u8x16_narrow_i16x8(a, b);
}

PL_INLINE uint64_t v_mask_least8(vec a, vec b) {
  return wasm_i8x16_bitmask(wasm_u8x16_ge(a, b));
}

#endif
