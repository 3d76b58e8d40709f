/* NEON of 64-bit ARM: one row. Operations: simd/simd.h. */
#ifndef PAGELANE_SIMD_NEON_H
#define PAGELANE_SIMD_NEON_H

#include <arm_neon.h>
#include <string.h>

typedef uint32x4_t vec;

#define V_BYTES 16
#define V_FLIGHT 4
#define V_FLIGHT_LANES 4
#define V_ALIGN_BY_MUL 0
#define V_HAS_SHIFT64 1
#define V_HAS_LOOKUP_FULL 0
#define V_HAS_EXPAND 0
#define V_COMPACT 0
#define V_STAGES32 2
#define V_STAGES64 1

/* The same register with lanes of another type. */
PL_INLINE uint8x16_t v_as8(vec x) {
  return vreinterpretq_u8_u32(x);
}

PL_INLINE vec v_of8(uint8x16_t x) {
  return vreinterpretq_u32_u8(x);
}

PL_INLINE uint64x2_t v_as64(vec x) {
  return vreinterpretq_u64_u32(x);
}

PL_INLINE vec v_of64(uint64x2_t x) {
  return vreinterpretq_u32_u64(x);
}

PL_INLINE vec v_load(const void *p) {
  return v_of8(vld1q_u8((const uint8_t *)p));
}

PL_INLINE void v_store(void *p, vec x) {
  vst1q_u8((uint8_t *)p, v_as8(x));
}

PL_INLINE vec v_load_dup16(const void *p) {
  return v_load(p);
}

PL_INLINE vec v_load_spread(const uint8_t *p, size_t stride) {
  (void)stride;
  return v_load(p);
}

PL_INLINE vec v_load_u8(const uint8_t *p) {
  uint32_t bytes;
  memcpy(&bytes, p, sizeof bytes);
  return vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(bytes))));
}

PL_INLINE vec v_load_u16(const uint8_t *p) {
  return vmovl_u16(vreinterpret_u16_u8(vld1_u8(p)));
}

PL_INLINE vec v_zero(void) {
  return vdupq_n_u32(0);
}

PL_INLINE vec v_splat8(uint8_t x) {
  return v_of8(vdupq_n_u8(x));
}

PL_INLINE vec v_splat32(uint32_t x) {
  return vdupq_n_u32(x);
}

PL_INLINE vec v_splat64(uint64_t x) {
  return v_of64(vdupq_n_u64(x));
}

PL_INLINE uint64_t v_first64(vec x) {
  return vgetq_lane_u64(v_as64(x), 0);
}

PL_INLINE vec v_last32(vec x) {
  return vdupq_laneq_u32(x, 3);
}

PL_INLINE vec v_last64(vec x) {
  return v_of64(vdupq_laneq_u64(v_as64(x), 1));
}

PL_INLINE vec v_last32to64(vec x) {
  return v_of64(vshrq_n_u64(v_as64(v_last32(x)), 32));
}

PL_INLINE vec v_lookup(vec x, vec i) {
  return v_of8(vqtbl1q_u8(v_as8(x), v_as8(i)));
}

PL_INLINE void v_zip8(vec a, vec b, vec *x, vec *y) {
  *x = v_of8(vzip1q_u8(v_as8(a), v_as8(b)));
  *y = v_of8(vzip2q_u8(v_as8(a), v_as8(b)));
}

PL_INLINE vec v_and(vec a, vec b) {
  return vandq_u32(a, b);
}

PL_INLINE vec v_or(vec a, vec b) {
  return vorrq_u32(a, b);
}

PL_INLINE vec v_add8(vec a, vec b) {
  return v_of8(vaddq_u8(v_as8(a), v_as8(b)));
}

PL_INLINE vec v_add32(vec a, vec b) {
  return vaddq_u32(a, b);
}

PL_INLINE vec v_sub32(vec a, vec b) {
  return vsubq_u32(a, b);
}

PL_INLINE vec v_mul32(vec a, vec b) {
  return vmulq_u32(a, b);
}

