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
#if V_HAS_LOOKUP_FULL
enum { DELTA_OVERREAD = 2 * V_BYTES };
#else
enum { DELTA_OVERREAD = UNPACK_OVERREAD };
#endif

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
  FLIGHT = V_FLIGHT,            /* registers between two stages, each of even and of odd values */
  LANE_FLIGHT = V_FLIGHT_LANES, /* registers of values in order */
  PAIRS = 32 / (2 * LANES32),   /* pairs of registers in a group */
  LANES = 32 / LANES32,         /* registers in a group */
  /* a flight stays within a group, or takes whole ones */
  PAIRS_GROUPS = FLIGHT > PAIRS ? FLIGHT / PAIRS : 1,
  LANES_GROUPS = LANE_FLIGHT > LANES ? LANE_FLIGHT / LANES : 1,
};

/* Inclusive scans of n registers, stage by stage. */
PL_INLINE void scan32(vec *x, int n) {
  PL_UNROLL for (int stage = 0; stage < V_STAGES32; stage++) {
    vec term[LANE_FLIGHT];
    PL_UNROLL for (int k = 0; k < n; k++) term[k] = v_scan32_term(x[k], stage);
    PL_UNROLL for (int k = 0; k < n; k++) x[k] = v_add32(x[k], term[k]);
  }
}

/* Even and odd values of FLIGHT * 2 * LANES32 residuals from pair p of group g on. Widths to 16; where bytes can be
 * looked up in two whole registers, and `two` says so, to 25. */
PL_INLINE void unpack_pairs(const delta_step *step, int g, int p, vec even[FLIGHT], vec odd[FLIGHT], bool two) {
  PL_UNROLL for (int k = 0; k < FLIGHT; k++) {
    const int group = g + (p + k) / PAIRS;
    const uint32_t w = step->width[group];
    const uint8_t *body = step->body[group] + (uint32_t)((p + k) % PAIRS * LANES32 / 4) * w;
#if V_HAS_LOOKUP_FULL
    const vec in = v_load(body);
    const vec even_bytes = v_load(full_pair_rows[w].even_bytes),
              odd_bytes = v_load(full_pair_rows[w].odd_bytes);
    if (two) {
      const vec more = v_load(body + V_BYTES);
      even[k] = v_lookup_full2(in, more, even_bytes);
      odd[k] = v_lookup_full2(in, more, odd_bytes);
    } else {
      even[k] = v_lookup_full(in, even_bytes);
      odd[k] = v_lookup_full(in, odd_bytes);
    }
#else
    (void)two;
    const vec in = v_load_spread(body, w);
    even[k] = v_lookup(in, v_load_dup16(pair_rows[w].even_bytes));
    odd[k] = v_lookup(in, v_load_dup16(pair_rows[w].odd_bytes));
#endif
  }
  PL_UNROLL for (int k = 0; k < FLIGHT; k++) {
    const pair_row *row = &pair_rows[step->width[g + (p + k) / PAIRS]];
    even[k] = v_align32(even[k], v_load_dup16(row->even_align));
    odd[k] = v_align32(odd[k], v_load_dup16(row->odd_align));
  }
  PL_UNROLL for (int k = 0; k < FLIGHT; k++) {
    const vec mask = v_load_dup16(pair_rows[step->width[g + (p + k) / PAIRS]].mask);
    even[k] = v_and(even[k], mask);
    odd[k] = v_and(odd[k], mask);
  }
}

/* LANE_FLIGHT * LANES32 residuals in order, from register r of group g on. */
PL_INLINE void unpack_lanes_of_step(const delta_step *step, int g, int r, vec out[LANE_FLIGHT],
                                    width_class class) {
  PL_UNROLL for (int k = 0; k < LANE_FLIGHT; k++) {
    const int group = g + (r + k) / LANES, part = (r + k) % LANES;
    const uint8_t *body = step->body[group];
    const uint32_t w = step->width[group];
    if (class == CLASS_WHOLE)
      out[k] = v_load(body + (size_t)part * V_BYTES);
    else
      out[k] = unpack_lanes(body + (size_t)(part * LANES32 / 8) * w, w, part * LANES32 / 4 & 1, class);
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
PL_INLINE vec delta32_pairs(const delta_step *step, vec min_delta, vec carry, uint32_t *out, bool two) {
  PL_ROLLED for (int g = 0; g < 4; g += PAIRS_GROUPS) {
    PL_UNROLL_OUTER for (int p = 0; p < PAIRS; p += FLIGHT) {
      vec even[FLIGHT], odd[FLIGHT], sum[FLIGHT], last[FLIGHT];
      unpack_pairs(step, g, p, even, odd, two);
      PL_UNROLL for (int k = 0; k < FLIGHT; k++) {
        even[k] = v_add32(even[k], min_delta);
        odd[k] = v_add32(odd[k], min_delta);
        sum[k] = v_add32(even[k], odd[k]);
      }
      scan32(sum, FLIGHT);
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
  PL_ROLLED for (int g = 0; g < 4; g += LANES_GROUPS) {
    PL_UNROLL_OUTER for (int r = 0; r < LANES; r += LANE_FLIGHT) {
      vec x[LANE_FLIGHT], sum[LANE_FLIGHT], last[LANE_FLIGHT];
      unpack_lanes_of_step(step, g, r, x, class);
      PL_UNROLL for (int k = 0; k < LANE_FLIGHT; k++) sum[k] = x[k] = v_add32(x[k], min_delta);
      scan32(sum, LANE_FLIGHT);
      PL_UNROLL for (int k = 0; k < LANE_FLIGHT; k++) last[k] = v_last32(sum[k]);
      PL_UNROLL for (int k = 0; k < LANE_FLIGHT; k++) {
        sum[k] = v_add32(v_sub32(sum[k], x[k]), carry);
        carry = v_add32(carry, last[k]);
      }
      PL_UNROLL for (int k = 0; k < LANE_FLIGHT; k++) {
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
    return delta32_pairs(step, min, carry, out, false);
  if (widths_within(step->widths, 25))
#if V_HAS_LOOKUP_FULL
    return delta32_pairs(step, min, carry, out, true);
#else
    return delta32_lanes(step, min, carry, out, CLASS_ONE_WINDOW);
#endif
  if (step->widths == 0x20202020u)
    return delta32_lanes(step, min, carry, out, CLASS_WHOLE);
  return delta32_lanes(step, min, carry, out, CLASS_TWO_WINDOWS);
}

#include "kernels/delta_step_64.h"

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
