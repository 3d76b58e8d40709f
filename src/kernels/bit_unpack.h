/* Bit-packed values, least significant bit first, to 32 and 64 bits (Encodings.md, "RLE": the bit-packed half
 * of it).
 *
 * The width is data: a pointer to its row of constants, one body for a class of widths. Groups of 8 values are
 * w bytes; a loop over steps of one or two groups loads whole registers and so reads up to UNPACK_OVERREAD bytes past the last
 * group. Near the end of the input the last groups move to a zeroed local block first. */
#ifndef PAGELANE_KERNELS_BIT_UNPACK_H
#define PAGELANE_KERNELS_BIT_UNPACK_H

#include "base/load.h"
#include "kernels/kernels.h"
#include "kernels/rows.h"

enum {
#if V_BYTES == 64
  UNPACK_OVERREAD = 64,
  UNPACK_STEP = 16, /* values a loop takes at a time */
#else
  UNPACK_OVERREAD = 32,
  UNPACK_STEP = 8,
#endif
  /* what unpack_tail copies: less than one group and the over-read, and the group that ends there */
  UNPACK_BLOCK = 2 * UNPACK_STEP * 8 + 2 * UNPACK_OVERREAD,
};

/* Value i of a run of width w (1 to 64). Reads 8 bytes from the value's first byte, 9 for widths above 57. */
PL_INLINE uint64_t unpack_one(const uint8_t *run, uint64_t i, uint32_t w) {
  const uint64_t bit = i * w;
  const uint8_t *p = run + (bit >> 3);
  uint64_t x = pl_load_u64(p) >> (bit & 7);
  if (w > 57)
    x |= ((uint64_t)p[8] << 1) << (63 - (bit & 7));
  return w == 64 ? x : x & ((1ull << w) - 1);
}

#if V_BYTES

enum { LANES32 = V_BYTES / 4, LANES64 = V_BYTES / 8 };

/* Which widths one body takes. */
typedef enum width_class {
  CLASS_ONE_WINDOW,  /* a value and its shift fit a window: to 25 bits of 32, to 57 of 64 */
  CLASS_TWO_WINDOWS, /* any width */
  CLASS_WHOLE,       /* all bits of the word: a plain load */
} width_class;

/* Bytes of a row, or of the whole register where that can be had: what the rows of constants count in. */
PL_INLINE vec lookup(vec x, vec i) {
#if V_HAS_LOOKUP_FULL
  return v_lookup_full(x, i);
#else
  return v_lookup(x, i);
#endif
}

/* LANES32 values in order from `run`, whose first value begins a byte; w <= 32. 128-bit registers hold half a
 * group: `half` says which, and run is the group's first byte. */
PL_INLINE vec unpack_lanes(const uint8_t *run, uint32_t w, int half, width_class class) {
  const lane_row *row = &lane_rows[w];
#if V_BYTES == 16
  const vec in = v_load(run + (half ? 4 * w >> 3 : 0));
  const vec bytes = v_load(row->bytes + 16 * half), align = v_load(row->align + 4 * half);
#else
  (void)half;
#if V_HAS_LOOKUP_FULL
  const vec in = v_load(run), bytes = v_load(full_lane_rows[w].bytes);
#else
  const vec in = v_load_spread4(run, 4 * w >> 3, w), bytes = v_load_dup32(row->bytes);
#endif
  const vec align = v_load_dup32(row->align);
#endif
  const vec window = lookup(in, bytes);
  if (class == CLASS_ONE_WINDOW)
    return v_and(v_align32(window, align), v_load_dup16(row->mask));
#if V_ALIGN_BY_MUL
  /* a multiplication keeps 25 bits: 16 low bits, and the rest from a window two bytes on */
  if (w <= 16)
    return v_and(v_align32(window, align), v_load_dup16(row->mask));
  const vec high = v_align32(v_lookup(in, v_add8(bytes, v_splat8(2))), align);
  const vec low = v_and(v_align32(window, align), v_splat32(0xffff));
  return v_or(low, v_shl32_16(v_and(high, v_load_dup16(row->high_mask))));
#else
  const vec next = lookup(in, v_add8(bytes, v_splat8(4)));
  return v_and(v_funnel32(window, next, align), v_load_dup16(row->mask));
#endif
}