PL_INLINE vec v_min32(vec a, vec b) {
  return vminq_u32(a, b);
}

PL_INLINE vec v_max32(vec a, vec b) {
  return vmaxq_u32(a, b);
}

PL_INLINE vec v_add64(vec a, vec b) {
  return v_of64(vaddq_u64(v_as64(a), v_as64(b)));
}

PL_INLINE vec v_sub64(vec a, vec b) {
  return v_of64(vsubq_u64(v_as64(a), v_as64(b)));
}

/* Lanes shift left by a signed amount: to the right by a negative one, to 0 by the lane's width. */
PL_INLINE vec v_align32(vec x, vec s) {
  return vshlq_u32(x, vnegq_s32(vreinterpretq_s32_u32(s)));
}

PL_INLINE vec v_align64(vec x, vec s) {
  return v_of64(vshlq_u64(v_as64(x), vnegq_s64(vreinterpretq_s64_u32(s))));
}

PL_INLINE vec v_funnel32(vec lo, vec hi, vec s) {
  const int32x4_t right = vnegq_s32(vreinterpretq_s32_u32(s)), left = vaddq_s32(right, vdupq_n_s32(32));
  return vorrq_u32(vshlq_u32(lo, right), vshlq_u32(hi, left));
}

PL_INLINE vec v_funnel64(vec lo, vec hi, vec s) {
  const int64x2_t right = vnegq_s64(vreinterpretq_s64_u32(s)), left = vaddq_s64(right, vdupq_n_s64(64));
  return v_of64(vorrq_u64(vshlq_u64(v_as64(lo), right), vshlq_u64(v_as64(hi), left)));
}

PL_INLINE vec v_scale_f32(vec x, vec up, vec down) {
  const float32x4_t scaled = vmulq_f32(vcvtq_f32_s32(vreinterpretq_s32_u32(x)), vreinterpretq_f32_u32(up));
  return vreinterpretq_u32_f32(vmulq_f32(scaled, vreinterpretq_f32_u32(down)));
}

PL_INLINE vec v_scale_f64(vec x, vec up, vec down) {
  const float64x2_t scaled = vmulq_f64(vcvtq_f64_s64(vreinterpretq_s64_u32(x)), vreinterpretq_f64_u32(up));
  return vreinterpretq_u32_f64(vmulq_f64(scaled, vreinterpretq_f64_u32(down)));
}

PL_INLINE vec v_scan32_term(vec x, int stage) {
  return stage == 0 ? vextq_u32(v_zero(), x, 3) : vextq_u32(v_zero(), x, 2);
}

PL_INLINE vec v_scan64_term(vec x, int stage) {
  (void)stage;
  return vextq_u32(v_zero(), x, 2);
}

PL_INLINE void v_zip32(vec a, vec b, vec *x, vec *y) {
  *x = vzip1q_u32(a, b);
  *y = vzip2q_u32(a, b);
}

PL_INLINE void v_widen32(vec a, vec *x, vec *y) {
  *x = v_of64(vmovl_u32(vget_low_u32(a)));
  *y = v_of64(vmovl_high_u32(a));
}

PL_INLINE vec v_narrow32(vec a, vec b) {
  return vreinterpretq_u32_u16(vmovn_high_u32(vmovn_u32(a), b));
}

PL_INLINE vec v_narrow16(vec a, vec b) {
  return vreinterpretq_u32_u8(vmovn_high_u16(vmovn_u16(vreinterpretq_u16_u32(a)), vreinterpretq_u16_u32(b)));
}

/* A bit of its own for each byte of a half; their sum is the half's mask. */
PL_INLINE uint64_t v_mask_least8(vec a, vec b) {
  const uint8x16_t bit = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201u));
  const uint8x16_t bits = vandq_u8(vcgeq_u8(vreinterpretq_u8_u32(a), vreinterpretq_u8_u32(b)), bit);
  return vaddv_u8(vget_low_u8(bits)) | (uint32_t)vaddv_u8(vget_high_u8(bits)) << 8;
}

#endif
