/* Every kernel with its buffers against pages that may not be touched: each ends at one, then each begins
 * behind one. What the kernels return is compared with the models in kernels.c and kernels_delta.c; here a byte
 * too far is a fault. */
#define _DEFAULT_SOURCE /* mmap's MAP_ANONYMOUS */
#include "kernels/kernels.h"
#include "reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { MAX_VALUES = 1500, AREA_PAGES = 16 };

static const pl_kernels *tables[8];
static size_t n_tables;
static ref_random rng = {31337};

/* Pages between two that fault. */
typedef struct area {
  uint8_t *begin, *end;
} area;

static area in_area, out_area, more_area;

static area area_new(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = AREA_PAGES * page;
  uint8_t *all = mmap(NULL, size + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(all != MAP_FAILED);
  assert_int_equal(mprotect(all, page, PROT_NONE), 0);
  assert_int_equal(mprotect(all + page + size, page, PROT_NONE), 0);
  return (area){all + page, all + page + size};
}

/* `size` bytes that end at the page behind the area, or begin at its first byte. */
static void *place(const area *area, size_t size, bool at_end) {
  assert_true(size <= (size_t)(area->end - area->begin));
  return at_end ? area->end - size : area->begin;
}

static const uint8_t *place_copy(const area *area, const void *bytes, size_t size, bool at_end) {
  return memcpy(place(area, size, at_end), bytes, size);
}

static uint8_t stream[MAX_VALUES * 12 + 2 * 2048 * 9];
static uint32_t values[MAX_VALUES + 8];

static size_t count_of_case(unsigned c) {
  return c <= 24 ? c : (size_t)ref_below(&rng, c < 30 ? 150 : MAX_VALUES);
}

enum { N_COUNTS = 34 };

static void bit_unpack(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof stream; i++)
    stream[i] = (uint8_t)ref_next(&rng);
  for (unsigned width = 0; width <= 64; width++) {
    for (unsigned c = 0; c < 2 * N_COUNTS; c++) {
      const size_t n = count_of_case(c / 2), size = (n * width + 7) / 8;
      const uint8_t *in = place_copy(&in_area, stream, size, c % 2);
      for (size_t t = 0; t < n_tables; t++) {
        tables[t]->bit_unpack_64(in, size, width, place(&out_area, n * 8, c % 2), n);
        if (width <= 32)
          tables[t]->bit_unpack_32(in, size, width, place(&out_area, n * 4, c % 2), n);
      }
    }
  }
}

/* Two reads of n values together by one kernel of the hybrid; which one by number. */
static void read_rle(const pl_kernels *kernels, unsigned kernel, const uint8_t *in, size_t size, unsigned width,
                     size_t n, bool at_end) {
  const size_t first = n == 0 ? 0 : (size_t)ref_below(&rng, n + 1);
  const uint32_t n_entries = width < 10 ? 1u << width : 1000;
  const void *entries = place(&more_area, n_entries * 8, at_end),
             *entries32 = place(&more_area, n_entries * 4, at_end);
  pl_rle_reader reader = {.next = in, .end = in + size, .bit_width = width};
  pl_status status = PL_OK;
  uint64_t n_equal;
  size_t n_set;
  uint8_t *out32 = place(&out_area, n * 4, at_end), *out64 = place(&out_area, n * 8, at_end);
  uint8_t *out16 = place(&out_area, n * 2, at_end), *bits = place(&out_area, (n + 7) / 8, at_end);
  for (unsigned half = 0; half < 2 && status == PL_OK; half++) {
    const size_t at = half ? first : 0, count = half ? n - first : first;
    switch (kernel) {
    case 0:
      status = kernels->rle_read_32(&reader, (void *)(out32 + at * 4), count);
      break;
    case 1:
      status = kernels->rle_read_levels(&reader, UINT16_MAX, (void *)(out16 + at * 2), count);
      break;
    case 2:
      status = width == 1 ? kernels->rle_read_bitmap(&reader, bits, at, count, &n_set) : PL_OK;
      break;
    case 3:
      status = kernels->rle_skip(&reader, 0, count, &n_equal);
      break;
    case 4:
      status = kernels->dictionary_read_32(&reader, entries32, n_entries, (void *)(out32 + at * 4), count);
      break;
    case 5:
      status = kernels->dictionary_read_64(&reader, entries, n_entries, (void *)(out64 + at * 8), count);
      break;
    default:
      status = kernels->dictionary_read_indices(&reader, n_entries, 7, (void *)(out32 + at * 4), count);
    }
  }
}

