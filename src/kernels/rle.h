/* The RLE / bit-packed hybrid (Encodings.md, "RLE"): runs, and readers that pass over them.
 *
 *   run header, ULEB128     even: header >> 1 values, all equal, then the value in ceil(w / 8) bytes
 *                           odd:  (header >> 1) groups of 8 values, then w bytes a group
 *
 * A reader stands between two values: run_left values of the current run are still to come. Bit-packed runs go
 * through the unpacker in pieces as long as the caller's, RLE runs are fills. */
#ifndef PAGELANE_KERNELS_RLE_H
#define PAGELANE_KERNELS_RLE_H

#include "base/reader.h"
#include "kernels/bit_unpack.h"

enum {
  RLE_BLOCK = 256
}; /* values that are unpacked to the stack where they need work before they are output */

/* Opens the run at reader->next. A bit-packed run whose bytes are cut holds the values that are there: whoever
 * needs more meets the end of the section next, and PL_TRUNCATED. */
PL_NOINLINE pl_status rle_next_run(pl_rle_reader *reader) {
  pl_reader in = {reader->next, reader->end};
  uint64_t header;
  const pl_status status = pl_read_uleb(&in, 32, &header);
  if (status != PL_OK)
    return status;
  const uint64_t count = header >> 1;
  const uint32_t w = reader->bit_width;
  if (count == 0)
    return PL_CORRUPT;
  reader->packed = NULL;
  if (header & 1) {
    if (count * 8 > INT32_MAX)
      return PL_CORRUPT;
    const uint64_t size = count * w, left = pl_reader_left(&in);
    reader->run_left = count * 8;
    reader->value = 0;
    if (w != 0) {
      reader->packed = in.next;
      reader->packed_index = 0;
      if (size > left)
        reader->run_left = left * 8 / w;
    }
    reader->next = in.next + (size < left ? size : left);
    return PL_OK;
  }
  const size_t value_size = (w + 7) / 8;
  if (pl_reader_left(&in) < value_size)
    return PL_TRUNCATED;
  uint32_t value = 0;
  for (size_t i = 0; i < value_size; i++)
    value |= (uint32_t)in.next[i] << (8 * i);
  if (w < 32 && value >> w != 0)
    return PL_CORRUPT;
  reader->run_left = count;
  reader->value = value;
  reader->next = in.next + value_size;
  return PL_OK;
}

/* The next run with values in it, if the current one is over. Short RLE runs are what costs: a header of one
 * byte with its value is taken here, without a call. */
PL_INLINE pl_status rle_open_run(pl_rle_reader *reader) {
  if (PL_LIKELY(reader->run_left == 0 && reader->end - reader->next >= 5)) {
    const uint32_t header = reader->next[0], w = reader->bit_width;
    if (header < 128 && header % 2 == 0 && header != 0) {
      const uint32_t value_size = (w + 7) / 8;
      const uint64_t value = pl_load_u32(reader->next + 1) & ((1ull << (8 * value_size)) - 1);
      if (value >> w != 0)
        return PL_CORRUPT;
      reader->packed = NULL;
      reader->run_left = header / 2;
      reader->value = (uint32_t)value;
      reader->next += 1 + value_size;
      return PL_OK;
    }
  }
  while (reader->run_left == 0) {
    const pl_status status = rle_next_run(reader);
    if (status != PL_OK)
      return status;
  }
  return PL_OK;
}

/* n values of BIT_PACKED levels, bit by bit from the most significant: only old files have them. */
PL_NOINLINE void rle_take_msb_first(pl_rle_reader *reader, uint32_t *out, size_t n) {
  uint64_t bit = reader->packed_index * reader->bit_width;
  for (size_t i = 0; i < n; i++) {
    uint32_t value = 0;
    for (uint32_t k = 0; k < reader->bit_width; k++, bit++)
      value = value << 1 | (reader->packed[bit >> 3] >> (7 - (bit & 7)) & 1);
    out[i] = value;
  }
  reader->packed_index += n;
  reader->run_left -= n;
}

/* The next n values (n <= run_left) of a bit-packed run. It may begin inside a group of 8: those values go
 * through a local group, and the rest begins a byte. */
