/* Questions to a metadata image: columns by name, places of chunks, plans. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "footer_writer.h"

static pl_limits limits;

static pl_metadata *open_bytes(const thrift_writer *w) {
  pl_metadata *metadata = NULL;
  pl_limits_init(&limits);
  assert_int_equal(parse_footer(w->bytes, w->size, &limits, &metadata, NULL), PL_OK);
  return metadata;
}

static pl_metadata *open_spec(const footer_spec *spec) {
  thrift_writer w = {0};
  write_footer(&w, spec);
  pl_metadata *metadata = open_bytes(&w);
  tw_free(&w);
  return metadata;
}

static int64_t find(const pl_metadata *metadata, const char *path) {
  return pl_metadata_find_column(metadata, path, strlen(path));
}

static void test_out_of_range(void **state) {
  (void)state;
  const footer_spec spec = good_footer();
  pl_metadata *m = open_spec(&spec);
  assert_non_null(pl_metadata_column(m, 3));
  assert_null(pl_metadata_column(m, 4));
  assert_null(pl_metadata_column(m, UINT32_MAX));
  assert_non_null(pl_metadata_schema_element(m, 5));
  assert_null(pl_metadata_schema_element(m, 6));
  assert_non_null(pl_metadata_row_group(m, 2));
  assert_null(pl_metadata_row_group(m, 3));
  assert_non_null(pl_metadata_chunk(m, 2, 3));
  assert_null(pl_metadata_chunk(m, 3, 0));
  assert_null(pl_metadata_chunk(m, 0, 4));
  uint64_t offset, size;
  assert_int_equal(pl_metadata_chunk_range(m, 3, 0, &offset, &size, NULL), PL_BAD_ARGUMENT);
  assert_int_equal(pl_metadata_chunk_range(m, 0, 4, &offset, &size, NULL), PL_BAD_ARGUMENT);
  pl_metadata_destroy(m, &limits);
}

static void test_find(void **state) {
  (void)state;
  footer_spec spec = good_footer();
  pl_metadata *m = open_spec(&spec);
  assert_int_equal(find(m, "a"), 0);
  assert_int_equal(find(m, "b.c"), 1);
  assert_int_equal(find(m, "b.a"), 2);
  assert_int_equal(find(m, "d.x"), 3); /* the dot is part of the name */
  static const char *const absent[] = {"",  "b", "b.",  ".a", "b.a.",  "d",
                                       "c", "A", "a.b", "aa", "b.c.a", "b..a"};
  for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
    assert_int_equal(find(m, absent[i]), -1);
  assert_int_equal(pl_metadata_find_column(m, NULL, 0), -1);
  assert_int_equal(pl_metadata_find_column(m, "b.a.x", 3), 2);
  pl_metadata_destroy(m, &limits);

  spec.elements[1].name = "b.c"; /* the same path by another way: the first leaf is it */
  spec.elements[5].name = "";    /* a name may be empty */
  m = open_spec(&spec);
  assert_int_equal(find(m, "b.c"), 0);
  assert_int_equal(find(m, "b.a"), 2);
  assert_int_equal(find(m, ""), 3);
  pl_metadata_destroy(m, &limits);

  spec.elements[1].name = "b"; /* a leaf and a group of the same name */
  spec.elements[5].name = "b";
  m = open_spec(&spec);
  assert_int_equal(find(m, "b"), 0);
  assert_int_equal(find(m, "b.a"), 2);
  pl_metadata_destroy(m, &limits);
}

static void expect_range(const footer_spec *spec, pl_status status, uint64_t offset, uint64_t size, int line) {
  pl_metadata *m = open_spec(spec);
  uint64_t got_offset = 0, got_size = 0;
  pl_error error = {0};
  const pl_status got = pl_metadata_chunk_range(m, 0, 1, &got_offset, &got_size, &error);
  if (got != status || got_offset != offset || got_size != size)
    fail_msg("line %d: %s, %u bytes at %u", line, pl_status_name(got), (unsigned)got_size,
             (unsigned)got_offset);
  if (got != PL_OK) {
    assert_int_equal(error.status, status);
    assert_non_null(error.message);
  }
  /* the others can still be read */
  assert_int_equal(pl_metadata_chunk_range(m, 0, 2, &got_offset, &got_size, &error), PL_OK);
  assert_int_equal(got_offset, 204);
  pl_metadata_destroy(m, &limits);
}