#if V_HAS_SHIFT64
/* The bytes of LANES64 values, the first of which begins in the byte at p: two to a row. */
PL_INLINE vec load_quads(const uint8_t *p, uint32_t w, int part) {
#if V_HAS_LOOKUP_FULL || V_BYTES == 16
  (void)w, (void)part;
  return v_load(p);
#elif V_BYTES == 32
  const uint32_t first = (uint32_t)(part * LANES64) * w >> 3;
  return v_load_spread(p, ((uint32_t)(part * LANES64 + 2) * w >> 3) - first);
#else
  (void)part;
  return v_load_rows(p, p + (2 * w >> 3), p + (4 * w >> 3), p + (6 * w >> 3));
#endif
}

/* LANES64 values from the group of 8 at `run`; w <= 64. part: which of the group's 8 / LANES64 registers. */
PL_INLINE vec unpack_quads(const uint8_t *run, uint32_t w, int part, width_class class) {
  const quad_row *row = &quad_rows[w];
  const vec bytes = v_load(row->bytes + part * V_BYTES);
  const vec shift = v_load(row->shift + part * LANES64), mask = v_load_dup16(row->mask);
  const uint8_t *first = run + ((uint32_t)(part * LANES64) * w >> 3);
  const vec window = lookup(load_quads(first, w, part), bytes);
  if (class == CLASS_ONE_WINDOW)
    return v_and(v_align64(window, shift), mask);
#if V_HAS_LOOKUP_FULL
  const vec next = lookup(load_quads(first, w, part), v_add8(bytes, v_splat8(8)));
#else
  const vec next = lookup(load_quads(first + 8, w, part), bytes);
#endif
  return v_and(v_funnel64(window, next, shift), mask);
}
#endif

/* n values, a multiple of UNPACK_STEP, of w bits (1 to 31). */
PL_INLINE void unpack_lanes_loop(const uint8_t *in, uint32_t w, uint32_t *out, size_t n, width_class class) {
  for (size_t i = 0; i < n; i += UNPACK_STEP, in += UNPACK_STEP / 8 * w, out += UNPACK_STEP) {
    PL_UNROLL for (int part = 0; part < UNPACK_STEP / LANES32; part++)
        v_store(out + part * LANES32, unpack_lanes(in, w, part, class));
  }
}

PL_NOINLINE void unpack_groups_32(const uint8_t *in, uint32_t w, uint32_t *out, size_t n) {
  switch (w) {
  case 8:
    for (size_t i = 0; i < n; i += LANES32)
      v_store(out + i, v_load_u8(in + i));
    break;
  case 16:
    for (size_t i = 0; i < n; i += LANES32)
      v_store(out + i, v_load_u16(in + 2 * i));
    break;
  default:
    if (w <= 25)
      unpack_lanes_loop(in, w, out, n, CLASS_ONE_WINDOW);
    else
      unpack_lanes_loop(in, w, out, n, CLASS_TWO_WINDOWS);
  }
}

PL_INLINE void widen_lanes_loop(const uint8_t *in, uint32_t w, uint64_t *out, size_t n, width_class class) {
  for (size_t i = 0; i < n; i += UNPACK_STEP, in += UNPACK_STEP / 8 * w, out += UNPACK_STEP) {
    PL_UNROLL for (int part = 0; part < UNPACK_STEP / LANES32; part++) {
      vec low, high;
      v_widen32(unpack_lanes(in, w, part, class), &low, &high);
      v_store(out + part * LANES32, low);
      v_store(out + part * LANES32 + LANES64, high);
    }
  }
}

#if V_HAS_SHIFT64
PL_INLINE void unpack_quads_loop(const uint8_t *in, uint32_t w, uint64_t *out, size_t n, width_class class) {
  for (size_t i = 0; i < n; i += 8, in += w, out += 8) {
    PL_UNROLL for (int part = 0; part < 8 / LANES64; part++)
        v_store(out + part * LANES64, unpack_quads(in, w, part, class));
  }
}
#endif

