/* DELTA_BINARY_PACKED (Encodings.md, "Delta Encoding"): the value section is one stream.
 *
 * Differences of INT32 need 32 bits, since they wrap, but DuckDB writes those of values far apart with 33. A stream
 * that turns out to have such a block is read again as one of 64 bits, of which the lower half counts. */
#include "encodings/encodings.h"
#include "pagelane/encoding.h"

static unsigned type_bits(pl_type type) {
  return type == PL_TYPE_INT64 ? 64 : 32;
}

static pl_status delta_open(pl_value_decoder *decoder) {
  pl_delta_reader *reader = &decoder->state.delta.reader;
  const pl_value_section *section = &decoder->section;
  decoder->state.delta.is_wide = false;
  if (section->size == 0) { /* no values: some writers leave the header out then */
    reader->n_left = 0;
    reader->next = reader->end = section->bytes;
    return PL_OK;
  }
  const pl_status status =
      pl_delta_reader_open(reader, section->bytes, section->size, type_bits(section->type));
  if (status != PL_OK)
    return status;
  return reader->n_left > section->n_entries ? PL_CORRUPT : PL_OK;
}

/* The header's count against what the levels ask for: fewer is an error, whatever else stands there. */
static pl_status check_count(const pl_value_decoder *decoder, uint64_t n) {
  if (n <= decoder->state.delta.reader.n_left)
    return PL_OK;
  return decoder->section.size == 0 ? PL_TRUNCATED : PL_CORRUPT;
}

/* The lower halves of n values of a stream of 64 bits. */
static pl_status read_lower(pl_delta_reader *reader, uint32_t *out, size_t n) {
  uint64_t values[PL_DELTA_STEP];
  for (size_t step; n != 0; n -= step) {
    step = n < PL_DELTA_STEP ? n : PL_DELTA_STEP;
    const pl_status status = pl_kernels_get()->delta_read_64(reader, values, step);
    if (status != PL_OK)
      return status;
    for (size_t i = 0; i < step; i++)
      *out++ = (uint32_t)values[i];
  }
  return PL_OK;
}

/* Goes to where n_left values are left of the stream, read as one of 64 bits. */
static pl_status widen(pl_delta_reader *reader, const uint8_t *in, size_t in_size, uint64_t n_left) {
  uint32_t passed[PL_DELTA_STEP];
  pl_status status = pl_delta_reader_open(reader, in, in_size, 64);
  while (status == PL_OK && reader->n_left > n_left) {
    const uint64_t left = reader->n_left - n_left;
    status = read_lower(reader, passed, left < PL_DELTA_STEP ? (size_t)left : PL_DELTA_STEP);
  }
  return status;
}

/* *is_wide becomes true when the stream has to be read as one of 64 bits. */
static pl_status read_int32(pl_delta_reader *reader, bool *is_wide, const uint8_t *in, size_t in_size,
                            uint32_t *out, size_t n) {
  const uint64_t n_left = reader->n_left;
  if (!*is_wide) {
    pl_status status = pl_kernels_get()->delta_read_32(reader, out, n);
    if (status != PL_CORRUPT)
      return status;
    status = widen(reader, in, in_size, n_left);
    if (status != PL_OK)
      return status;
    *is_wide = true;
  }
  return read_lower(reader, out, n);
}

static pl_status delta_read(pl_value_decoder *decoder, uint8_t *out, size_t n) {
  const pl_status status = check_count(decoder, n);
  const pl_value_section *section = &decoder->section;
  pl_delta_reader *reader = &decoder->state.delta.reader;
  if (status != PL_OK || n == 0)
    return status;
  if (section->type == PL_TYPE_INT64)
    return decoder->kernels->delta_read_64(reader, (uint64_t *)(void *)out, n);
  return read_int32(reader, &decoder->state.delta.is_wide, section->bytes, section->size,
                    (uint32_t *)(void *)out, n);
}

static pl_status delta_skip(pl_value_decoder *decoder, uint64_t n) {
  uint64_t values[PL_DELTA_STEP];
  pl_status status = check_count(decoder, n);
  for (; n != 0 && status == PL_OK;) {
    const size_t step = n < PL_DELTA_STEP ? (size_t)n : PL_DELTA_STEP;
    status = delta_read(decoder, (uint8_t *)values, step);
    n -= step;
  }
  return status;
}

static pl_status delta_finish(pl_value_decoder *decoder) {
  const pl_delta_reader *reader = &decoder->state.delta.reader;
  return reader->n_left == 0 && reader->next == reader->end ? PL_OK : PL_CORRUPT;
}

const pl_encoding_entry pl_encoding_delta_binary_packed = {
    .id = PL_ENCODING_DELTA_BINARY_PACKED,
    .types = 1u << PL_TYPE_INT32 | 1u << PL_TYPE_INT64,
    .open = delta_open,
    .read = delta_read,
    .skip = delta_skip,
    .finish = delta_finish,
};

static pl_status decode(const uint8_t *in, size_t in_size, void *out, size_t out_capacity, unsigned bits,
                        size_t *n_values, size_t *in_used) {
  pl_delta_reader reader;
  pl_status status = pl_delta_reader_open(&reader, in, in_size, bits);
  if (status != PL_OK)
    return status;
  if (reader.n_left > out_capacity)
    return PL_NO_SPACE;
  const size_t n = (size_t)reader.n_left;
  bool is_wide = false;
  if (n != 0)
    status = bits == 64 ? pl_kernels_get()->delta_read_64(&reader, out, n)
                        : read_int32(&reader, &is_wide, in, in_size, out, n);
  if (status == PL_OK) {
    *n_values = n;
    *in_used = (size_t)(reader.next - in);
  }
  return status;
}

pl_status pl_delta_binary_packed_decode_i32(const uint8_t *in, size_t in_size, int32_t *out,
                                            size_t out_capacity, size_t *n_values, size_t *in_used) {
  return decode(in, in_size, out, out_capacity, 32, n_values, in_used);
}

pl_status pl_delta_binary_packed_decode_i64(const uint8_t *in, size_t in_size, int64_t *out,
                                            size_t out_capacity, size_t *n_values, size_t *in_used) {
  return decode(in, in_size, out, out_capacity, 64, n_values, in_used);
}
