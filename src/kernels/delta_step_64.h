/* The bodies of delta_step.h for 64-bit values: a part of that file, which includes it.
 *
 * Sums of 32 residuals of 25 bits fit 32 bits: up to that width the scan runs over residuals in 32-bit lanes,
 * and what it gives is widened onto carry + i * min_delta. */
#ifndef PAGELANE_KERNELS_DELTA_STEP_64_H
#define PAGELANE_KERNELS_DELTA_STEP_64_H

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

PL_INLINE vec delta64_pairs(const delta_step *step, uint64_t min_delta, vec carry, uint64_t *out, bool two) {
  const delta_ramp ramp = delta_ramp_of(min_delta);
  PL_ROLLED for (int g = 0; g < 4; g += PAIRS_GROUPS) {
    PL_UNROLL_OUTER for (int p = 0; p < PAIRS; p += FLIGHT) {
      vec even[FLIGHT], odd[FLIGHT], sum[FLIGHT];
      unpack_pairs(step, g, p, even, odd, two);
      PL_UNROLL for (int k = 0; k < FLIGHT; k++) sum[k] = v_add32(even[k], odd[k]);
      scan32(sum, FLIGHT);
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

#if !V_HAS_LOOKUP_FULL
PL_INLINE vec delta64_lanes(const delta_step *step, uint64_t min_delta, vec carry, uint64_t *out) {
  const delta_ramp ramp = delta_ramp_of(min_delta);
  PL_ROLLED for (int g = 0; g < 4; g += LANES_GROUPS) {
    PL_UNROLL_OUTER for (int r = 0; r < LANES; r += LANE_FLIGHT) {
      vec x[LANE_FLIGHT], sum[LANE_FLIGHT];
      unpack_lanes_of_step(step, g, r, x, CLASS_ONE_WINDOW);
      PL_UNROLL for (int k = 0; k < LANE_FLIGHT; k++) sum[k] = x[k];
      scan32(sum, LANE_FLIGHT);
      PL_UNROLL for (int k = 0; k < LANE_FLIGHT; k++) {
        store_widened(v_sub32(sum[k], x[k]), v_add64(carry, ramp.at[0]), v_add64(carry, ramp.at[1]), out);
        carry = v_add64(v_add64(carry, ramp.two), v_last32to64(sum[k]));
        out += LANES32;
      }
    }
  }
  return carry;
}
#endif

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
    return delta64_pairs(step, min_delta, carry, out, false);
  if (widths_within(step->widths, 25))
#if V_HAS_LOOKUP_FULL
    return delta64_pairs(step, min_delta, carry, out, true);
#else
    return delta64_lanes(step, min_delta, carry, out);
#endif
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

#endif
