/* Every annotation as Arrow's type, and the values that Arrow lays out in another way: files of one column and one PLAIN page,
 * made by hand. */
#include "pagelane.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "arrow_check.h"
#include "column_file_writer.h"

typedef struct reading {
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowArray array;
  int code;
} reading;

static reading read_column(const leaf_spec *leaf, int n_values, const void *values, size_t size,
                           pl_arrow_int96 int96) {
  static bytes file;
  reading r;
  pl_error error;
  write_file(&file, leaf, n_values, values, size);
  const pl_arrow_source source = {.struct_size = sizeof source, .file_size = file.size, .bytes = file.at};
  const pl_arrow_options options = {.struct_size = sizeof options, .int96 = int96};
  if (pl_arrow_stream_open(&source, &options, &r.stream, &error) != PL_OK)
    fail_msg("%s", error.message);
  assert_int_equal(r.stream.get_schema(&r.stream, &r.schema), 0);
  r.code = r.stream.get_next(&r.stream, &r.array);
  check_schema(&r.schema);
  if (r.code == 0)
    check_array(&r.schema, &r.array, 0);
  return r;
}

static void release(reading *r) {
  if (r->array.release != NULL)
    r->array.release(&r->array);
  r->schema.release(&r->schema);
  r->stream.release(&r->stream);
}

static void expect_format(const leaf_spec *leaf, const char *format, int line) {
  reading r = read_column(leaf, 0, NULL, 0, PL_ARROW_INT96_NANOSECONDS);
  if (strcmp(r.schema.children[0]->format, format) != 0)
    fail_msg("line %d: %s, not %s", line, r.schema.children[0]->format, format);
  release(&r);
}

