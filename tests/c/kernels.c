/* Every kernel of every table this machine runs against the value-at-a-time models. Delta streams:
 * kernels_delta.c. */
#include "kernels/kernels.h"
#include "reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_VALUES = 4096, CANARY = 0xA5 };

static const pl_kernels *tables[8];
static size_t n_tables;
static ref_random rng = {20240607};

/* More input than any case needs: 8 bytes a value, and headers. */
static uint8_t input[MAX_VALUES * 12 + 64];

#define CHECK(condition, ...)                                                                                  \
  do {                                                                                                         \
    if (!(condition))                                                                                          \
      fail_msg(__VA_ARGS__);                                                                                   \
  } while (0)

/* 0 to 24 values one by one, then larger counts. */
static size_t count_of_case(unsigned c) {
  return c <= 24 ? c : 25 + (size_t)ref_below(&rng, c < 30 ? 300 : 3000);
}

enum { N_COUNTS = 32 };

static void unpack_matches(const pl_kernels *kernels, unsigned width, size_t n, size_t spare) {
  static uint64_t out[MAX_VALUES + 1], expected[MAX_VALUES];
  uint32_t *out32 = (uint32_t *)out;
  const size_t in_size = (n * width + 7) / 8 + spare;
  for (size_t i = 0; i < n; i++)
    expected[i] = ref_get(input, i * width, width);
  memset(out, CANARY, sizeof out);
  kernels->bit_unpack_64(input, in_size, width, out, n);
  CHECK(memcmp(out, expected, n * 8) == 0, "%s: 64, width %u, n %zu", kernels->name, width, n);
  CHECK((uint8_t)out[n] == CANARY, "%s: 64, width %u, n %zu: written past", kernels->name, width, n);
  if (width > 32)
    return;
  memset(out, CANARY, sizeof out);
  kernels->bit_unpack_32(input, in_size, width, out32, n);
  for (size_t i = 0; i < n; i++)
    CHECK(out32[i] == expected[i], "%s: 32, width %u, n %zu, value %zu", kernels->name, width, n, i);
  CHECK((uint8_t)out32[n] == CANARY, "%s: 32, width %u, n %zu: written past", kernels->name, width, n);
}

static void bit_unpack(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof input; i++)
    input[i] = (uint8_t)ref_next(&rng);
  for (unsigned width = 0; width <= 64; width++) {
    for (unsigned c = 0; c < N_COUNTS; c++) {
      const size_t n = count_of_case(c);
      for (size_t t = 0; t < n_tables; t++) {
        unpack_matches(tables[t], width, n, 0);
        unpack_matches(tables[t], width, n, (size_t)ref_below(&rng, 80));
      }
    }
  }
}

/* ---- the hybrid ---- */

static pl_rle_reader rle_reader(const uint8_t *in, size_t in_size, unsigned width) {
  return (pl_rle_reader){.next = in, .end = in + in_size, .bit_width = width};
}

static uint32_t most_of_width(unsigned width) {
  return width == 32 ? UINT32_MAX : (1u << width) - 1;
}

/* A stream of n values in `input`, the values in `values`. Returns its size. */
static uint32_t values[MAX_VALUES + 8];

static size_t make_rle(unsigned width, uint32_t most, size_t n) {
  return ref_write_rle(&rng, width, most, n, values, input);
}

/* n values in two or more reads. */
static pl_status read_in_pieces(const pl_kernels *kernels, pl_rle_reader *reader, uint32_t *out, size_t n) {
  while (n != 0) {
    const size_t piece =
        ref_next(&rng) >> 63 ? 1 + (size_t)ref_below(&rng, n) : 1 + (size_t)ref_below(&rng, n < 20 ? n : 20);
    const pl_status status = kernels->rle_read_32(reader, out, piece);
    if (status != PL_OK)
      return status;
    out += piece, n -= piece;
  }
  return PL_OK;
}

