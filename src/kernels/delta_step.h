/* One step of DELTA_BINARY_PACKED: 128 differences in four groups of 32, each with a width of its own, to 128 values.
 *
 *   residuals             unpacked, + min_delta           = differences
 *   within a register     inclusive scan, a few stages of shift and add; no register waits for another
 *   between registers     + carry; the carry moves on by the last lane, and never leaves the registers
 *   stored                scan - difference               = the value BEFORE each difference
 *
 * Because of the exclusive scan the first value of the stream is out[0] of its first step and stores stay aligned with the
 * caller's buffer; the carry is the next value. All arithmetic is unsigned and wraps, as the format wants it. One test on
 * the four widths chooses the body: none; pairs to 16 bits; lanes to 25 and 32; whole words; 64-bit lanes. */
#ifndef PAGELANE_KERNELS_DELTA_STEP_H
#define PAGELANE_KERNELS_DELTA_STEP_H

#include "kernels/bit_unpack.h"
#include "kernels/delta_block.h"

/* Bytes that a step may read past its last body. */
enum { DELTA_OVERREAD = UNPACK_OVERREAD };

typedef struct delta_step {
  uint32_t widths; /* the four as bytes, first group lowest */
  uint32_t width[4];
  const uint8_t *body[4];
} delta_step;

/* 32 values of one group, value at a time. Returns the value after the last difference. */
PL_INLINE uint64_t delta_group(const uint8_t *body, uint32_t w, uint64_t min_delta, uint64_t last, void *out,
                               bool wide) {
  uint32_t *out32 = out;
  uint64_t *out64 = out;
  if (w == 0) { /* no body: nothing may be read */
    for (int i = 0; i < 32; i++, last += min_delta) {
      if (wide)
        out64[i] = last;
      else
        out32[i] = (uint32_t)last;
    }
    return last;
  }
  for (uint32_t i = 0; i < 32; i++) {
    if (wide)
      out64[i] = last;
    else
      out32[i] = (uint32_t)last;
    last += min_delta + unpack_one(body, i, w);
  }
  return last;
}

#if !V_BYTES

typedef uint64_t delta_carry;

PL_INLINE delta_carry delta_carry_from(uint64_t last, bool wide) {
  (void)wide;
  return last;
}

PL_INLINE uint64_t delta_carry_value(delta_carry carry) {
  return carry;
}

/* n steps of zero-width miniblocks. */
PL_INLINE delta_carry delta_constant_run(uint64_t min_delta, delta_carry carry, void *out, uint64_t n,
                                         bool wide) {
  for (uint64_t g = 0; g < 4 * n; g++)
    carry = delta_group(NULL, 0, min_delta, carry, (uint8_t *)out + g * (wide ? 256 : 128), wide);
  return carry;
}

PL_INLINE delta_carry delta_step_run(const delta_step *step, uint64_t min_delta, delta_carry carry, void *out,
                                     bool wide) {
  for (int g = 0; g < 4; g++)
    carry = delta_group(step->body[g], step->width[g], min_delta, carry,
                        (uint8_t *)out + g * (wide ? 256 : 128), wide);
  return carry;
}

#else

typedef vec delta_carry; /* the next value in every lane */

PL_INLINE delta_carry delta_carry_from(uint64_t last, bool wide) {
  return wide ? v_splat64(last) : v_splat32((uint32_t)last);
}

PL_INLINE uint64_t delta_carry_value(delta_carry carry) {
  return v_first64(carry);
}

enum {
  FLIGHT = V_FLIGHT,                /* registers between two stages */
  GROUP_PAIRS = 32 / (2 * LANES32), /* pairs of registers in a group */
};

/* Inclusive scans of FLIGHT registers, stage by stage. */
PL_INLINE void scan32(vec x[FLIGHT]) {
  PL_UNROLL for (int stage = 0; stage < V_STAGES32; stage++) {
    vec term[FLIGHT];
    PL_UNROLL for (int k = 0; k < FLIGHT; k++) term[k] = v_scan32_term(x[k], stage);
    PL_UNROLL for (int k = 0; k < FLIGHT; k++) x[k] = v_add32(x[k], term[k]);
  }
}

/* Even and odd values of FLIGHT * 2 * LANES32 residuals from `body` on, widths to 16. */
PL_INLINE void unpack_pairs(const uint8_t *body, uint32_t w, vec even[FLIGHT], vec odd[FLIGHT]) {
  const pair_row *row = &pair_rows[w];
  PL_UNROLL for (int k = 0; k < FLIGHT; k++) {
    const vec in = v_load_spread(body + (uint32_t)(k * LANES32 / 4) * w, w);
    even[k] = v_lookup(in, v_load_dup16(row->even_bytes));
    odd[k] = v_lookup(in, v_load_dup16(row->odd_bytes));
  }
  PL_UNROLL for (int k = 0; k < FLIGHT; k++) {
    even[k] = v_align32(even[k], v_load_dup16(row->even_align));
    odd[k] = v_align32(odd[k], v_load_dup16(row->odd_align));
  }
  const vec mask = v_load_dup16(row->mask);
  PL_UNROLL for (int k = 0; k < FLIGHT; k++) {
    even[k] = v_and(even[k], mask);
    odd[k] = v_and(odd[k], mask);
  }
}