#define FORMAT(format_, ...) expect_format(&(leaf_spec){NOTHING, __VA_ARGS__}, format_, __LINE__)
#define OLD(type_, annotation, format_)                                                                        \
  expect_format(&(leaf_spec){.type = PL_TYPE_##type_, .converted = PL_CONVERTED_TYPE_##annotation}, format_,   \
                __LINE__)

static void physical_types(void **state) {
  (void)state;
  FORMAT("b", .type = PL_TYPE_BOOLEAN);
  FORMAT("i", .type = PL_TYPE_INT32);
  FORMAT("l", .type = PL_TYPE_INT64);
  FORMAT("tsn:", .type = PL_TYPE_INT96);
  FORMAT("f", .type = PL_TYPE_FLOAT);
  FORMAT("g", .type = PL_TYPE_DOUBLE);
  FORMAT("z", .type = PL_TYPE_BYTE_ARRAY);
  FORMAT("w:7", .type = PL_TYPE_FIXED_LEN_BYTE_ARRAY, .type_length = 7);
}

static void logical_types(void **state) {
  (void)state;
  FORMAT("u", .type = PL_TYPE_BYTE_ARRAY, .logical = STRING);
  FORMAT("u", .type = PL_TYPE_BYTE_ARRAY, .logical = ENUM);
  FORMAT("u", .type = PL_TYPE_BYTE_ARRAY, .logical = JSON);
  FORMAT("z", .type = PL_TYPE_BYTE_ARRAY, .logical = BSON);
  FORMAT("z", .type = PL_TYPE_BYTE_ARRAY, .logical = GEOMETRY);
  FORMAT("tdD", .type = PL_TYPE_INT32, .logical = DATE);
  FORMAT("ttm", .type = PL_TYPE_INT32, .logical = TIME, .unit = 1);
  FORMAT("ttu", .type = PL_TYPE_INT64, .logical = TIME, .unit = 2);
  FORMAT("ttn", .type = PL_TYPE_INT64, .logical = TIME, .unit = 3);
  FORMAT("tsm:", .type = PL_TYPE_INT64, .logical = TIMESTAMP, .unit = 1);
  FORMAT("tsu:UTC", .type = PL_TYPE_INT64, .logical = TIMESTAMP, .unit = 2, .is_flagged = true);
  FORMAT("tsn:UTC", .type = PL_TYPE_INT64, .logical = TIMESTAMP, .unit = 3, .is_flagged = true);
  FORMAT("c", .type = PL_TYPE_INT32, .logical = INTEGER, .bit_width = 8, .is_flagged = true);
  FORMAT("C", .type = PL_TYPE_INT32, .logical = INTEGER, .bit_width = 8);
  FORMAT("s", .type = PL_TYPE_INT32, .logical = INTEGER, .bit_width = 16, .is_flagged = true);
  FORMAT("S", .type = PL_TYPE_INT32, .logical = INTEGER, .bit_width = 16);
  FORMAT("I", .type = PL_TYPE_INT32, .logical = INTEGER, .bit_width = 32);
  FORMAT("l", .type = PL_TYPE_INT64, .logical = INTEGER, .bit_width = 64, .is_flagged = true);
  FORMAT("L", .type = PL_TYPE_INT64, .logical = INTEGER, .bit_width = 64);
  FORMAT("w:16", .type = PL_TYPE_FIXED_LEN_BYTE_ARRAY, .type_length = 16, .logical = UUID);
  FORMAT("e", .type = PL_TYPE_FIXED_LEN_BYTE_ARRAY, .type_length = 2, .logical = FLOAT16);
  FORMAT("n", .type = PL_TYPE_DOUBLE, .logical = UNKNOWN);
  FORMAT("d:9,2", .type = PL_TYPE_INT32, .logical = DECIMAL, .precision = 9, .scale = 2);
  FORMAT("d:38,0", .type = PL_TYPE_BYTE_ARRAY, .logical = DECIMAL, .precision = 38);
  FORMAT("d:39,0,256", .type = PL_TYPE_BYTE_ARRAY, .logical = DECIMAL, .precision = 39);
  FORMAT("w:40", .type = PL_TYPE_FIXED_LEN_BYTE_ARRAY, .type_length = 40, .logical = DECIMAL, .precision = 77);
}

static void older_annotations(void **state) {
  (void)state;
  OLD(BYTE_ARRAY, UTF8, "u");
  OLD(BYTE_ARRAY, ENUM, "u");
  OLD(BYTE_ARRAY, JSON, "u");
  OLD(BYTE_ARRAY, BSON, "z");
  OLD(INT32, DATE, "tdD");
  OLD(INT32, TIME_MILLIS, "ttm");
  OLD(INT64, TIME_MICROS, "ttu");
  OLD(INT64, TIMESTAMP_MILLIS, "tsm:UTC");
  OLD(INT64, TIMESTAMP_MICROS, "tsu:UTC");
  OLD(INT32, UINT_8, "C");
  OLD(INT32, UINT_16, "S");
  OLD(INT32, UINT_32, "I");
  OLD(INT64, UINT_64, "L");
  OLD(INT32, INT_8, "c");
  OLD(INT32, INT_16, "s");
  OLD(INT32, INT_32, "i");
  OLD(INT64, INT_64, "l");
  const leaf_spec interval = {
      .type = PL_TYPE_FIXED_LEN_BYTE_ARRAY, .type_length = 12, .converted = PL_CONVERTED_TYPE_INTERVAL};
  expect_format(&interval, "tin", __LINE__);
  const leaf_spec decimal = {
      .type = PL_TYPE_INT64, .converted = PL_CONVERTED_TYPE_DECIMAL, .precision = 18, .scale = 18};
  expect_format(&decimal, "d:18,18", __LINE__);
}

static void annotations_that_do_not_fit(void **state) {
  (void)state;
  FORMAT("i", .type = PL_TYPE_INT32, .logical = STRING);
  FORMAT("l", .type = PL_TYPE_INT64, .logical = DATE);
  FORMAT("l", .type = PL_TYPE_INT64, .logical = TIME, .unit = 1);
  FORMAT("i", .type = PL_TYPE_INT32, .logical = INTEGER, .bit_width = 64);
  FORMAT("i", .type = PL_TYPE_INT32, .logical = INTEGER, .bit_width = 7);
  FORMAT("w:15", .type = PL_TYPE_FIXED_LEN_BYTE_ARRAY, .type_length = 15, .logical = UUID);
  FORMAT("f", .type = PL_TYPE_FLOAT, .logical = DECIMAL, .precision = 5);
  FORMAT("i", .type = PL_TYPE_INT32, .logical = DECIMAL, .precision = 2, .scale = 3);
  FORMAT("z", .type = PL_TYPE_BYTE_ARRAY, .logical = 30);
  OLD(INT64, UINT_8, "l");
  OLD(INT32, INTERVAL, "i");
  /* then the older one counts */
  const leaf_spec both = {.type = PL_TYPE_INT32, .converted = PL_CONVERTED_TYPE_DATE, .logical = STRING};
  expect_format(&both, "tdD", __LINE__);
}

/* The values buffer of a column of n values. */
static void expect_values(const leaf_spec *leaf, int n, const void *values, size_t size, const void *expected,
                          size_t expected_size, pl_arrow_int96 int96) {
  reading r = read_column(leaf, n, values, size, int96);
  assert_int_equal(r.code, 0);
  assert_int_equal(r.array.children[0]->length, n);
  assert_memory_equal(r.array.children[0]->buffers[1], expected, expected_size);
  release(&r);
}

static void expect_failure(const leaf_spec *leaf, int n, const void *values, size_t size, int code,
                           const char *text) {
  reading r = read_column(leaf, n, values, size, PL_ARROW_INT96_NANOSECONDS);
  assert_int_equal(r.code, code);
  assert_null(r.array.release);
  assert_non_null(strstr(r.stream.get_last_error(&r.stream), text));
  assert_non_null(strstr(r.stream.get_last_error(&r.stream), "\"it\""));
  release(&r);
}

#define VALUES(leaf, n, values, expected, int96)                                                               \
  expect_values(&(leaf), n, values, sizeof values, expected, sizeof expected, int96)

static void narrow_integers(void **state) {
  (void)state;
  static const int32_t stored[] = {-128, -1, 0, 127, 32767, -32768};
  static const int8_t bytes[] = {-128, -1, 0, 127};
  static const int16_t halves[] = {-128, -1, 0, 127, 32767, -32768};
  const leaf_spec int8 = {.type = PL_TYPE_INT32, .converted = PL_CONVERTED_TYPE_INT_8};
  const leaf_spec int16 = {.type = PL_TYPE_INT32, .converted = PL_CONVERTED_TYPE_INT_16};
  expect_values(&int8, 4, stored, 16, bytes, sizeof bytes, 0);
  VALUES(int16, 6, stored, halves, 0);
}

static void decimals(void **state) {
  (void)state;
  static const int32_t stored32[] = {-2, 7};
  static const int64_t stored64[] = {-2, 7};
  static const uint8_t fixed[] = {0xff, 0xff, 0xfe, 0, 0, 7};
  static const uint8_t strings[] = {1, 0, 0, 0, 0xfe, 3, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0};
  int64_t narrow[6] = {-2, -1, 7, 0, 0, 0};
  int64_t wide[8] = {-2, -1, -1, -1, 7, 0, 0, 0};
  for (int precision = 7; precision <= 70; precision += 63) {
    const void *expected = precision == 7 ? narrow : wide;
    const size_t size = precision == 7 ? 32 : 64;
    const leaf_spec base = {.converted = PL_CONVERTED_TYPE_DECIMAL, .precision = precision, .scale = 2};
    leaf_spec leaf = base;
    leaf.type = PL_TYPE_INT32;
    expect_values(&leaf, 2, stored32, sizeof stored32, expected, size, 0);
    leaf.type = PL_TYPE_INT64;
    expect_values(&leaf, 2, stored64, sizeof stored64, expected, size, 0);
    leaf.type = PL_TYPE_FIXED_LEN_BYTE_ARRAY;
    leaf.type_length = 3;
    expect_values(&leaf, 2, fixed, sizeof fixed, expected, size, 0);
    leaf.type = PL_TYPE_BYTE_ARRAY;
    leaf.type_length = 0;
    expect_values(&leaf, 3, strings, sizeof strings, expected, size, 0);
  }
}

static void decimals_of_too_many_digits(void **state) {
  (void)state;
  const leaf_spec leaf = {.type = PL_TYPE_FIXED_LEN_BYTE_ARRAY,
                          .type_length = 17,
                          .converted = PL_CONVERTED_TYPE_DECIMAL,
                          .precision = 38};
  uint8_t value[17] = {0, 0x7f, 1};
  reading r = read_column(&leaf, 1, value, sizeof value, 0);
  assert_int_equal(r.code, 0);
  release(&r);
  value[1] = 0x80;
  expect_failure(&leaf, 1, value, sizeof value, EINVAL, "CORRUPT: a decimal has more digits");
  value[0] = 0xff;
  r = read_column(&leaf, 1, value, sizeof value, 0);
  assert_int_equal(r.code, 0);
  release(&r);
  value[0] = 0x01;
  expect_failure(&leaf, 1, value, sizeof value, EINVAL, "CORRUPT: a decimal has more digits");
}

static void intervals(void **state) {
  (void)state;
  static const uint32_t stored[] = {1, 2, 3, INT32_MAX, 0, UINT32_MAX};
  const struct {
    int32_t months, days;
    int64_t nanoseconds;
  } expected[] = {{1, 2, 3000000}, {INT32_MAX, 0, UINT32_MAX * INT64_C(1000000)}};
  static const uint32_t many_months[] = {0x80000000, 0, 0}, many_days[] = {0, 0x80000000, 0};
  const leaf_spec leaf = {
      .type = PL_TYPE_FIXED_LEN_BYTE_ARRAY, .type_length = 12, .converted = PL_CONVERTED_TYPE_INTERVAL};
  VALUES(leaf, 2, stored, expected, 0);
  expect_failure(&leaf, 1, many_months, sizeof many_months, ENOTSUP, "UNSUPPORTED: an interval");
  expect_failure(&leaf, 1, many_days, sizeof many_days, ENOTSUP, "UNSUPPORTED: an interval");
}

static void put_int96(uint8_t *out, int64_t nanoseconds, int32_t days) {
  const int32_t day = days + 2440588;
  memcpy(out, &nanoseconds, 8);
  memcpy(out + 8, &day, 4);
}

static void int96(void **state) {
  (void)state;
  const leaf_spec leaf = {NOTHING, .type = PL_TYPE_INT96};
  /* first and last nanosecond that 64 bits hold, and what lies around 1970 */
  static const int64_t expected[] = {INT64_MIN, INT64_MAX, 0, -1, 86400000000001, 1234};
  static const int64_t microseconds[] = {INT64_MIN / 1000 - 1, INT64_MAX / 1000, 0, -1, 86400000000, 1};
  static const int64_t milliseconds[] = {INT64_MIN / 1000000 - 1, INT64_MAX / 1000000, 0, -1, 86400000, 0};
  uint8_t stored[6 * 12];
  put_int96(stored, 763145224192, -106752);
  put_int96(stored + 12, 85636854775807, 106751);
  put_int96(stored + 24, 0, 0);
  put_int96(stored + 36, -1, 0);
  put_int96(stored + 48, 1, 1);
  put_int96(stored + 60, 1234, 0);
  VALUES(leaf, 6, stored, expected, PL_ARROW_INT96_NANOSECONDS);
  VALUES(leaf, 6, stored, microseconds, PL_ARROW_INT96_MICROSECONDS);
  VALUES(leaf, 6, stored, milliseconds, PL_ARROW_INT96_MILLISECONDS);
  VALUES(leaf, 6, stored, stored, PL_ARROW_INT96_BYTES);
  static const struct {
    int64_t nanoseconds;
    int32_t days;
  } outside[] = {{763145224191, -106752},  {85636854775808, 106751}, {0, -200000},
                 {0, INT32_MAX - 2440588}, {INT64_MAX, 1},           {INT64_MIN, -1}};
  for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
    put_int96(stored, outside[i].nanoseconds, outside[i].days);
    expect_failure(&leaf, 1, stored, 12, ENOTSUP, "UNSUPPORTED: an interval or INT96");
  }
}

