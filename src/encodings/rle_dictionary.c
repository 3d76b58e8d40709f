/* RLE_DICTIONARY and its old number PLAIN_DICTIONARY (Encodings.md, "Dictionary Encoding"): a byte with the bit
 * width, then indices as an RLE / bit-packed hybrid without length. */
#include "encodings/byte_copy.h"
#include "encodings/encodings.h"

static pl_status dictionary_open(pl_value_decoder *decoder) {
  const uint8_t *bytes = decoder->section.bytes;
  const size_t size = decoder->section.size;
  pl_rle_reader *reader = &decoder->state.rle.reader;
  *reader = (pl_rle_reader){.next = bytes, .end = bytes};
  if (size == 0) /* no values */
    return PL_OK;
  if (bytes[0] > 32)
    return PL_CORRUPT;
  *reader = (pl_rle_reader){.next = bytes + 1, .end = bytes + size, .bit_width = bytes[0]};
  if (size == 1 && bytes[0] == 0) /* some writers leave the run out: every index is 0 */
    reader->run_left = decoder->section.n_entries;
  return PL_OK;
}

/* An index without a dictionary is an error; a page of nulls alone needs none. */
static pl_status dictionary_of(const pl_value_decoder *decoder, const pl_dictionary_values **dictionary) {
  *dictionary = decoder->section.dictionary;
  return *dictionary != NULL ? PL_OK : PL_CORRUPT;
}

static pl_status read_step(pl_value_decoder *decoder, uint32_t n_entries, size_t n) {
  return decoder->kernels->dictionary_read_indices(&decoder->state.rle.reader, n_entries, 0,
                                                   decoder->state.rle.step, n);
}

static pl_status dictionary_read(pl_value_decoder *decoder, uint8_t *out, size_t n) {
  const pl_dictionary_values *dictionary;
  if (n == 0)
    return PL_OK;
  pl_status status = dictionary_of(decoder, &dictionary);
  if (status != PL_OK)
    return status;
  const uint32_t width = decoder->section.value_width;
  pl_rle_reader *reader = &decoder->state.rle.reader;
  if (width == 4)
    return decoder->kernels->dictionary_read_32(reader, (const uint32_t *)(const void *)dictionary->values,
                                                dictionary->n_entries, (uint32_t *)(void *)out, n);
  if (width == 8)
    return decoder->kernels->dictionary_read_64(reader, (const uint64_t *)(const void *)dictionary->values,
                                                dictionary->n_entries, (uint64_t *)(void *)out, n);
  while (n != 0) {
    const size_t step = n < PL_OFFSETS_STEP ? n : PL_OFFSETS_STEP;
    status = read_step(decoder, dictionary->n_entries, step);
    if (status != PL_OK)
      return status;
    for (size_t i = 0; i < step; i++, out += width)
      memcpy(out, dictionary->values + (size_t)decoder->state.rle.step[i] * width, width);
    n -= step;
  }
  return PL_OK;
}

static pl_status dictionary_read_offsets(pl_value_decoder *decoder, int32_t *offsets, size_t n) {
  const pl_dictionary_values *dictionary;
  if (n == 0)
    return PL_OK;
  pl_status status = dictionary_of(decoder, &dictionary);
  if (status == PL_OK)
    status = read_step(decoder, dictionary->n_entries, n);
  if (status != PL_OK)
    return status;
  uint64_t offset = (uint32_t)offsets[0];
  for (size_t i = 0; i < n; i++) {
    const uint32_t index = decoder->state.rle.step[i];
    offset += (uint32_t)(dictionary->offsets[index + 1] - dictionary->offsets[index]);
    offsets[i + 1] = (int32_t)offset;
  }
  return offset > INT32_MAX ? PL_LIMIT : PL_OK;
}

static pl_status dictionary_read_data(pl_value_decoder *decoder, const int32_t *offsets, uint8_t *data,
                                      size_t n) {
  const pl_dictionary_values *dictionary = decoder->section.dictionary;
  const int32_t *from = dictionary->offsets;
  const size_t dictionary_size = (size_t)from[dictionary->n_entries];
  (void)offsets; /* the entries' own sizes say the same */
  for (size_t i = 0; i < n; i++) {
    const uint32_t index = decoder->state.rle.step[i];
    const size_t at = (size_t)from[index], size = (size_t)from[index + 1] - at;
    pl_byte_copy(data, dictionary->values + at, size, dictionary_size - at);
    data += size;
  }
  return PL_OK;
}

static pl_status dictionary_read_indices(pl_value_decoder *decoder, uint32_t base, uint32_t *out, size_t n) {
  const pl_dictionary_values *dictionary;
  if (n == 0)
    return PL_OK;
  const pl_status status = dictionary_of(decoder, &dictionary);
  if (status != PL_OK)
    return status;
  return decoder->kernels->dictionary_read_indices(&decoder->state.rle.reader, dictionary->n_entries, base, out,
                                                   n);
}

static pl_status dictionary_skip(pl_value_decoder *decoder, uint64_t n) {
  uint64_t n_equal;
  return decoder->kernels->rle_skip(&decoder->state.rle.reader, 0, n, &n_equal);
}

#define DICTIONARY_ENTRY(number)                                                                               \
  {                                                                                                            \
      .id = (number),                                                                                          \
      .types = 0xff & ~(1u << PL_TYPE_BOOLEAN),                                                                \
      .dictionary = true,                                                                                      \
      .open = dictionary_open,                                                                                 \
      .read = dictionary_read,                                                                                 \
      .read_offsets = dictionary_read_offsets,                                                                 \
      .read_data = dictionary_read_data,                                                                       \
      .read_indices = dictionary_read_indices,                                                                 \
      .skip = dictionary_skip,                                                                                 \
  }

const pl_encoding_entry pl_encoding_rle_dictionary = DICTIONARY_ENTRY(PL_ENCODING_RLE_DICTIONARY);
const pl_encoding_entry pl_encoding_plain_dictionary = DICTIONARY_ENTRY(PL_ENCODING_PLAIN_DICTIONARY);