/* FLIGHT * LANES32 residuals in order; register r of the group on. */
PL_INLINE void unpack_lanes_of_group(const uint8_t *body, uint32_t w, int r, vec out[FLIGHT],
                                     width_class class) {
  PL_UNROLL for (int k = 0; k < FLIGHT; k++) {
    if (class == CLASS_WHOLE)
      out[k] = v_load(body + (size_t)(r + k) * V_BYTES);
    else
      out[k] = unpack_lanes(body + (size_t)((r + k) * LANES32 / 8) * w, w, (r + k) * LANES32 / 4 & 1, class);
  }
}

/* ---- 32 bits ---- */

/* n steps of zero-width miniblocks: nothing is read. */
PL_INLINE vec delta32_constant(uint32_t min_delta, vec carry, uint32_t *out, uint64_t n) {
  const vec stride = v_splat32(min_delta * LANES32), whole = v_splat32(min_delta * 128);
  const vec ramp = v_mul32(v_load(lane_numbers), v_splat32(min_delta));
  for (; n != 0; n--, out += 128) {
    vec x = v_add32(carry, ramp);
    PL_UNROLL for (int k = 0; k < 128 / LANES32; k++) {
      v_store(out + k * LANES32, x);
      x = v_add32(x, stride);
    }
    carry = v_add32(carry, whole);
  }
  return carry;
}

/* Pairs: the sums of neighbours are scanned, so one scan serves twice the values; from a sum s that ends with
 * the odd value the value before the odd one is s - odd, and the one before the even one s - odd - even. */
PL_INLINE vec delta32_pairs(const delta_step *step, vec min_delta, vec carry, uint32_t *out) {
  PL_ROLLED for (int g = 0; g < 4; g++) {
    const uint8_t *body = step->body[g];
    const uint32_t w = step->width[g];
    PL_UNROLL_OUTER for (int p = 0; p < GROUP_PAIRS; p += FLIGHT) {
      vec even[FLIGHT], odd[FLIGHT], sum[FLIGHT], last[FLIGHT];
      unpack_pairs(body + (uint32_t)(p * LANES32 / 4) * w, w, even, odd);
      PL_UNROLL for (int k = 0; k < FLIGHT; k++) {
        even[k] = v_add32(even[k], min_delta);
        odd[k] = v_add32(odd[k], min_delta);
        sum[k] = v_add32(even[k], odd[k]);
      }
      scan32(sum);
      PL_UNROLL for (int k = 0; k < FLIGHT; k++) last[k] = v_last32(sum[k]);
      PL_UNROLL for (int k = 0; k < FLIGHT; k++) {
        sum[k] = v_add32(sum[k], carry);
        carry = v_add32(carry, last[k]);
      }
      PL_UNROLL for (int k = 0; k < FLIGHT; k++) {
        vec low, high;
        odd[k] = v_sub32(sum[k], odd[k]);
        even[k] = v_sub32(odd[k], even[k]);
        v_zip32(even[k], odd[k], &low, &high);
        v_store(out, low);
        v_store(out + LANES32, high);
        out += 2 * LANES32;
      }
    }
  }
  return carry;
}

PL_INLINE vec delta32_lanes(const delta_step *step, vec min_delta, vec carry, uint32_t *out,
                            width_class class) {
  PL_ROLLED for (int g = 0; g < 4; g++) {
    PL_UNROLL_OUTER for (int r = 0; r < 2 * GROUP_PAIRS; r += FLIGHT) {
      vec x[FLIGHT], sum[FLIGHT], last[FLIGHT];
      unpack_lanes_of_group(step->body[g], step->width[g], r, x, class);
      PL_UNROLL for (int k = 0; k < FLIGHT; k++) sum[k] = x[k] = v_add32(x[k], min_delta);
      scan32(sum);
      PL_UNROLL for (int k = 0; k < FLIGHT; k++) last[k] = v_last32(sum[k]);
      PL_UNROLL for (int k = 0; k < FLIGHT; k++) {
        sum[k] = v_add32(v_sub32(sum[k], x[k]), carry);
        carry = v_add32(carry, last[k]);
      }
      PL_UNROLL for (int k = 0; k < FLIGHT; k++) {
        v_store(out, sum[k]);
        out += LANES32;
      }
    }
  }
  return carry;
}

