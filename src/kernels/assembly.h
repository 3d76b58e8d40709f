/* Record assembly: masks of levels to the bitmaps and offsets of lists and optional groups, 64 entries at a time. How
 * the two hang together stands in page/nesting.h. */
#ifndef PAGELANE_KERNELS_ASSEMBLY_H
#define PAGELANE_KERNELS_ASSEMBLY_H

#include "kernels/levels.h"

PL_INLINE uint64_t lowest_ones(size_t n) {
  return n < 64 ? (1ull << n) - 1 : ~0ull;
}

/* The bits that `chosen` has ones for, moved together; the others are dropped. */
PL_INLINE uint64_t compress_bits(uint64_t bits, uint64_t chosen) {
#if defined(V_COMPRESS64)
  return V_COMPRESS64(bits, chosen);
#else
  const uint32_t n = count_ones(chosen);
  if ((bits & chosen) == chosen)
    return lowest_ones(n);
  if (n > 48) { /* fewer to drop than to keep; from the top, so that places below do not move */
    for (uint64_t dropped = ~chosen; dropped != 0;) {
      const int at = 63 - __builtin_clzll(dropped);
      dropped ^= 1ull << at;
      bits = (bits & lowest_ones((size_t)at)) | (bits >> 1 & ~lowest_ones((size_t)at));
    }
    return bits & lowest_ones(n);
  }
  uint64_t result = 0;
  for (uint32_t i = 0; chosen != 0; i++, chosen &= chosen - 1)
    result |= (bits >> __builtin_ctzll(chosen) & 1) << i;
  return result;
#endif
}

PL_INLINE void put_chosen(uint8_t *bitmap, uint64_t at, uint64_t bits, uint64_t chosen, size_t n) {
  if (n != 0)
    pl_bits_store(bitmap, at, chosen == ~0ull ? bits : compress_bits(bits, chosen), n);
}

/* An offset for each slot, and one for the end. PL_LIMIT past 2^31 - 1 elements. */
PL_INLINE pl_status put_offsets(int32_t *out, uint64_t slots, uint64_t elements) {
  const uint32_t base = (uint32_t)*out;
  if (base > INT32_MAX - 64)
    return PL_LIMIT;
  for (uint64_t left = slots; left != 0; left &= left - 1)
    *out++ = (int32_t)(base + count_ones(elements & ((left & -left) - 1)));
  *out = (int32_t)(base + count_ones(elements));
  return PL_OK;
}

/* Does every entry that goes on with a list follow one of its elements, and is an element itself? */
PL_INLINE bool may_follow(uint64_t goes_on, uint64_t is_element, uint8_t *can_continue, size_t n) {
  const bool is_legal = (goes_on & ~(is_element & (is_element << 1 | *can_continue))) == 0;
  *can_continue = (uint8_t)(is_element >> (n - 1) & 1);
  return is_legal;
}

static pl_status assemble(pl_assembly *a, const uint64_t *repetition, const uint64_t *definition, size_t n) {
  const uint32_t max_repetition = a->max_repetition_level, max_definition = a->max_definition_level;
  for (; n != 0; repetition += max_repetition, definition += max_definition) {
    const size_t n_here = n < 64 ? n : 64;
    const uint64_t all = lowest_ones(n_here);
    uint64_t slots = max_repetition == 0 ? all : ~repetition[0] & all;
    for (pl_ancestor_slots *level = a->ancestors; level != a->ancestors + a->n_ancestors; level++) {
      const uint64_t is_there = definition[level->definition_level - 1];
      const uint32_t n_slots = count_ones(slots), depth = level->depth;
      if (level->is_list) {
        const uint64_t is_in = depth + 1 < max_repetition ? ~repetition[depth + 1] & all : all;
        if (!may_follow(repetition[depth] & all, is_there, &a->can_continue[depth], n_here))
          return PL_CORRUPT;
        const pl_status status = put_offsets(level->offsets + level->end, slots, is_in & is_there);
        if (status != PL_OK)
          return status;
        slots = is_in & is_there;
      } else {
        put_chosen(level->bits, level->end, is_there, slots, n_slots);
      }
      level->end += n_slots;
    }
    const uint64_t is_value = definition[max_definition - 1];
    const uint32_t n_slots = count_ones(slots);
    if (a->validity != NULL)
      put_chosen(a->validity, a->first_bit + a->n_slots, is_value, slots, n_slots);
    a->n_slots += n_slots;
    a->n_values += count_ones(is_value & slots);
    n -= n_here;
  }
  return PL_OK;
}

#endif
