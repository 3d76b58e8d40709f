/* ALP (AlpEncoding.md): a vector's residuals to floating-point numbers. Value i is
 *
 *   integer = frame + residual[i]             wraps, then read as signed
 *   value   = (number(integer) * up) * down   each step rounded to the column's own type
 *
 * The two factors are powers of ten, and not to be merged: the result would be another one. */
#ifndef PAGELANE_KERNELS_ALP_H
#define PAGELANE_KERNELS_ALP_H

#include "kernels/bit_unpack.h"

enum {
  ALP_BLOCK = 1024
}; /* values that are unpacked before they are scaled: they are still in the nearest cache */

/* Residuals of values first ... first + n - 1. `first` may lie inside a group of 8: those go through a local
 * group. */
PL_INLINE void alp_unpack(const pl_alp_vector *vector, size_t first, uint8_t *out, size_t n, bool wide) {
  const size_t passed = first % 8, value_size = wide ? 8 : 4;
  const uint32_t w = vector->bit_width;
  const uint8_t *group = vector->packed + first / 8 * w;
  if (passed != 0) {
    uint64_t values[8];
    const size_t n_head = n < 8 - passed ? n : 8 - passed;
    bit_unpack(group, (size_t)(vector->end - group), w, values, passed + n_head, wide);
    memcpy(out, (uint8_t *)values + passed * value_size, n_head * value_size);
    group += w, out += n_head * value_size, n -= n_head;
  }
  if (n != 0)
    bit_unpack(group, (size_t)(vector->end - group), w, out, n, wide);
}

PL_INLINE float alp_scale_one_32(uint32_t integer, float up, float down) {
  const float scaled = (float)(int32_t)integer * up;
  return scaled * down;
}

PL_INLINE double alp_scale_one_64(uint64_t integer, double up, double down) {
  const double scaled = (double)(int64_t)integer * up;
  return scaled * down;
}

PL_INLINE void alp_scale_32(const pl_alp_vector *vector, uint8_t *out, size_t n) {
  const float up = vector->up.f32, down = vector->down.f32;
  size_t i = 0;
#if V_BYTES
  const vec frame = v_splat32((uint32_t)vector->frame);
  const vec up_lanes = v_splat32(vector->up.bits32), down_lanes = v_splat32(vector->down.bits32);
  for (; i + LANES32 <= n; i += LANES32, out += V_BYTES)
    v_store(out, v_scale_f32(v_add32(v_load(out), frame), up_lanes, down_lanes));
#endif
  for (; i < n; i++, out += 4) {
    const float value = alp_scale_one_32(pl_load_u32(out) + (uint32_t)vector->frame, up, down);
    memcpy(out, &value, 4);
  }
}

PL_INLINE void alp_scale_64(const pl_alp_vector *vector, uint8_t *out, size_t n) {
  const double up = vector->up.f64, down = vector->down.f64;
  size_t i = 0;
#if V_BYTES
  const vec frame = v_splat64(vector->frame);
  const vec up_lanes = v_splat64(vector->up.bits64), down_lanes = v_splat64(vector->down.bits64);
  for (; i + LANES64 <= n; i += LANES64, out += V_BYTES)
    v_store(out, v_scale_f64(v_add64(v_load(out), frame), up_lanes, down_lanes));
#endif
  for (; i < n; i++, out += 8) {
    const double value = alp_scale_one_64(pl_load_u64(out) + vector->frame, up, down);
    memcpy(out, &value, 8);
  }
}

PL_INLINE void alp_read(const pl_alp_vector *vector, size_t first, uint8_t *out, size_t n, bool wide) {
  while (n != 0) {
    const size_t whole = ALP_BLOCK - first % 8, n_here = n < whole ? n : whole;
    alp_unpack(vector, first, out, n_here, wide);
    if (wide)
      alp_scale_64(vector, out, n_here);
    else
      alp_scale_32(vector, out, n_here);
    out += n_here * (wide ? 8 : 4), first += n_here, n -= n_here;
  }
}

static void alp_read_32(const pl_alp_vector *vector, size_t first, uint32_t *out, size_t n) {
  alp_read(vector, first, (uint8_t *)out, n, false);
}

static void alp_read_64(const pl_alp_vector *vector, size_t first, uint64_t *out, size_t n) {
  alp_read(vector, first, (uint8_t *)out, n, true);
}

#endif