#define EXPECT_RANGE(status, offset, size, change)                                                             \
  do {                                                                                                         \
    footer_spec spec = good_footer();                                                                          \
    chunk_spec *chunk = &spec.chunks[0][1];                                                                    \
    change;                                                                                                    \
    expect_range(&spec, status, offset, size, __LINE__);                                                       \
  } while (0)

static void test_chunk_range(void **state) {
  (void)state;
  EXPECT_RANGE(PL_OK, 104, 90, (void)chunk);
  EXPECT_RANGE(PL_OK, 150, 90, chunk->dictionary_offset = ABSENT);
  EXPECT_RANGE(PL_OK, 150, 90, chunk->dictionary_offset = 0);
  EXPECT_RANGE(PL_OK, 150, 90, chunk->dictionary_offset = 151); /* the smaller one */
  EXPECT_RANGE(PL_OK, 104, 0, chunk->compressed_size = 0);
  EXPECT_RANGE(PL_CORRUPT, 0, 0, chunk->dictionary_offset = -1);
  EXPECT_RANGE(PL_CORRUPT, 0, 0, chunk->data_offset = -1);
  EXPECT_RANGE(PL_CORRUPT, 0, 0, chunk->data_offset = INT64_MIN);
  EXPECT_RANGE(PL_CORRUPT, 0, 0, chunk->compressed_size = INT64_MAX);
  EXPECT_RANGE(PL_CORRUPT, 0, 0, (chunk->dictionary_offset = ABSENT, chunk->data_offset = INT64_MAX));
  EXPECT_RANGE(PL_CORRUPT, 0, 0, chunk->type = PL_TYPE_INT32);
  EXPECT_RANGE(PL_CORRUPT, 0, 0, chunk->type = 99);
  EXPECT_RANGE(PL_CORRUPT, 0, 0, chunk->no_meta_data = true);
  EXPECT_RANGE(PL_UNSUPPORTED, 0, 0, chunk->encrypted = true);
  EXPECT_RANGE(PL_UNSUPPORTED, 0, 0, (chunk->encrypted = true, chunk->no_meta_data = true));
  EXPECT_RANGE(PL_UNSUPPORTED, 0, 0, chunk->file_path = "other.parquet");
  EXPECT_RANGE(PL_OK, 104, 90, chunk->file_path = ""); /* names no file */

  /* a chunk may end where the footer begins, not a byte later; a size in one varint of the same length */
  footer_spec spec = good_footer();
  spec.chunks[0][1].dictionary_offset = ABSENT;
  for (int64_t past = 0; past <= 1; past++) {
    spec.chunks[0][1].data_offset = 90000;
    thrift_writer sized = {0};
    spec.chunks[0][1].compressed_size = 8192;
    write_footer(&sized, &spec);
    spec.chunks[0][1].compressed_size = (int64_t)(FILE_SIZE - 8 - sized.size) - 90000 + past;
    assert_true(spec.chunks[0][1].compressed_size >= 8192 && spec.chunks[0][1].compressed_size < (1 << 20));
    tw_free(&sized);
    expect_range(&spec, past ? PL_CORRUPT : PL_OK, past ? 0 : 90000,
                 past ? 0 : (uint64_t)spec.chunks[0][1].compressed_size, __LINE__);
  }
}

/* Old writers did not count a header of the chunk: what follows it may be part of it, up to the footer. */
static void chunks_of_old_writers(void **state) {
  (void)state;
  static const struct {
    const char *created_by;
    bool is_old;
  } writers[] = {{"parquet-mr", true},
                 {"parquet-mr version 1.2.8 (build 1234)", true},
                 {"parquet-mr version 1.2.9", false},
                 {"parquet-mr version 1.2.10", false},
                 {"parquet-mr version 1.10.0", false},
                 {"parquet-mr version 0.9", true},
                 {"parquet-mr version 4294967296.4294967296.1", false},
                 {"parquet-m", false},
                 {"parquet-cpp version 1.2.0", false},
                 {"", false}};
  for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
    footer_spec spec = good_footer();
    spec.created_by = writers[i].created_by;
    expect_range(&spec, PL_OK, 104, writers[i].is_old ? 190 : 90, __LINE__);
    spec.chunks[0][1].dictionary_offset = ABSENT;
    spec.chunks[0][1].data_offset = 90000;
    thrift_writer sized = {0};
    spec.chunks[0][1].compressed_size = 8192;
    write_footer(&sized, &spec);
    const uint64_t left = FILE_SIZE - 8 - sized.size - 90000;
    tw_free(&sized);
    spec.chunks[0][1].compressed_size = (int64_t)left - 99;
    expect_range(&spec, PL_OK, 90000, writers[i].is_old ? left : left - 99, __LINE__);
  }
}

