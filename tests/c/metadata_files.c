/* Footers of the files of parquet-testing. What they hold was asked of two other readers, pyarrow 26 and
 * hyparquet, who agree but for: repeated_no_annotation, whose num_rows is 0 (here, the sum of its row groups),
 * and incorrect_map_schema, which pyarrow does not open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pagelane/file.h"

typedef struct expected_file {
  const char *name;
  int64_t n_rows;
  uint32_t n_row_groups, n_columns;
  /* sums over all columns, and over all chunks */
  int64_t max_definition_levels, max_repetition_levels, compressed_size;
  const char *last_path;
} expected_file;

/* clang-format off */
static const expected_file files[] = {
    {"alltypes_dictionary.parquet", 2, 1, 11, 11, 0, 532, "timestamp_col"},
    {"alltypes_plain.parquet", 8, 1, 11, 11, 0, 671, "timestamp_col"},
    {"alltypes_plain.snappy.parquet", 2, 1, 11, 11, 0, 570, "timestamp_col"},
    {"alltypes_tiny_pages.parquet", 7300, 1, 13, 13, 0, 323579, "month"},
    {"alltypes_tiny_pages_plain.parquet", 7300, 1, 13, 13, 0, 676687, "month"},
    {"binary.parquet", 12, 1, 1, 1, 0, 95, "foo"},
    {"binary_truncated_min_max.parquet", 12, 1, 6, 0, 0, 1414, "binary_no_truncation"},
    {"byte_array_decimal.parquet", 24, 1, 1, 1, 0, 168, "value"},
    {"byte_stream_split.zstd.parquet", 300, 1, 2, 2, 0, 3441, "f64"},
    {"byte_stream_split_extended.gzip.parquet", 200, 1, 14, 14, 0, 11404, "decimal_byte_stream_split"},
    {"column_chunk_key_value_metadata.parquet", 0, 1, 2, 2, 0, 28, "column2"},
    {"concatenated_gzip_members.parquet", 513, 1, 1, 1, 0, 1467, "long_col"},
    {"data_index_bloom_encoding_stats.parquet", 14, 1, 1, 1, 0, 152, "String"},
    {"data_index_bloom_encoding_with_length.parquet", 14, 1, 1, 1, 0, 199, "String"},
    {"datapage_v1-corrupt-checksum.parquet", 5120, 1, 2, 0, 0, 41072, "b"},
    {"datapage_v1-snappy-compressed-checksum.parquet", 5120, 1, 2, 0, 0, 3047, "b"},
    {"datapage_v1-uncompressed-checksum.parquet", 5120, 1, 2, 0, 0, 41072, "b"},
    {"datapage_v2.snappy.parquet", 5, 1, 5, 3, 1, 317, "e.list.element"},
    {"datapage_v2_empty_datapage.snappy.parquet", 1, 1, 1, 1, 0, 23, "value"},
    {"delta_binary_packed.parquet", 200, 1, 66, 66, 0, 65467, "int_value"},
    {"delta_byte_array.parquet", 1000, 1, 9, 9, 0, 67295, "c_last_review_date"},
    {"delta_encoding_optional_column.parquet", 100, 1, 17, 17, 0, 9485, "c_last_review_date"},
    {"delta_encoding_required_column.parquet", 100, 1, 17, 0, 0, 9229, "c_last_review_date:"},
    {"delta_length_byte_array.parquet", 1000, 1, 1, 1, 0, 2625, "FRUIT"},
    {"dict-page-offset-zero.parquet", 39, 1, 1, 1, 0, 40, "l_partkey"},
    {"fixed_length_byte_array.parquet", 1000, 1, 1, 1, 0, 3940, "flba_field"},
    {"fixed_length_decimal.parquet", 24, 1, 1, 1, 0, 319, "value"},
    {"fixed_length_decimal_legacy.parquet", 24, 1, 1, 1, 0, 189, "value"},
    {"float16_nonzeros_and_nans.parquet", 8, 1, 1, 1, 0, 76, "x"},
    {"float16_zeros_and_nans.parquet", 3, 1, 1, 1, 0, 64, "x"},
    {"floating_orders_nan_count.parquet", 50, 5, 6, 0, 0, 2110, "float16_typedef"},
    {"geospatial/crs-arbitrary-value.parquet", 1, 1, 2, 2, 0, 12233, "geometry"},
    {"geospatial/crs-default.parquet", 1, 1, 2, 2, 0, 10838, "geometry"},
    {"geospatial/crs-geography.parquet", 1, 1, 2, 2, 0, 10838, "geography"},
    {"geospatial/crs-projjson.parquet", 1, 1, 2, 2, 0, 12233, "geometry"},
    {"geospatial/crs-srid.parquet", 1, 1, 2, 2, 0, 12233, "geometry"},
    {"geospatial/geography-lines.parquet", 499, 50, 2, 2, 0, 19865, "geometry"},
    {"geospatial/geography-points.parquet", 500, 50, 2, 2, 0, 17290, "geometry"},
    {"geospatial/geography-polygons.parquet", 500, 50, 2, 2, 0, 44076, "geometry"},
    {"geospatial/geospatial-with-nan.parquet", 3, 1, 3, 3, 0, 569, "geometry"},
    {"geospatial/geospatial.parquet", 196, 31, 3, 3, 0, 35952, "geometry"},
    {"hadoop_lz4_compressed.parquet", 4, 1, 3, 1, 0, 314, "v11"},
    {"hadoop_lz4_compressed_larger.parquet", 10000, 1, 1, 0, 0, 358351, "a"},
    {"incorrect_map_schema.parquet", 1, 1, 2, 6, 2, 141, "my_map.key_value.value"},
    {"int32_decimal.parquet", 24, 1, 1, 1, 0, 137, "value"},
    {"int32_with_null_pages.parquet", 1000, 1, 1, 1, 0, 3328, "int32_field"},
    {"int64_decimal.parquet", 24, 1, 1, 1, 0, 241, "value"},
    {"int96_from_spark.parquet", 6, 1, 1, 1, 0, 113, "a"},
    {"large_string_map.brotli.parquet", 2, 1, 2, 5, 2, 3427, "arr.key_value.value"},
    {"list_columns.parquet", 3, 1, 2, 6, 2, 215, "utf8_list.list.item"},
    {"lz4_raw_compressed.parquet", 4, 1, 3, 1, 0, 238, "v11"},
    {"lz4_raw_compressed_larger.parquet", 10000, 1, 1, 0, 0, 380480, "a"},
    {"map_no_value.parquet", 3, 1, 4, 5, 4, 315, "my_list.list.element"},
    {"nan_in_stats.parquet", 2, 1, 1, 1, 0, 84, "x"},
    {"nation.dict-malformed.parquet", 25, 1, 4, 4, 0, 2574 + 315, "comment_col"}, /* an old writer: with room for headers */
    {"nested_lists.snappy.parquet", 3, 1, 2, 7, 3, 160, "b"},
    {"nested_maps.snappy.parquet", 6, 1, 5, 10, 5, 338, "c"},
    {"nested_structs.rust.parquet", 1, 1, 216, 0, 0, 17712, "ul_tz_offset_minutes_ul_observation_date.variance"},
    {"non_hadoop_lz4_compressed.parquet", 4, 1, 3, 3, 0, 281, "v11"},
    {"nonnullable.impala.parquet", 1, 1, 13, 17, 17, 630, "nested_Struct.G.map.value.h.i.list.element"},
    {"null_list.parquet", 1, 1, 1, 3, 1, 29, "emptylist.list.item"},
    {"nullable.impala.parquet", 7, 1, 13, 56, 17, 1073, "nested_struct.g.map.value.H.i.list.element"},
    {"nulls.snappy.parquet", 8, 1, 1, 2, 0, 29, "b_struct.b_c_int"},
    {"old_list_structure.parquet", 1, 1, 1, 2, 2, 53, "a.array.array"},
    {"overflow_i16_page_cnt.parquet", 40000, 1, 1, 0, 0, 720000, "inc"},
    {"page_v2_empty_compressed.parquet", 10, 1, 1, 1, 0, 61, "integer_column"},
    {"plain-dict-uncompressed-checksum.parquet", 1000, 1, 2, 0, 0, 140, "binary_field"},
    {"repeated_no_annotation.parquet", 6, 1, 3, 5, 2, 205, "phoneNumbers.phone.kind"},
    {"repeated_primitive_no_list.parquet", 4, 1, 4, 4, 4, 526, "group_of_lists.String_list_in_group"},
    {"rle-dict-snappy-checksum.parquet", 1000, 1, 2, 0, 0, 146, "binary_field"},
    {"rle-dict-uncompressed-corrupt-checksum.parquet", 1000, 1, 2, 0, 0, 138, "binary_field"},
    {"rle_boolean_encoding.parquet", 68, 1, 1, 1, 0, 69, "datatype_boolean"},
    {"single_nan.parquet", 1, 1, 1, 1, 0, 45, "mycol"},
    {"sort_columns.parquet", 6, 2, 2, 2, 0, 348, "b"},
    {"unknown-logical-type.parquet", 3, 1, 2, 2, 0, 187, "column with unknown type"},
};
/* clang-format on */

