/* Snappy's raw format (format_description.txt of google/snappy; no frames):
 *
 *   stream  := uleb32(size of the output) element*
 *   element := literal: tag L L L L L L 0 0   L < 60: L + 1 bytes follow
 *                                             L = 60 .. 63: L - 59 bytes of little-endian (length - 1), then bytes
 *            | copy:    tag O O O L L L 0 1   length L + 4, offset O * 256 + the byte that follows
 *            | copy:    tag L L L L L L 1 0   length L + 1, offset in 2 bytes, little-endian
 *            | copy:    tag L L L L L L 1 1   length L + 1, offset in 4 bytes, little-endian
 *
 * A copy repeats what stands `offset` bytes before the output's end. */
#include "compression/compression.h"
#include "compression/lz_copy.h"

/* Little-endian number of n bytes, 1 to 4. */
static inline pl_status take_number(pl_reader *in, unsigned n, uint32_t *number) {
  if (pl_reader_left(in) >= 4) {
    *number = pl_load_u32(in->next) & (UINT32_MAX >> (32 - 8 * n));
  } else if (pl_reader_left(in) >= n) {
    *number = 0;
    for (unsigned i = 0; i < n; i++)
      *number |= (uint32_t)in->next[i] << (8 * i);
  } else {
    return PL_TRUNCATED;
  }
  in->next += n;
  return PL_OK;
}

static inline pl_status take_literal(pl_lz_output *out, pl_reader *in, uint32_t tag) {
  uint64_t size = (tag >> 2) + 1;
  if (size > 60) {
    uint32_t number;
    const pl_status status = take_number(in, (unsigned)size - 60, &number);
    if (status != PL_OK)
      return status;
    size = (uint64_t)number + 1;
  }
  if (size > pl_lz_room(out))
    return PL_CORRUPT;
  if (size > pl_reader_left(in))
    return PL_TRUNCATED;
  pl_lz_put_literal(out, in, (size_t)size);
  return PL_OK;
}

static inline pl_status take_copy(pl_lz_output *out, pl_reader *in, uint32_t tag) {
  const unsigned kind = tag & 3;
  uint32_t number;
  const pl_status status = take_number(in, kind == 3 ? 4 : kind, &number);
  if (status != PL_OK)
    return status;
  if (kind == 1)
    return pl_lz_put_copy(out, (tag >> 5) << 8 | number, (tag >> 2 & 7) + 4);
  return pl_lz_put_copy(out, number, (tag >> 2) + 1);
}

pl_status pl_snappy_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
                               pl_limits *limits) {
  (void)limits; /* needs no memory */
  if (in_size == 0)
    return PL_TRUNCATED;
  pl_reader reader = {in, in + in_size};
  uint64_t announced;
  pl_status status = pl_read_uleb(&reader, 32, &announced);
  if (status != PL_OK)
    return status;
  if (announced != out_size)
    return PL_CORRUPT;
  if (out_size == 0)
    return pl_reader_left(&reader) == 0 ? PL_OK : PL_CORRUPT;
  pl_lz_output output = {out, out, out + out_size};
  while (reader.next != reader.end) {
    const uint32_t tag = *reader.next++;
    status = (tag & 3) == 0 ? take_literal(&output, &reader, tag) : take_copy(&output, &reader, tag);
    if (status != PL_OK)
      return status;
  }
  return output.next == output.end ? PL_OK : PL_TRUNCATED;
}
