/* DELTA_BINARY_PACKED by every table this machine runs against the value-at-a-time model. */
#include "kernels/kernels.h"
#include "reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_VALUES = 5000, CANARY = 0xA5 };

static const pl_kernels *tables[8];
static size_t n_tables;
static ref_random rng = {424242};

static uint8_t stream[MAX_VALUES * 9 + 2 * 2048 * 9];
static uint64_t values[MAX_VALUES], expected[MAX_VALUES], out[MAX_VALUES + 1];

#define CHECK(condition, ...)                                                                                  \
  do {                                                                                                         \
    if (!(condition))                                                                                          \
      fail_msg(__VA_ARGS__);                                                                                   \
  } while (0)

static const unsigned geometries[][2] = {{128, 4}, {256, 4},  {128, 1},  {128, 2},  {256, 8}, {384, 4},
                                         {640, 4}, {1024, 8}, {2048, 8}, {1024, 1}, {896, 7}};
enum { N_GEOMETRIES = sizeof geometries / sizeof *geometries };

/* Value i of the output, whatever its size. */
static uint64_t out_value(unsigned bits, size_t i) {
  return bits == 64 ? out[i] : ((const uint32_t *)out)[i];
}

static pl_status read_values(const pl_kernels *kernels, pl_delta_reader *reader, unsigned bits, size_t from,
                             size_t n) {
  return bits == 64 ? kernels->delta_read_64(reader, out + from, n)
                    : kernels->delta_read_32(reader, (uint32_t *)out + from, n);
}

/* The whole stream in pieces: all at once, small ones, or some of both. */
static pl_status read_stream(const pl_kernels *kernels, size_t size, unsigned bits, unsigned pieces,
                             size_t *used) {
  pl_delta_reader reader;
  pl_status status = pl_delta_reader_open(&reader, stream, size, bits);
  if (status != PL_OK)
    return status;
  memset(out, CANARY, sizeof out);
  const uint64_t n_announced = reader.n_left;
  const size_t n = n_announced < MAX_VALUES ? (size_t)n_announced : MAX_VALUES;
  for (size_t done = 0; done < n && status == PL_OK;) {
    size_t piece = n;
    if (pieces != 0)
      piece = 1 + (size_t)ref_below(&rng, pieces == 1 ? 9 : 400);
    if (piece > n - done)
      piece = n - done;
    status = read_values(kernels, &reader, bits, done, piece);
    done += piece;
    CHECK(status != PL_OK || reader.n_left == n_announced - done, "%s: n_left", kernels->name);
    if (status == PL_OK && done < MAX_VALUES)
      CHECK(bits == 64 ? (uint8_t)out[done] == CANARY : (uint8_t)((const uint32_t *)out)[done] == CANARY,
            "%s: written past", kernels->name);
  }
  *used = (size_t)(reader.next - stream);
  return status;
}

static void stream_matches(size_t size, unsigned bits, const char *what) {
  size_t n = 0, used_expected = 0;
  const pl_status status = ref_delta(stream, size, bits, expected, MAX_VALUES, &n, &used_expected);
  for (size_t t = 0; t < n_tables; t++) {
    for (unsigned pieces = 0; pieces < 3; pieces++) {
      size_t used = 0;
      const pl_status got = read_stream(tables[t], size, bits, pieces, &used);
      CHECK(got == status, "%s: %s, %u bits, %zu values: status %d, not %d", tables[t]->name, what, bits, n,
            got, status);
      if (status != PL_OK)
        continue;
      for (size_t i = 0; i < n && i < MAX_VALUES; i++)
        CHECK(out_value(bits, i) == expected[i], "%s: %s, %u bits, %zu values: value %zu", tables[t]->name,
              what, bits, n, i);
      CHECK(n > MAX_VALUES || used == used_expected, "%s: %s, %u bits, %zu values: %zu bytes, not %zu",
            tables[t]->name, what, bits, n, used, used_expected);
    }
  }
}

/* How residuals are chosen. */
typedef enum shape {
  SHAPE_RANDOM,      /* any residual of the width */
  SHAPE_ALTERNATING, /* none and the largest in turn: totals wrap */
  SHAPE_FLICKER,     /* a width of its own for every 32 values, 0 to the width */
  N_SHAPES,
} shape;

static void make_values(size_t n, unsigned bits, unsigned width, shape shape) {
  const uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
  const uint64_t min_delta = ref_bits(&rng, ref_below(&rng, 2) ? bits : 5) & mask;
  uint64_t value = ref_next(&rng) & mask;
  unsigned here = width;
  for (size_t i = 0; i < n; i++) {
    values[i] = value;
    if (shape == SHAPE_FLICKER && i % 32 == 0)
      here = (unsigned)ref_below(&rng, width + 1);
    uint64_t residual = ref_bits(&rng, here);
    if (shape == SHAPE_ALTERNATING)
      residual = i % 2 || width == 0 ? 0 : ~0ull >> (64 - width);
    value = (value + min_delta + residual) & mask;
  }
}

