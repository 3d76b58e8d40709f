/* Levels to bit masks, one a threshold: what lists, structures and validity are made of. */
#ifndef PAGELANE_KERNELS_LEVEL_MASKS_H
#define PAGELANE_KERNELS_LEVEL_MASKS_H

#include "simd/simd.h"

PL_INLINE void masks_of_64(const uint16_t *levels, uint32_t max_level, uint64_t *masks) {
#if V_BYTES
  vec x[64 / V_BYTES];
  PL_UNROLL for (int k = 0; k < 64 / V_BYTES; k++) {
    const uint16_t *from = levels + k * V_BYTES;
    x[k] = v_narrow16(v_load(from), v_load(from + V_BYTES / 2));
  }
  for (uint32_t t = 0; t < max_level; t++) {
    const vec below = v_splat8((uint8_t)t);
    uint64_t mask = 0;
    PL_UNROLL for (int k = 0; k < 64 / V_BYTES; k++) {
      mask |= (uint64_t)v_mask_over8(x[k], below) << (k * V_BYTES);
    }
    masks[t] = mask;
  }
#else
  for (uint32_t t = 0; t < max_level; t++) {
    uint64_t mask = 0;
    for (int i = 0; i < 64; i++)
      mask |= (uint64_t)(levels[i] > t) << i;
    masks[t] = mask;
  }
#endif
}

static void level_masks(const uint16_t *levels, size_t n, uint32_t max_level, uint64_t *masks) {
  for (; n != 0; levels += 64, masks += max_level) {
    const size_t n_bits = n < 64 ? n : 64;
    masks_of_64(levels, max_level, masks);
    for (uint32_t t = 0; n_bits != 64 && t < max_level; t++)
      masks[t] &= (1ull << n_bits) - 1;
    n -= n_bits;
  }
}

#endif
