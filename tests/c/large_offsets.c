/* Strings with 64-bit offsets: the same columns as with 32 bits, batch by batch, null entries and running offsets
 * included. With PAGELANE_TEST_LARGE set also a column of 2.4 GB, which 32 bits refuse. */
#include "page_writer.h"
#include "pagelane.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static pl_limits limits;

static const pl_page_decode_options options = {
    .struct_size = sizeof options, .column = {.type = PL_TYPE_BYTE_ARRAY, .max_definition_level = 1}};

/* Eight entries, those of `present`: "", "x", "xx", ... with the page's own letter. */
static void put_page(bytes *out, uint8_t present, char letter) {
  bytes body = {.size = 0};
  put_u32(&body, 2);
  put_byte(&body, 1 << 1 | 1);
  put_byte(&body, present);
  for (uint32_t i = 0, k = 0; i < 8; i++)
    if (present >> i & 1) {
      put_u32(&body, k);
      for (uint32_t c = 0; c < k; c++)
        put_byte(&body, (unsigned)letter);
      k++;
    }
  put_data_page(out, 8, PL_ENCODING_PLAIN, &body, body.size);
}

static pl_column_builder *read_pages(const bytes *in, uint32_t flags) {
  const pl_builder_options builder_options = {.struct_size = sizeof builder_options, .flags = flags};
  pl_column_builder *builder = NULL;
  pl_chunk_reader *reader = NULL;
  assert_int_equal(pl_column_builder_create(&options.column, &builder_options, &limits, &builder, NULL), PL_OK);
  assert_int_equal(pl_chunk_reader_create_page(&options, in->size, &limits, &reader, NULL), PL_OK);
  assert_int_equal(pl_chunk_reader_read(reader, in->at, in->size, builder, NULL), PL_OK);
  pl_chunk_reader_destroy(reader);
  return builder;
}

static void batches_are_the_same(void **state) {
  (void)state;
  bytes in = {.size = 0};
  const uint8_t present[] = {0xff, 0x00, 0xa5, 0x7e, 0x01};
  for (int page = 0; page < 5; page++)
    put_page(&in, present[page], (char)('a' + page));
  for (uint64_t step = 1; step <= 40; step++)
    for (uint32_t running = 0; running <= PL_BUILDER_RUNNING; running += PL_BUILDER_RUNNING) {
      pl_limits_init(&limits);
      pl_column_builder *small = read_pages(&in, running);
      pl_column_builder *large = read_pages(&in, running | PL_BUILDER_LARGE_OFFSETS);
      for (uint64_t left = 40, n; left != 0; left -= n) {
        pl_column a, b;
        n = left < step ? left : step;
        assert_int_equal(pl_column_builder_take(small, n, &a), PL_OK);
        assert_int_equal(pl_column_builder_take(large, n, &b), PL_OK);
        assert_null(a.large_offsets);
        assert_null(b.offsets);
        assert_int_equal(a.null_count, b.null_count);
        assert_int_equal(a.data_size, b.data_size);
        assert_memory_equal(a.data, b.data, a.data_size);
        for (uint64_t i = 0; i <= n; i++)
          assert_int_equal(a.offsets[i], b.large_offsets[i]);
      }
      pl_column_builder_destroy(small);
      pl_column_builder_destroy(large);
      assert_int_equal(limits.used_bytes, 0);
    }
}

/* One entry of 4 MB, and 600 indices to it: more than 2^31 bytes in one step of the decoder. */
static void two_gigabytes(void **state) {
  (void)state;
  enum { ENTRY = 4 << 20, N = 600 };
  if (getenv("PAGELANE_TEST_LARGE") == NULL) {
    print_message("skipped: PAGELANE_TEST_LARGE is not set\n");
    skip();
  }
  bytes head = {.size = 0}, tail = {.size = 0}, body = {.size = 0};
  put_dictionary_header(&head, 1, 4 + ENTRY);
  put_u32(&head, ENTRY);
  put_u32(&body, 3); /* definition levels: a run of N ones */
  put_uleb(&body, N << 1);
  put_byte(&body, 1);
  put_byte(&body, 0); /* indices of no bits */
  put_data_page(&tail, N, PL_ENCODING_RLE_DICTIONARY, &body, body.size);
  const size_t size = head.size + ENTRY + tail.size;
  uint8_t *file = malloc(size);
  assert_non_null(file);
  memcpy(file, head.at, head.size);
  memset(file + head.size, 'x', ENTRY);
  memcpy(file + head.size + ENTRY, tail.at, tail.size);
  for (int large = 0; large <= 1; large++) {
    pl_limits_init(&limits);
    limits.max_bytes = 16ull << 30;
    const pl_builder_options builder_options = {.struct_size = sizeof builder_options,
                                                .flags = large ? PL_BUILDER_LARGE_OFFSETS : 0};
    pl_column_builder *builder = NULL;
    pl_chunk_reader *reader = NULL;
    pl_column column;
    assert_int_equal(pl_column_builder_create(&options.column, &builder_options, &limits, &builder, NULL),
                     PL_OK);
    assert_int_equal(pl_chunk_reader_create_page(&options, size, &limits, &reader, NULL), PL_OK);
    assert_int_equal(pl_chunk_reader_read(reader, file, size, builder, NULL), large ? PL_OK : PL_LIMIT);
    if (large) {
      assert_int_equal(pl_column_builder_take(builder, N, &column), PL_OK);
      for (int64_t i = 0; i <= N; i++)
        assert_int_equal(column.large_offsets[i], i * ENTRY);
      assert_int_equal(column.data_size, (int64_t)N * ENTRY);
      assert_int_equal(column.data[(int64_t)N * ENTRY - 1], 'x');
    }
    pl_chunk_reader_destroy(reader);
    pl_column_builder_destroy(builder);
    assert_int_equal(limits.used_bytes, 0);
  }
  free(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(batches_are_the_same), cmocka_unit_test(two_gigabytes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
