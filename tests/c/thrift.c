/* Thrift by tables: bytes by hand against the format's text. A page header is what is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "file/thrift.h"
#include "page_header_writer.h"

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
    const pl_status status = parse_header(bytes, 8 + cases[i].size, &header, &size);
    if (status != cases[i].status)
      fail_msg("case %zu: %s", i, pl_status_name(status));
    if (status == PL_OK)
      assert_int_equal(header.crc, cases[i].value);
  }
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
    assert_int_equal(parse_header(w.bytes, n, &header, &size), PL_TRUNCATED);
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
      cmocka_unit_test(test_numbers), cmocka_unit_test(test_unknown_fields), cmocka_unit_test(test_other_types),
      cmocka_unit_test(test_depth),   cmocka_unit_test(test_damage),         cmocka_unit_test(test_tables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