/* One plan: checks the count, the ranges and the rows, and that a small array is not written past. */
static void expect_plan(const pl_metadata *m, const pl_plan_options *options, const pl_plan_range *expected,
                        size_t n_expected, uint64_t rows_expected) {
  pl_plan_range ranges[16];
  size_t n = 0;
  uint64_t rows = 0;
  assert_int_equal(pl_plan_make(m, options, NULL, 0, &n, &rows, NULL), PL_OK);
  assert_int_equal(n, n_expected);
  assert_int_equal(rows, rows_expected);
  memset(ranges, 0x77, sizeof ranges);
  assert_int_equal(pl_plan_make(m, options, ranges, n / 2, &n, NULL, NULL), PL_OK);
  assert_int_equal(n, n_expected);
  assert_int_equal(ranges[n / 2].column, 0x77777777);
  assert_int_equal(pl_plan_make(m, options, ranges, 16, &n, &rows, NULL), PL_OK);
  for (size_t i = 0; i < n; i++) {
    const pl_plan_range *range = &ranges[i];
    assert_int_equal(range->row_group, expected[i].row_group);
    assert_int_equal(range->column, expected[i].column);
    assert_int_equal(range->offset, 1000 * range->row_group + 100 * range->column + 4);
    assert_int_equal(range->size, 90);
    assert_int_equal(range->first_row, expected[i].first_row);
    assert_int_equal(range->n_rows, expected[i].n_rows);
    assert_int_equal(range->row_group_rows, range->row_group == 0 ? 10 : 5);
  }
}

#define RANGE(group, col, first, rows) {.row_group = group, .column = col, .first_row = first, .n_rows = rows}

static void test_plan(void **state) {
  (void)state;
  const footer_spec spec = good_footer();
  pl_metadata *m = open_spec(&spec);
  /* the empty row group takes no part */
  const pl_plan_range all[] = {RANGE(0, 0, 0, 10), RANGE(0, 1, 0, 10), RANGE(0, 2, 0, 10), RANGE(0, 3, 0, 10),
                               RANGE(2, 0, 0, 5),  RANGE(2, 1, 0, 5),  RANGE(2, 2, 0, 5),  RANGE(2, 3, 0, 5)};
  expect_plan(m, NULL, all, 8, 15);
  pl_plan_options options = {.struct_size = sizeof options, .n_rows = UINT64_MAX};
  expect_plan(m, &options, all, 8, 15);
  options.n_rows = 0;
  expect_plan(m, &options, NULL, 0, 0);
  options.n_rows = 15;
  options.first_row = 15;
  expect_plan(m, &options, NULL, 0, 0);

  const uint32_t columns[] = {2, 0};
  options = (pl_plan_options){.columns = columns, .n_columns = 2, .first_row = 8, .n_rows = 4};
  const pl_plan_range across[] = {RANGE(0, 2, 8, 2), RANGE(0, 0, 8, 2), RANGE(2, 2, 0, 2), RANGE(2, 0, 0, 2)};
  expect_plan(m, &options, across, 4, 4);
  options.first_row = 11;
  options.n_rows = UINT64_MAX;
  const pl_plan_range second[] = {RANGE(2, 2, 1, 4), RANGE(2, 0, 1, 4)};
  expect_plan(m, &options, second, 2, 4);
  options.first_row = 9;
  options.n_rows = 1;
  const pl_plan_range last_of_first[] = {RANGE(0, 2, 9, 1), RANGE(0, 0, 9, 1)};
  expect_plan(m, &options, last_of_first, 2, 1);

  const uint32_t groups[] = {1, 2}; /* rows are counted over the chosen groups */
  options = (pl_plan_options){.columns = columns,
                              .n_columns = 1,
                              .row_groups = groups,
                              .n_row_groups = 2,
                              .first_row = 3,
                              .n_rows = 100};
  const pl_plan_range of_group[] = {RANGE(2, 2, 3, 2)};
  expect_plan(m, &options, of_group, 1, 2);
  options.n_columns = 0;
  expect_plan(m, &options, NULL, 0, 2);
  pl_metadata_destroy(m, &limits);
}

