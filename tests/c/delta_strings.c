/* DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY in every shape of output, against values put together one by one: any prefixes,
 * any geometry, every truncation and changed bytes. Inputs and outputs have exactly their size, so that a byte too far
 * is seen by the sanitizers, and end at a page that may not be touched. */
#define _DEFAULT_SOURCE /* mmap's MAP_ANONYMOUS */
#include "encodings/encoding.h"
#include "pagelane/encoding.h"
#include "reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { MAX_VALUES = 1700, AREA = 1 << 20, MAX_SECTION = 1 << 19 };

static ref_random rng = {50822};

/* Memory in front of a page that faults. */
static uint8_t *area_end(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  uint8_t *all = mmap(NULL, AREA + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(all != MAP_FAILED);
  assert_int_equal(mprotect(all + AREA, page, PROT_NONE), 0);
  return all + AREA;
}

static uint8_t *in_end, *out_end;

/* ---- sections, and what they hold ---- */

typedef struct strings {
  size_t n;
  uint64_t prefixes[MAX_VALUES], suffixes[MAX_VALUES]; /* sizes */
  uint64_t offsets[MAX_VALUES + 1];
  uint8_t data[MAX_SECTION];
  uint8_t section[MAX_SECTION];
  size_t section_size;
} strings;

static strings s;

static size_t put_stream(uint8_t *to, const uint64_t *sizes) {
  static const unsigned geometries[][2] = {{128, 4}, {128, 1}, {256, 4}, {256, 8}, {1024, 4}};
  const unsigned *g = geometries[ref_below(&rng, 5)];
  return ref_write_delta(&rng, sizes, s.n, 32, g[0], g[1], ref_below(&rng, 2) == 0, to);
}

/* Random values: `width` bytes each, or (0) up to `most`. A prefix where a draw out of 100 says so. */
static void make_values(size_t n, uint32_t width, uint32_t most, uint32_t prefixed) {
  uint64_t last = 0;
  s.n = n;
  for (size_t i = 0; i < n; i++) {
    const uint64_t size = width != 0 ? width : ref_below(&rng, most + 1);
    const uint64_t shared = size < last ? size : last;
    const bool whole = ref_below(&rng, 8) == 0;
    s.prefixes[i] = ref_below(&rng, 100) >= prefixed ? 0 : whole ? shared : ref_below(&rng, shared + 1);
    s.suffixes[i] = size - s.prefixes[i];
    s.offsets[i + 1] = s.offsets[i] + size;
    for (uint64_t k = 0; k < size; k++)
      s.data[s.offsets[i] + k] = k < s.prefixes[i] ? s.data[s.offsets[i - 1] + k] : (uint8_t)ref_next(&rng);
    last = size;
  }
}

static void write_strings(void) {
  uint8_t *to = s.section + put_stream(s.section, s.prefixes);
  to += put_stream(to, s.suffixes);
  for (size_t i = 0; i < s.n; i++) {
    memcpy(to, s.data + s.offsets[i] + s.prefixes[i], s.suffixes[i]);
    to += s.suffixes[i];
  }
  s.section_size = (size_t)(to - s.section);
}

static void write_lengths(void) {
  uint64_t sizes[MAX_VALUES];
  for (size_t i = 0; i < s.n; i++)
    sizes[i] = s.offsets[i + 1] - s.offsets[i];
  uint8_t *to = s.section + put_stream(s.section, sizes);
  memcpy(to, s.data, s.offsets[s.n]);
  s.section_size = (size_t)(to - s.section) + s.offsets[s.n];
}

/* ---- outputs against them ---- */

static pl_view views[MAX_VALUES];
static int32_t offsets[MAX_VALUES + 1];

static void check_views(size_t n) {
  assert_int_equal(n, s.n);
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(views[i].size, s.offsets[i + 1] - s.offsets[i]);
    if (views[i].size != 0)
      assert_memory_equal(views[i].bytes, s.data + s.offsets[i], views[i].size);
  }
}

static void check_offsets(size_t n, const uint8_t *data) {
  assert_int_equal(n, s.n);
  for (size_t i = 0; i <= n; i++)
    assert_int_equal(offsets[i], s.offsets[i]);
  if (s.offsets[n] != 0)
    assert_memory_equal(data, s.data, s.offsets[n]);
}

