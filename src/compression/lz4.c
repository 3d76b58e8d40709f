/* LZ4's block format (lz4_Block_format.md of lz4/lz4):
 *
 *   block    := sequence* last
 *   sequence := token: L L L L M M M M   more of L?   literals   offset in 2 bytes, little-endian   more of M?
 *   last     := the same, and the block ends after its literals
 *
 * L bytes of literals; then M + 4 of the bytes that stand `offset` before the output's end. A length of 15 goes on in
 * bytes that are added to it, up to and with the first that is not 255.
 *
 * LZ4_RAW is one block. LZ4 (deprecated) is what Hadoop's stream makes of it: frames, or, by other writers, a block
 * without any:
 *
 *   frame := size of the output in 4 bytes, big-endian   chunk*, until there is so much
 *   chunk := size in 4 bytes, big-endian   block
 */
#include "compression/compression.h"
#include "compression/lz_copy.h"

enum { LONG_LENGTH = 15, MIN_COPY = 4, OFFSET_SIZE = 2 };

/* Adds to a length of 15 what follows of it. */
static inline pl_status take_length(pl_reader *in, uint64_t *length) {
  if (*length != LONG_LENGTH)
    return PL_OK;
  uint8_t byte;
  do {
    if (in->next == in->end)
      return PL_TRUNCATED;
    byte = *in->next++;
    *length += byte;
  } while (byte == 255);
  return PL_OK;
}

/* The whole of `in`, to at most all of `out`. A block does not say how much it holds. */
static pl_status decompress_block(pl_reader *in, pl_lz_output *out) {
  for (;;) {
    if (in->next == in->end)
      return PL_TRUNCATED;
    const uint32_t token = *in->next++;
    uint64_t size = token >> 4;
    pl_status status = take_length(in, &size);
    if (status != PL_OK)
      return status;
    if (size > pl_lz_room(out))
      return PL_CORRUPT;
    if (size > pl_reader_left(in))
      return PL_TRUNCATED;
    pl_lz_put_literal(out, in, (size_t)size);
    if (in->next == in->end)
      return PL_OK;

    if (pl_reader_left(in) < OFFSET_SIZE)
      return PL_TRUNCATED;
    const size_t offset = (size_t)in->next[0] | (size_t)in->next[1] << 8;
    in->next += OFFSET_SIZE;
    size = token & 15;
    status = take_length(in, &size);
    if (status != PL_OK)
      return status;
    size += MIN_COPY;
    if (size > pl_lz_room(out))
      return PL_CORRUPT;
    status = pl_lz_put_copy(out, offset, (size_t)size);
    if (status != PL_OK)
      return status;
  }
}

pl_status pl_lz4_raw_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
                                pl_limits *limits) {
  (void)limits; /* needs no memory */
  if (in_size == 0)
    return PL_TRUNCATED;
  pl_reader reader = {in, in + in_size};
  pl_lz_output output = {out, out, out + out_size};
  const pl_status status = decompress_block(&reader, &output);
  if (status != PL_OK)
    return status;
  return output.next == output.end ? PL_OK : PL_TRUNCATED;
}

/* ---- frames ---- */

static bool take_size(pl_reader *in, uint32_t *size) {
  if (pl_reader_left(in) < 4)
    return false;
  *size = (uint32_t)in->next[0] << 24 | (uint32_t)in->next[1] << 16 | (uint32_t)in->next[2] << 8 | in->next[3];
  in->next += 4;
  return true;
}

/* Copies of a block reach back to its own beginning and no further: `out` is what it may fill. */
static pl_status decompress_chunk(pl_reader *in, pl_lz_output *out) {
  uint32_t size;
  if (!take_size(in, &size) || size > pl_reader_left(in))
    return PL_TRUNCATED;
  pl_reader block = {in->next, in->next + size};
  in->next += size;
  return decompress_block(&block, out);
}

/* *looks_right is false when what stands there is no frame header that the output has room for. */
static pl_status decompress_frame(pl_reader *in, pl_lz_output *out, bool *looks_right) {
  uint32_t frame_size;
  *looks_right = true;
  if (!take_size(in, &frame_size))
    return PL_TRUNCATED;
  *looks_right = frame_size != 0 && frame_size <= pl_lz_room(out);
  if (!*looks_right)
    return PL_CORRUPT;
  uint8_t *const end = out->next + frame_size;
  while (out->next != end) {
    pl_lz_output chunk = {out->next, out->next, end};
    const pl_status status = decompress_chunk(in, &chunk);
    if (status != PL_OK)
      return status;
    out->next = chunk.next;
  }
  return PL_OK;
}

static pl_status decompress_frames(pl_reader *in, pl_lz_output *out, bool *looks_right) {
  pl_status status = decompress_frame(in, out, looks_right);
  while (status == PL_OK && out->next != out->end) {
    bool next_looks_right;
    status = decompress_frame(in, out, &next_looks_right);
  }
  return status == PL_OK && pl_reader_left(in) != 0 ? PL_CORRUPT : status;
}

pl_status pl_lz4_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
                            pl_limits *limits) {
  if (in_size == 0)
    return PL_TRUNCATED;
  pl_reader reader = {in, in + in_size};
  pl_lz_output output = {out, out, out + out_size};
  bool looks_framed;
  const pl_status framed = decompress_frames(&reader, &output, &looks_framed);
  if (framed == PL_OK)
    return PL_OK;
  /* A block begins with a literal: the 256 MiB or more that it announces as a frame are rarely there. */
  const pl_status raw = pl_lz4_raw_decompress(in, in_size, out, out_size, limits);
  return raw == PL_OK || !looks_framed ? raw : framed;
}