static void test_plan_errors(void **state) {
  (void)state;
  footer_spec spec = good_footer();
  spec.chunks[2][1].data_offset = -1;
  pl_metadata *m = open_spec(&spec);
  size_t n = 77;
  pl_error error = {0};
  const uint32_t columns[] = {0, 4}, groups[] = {0, 3}, descending[] = {2, 0}, twice[] = {1, 1};
  pl_plan_options options = {.n_rows = UINT64_MAX, .columns = columns, .n_columns = 2};
  assert_int_equal(pl_plan_make(m, &options, NULL, 0, &n, NULL, &error), PL_BAD_ARGUMENT);
  assert_int_equal(error.number, 4);
  options = (pl_plan_options){.n_rows = UINT64_MAX, .row_groups = groups, .n_row_groups = 2};
  assert_int_equal(pl_plan_make(m, &options, NULL, 0, &n, NULL, &error), PL_BAD_ARGUMENT);
  assert_int_equal(error.number, 3);
  options.row_groups = descending;
  assert_int_equal(pl_plan_make(m, &options, NULL, 0, &n, NULL, &error), PL_BAD_ARGUMENT);
  options.row_groups = twice;
  assert_int_equal(pl_plan_make(m, &options, NULL, 0, &n, NULL, &error), PL_BAD_ARGUMENT);
  options = (pl_plan_options){.first_row = 16, .n_rows = 1};
  assert_int_equal(pl_plan_make(m, &options, NULL, 0, &n, NULL, &error), PL_BAD_ARGUMENT);
  assert_int_equal(error.number, 16);
  /* a bad chunk is an error only where it is wanted */
  assert_int_equal(pl_plan_make(m, NULL, NULL, 0, &n, NULL, &error), PL_CORRUPT);
  assert_int_equal(n, 77);
  options = (pl_plan_options){.n_rows = 10};
  assert_int_equal(pl_plan_make(m, &options, NULL, 0, &n, NULL, &error), PL_OK);
  assert_int_equal(n, 4);
  pl_metadata_destroy(m, &limits);
}

static void test_many_columns(void **state) {
  (void)state;
  enum { N = 10000 };
  thrift_writer w = {0};
  char name[16];
  tw_list(&w, 2, TW_STRUCT, N + 2);
  const element_spec root = {"root", ABSENT, ABSENT, ABSENT, 1},
                     group = {"g", ABSENT, ABSENT, PL_REPETITION_REQUIRED, N};
  write_element(&w, &root);
  write_element(&w, &group);
  for (int i = 0; i < N; i++) {
    snprintf(name, sizeof name, "c%d", i);
    const element_spec leaf = {name, PL_TYPE_INT32, ABSENT, PL_REPETITION_OPTIONAL, ABSENT};
    write_element(&w, &leaf);
  }
  tw_list(&w, 4, TW_STRUCT, 1);
  tw_open(&w);
  tw_list(&w, 1, TW_STRUCT, N);
  for (int i = 0; i < N; i++)
    tw_byte(&w, 0); /* chunks without anything */
  tw_i64(&w, 3, 7);
  tw_close(&w);
  tw_close(&w);
  pl_limits_init(&limits);
  pl_metadata *m = NULL;
  assert_int_equal(pl_metadata_parse(w.bytes, w.size, w.size + 12, &limits, &m, NULL), PL_OK);
  assert_int_equal(pl_metadata_n_columns(m), N);
  assert_int_equal(pl_metadata_column(m, N - 1)->schema_index, N + 1);
  assert_int_equal(pl_metadata_column(m, N - 1)->root_index, 1);
  assert_int_equal(pl_metadata_find_column(m, "g.c9999", 7), N - 1);
  assert_int_equal(pl_metadata_find_column(m, "g.c10000", 8), -1);
  pl_metadata_destroy(m, &limits);
  tw_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_out_of_range),     cmocka_unit_test(test_find), cmocka_unit_test(test_chunk_range),
      cmocka_unit_test(chunks_of_old_writers), cmocka_unit_test(test_plan), cmocka_unit_test(test_plan_errors),
      cmocka_unit_test(test_many_columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