static size_t count_of_case(unsigned c, size_t block_size) {
  switch (c) {
  case 0:
    return (size_t)ref_below(&rng, 4);
  case 1:
    return block_size +
           (size_t)ref_below(&rng, 3); /* around a block's end: + 1 is a full block, none after it */
  case 2:
    return (size_t)ref_below(&rng, 300);
  default:
    return (size_t)ref_below(&rng, 2 * block_size + 200);
  }
}

/* One case in the middle of a test takes milliseconds by the bit-wise model: geometries share the widths
 * between them. */
static void widths(void **state) {
  (void)state;
  for (unsigned bits = 32; bits <= 64; bits += 32) {
    for (unsigned width = 0; width <= bits; width++) {
      for (unsigned g = 0; g < N_GEOMETRIES; g++) {
        for (shape shape = 0; shape < N_SHAPES; shape++) {
          const unsigned block_size = geometries[g][0];
          const size_t n = count_of_case((width + g + shape) % 4, block_size);
          char what[64];
          snprintf(what, sizeof what, "%u/%u, width %u, shape %d", block_size, geometries[g][1], width, shape);
          make_values(n, bits, width, shape);
          const bool junk = ref_next(&rng) >> 63;
          const size_t size =
              ref_write_delta(&rng, values, n, bits, block_size, geometries[g][1], junk, stream);
          size_t n_model, used;
          assert_int_equal(ref_delta(stream, size, bits, expected, MAX_VALUES, &n_model, &used), PL_OK);
          assert_memory_equal(expected, values, n * 8);
          assert_int_equal(used, size);
          stream_matches(size, bits, what);
          /* bytes behind the stream belong to somebody else */
          memset(stream + size, 0xff, 64);
          stream_matches(size + (size_t)ref_below(&rng, 64), bits, what);
        }
      }
    }
  }
}

/* Cuts, and bytes changed. */
static void broken(void **state) {
  (void)state;
  for (unsigned c = 0; c < 4000; c++) {
    const unsigned bits = c % 2 ? 64 : 32, g = (unsigned)ref_below(&rng, N_GEOMETRIES);
    const size_t n = 1 + (size_t)ref_below(&rng, 400);
    make_values(n, bits, (unsigned)ref_below(&rng, bits + 1), (shape)ref_below(&rng, N_SHAPES));
    const size_t size =
        ref_write_delta(&rng, values, n, bits, geometries[g][0], geometries[g][1], c % 3 == 0, stream);
    size_t cut = size;
    if (c % 4 < 2)
      cut = (size_t)ref_below(&rng, size + 1);
    else /* mostly in the headers */
      stream[ref_below(&rng, c % 8 < 4 && size > 16 ? 16 : size)] ^= (uint8_t)(1u << ref_below(&rng, 8));
    stream_matches(cut, bits, "broken");
  }
}

/* Every cut of one stream with several blocks is TRUNCATED. */
static void every_cut(void **state) {
  (void)state;
  for (unsigned bits = 32; bits <= 64; bits += 32) {
    make_values(400, bits, 13, SHAPE_FLICKER);
    const size_t size = ref_write_delta(&rng, values, 400, bits, 128, 4, true, stream);
    for (size_t cut = 0; cut < size; cut++) {
      for (size_t t = 0; t < n_tables; t++) {
        size_t used;
        CHECK(read_stream(tables[t], cut, bits, 0, &used) == PL_TRUNCATED, "%s: cut %zu", tables[t]->name, cut);
      }
    }
  }
}

typedef struct delta_case {
  const char *what;
  unsigned bits;
  pl_status status;
  unsigned n, size;
  uint8_t bytes[40];
} delta_case;