static void rle_read(void **state) {
  (void)state;
  static uint32_t out[MAX_VALUES + 8], expected[MAX_VALUES];
  for (unsigned width = 0; width <= 32; width++) {
    for (unsigned c = 0; c < N_COUNTS; c++) {
      const size_t n = count_of_case(c), size = make_rle(width, most_of_width(width), n);
      size_t n_expected, used = 0;
      assert_int_equal(ref_rle(input, size, width, expected, n, &n_expected, &used), PL_OK);
      assert_memory_equal(expected, values, n * 4);
      for (size_t t = 0; t < n_tables; t++) {
        const char *name = tables[t]->name;
        pl_rle_reader reader = rle_reader(input, size, width);
        memset(out, CANARY, sizeof out);
        CHECK(tables[t]->rle_read_32(&reader, out, n) == PL_OK, "%s: width %u, n %zu", name, width, n);
        CHECK(memcmp(out, expected, n * 4) == 0, "%s: width %u, n %zu: values", name, width, n);
        CHECK(out[n] == CANARY * 0x01010101u, "%s: width %u, n %zu: written past", name, width, n);
        CHECK(reader.next == input + used, "%s: width %u, n %zu: end", name, width, n);
        reader = rle_reader(input, size, width);
        memset(out, CANARY, sizeof out);
        CHECK(read_in_pieces(tables[t], &reader, out, n) == PL_OK, "%s: width %u, n %zu: pieces", name, width,
              n);
        CHECK(memcmp(out, expected, n * 4) == 0, "%s: width %u, n %zu: values of pieces", name, width, n);
        CHECK(reader.next == input + used, "%s: width %u, n %zu: end after pieces", name, width, n);
      }
    }
  }
}

/* Every cut of a stream, and streams with bytes changed: the model's status, and its values where it is PL_OK.
 */
static void rle_broken(void **state) {
  (void)state;
  static uint32_t out[MAX_VALUES + 8], expected[MAX_VALUES];
  for (unsigned width = 0; width <= 32; width++) {
    for (unsigned c = 0; c < 60; c++) {
      const size_t n = 1 + (size_t)ref_below(&rng, 150), size = make_rle(width, most_of_width(width), n);
      size_t cut = size;
      if (c % 2 == 0)
        cut = (size_t)ref_below(&rng, size + 1);
      else
        input[ref_below(&rng, size)] ^= (uint8_t)(1u << ref_below(&rng, 8));
      size_t n_expected, used = 0;
      const pl_status status = ref_rle(input, cut, width, expected, n, &n_expected, &used);
      for (size_t t = 0; t < n_tables; t++) {
        pl_rle_reader reader = rle_reader(input, cut, width);
        CHECK(read_in_pieces(tables[t], &reader, out, n) == status, "%s: width %u, n %zu: status %d",
              tables[t]->name, width, n, status);
        reader = rle_reader(input, cut, width);
        CHECK(tables[t]->rle_read_32(&reader, out, n_expected) == PL_OK, "%s: width %u: values before the end",
              tables[t]->name, width);
        CHECK(memcmp(out, expected, n_expected * 4) == 0, "%s: width %u: values", tables[t]->name, width);
      }
    }
  }
}

typedef struct rle_case {
  const char *what;
  unsigned width, n;
  pl_status status;
  unsigned size;
  uint8_t bytes[24];
} rle_case;