PL_INLINE vec delta32_step(const delta_step *step, uint32_t min_delta, vec carry, uint32_t *out) {
  const vec min = v_splat32(min_delta);
  if (PL_UNLIKELY(step->widths == 0))
    return delta32_constant(min_delta, carry, out, 1);
  if (PL_LIKELY(widths_within(step->widths, 16)))
    return delta32_pairs(step, min, carry, out);
  if (widths_within(step->widths, 25))
    return delta32_lanes(step, min, carry, out, CLASS_ONE_WINDOW);
  if (step->widths == 0x20202020u)
    return delta32_lanes(step, min, carry, out, CLASS_WHOLE);
  return delta32_lanes(step, min, carry, out, CLASS_TWO_WINDOWS);
}

/* ---- 64 bits ----
 * Sums of 32 residuals of 25 bits fit 32 bits: up to that width the scan runs over residuals in 32-bit lanes,
 * and what it gives is widened onto carry + i * min_delta. */

/* i * min_delta for the values of four registers. Built from the bits of i: eight numbers stored one by one and
 * loaded as a register would wait for the stores in every block. */
typedef struct delta_ramp {
  vec at[4];
  vec two, four; /* min_delta times the lanes of two, of four registers */
} delta_ramp;

PL_INLINE delta_ramp delta_ramp_of(uint64_t min_delta) {
  static const uint64_t lane_bit[3][8] = {{0, ~0ull, 0, ~0ull, 0, ~0ull, 0, ~0ull},
                                          {0, 0, ~0ull, ~0ull, 0, 0, ~0ull, ~0ull},
                                          {0, 0, 0, 0, ~0ull, ~0ull, ~0ull, ~0ull}};
  delta_ramp ramp;
  ramp.at[0] = v_and(v_splat64(min_delta), v_load(lane_bit[0]));
  if (LANES64 > 2)
    ramp.at[0] = v_add64(ramp.at[0], v_and(v_splat64(2 * min_delta), v_load(lane_bit[1])));
  if (LANES64 > 4)
    ramp.at[0] = v_add64(ramp.at[0], v_and(v_splat64(4 * min_delta), v_load(lane_bit[2])));
  const vec one = v_splat64(min_delta * LANES64);
  ramp.two = v_add64(one, one);
  ramp.four = v_add64(ramp.two, ramp.two);
  ramp.at[1] = v_add64(ramp.at[0], one);
  ramp.at[2] = v_add64(ramp.at[0], ramp.two);
  ramp.at[3] = v_add64(ramp.at[1], ramp.two);
  return ramp;
}

PL_INLINE vec delta64_constant(uint64_t min_delta, vec carry, uint64_t *out, uint64_t n) {
  const delta_ramp ramp = delta_ramp_of(min_delta);
  for (; n != 0; n--, out += 128) {
    PL_UNROLL_OUTER for (int r = 0; r < 128 / LANES64; r += 4) {
      PL_UNROLL for (int k = 0; k < 4; k++) v_store(out + (r + k) * LANES64, v_add64(carry, ramp.at[k]));
      carry = v_add64(carry, ramp.four);
    }
  }
  return carry;
}

/* LANES32 values: the exclusive sums x, widened, onto two registers of carry + i * min_delta. */
PL_INLINE void store_widened(vec x, vec base0, vec base1, uint64_t *out) {
  vec low, high;
  v_widen32(x, &low, &high);
  v_store(out, v_add64(low, base0));
  v_store(out + LANES64, v_add64(high, base1));
}

PL_INLINE vec delta64_pairs(const delta_step *step, uint64_t min_delta, vec carry, uint64_t *out) {
  const delta_ramp ramp = delta_ramp_of(min_delta);
  PL_ROLLED for (int g = 0; g < 4; g++) {
    const uint8_t *body = step->body[g];
    const uint32_t w = step->width[g];
    PL_UNROLL_OUTER for (int p = 0; p < GROUP_PAIRS; p += FLIGHT) {
      vec even[FLIGHT], odd[FLIGHT], sum[FLIGHT];
      unpack_pairs(body + (uint32_t)(p * LANES32 / 4) * w, w, even, odd);
      PL_UNROLL for (int k = 0; k < FLIGHT; k++) sum[k] = v_add32(even[k], odd[k]);
      scan32(sum);
      PL_UNROLL for (int k = 0; k < FLIGHT; k++) {
        vec low, high;
        odd[k] = v_sub32(sum[k], odd[k]);
        even[k] = v_sub32(odd[k], even[k]);
        v_zip32(even[k], odd[k], &low, &high);
        store_widened(low, v_add64(carry, ramp.at[0]), v_add64(carry, ramp.at[1]), out);
        store_widened(high, v_add64(carry, ramp.at[2]), v_add64(carry, ramp.at[3]), out + LANES32);
        carry = v_add64(v_add64(carry, ramp.four), v_last32to64(sum[k]));
        out += 2 * LANES32;
      }
    }
  }
  return carry;
}

