/* DELTA_BINARY_PACKED streams (Encodings.md, "Delta Encoding") after their header.
 *
 *   block := min_delta (zigzag), a width byte for every miniblock, then the bodies of the miniblocks that are
 * needed
 *
 * Blocks are multiples of 128 differences and miniblocks multiples of 32, so any legal geometry is a sequence
 * of whole steps (kernels/delta_step.h). A block is checked once, at its header: widths of the miniblocks that
 * are needed, and that their bodies are there. Next to the end of the input a step runs on a zeroed local copy
 * of its bodies; a step that is not wanted whole, or that ends the stream, goes to the reader's pending values.
 */
#ifndef PAGELANE_KERNELS_DELTA_BINARY_PACKED_H
#define PAGELANE_KERNELS_DELTA_BINARY_PACKED_H

#include "base/reader.h"
#include "kernels/delta_step.h"

enum { DELTA_GROUP = 32 };

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

/* Reads a block header. In the stream's last block only the miniblocks that hold differences have bodies; the
 * widths of the others say nothing. */
PL_INLINE pl_status delta_open_block(delta_cursor *cursor, const pl_delta_reader *reader,
                                     uint64_t n_differences, unsigned bits) {
  pl_reader in = {cursor->next, reader->end};
  uint64_t width_sum;
  pl_status status = pl_read_zigzag(&in, bits, &cursor->min_delta);
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
  status = delta_sum_widths(cursor->width, n_needed, bits, &width_sum);
  if (status != PL_OK)
    return status;
  if (pl_reader_left(&in) < width_sum * miniblock_groups * (DELTA_GROUP / 8)) /* at most 2^31 * 64 / 8 */
    return PL_TRUNCATED;
  cursor->next = in.next;
  cursor->miniblock_left = reader->miniblock_groups;
  cursor->block_groups_left = (uint32_t)(n_needed * miniblock_groups);
  return PL_OK;
}

/* The widths of the next four groups, lowest byte first; 0 for groups past the last needed miniblock. */
PL_INLINE uint32_t delta_take_widths(delta_cursor *cursor, uint32_t miniblock_groups) {
  const uint8_t *width = cursor->width;
  if (PL_LIKELY(cursor->block_groups_left >= 4)) {
    if (miniblock_groups == 1) {
      cursor->width += 4;
      cursor->block_groups_left -= 4;
      return pl_load_u32(width);
    }
    if (miniblock_groups == 2) {
      cursor->width += 2;
      cursor->block_groups_left -= 4;
      return (width[0] | (uint32_t)width[1] << 16) * 0x0101u;
    }
  }
  uint32_t widths = 0;
  for (int g = 0; g < 4 && cursor->block_groups_left != 0; g++) {
    widths |= (uint32_t)*cursor->width << (8 * g);
    cursor->block_groups_left--;
    if (--cursor->miniblock_left == 0) {
      cursor->width++;
      cursor->miniblock_left = miniblock_groups;
    }
  }
  return widths;
}

PL_INLINE void delta_take_step(delta_cursor *cursor, uint32_t miniblock_groups, delta_step *step) {
  const uint8_t *next = cursor->next;
  step->widths = delta_take_widths(cursor, miniblock_groups);
  PL_UNROLL for (int g = 0; g < 4; g++) {
    step->width[g] = step->widths >> (8 * g) & 255;
    step->body[g] = next;
    next += DELTA_GROUP / 8 * step->width[g];
  }
  cursor->next = next;
}

/* After the last difference: groups of the last needed miniblock that hold padding alone still belong to the
 * stream. */
PL_INLINE void delta_pass_padding(delta_cursor *cursor) {
  if (cursor->block_groups_left != 0)
    cursor->next += (size_t)cursor->block_groups_left * (DELTA_GROUP / 8) * *cursor->width;
  cursor->block_groups_left = 0;
}

/* What a step next to the end of the input reads: its own bytes, and zeros where the over-read goes. */
typedef struct delta_block_copy {
  uint8_t bytes[4 * DELTA_GROUP * 8 + DELTA_OVERREAD];
} delta_block_copy;

