/* DELTA_BYTE_ARRAY (Encodings.md, "Delta Strings"): a DELTA_BINARY_PACKED stream with the number of bytes that each value
 * shares with the one before, then the rest of each value as DELTA_LENGTH_BYTE_ARRAY. All sizes of a step are checked
 * before its first byte is written. */
#include "encodings/delta_strings.h"
#include "encodings/encodings.h"
#include "encodings/prefix_build.h"
#include "encodings/prefix_views.h"

static pl_status strings_open(pl_value_decoder *decoder) {
  const pl_value_section *section = &decoder->section;
  pl_delta_reader *prefixes = &decoder->state.delta_strings.prefixes;
  pl_delta_reader *suffixes = &decoder->state.delta_strings.suffixes;
  const uint8_t *next = section->bytes, *const end = section->bytes + section->size;
  decoder->state.delta_strings.last = section->bytes;
  decoder->state.delta_strings.last_size = 0;
  decoder->state.delta_strings.next = section->bytes;
  prefixes->n_left = 0;
  if (section->size == 0) /* no values: some writers leave the headers out then */
    return PL_OK;
  pl_status status = pl_sizes_open(prefixes, next, section->size, section->n_entries, &next);
  if (status == PL_OK)
    status = pl_sizes_open(suffixes, next, (size_t)(end - next), section->n_entries,
                           &decoder->state.delta_strings.next);
  if (status != PL_OK)
    return status;
  return prefixes->n_left == suffixes->n_left ? PL_OK : PL_CORRUPT;
}

static size_t bytes_left(const pl_value_decoder *decoder) {
  return (size_t)(decoder->section.bytes + decoder->section.size - decoder->state.delta_strings.next);
}

/* ---- sizes ---- */

/* Sizes of n values, and what they come to. */
typedef struct size_step {
  uint32_t *prefixes, *suffixes;
  size_t n;
  uint32_t last_size;   /* of the value before */
  uint32_t value_width; /* that all have to have; 0: any */
  uint64_t suffix_bytes;
  uint64_t built_bytes; /* of values that have both a prefix and a suffix */
} size_step;

/* Sizes below this are summed in 32 bits: PL_OFFSETS_STEP of them do not wrap. */
enum { SMALL_SIZE = 1 << 21 };

/* Value by value: the first that cannot be says the status. n_bytes: what the section has left. */
static pl_status check_one_by_one(size_step *step, uint64_t n_bytes) {
  uint32_t last_size = step->last_size;
  step->suffix_bytes = step->built_bytes = 0;
  for (size_t i = 0; i < step->n; i++) {
    const uint32_t p = step->prefixes[i], s = step->suffixes[i];
    if (p > last_size || s > INT32_MAX || (step->value_width != 0 && p + s != step->value_width))
      return PL_CORRUPT;
    if (s > n_bytes - step->suffix_bytes)
      return PL_TRUNCATED;
    last_size = p + s; /* no more than the section has: below 2^31 */
    step->suffix_bytes += s;
    step->built_bytes += p != 0 && s != 0 ? last_size : 0;
  }
  return PL_OK;
}

/* PL_CORRUPT, PL_TRUNCATED where a size cannot be. The loops have no branch and no order, for the compiler's vectors. */
static inline __attribute__((always_inline)) pl_status check_sizes(size_step *step, uint64_t n_bytes,
                                                                   bool built) {
  const uint32_t *p = step->prefixes, *s = step->suffixes, width = step->value_width;
  const uint32_t first = p[0] + s[0];
  uint32_t all = p[0] | s[0], wrong = p[0] > step->last_size, sum = s[0], built_sum = 0;
  if (width != 0) {
    wrong |= first ^ width;
    for (size_t i = 1; i < step->n; i++) {
      all |= p[i] | s[i];
      wrong |= (p[i] + s[i]) ^ width;
      sum += s[i];
    }
  } else {
    for (size_t i = 1; i < step->n; i++) {
      all |= p[i] | s[i];
      wrong |= (int32_t)(p[i - 1] + s[i - 1]) < (int32_t)p[i];
      sum += s[i];
      if (built)
        built_sum += (p[i] + s[i]) & (0 - (uint32_t)((p[i] != 0) & (s[i] != 0)));
    }
  }
  if (all >= SMALL_SIZE || wrong != 0 || sum > n_bytes)
    return check_one_by_one(step, n_bytes);
  step->suffix_bytes = sum;
  step->built_bytes = built_sum + (p[0] != 0 && s[0] != 0 ? first : 0);
  return PL_OK;
}

