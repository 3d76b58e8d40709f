/* Bitmaps, least significant bit first, at any bit offset. */
#ifndef PAGELANE_BASE_BITS_H
#define PAGELANE_BASE_BITS_H

#include "base/load.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool pl_bit_get(const uint8_t *bitmap, uint64_t bit) {
  return (bitmap[bit >> 3] >> (bit & 7) & 1) != 0;
}

/* n (1 to 64) bits from bit `first` on; reads no byte that holds none of them. */
static inline uint64_t pl_bits_load(const uint8_t *bytes, uint64_t first, size_t n) {
  const uint8_t *p = bytes + first / 8;
  const unsigned shift = first % 8;
  const size_t size = (shift + n + 7) / 8;
  uint64_t x = 0, beyond = 0;
  if (size >= 8) {
    x = pl_load_u64(p);
    if (size == 9)
      beyond = p[8];
  } else {
    for (size_t i = 0; i < size; i++)
      x |= (uint64_t)p[i] << (8 * i);
  }
  x >>= shift;
  if (shift != 0)
    x |= beyond << (64 - shift);
  return n == 64 ? x : x & ((1ull << n) - 1);
}

/* Puts n (1 to 64) bits at bit `first`: bits before it stay, bits after them in their last byte become 0. */
static inline void pl_bits_store(uint8_t *bytes, uint64_t first, uint64_t bits, size_t n) {
  uint8_t *p = bytes + first / 8;
  const unsigned shift = first % 8;
  const size_t size = (shift + n + 7) / 8;
  const uint64_t low = (bits << shift) | (*p & ((1u << shift) - 1));
  if (size >= 8) {
    pl_store_u64(p, low);
    if (size == 9)
      p[8] = (uint8_t)(bits >> (64 - shift));
  } else {
    for (size_t i = 0; i < size; i++)
      p[i] = (uint8_t)(low >> (8 * i));
  }
}

/* Copies n bits. Bits of the destination before to_bit stay, bits after the last in its byte become 0. Reads
 * and writes only bytes that hold one of the bits. */
void pl_bits_copy(uint8_t *to, uint64_t to_bit, const uint8_t *from, uint64_t from_bit, uint64_t n);

/* Sets n bits to `value`; the bits around them as in pl_bits_copy. */
void pl_bits_fill(uint8_t *to, uint64_t to_bit, uint64_t n, bool value);

/* How many of n bits are set. */
uint64_t pl_bits_count(const uint8_t *bitmap, uint64_t first_bit, uint64_t n);

#endif
