/* BYTE_STREAM_SPLIT (Encodings.md, "Byte Stream Split"): values of w bytes as w streams, stream k with byte k of
 * every value. How long a stream is follows from the section's size alone. */
#include "encodings/encodings.h"
#include "pagelane/encoding.h"

static pl_status split_open(pl_value_decoder *decoder) {
  const pl_value_section *section = &decoder->section;
  decoder->state.streams.n_values = section->size / section->value_width;
  decoder->state.streams.index = 0;
  if (section->size % section->value_width != 0 || decoder->state.streams.n_values > section->n_entries)
    return PL_CORRUPT;
  return PL_OK;
}

static pl_status split_skip(pl_value_decoder *decoder, uint64_t n) {
  if (n > decoder->state.streams.n_values - decoder->state.streams.index)
    return PL_TRUNCATED;
  decoder->state.streams.index += (size_t)n;
  return PL_OK;
}

static pl_status split_read(pl_value_decoder *decoder, uint8_t *out, size_t n) {
  const uint8_t *in = decoder->section.bytes + decoder->state.streams.index;
  const pl_status status = split_skip(decoder, n);
  if (status == PL_OK && n != 0)
    decoder->kernels->byte_stream_join(in, decoder->state.streams.n_values, decoder->section.value_width, out,
                                       n);
  return status;
}

static pl_status split_finish(pl_value_decoder *decoder) {
  return decoder->state.streams.index == decoder->state.streams.n_values ? PL_OK : PL_CORRUPT;
}

const pl_encoding_entry pl_encoding_byte_stream_split = {
    .id = PL_ENCODING_BYTE_STREAM_SPLIT,
    .types = 1u << PL_TYPE_INT32 | 1u << PL_TYPE_INT64 | 1u << PL_TYPE_FLOAT | 1u << PL_TYPE_DOUBLE |
             1u << PL_TYPE_FIXED_LEN_BYTE_ARRAY,
    .open = split_open,
    .read = split_read,
    .skip = split_skip,
    .finish = split_finish,
};

pl_status pl_byte_stream_split_decode(const uint8_t *in, size_t in_size, uint32_t width, void *out, size_t n) {
  if (width == 0)
    return PL_BAD_ARGUMENT;
  if (in_size % width != 0)
    return PL_CORRUPT;
  if (in_size / width != n)
    return in_size / width < n ? PL_TRUNCATED : PL_CORRUPT;
  if (n != 0)
    pl_kernels_get()->byte_stream_join(in, n, width, out, n);
  return PL_OK;
}