/* Decodes and checks the sizes of the step's n values, 0 < n. The suffixes' bytes begin at `next`, which stays. */
static inline __attribute__((always_inline)) pl_status read_sizes(pl_value_decoder *decoder, size_step *step,
                                                                  bool built) {
  const pl_kernels *kernels = decoder->kernels;
  pl_status status = kernels->delta_read_32(&decoder->state.delta_strings.prefixes, step->prefixes, step->n);
  if (status == PL_OK)
    status = kernels->delta_read_32(&decoder->state.delta_strings.suffixes, step->suffixes, step->n);
  if (status != PL_OK)
    return status;
  step->last_size = decoder->state.delta_strings.last_size;
  step->value_width = decoder->section.value_width;
  status = check_sizes(step, bytes_left(decoder), built);
  if (status == PL_OK)
    decoder->state.delta_strings.last_size = step->prefixes[step->n - 1] + step->suffixes[step->n - 1];
  return status;
}

/* ---- values ---- */

static prefix_build build_from(const pl_value_decoder *decoder, uint32_t prefix) {
  prefix_build b = {
      .begin = decoder->section.bytes,
      .from = decoder->state.delta_strings.next,
      .in_end = decoder->section.bytes + decoder->section.size,
      .previous = decoder->state.delta_strings.last,
  };
  build_load_head(&b, b.previous, prefix);
  return b;
}

static void build_data(prefix_build *b) {
  build_values(b, BUILD_DATA);
}

static void build_fixed(prefix_build *b) {
  if (b->width <= PL_ROW_BYTES)
    build_values(b, BUILD_FIXED1);
  else if (b->width <= BUILD_HEAD)
    build_values(b, BUILD_FIXED2);
  else
    build_values(b, BUILD_FIXED);
}

/* The last value was written to `value`, the caller's memory: a later call needs it. */
static pl_status keep_last(pl_value_decoder *decoder, const uint8_t *value) {
  const uint32_t size = decoder->state.delta_strings.last_size;
  pl_kept_value *kept = decoder->section.kept;
  decoder->state.delta_strings.last = value;
  if (kept == NULL || size == 0 || decoder->state.delta_strings.prefixes.n_left == 0)
    return PL_OK;
  const pl_status status = kept->reserve(kept, size);
  if (status != PL_OK)
    return status;
  memcpy(kept->bytes, value, size);
  decoder->state.delta_strings.last = kept->bytes;
  return PL_OK;
}

static pl_status strings_read(pl_value_decoder *decoder, uint8_t *out, size_t n) {
  const uint32_t width = decoder->section.value_width;
  uint8_t *const out_end = out + n * width;
  uint32_t prefixes[PL_SIZES_STEP], suffixes[PL_SIZES_STEP];
  pl_status status = pl_sizes_check_count(decoder, decoder->state.delta_strings.prefixes.n_left, n);
  if (status != PL_OK || n == 0)
    return status;
  while (n != 0) {
    size_step step = {prefixes, suffixes, .n = n < PL_SIZES_STEP ? n : PL_SIZES_STEP};
    status = read_sizes(decoder, &step, false);
    if (status != PL_OK)
      return status;
    prefix_build b = build_from(decoder, prefixes[0]);
    b.prefixes = prefixes;
    b.width = width;
    b.n = step.n;
    b.to = out;
    b.out_end = out_end;
    build_fixed(&b);
    out += step.n * width;
    decoder->state.delta_strings.next += step.suffix_bytes;
    decoder->state.delta_strings.last = out - width;
    n -= step.n;
  }
  return keep_last(decoder, out - width);
}

static pl_status strings_read_offsets(pl_value_decoder *decoder, int32_t *offsets, size_t n) {
  uint32_t *const prefixes = decoder->state.delta_strings.step, *const suffixes = (uint32_t *)offsets + 1;
  size_step step = {prefixes, suffixes, .n = n};
  pl_status status = pl_sizes_check_count(decoder, decoder->state.delta_strings.prefixes.n_left, n);
  if (status != PL_OK || n == 0)
    return status;
  status = read_sizes(decoder, &step, false);
  if (status != PL_OK)
    return status;
  decoder->state.delta_strings.step_bytes = step.suffix_bytes;
  uint64_t offset = (uint32_t)offsets[0];
  for (size_t i = 0; i < n; i++) {
    offset += prefixes[i] + suffixes[i];
    suffixes[i] = (uint32_t)offset;
  }
  return offset > INT32_MAX ? PL_LIMIT : PL_OK;
}