static const rle_case rle_cases[] = {
    {"five ones", 1, 5, PL_OK, 2, {0x0A, 0x01}},
    {"0 to 7 at width 3", 3, 8, PL_OK, 4, {0x03, 0x88, 0xC6, 0xFA}},
    {"width 0", 0, 300, PL_OK, 2, {0xD8, 0x04}},
    {"packed run of width 0", 0, 16, PL_OK, 1, {0x05}},
    {"RLE run of no values", 1, 1, PL_CORRUPT, 2, {0x00, 0x01}},
    {"packed run of no values", 1, 1, PL_CORRUPT, 2, {0x01, 0x01}},
    {"value wider than the width", 3, 1, PL_CORRUPT, 2, {0x02, 0x08}},
    {"value of 9 bits at width 9, high bits set", 9, 1, PL_CORRUPT, 3, {0x02, 0xFF, 0x02}},
    {"largest value of 9 bits", 9, 1, PL_OK, 3, {0x02, 0xFF, 0x01}},
    {"value cut", 9, 1, PL_TRUNCATED, 2, {0x02, 0xFF}},
    {"nothing", 1, 1, PL_TRUNCATED, 0, {0}},
    {"header cut", 1, 1, PL_TRUNCATED, 1, {0x80}},
    {"header of 5 bytes", 1, 1, PL_OK, 6, {0x82, 0x80, 0x80, 0x80, 0x00, 0x01}},
    {"header of 6 bytes", 1, 1, PL_CORRUPT, 7, {0x82, 0x80, 0x80, 0x80, 0x80, 0x00, 0x01}},
    {"header of 33 bits", 1, 1, PL_CORRUPT, 6, {0x82, 0x80, 0x80, 0x80, 0x10, 0x01}},
    {"2^31 - 1 equal values", 1, 9, PL_OK, 6, {0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 0x01}},
    {"2^31 packed values", 1, 1, PL_CORRUPT, 6, {0x81, 0x80, 0x80, 0x80, 0x02, 0xFF}},
    {"2^31 - 8 packed values, two there", 4, 2, PL_OK, 6, {0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0xFF}},
    {"2^31 - 8 packed values, a third asked", 4, 3, PL_TRUNCATED, 6, {0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0xFF}},
    {"padding of the last group cut", 3, 5, PL_OK, 3, {0x03, 0x88, 0xC6}},
    {"value of the last group cut", 3, 6, PL_TRUNCATED, 3, {0x03, 0x88, 0xC6}},
    {"packed run without a byte", 3, 1, PL_TRUNCATED, 1, {0x03}},
    {"second run missing", 1, 6, PL_TRUNCATED, 2, {0x0A, 0x01}},
};

static void rle_known(void **state) {
  (void)state;
  uint32_t out[300], expected[300];
  for (size_t c = 0; c < sizeof rle_cases / sizeof *rle_cases; c++) {
    const rle_case *r = &rle_cases[c];
    size_t n_expected, used;
    CHECK(ref_rle(r->bytes, r->size, r->width, expected, r->n, &n_expected, &used) == r->status, "model: %s",
          r->what);
    for (size_t t = 0; t < n_tables; t++) {
      pl_rle_reader reader = rle_reader(r->bytes, r->size, r->width);
      CHECK(tables[t]->rle_read_32(&reader, out, r->n) == r->status, "%s: %s", tables[t]->name, r->what);
      CHECK(memcmp(out, expected, n_expected * 4) == 0 || r->status != PL_OK, "%s: %s: values", tables[t]->name,
            r->what);
    }
  }
}

/* ---- levels ---- */

static void levels_match(const pl_kernels *kernels, unsigned width, uint32_t max_level, size_t n, size_t size) {
  static uint16_t out[MAX_VALUES + 8];
  size_t first_wrong = 0;
  while (first_wrong < n && values[first_wrong] <= max_level)
    first_wrong++;
  const size_t split = first_wrong == 0 ? 0 : (size_t)ref_below(&rng, first_wrong + 1);
  pl_rle_reader reader = rle_reader(input, size, width);
  memset(out, CANARY, sizeof out);
  CHECK(kernels->rle_read_levels(&reader, max_level, out, split) == PL_OK, "%s: width %u", kernels->name,
        width);
  CHECK(out[split] == CANARY * 0x0101u, "%s: width %u: written past", kernels->name, width);
  CHECK(kernels->rle_read_levels(&reader, max_level, out + split, first_wrong - split) == PL_OK, "%s: width %u",
        kernels->name, width);
  for (size_t i = 0; i < first_wrong; i++)
    CHECK(out[i] == values[i], "%s: width %u, level %zu", kernels->name, width, i);
  CHECK(out[first_wrong] == CANARY * 0x0101u, "%s: width %u: written past", kernels->name, width);
  if (first_wrong < n)
    CHECK(kernels->rle_read_levels(&reader, max_level, out, n - first_wrong) == PL_CORRUPT,
          "%s: width %u: level above %u", kernels->name, width, max_level);
}