/* Names of the files whose footers open but for which some chunk's place is wrong, or which do not open. */
typedef struct bad_file {
  const char *name;
  pl_status opens;
  uint32_t n_bad_chunks;
} bad_file;

static const bad_file bad_files[] = {
    {"ARROW-GH-41317.parquet", PL_OK, 0},
    {"ARROW-GH-41321.parquet", PL_OK, 0},
    {"ARROW-GH-43605.parquet", PL_OK, 0},
    {"ARROW-GH-45185.parquet", PL_OK, 0},
    {"ARROW-GH-47662.parquet", PL_OK, 0},
    {"ARROW-RS-GH-6229-DICTHEADER.parquet", PL_OK, 3}, /* cut: only one chunk is there */
    {"ARROW-RS-GH-6229-LEVELS.parquet", PL_OK, 0},
    {"PARQUET-1481.parquet", PL_CORRUPT, 0}, /* physical type -7 */
};

static const bad_file encrypted_files[] = {
    {"encrypt_columns_and_footer.parquet.encrypted", PL_KEY, 0},
    {"encrypt_columns_plaintext_footer.parquet.encrypted", PL_OK, 2},
    {"uniform_encryption.parquet.encrypted", PL_KEY, 0},
    {"aes256/encrypt_columns_plaintext_footer.parquet.encrypted", PL_OK, 8},
};