static pl_status strings_read_data(pl_value_decoder *decoder, const int32_t *offsets, uint8_t *data, size_t n) {
  if (n == 0)
    return PL_OK;
  const uint8_t *const end = data + (offsets[n] - offsets[0]);
  prefix_build b = build_from(decoder, decoder->state.delta_strings.step[0]);
  b.prefixes = decoder->state.delta_strings.step;
  b.offsets = offsets;
  b.n = n;
  b.to = data;
  b.out_end = data + (offsets[n] - offsets[0]);
  build_data(&b);
  decoder->state.delta_strings.next += decoder->state.delta_strings.step_bytes;
  return keep_last(decoder, end - decoder->state.delta_strings.last_size);
}

/* The last of n values that are passed, put together in the kept memory, which holds the value before the first. From the
 * last value backwards: of each suffix only the bytes that no later one replaces are copied. */
static pl_status keep_passed(pl_value_decoder *decoder, const size_step *step) {
  pl_kept_value *kept = decoder->section.kept;
  uint32_t wanted = decoder->state.delta_strings.last_size;
  const uint8_t *suffix = decoder->state.delta_strings.next + step->suffix_bytes;
  if (wanted == 0)
    return PL_OK;
  const pl_status status = kept->reserve(kept, wanted);
  if (status != PL_OK)
    return status;
  for (size_t i = step->n; i != 0 && wanted != 0; i--) {
    const uint32_t prefix = step->prefixes[i - 1];
    suffix -= step->suffixes[i - 1];
    if (prefix < wanted) {
      memcpy(kept->bytes + prefix, suffix, wanted - prefix);
      wanted = prefix;
    }
  }
  decoder->state.delta_strings.last = kept->bytes;
  return PL_OK;
}

static pl_status strings_skip(pl_value_decoder *decoder, uint64_t n) {
  uint32_t prefixes[PL_SIZES_STEP], suffixes[PL_SIZES_STEP];
  pl_status status = pl_sizes_check_count(decoder, decoder->state.delta_strings.prefixes.n_left, n);
  while (n != 0 && status == PL_OK) {
    size_step step = {prefixes, suffixes, .n = n < PL_SIZES_STEP ? (size_t)n : PL_SIZES_STEP};
    status = read_sizes(decoder, &step, false);
    if (status == PL_OK && decoder->state.delta_strings.prefixes.n_left != 0)
      status = keep_passed(decoder, &step);
    if (status == PL_OK)
      decoder->state.delta_strings.next += step.suffix_bytes;
    n -= step.n;
  }
  return status;
}

static pl_status strings_finish(pl_value_decoder *decoder) {
  return decoder->state.delta_strings.prefixes.n_left == 0 && bytes_left(decoder) == 0 ? PL_OK : PL_CORRUPT;
}

const pl_encoding_entry pl_encoding_delta_byte_array = {
    .id = PL_ENCODING_DELTA_BYTE_ARRAY,
    .types = 1u << PL_TYPE_BYTE_ARRAY | 1u << PL_TYPE_FIXED_LEN_BYTE_ARRAY,
    .open = strings_open,
    .read = strings_read,
    .read_offsets = strings_read_offsets,
    .read_data = strings_read_data,
    .skip = strings_skip,
    .finish = strings_finish,
};

/* ---- whole sections ---- */

static pl_status open_section(pl_value_decoder *decoder, pl_type type, uint32_t value_width, const uint8_t *in,
                              size_t in_size) {
  return pl_strings_open(decoder, PL_ENCODING_DELTA_BYTE_ARRAY, type, value_width, in, in_size);
}

pl_status pl_delta_byte_array_size(const uint8_t *in, size_t in_size, pl_delta_byte_array_sizes *sizes) {
  pl_value_decoder decoder;
  pl_status status = open_section(&decoder, PL_TYPE_BYTE_ARRAY, 0, in, in_size);
  if (status != PL_OK)
    return status;
  uint32_t prefixes[PL_SIZES_STEP], suffixes[PL_SIZES_STEP];
  const uint64_t n = decoder.state.delta_strings.prefixes.n_left;
  uint64_t data_size = 0, arena_size = 0;
  for (uint64_t done = 0; done < n;) {
    size_step step = {prefixes, suffixes, .n = n - done < PL_SIZES_STEP ? (size_t)(n - done) : PL_SIZES_STEP};
    status = read_sizes(&decoder, &step, true);
    if (status != PL_OK)
      return status;
    for (size_t i = 0; i < step.n; i++)
      data_size += prefixes[i];
    data_size += step.suffix_bytes;
    arena_size += step.built_bytes;
    decoder.state.delta_strings.next += step.suffix_bytes;
    done += step.n;
  }
  *sizes = (pl_delta_byte_array_sizes){(size_t)n, data_size, arena_size};
  return PL_OK;
}

