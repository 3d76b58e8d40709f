/* Page headers: bytes by hand, and what must hold of every page before anything relies on it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "page_header_writer.h"

/* DATA_PAGE, sizes 10 and 10, 5 values, PLAIN, levels RLE */
static const uint8_t v1_header[] = {
    0x15, 0x00, 0x15, 0x14, 0x15, 0x14, 0x2C, 0x15, 0x0A, 0x15, 0x00, 0x15, 0x06, 0x15, 0x06, 0x00, 0x00,
};

static void test_v1_header(void **state) {
  (void)state;
  pl_page_header header;
  size_t size;
  uint8_t bytes[sizeof v1_header + 3];
  memcpy(bytes, v1_header, sizeof v1_header);
  memset(bytes + sizeof v1_header, 0xFF, 3);
  assert_int_equal(parse_header(bytes, sizeof bytes, &header, &size), PL_OK);
  assert_int_equal(size, sizeof v1_header);
  assert_int_equal(header.type, PL_PAGE_TYPE_DATA_PAGE);
  assert_int_equal(header.uncompressed_page_size, 10);
  assert_int_equal(header.compressed_page_size, 10);
  assert_false(PL_HAS(page_header, &header, crc));
  assert_true(PL_HAS(page_header, &header, data_page_header));
  assert_false(PL_HAS(page_header, &header, dictionary_page_header));
  assert_int_equal(header.data_page_header.definition_level_encoding, PL_ENCODING_RLE);
  assert_false(PL_HAS(data_page_header, &header.data_page_header, statistics));
  assert_int_equal(pl_page_header_num_values(&header), 5);
  assert_int_equal(pl_page_header_encoding(&header), PL_ENCODING_PLAIN);
  for (size_t n = 0; n < sizeof v1_header; n++)
    assert_int_equal(parse_header(v1_header, n, &header, &size), PL_TRUNCATED);
}

static void test_v2_header(void **state) {
  (void)state;
  thrift_writer w = {0};
  pl_page_header header;
  write_v2(&w, 20, 10, 5, -1);
  assert_int_equal(parse_writer(&w, &header), PL_OK);
  const pl_data_page_header_v2 *v2 = &header.data_page_header_v2;
  assert_int_equal(header.crc, -7);
  assert_int_equal(pl_page_header_num_values(&header), 20);
  assert_int_equal(pl_page_header_encoding(&header), PL_ENCODING_DELTA_BINARY_PACKED);
  assert_int_equal(v2->is_compressed, 1);
  assert_false(PL_HAS(data_page_header_v2, v2, is_compressed));
  assert_true(PL_HAS(statistics, &v2->statistics, max_value));
  assert_int_equal(v2->statistics.max_value.count, 2);
  assert_memory_equal(w.bytes + v2->statistics.max_value.offset, "zz", 2);
  assert_true(PL_HAS(statistics, &v2->statistics, min_value));
  assert_int_equal(v2->statistics.min_value.count, 0);
  assert_false(PL_HAS(statistics, &v2->statistics, min));
  assert_int_equal(v2->statistics.is_max_value_exact, 1);
  assert_int_equal(v2->statistics.null_count, 3);

  write_v2(&w, 20, 10, 5, 0);
  assert_int_equal(parse_writer(&w, &header), PL_OK);
  assert_int_equal(header.data_page_header_v2.is_compressed, 0);
  assert_true(PL_HAS(data_page_header_v2, &header.data_page_header_v2, is_compressed));
  write_v2(&w, 20, 10, 5, 1);
  assert_int_equal(parse_writer(&w, &header), PL_OK);
  assert_int_equal(header.data_page_header_v2.is_compressed, 1);

  write_v2(&w, -1, 10, 5, 1);
  assert_int_equal(parse_writer(&w, &header), PL_CORRUPT);
  write_v2(&w, 20, -1, 5, 1);
  assert_int_equal(parse_writer(&w, &header), PL_CORRUPT);
  write_v2(&w, 20, 5, -1, 1);
  assert_int_equal(parse_writer(&w, &header), PL_CORRUPT);
  write_v2(&w, 20, 25, 25, 1);
  assert_int_equal(parse_writer(&w, &header), PL_OK);
  write_v2(&w, 20, 26, 25, 1); /* 51 bytes of levels in 50 */
  assert_int_equal(parse_writer(&w, &header), PL_CORRUPT);
  write_v2(&w, 20, INT32_MAX, INT32_MAX, 1);
  assert_int_equal(parse_writer(&w, &header), PL_CORRUPT);
  tw_free(&w);
}

