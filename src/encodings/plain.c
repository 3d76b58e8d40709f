/* PLAIN (Encodings.md, "Plain"): values as they are. BOOLEAN: bits, least significant first. BYTE_ARRAY: a
 * 4-byte little-endian length before each value. */
#include "base/bits.h"
#include "base/load.h"
#include "encodings/byte_copy.h"
#include "encodings/encodings.h"

static pl_status plain_open(pl_value_decoder *decoder) {
  decoder->state.plain.next = decoder->section.bytes;
  decoder->state.plain.end = decoder->section.bytes + decoder->section.size;
  decoder->state.plain.step = decoder->section.bytes;
  decoder->state.plain.bit = 0;
  return PL_OK;
}

static size_t bytes_left(const pl_value_decoder *decoder) {
  return (size_t)(decoder->state.plain.end - decoder->state.plain.next);
}

static pl_status plain_read(pl_value_decoder *decoder, uint8_t *out, size_t n) {
  const uint32_t width = decoder->section.value_width;
  if (bytes_left(decoder) / width < n)
    return PL_TRUNCATED;
  memcpy(out, decoder->state.plain.next, n * width);
  decoder->state.plain.next += n * width;
  return PL_OK;
}

static pl_status plain_read_bits(pl_value_decoder *decoder, uint8_t *bitmap, uint64_t first_bit, size_t n) {
  const uint64_t n_bits = 8 * (uint64_t)decoder->section.size;
  if (n_bits - decoder->state.plain.bit < n)
    return PL_TRUNCATED;
  pl_bits_copy(bitmap, first_bit, decoder->section.bytes, decoder->state.plain.bit, n);
  decoder->state.plain.bit += n;
  return PL_OK;
}

static pl_status plain_read_offsets(pl_value_decoder *decoder, int32_t *offsets, size_t n) {
  const uint8_t *next = decoder->state.plain.next, *end = decoder->state.plain.end;
  uint64_t offset = (uint32_t)offsets[0];
  decoder->state.plain.step = next;
  for (size_t i = 0; i < n; i++) {
    if (end - next < 4)
      return PL_TRUNCATED;
    const uint32_t size = pl_load_u32(next);
    next += 4;
    if (size > (size_t)(end - next))
      return PL_TRUNCATED;
    next += size;
    offset += size;
    offsets[i + 1] = (int32_t)offset;
  }
  /* the offsets only rise: it is enough to look at the last */
  if (offset > INT32_MAX)
    return PL_LIMIT;
  decoder->state.plain.next = next;
  return PL_OK;
}

static pl_status plain_read_data(pl_value_decoder *decoder, const int32_t *offsets, uint8_t *data, size_t n) {
  const uint8_t *from = decoder->state.plain.step, *end = decoder->state.plain.end;
  for (size_t i = 0; i < n; i++) {
    const size_t size = (size_t)(offsets[i + 1] - offsets[i]);
    from += 4;
    pl_byte_copy(data + (offsets[i] - offsets[0]), from, size, (size_t)(end - from));
    from += size;
  }
  return PL_OK;
}

static pl_status plain_skip(pl_value_decoder *decoder, uint64_t n) {
  if (decoder->section.type == PL_TYPE_BOOLEAN) {
    if (8 * (uint64_t)decoder->section.size - decoder->state.plain.bit < n)
      return PL_TRUNCATED;
    decoder->state.plain.bit += n;
    return PL_OK;
  }
  if (decoder->section.type != PL_TYPE_BYTE_ARRAY) {
    const uint32_t width = decoder->section.value_width;
    if (bytes_left(decoder) / width < n)
      return PL_TRUNCATED;
    decoder->state.plain.next += (size_t)n * width;
    return PL_OK;
  }
  for (; n != 0; n--) {
    if (bytes_left(decoder) < 4)
      return PL_TRUNCATED;
    const uint32_t size = pl_load_u32(decoder->state.plain.next);
    if (bytes_left(decoder) - 4 < size)
      return PL_TRUNCATED;
    decoder->state.plain.next += 4 + (size_t)size;
  }
  return PL_OK;
}

const pl_encoding_entry pl_encoding_plain = {
    .id = PL_ENCODING_PLAIN,
    .types = 0xff,
    .open = plain_open,
    .read = plain_read,
    .read_bits = plain_read_bits,
    .read_offsets = plain_read_offsets,
    .read_data = plain_read_data,
    .skip = plain_skip,
};
