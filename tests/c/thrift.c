/* Thrift by tables, and page headers: bytes by hand against the format's text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "file/thrift.h"
#include "pagelane/page.h"
#include "thrift_writer.h"

/* Parses from a block of exactly `size` bytes, so that a sanitizer sees every read past the end. */
static pl_status parse_with(const uint8_t *bytes, size_t size, const pl_limits *limits, pl_page_header *header,
                            size_t *header_size, pl_error *error) {
  uint8_t *copy = malloc(size + (size == 0));
  assert_non_null(copy);
  memcpy(copy, bytes, size);
  memset(error, 0, sizeof *error);
  const pl_status status = pl_page_header_parse(copy, size, limits, header, header_size, error);
  free(copy);
  assert_int_equal(status, status == PL_OK ? PL_OK : error->status);
  if (status != PL_OK)
    assert_non_null(error->message);
  return status;
}

static pl_status parse(const uint8_t *bytes, size_t size, pl_page_header *header, size_t *header_size) {
  pl_error error;
  return parse_with(bytes, size, NULL, header, header_size, &error);
}

static pl_status parse_writer(const thrift_writer *w, pl_page_header *header) {
  size_t size;
  return parse(w->bytes, w->size, header, &size);
}

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
  assert_int_equal(parse(bytes, sizeof bytes, &header, &size), PL_OK);
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
    assert_int_equal(parse(v1_header, n, &header, &size), PL_TRUNCATED);
}

