/* Bitmaps, least significant bit first, at any bit offset. */
#ifndef PAGELANE_BASE_BITS_H
#define PAGELANE_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool pl_bit_get(const uint8_t *bitmap, uint64_t bit) {
  return (bitmap[bit >> 3] >> (bit & 7) & 1) != 0;
}

/* Copies n bits. Bits of the destination before to_bit stay, bits after the last in its byte become 0. Reads
 * and writes only bytes that hold one of the bits. */
void pl_bits_copy(uint8_t *to, uint64_t to_bit, const uint8_t *from, uint64_t from_bit, uint64_t n);

/* Sets n bits to `value`; the bits around them as in pl_bits_copy. */
void pl_bits_fill(uint8_t *to, uint64_t to_bit, uint64_t n, bool value);

/* How many of n bits are set. */
uint64_t pl_bits_count(const uint8_t *bitmap, uint64_t first_bit, uint64_t n);

#endif