/* A folder from the environment; NULL when it is not set. */
static const char *folder_of(const char *variable) {
  const char *folder = getenv(variable);
  return folder != NULL && folder[0] != 0 ? folder : NULL;
}

/* The file's bytes, in a block of exactly their size. */
static uint8_t *load(const char *folder, const char *name, size_t *size) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    fail_msg("%s cannot be opened", path);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  *size = (size_t)ftell(file);
  rewind(file);
  uint8_t *bytes = malloc(*size);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, *size, file), *size);
  fclose(file);
  return bytes;
}

static pl_status open_file(const uint8_t *bytes, size_t size, pl_limits *limits, pl_metadata **metadata,
                           pl_error *error) {
  uint64_t footer_offset, footer_size;
  const size_t tail_size = size < 100 ? size : 100;
  *metadata = NULL;
  const pl_status status =
      pl_footer_locate(bytes + size - tail_size, tail_size, size, limits, &footer_offset, &footer_size, error);
  if (status != PL_OK)
    return status;
  return pl_metadata_parse(bytes + footer_offset, (size_t)footer_size, size, limits, metadata, error);
}

static void check_file(const expected_file *expected, const pl_metadata *m) {
  const uint32_t n_columns = pl_metadata_n_columns(m), n_row_groups = pl_metadata_n_row_groups(m);
  if (m->file.num_rows != expected->n_rows || n_columns != expected->n_columns ||
      n_row_groups != expected->n_row_groups)
    fail_msg("%s: %lld rows, %u columns, %u row groups", expected->name, (long long)m->file.num_rows,
             (unsigned)n_columns, (unsigned)n_row_groups);
  int64_t definition = 0, repetition = 0;
  uint64_t compressed = 0;
  for (uint32_t c = 0; c < n_columns; c++) {
    definition += pl_metadata_column(m, c)->max_definition_level;
    repetition += pl_metadata_column(m, c)->max_repetition_level;
    for (uint32_t g = 0; g < n_row_groups; g++) {
      uint64_t offset, size;
      pl_error error;
      if (pl_metadata_chunk_range(m, g, c, &offset, &size, &error) != PL_OK)
        fail_msg("%s, column %u: %s", expected->name, (unsigned)c, error.message);
      compressed += size;
    }
  }
  if (definition != expected->max_definition_levels || repetition != expected->max_repetition_levels ||
      compressed != (uint64_t)expected->compressed_size)
    fail_msg("%s: levels %lld %lld, size %lld", expected->name, (long long)definition, (long long)repetition,
             (long long)compressed);
  const int64_t last = pl_metadata_find_column(m, expected->last_path, strlen(expected->last_path));
  if (last != (int64_t)n_columns - 1)
    fail_msg("%s: %s is column %lld", expected->name, expected->last_path, (long long)last);
}

