/* DELTA_BINARY_PACKED streams (Encodings.md, "Delta Encoding") after their header.
 *
 *   block := min_delta (zigzag), a width byte for every miniblock, then the bodies of the miniblocks needed
 *
 * Blocks are multiples of 128 differences and miniblocks multiples of 32, so any legal geometry is a sequence
 * of whole steps (kernels/delta_step.h). A block is checked once, at its header: widths of the miniblocks that
 * are needed, and that their bodies are there. Next to the end of the input a step runs on a zeroed local copy
 * of its bodies; a step that is not wanted whole, or that ends the stream, goes to the reader's pending values.
 */
#ifndef PAGELANE_KERNELS_DELTA_BINARY_PACKED_H
#define PAGELANE_KERNELS_DELTA_BINARY_PACKED_H

#include "kernels/delta_block.h"
#include "kernels/delta_step.h"

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

/* Where a call stands in its output. */
typedef struct delta_output {
  uint8_t *to;
  size_t n;        /* values still asked for */
  uint64_t n_left; /* values of the stream not yet handed out */
} delta_output;

PL_INLINE void delta_output_advance(delta_output *output, size_t n, bool wide) {
  output->to += n * (wide ? 8 : 4);
  output->n -= n;
  output->n_left -= n;
}

#if V_BYTES && !V_COMPACT
/* The blocks that writers make: four miniblocks of `groups` groups. Whole ones, while they are asked for whole
 * and their over-read is inside the input: two bounds a block and no cursor within it, 5 to 10 % of the time,
 * and the step's code a second time. A block that does not fit is left to the loop for any geometry, from its
 * first byte. */
PL_INLINE pl_status delta_read_usual(delta_cursor *cursor, const uint8_t *end, delta_output *output,
                                     delta_carry *carry, uint32_t groups, bool wide) {
  const size_t block_size = 4 * groups * DELTA_GROUP;
  while (output->n >= block_size && output->n_left > block_size) {
    pl_reader in = {cursor->next, end};
    uint64_t min_delta;
    const pl_status status = pl_read_zigzag_quick(&in, wide ? 64 : 32, &min_delta);
    if (status != PL_OK)
      return status;
    if (pl_reader_left(&in) < 4)
      return PL_TRUNCATED;
    const uint32_t widths = pl_load_u32(in.next);
    in.next += 4;
    if (PL_UNLIKELY(widths == 0)) {
      *carry = delta_constant_run(min_delta, *carry, output->to, groups, wide);
    } else {
      if (PL_UNLIKELY(!widths_within(widths, 16)) && !widths_within(widths, wide ? 64 : 32))
        return PL_CORRUPT;
      const uint32_t width[4] = {widths & 255, widths >> 8 & 255, widths >> 16 & 255, widths >> 24};
      const size_t size = (size_t)(width[0] + width[1] + width[2] + width[3]) * groups * (DELTA_GROUP / 8);
      if (PL_UNLIKELY(pl_reader_left(&in) < size + DELTA_OVERREAD))
        return PL_OK;
      for (uint32_t s = 0; s < groups; s++) {
        delta_step step;
        PL_UNROLL for (uint32_t g = 0; g < 4; g++) {
          step.width[g] = width[(4 * s + g) / groups];
          step.body[g] = in.next;
          in.next += step.width[g] * (DELTA_GROUP / 8);
        }
        step.widths = groups == 1 ? widths : (step.width[0] | step.width[2] << 16) * 0x0101u;
        *carry =
            delta_step_run(&step, min_delta, *carry, output->to + s * PL_DELTA_STEP * (wide ? 8 : 4), wide);
      }
    }
    cursor->next = in.next;
    delta_output_advance(output, block_size, wide);
  }
  return PL_OK;
}
#endif

