/* Levels straight to bit masks, one a threshold: what lists, structures and validity are made of. Levels of 1 or 2
 * bits never become numbers: their bits are told apart and combined. */
#ifndef PAGELANE_KERNELS_LEVEL_MASKS_H
#define PAGELANE_KERNELS_LEVEL_MASKS_H

#include "base/bits.h"
#include "kernels/rle.h"

/* Every second bit of x, moved together. */
PL_INLINE uint64_t even_bits(uint64_t x) {
  x &= 0x5555555555555555u;
  x = (x | x >> 1) & 0x3333333333333333u;
  x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0fu;
  x = (x | x >> 4) & 0x00ff00ff00ff00ffu;
  x = (x | x >> 8) & 0x0000ffff0000ffffu;
  return (x | x >> 16) & 0xffffffffu;
}

/* n (1 to 64) levels of 2 bits from level `first` on; masks of 1, 2 and 3. */
PL_INLINE void masks_of_2_bits(const uint8_t *packed, uint64_t first, size_t n, uint64_t masks[3]) {
  const uint64_t front = pl_bits_load(packed, 2 * first, n < 32 ? 2 * n : 64);
  uint64_t low = even_bits(front), high = even_bits(front >> 1);
  if (n > 32) {
    const uint64_t back = pl_bits_load(packed, 2 * (first + 32), 2 * (n - 32));
    low |= even_bits(back) << 32, high |= even_bits(back >> 1) << 32;
  }
  masks[0] = low | high;
  masks[1] = high;
  masks[2] = low & high;
}

/* 64 levels; those above 127 count as 127. */
PL_INLINE void masks_of_values(const uint32_t *values, uint32_t max_level, uint64_t *masks) {
#if V_BYTES
  vec x[64 / V_BYTES];
  const vec most = v_splat32(127);
  PL_UNROLL for (int k = 0; k < 64 / V_BYTES; k++) {
    const uint32_t *from = values + k * V_BYTES;
    vec part[4];
    PL_UNROLL for (int i = 0; i < 4; i++) {
      part[i] = v_min32(v_load(from + i * (V_BYTES / 4)), most);
    }
    x[k] = v_narrow16(v_narrow32(part[0], part[1]), v_narrow32(part[2], part[3]));
  }
  for (uint32_t t = 0; t < max_level; t++) {
    const vec least = v_splat8((uint8_t)(t + 1));
    uint64_t mask = 0;
    PL_UNROLL for (int k = 0; k < 64 / V_BYTES; k++) {
      mask |= v_mask_least8(x[k], least) << (k * V_BYTES);
    }
    masks[t] = mask;
  }
#else
  for (uint32_t t = 0; t < max_level; t++) {
    uint64_t mask = 0;
    for (int i = 0; i < 64; i++)
      mask |= (uint64_t)(values[i] > t) << i;
    masks[t] = mask;
  }
#endif
}

/* Adds n (1 to 64) bits of every mask at entry `at`; what is there from there on is zero. */
PL_INLINE void put_masks(uint64_t *masks, size_t at, const uint64_t *bits, size_t n, uint32_t max_level) {
  uint64_t *word = masks + at / 64 * max_level;
  const unsigned shift = at % 64;
  const uint64_t kept = ~0ull >> (64 - n);
  for (uint32_t t = 0; t < max_level; t++)
    word[t] |= (bits[t] & kept) << shift;
  if (shift + n > 64)
    for (uint32_t t = 0; t < max_level; t++)
      word[max_level + t] |= (bits[t] & kept) >> (64 - shift);
}

/* The next n (1 to 64) levels of a bit-packed run: all masks that the width allows, but no more than the maximum's and
 * one for what is above it. */
PL_INLINE void take_masks(pl_rle_reader *reader, uint32_t n_masks, uint64_t *masks, size_t n) {
  if (reader->bit_width > 2 || reader->msb_first) {
    uint32_t block[64] = {0};
    rle_take_packed(reader, block, n);
    masks_of_values(block, n_masks, masks);
    return;
  }
  if (reader->bit_width == 1)
    masks[0] = pl_bits_load(reader->packed, reader->packed_index, n);
  else
    masks_of_2_bits(reader->packed, reader->packed_index, n, masks);
  reader->packed_index += n;
  reader->run_left -= n;
}

static pl_status rle_read_masks(pl_rle_reader *reader, uint32_t max_level, uint64_t *masks, size_t n) {
  const bool may_pass = max_level < (1u << reader->bit_width) - 1;
  uint64_t bits[PL_MAX_MASKS + 1];
  memset(masks, 0, (n + 63) / 64 * max_level * sizeof *masks);
  for (size_t at = 0; at < n;) {
    const pl_status status = rle_open_run(reader);
    if (status != PL_OK)
      return status;
    size_t piece = rle_piece(reader, n - at);
    if (reader->packed != NULL) {
      piece = piece < 64 ? piece : 64;
      take_masks(reader, max_level + may_pass, bits, piece);
      if (may_pass && bits[max_level] << (64 - piece) != 0)
        return PL_CORRUPT;
      put_masks(masks, at, bits, piece, max_level);
      at += piece;
      continue;
    }
    if (reader->value > max_level)
      return PL_CORRUPT;
    reader->run_left -= piece;
    for (size_t end = at + piece; reader->value != 0 && at < end;) {
      /* up to the end of a word of the masks */
      const size_t left = 64 - at % 64, step = end - at < left ? end - at : left;
      const uint64_t ones = ~0ull >> (64 - step) << at % 64;
      uint64_t *word = masks + at / 64 * max_level;
      for (uint32_t t = 0; t < reader->value; t++)
        word[t] |= ones;
      at += step, piece -= step;
    }
    at += piece;
  }
  return PL_OK;
}

#endif
