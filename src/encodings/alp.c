/* ALP (AlpEncoding.md): floating-point numbers as integers of few bits, scaled by powers of ten, and what no such
 * integer gives as exceptions. All numbers little-endian, nothing aligned:
 *
 *   section  mode 1, integer encoding 1, log2 of the vector size 1, count 4, offsets 4 a vector, vectors
 *   vector   exponent 1, factor 1, exceptions 2, frame s, bit width 1, residuals, positions 2 each, values s each
 *
 * s is the size of a value. Only the last vector may be short; offsets are counted from the first offset. */
#include "base/reader.h"
#include "encodings/encodings.h"
#include "pagelane/encoding.h"

enum { HEADER_SIZE = 7, MIN_LOG_SIZE = 3, MAX_LOG_SIZE = 15, MAX_EXPONENT_32 = 10, MAX_EXPONENT_64 = 18 };

/* Literals, not computed: each is the number nearest to the power of ten. */
static const float up_32[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
static const float down_32[] = {1e0f, 1e-1f, 1e-2f, 1e-3f, 1e-4f, 1e-5f, 1e-6f, 1e-7f, 1e-8f, 1e-9f, 1e-10f};
static const double up_64[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                               1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
static const double down_64[] = {1e0,   1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,  1e-8, 1e-9,
                                 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18};

static bool is_double(const pl_value_decoder *decoder) {
  return decoder->section.type == PL_TYPE_DOUBLE;
}

static uint32_t load_u16(const uint8_t *p) {
  return (uint32_t)(p[0] | p[1] << 8);
}

static size_t offset_of(const pl_alp_reader *reader, uint32_t vector) {
  return pl_load_u32(reader->offsets + 4 * (size_t)vector);
}

/* The offsets rise from the end of their array on, inside the section. */
static pl_status check_offsets(const pl_alp_reader *reader, size_t size) {
  size_t last = 0;
  if (reader->n_vectors == 0)
    return size == 0 ? PL_OK : PL_CORRUPT;
  if (reader->n_vectors > size / 4)
    return PL_TRUNCATED;
  for (uint32_t i = 0; i < reader->n_vectors; i++) {
    const size_t offset = offset_of(reader, i);
    if (i == 0 ? offset != 4 * (size_t)reader->n_vectors : offset <= last)
      return PL_CORRUPT;
    if (offset >= size)
      return PL_TRUNCATED;
    last = offset;
  }
  return PL_OK;
}

static pl_status alp_open(pl_value_decoder *decoder) {
  const pl_value_section *section = &decoder->section;
  const uint8_t *bytes = section->bytes;
  pl_alp_reader *reader = &decoder->state.alp;
  *reader = (pl_alp_reader){.offsets = bytes};
  if (section->size == 0) /* no values */
    return PL_OK;
  if (section->size < HEADER_SIZE)
    return PL_TRUNCATED;
  if (bytes[0] != 0 || bytes[1] != 0)
    return PL_UNSUPPORTED;
  const uint32_t n_values = pl_load_u32(bytes + 3);
  if (bytes[2] < MIN_LOG_SIZE || bytes[2] > MAX_LOG_SIZE || n_values > INT32_MAX ||
      n_values > section->n_entries)
    return PL_CORRUPT;
  reader->offsets = bytes + HEADER_SIZE;
  reader->n_values = n_values;
  reader->log_vector_size = bytes[2];
  reader->n_vectors = (n_values + (1u << bytes[2]) - 1) >> bytes[2];
  return check_offsets(reader, section->size - HEADER_SIZE);
}

/* A vector's bytes do not end where its header says. Where no other vector follows, it is the section that is cut. */
static pl_status misfit(bool too_short, bool is_last) {
  return too_short && is_last ? PL_TRUNCATED : PL_CORRUPT;
}

static pl_status open_vector(pl_value_decoder *decoder, uint32_t number) {
  pl_alp_reader *reader = &decoder->state.alp;
  pl_alp_vector *vector = &reader->vector;
  const bool wide = is_double(decoder), is_last = number + 1 == reader->n_vectors;
  const size_t value_size = wide ? 8 : 4, header_size = 4 + value_size + 1;
  const uint8_t *header = reader->offsets + offset_of(reader, number);
  const uint8_t *end = decoder->section.bytes + decoder->section.size;
  const size_t size = (size_t)((is_last ? end : reader->offsets + offset_of(reader, number + 1)) - header);
  if (size < header_size)
    return misfit(true, is_last);
  const uint64_t n_before = (uint64_t)number << reader->log_vector_size;
  const uint32_t n = is_last ? (uint32_t)(reader->n_values - n_before) : 1u << reader->log_vector_size;
  const uint32_t exponent = header[0], factor = header[1], n_exceptions = load_u16(header + 2);
  const uint32_t bit_width = header[header_size - 1];
  if (exponent > (wide ? MAX_EXPONENT_64 : MAX_EXPONENT_32) || factor > exponent || n_exceptions > n ||
      bit_width > 8 * value_size)
    return PL_CORRUPT;
  const uint64_t packed_size = ((uint64_t)n * bit_width + 7) / 8;
  const uint64_t needed = header_size + packed_size + (uint64_t)n_exceptions * (2 + value_size);
  if (needed != size)
    return misfit(needed > size, is_last);
  const uint8_t *positions = header + header_size + packed_size;
  for (size_t i = 0; i < n_exceptions; i++)
    if (load_u16(positions + 2 * i) >= n)
      return PL_CORRUPT;
  *vector = (pl_alp_vector){.packed = header + header_size, .end = end, .bit_width = bit_width};
  if (wide) {
    vector->frame = pl_load_u64(header + 4);
    vector->up.f64 = up_64[factor], vector->down.f64 = down_64[exponent];
  } else {
    vector->frame = pl_load_u32(header + 4);
    vector->up.f32 = up_32[factor], vector->down.f32 = down_32[exponent];
  }
  reader->positions = positions;
  reader->exceptions = positions + 2 * (size_t)n_exceptions;
  reader->n_exceptions = n_exceptions;
  reader->vector_size = n;
  reader->n_opened = number + 1;
  return PL_OK;
}

/* Exceptions among values first ... first + n - 1 of the vector. They may stand in any order; the last one of a
 * position holds. */
static void put_exceptions(const pl_alp_reader *reader, size_t first, uint8_t *out, size_t n,
                           size_t value_size) {
  for (size_t i = 0; i < reader->n_exceptions; i++) {
    const size_t at = load_u16(reader->positions + 2 * i) - first; /* those before `first` wrap */
    if (at < n)
      memcpy(out + at * value_size, reader->exceptions + i * value_size, value_size);
  }
}

/* The header's count against what the levels ask for. */
static pl_status check_count(const pl_value_decoder *decoder, uint64_t n) {
  if (n <= decoder->state.alp.n_values - decoder->state.alp.index)
    return PL_OK;
  return decoder->section.size == 0 ? PL_TRUNCATED : PL_CORRUPT;
}

static pl_status alp_read(pl_value_decoder *decoder, uint8_t *out, size_t n) {
  pl_alp_reader *reader = &decoder->state.alp;
  const size_t value_size = is_double(decoder) ? 8 : 4;
  pl_status status = check_count(decoder, n);
  while (n != 0 && status == PL_OK) {
    const uint32_t number = (uint32_t)(reader->index >> reader->log_vector_size);
    if (reader->n_opened != number + 1) {
      status = open_vector(decoder, number);
      if (status != PL_OK)
        break;
    }
    const size_t first = (size_t)(reader->index - ((uint64_t)number << reader->log_vector_size));
    const size_t left = reader->vector_size - first, n_here = n < left ? n : left;
    if (is_double(decoder))
      decoder->kernels->alp_read_64(&reader->vector, first, (uint64_t *)(void *)out, n_here);
    else
      decoder->kernels->alp_read_32(&reader->vector, first, (uint32_t *)(void *)out, n_here);
    put_exceptions(reader, first, out, n_here, value_size);
    reader->index += n_here;
    out += n_here * value_size, n -= n_here;
  }
  return status;
}

static pl_status alp_skip(pl_value_decoder *decoder, uint64_t n) {
  const pl_status status = check_count(decoder, n);
  if (status == PL_OK)
    decoder->state.alp.index += n;
  return status;
}

static pl_status alp_finish(pl_value_decoder *decoder) {
  return decoder->state.alp.index == decoder->state.alp.n_values ? PL_OK : PL_CORRUPT;
}

const pl_encoding_entry pl_encoding_alp = {
    .id = PL_ENCODING_ALP,
    .types = 1u << PL_TYPE_FLOAT | 1u << PL_TYPE_DOUBLE,
    .open = alp_open,
    .read = alp_read,
    .skip = alp_skip,
    .finish = alp_finish,
};

static pl_status decode(const uint8_t *in, size_t in_size, pl_type type, void *out, size_t out_capacity,
                        size_t *n_values) {
  pl_value_decoder decoder;
  const pl_value_section section = {.type = type, .bytes = in, .size = in_size, .n_entries = UINT64_MAX};
  pl_status status = pl_value_decoder_open(&decoder, PL_ENCODING_ALP, &section);
  if (status != PL_OK)
    return status;
  if (decoder.state.alp.n_values > out_capacity)
    return PL_NO_SPACE;
  const size_t n = (size_t)decoder.state.alp.n_values;
  status = alp_read(&decoder, out, n);
  if (status == PL_OK)
    *n_values = n;
  return status;
}

pl_status pl_alp_decode_f32(const uint8_t *in, size_t in_size, float *out, size_t out_capacity,
                            size_t *n_values) {
  return decode(in, in_size, PL_TYPE_FLOAT, out, out_capacity, n_values);
}

pl_status pl_alp_decode_f64(const uint8_t *in, size_t in_size, double *out, size_t out_capacity,
                            size_t *n_values) {
  return decode(in, in_size, PL_TYPE_DOUBLE, out, out_capacity, n_values);
}