static void test_data(void **state) {
  (void)state;
  const char *folder = folder_of("PARQUET_TEST_DATA");
  if (folder == NULL)
    skip();
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    size_t size;
    uint8_t *bytes = load(folder, files[i].name, &size);
    pl_limits limits;
    pl_metadata *metadata;
    pl_error error = {0};
    pl_limits_init(&limits);
    if (open_file(bytes, size, &limits, &metadata, &error) != PL_OK)
      fail_msg("%s: %s", files[i].name, error.message);
    free(bytes); /* the image holds all it needs */
    check_file(&files[i], metadata);
    pl_metadata_destroy(metadata, &limits);
    assert_int_equal(limits.used_bytes, 0);
  }
}

static void check_bad(const char *folder, const bad_file *expected) {
  size_t size;
  uint8_t *bytes = load(folder, expected->name, &size);
  pl_limits limits;
  pl_metadata *m;
  pl_error error = {0};
  pl_limits_init(&limits);
  const pl_status status = open_file(bytes, size, &limits, &m, &error);
  if (status != expected->opens)
    fail_msg("%s: %s", expected->name, pl_status_name(status));
  free(bytes);
  uint32_t n_bad = 0;
  for (uint32_t g = 0; m != NULL && g < pl_metadata_n_row_groups(m); g++) {
    for (uint32_t c = 0; c < pl_metadata_n_columns(m); c++) {
      uint64_t offset, chunk_size;
      n_bad += pl_metadata_chunk_range(m, g, c, &offset, &chunk_size, &error) != PL_OK;
    }
  }
  if (n_bad != expected->n_bad_chunks)
    fail_msg("%s: %u bad chunks", expected->name, (unsigned)n_bad);
  pl_metadata_destroy(m, &limits);
  assert_int_equal(limits.used_bytes, 0);
}

static void test_encrypted(void **state) {
  (void)state;
  const char *folder = folder_of("PARQUET_TEST_DATA");
  if (folder == NULL)
    skip();
  for (size_t i = 0; i < sizeof encrypted_files / sizeof encrypted_files[0]; i++)
    check_bad(folder, &encrypted_files[i]);
}

static void test_bad_data(void **state) {
  (void)state;
  const char *folder = folder_of("PARQUET_BAD_DATA");
  if (folder == NULL)
    skip();
  for (size_t i = 0; i < sizeof bad_files / sizeof bad_files[0]; i++)
    check_bad(folder, &bad_files[i]);
}

/* Every prefix of a whole file, and every byte of its end damaged. */
static void test_small_file(void **state) {
  (void)state;
  const char *folder = folder_of("PARQUET_TEST_DATA");
  if (folder == NULL)
    skip();
  size_t size;
  uint8_t *bytes = load(folder, "dict-page-offset-zero.parquet", &size);
  pl_limits limits;
  pl_metadata *metadata;
  pl_error error;
  pl_limits_init(&limits);
  for (size_t n = 0; n < size; n++) {
    assert_int_not_equal(open_file(bytes, n, &limits, &metadata, &error), PL_OK);
    assert_null(metadata);
  }
  for (size_t i = 77; i < size; i++) { /* the footer begins at 77 */
    for (unsigned bit = 0; bit < 8; bit++) {
      bytes[i] ^= (uint8_t)(1u << bit);
      const pl_status status = open_file(bytes, size, &limits, &metadata, &error);
      assert_true((status == PL_OK) == (metadata != NULL));
      pl_metadata_destroy(metadata, &limits);
      bytes[i] ^= (uint8_t)(1u << bit);
    }
  }
  assert_int_equal(limits.used_bytes, 0);
  free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_data),
      cmocka_unit_test(test_encrypted),
      cmocka_unit_test(test_bad_data),
      cmocka_unit_test(test_small_file),
  };
  if (folder_of("PARQUET_TEST_DATA") == NULL && folder_of("PARQUET_BAD_DATA") == NULL) {
    puts("skipped: neither PARQUET_TEST_DATA nor PARQUET_BAD_DATA is set");
    return 77;
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