PL_NOINLINE void rle_take_packed(pl_rle_reader *reader, uint32_t *out, size_t n) {
  if (PL_UNLIKELY(reader->msb_first)) {
    rle_take_msb_first(reader, out, n);
    return;
  }
  const uint32_t w = reader->bit_width;
  const uint8_t *group = reader->packed + reader->packed_index / 8 * w;
  const size_t passed = reader->packed_index % 8;
  reader->packed_index += n;
  reader->run_left -= n;
  if (passed != 0) {
    uint32_t values[8];
    const size_t n_head = n < 8 - passed ? n : 8 - passed;
    bit_unpack_32(group, (size_t)(reader->end - group), w, values, passed + n_head);
    memcpy(out, values + passed, n_head * sizeof *out);
    group += w, out += n_head, n -= n_head;
  }
  if (n != 0)
    bit_unpack_32(group, (size_t)(reader->end - group), w, out, n);
}

/* out[0 ... n) = value. May write up to `room` >= n values: short runs are common, and whole registers without
 * a tail take no branch that depends on the length. */
PL_INLINE void fill_32(uint32_t *out, uint32_t value, size_t n, size_t room) {
  size_t i = 0;
#if V_BYTES
  enum { STEP = 128 / sizeof(uint32_t) };
  const vec x = v_splat32(value);
  const size_t n_steps = (n + STEP - 1) / STEP * STEP <= room ? n : n / STEP * STEP;
  for (; i < n_steps; i += STEP) {
    PL_UNROLL for (int k = 0; k < STEP; k += LANES32) v_store(out + i + k, x);
  }
#else
  (void)room;
#endif
  for (; i < n; i++)
    out[i] = value;
}

PL_INLINE void fill_64(uint64_t *out, uint64_t value, size_t n, size_t room) {
  size_t i = 0;
#if V_BYTES
  enum { STEP = 128 / sizeof(uint64_t) };
  const vec x = v_splat64(value);
  const size_t n_steps = (n + STEP - 1) / STEP * STEP <= room ? n : n / STEP * STEP;
  for (; i < n_steps; i += STEP) {
    PL_UNROLL for (int k = 0; k < STEP; k += LANES64) v_store(out + i + k, x);
  }
#else
  (void)room;
#endif
  for (; i < n; i++)
    out[i] = value;
}

PL_INLINE size_t rle_piece(const pl_rle_reader *reader, size_t n) {
  return reader->run_left < n ? (size_t)reader->run_left : n;
}

static pl_status rle_read_32(pl_rle_reader *reader, uint32_t *out, size_t n) {
  while (n != 0) {
    const pl_status status = rle_open_run(reader);
    if (status != PL_OK)
      return status;
    const size_t piece = rle_piece(reader, n);
    if (reader->packed != NULL) {
      rle_take_packed(reader, out, piece);
    } else {
      fill_32(out, reader->value, piece, n);
      reader->run_left -= piece;
    }
    out += piece, n -= piece;
  }
  return PL_OK;
}

PL_INLINE size_t count_equal_32(const uint32_t *values, uint32_t value, size_t n) {
  size_t n_equal = 0;
  for (size_t i = 0; i < n; i++)
    n_equal += values[i] == value;
  return n_equal;
}

static pl_status rle_skip(pl_rle_reader *reader, uint32_t value, uint64_t n, uint64_t *n_equal) {
  uint32_t block[RLE_BLOCK];
  uint64_t found = 0;
  while (n != 0) {
    const pl_status status = rle_open_run(reader);
    if (status != PL_OK)
      return status;
    uint64_t piece = reader->run_left < n ? reader->run_left : n;
    if (reader->packed != NULL) {
      if (piece > RLE_BLOCK)
        piece = RLE_BLOCK;
      rle_take_packed(reader, block, (size_t)piece);
      found += count_equal_32(block, value, (size_t)piece);
    } else {
      found += reader->value == value ? piece : 0;
      reader->run_left -= piece;
    }
    n -= piece;
  }
  *n_equal = found;
  return PL_OK;
}

#endif