static void check_strings(uint32_t width) {
  const uint8_t *in = memcpy(in_end - s.section_size, s.section, s.section_size);
  pl_delta_byte_array_sizes sizes;
  size_t n, used;
  uint64_t arena_size = 0;
  for (size_t i = 0; i < s.n; i++)
    arena_size += s.prefixes[i] != 0 && s.suffixes[i] != 0 ? s.prefixes[i] + s.suffixes[i] : 0;
  assert_int_equal(pl_delta_byte_array_size(in, s.section_size, &sizes), PL_OK);
  assert_int_equal(sizes.n_values, s.n);
  assert_int_equal(sizes.data_size, s.offsets[s.n]);
  assert_int_equal(sizes.arena_size, arena_size);

  assert_int_equal(pl_delta_byte_array_decode_views(in, s.section_size, out_end - arena_size, arena_size, views,
                                                    s.n, &n, &used),
                   PL_OK);
  assert_int_equal(used, s.section_size);
  check_views(n);
  for (size_t i = 0; i < n; i++) /* a copy only where it is needed */
    if (views[i].bytes >= out_end - arena_size && views[i].bytes < out_end && arena_size != 0)
      assert_true(s.prefixes[i] != 0);
  uint8_t *data = out_end - s.offsets[s.n];
  assert_int_equal(
      pl_delta_byte_array_decode_offsets(in, s.section_size, offsets, s.n + 1, data, s.offsets[s.n], &n, &used),
      PL_OK);
  assert_int_equal(used, s.section_size);
  check_offsets(n, data);
  if (arena_size != 0)
    assert_int_equal(pl_delta_byte_array_decode_views(in, s.section_size, out_end - arena_size, arena_size - 1,
                                                      views, s.n, &n, &used),
                     PL_NO_SPACE);
  if (width == 0)
    return;
  memset(data, 0, s.offsets[s.n]);
  assert_int_equal(pl_delta_byte_array_decode_fixed(in, s.section_size, width, data, s.offsets[s.n], &n, &used),
                   PL_OK);
  assert_int_equal(n, s.n);
  assert_int_equal(used, s.section_size);
  if (s.offsets[n] != 0)
    assert_memory_equal(data, s.data, s.offsets[n]);
}

static const uint32_t prefixed[] = {0, 10, 50, 90, 99, 100};
static const size_t counts[] = {0, 1, 2, 3, 5, 9, 17, 40, 127, 128, 129, 257, 511, 512, 513, 1024, 1025, 1600};
enum { N_COUNTS = sizeof counts / sizeof *counts };

static void strings_of_any_size(void **state) {
  static const uint32_t most[] = {0, 1, 5, 16, 33, 64, 300};
  (void)state;
  for (size_t m = 0; m < sizeof most / sizeof *most; m++)
    for (size_t c = 0; c < N_COUNTS; c++)
      for (size_t p = 0; p < 6; p++) {
        make_values(counts[c], 0, most[m], prefixed[p]);
        write_strings();
        check_strings(0);
      }
}

static void values_of_one_width(void **state) {
  (void)state;
  for (uint32_t width = 1; width <= 70; width++)
    for (size_t c = 0; c < N_COUNTS; c += width < 35 ? 1 : 3)
      for (size_t p = 0; p < 6; p++) {
        make_values(counts[c], width, 0, prefixed[p]);
        write_strings();
        check_strings(width);
      }
}

static void lengths(void **state) {
  static const uint32_t most[] = {0, 1, 16, 300};
  (void)state;
  for (size_t m = 0; m < 4; m++)
    for (size_t c = 0; c < N_COUNTS; c++) {
      make_values(counts[c], 0, most[m], 0);
      write_lengths();
      const uint8_t *in = memcpy(in_end - s.section_size, s.section, s.section_size), *data;
      size_t n, used;
      uint64_t size;
      assert_int_equal(pl_delta_length_byte_array_size(in, s.section_size, &n, &size), PL_OK);
      assert_int_equal(n, s.n);
      assert_int_equal(size, s.offsets[n]);
      assert_int_equal(pl_delta_length_byte_array_decode_views(in, s.section_size, views, s.n, &n, &used),
                       PL_OK);
      assert_int_equal(used, s.section_size);
      check_views(n);
      assert_int_equal(
          pl_delta_length_byte_array_decode_offsets(in, s.section_size, offsets, s.n + 1, &data, &n, &used),
          PL_OK);
      assert_int_equal(used, s.section_size);
      check_offsets(n, data);
      assert_int_equal(
          pl_delta_length_byte_array_decode_offsets(in, s.section_size, offsets, s.n, &data, &n, &used),
          PL_NO_SPACE);
    }
}

/* ---- sections that are wrong ---- */