/* One step, in whatever geometry, next to whatever end. A block is open. */
PL_INLINE void delta_read_step(pl_delta_reader *reader, delta_cursor *cursor, delta_output *output,
                               delta_carry *carry, bool wide) {
  delta_step step;
  delta_block_copy copy;
  delta_take_step(cursor, reader->miniblock_groups, &step);
  if (PL_UNLIKELY(reader->end - cursor->next < DELTA_OVERREAD))
    delta_move_step(&step, cursor->next, &copy);
  if (output->n_left <= PL_DELTA_STEP + 1) /* the step holds the last differences */
    delta_pass_padding(cursor);
  const bool whole = output->n >= PL_DELTA_STEP;
  uint8_t *to = whole ? output->to : (uint8_t *)reader->pending;
  *carry = delta_step_run(&step, cursor->min_delta, *carry, to, wide);
  if (PL_LIKELY(whole)) {
    delta_output_advance(output, PL_DELTA_STEP, wide);
    return;
  }
  memcpy(output->to, reader->pending, output->n * (wide ? 8 : 4));
  reader->pending_start = (uint32_t)output->n;
  reader->pending_end = output->n_left < PL_DELTA_STEP ? (uint32_t)output->n_left : PL_DELTA_STEP;
  delta_output_advance(output, output->n, wide);
}

/* Opens the next block, and passes it where it is wanted whole and has no bodies. */
PL_INLINE pl_status delta_next_block(const pl_delta_reader *reader, delta_cursor *cursor, delta_output *output,
                                     delta_carry *carry, bool wide) {
  const uint64_t block_size = reader->block_size;
  uint64_t width_sum;
  const pl_status status = delta_open_block(cursor, reader, output->n_left - 1, wide ? 64 : 32, &width_sum);
  if (status == PL_OK && width_sum == 0 && output->n >= block_size && output->n_left > block_size) {
    *carry = delta_constant_run(cursor->min_delta, *carry, output->to, block_size / PL_DELTA_STEP, wide);
    cursor->block_groups_left = 0;
    delta_output_advance(output, (size_t)block_size, wide);
  }
  return status;
}

PL_INLINE pl_status delta_read(pl_delta_reader *reader, void *out, size_t n, bool wide) {
  const size_t n_pending = delta_take_pending(reader, out, n, wide ? 8 : 4);
  delta_output output = {out, n, reader->n_left + n_pending};
  delta_output_advance(&output, n_pending, wide);
  delta_cursor cursor = {reader->next, reader->width, reader->min_delta, reader->miniblock_left,
                         reader->block_groups_left};
  delta_carry carry = delta_carry_from(reader->last, wide);
  while (output.n != 0) {                  /* nothing is pending here */
    if (PL_UNLIKELY(output.n_left == 1)) { /* the last value: no difference follows it */
      const uint64_t last = delta_carry_value(carry);
      memcpy(output.to, &last, wide ? 8 : 4);
      output.n_left = 0;
      break;
    }
    if (cursor.block_groups_left != 0) {
      delta_read_step(reader, &cursor, &output, &carry, wide);
      continue;
    }
    pl_status status = PL_OK;
#if V_BYTES && !V_COMPACT
    const uint8_t *block = cursor.next;
    if (reader->n_miniblocks == 4 && reader->miniblock_groups == 1)
      status = delta_read_usual(&cursor, reader->end, &output, &carry, 1, wide);
    else if (reader->n_miniblocks == 4 && reader->miniblock_groups == 2)
      status = delta_read_usual(&cursor, reader->end, &output, &carry, 2, wide);
    if (status == PL_OK && cursor.next != block)
      continue;
#endif
    if (status == PL_OK)
      status = delta_next_block(reader, &cursor, &output, &carry, wide);
    if (status != PL_OK)
      return status;
  }
  reader->next = cursor.next;
  reader->width = cursor.width;
  reader->min_delta = cursor.min_delta;
  reader->miniblock_left = cursor.miniblock_left;
  reader->block_groups_left = cursor.block_groups_left;
  reader->n_left = output.n_left;
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