PL_INLINE vec delta64_lanes(const delta_step *step, uint64_t min_delta, vec carry, uint64_t *out) {
  const delta_ramp ramp = delta_ramp_of(min_delta);
  PL_ROLLED for (int g = 0; g < 4; g++) {
    PL_UNROLL_OUTER for (int r = 0; r < 2 * GROUP_PAIRS; r += FLIGHT) {
      vec x[FLIGHT], sum[FLIGHT];
      unpack_lanes_of_group(step->body[g], step->width[g], r, x, CLASS_ONE_WINDOW);
      PL_UNROLL for (int k = 0; k < FLIGHT; k++) sum[k] = x[k];
      scan32(sum);
      PL_UNROLL for (int k = 0; k < FLIGHT; k++) {
        store_widened(v_sub32(sum[k], x[k]), v_add64(carry, ramp.at[0]), v_add64(carry, ramp.at[1]), out);
        carry = v_add64(v_add64(carry, ramp.two), v_last32to64(sum[k]));
        out += LANES32;
      }
    }
  }
  return carry;
}

#if V_HAS_SHIFT64
/* Wider residuals: 64-bit lanes throughout, four registers in flight. */
PL_INLINE vec delta64_quads(const delta_step *step, uint64_t min_delta, vec carry, uint64_t *out,
                            width_class class) {
  const vec min = v_splat64(min_delta);
  PL_ROLLED for (int g = 0; g < 4; g++) {
    const uint8_t *body = step->body[g];
    const uint32_t w = step->width[g];
    PL_UNROLL_OUTER for (int r = 0; r < 32 / LANES64; r += 4) {
      vec x[4], sum[4], term[4];
      PL_UNROLL for (int k = 0; k < 4; k++) {
        const int i = (r + k) * LANES64;
        x[k] = class == CLASS_WHOLE ? v_load(body + 8 * i)
                                    : unpack_quads(body + (uint32_t)(i / 8) * w, w, i % 8 / LANES64, class);
        sum[k] = x[k] = v_add64(x[k], min);
      }
      PL_UNROLL for (int stage = 0; stage < V_STAGES64; stage++) {
        PL_UNROLL for (int k = 0; k < 4; k++) term[k] = v_scan64_term(sum[k], stage);
        PL_UNROLL for (int k = 0; k < 4; k++) sum[k] = v_add64(sum[k], term[k]);
      }
      PL_UNROLL for (int k = 0; k < 4; k++) term[k] = v_last64(sum[k]);
      PL_UNROLL for (int k = 0; k < 4; k++) {
        sum[k] = v_add64(v_sub64(sum[k], x[k]), carry);
        carry = v_add64(carry, term[k]);
      }
      PL_UNROLL for (int k = 0; k < 4; k++) {
        v_store(out, sum[k]);
        out += LANES64;
      }
    }
  }
  return carry;
}
#endif

PL_INLINE vec delta64_step(const delta_step *step, uint64_t min_delta, vec carry, uint64_t *out) {
  if (PL_UNLIKELY(step->widths == 0))
    return delta64_constant(min_delta, carry, out, 1);
  if (PL_LIKELY(widths_within(step->widths, 16)))
    return delta64_pairs(step, min_delta, carry, out);
  if (widths_within(step->widths, 25))
    return delta64_lanes(step, min_delta, carry, out);
#if V_HAS_SHIFT64
  if (widths_within(step->widths, 57))
    return delta64_quads(step, min_delta, carry, out, CLASS_ONE_WINDOW);
  if (step->widths == 0x40404040u)
    return delta64_quads(step, min_delta, carry, out, CLASS_WHOLE);
  return delta64_quads(step, min_delta, carry, out, CLASS_TWO_WINDOWS);
#else
  uint64_t last = v_first64(carry);
  for (int g = 0; g < 4; g++)
    last = delta_group(step->body[g], step->width[g], min_delta, last, out + 32 * g, true);
  return v_splat64(last);
#endif
}

/* n steps of zero-width miniblocks. */
PL_INLINE delta_carry delta_constant_run(uint64_t min_delta, delta_carry carry, void *out, uint64_t n,
                                         bool wide) {
  return wide ? delta64_constant(min_delta, carry, out, n)
              : delta32_constant((uint32_t)min_delta, carry, out, n);
}

PL_INLINE delta_carry delta_step_run(const delta_step *step, uint64_t min_delta, delta_carry carry, void *out,
                                     bool wide) {
  return wide ? delta64_step(step, min_delta, carry, out) : delta32_step(step, (uint32_t)min_delta, carry, out);
}

#endif
#endif