static void test_what_a_page_needs(void **state) {
  (void)state;
  static const struct {
    int type, sub_id, n_fields;
    int64_t size, compressed_size, first;
    pl_status status;
  } cases[] = {
      {PL_PAGE_TYPE_DATA_PAGE, 5, 4, 1, 1, 9, PL_OK},
      {PL_PAGE_TYPE_DATA_PAGE, 5, 4, -1, 1, 9, PL_CORRUPT},
      {PL_PAGE_TYPE_DATA_PAGE, 5, 4, 1, INT32_MIN, 9, PL_CORRUPT},
      {PL_PAGE_TYPE_DATA_PAGE, 5, 4, 1, 1, -9, PL_CORRUPT},
      {PL_PAGE_TYPE_DATA_PAGE, 5, 3, 1, 1, 9, PL_CORRUPT},
      {PL_PAGE_TYPE_DATA_PAGE, 5, 0, 1, 1, 9, PL_CORRUPT},
      {PL_PAGE_TYPE_DATA_PAGE, 7, 2, 1, 1, 9, PL_CORRUPT},
      {PL_PAGE_TYPE_DATA_PAGE, 0, 0, 1, 1, 9, PL_CORRUPT},
      {PL_PAGE_TYPE_INDEX_PAGE, 6, 0, 1, 1, 9, PL_OK},
      {PL_PAGE_TYPE_INDEX_PAGE, 0, 0, 1, 1, 9, PL_CORRUPT},
      {PL_PAGE_TYPE_DICTIONARY_PAGE, 7, 2, 1, 1, 9, PL_OK},
      {PL_PAGE_TYPE_DICTIONARY_PAGE, 7, 2, 1, 1, -1, PL_CORRUPT},
      {PL_PAGE_TYPE_DICTIONARY_PAGE, 7, 1, 1, 1, 9, PL_CORRUPT},
      {PL_PAGE_TYPE_DICTIONARY_PAGE, 5, 4, 1, 1, 9, PL_CORRUPT},
      {PL_PAGE_TYPE_DATA_PAGE_V2, 8, 6, 1, 1, 9, PL_OK},
      {PL_PAGE_TYPE_DATA_PAGE_V2, 8, 5, 1, 1, 9, PL_CORRUPT},
      {PL_PAGE_TYPE_DATA_PAGE_V2, 0, 0, 1, 1, 9, PL_CORRUPT},
      {4, 0, 0, 1, 1, 9, PL_OK}, /* a type to come: passed by its size */
      {-1, 0, 0, 1, 1, 9, PL_OK},
      {4, 0, 0, 1, -1, 9, PL_CORRUPT},
  };
  thrift_writer w = {0};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    pl_page_header header;
    write_simple(&w, cases[i].type, cases[i].size, cases[i].compressed_size, cases[i].sub_id, cases[i].n_fields,
                 cases[i].first);
    const pl_status status = parse_writer(&w, &header);
    if (status != cases[i].status)
      fail_msg("case %zu: %s", i, pl_status_name(status));
    if (status != PL_OK)
      continue;
    const bool has_values = cases[i].sub_id != 0 && cases[i].sub_id != 6;
    assert_int_equal(pl_page_header_num_values(&header), has_values ? 9 : 0);
    assert_int_equal(pl_page_header_encoding(&header), has_values ? 0 : -1);
  }
  static const uint8_t empty_header[] = {0x00};
  static const uint8_t no_sizes[] = {0x15, 0x08, 0x00};
  pl_page_header header;
  size_t size;
  assert_int_equal(parse_header(empty_header, sizeof empty_header, &header, &size), PL_CORRUPT);
  assert_int_equal(parse_header(no_sizes, sizeof no_sizes, &header, &size), PL_CORRUPT);
  tw_free(&w);
}

static void test_sizes(void **state) {
  (void)state;
  thrift_writer w = {0};
  pl_page_header header;
  pl_limits limits;
  pl_error error;
  size_t size;
  pl_limits_init(&limits);
  limits.max_page_header_bytes = 1000;

  start_header(&w);
  tw_field(&w, 20, TW_BINARY);
  tw_varint(&w, UINT32_MAX); /* -1 as thrift's own writers would make it */
  assert_int_equal(parse_writer(&w, &header), PL_CORRUPT);
  start_header(&w);
  tw_field(&w, 20, TW_BINARY);
  tw_varint(&w, 2000); /* more than a header may have: no use to ask for more bytes */
  assert_int_equal(parse_with(w.bytes, w.size, &limits, &header, &size, &error), PL_LIMIT);
  assert_int_equal(error.number, 2000);
  assert_int_equal(parse_writer(&w, &header), PL_TRUNCATED);
  start_header(&w);
  tw_list(&w, 20, TW_I32, INT32_MAX);
  assert_int_equal(parse_writer(&w, &header), PL_LIMIT);

  for (size_t n = 1; n < sizeof v1_header; n++) { /* wherever the limit cuts it */
    limits.max_page_header_bytes = n;
    assert_int_equal(parse_with(v1_header, sizeof v1_header, &limits, &header, &size, &error), PL_LIMIT);
  }

  /* exactly at, and one past max_page_header_bytes */
  limits.max_page_header_bytes = 1000;
  for (size_t total = 1000; total <= 1001; total++) {
    start_header(&w);
    tw_field(&w, 20, TW_BINARY);
    const size_t text_size = total - w.size - 3; /* two bytes of size, one of the end */
    tw_varint(&w, text_size);
    for (size_t i = 0; i < text_size; i++)
      tw_byte(&w, 'x');
    tw_close(&w);
    assert_int_equal(w.size, total);
    assert_int_equal(parse_with(w.bytes, w.size, &limits, &header, &size, &error),
                     total == 1000 ? PL_OK : PL_LIMIT);
    assert_int_equal(parse_with(w.bytes, 999, &limits, &header, &size, &error), PL_TRUNCATED);
  }
  tw_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_v1_header),
      cmocka_unit_test(test_v2_header),
      cmocka_unit_test(test_what_a_page_needs),
      cmocka_unit_test(test_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
