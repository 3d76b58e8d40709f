/* What the two formats of literals and copies have in common: most of either are short, and where there is room for
 * it they move whole blocks of 16 bytes, whose rest the next ones overwrite. */
#ifndef PAGELANE_COMPRESSION_LZ_COPY_H
#define PAGELANE_COMPRESSION_LZ_COPY_H

#include "base/reader.h"

enum { PL_LZ_BLOCK = 16 };

/* Output: from `start` to `next` it is written. */
typedef struct pl_lz_output {
  uint8_t *start, *next, *end;
} pl_lz_output;

static inline size_t pl_lz_room(const pl_lz_output *out) {
  return (size_t)(out->end - out->next);
}

static inline void pl_lz_move_block(uint8_t *to, const uint8_t *from) {
  uint8_t block[PL_LZ_BLOCK];
  memcpy(block, from, PL_LZ_BLOCK);
  memcpy(to, block, PL_LZ_BLOCK);
}

/* `size` bytes, which the input has and the output has room for. */
static inline void pl_lz_put_literal(pl_lz_output *out, pl_reader *in, size_t size) {
  if (size <= PL_LZ_BLOCK && pl_lz_room(out) >= PL_LZ_BLOCK && pl_reader_left(in) >= PL_LZ_BLOCK)
    pl_lz_move_block(out->next, in->next);
  else if (size != 0)
    memcpy(out->next, in->next, size);
  out->next += size;
  in->next += size;
}

/* Needs room for a block after them. */
static inline void pl_lz_repeat_blocks(uint8_t *to, size_t offset, size_t size) {
  const uint8_t *from = to - offset;
  uint8_t *const end = to + size;
  /* Bytes that repeat every `offset` also repeat every 2 * offset: each move doubles the distance from source
   * to destination, until whole blocks may be moved. */
  while (to - from < PL_LZ_BLOCK) {
    if (to >= end)
      return;
    const ptrdiff_t distance = to - from;
    pl_lz_move_block(to, from); /* right up to `to` + distance; what comes after is overwritten */
    to += distance;
  }
  for (; to < end; to += PL_LZ_BLOCK, from += PL_LZ_BLOCK)
    pl_lz_move_block(to, from);
}

/* Repeats `size` of the bytes that stand `offset` before the output's end; with an offset below the size, bytes of its
 * own too. PL_CORRUPT: they are not all there, or there is no room. */
static inline pl_status pl_lz_put_copy(pl_lz_output *out, size_t offset, size_t size) {
  const size_t room = pl_lz_room(out);
  if (offset == 0 || offset > (size_t)(out->next - out->start) || size > room)
    return PL_CORRUPT;
  size_t in_blocks = room < PL_LZ_BLOCK ? 0 : room - PL_LZ_BLOCK; /* the last bytes go one by one */
  if (in_blocks > size)
    in_blocks = size;
  if (in_blocks != 0)
    pl_lz_repeat_blocks(out->next, offset, in_blocks);
  for (size_t i = in_blocks; i < size; i++)
    out->next[i] = out->next[(ptrdiff_t)i - (ptrdiff_t)offset];
  out->next += size;
  return PL_OK;
}

#endif