static void skip_matches(const pl_kernels *kernels, unsigned width, size_t n, size_t size) {
  const size_t split = (size_t)ref_below(&rng, n + 1);
  const uint32_t value = n == 0 ? 0 : values[ref_below(&rng, n)];
  uint64_t expected[2] = {0, 0}, n_equal;
  for (size_t i = 0; i < n; i++)
    expected[i >= split] += values[i] == value;
  pl_rle_reader reader = rle_reader(input, size, width);
  CHECK(kernels->rle_skip(&reader, value, split, &n_equal) == PL_OK && n_equal == expected[0],
        "%s: skip, width %u", kernels->name, width);
  if (split < n) {
    uint32_t next;
    pl_rle_reader copy = reader;
    CHECK(kernels->rle_read_32(&copy, &next, 1) == PL_OK && next == values[split], "%s: after skip, width %u",
          kernels->name, width);
  }
  CHECK(kernels->rle_skip(&reader, value, n - split, &n_equal) == PL_OK && n_equal == expected[1],
        "%s: second skip, width %u", kernels->name, width);
}

static void levels(void **state) {
  (void)state;
  for (unsigned width = 0; width <= 16; width++) {
    for (unsigned c = 0; c < 2 * N_COUNTS; c++) {
      const size_t n = count_of_case(c / 2);
      const uint32_t most = most_of_width(width);
      const size_t size = make_rle(width, c % 2 ? most : (uint32_t)ref_below(&rng, (uint64_t)most + 1), n);
      for (size_t t = 0; t < n_tables; t++) {
        levels_match(tables[t], width, most, n, size);
        levels_match(tables[t], width, (uint32_t)ref_below(&rng, (uint64_t)most + 1), n, size);
        skip_matches(tables[t], width, n, size);
      }
    }
  }
}

static void bitmap_matches(const pl_kernels *kernels, size_t n, size_t size) {
  static uint8_t bitmap[MAX_VALUES / 8 + 64], expected[sizeof bitmap];
  const uint64_t first = ref_below(&rng, 70);
  const size_t split = (size_t)ref_below(&rng, n + 1);
  size_t n_set[2] = {9999, 9999}, n_ones[2] = {0, 0};
  for (size_t i = 0; i < sizeof bitmap; i++)
    expected[i] = bitmap[i] = (uint8_t)ref_next(&rng);
  for (size_t i = 0; i < n; i++) {
    ref_put(expected, first + i, 1, values[i]);
    n_ones[i >= split] += values[i];
  }
  for (uint64_t end = first + n; n != 0 && end % 8 != 0; end++)
    ref_put(expected, end, 1, 0);
  pl_rle_reader reader = rle_reader(input, size, 1);
  CHECK(kernels->rle_read_bitmap(&reader, bitmap, first, split, &n_set[0]) == PL_OK, "%s: bitmap",
        kernels->name);
  CHECK(kernels->rle_read_bitmap(&reader, bitmap, first + split, n - split, &n_set[1]) == PL_OK, "%s: bitmap",
        kernels->name);
  CHECK(memcmp(bitmap, expected, sizeof bitmap) == 0, "%s: bitmap, first %u, n %zu", kernels->name,
        (unsigned)first, n);
  CHECK(n_set[0] == n_ones[0] && n_set[1] == n_ones[1], "%s: bitmap count, n %zu", kernels->name, n);
}

static void bitmap(void **state) {
  (void)state;
  for (unsigned c = 0; c < 40 * N_COUNTS; c++) {
    const size_t n = count_of_case(c % N_COUNTS), size = make_rle(1, 1, n);
    for (size_t t = 0; t < n_tables; t++)
      bitmap_matches(tables[t], n, size);
  }
}

/* ---- dictionary ---- */

static uint64_t entries[1 << 12];