pl_status pl_delta_byte_array_decode_views(const uint8_t *in, size_t in_size, uint8_t *arena,
                                           size_t arena_capacity, pl_view *views, size_t views_capacity,
                                           size_t *n_values, size_t *in_used) {
  pl_value_decoder decoder;
  pl_status status = open_section(&decoder, PL_TYPE_BYTE_ARRAY, 0, in, in_size);
  if (status != PL_OK)
    return status;
  uint32_t prefixes[PL_SIZES_STEP], suffixes[PL_SIZES_STEP];
  const uint64_t n = decoder.state.delta_strings.prefixes.n_left;
  if (n > views_capacity)
    return PL_NO_SPACE;
  prefix_views v = {.prefixes = prefixes,
                    .suffixes = suffixes,
                    .views = views,
                    .begin = in,
                    .in_end = in + in_size,
                    .arena = arena,
                    .arena_end = arena + arena_capacity};
  for (uint64_t done = 0; done < n;) {
    size_step step = {prefixes, suffixes, .n = n - done < PL_SIZES_STEP ? (size_t)(n - done) : PL_SIZES_STEP};
    status = read_sizes(&decoder, &step, true);
    if (status != PL_OK)
      return status;
    if (step.built_bytes > (size_t)(v.arena_end - v.arena))
      return PL_NO_SPACE;
    v.n = step.n;
    view_values(&v, decoder.state.delta_strings.next);
    decoder.state.delta_strings.next += step.suffix_bytes;
    done += step.n;
  }
  *n_values = (size_t)n;
  *in_used = (size_t)(decoder.state.delta_strings.next - in);
  return PL_OK;
}

pl_status pl_delta_byte_array_decode_offsets(const uint8_t *in, size_t in_size, int32_t *offsets,
                                             size_t offsets_capacity, uint8_t *data, size_t data_capacity,
                                             size_t *n_values, size_t *in_used) {
  pl_value_decoder decoder;
  pl_status status = open_section(&decoder, PL_TYPE_BYTE_ARRAY, 0, in, in_size);
  if (status != PL_OK)
    return status;
  const uint64_t n = decoder.state.delta_strings.prefixes.n_left;
  if (n >= offsets_capacity)
    return PL_NO_SPACE;
  offsets[0] = 0;
  for (size_t done = 0; done < n;) {
    const size_t step = n - done < PL_OFFSETS_STEP ? (size_t)n - done : PL_OFFSETS_STEP;
    status = strings_read_offsets(&decoder, offsets + done, step);
    if (status == PL_OK && (size_t)offsets[done + step] > data_capacity)
      status = PL_NO_SPACE;
    if (status == PL_OK)
      status = strings_read_data(&decoder, offsets + done, data + offsets[done], step);
    if (status != PL_OK)
      return status;
    done += step;
  }
  *n_values = (size_t)n;
  *in_used = (size_t)(decoder.state.delta_strings.next - in);
  return PL_OK;
}

pl_status pl_delta_byte_array_decode_fixed(const uint8_t *in, size_t in_size, uint32_t value_width,
                                           uint8_t *out, size_t out_capacity, size_t *n_values,
                                           size_t *in_used) {
  if (value_width == 0 || value_width > INT32_MAX)
    return PL_BAD_ARGUMENT;
  pl_value_decoder decoder;
  pl_status status = open_section(&decoder, PL_TYPE_FIXED_LEN_BYTE_ARRAY, value_width, in, in_size);
  if (status != PL_OK)
    return status;
  const uint64_t n = decoder.state.delta_strings.prefixes.n_left;
  if (n > out_capacity / value_width)
    return PL_NO_SPACE;
  status = strings_read(&decoder, out, (size_t)n);
  if (status == PL_OK) {
    *n_values = (size_t)n;
    *in_used = (size_t)(decoder.state.delta_strings.next - in);
  }
  return status;
}
