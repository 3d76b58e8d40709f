/* Copies the bytes of one string: by one 16-byte move where it is short and both sides have room, since calls
 * for a few bytes cost more than the bytes. */
#ifndef PAGELANE_ENCODINGS_BYTE_COPY_H
#define PAGELANE_ENCODINGS_BYTE_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PL_DATA_SLACK = 16 }; /* bytes that a data buffer has behind its last value */

/* `from_left`: readable bytes from `from` on, size or more. `to` has size + PL_DATA_SLACK bytes. */
static inline void pl_byte_copy(uint8_t *to, const uint8_t *from, size_t size, size_t from_left) {
  if (size <= 16 && from_left >= 16)
    memcpy(to, from, 16);
  else
    memcpy(to, from, size);
}

#endif