static void dictionary_matches(const pl_kernels *kernels, unsigned width, uint32_t n_entries, size_t n,
                               size_t size) {
  static uint64_t out64[MAX_VALUES + 1];
  static uint32_t out32[MAX_VALUES + 1], indices[MAX_VALUES + 1];
  const uint32_t *entries32 = (const uint32_t *)entries;
  const uint32_t base = (uint32_t)ref_below(&rng, 3) * 1000;
  size_t n_good = 0;
  while (n_good < n && values[n_good] < n_entries)
    n_good++;
  const size_t split = (size_t)ref_below(&rng, n_good + 1);
  pl_rle_reader a = rle_reader(input, size, width), b = a, c = a;
  memset(out64, CANARY, sizeof out64);
  memset(out32, CANARY, sizeof out32);
  memset(indices, CANARY, sizeof indices);
  for (unsigned half = 0; half < 2; half++) {
    const size_t from = half ? split : 0, count = half ? n_good - split : split;
    CHECK(kernels->dictionary_read_64(&a, entries, n_entries, out64 + from, count) == PL_OK &&
              kernels->dictionary_read_32(&b, entries32, n_entries, out32 + from, count) == PL_OK &&
              kernels->dictionary_read_indices(&c, n_entries, base, indices + from, count) == PL_OK,
          "%s: width %u, %u entries", kernels->name, width, n_entries);
  }
  for (size_t i = 0; i < n_good; i++)
    CHECK(out64[i] == entries[values[i]] && out32[i] == entries32[values[i]] && indices[i] == values[i] + base,
          "%s: width %u, %u entries, value %zu", kernels->name, width, n_entries, i);
  CHECK((uint8_t)out64[n_good] == CANARY && (uint8_t)out32[n_good] == CANARY &&
            (uint8_t)indices[n_good] == CANARY,
        "%s: width %u: written past", kernels->name, width);
  if (n_good == n)
    return;
  CHECK(kernels->dictionary_read_64(&a, entries, n_entries, out64, n - n_good) == PL_CORRUPT &&
            kernels->dictionary_read_32(&b, entries32, n_entries, out32, n - n_good) == PL_CORRUPT &&
            kernels->dictionary_read_indices(&c, n_entries, base, indices, n - n_good) == PL_CORRUPT,
        "%s: width %u, %u entries: index past them", kernels->name, width, n_entries);
}

static void dictionary(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    entries[i] = ref_next(&rng);
  for (unsigned width = 0; width <= 12; width++) {
    for (unsigned c = 0; c < 4 * N_COUNTS; c++) {
      const size_t n = count_of_case(c / 4);
      const uint32_t most = (uint32_t)ref_below(&rng, 1u << width), size = (uint32_t)make_rle(width, most, n);
      for (size_t t = 0; t < n_tables; t++) {
        dictionary_matches(tables[t], width, most + 1, n, size);
        dictionary_matches(tables[t], width, (uint32_t)ref_below(&rng, most + 1), n, size);
      }
    }
  }
}

/* ---- spread ---- */

static void spread_matches(const pl_kernels *kernels, unsigned density, size_t n) {
  static uint64_t dense[MAX_VALUES], out[MAX_VALUES + 1];
  static uint8_t validity[MAX_VALUES / 8 + 16];
  const uint32_t *dense32 = (const uint32_t *)dense;
  uint32_t *out32 = (uint32_t *)out;
  const uint64_t first = ref_below(&rng, 70);
  for (size_t i = 0; i < first + n; i++)
    ref_put(validity, i, 1, ref_below(&rng, 100) < density);
  for (size_t i = 0; i < n; i++)
    dense[i] = ref_next(&rng);
  memset(out, CANARY, sizeof out);
  kernels->spread_64(dense, validity, first, out, n);
  for (size_t i = 0, k = 0; i < n; i++)
    CHECK(out[i] == (ref_get(validity, first + i, 1) ? dense[k++] : 0), "%s: 64, value %zu", kernels->name, i);
  CHECK((uint8_t)out[n] == CANARY, "%s: written past", kernels->name);
  memset(out, CANARY, sizeof out);
  kernels->spread_32(dense32, validity, first, out32, n);
  for (size_t i = 0, k = 0; i < n; i++)
    CHECK(out32[i] == (ref_get(validity, first + i, 1) ? dense32[k++] : 0), "%s: 32, value %zu", kernels->name,
          i);
  CHECK((uint8_t)out32[n] == CANARY, "%s: written past", kernels->name);
}

static void spread(void **state) {
  (void)state;
  static const unsigned densities[] = {0, 1, 10, 50, 90, 99, 100};
  for (unsigned c = 0; c < 10 * N_COUNTS; c++)
    for (size_t t = 0; t < n_tables; t++)
      for (size_t d = 0; d < sizeof densities / sizeof *densities; d++)
        spread_matches(tables[t], densities[d], count_of_case(c % N_COUNTS));
}

int main(void) {
  n_tables = pl_kernels_list(tables);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bit_unpack), cmocka_unit_test(rle_read), cmocka_unit_test(rle_broken),
      cmocka_unit_test(rle_known),  cmocka_unit_test(levels),   cmocka_unit_test(bitmap),
      cmocka_unit_test(dictionary), cmocka_unit_test(spread),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