PL_NOINLINE void unpack_groups_64(const uint8_t *in, uint32_t w, uint64_t *out, size_t n) {
  if (w <= 25) {
    widen_lanes_loop(in, w, out, n, CLASS_ONE_WINDOW);
  } else if (w <= 32) {
    widen_lanes_loop(in, w, out, n, CLASS_TWO_WINDOWS);
  } else {
#if V_HAS_SHIFT64
    if (w <= 57)
      unpack_quads_loop(in, w, out, n, CLASS_ONE_WINDOW);
    else
      unpack_quads_loop(in, w, out, n, CLASS_TWO_WINDOWS);
#else
    for (size_t i = 0; i < n; i++)
      out[i] = unpack_one(in, i, w);
#endif
  }
}

#else

PL_NOINLINE void unpack_groups_32(const uint8_t *in, uint32_t w, uint32_t *out, size_t n) {
  for (size_t i = 0; i < n; i++)
    out[i] = (uint32_t)unpack_one(in, i, w);
}

PL_NOINLINE void unpack_groups_64(const uint8_t *in, uint32_t w, uint64_t *out, size_t n) {
  for (size_t i = 0; i < n; i++)
    out[i] = unpack_one(in, i, w);
}

#endif

PL_INLINE size_t whole_steps(size_t n) {
  return n / UNPACK_STEP * UNPACK_STEP;
}

/* How many of n values the loops may take from in_size bytes: whole steps, the over-read inside the input. */
PL_INLINE size_t unpack_safe_values(size_t in_size, uint32_t w, size_t n) {
  if (PL_LIKELY((uint64_t)(n / 8) * w + UNPACK_OVERREAD <= in_size))
    return whole_steps(n);
  return in_size < UNPACK_OVERREAD ? 0 : whole_steps((in_size - UNPACK_OVERREAD) / w * 8);
}

PL_INLINE void unpack_groups(const uint8_t *in, uint32_t w, void *out, size_t n, bool wide) {
  if (wide)
    unpack_groups_64(in, w, out, n);
  else
    unpack_groups_32(in, w, out, n);
}

/* One body for both widths: wide says whether out is of 8 bytes a value. */
PL_INLINE void bit_unpack(const uint8_t *in, size_t in_size, uint32_t w, void *out, size_t n, bool wide) {
  const size_t value_size = wide ? 8 : 4;
  uint8_t *to = out;
  if (n == 0)
    return;
  if (w == 0) {
    memset(to, 0, n * value_size);
    return;
  }
  if (w == 8 * value_size) {
    memcpy(to, in, n * value_size);
    return;
  }
  const size_t n_safe = unpack_safe_values(in_size, w, n);
  if (n_safe != 0)
    unpack_groups(in, w, to, n_safe, wide);
  if (n_safe == n)
    return;
  uint8_t block[UNPACK_BLOCK] = {0};
  in += n_safe / 8 * w, to += n_safe * value_size, n -= n_safe;
  memcpy(block, in, (size_t)(((uint64_t)n * w + 7) / 8));
  const size_t n_whole = whole_steps(n);
  if (n_whole != 0)
    unpack_groups(block, w, to, n_whole, wide);
  if (n_whole != n) {
    uint64_t last[UNPACK_STEP];
    unpack_groups(block + n_whole / 8 * w, w, last, UNPACK_STEP, wide);
    memcpy(to + n_whole * value_size, last, (n - n_whole) * value_size);
  }
}

static void bit_unpack_32(const uint8_t *in, size_t in_size, uint32_t w, uint32_t *out, size_t n) {
  bit_unpack(in, in_size, w, out, n, false);
}

static void bit_unpack_64(const uint8_t *in, size_t in_size, uint32_t w, uint64_t *out, size_t n) {
  bit_unpack(in, in_size, w, out, n, true);
}

#endif
