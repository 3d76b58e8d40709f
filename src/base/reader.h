/* The checked byte cursor: every header is read through it. A read moves the cursor only when it succeeds. */
#ifndef PAGELANE_BASE_READER_H
#define PAGELANE_BASE_READER_H

#include "base/load.h"
#include "pagelane/status.h"

typedef struct pl_reader {
  const uint8_t *next, *end;
} pl_reader;

static inline size_t pl_reader_left(const pl_reader *reader) {
  return (size_t)(reader->end - reader->next);
}

/* Unsigned LEB128 of at most `bits` (32 or 64) bits: at most 5 or 10 bytes, redundant zero groups within them
 * accepted. PL_TRUNCATED: cut. PL_CORRUPT: longer, or a value that does not fit. */
static inline pl_status pl_read_uleb(pl_reader *reader, unsigned bits, uint64_t *out) {
  const unsigned max_bytes = (bits + 6) / 7;
  const uint8_t *p = reader->next;
  uint64_t value = 0;
  for (unsigned n = 0; n < max_bytes; n++) {
    if (p == reader->end)
      return PL_TRUNCATED;
    const uint64_t byte = *p++;
    const unsigned room = bits - 7 * n;
    if (room < 7 && (byte & 127) >> room != 0)
      return PL_CORRUPT;
    value |= (byte & 127) << (7 * n);
    if (byte < 128) {
      *out = value;
      reader->next = p;
      return PL_OK;
    }
  }
  return PL_CORRUPT;
}

/* Zigzag LEB128 (ULEB128, then 0 -1 1 -2 2 ...), as the two's complement bits of a signed number. */
static inline pl_status pl_read_zigzag(pl_reader *reader, unsigned bits, uint64_t *out) {
  uint64_t z;
  const pl_status status = pl_read_uleb(reader, bits, &z);
  if (status == PL_OK)
    *out = (z >> 1) ^ (0 - (z & 1));
  return status;
}

/* Eight groups of 7 bits, one a byte, to 56 bits: neighbours are joined, then pairs, then fours. */
static inline uint64_t pl_join_groups(uint64_t x) {
  x &= 0x7f7f7f7f7f7f7f7fu;
  x = (x & 0x007f007f007f007fu) | (x & 0x7f007f007f007f00u) >> 1;
  x = (x & 0x00003fff00003fffu) | (x & 0x3fff00003fff0000u) >> 2;
  return (x & 0x0fffffffu) | (x & 0x0fffffff00000000u) >> 4;
}

/* pl_read_zigzag for headers between values: where 10 bytes are left it looks at all of them at once, because
 * the number of bytes is hard to predict. */
static inline pl_status pl_read_zigzag_quick(pl_reader *reader, unsigned bits, uint64_t *out) {
  if (pl_reader_left(reader) < 10)
    return pl_read_zigzag(reader, bits, out);
  const uint8_t *p = reader->next;
  const uint64_t bytes = pl_load_u64(p), stops = ~bytes & 0x8080808080808080u;
  uint64_t z;
  size_t size;
  if (stops != 0) {
    const uint64_t used = bytes & (stops ^ (stops - 1)); /* up to the first byte that ends a number */
    if (bits == 32 && used >> 36 != 0)                   /* a sixth byte, or a 33rd bit */
      return PL_CORRUPT;
    size = ((size_t)__builtin_ctzll(stops) >> 3) + 1;
    z = pl_join_groups(used);
  } else {
    if (bits == 32 || (p[8] >= 128 && p[9] > 1))
      return PL_CORRUPT;
    size = p[8] < 128 ? 9 : 10;
    z = pl_join_groups(bytes) | (uint64_t)(p[8] & 127) << 56 | (size == 10 ? (uint64_t)p[9] << 63 : 0);
  }
  *out = (z >> 1) ^ (0 - (z & 1));
  reader->next = p + size;
  return PL_OK;
}

#endif