/* Keys and values of the metadata as one text, "name|value|". */
static void metadata_text(const char *metadata, char *out, size_t capacity) {
  int32_t n, size;
  size_t at = 0;
  out[0] = 0;
  if (metadata == NULL)
    return;
  memcpy(&n, metadata, 4);
  metadata += 4;
  for (int32_t i = 0; i < 2 * n; i++) {
    memcpy(&size, metadata, 4);
    at += (size_t)snprintf(out + at, capacity - at, "%.*s|", (int)size, metadata + 4);
    metadata += 4 + size;
  }
}

static void expect_extension(const leaf_spec *leaf, const char *name, const char *metadata) {
  char found[1000], expected[1000] = "";
  reading r = read_column(leaf, 0, NULL, 0, 0);
  metadata_text(r.schema.children[0]->metadata, found, sizeof found);
  if (name != NULL)
    snprintf(expected, sizeof expected, "ARROW:extension:name|%s|ARROW:extension:metadata|%s|", name, metadata);
  assert_string_equal(found, expected);
  release(&r);
}

#define EXTENSION(name, metadata, ...)                                                                         \
  expect_extension(&(leaf_spec){NOTHING, .type = PL_TYPE_BYTE_ARRAY, __VA_ARGS__}, name, metadata)

static void extension_types(void **state) {
  (void)state;
  EXTENSION(NULL, NULL, .logical = STRING);
  EXTENSION("arrow.json", "", .logical = JSON);
  const leaf_spec uuid = {NOTHING, .type = PL_TYPE_FIXED_LEN_BYTE_ARRAY, .type_length = 16, .logical = UUID};
  expect_extension(&uuid, "arrow.uuid", "");
  const char *wkb = "geoarrow.wkb";
  EXTENSION(wkb, "{\"crs\":\"OGC:CRS84\"}", .logical = GEOMETRY);
  EXTENSION(wkb, "{\"crs\":\"5070\",\"crs_type\":\"srid\"}", .logical = GEOMETRY, .crs = "srid:5070");
  EXTENSION(wkb, "{\"crs\":\"a \\\"b\\\\\\u000a\"}", .logical = GEOMETRY, .crs = "a \"b\\\n");
  EXTENSION(wkb, "{\"crs\":{\"a\":[\"}\\\"\"]}}", .logical = GEOMETRY, .crs = "{\"a\":[\"}\\\"\"]}");
  EXTENSION(wkb, "{\"crs\":\"{[}]\"}", .logical = GEOMETRY, .crs = "{[}]");
  EXTENSION(wkb, "{\"crs\":\"OGC:CRS84\",\"edges\":\"spherical\"}", .logical = GEOGRAPHY);
  EXTENSION(wkb, "{\"crs\":\"x\",\"edges\":\"karney\"}", .logical = GEOGRAPHY, .crs = "x",
            .algorithm = PL_EDGE_ALGORITHM_KARNEY + 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(physical_types),
      cmocka_unit_test(logical_types),
      cmocka_unit_test(older_annotations),
      cmocka_unit_test(annotations_that_do_not_fit),
      cmocka_unit_test(narrow_integers),
      cmocka_unit_test(decimals),
      cmocka_unit_test(decimals_of_too_many_digits),
      cmocka_unit_test(intervals),
      cmocka_unit_test(int96),
      cmocka_unit_test(extension_types),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