/* Moves the bytes of a step, which end at `next`, to `copy`. */
PL_NOINLINE void delta_move_step(delta_step *step, const uint8_t *next, delta_block_copy *copy) {
  const uint8_t *first = step->body[0];
  const size_t size = (size_t)(next - first);
  memcpy(copy->bytes, first, size);
  memset(copy->bytes + size, 0, DELTA_OVERREAD);
  for (int g = 0; g < 4; g++)
    step->body[g] = copy->bytes + (step->body[g] - first);
}

/* Hands out pending values; returns how many. */
PL_INLINE size_t delta_take_pending(pl_delta_reader *reader, void *out, size_t n, size_t value_size) {
  const size_t n_pending = reader->pending_end - reader->pending_start;
  const size_t n_taken = n < n_pending ? n : n_pending;
  if (n_taken != 0)
    memcpy(out, (const uint8_t *)reader->pending + reader->pending_start * value_size, n_taken * value_size);
  reader->pending_start += (uint32_t)n_taken;
  reader->n_left -= n_taken;
  return n_taken;
}

PL_INLINE pl_status delta_read(pl_delta_reader *reader, void *out, size_t n, bool wide) {
  const size_t value_size = wide ? 8 : 4;
  const uint32_t miniblock_groups = reader->miniblock_groups;
  uint8_t *to = out;
  const size_t n_pending = delta_take_pending(reader, to, n, value_size);
  to += n_pending * value_size, n -= n_pending;
  if (n == 0)
    return PL_OK;

  /* nothing is pending from here on, at the head of the loop */
  delta_cursor cursor = {reader->next, reader->width, reader->min_delta, reader->miniblock_left,
                         reader->block_groups_left};
  const uint8_t *const end = reader->end;
  uint64_t n_left = reader->n_left;
  delta_carry carry = delta_carry_from(reader->last, wide);
  while (n != 0) {
    if (PL_UNLIKELY(n_left == 1)) { /* the last value: no difference follows it */
      const uint64_t last = delta_carry_value(carry);
      memcpy(to, &last, value_size);
      n_left = 0;
      break;
    }
    if (cursor.block_groups_left == 0) {
      const pl_status status = delta_open_block(&cursor, reader, n_left - 1, wide ? 64 : 32);
      if (status != PL_OK)
        return status;
    }
    delta_step step;
    delta_block_copy copy;
    delta_take_step(&cursor, miniblock_groups, &step);
    if (PL_UNLIKELY(end - cursor.next < DELTA_OVERREAD))
      delta_move_step(&step, cursor.next, &copy);
    const bool whole = n >= PL_DELTA_STEP;
    carry = delta_step_run(&step, cursor.min_delta, carry, whole ? to : (uint8_t *)reader->pending, wide);
    size_t n_taken = PL_DELTA_STEP;
    if (PL_UNLIKELY(!whole)) { /* not wanted in one piece, or the end of the stream */
      n_taken = n;
      memcpy(to, reader->pending, n * value_size);
      reader->pending_start = (uint32_t)n;
      reader->pending_end = n_left < PL_DELTA_STEP ? (uint32_t)n_left : PL_DELTA_STEP;
    }
    if (n_left <= PL_DELTA_STEP + 1) /* the step held the last differences */
      delta_pass_padding(&cursor);
    to += n_taken * value_size, n -= n_taken, n_left -= n_taken;
  }
  reader->next = cursor.next;
  reader->width = cursor.width;
  reader->min_delta = cursor.min_delta;
  reader->miniblock_left = cursor.miniblock_left;
  reader->block_groups_left = cursor.block_groups_left;
  reader->n_left = n_left;
  reader->last = delta_carry_value(carry);
  return PL_OK;
}

static pl_status delta_read_32(pl_delta_reader *reader, uint32_t *out, size_t n) {
  return delta_read(reader, out, n, false);
}

static pl_status delta_read_64(pl_delta_reader *reader, uint64_t *out, size_t n) {
  return delta_read(reader, out, n, true);
}

#endif
