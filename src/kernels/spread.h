/* Dense values to their places among nulls: a register of output takes its values from one load of the dense
 * ones, moved by a byte lookup that the validity bits choose. */
#ifndef PAGELANE_KERNELS_SPREAD_H
#define PAGELANE_KERNELS_SPREAD_H

#include "kernels/levels.h"

#if V_BYTES

#if !V_HAS_EXPAND
/* Bytes of dense value k, or of nothing: indices from 128 on give 0. */
#define TAKE32(k) 4 * (k), 4 * (k) + 1, 4 * (k) + 2, 4 * (k) + 3
#define TAKE64(k) TAKE32(2 * (k)), TAKE32(2 * (k) + 1)
#define NONE32 128, 128, 128, 128
#define NONE64 NONE32, NONE32

/* [validity of 4 values, the first in the lowest bit] */
static const uint8_t spread_rows_32[16][16] = {
    {NONE32, NONE32, NONE32, NONE32},          {TAKE32(0), NONE32, NONE32, NONE32},
    {NONE32, TAKE32(0), NONE32, NONE32},       {TAKE32(0), TAKE32(1), NONE32, NONE32},
    {NONE32, NONE32, TAKE32(0), NONE32},       {TAKE32(0), NONE32, TAKE32(1), NONE32},
    {NONE32, TAKE32(0), TAKE32(1), NONE32},    {TAKE32(0), TAKE32(1), TAKE32(2), NONE32},
    {NONE32, NONE32, NONE32, TAKE32(0)},       {TAKE32(0), NONE32, NONE32, TAKE32(1)},
    {NONE32, TAKE32(0), NONE32, TAKE32(1)},    {TAKE32(0), TAKE32(1), NONE32, TAKE32(2)},
    {NONE32, NONE32, TAKE32(0), TAKE32(1)},    {TAKE32(0), NONE32, TAKE32(1), TAKE32(2)},
    {NONE32, TAKE32(0), TAKE32(1), TAKE32(2)}, {TAKE32(0), TAKE32(1), TAKE32(2), TAKE32(3)},
};

/* [validity of 2 values] */
static const uint8_t spread_rows_64[4][16] = {
    {NONE64, NONE64}, {TAKE64(0), NONE64}, {NONE64, TAKE64(0)}, {TAKE64(0), TAKE64(1)}};
#endif

/* Sixteen bits, where registers hold as many: reads V_BYTES bytes from a register's first dense value, whatever the
 * validity. */
#if V_HAS_EXPAND
PL_INLINE const uint8_t *spread_step(const uint8_t *dense, uint32_t bits, uint8_t *out, bool wide) {
  if (!wide) {
    v_store(out, v_expand32(v_load(dense), bits));
    return dense + 4 * count_ones(bits);
  }
  const uint8_t *second = dense + 8 * count_ones(bits & 255);
  v_store(out, v_expand64(v_load(dense), bits & 255));
  v_store(out + V_BYTES, v_expand64(v_load(second), bits >> 8));
  return second + 8 * count_ones(bits >> 8);
}
#else
PL_INLINE const uint8_t *spread_step(const uint8_t *dense, uint32_t bits, uint8_t *out, bool wide) {
  const uint32_t per_row = wide ? 2 : 4, row_mask = wide ? 3 : 15;
  const size_t size = wide ? 8 : 4;
  const uint8_t(*rows)[16] = wide ? spread_rows_64 : spread_rows_32;
  PL_UNROLL_OUTER for (size_t at = 0; at < 8 * size; at += V_BYTES, out += V_BYTES) {
    const uint32_t first = bits & row_mask, second = bits >> per_row & row_mask;
    const size_t first_size = count_ones(first) * size;
#if V_BYTES == 16
    (void)second;
    v_store(out, v_lookup(v_load(dense), v_load(rows[first])));
    dense += first_size;
    bits >>= per_row;
#else
    v_store(out, v_lookup(v_load_spread(dense, first_size), v_load_two(rows[first], rows[second])));
    dense += first_size + count_ones(second) * size;
    bits >>= 2 * per_row;
#endif
  }
  return dense;
}
#endif

#endif

#if V_BYTES
PL_INLINE uint64_t count_bits(const uint8_t *bytes, uint64_t first, size_t n) {
  uint64_t n_set = 0;
  for (size_t done = 0; done < n; done += 64)
    n_set += count_ones(pl_bits_load(bytes, first + done, n - done < 64 ? n - done : 64));
  return n_set;
}
#endif

PL_INLINE void spread(const void *dense, const uint8_t *validity, uint64_t first_bit, void *out, size_t n,
                      bool wide) {
  const size_t size = wide ? 8 : 4;
  const uint8_t *from = dense;
  uint8_t *to = out;
#if V_BYTES
  /* The last dense values move to a zeroed local block, where a whole register can be loaded behind them. */
  enum { STEP = V_HAS_EXPAND ? 16 : 8, REACH = STEP * 8 + V_BYTES };
  uint8_t block[2 * REACH] = {0};
  const uint8_t *end = from + (size_t)count_bits(validity, first_bit, n) * size;
#endif
  for (size_t done = 0; done < n; done += 64) {
    const size_t n_bits = n - done < 64 ? n - done : 64;
    uint64_t bits = pl_bits_load(validity, first_bit + done, n_bits);
    if (bits == ~0ull) {
      memcpy(to, from, 64 * size);
      from += 64 * size, to += 64 * size;
      continue;
    }
    if (bits == 0) {
      memset(to, 0, n_bits * size);
      to += n_bits * size;
      continue;
    }
    size_t left = n_bits;
#if V_BYTES
    for (; left >= STEP; left -= STEP, bits >>= STEP, to += STEP * size) {
      if (PL_UNLIKELY(end - from < REACH)) {
        memcpy(block, from, (size_t)(end - from));
        from = block, end = block + sizeof block;
      }
      from = spread_step(from, bits & ((1u << STEP) - 1), to, wide);
    }
#endif
    for (; left != 0; left--, bits >>= 1, to += size) {
      if (bits & 1) {
        memcpy(to, from, size);
        from += size;
      } else {
        memset(to, 0, size);
      }
    }
  }
}

static void spread_32(const uint32_t *dense, const uint8_t *validity, uint64_t first_bit, uint32_t *out,
                      size_t n) {
  spread(dense, validity, first_bit, out, n, false);
}

static void spread_64(const uint64_t *dense, const uint8_t *validity, uint64_t first_bit, uint64_t *out,
                      size_t n) {
  spread(dense, validity, first_bit, out, n, true);
}

#endif
