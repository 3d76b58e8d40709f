/* The kernels of BYTE_STREAM_SPLIT, ALP and BIT_PACKED levels, every table against value-at-a-time models. */
#include "kernels/kernels.h"
#include "reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_VALUES = 2100, MAX_WIDTH = 70, CANARY = 0xA5 };

static const pl_kernels *tables[8];
static size_t n_tables;
static ref_random rng = {777};

static uint8_t input[MAX_VALUES * MAX_WIDTH];

#define CHECK(condition, ...)                                                                                  \
  do {                                                                                                         \
    if (!(condition))                                                                                          \
      fail_msg(__VA_ARGS__);                                                                                   \
  } while (0)

static void fill_input(void) {
  for (size_t i = 0; i < sizeof input; i++)
    input[i] = (uint8_t)ref_next(&rng);
}

/* ---- BYTE_STREAM_SPLIT ---- */

/* Values first ... first + n - 1 of streams of `stride` values, into a buffer that begins at any byte. */
static void join_matches(const pl_kernels *kernels, uint32_t width, size_t stride, size_t first, size_t n) {
  static uint8_t buffer[MAX_VALUES * MAX_WIDTH + 80];
  uint8_t *out = buffer + ref_below(&rng, 64);
  memset(out, CANARY, n * width + 1);
  kernels->byte_stream_join(input + first, stride, width, out, n);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < width; k++)
      CHECK(out[i * width + k] == input[k * stride + first + i], "%s: width %u, stride %zu, n %zu, value %zu",
            kernels->name, width, stride, n, i);
  CHECK(out[n * width] == CANARY, "%s: width %u, n %zu: written past", kernels->name, width, n);
}

static void byte_stream_join(void **state) {
  (void)state;
  fill_input();
  for (uint32_t width = 1; width <= MAX_WIDTH; width++) {
    for (size_t n = 0; n <= 200; n += width > 33 ? 7 : 1) {
      const size_t first = (size_t)ref_below(&rng, 50), after = (size_t)ref_below(&rng, 50);
      for (size_t t = 0; t < n_tables; t++) {
        join_matches(tables[t], width, n, 0, n);
        join_matches(tables[t], width, first + n + after, first, n);
      }
    }
    for (size_t t = 0; t < n_tables; t++)
      join_matches(tables[t], width, MAX_VALUES, 3, MAX_VALUES - 3 - width);
  }
}

/* ---- ALP ---- */

static const float powers_32[] = {1e0f, 1e3f, 1e10f, 1e-1f, 1e-10f};
static const double powers_64[] = {1e0, 1e3, 1e18, 1e-1, 1e-18};

/* Frames of all sizes, and those around which a conversion to a floating-point number rounds. */
static uint64_t random_frame(void) {
  static const uint64_t edges[] = {
      0,          UINT64_MAX, 1ull << 63,       (1ull << 63) - 1, 1u << 31,       (1u << 31) - 1,
      UINT32_MAX, 1ull << 32, (1ull << 53) - 9, (1ull << 54) + 1, (1u << 24) - 9, 0ull - (1ull << 53) - 9};
  const uint64_t edge = ref_below(&rng, 2 * sizeof edges / sizeof *edges);
  return edge < sizeof edges / sizeof *edges ? edges[edge] : ref_bits(&rng, (unsigned)ref_below(&rng, 65));
}

static void alp_32_matches(const pl_kernels *kernels, const pl_alp_vector *vector, size_t first, size_t n) {
  static uint32_t out[MAX_VALUES + 1];
  memset(out, CANARY, (n + 1) * sizeof *out);
  kernels->alp_read_32(vector, first, out, n);
  for (size_t i = 0; i < n; i++) {
    const uint64_t residual = ref_get(vector->packed, (first + i) * vector->bit_width, vector->bit_width);
    const float scaled = (float)(int32_t)(uint32_t)(vector->frame + residual) * vector->up.f32;
    const pl_float_bits expected = {.f32 = scaled * vector->down.f32};
    CHECK(out[i] == expected.bits32, "%s: f32, width %u, value %zu of %zu from %zu: %08x, expected %08x",
          kernels->name, vector->bit_width, i, n, first, out[i], expected.bits32);
  }
  CHECK((uint8_t)out[n] == CANARY, "%s: f32, n %zu: written past", kernels->name, n);
}

static void alp_64_matches(const pl_kernels *kernels, const pl_alp_vector *vector, size_t first, size_t n) {
  static uint64_t out[MAX_VALUES + 1];
  memset(out, CANARY, (n + 1) * sizeof *out);
  kernels->alp_read_64(vector, first, out, n);
  for (size_t i = 0; i < n; i++) {
    const uint64_t residual = ref_get(vector->packed, (first + i) * vector->bit_width, vector->bit_width);
    const double scaled = (double)(int64_t)(vector->frame + residual) * vector->up.f64;
    const pl_float_bits expected = {.f64 = scaled * vector->down.f64};
    CHECK(out[i] == expected.bits64, "%s: f64, width %u, value %zu of %zu from %zu", kernels->name,
          vector->bit_width, i, n, first);
  }
  CHECK((uint8_t)out[n] == CANARY, "%s: f64, n %zu: written past", kernels->name, n);
}