static void rle(void **state) {
  (void)state;
  for (unsigned width = 0; width <= 32; width++) {
    for (unsigned c = 0; c < 4 * N_COUNTS; c++) {
      const size_t n = count_of_case(c / 4);
      const uint32_t most = width < 10 ? (1u << width) - 1 : c % 8 < 4 ? 999 : (uint32_t)ref_bits(&rng, width);
      size_t size = ref_write_rle(&rng, width, most, n, values, stream);
      if (c % 4 >= 2)
        size = (size_t)ref_below(&rng, size + 1);
      const uint8_t *in = place_copy(&in_area, stream, size, c % 2);
      for (size_t t = 0; t < n_tables; t++)
        for (unsigned kernel = 0; kernel < 7; kernel++)
          read_rle(tables[t], kernel, in, size, width, n, c % 2);
    }
  }
}

static void read_delta(const pl_kernels *kernels, const uint8_t *in, size_t size, unsigned bits, bool at_end) {
  pl_delta_reader reader;
  pl_status status = pl_delta_reader_open(&reader, in, size, bits);
  if (status != PL_OK || reader.n_left > MAX_VALUES)
    return;
  const size_t n = (size_t)reader.n_left, value_size = bits / 8;
  uint8_t *out = place(&out_area, n * value_size, at_end);
  for (size_t done = 0; done < n && status == PL_OK;) {
    size_t piece = ref_next(&rng) >> 63 ? n - done : 1 + (size_t)ref_below(&rng, n - done);
    status = bits == 64 ? kernels->delta_read_64(&reader, (void *)(out + done * 8), piece)
                        : kernels->delta_read_32(&reader, (void *)(out + done * 4), piece);
    done += piece;
  }
}

static void delta(void **state) {
  (void)state;
  static const unsigned geometries[][2] = {{128, 4},  {256, 4},  {128, 1}, {384, 4},
                                           {1024, 8}, {1024, 1}, {2048, 8}};
  static uint64_t wide[MAX_VALUES];
  for (unsigned bits = 32; bits <= 64; bits += 32) {
    for (unsigned width = 0; width <= bits; width++) {
      for (unsigned c = 0; c < 84; c++) {
        const unsigned *geometry = geometries[c % 7];
        const size_t n = (size_t)ref_below(&rng, c < 42 ? MAX_VALUES : 300);
        for (size_t i = 1; i < n; i++)
          wide[i] =
              wide[i - 1] + ref_bits(&rng, i / 32 % 3 == 0 ? (unsigned)ref_below(&rng, width + 1) : width);
        for (size_t i = 0; bits == 32 && i < n; i++)
          wide[i] &= UINT32_MAX;
        size_t size = ref_write_delta(&rng, wide, n, bits, geometry[0], geometry[1], c & 4, stream);
        if (c % 3 == 0)
          size = (size_t)ref_below(&rng, size + 1);
        const uint8_t *in = place_copy(&in_area, stream, size, c & 1);
        for (size_t t = 0; t < n_tables; t++)
          read_delta(tables[t], in, size, bits, c & 1);
      }
    }
  }
}