static const delta_case cases[] = {
    {"no values", 32, PL_OK, 0, 5, {0x80, 0x01, 0x04, 0x00, 0x00}},
    {"one value", 32, PL_OK, 1, 5, {0x80, 0x01, 0x04, 0x01, 0x54}},
    {"two values, difference wraps",
     32,
     PL_OK,
     2,
     14,
     {0x80, 0x01, 0x04, 0x02, 0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 0x02, 0x00, 0x00, 0x00, 0x00}},
    {"-1 and -2", 64, PL_OK, 2, 10, {0x80, 0x01, 0x04, 0x02, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00}},
    {"7 5 3 1 2 3 4 5",
     32,
     PL_OK,
     8,
     18,
     {0x80, 0x01, 0x04, 0x08, 0x0E, 0x03, 0x02, 0x00, 0x00, 0x00, 0xC0, 0x3F, 0, 0, 0, 0, 0, 0}},
    {"widths of miniblocks that are not needed",
     32,
     PL_OK,
     8,
     18,
     {0x80, 0x01, 0x04, 0x08, 0x0E, 0x03, 0x02, 0xA5, 0xFF, 0xA5, 0xC0, 0x3F, 0, 0, 0, 0, 0, 0}},
    {"empty", 32, PL_TRUNCATED, 0, 0, {0}},
    {"block size 0", 32, PL_CORRUPT, 0, 4, {0x00, 0x04, 0x00, 0x00}},
    {"block size 64", 32, PL_CORRUPT, 0, 4, {0x40, 0x02, 0x00, 0x00}},
    {"block size 2^31", 32, PL_CORRUPT, 0, 8, {0x80, 0x80, 0x80, 0x80, 0x08, 0x04, 0x00, 0x00}},
    {"block size of 33 bits", 32, PL_CORRUPT, 0, 8, {0x80, 0x80, 0x80, 0x80, 0x10, 0x04, 0x00, 0x00}},
    {"no miniblocks", 32, PL_CORRUPT, 0, 5, {0x80, 0x01, 0x00, 0x00, 0x00}},
    {"3 miniblocks of 128", 32, PL_CORRUPT, 0, 5, {0x80, 0x01, 0x03, 0x00, 0x00}},
    {"8 miniblocks of 16 values", 32, PL_CORRUPT, 0, 5, {0x80, 0x01, 0x08, 0x00, 0x00}},
    {"39 miniblocks of 1280", 32, PL_CORRUPT, 0, 5, {0x80, 0x0A, 0x27, 0x00, 0x00}},
    {"first value beyond 32 bits",
     32,
     PL_CORRUPT,
     0,
     9,
     {0x80, 0x01, 0x04, 0x01, 0x80, 0x80, 0x80, 0x80, 0x10}},
    {"redundant zero groups", 32, PL_OK, 1, 9, {0x80, 0x81, 0x00, 0x84, 0x00, 0x81, 0x80, 0x00, 0x54}},
    {"block header missing", 32, PL_TRUNCATED, 2, 5, {0x80, 0x01, 0x04, 0x02, 0x54}},
    {"widths cut", 32, PL_TRUNCATED, 2, 9, {0x80, 0x01, 0x04, 0x02, 0x54, 0x02, 0x00, 0x00, 0x00}},
    {"min_delta beyond 32 bits",
     32,
     PL_CORRUPT,
     2,
     14,
     {0x80, 0x01, 0x04, 0x02, 0x54, 0x80, 0x80, 0x80, 0x80, 0x10, 0x00, 0x00, 0x00, 0x00}},
    {"width 33", 32, PL_CORRUPT, 2, 10, {0x80, 0x01, 0x04, 0x02, 0x54, 0x02, 0x21, 0x00, 0x00, 0x00}},
    {"width 33 of 64 bits, body missing",
     64,
     PL_TRUNCATED,
     2,
     10,
     {0x80, 0x01, 0x04, 0x02, 0x54, 0x02, 0x21, 0x00, 0x00, 0x00}},
    {"width 65", 64, PL_CORRUPT, 2, 10, {0x80, 0x01, 0x04, 0x02, 0x54, 0x02, 0x41, 0x00, 0x00, 0x00}},
    {"padding of the body cut",
     32,
     PL_TRUNCATED,
     8,
     17,
     {0x80, 0x01, 0x04, 0x08, 0x0E, 0x03, 0x02, 0x00, 0x00, 0x00, 0xC0, 0x3F, 0, 0, 0, 0, 0}},
};

static void known(void **state) {
  (void)state;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    size_t n = 0, used;
    memcpy(stream, cases[c].bytes, cases[c].size);
    CHECK(ref_delta(stream, cases[c].size, cases[c].bits, expected, MAX_VALUES, &n, &used) == cases[c].status,
          "model: %s", cases[c].what);
    CHECK(cases[c].status != PL_OK || (n == cases[c].n && used == cases[c].size), "model: %s: size",
          cases[c].what);
    stream_matches(cases[c].size, cases[c].bits, cases[c].what);
  }
}

/* The redundant header above writes 128 in 3 bytes; here 300 numbers, and the numbers of the two worked
 * examples. */
static void worked(void **state) {
  (void)state;
  static const uint8_t counting[] = {0x80, 0x01, 0x04, 0xAC, 0x02, 0x00, 2, 0, 0, 0, 0,
                                     2,    0,    0,    0,    0,    2,    0, 0, 0, 0};
  static const uint8_t example[] = {0x80, 0x01, 0x04, 0x08, 0x0E, 0x03, 0x02, 0, 0,
                                    0,    0xC0, 0x3F, 0,    0,    0,    0,    0, 0};
  static const uint64_t example_values[] = {7, 5, 3, 1, 2, 3, 4, 5};
  for (size_t t = 0; t < n_tables; t++) {
    size_t used;
    memcpy(stream, counting, sizeof counting);
    assert_int_equal(read_stream(tables[t], sizeof counting, 32, 0, &used), PL_OK);
    assert_int_equal(used, sizeof counting);
    for (size_t i = 0; i < 300; i++)
      assert_int_equal(out_value(32, i), i);
    memcpy(stream, example, sizeof example);
    assert_int_equal(read_stream(tables[t], sizeof example, 32, 0, &used), PL_OK);
    for (size_t i = 0; i < 8; i++)
      assert_int_equal(out_value(32, i), example_values[i]);
  }
}

int main(void) {
  n_tables = pl_kernels_list(tables);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(widths), cmocka_unit_test(broken), cmocka_unit_test(every_cut),
      cmocka_unit_test(known),  cmocka_unit_test(worked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
