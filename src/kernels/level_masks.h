/* Levels straight to bit masks, one a threshold: what lists, structures and validity are made of. A level of 1, 2 or
 * 4 bits is compared where it stands in its byte; others are unpacked first. */
#ifndef PAGELANE_KERNELS_LEVEL_MASKS_H
#define PAGELANE_KERNELS_LEVEL_MASKS_H

#include "kernels/rle.h"

/* Levels of one register: each byte holds its level `shift` bits up, behind the others of its byte. */
typedef struct level_lanes {
  uint32_t per_byte; /* 0: levels are to be unpacked */
#if V_BYTES
  vec byte, mask, unit; /* of a lane: the byte it is in, the bits of its level there, and their lowest */
#endif
} level_lanes;

PL_INLINE level_lanes level_lanes_of(const pl_rle_reader *reader) {
  const uint32_t w = reader->bit_width;
  level_lanes lanes = {0};
#if V_BYTES
  if ((w != 1 && w != 2 && w != 4) || reader->msb_first)
    return lanes;
  uint8_t byte[V_BYTES], mask[V_BYTES], unit[V_BYTES];
  lanes.per_byte = 8 / w;
  for (uint32_t i = 0; i < V_BYTES; i++) {
    byte[i] = (uint8_t)(i / lanes.per_byte);
    unit[i] = (uint8_t)(1u << i % lanes.per_byte * w);
    mask[i] = (uint8_t)(unit[i] * ((1u << w) - 1));
  }
  lanes.byte = v_load(byte);
  lanes.mask = v_load(mask);
  lanes.unit = v_load(unit);
#else
  (void)w;
#endif
  return lanes;
}

/* The masks of up to 64 levels that begin a byte at `in`; bits past n are anything. */
PL_INLINE void masks_in_place(const uint8_t *in, size_t n, const level_lanes *lanes, uint32_t max_level,
                              uint64_t *masks) {
#if V_BYTES
  uint8_t bytes[48] = {0};
  vec x[64 / V_BYTES];
  memcpy(bytes, in, n == 64 ? 64 / lanes->per_byte : (n + lanes->per_byte - 1) / lanes->per_byte);
  PL_UNROLL for (int k = 0; k < 64 / V_BYTES; k++) {
    const uint8_t *from = bytes + (size_t)(k * V_BYTES) / lanes->per_byte;
    x[k] = v_and(v_lookup(v_load_dup16(from), lanes->byte), lanes->mask);
  }
  vec least = lanes->unit;
  for (uint32_t t = 0; t < max_level; t++, least = v_add8(least, lanes->unit)) {
    uint64_t mask = 0;
    PL_UNROLL for (int k = 0; k < 64 / V_BYTES; k++) {
      mask |= (uint64_t)v_mask_least8(x[k], least) << (k * V_BYTES);
    }
    masks[t] = mask;
  }
#else
  (void)in, (void)n, (void)lanes, (void)max_level, (void)masks;
#endif
}

/* The same for 64 values; levels above 127 count as 127. */
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
      mask |= (uint64_t)v_mask_least8(x[k], least) << (k * V_BYTES);
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
  const uint64_t kept = n == 64 ? ~0ull : (1ull << n) - 1;
  for (uint32_t t = 0; t < max_level; t++) {
    word[t] |= (bits[t] & kept) << shift;
    if (shift + n > 64)
      word[max_level + t] |= (bits[t] & kept) >> (64 - shift);
  }
}

/* The next n (1 to 64) levels of a bit-packed run. PL_CORRUPT for one above max_level. */
PL_INLINE pl_status take_masks(pl_rle_reader *reader, const level_lanes *lanes, uint32_t max_level,
                               uint64_t *masks, size_t n) {
  const uint32_t w = reader->bit_width;
  const bool may_pass = max_level < (1u << w) - 1;
  const uint32_t n_masks = max_level + may_pass; /* levels above the maximum have a mask of their own */
  if (lanes->per_byte != 0 && reader->packed_index % 8 == 0) {
    masks_in_place(reader->packed + reader->packed_index / 8 * w, n, lanes, n_masks, masks);
    reader->packed_index += n;
    reader->run_left -= n;
  } else {
    uint32_t block[64] = {0};
    rle_take_packed(reader, block, n);
    masks_of_values(block, n_masks, masks);
  }
  return may_pass && (masks[max_level] & (n == 64 ? ~0ull : (1ull << n) - 1)) != 0 ? PL_CORRUPT : PL_OK;
}

static pl_status rle_read_masks(pl_rle_reader *reader, uint32_t max_level, uint64_t *masks, size_t n) {
  const level_lanes lanes = level_lanes_of(reader);
  uint64_t bits[PL_MAX_MASKS + 1];
  memset(masks, 0, (n + 63) / 64 * max_level * sizeof *masks);
  for (size_t at = 0; at < n;) {
    pl_status status = rle_open_run(reader);
    if (status != PL_OK)
      return status;
    size_t piece = rle_piece(reader, n - at);
    if (reader->packed != NULL) {
      piece = piece < 64 ? piece : 64;
      status = take_masks(reader, &lanes, max_level, bits, piece);
      if (status != PL_OK)
        return status;
      put_masks(masks, at, bits, piece, max_level);
      at += piece;
      continue;
    }
    if (reader->value > max_level)
      return PL_CORRUPT;
    reader->run_left -= piece;
    for (uint32_t t = 0; t < max_level; t++)
      bits[t] = t < reader->value ? ~0ull : 0;
    for (size_t step; piece != 0; at += step, piece -= step) {
      step = piece < 64 ? piece : 64;
      if (reader->value != 0)
        put_masks(masks, at, bits, step, max_level);
    }
  }
  return PL_OK;
}

#endif
