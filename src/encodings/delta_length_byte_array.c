/* DELTA_LENGTH_BYTE_ARRAY (Encodings.md, "Delta-length byte array"): a DELTA_BINARY_PACKED stream of the sizes, then the
 * bytes of all values back to back. */
#include "encodings/delta_strings.h"
#include "encodings/encodings.h"
#include "pagelane/encoding.h"

#include <string.h>

static pl_status length_open(pl_value_decoder *decoder) {
  const pl_value_section *section = &decoder->section;
  pl_delta_reader *sizes = &decoder->state.delta_length.sizes;
  if (section->size == 0) { /* no values: some writers leave the header out then */
    sizes->n_left = 0;
    decoder->state.delta_length.next = section->bytes;
    return PL_OK;
  }
  return pl_sizes_open(sizes, section->bytes, section->size, section->n_entries,
                       &decoder->state.delta_length.next);
}

static size_t bytes_left(const pl_value_decoder *decoder) {
  return (size_t)(decoder->section.bytes + decoder->section.size - decoder->state.delta_length.next);
}

/* The first value, of those that n offsets say, that cannot be. */
static pl_status first_fault(const int32_t *offsets, size_t n, uint64_t n_bytes) {
  uint64_t offset = (uint32_t)offsets[0];
  for (size_t i = 0; i < n; i++) {
    const uint32_t size = (uint32_t)offsets[i + 1] - (uint32_t)offsets[i];
    if (size > INT32_MAX)
      return PL_CORRUPT;
    if (size > n_bytes)
      return PL_TRUNCATED;
    n_bytes -= size;
    offset += size;
    if (offset > INT32_MAX)
      return PL_LIMIT;
  }
  return PL_OK;
}

static pl_status length_read_offsets(pl_value_decoder *decoder, int32_t *offsets, size_t n) {
  pl_delta_reader *sizes = &decoder->state.delta_length.sizes;
  pl_status status = pl_sizes_check_count(decoder, sizes->n_left, n);
  if (status == PL_OK && n != 0)
    status = decoder->kernels->delta_read_32(sizes, (uint32_t *)offsets + 1, n);
  if (status != PL_OK)
    return status;
  const uint64_t first = (uint32_t)offsets[0];
  uint64_t offset = first;
  uint32_t all = 0; /* of its bits the sign tells whether a size was negative */
  for (size_t i = 1; i <= n; i++) {
    const uint32_t size = (uint32_t)offsets[i];
    all |= size;
    offset += size;
    offsets[i] = (int32_t)offset;
  }
  if (all > INT32_MAX || offset > INT32_MAX || offset - first > bytes_left(decoder))
    return first_fault(offsets, n, bytes_left(decoder));
  decoder->state.delta_length.step = decoder->state.delta_length.next;
  decoder->state.delta_length.next += offset - first;
  return PL_OK;
}

static pl_status length_read_data(pl_value_decoder *decoder, const int32_t *offsets, uint8_t *data, size_t n) {
  const size_t size = (size_t)(offsets[n] - offsets[0]);
  if (size != 0)
    memcpy(data, decoder->state.delta_length.step, size);
  return PL_OK;
}

static pl_status length_skip(pl_value_decoder *decoder, uint64_t n) {
  int32_t offsets[PL_SIZES_STEP + 1];
  pl_status status = pl_sizes_check_count(decoder, decoder->state.delta_length.sizes.n_left, n);
  while (n != 0 && status == PL_OK) {
    const size_t step = n < PL_SIZES_STEP ? (size_t)n : PL_SIZES_STEP;
    offsets[0] = 0;
    status = length_read_offsets(decoder, offsets, step);
    n -= step;
  }
  return status;
}

static pl_status length_finish(pl_value_decoder *decoder) {
  return decoder->state.delta_length.sizes.n_left == 0 && bytes_left(decoder) == 0 ? PL_OK : PL_CORRUPT;
}

const pl_encoding_entry pl_encoding_delta_length_byte_array = {
    .id = PL_ENCODING_DELTA_LENGTH_BYTE_ARRAY,
    .types = 1u << PL_TYPE_BYTE_ARRAY,
    .open = length_open,
    .read_offsets = length_read_offsets,
    .read_data = length_read_data,
    .skip = length_skip,
    .finish = length_finish,
};

/* ---- whole sections ---- */

static pl_status open_section(pl_value_decoder *decoder, const uint8_t *in, size_t in_size) {
  return pl_strings_open(decoder, PL_ENCODING_DELTA_LENGTH_BYTE_ARRAY, PL_TYPE_BYTE_ARRAY, 0, in, in_size);
}

pl_status pl_delta_length_byte_array_size(const uint8_t *in, size_t in_size, size_t *n_values,
                                          uint64_t *data_size) {
  pl_value_decoder decoder;
  pl_status status = open_section(&decoder, in, in_size);
  if (status != PL_OK)
    return status;
  const uint64_t n = decoder.state.delta_length.sizes.n_left;
  const uint8_t *data = decoder.state.delta_length.next;
  status = length_skip(&decoder, n);
  if (status == PL_OK) {
    *n_values = (size_t)n;
    *data_size = (uint64_t)(decoder.state.delta_length.next - data);
  }
  return status;
}

pl_status pl_delta_length_byte_array_decode_views(const uint8_t *in, size_t in_size, pl_view *views,
                                                  size_t views_capacity, size_t *n_values, size_t *in_used) {
  pl_value_decoder decoder;
  pl_status status = open_section(&decoder, in, in_size);
  if (status != PL_OK)
    return status;
  const uint64_t n = decoder.state.delta_length.sizes.n_left;
  if (n > views_capacity)
    return PL_NO_SPACE;
  int32_t offsets[PL_SIZES_STEP + 1];
  for (size_t done = 0; done < n;) {
    const size_t step = n - done < PL_SIZES_STEP ? (size_t)n - done : PL_SIZES_STEP;
    offsets[0] = 0;
    status = length_read_offsets(&decoder, offsets, step);
    if (status != PL_OK)
      return status;
    for (size_t i = 0; i < step; i++)
      views[done + i] =
          (pl_view){decoder.state.delta_length.step + offsets[i], (uint32_t)(offsets[i + 1] - offsets[i])};
    done += step;
  }
  *n_values = (size_t)n;
  *in_used = (size_t)(decoder.state.delta_length.next - in);
  return PL_OK;
}

pl_status pl_delta_length_byte_array_decode_offsets(const uint8_t *in, size_t in_size, int32_t *offsets,
                                                    size_t offsets_capacity, const uint8_t **data,
                                                    size_t *n_values, size_t *in_used) {
  pl_value_decoder decoder;
  pl_status status = open_section(&decoder, in, in_size);
  if (status != PL_OK)
    return status;
  const uint64_t n = decoder.state.delta_length.sizes.n_left;
  if (n >= offsets_capacity)
    return PL_NO_SPACE;
  const uint8_t *const first = decoder.state.delta_length.next;
  offsets[0] = 0;
  for (size_t done = 0; done < n && status == PL_OK;) {
    const size_t step = n - done < PL_OFFSETS_STEP ? (size_t)n - done : PL_OFFSETS_STEP;
    status = length_read_offsets(&decoder, offsets + done, step);
    done += step;
  }
  if (status != PL_OK)
    return status;
  *data = first;
  *n_values = (size_t)n;
  *in_used = (size_t)(decoder.state.delta_length.next - in);
  return PL_OK;
}
