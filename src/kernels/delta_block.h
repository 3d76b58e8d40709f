/* Block headers of DELTA_BINARY_PACKED: what is checked once a block, and where its bodies end. */
#ifndef PAGELANE_KERNELS_DELTA_BLOCK_H
#define PAGELANE_KERNELS_DELTA_BLOCK_H

#include "base/reader.h"
#include "kernels/kernels.h"
#include "simd/simd.h"

enum { DELTA_GROUP = 32 };

/* All four bytes of x are at most `most` (below 128). */
PL_INLINE bool widths_within(uint32_t x, uint32_t most) {
  return (((x + 0x01010101u * (127 - most)) | x) & 0x80808080u) == 0;
}

/* Sum of n widths; PL_CORRUPT for one above `most`. */
PL_INLINE pl_status delta_sum_widths(const uint8_t *widths, uint64_t n, uint32_t most, uint64_t *sum) {
  if (PL_LIKELY(n == 4)) {
    const uint32_t w = pl_load_u32(widths);
    *sum = (w & 255) + (w >> 8 & 255) + (w >> 16 & 255) + (w >> 24);
    return widths_within(w, most) ? PL_OK : PL_CORRUPT;
  }
  uint64_t total = 0;
  for (uint64_t i = 0; i < n; i++) {
    if (widths[i] > most)
      return PL_CORRUPT;
    total += widths[i];
  }
  *sum = total;
  return PL_OK;
}

/* The moving part of a reader, in locals while a call runs: values are stored through pointers that could be
 * its own. */
typedef struct delta_cursor {
  const uint8_t *next, *width;
  uint64_t min_delta;
  uint32_t miniblock_left, block_groups_left;
} delta_cursor;

/* Reads a block header. *width_sum: of the widths of the miniblocks with bodies. In the stream's last block
 * only the miniblocks that hold differences have bodies; the widths of the others say nothing. */
PL_INLINE pl_status delta_open_block(delta_cursor *cursor, const pl_delta_reader *reader,
                                     uint64_t n_differences, unsigned bits, uint64_t *width_sum) {
  pl_reader in = {cursor->next, reader->end};
  pl_status status = pl_read_zigzag_quick(&in, bits, &cursor->min_delta);
  if (status != PL_OK)
    return status;
  if (pl_reader_left(&in) < reader->n_miniblocks)
    return PL_TRUNCATED;
  cursor->width = in.next;
  in.next += reader->n_miniblocks;
  const uint64_t miniblock_groups = reader->miniblock_groups;
  uint64_t n_needed = reader->n_miniblocks;
  if (PL_UNLIKELY(n_differences < reader->block_size)) {
    const uint64_t miniblock_size = miniblock_groups * DELTA_GROUP;
    n_needed = (n_differences + miniblock_size - 1) / miniblock_size;
  }
  status = delta_sum_widths(cursor->width, n_needed, bits, width_sum);
  if (status != PL_OK)
    return status;
  if (pl_reader_left(&in) < *width_sum * miniblock_groups * (DELTA_GROUP / 8)) /* at most 2^31 * 64 / 8 */
    return PL_TRUNCATED;
  cursor->next = in.next;
  cursor->miniblock_left = reader->miniblock_groups;
  cursor->block_groups_left = (uint32_t)(n_needed * miniblock_groups);
  return PL_OK;
}

#endif