static void write_v2(thrift_writer *w, int64_t n_values, int64_t definition, int64_t repetition,
                     int compressed) {
  tw_reset(w);
  tw_i32(w, 1, PL_PAGE_TYPE_DATA_PAGE_V2);
  tw_i32(w, 2, 100);
  tw_i32(w, 3, 50);
  tw_i32(w, 4, -7);
  tw_struct(w, 8);
  tw_i32(w, 1, n_values);
  tw_i32(w, 2, 3);
  tw_i32(w, 3, 20);
  tw_i32(w, 4, PL_ENCODING_DELTA_BINARY_PACKED);
  tw_i32(w, 5, definition);
  tw_i32(w, 6, repetition);
  if (compressed >= 0)
    tw_bool(w, 7, compressed);
  tw_struct(w, 8);
  tw_i64(w, 3, 3);
  tw_string(w, 5, "zz");
  tw_string(w, 6, "");
  tw_bool(w, 7, 1);
  tw_close(w);
  tw_close(w);
  tw_close(w);
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

/* A header of one type with one sub-header, by field id and number of its i32 fields. */
static void write_simple(thrift_writer *w, int type, int64_t size, int64_t compressed_size, int sub_id,
                         int n_fields, int64_t first) {
  tw_reset(w);
  tw_i32(w, 1, type);
  tw_i32(w, 2, size);
  tw_i32(w, 3, compressed_size);
  if (sub_id != 0) {
    tw_struct(w, sub_id);
    for (int i = 0; i < n_fields; i++)
      tw_i32(w, i + 1, i == 0 ? first : 0);
    tw_close(w);
  }
  tw_close(w);
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
  assert_int_equal(parse(empty_header, sizeof empty_header, &header, &size), PL_CORRUPT);
  assert_int_equal(parse(no_sizes, sizeof no_sizes, &header, &size), PL_CORRUPT);
  tw_free(&w);
}

static void test_numbers(void **state) {
  (void)state;
  static const struct {
    uint8_t bytes[12];
    size_t size;
    pl_status status;
    int64_t value;
  } cases[] = {
      {{0x04}, 1, PL_OK, 2},
      {{0x84, 0x00}, 2, PL_OK, 2}, /* not minimal */
      {{0x84, 0x80, 0x80, 0x80, 0x00}, 5, PL_OK, 2},
      {{0x84, 0x80, 0x80, 0x80, 0x80, 0x00}, 6, PL_CORRUPT, 0},
      {{0x03}, 1, PL_OK, -2},
      {{0xFE, 0xFF, 0xFF, 0xFF, 0x0F}, 5, PL_OK, INT32_MAX},
      {{0xFF, 0xFF, 0xFF, 0xFF, 0x0F}, 5, PL_OK, INT32_MIN},
      {{0x80, 0x80, 0x80, 0x80, 0x10}, 5, PL_CORRUPT, 0}, /* 2^31 */
      {{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01}, 10, PL_CORRUPT, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint8_t bytes[64] = {0x15, 0x08, 0x15, 0x00, 0x15, 0x00, 0x15}; /* crc comes next */
    memcpy(bytes + 7, cases[i].bytes, cases[i].size);
    bytes[7 + cases[i].size] = 0;
    pl_page_header header;
    size_t size;
    const pl_status status = parse(bytes, 8 + cases[i].size, &header, &size);
    if (status != cases[i].status)
      fail_msg("case %zu: %s", i, pl_status_name(status));
    if (status == PL_OK)
      assert_int_equal(header.crc, cases[i].value);
  }
}

/* Page header of an unknown type, to be given more fields and closed. */
static void start_header(thrift_writer *w) {
  tw_reset(w);
  tw_i32(w, 1, 4);
  tw_i32(w, 2, 0);
  tw_i32(w, 3, 0);
}

static void test_unknown_fields(void **state) {
  (void)state;
  static const uint8_t zeros[16];
  thrift_writer w = {0};
  start_header(&w);
  tw_bool(&w, 20, 1);
  tw_bool(&w, 21, 0);
  tw_field(&w, 22, TW_I8);
  tw_byte(&w, 0xFF);
  tw_i16(&w, 23, -300);
  tw_i64(&w, 24, INT64_MIN);
  tw_field(&w, 25, TW_DOUBLE);
  tw_raw(&w, zeros, 8);
  tw_string(&w, 26, "text");
  tw_list(&w, 27, TW_TRUE, 20); /* booleans in a list take a byte each */
  for (unsigned i = 0; i < 20; i++)
    tw_byte(&w, i % 3);
  tw_field(&w, 28, TW_SET);
  tw_byte(&w, 0x20 | TW_UUID);
  tw_raw(&w, zeros, 16);
  tw_raw(&w, zeros, 16);
  tw_field(&w, 29, TW_MAP);
  tw_byte(&w, 0); /* empty: no types follow */
  tw_field(&w, 30, TW_MAP);
  tw_varint(&w, 2);
  tw_byte(&w, TW_BINARY << 4 | TW_FALSE);
  tw_text(&w, "a");
  tw_byte(&w, 1);
  tw_text(&w, "b");
  tw_byte(&w, 2);
  tw_list(&w, 31, TW_LIST, 2);
  tw_byte(&w, 0x10 | TW_I32);
  tw_zigzag(&w, 5);
  tw_byte(&w, 0x00);
  tw_struct(&w, 1000);
  tw_string(&w, 1, "in");
  tw_struct(&w, -5); /* a negative id */
  tw_close(&w);
  tw_close(&w);
  tw_i32(&w, 4, 77); /* crc, after ids that went down again */
  tw_close(&w);
  pl_page_header header;
  assert_int_equal(parse_writer(&w, &header), PL_OK);
  assert_int_equal(header.crc, 77);
  for (size_t n = 0; n < w.size; n++) {
    size_t size;
    assert_int_equal(parse(w.bytes, n, &header, &size), PL_TRUNCATED);
  }

  start_header(&w);
  tw_byte(&w, 0x1E); /* wire type 14 */
  tw_close(&w);
  assert_int_equal(parse_writer(&w, &header), PL_CORRUPT);
  start_header(&w);
  tw_byte(&w, 0x10); /* an end with an id */
  tw_close(&w);
  assert_int_equal(parse_writer(&w, &header), PL_CORRUPT);
  start_header(&w);
  tw_list(&w, 20, 0, 2); /* elements of no type */
  tw_raw(&w, zeros, 2);
  tw_close(&w);
  assert_int_equal(parse_writer(&w, &header), PL_CORRUPT);
  start_header(&w);
  for (int i = 0; i < 3000; i++) { /* ids past 16 bits */
    tw_byte(&w, 0xF0 | TW_TRUE);
  }
  tw_close(&w);
  assert_int_equal(parse_writer(&w, &header), PL_CORRUPT);
  tw_free(&w);
}

/* What has another type than ours is passed like an unknown field, and leaves the field absent. */
static void test_other_types(void **state) {
  (void)state;
  thrift_writer w = {0};
  pl_page_header header;
  start_header(&w);
  tw_i64(&w, 4, 5); /* crc is an i32 */
  tw_list(&w, 5, TW_I32, 1);
  tw_zigzag(&w, 1);
  tw_close(&w);
  assert_int_equal(parse_writer(&w, &header), PL_OK);
  assert_false(PL_HAS(page_header, &header, crc));
  assert_int_equal(header.crc, 0);
  assert_false(PL_HAS(page_header, &header, data_page_header));

  tw_reset(&w);
  tw_i64(&w, 1, 4); /* the page's type is required */
  tw_i32(&w, 2, 0);
  tw_i32(&w, 3, 0);
  tw_close(&w);
  assert_int_equal(parse_writer(&w, &header), PL_CORRUPT);

  start_header(&w);
  tw_i32(&w, 4, 5);
  tw_i32(&w, 4, 6); /* twice: the last one counts */
  tw_close(&w);
  assert_int_equal(parse_writer(&w, &header), PL_OK);
  assert_int_equal(header.crc, 6);

  write_simple(&w, PL_PAGE_TYPE_DATA_PAGE, 1, 1, 5, 4, 9);
  w.size--;
  tw_struct(&w, 5); /* a second, empty one: nothing of the first stays */
  tw_close(&w);
  tw_close(&w);
  assert_int_equal(parse_writer(&w, &header), PL_CORRUPT);
  tw_free(&w);
}

static void test_depth(void **state) {
  (void)state;
  thrift_writer w = {0};
  pl_page_header header;
  pl_limits limits;
  pl_error error;
  size_t size;
  for (int setting = 0; setting < 2; setting++) {
    pl_limits_init(&limits);
    if (setting == 1)
      limits.max_schema_depth = UINT64_MAX;
    const int most = setting == 0 ? 100 : PL_THRIFT_MAX_DEPTH;
    for (int depth = most - 1; depth <= most + 1; depth++) {
      start_header(&w);
      tw_byte(&w, 0xF0 | TW_STRUCT);
      for (int i = 2; i < depth; i++) /* the header itself is the first */
        tw_byte(&w, 0x10 | TW_STRUCT);
      for (int i = 1; i < depth; i++)
        tw_byte(&w, 0);
      tw_close(&w);
      assert_int_equal(parse_with(w.bytes, w.size, &limits, &header, &size, &error),
                       depth <= most ? PL_OK : PL_LIMIT);
    }
  }
  start_header(&w); /* lists of lists of lists, a million deep */
  tw_byte(&w, 0xF0 | TW_LIST);
  for (int i = 0; i < 1000000; i++)
    tw_byte(&w, 0x10 | TW_LIST);
  assert_int_equal(parse_with(w.bytes, w.size, &limits, &header, &size, &error), PL_LIMIT);
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

/* Every single byte set to everything: any status, but no read past the end (the sanitizer's part). */
static void test_damage(void **state) {
  (void)state;
  thrift_writer w = {0};
  write_v2(&w, 20, 10, 5, 1);
  size_t n_ok = 0;
  for (size_t i = 0; i < w.size; i++) {
    const uint8_t was = w.bytes[i];
    for (unsigned x = 0; x < 256; x++) {
      pl_page_header header;
      w.bytes[i] = (uint8_t)x;
      if (parse_writer(&w, &header) == PL_OK) {
        n_ok++;
        assert_true(header.compressed_page_size >= 0);
        assert_true(pl_page_header_num_values(&header) <= INT32_MAX);
      }
    }
    w.bytes[i] = was;
  }
  assert_true(n_ok > w.size);
  tw_free(&w);
}

static const pl_thrift_field *field_named(pl_struct_id structure, const char *name) {
  const pl_thrift_struct *table = &pl_thrift_tables_get()->structs[structure];
  for (uint32_t i = 0; i < table->n_fields; i++)
    if (strcmp(table->fields[i].name, name) == 0)
      return &table->fields[i];
  return NULL;
}

static void test_tables(void **state) {
  (void)state;
  const pl_thrift_tables *tables = pl_thrift_tables_get();
  assert_int_equal(tables->n_structs, PL_N_STRUCTS);
  assert_int_equal(tables->n_enums, PL_N_ENUMS);
  assert_int_equal(tables->file_offset, offsetof(pl_metadata, file));
  for (uint32_t s = 0; s < tables->n_structs; s++) {
    const pl_thrift_struct *table = &tables->structs[s];
    assert_true(table->n_fields > 0);
    for (uint32_t i = 0; i < table->n_fields; i++) {
      const pl_thrift_field *field = &table->fields[i];
      assert_true(i == 0 || field->id > table->fields[i - 1].id);
      assert_true(field->offset >= 4 && field->offset < table->size);
    }
  }
  const pl_thrift_field *field = field_named(PL_STRUCT_column_chunk, "meta_data");
  assert_non_null(field);
  assert_int_equal(field->id, 3);
  assert_int_equal(field->kind, PL_THRIFT_STRUCT);
  assert_int_equal(field->offset, offsetof(pl_column_chunk, meta_data));
  assert_string_equal(tables->structs[field->detail].name, "column_metadata");
  field = field_named(PL_STRUCT_column_metadata, "codec");
  assert_non_null(field);
  assert_int_equal(field->kind, PL_THRIFT_ENUM);
  const pl_thrift_enum *codecs = &tables->enums[field->detail];
  assert_string_equal(codecs->name, "codec");
  for (uint32_t i = 0; i < codecs->n_values; i++)
    assert_string_equal(codecs->values[i].name, pl_codec_name(codecs->values[i].value));
  assert_string_equal(tables->enums[PL_ENUM_kind].values[PL_THRIFT_STRUCT_AT].name, "STRUCT_AT");
  assert_int_equal(tables->enums[PL_ENUM_kind].values[PL_THRIFT_STRUCT_AT].value, PL_THRIFT_STRUCT_AT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_v1_header),
      cmocka_unit_test(test_v2_header),
      cmocka_unit_test(test_what_a_page_needs),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_unknown_fields),
      cmocka_unit_test(test_other_types),
      cmocka_unit_test(test_depth),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_damage),
      cmocka_unit_test(test_tables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