static void alp_case(uint32_t bit_width, size_t first, size_t n) {
  const size_t size = ((first + n) * bit_width + 7) / 8 + (size_t)ref_below(&rng, 70);
  pl_alp_vector vector = {
      .packed = input, .end = input + size, .frame = random_frame(), .bit_width = bit_width};
  for (size_t t = 0; t < n_tables; t++) {
    vector.up.f64 = powers_64[ref_below(&rng, 5)], vector.down.f64 = powers_64[ref_below(&rng, 5)];
    alp_64_matches(tables[t], &vector, first, n);
    if (bit_width > 32)
      continue;
    vector.up.f32 = powers_32[ref_below(&rng, 5)], vector.down.f32 = powers_32[ref_below(&rng, 5)];
    alp_32_matches(tables[t], &vector, first, n);
  }
}

static void alp_read(void **state) {
  (void)state;
  fill_input();
  for (uint32_t bit_width = 0; bit_width <= 64; bit_width++) {
    for (size_t n = 0; n <= 200; n++)
      alp_case(bit_width, n % 3 ? (size_t)ref_below(&rng, 100) : 0, n);
    alp_case(bit_width, 5, MAX_VALUES - 5);
  }
}

/* ---- BIT_PACKED levels ---- */

static pl_rle_reader msb_reader(unsigned width, size_t n) {
  const size_t size = (n * width + 7) / 8;
  return (pl_rle_reader){.packed = input,
                         .next = input + size,
                         .end = input + size,
                         .run_left = n,
                         .bit_width = width,
                         .msb_first = true};
}

static uint32_t msb_value(unsigned width, size_t i) {
  uint32_t value = 0;
  for (size_t bit = i * width; bit < (i + 1) * width; bit++)
    value = 2 * value + ((input[bit / 8] & 0x80 >> bit % 8) != 0);
  return value;
}

static void msb_levels_match(const pl_kernels *kernels, unsigned width, size_t n) {
  static uint16_t out[MAX_VALUES + 1];
  const uint32_t most = (1u << width) - 1;
  const size_t split = (size_t)ref_below(&rng, n + 1);
  pl_rle_reader reader = msb_reader(width, n), skipped = reader;
  memset(out, CANARY, sizeof out);
  CHECK(kernels->rle_read_levels(&reader, most, out, split) == PL_OK &&
            kernels->rle_read_levels(&reader, most, out + split, n - split) == PL_OK,
        "%s: width %u, n %zu", kernels->name, width, n);
  uint64_t n_equal = 0, n_more = 0, expected = 0;
  for (size_t i = 0; i < n; i++) {
    CHECK(out[i] == msb_value(width, i), "%s: width %u, level %zu", kernels->name, width, i);
    expected += out[i] == most;
  }
  CHECK((uint8_t)out[n] == CANARY, "%s: width %u, n %zu: written past", kernels->name, width, n);
  CHECK(kernels->rle_skip(&skipped, most, split, &n_equal) == PL_OK &&
            kernels->rle_skip(&skipped, most, n - split, &n_more) == PL_OK && n_equal + n_more == expected,
        "%s: width %u, n %zu: skip", kernels->name, width, n);
  CHECK(kernels->rle_read_levels(&reader, most, out, 1) == PL_TRUNCATED, "%s: width %u: one more",
        kernels->name, width);
  reader = msb_reader(width, n);
  CHECK(expected == 0 || kernels->rle_read_levels(&reader, most - 1, out, n) == PL_CORRUPT,
        "%s: width %u: above the maximum", kernels->name, width);
}

static void msb_bitmap_matches(const pl_kernels *kernels, size_t n) {
  static uint8_t bitmap[MAX_VALUES / 8 + 64];
  const uint64_t first = ref_below(&rng, 70);
  const size_t split = (size_t)ref_below(&rng, n + 1);
  size_t n_set = 0, n_more = 0, expected = 0;
  pl_rle_reader reader = msb_reader(1, n);
  memset(bitmap, 0, sizeof bitmap);
  CHECK(kernels->rle_read_bitmap(&reader, bitmap, first, split, &n_set) == PL_OK &&
            kernels->rle_read_bitmap(&reader, bitmap, first + split, n - split, &n_more) == PL_OK,
        "%s: bitmap, n %zu", kernels->name, n);
  for (size_t i = 0; i < n; i++) {
    CHECK(ref_get(bitmap, first + i, 1) == msb_value(1, i), "%s: bitmap, bit %zu of %zu", kernels->name, i, n);
    expected += msb_value(1, i);
  }
  CHECK(n_set + n_more == expected, "%s: bitmap, n %zu: count", kernels->name, n);
  CHECK(ref_get(bitmap, first + n, 64) == 0, "%s: bitmap, n %zu: written past", kernels->name, n);
}

static void bit_packed_levels(void **state) {
  (void)state;
  fill_input();
  for (size_t t = 0; t < n_tables; t++) {
    for (size_t n = 0; n <= 200; n++) {
      for (unsigned width = 1; width <= 16; width++)
        msb_levels_match(tables[t], width, n);
      msb_bitmap_matches(tables[t], n);
    }
    msb_levels_match(tables[t], 3, MAX_VALUES);
    msb_bitmap_matches(tables[t], MAX_VALUES);
  }
}

int main(void) {
  n_tables = pl_kernels_list(tables);
  const struct CMUnitTest tests[] = {cmocka_unit_test(byte_stream_join), cmocka_unit_test(alp_read),
                                     cmocka_unit_test(bit_packed_levels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