static void spread(void **state) {
  (void)state;
  for (unsigned c = 0; c < 60 * N_COUNTS; c++) {
    const bool at_end = c % 2;
    const size_t n = count_of_case(c / 2 % N_COUNTS);
    const uint64_t first = ref_below(&rng, 9), density = ref_below(&rng, 101);
    const size_t validity_size = (size_t)(first + n + 7) / 8;
    uint8_t *validity = place(&more_area, validity_size, at_end);
    size_t n_dense = 0;
    for (size_t i = 0; i < n; i++) {
      const bool set = ref_below(&rng, 100) < density;
      ref_put(validity, first + i, 1, set);
      n_dense += set;
    }
    for (size_t t = 0; t < n_tables; t++) {
      tables[t]->spread_32(place(&in_area, n_dense * 4, at_end), validity, first,
                           place(&out_area, n * 4, at_end), n);
      tables[t]->spread_64(place(&in_area, n_dense * 8, at_end), validity, first,
                           place(&out_area, n * 8, at_end), n);
    }
  }
}

/* Some streams before the first value wanted, none after the last. */
static void byte_stream_join(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof stream; i++)
    stream[i] = (uint8_t)ref_next(&rng);
  for (uint32_t width = 1; width <= 20; width++) {
    for (unsigned n = 0; n <= 400; n++) {
      const bool at_end = n % 2;
      const size_t count = n / 2, first = (size_t)ref_below(&rng, 3), stride = first + count;
      const uint8_t *in = place_copy(&in_area, stream, stride * width, at_end);
      for (size_t t = 0; t < n_tables; t++)
        tables[t]->byte_stream_join(in + first, stride, width, place(&out_area, count * width, at_end), count);
    }
  }
}

static void alp(void **state) {
  (void)state;
  for (unsigned width = 0; width <= 64; width++) {
    for (unsigned c = 0; c < 2 * N_COUNTS; c++) {
      const size_t first = (size_t)ref_below(&rng, 20), n = count_of_case(c / 2);
      const size_t size = ((first + n) * width + 7) / 8;
      const uint8_t *in = place_copy(&in_area, stream, size, c % 2);
      const pl_alp_vector vector = {.packed = in, .end = in + size, .bit_width = width};
      for (size_t t = 0; t < n_tables; t++) {
        tables[t]->alp_read_64(&vector, first, place(&out_area, n * 8, c % 2), n);
        if (width <= 32)
          tables[t]->alp_read_32(&vector, first, place(&out_area, n * 4, c % 2), n);
      }
    }
  }
}

/* Two reads of BIT_PACKED levels. */
static void bit_packed_levels(void **state) {
  (void)state;
  for (unsigned width = 1; width <= 16; width++) {
    for (unsigned c = 0; c < 2 * N_COUNTS; c++) {
      const size_t n = count_of_case(c / 2), size = (n * width + 7) / 8, half = (size_t)ref_below(&rng, n + 1);
      const uint8_t *in = place_copy(&in_area, stream, size, c % 2), *end = in + size;
      const pl_rle_reader reader = {
          .packed = in, .next = end, .end = end, .run_left = n, .bit_width = width, .msb_first = true};
      uint16_t *levels = place(&out_area, n * 2, c % 2);
      uint8_t *bits = place(&more_area, (n + 7) / 8, c % 2);
      size_t n_set;
      for (size_t t = 0; t < n_tables; t++) {
        pl_rle_reader a = reader, b = reader;
        tables[t]->rle_read_levels(&a, UINT16_MAX, levels, half);
        tables[t]->rle_read_levels(&a, UINT16_MAX, levels + half, n - half);
        if (width == 1) {
          tables[t]->rle_read_bitmap(&b, bits, 0, half, &n_set);
          tables[t]->rle_read_bitmap(&b, bits, half, n - half, &n_set);
        }
      }
    }
  }
}

static int set_up(void **state) {
  (void)state;
  n_tables = pl_kernels_list(tables);
  in_area = area_new(), out_area = area_new(), more_area = area_new();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bit_unpack),
                                     cmocka_unit_test(rle),
                                     cmocka_unit_test(delta),
                                     cmocka_unit_test(spread),
                                     cmocka_unit_test(byte_stream_join),
                                     cmocka_unit_test(alp),
                                     cmocka_unit_test(bit_packed_levels)};
  return cmocka_run_group_tests(tests, set_up, NULL);
}
