#include "base/bits.h"

#include "base/load.h"

/* The lowest k bits, k 0 to 8. */
static inline uint8_t low_bits(unsigned k) {
  return (uint8_t)((1u << k) - 1);
}

/* k (1 to 8) bits from any bit of a bitmap, in the low bits of a byte. */
static inline uint8_t bits_at(const uint8_t *bitmap, uint64_t bit, unsigned k) {
  const uint8_t *p = bitmap + (bit >> 3);
  const unsigned shift = bit & 7;
  unsigned bits = p[0] >> shift;
  if (shift + k > 8)
    bits |= (unsigned)p[1] << (8 - shift);
  return (uint8_t)(bits & low_bits(k));
}

/* Puts the low k bits at a bit that does not cross a byte; what follows them in the byte becomes 0. */
static inline void put_bits(uint8_t *to, uint64_t to_bit, uint8_t bits) {
  uint8_t *p = to + (to_bit >> 3);
  const unsigned shift = to_bit & 7;
  *p = (uint8_t)((*p & low_bits(shift)) | bits << shift);
}

void pl_bits_copy(uint8_t *to, uint64_t to_bit, const uint8_t *from, uint64_t from_bit, uint64_t n) {
  if (n == 0)
    return;
  if ((to_bit & 7) != 0) { /* fill up the destination's byte */
    const unsigned room = 8 - (unsigned)(to_bit & 7);
    const unsigned k = n < room ? (unsigned)n : room;
    put_bits(to, to_bit, bits_at(from, from_bit, k));
    to_bit += k;
    from_bit += k;
    n -= k;
  }
  uint8_t *out = to + (to_bit >> 3);
  const unsigned shift = from_bit & 7;
  const uint8_t *in = from + (from_bit >> 3);
  if (shift == 0) {
    memmove(out, in, (size_t)(n >> 3));
  } else {
    size_t i = 0;
    for (; i + 9 <= (size_t)((n + shift) >> 3); i += 8) /* nine whole source bytes make eight */
      pl_store_u64(out + i, pl_load_u64(in + i) >> shift | (uint64_t)in[i + 8] << (64 - shift));
    for (; i < (size_t)(n >> 3); i++)
      out[i] = bits_at(from, from_bit + 8 * i, 8);
  }
  if ((n & 7) != 0)
    out[n >> 3] = bits_at(from, from_bit + (n & ~(uint64_t)7), (unsigned)(n & 7));
}

void pl_bits_fill(uint8_t *to, uint64_t to_bit, uint64_t n, bool value) {
  const uint8_t byte = value ? 0xff : 0;
  if (n == 0)
    return;
  if ((to_bit & 7) != 0) {
    const unsigned room = 8 - (unsigned)(to_bit & 7);
    const unsigned k = n < room ? (unsigned)n : room;
    put_bits(to, to_bit, byte & low_bits(k));
    to_bit += k;
    n -= k;
  }
  uint8_t *out = to + (to_bit >> 3);
  memset(out, byte, (size_t)(n >> 3));
  if ((n & 7) != 0)
    out[n >> 3] = byte & low_bits((unsigned)(n & 7));
}

uint64_t pl_bits_count(const uint8_t *bitmap, uint64_t first_bit, uint64_t n) {
  uint64_t count = 0;
  while (n != 0 && (first_bit & 7) != 0) {
    count += pl_bit_get(bitmap, first_bit++);
    n--;
  }
  const uint8_t *p = bitmap + (first_bit >> 3);
  for (; n >= 64; n -= 64, p += 8)
    count += (unsigned)__builtin_popcountll(pl_load_u64(p));
  for (; n >= 8; n -= 8)
    count += (unsigned)__builtin_popcount(*p++);
  if (n != 0)
    count += (unsigned)__builtin_popcount(*p & low_bits((unsigned)n));
  return count;
}