/* What one value at a time makes of a DELTA_BYTE_ARRAY section. Values to `data`, where there is room. */
static pl_status decode_one_by_one(const uint8_t *in, size_t size, uint32_t width, size_t *n,
                                   uint64_t *n_bytes) {
  static uint64_t prefixes[1 << 16], suffixes[1 << 16];
  size_t used, more_used, n_suffixes;
  pl_status status = ref_delta(in, size, 32, prefixes, SIZE_MAX, n, &used);
  if (status == PL_OK)
    status = ref_delta(in + used, size - used, 32, suffixes, SIZE_MAX, &n_suffixes, &more_used);
  if (status != PL_OK)
    return status;
  if (*n != n_suffixes)
    return PL_CORRUPT;
  uint64_t last = 0, left = size - used - more_used;
  *n_bytes = 0;
  for (size_t i = 0; i < *n; i++) {
    const int32_t p = (int32_t)prefixes[i], x = (int32_t)suffixes[i];
    if (p < 0 || x < 0 || (uint64_t)p > last || (width != 0 && (uint64_t)p + (uint64_t)x != width))
      return PL_CORRUPT;
    if ((uint64_t)x > left)
      return PL_TRUNCATED;
    left -= (uint64_t)x;
    last = (uint64_t)p + (uint64_t)x;
    *n_bytes += last;
  }
  return PL_OK;
}

/* Every function on a section that may be anything: the status has to be that of one value at a time. */
static void check_any(size_t size, uint32_t width) {
  const uint8_t *in = memcpy(in_end - size, s.section, size);
  size_t n = 0, n_values, used;
  uint64_t n_bytes = 0;
  pl_delta_byte_array_sizes sizes;
  pl_delta_reader reader; /* no more values than the arrays hold */
  if (pl_delta_reader_open(&reader, in, size, 32) == PL_OK && reader.n_left > MAX_VALUES)
    return;
  const pl_status expected = decode_one_by_one(in, size, 0, &n, &n_bytes);
  assert_int_equal(pl_delta_byte_array_size(in, size, &sizes), expected);
  if (expected == PL_OK && n_bytes < AREA / 2) {
    uint8_t *data = out_end - n_bytes;
    assert_int_equal(
        pl_delta_byte_array_decode_offsets(in, size, offsets, n + 1, data, n_bytes, &n_values, &used), PL_OK);
    assert_int_equal(pl_delta_byte_array_decode_views(in, size, out_end - sizes.arena_size, sizes.arena_size,
                                                      views, n, &n_values, &used),
                     PL_OK);
  } else {
    assert_int_not_equal(pl_delta_byte_array_decode_offsets(in, size, offsets, MAX_VALUES + 1, out_end - 4096,
                                                            4096, &n_values, &used),
                         PL_OK);
    assert_int_equal(pl_delta_byte_array_decode_views(in, size, out_end - AREA / 2, AREA / 2, views, MAX_VALUES,
                                                      &n_values, &used),
                     expected);
  }
  if (width != 0)
    assert_int_equal(pl_delta_byte_array_decode_fixed(in, size, width, out_end - MAX_VALUES * width,
                                                      MAX_VALUES * width, &n_values, &used),
                     decode_one_by_one(in, size, width, &n, &n_bytes));
}

static void cut_sections(void **state) {
  (void)state;
  for (uint32_t width = 0; width <= 20; width += 4) {
    make_values(140, width, 12, 70);
    write_strings();
    const size_t whole = s.section_size;
    for (size_t size = 1; size < whole; size++)
      check_any(size, width);
  }
}

static void changed_sections(void **state) {
  (void)state;
  for (unsigned round = 0; round < 20000; round++) {
    const uint32_t width = (uint32_t)ref_below(&rng, 2) * (uint32_t)(1 + ref_below(&rng, 40));
    make_values((size_t)ref_below(&rng, 200), width, 20, 70);
    write_strings();
    const size_t lengths_size = s.section_size < 200 ? s.section_size : 200;
    for (uint64_t changes = 1 + ref_below(&rng, 3); changes != 0; changes--)
      s.section[ref_below(&rng, lengths_size)] = (uint8_t)ref_next(&rng);
    check_any(s.section_size, width);
  }
}

/* ---- reading and skipping in turns ---- */

/* Memory for the kept value, of exactly the size that was asked for last. */
static pl_status reserve_exactly(pl_kept_value *kept, uint64_t size) {
  static uint64_t capacity;
  if (kept->bytes == NULL)
    capacity = 0;
  if (size <= capacity)
    return PL_OK;
  uint8_t *bytes = malloc(size);
  assert_non_null(bytes);
  if (capacity != 0)
    memcpy(bytes, kept->bytes, capacity);
  free(kept->bytes);
  kept->bytes = bytes;
  capacity = size;
  return PL_OK;
}

