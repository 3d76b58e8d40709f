/* Definition and repetition levels: the hybrid again, to 16 bits with a check against the maximum, or, where
 * the maximum is 1, straight to a bitmap. */
#ifndef PAGELANE_KERNELS_LEVELS_H
#define PAGELANE_KERNELS_LEVELS_H

#include "base/bits.h"
#include "kernels/rle.h"

PL_INLINE void fill_16(uint16_t *out, uint16_t value, size_t n, size_t room) {
  size_t i = 0;
#if V_BYTES
  enum { STEP = 128 / sizeof(uint16_t) };
  const vec x = v_splat32(value * 0x10001u);
  const size_t n_steps = (n + STEP - 1) / STEP * STEP <= room ? n : n / STEP * STEP;
  for (; i < n_steps; i += STEP) {
    PL_UNROLL for (int k = 0; k < STEP; k += V_BYTES / 2) v_store(out + i + k, x);
  }
#else
  (void)room;
#endif
  for (; i < n; i++)
    out[i] = value;
}

/* The largest of n values, and the values in 16 bits. Where one is 65,536 or more the output means nothing. */
PL_INLINE uint32_t narrow_levels(const uint32_t *values, uint16_t *out, size_t n) {
  uint32_t max = 0;
  size_t i = 0;
#if V_BYTES
  vec most = v_zero();
  for (; i + 2 * LANES32 <= n; i += 2 * LANES32) {
    const vec a = v_load(values + i), b = v_load(values + i + LANES32);
    most = v_max32(most, v_max32(a, b));
    v_store(out + i, v_narrow32(a, b));
  }
  uint32_t lanes[LANES32];
  v_store(lanes, most);
  for (int k = 0; k < LANES32; k++)
    max = lanes[k] > max ? lanes[k] : max;
#endif
  for (; i < n; i++) {
    max = values[i] > max ? values[i] : max;
    out[i] = (uint16_t)values[i];
  }
  return max;
}

static pl_status rle_read_levels(pl_rle_reader *reader, uint32_t max_level, uint16_t *out, size_t n) {
  uint32_t block[RLE_BLOCK];
  while (n != 0) {
    const pl_status status = rle_open_run(reader);
    if (status != PL_OK)
      return status;
    size_t piece = rle_piece(reader, n);
    if (reader->packed != NULL) {
      if (piece > RLE_BLOCK)
        piece = RLE_BLOCK;
      rle_take_packed(reader, block, piece);
      if (narrow_levels(block, out, piece) > max_level)
        return PL_CORRUPT;
    } else {
      if (reader->value > max_level)
        return PL_CORRUPT;
      fill_16(out, (uint16_t)reader->value, piece, n);
      reader->run_left -= piece;
    }
    out += piece, n -= piece;
  }
  return PL_OK;
}

/* Number of ones. Plain C: without a popcount instruction compilers call a library for the builtin. */
PL_INLINE uint32_t count_ones(uint64_t x) {
#if V_BYTES
  return (uint32_t)__builtin_popcountll(x);
#else
  x -= (x >> 1) & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (uint32_t)((x * 0x0101010101010101u) >> 56);
#endif
}

/* pl_bits_load where the first bit of a byte is its most significant: the bytes are turned round first. */
PL_NOINLINE uint64_t bits_load_msb_first(const uint8_t *bytes, uint64_t first, size_t n) {
  const uint8_t *p = bytes + first / 8;
  uint8_t turned[9];
  for (size_t i = 0; i < (first % 8 + n + 7) / 8; i++) {
    uint32_t x = p[i];
    x = (x & 0x55) << 1 | (x & 0xaa) >> 1;
    x = (x & 0x33) << 2 | (x & 0xcc) >> 2;
    turned[i] = (uint8_t)(x << 4 | x >> 4);
  }
  return pl_bits_load(turned, first % 8, n);
}

static pl_status rle_read_bitmap(pl_rle_reader *reader, uint8_t *bitmap, uint64_t first_bit, size_t n,
                                 size_t *n_set) {
  size_t found = 0;
  while (n != 0) {
    const pl_status status = rle_open_run(reader);
    if (status != PL_OK)
      return status;
    const size_t piece = rle_piece(reader, n);
    const uint64_t fill = reader->value != 0 ? ~0ull : 0;
    for (size_t done = 0; done < piece; done += 64) {
      const size_t n_bits = piece - done < 64 ? piece - done : 64;
      uint64_t bits = n_bits == 64 ? fill : fill & ((1ull << n_bits) - 1);
      if (reader->packed != NULL)
        bits = PL_LIKELY(!reader->msb_first)
                   ? pl_bits_load(reader->packed, reader->packed_index + done, n_bits)
                   : bits_load_msb_first(reader->packed, reader->packed_index + done, n_bits);
      found += count_ones(bits);
      pl_bits_store(bitmap, first_bit + done, bits, n_bits);
    }
    reader->packed_index += piece;
    reader->run_left -= piece;
    first_bit += piece, n -= piece;
  }
  *n_set = found;
  return PL_OK;
}

#endif
