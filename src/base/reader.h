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

#endif