/* n values from value `at` on, into memory that is gone afterwards. `whole`: the section is good, and holds s. */
static pl_status read_values(pl_value_decoder *decoder, uint32_t width, size_t at, size_t n, bool whole) {
  int32_t *const ends = malloc((n + 1) * sizeof *ends);
  assert_non_null(ends);
  uint64_t size = n * width;
  pl_status status = PL_OK;
  ends[0] = 7;
  if (width == 0) {
    status = decoder->encoding->read_offsets(decoder, ends, n);
    size = status == PL_OK ? (uint64_t)(ends[n] - 7) : 0;
  }
  uint8_t *const data = malloc(size + 1); /* malloc(0) may be NULL */
  assert_non_null(data);
  if (status == PL_OK)
    status = width != 0 ? decoder->encoding->read(decoder, data + 1, n)
                        : decoder->encoding->read_data(decoder, ends, data + 1, n);
  if (status == PL_OK && whole) {
    for (size_t i = 0; i <= n && width == 0; i++)
      assert_int_equal(ends[i] - 7, s.offsets[at + i] - s.offsets[at]);
    assert_int_equal(size, s.offsets[at + n] - s.offsets[at]);
    if (size != 0)
      assert_memory_equal(data + 1, s.data + s.offsets[at], size);
  }
  free(data);
  free(ends);
  return status;
}

static void read_in_turns(pl_encoding encoding, uint32_t width, size_t n, bool whole) {
  uint8_t *const in = malloc(s.section_size);
  assert_non_null(in);
  memcpy(in, s.section, s.section_size);
  pl_kept_value kept = {.reserve = reserve_exactly};
  const pl_value_section section = {
      .type = width != 0 ? PL_TYPE_FIXED_LEN_BYTE_ARRAY : PL_TYPE_BYTE_ARRAY,
      .value_width = width,
      .bytes = in,
      .size = s.section_size,
      .n_entries = n + ref_below(&rng, 3),
      .kept = &kept,
  };
  pl_value_decoder *const decoder = malloc(sizeof *decoder);
  assert_non_null(decoder);
  pl_status status = pl_value_decoder_open(decoder, (int32_t)encoding, &section);
  pl_status (*const pass)(pl_value_decoder *, uint64_t) =
      decoder->encoding->skip; /* skip() is a macro of cmocka */
  const uint64_t most = ref_below(&rng, 3) == 0 ? 5 : 700;
  for (size_t at = 0; at < n && status == PL_OK;) {
    const size_t left = n - at, wanted = 1 + (size_t)ref_below(&rng, most),
                 step = wanted < left ? wanted : left;
    status = ref_below(&rng, 3) == 0 ? pass(decoder, step) : read_values(decoder, width, at, step, whole);
    at += step;
  }
  if (whole) {
    assert_int_equal(status, PL_OK);
    assert_int_equal(decoder->encoding->finish(decoder), PL_OK);
  }
  free(decoder);
  free(kept.bytes);
  free(in);
}

static void turns(void **state) {
  (void)state;
  for (unsigned round = 0; round < 3000; round++) {
    const uint32_t width = (uint32_t)ref_below(&rng, 2) * (uint32_t)(1 + ref_below(&rng, 70));
    const bool lengths_only = width == 0 && ref_below(&rng, 3) == 0;
    const size_t n = 1 + (size_t)ref_below(&rng, round % 4 == 0 ? MAX_VALUES : 300);
    make_values(n, width, round % 5 == 0 ? 300 : 40, prefixed[ref_below(&rng, 6)]);
    if (lengths_only)
      write_lengths();
    else
      write_strings();
    const pl_encoding encoding =
        lengths_only ? PL_ENCODING_DELTA_LENGTH_BYTE_ARRAY : PL_ENCODING_DELTA_BYTE_ARRAY;
    read_in_turns(encoding, width, n, true);
    for (unsigned change = 0; change < 8; change++) {
      s.section[ref_below(&rng, s.section_size < 100 ? s.section_size : 100)] = (uint8_t)ref_next(&rng);
      read_in_turns(encoding, width, n, false);
    }
  }
}

static int set_up(void **state) {
  (void)state;
  in_end = area_end();
  out_end = area_end();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strings_of_any_size), cmocka_unit_test(values_of_one_width), cmocka_unit_test(lengths),
      cmocka_unit_test(cut_sections),        cmocka_unit_test(changed_sections),    cmocka_unit_test(turns),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
