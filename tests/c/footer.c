/* The footer: where it is, what its image holds, and what becomes of broken ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "footer_writer.h"

static void test_locate(void **state) {
  (void)state;
  static const struct {
    const char *magic;
    uint64_t file_size;
    size_t tail_size;
    uint32_t size;
    pl_status status;
  } cases[] = {
      {"PAR1", 1000, 100, 50, PL_OK},
      {"PAR1", 1000, 8, 50, PL_OK}, /* the footer itself need not be there */
      {"PAR1", 1000, 7, 50, PL_BAD_ARGUMENT},
      {"PAR1", 1000, 100, 988, PL_OK},
      {"PAR1", 1000, 100, 989, PL_CORRUPT},
      {"PAR1", 1000, 100, UINT32_MAX, PL_CORRUPT},
      {"PAR1", 1000, 100, 0, PL_CORRUPT},
      {"PAR1", 13, 13, 1, PL_OK},
      {"PAR1", 12, 12, 1, PL_CORRUPT},
      {"PAR1", 11, 11, 1, PL_TRUNCATED},
      {"PAR1", 0, 8, 1, PL_TRUNCATED},
      {"PAR1", 50, 100, 1, PL_BAD_ARGUMENT},
      {"PAR1", UINT64_MAX, 100, 256 << 20, PL_OK},
      {"PAR1", UINT64_MAX, 100, (256 << 20) + 1, PL_LIMIT},
      {"PARE", 1000, 100, 50, PL_KEY},
      {"PARE", 1000, 100, UINT32_MAX, PL_KEY},
      {"PAR2", 1000, 100, 50, PL_CORRUPT},
      {"par1", 1000, 100, 50, PL_CORRUPT},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint8_t *tail = calloc(1, cases[i].tail_size + 8);
    assert_non_null(tail);
    if (cases[i].tail_size >= 8) {
      memcpy(tail + cases[i].tail_size - 8, &cases[i].size, 4);
      memcpy(tail + cases[i].tail_size - 4, cases[i].magic, 4);
    }
    uint64_t offset = 7, size = 7;
    pl_error error = {0};
    const pl_status status =
        pl_footer_locate(tail, cases[i].tail_size, cases[i].file_size, NULL, &offset, &size, &error);
    if (status != cases[i].status)
      fail_msg("case %zu: %s", i, pl_status_name(status));
    if (status == PL_OK) {
      assert_int_equal(size, cases[i].size);
      assert_true(offset == cases[i].file_size - 8 - cases[i].size);
    } else {
      assert_int_equal(error.status, status);
      assert_non_null(error.message);
      assert_int_equal(size, 7);
    }
    assert_int_equal(pl_footer_locate(tail, cases[i].tail_size, cases[i].file_size, NULL, &offset, &size, NULL),
                     status);
    free(tail);
  }
}

static void assert_text(const pl_metadata *metadata, pl_ref text, const char *expected) {
  assert_int_equal(text.count, strlen(expected));
  assert_memory_equal(PL_AT(char, metadata, text.offset), expected, text.count);
}

static void check_good_image(const pl_metadata *m) {
  static const pl_column_descriptor columns[] = {
      {.type = PL_TYPE_INT64, .schema_index = 1, .root_index = 1, .depth = 1},
      {.type = PL_TYPE_FIXED_LEN_BYTE_ARRAY,
       .type_length = 5,
       .max_definition_level = 2,
       .max_repetition_level = 1,
       .schema_index = 3,
       .root_index = 2,
       .depth = 2,
       .repeated_levels = 2},
      {.type = PL_TYPE_BYTE_ARRAY, .max_definition_level = 2, .schema_index = 4, .root_index = 2, .depth = 2},
      {.type = PL_TYPE_INT96,
       .type_length = 12,
       .max_definition_level = 1,
       .schema_index = 5,
       .root_index = 5,
       .depth = 1},
  };
  assert_int_equal(m->file_size, FILE_SIZE);
  assert_int_equal(m->file.version, 2);
  assert_int_equal(m->file.num_rows, 15);
  assert_text(m, m->file.created_by, "made by hand");
  assert_false(PL_HAS(file_metadata, &m->file, encryption_algorithm));
  assert_int_equal(pl_metadata_n_columns(m), 4);
  for (uint32_t i = 0; i < 4; i++) {
    pl_column_descriptor column = *pl_metadata_column(m, i);
    assert_int_equal(column.present, 0x3FE);
    column.present = 0;
    assert_memory_equal(&column, &columns[i], sizeof column);
  }
  const pl_schema_element *leaf = pl_metadata_schema_element(m, 4);
  assert_text(m, leaf->name, "a");
  assert_int_equal(leaf->converted_type, PL_CONVERTED_TYPE_UTF8);
  assert_true(PL_HAS(schema_element, leaf, logical_type));
  const pl_logical_type *logical = PL_AT(pl_logical_type, m, leaf->logical_type);
  assert_true(PL_HAS(logical_type, logical, STRING));
  assert_int_equal(logical->STRING, 1);
  assert_false(PL_HAS(logical_type, logical, MAP));
  assert_int_equal(pl_metadata_schema_element(m, 1)->logical_type, 0);
  const pl_key_value *pair = PL_AT(pl_key_value, m, m->file.key_value_metadata.offset);
  assert_int_equal(m->file.key_value_metadata.count, 1);
  assert_text(m, pair->key, "key");
  assert_text(m, pair->value, "a value");
  assert_int_equal(PL_AT(pl_column_order, m, m->file.column_orders.offset)->TYPE_ORDER, 1);

  assert_int_equal(pl_metadata_n_row_groups(m), 3);
  assert_int_equal(pl_metadata_row_group(m, 2)->num_rows, 5);
  assert_int_equal(pl_metadata_row_group(m, 2)->ordinal, 2);
  const pl_column_metadata *meta = &pl_metadata_chunk(m, 2, 3)->meta_data;
  assert_int_equal(meta->codec, PL_CODEC_ZSTD);
  assert_int_equal(meta->data_page_offset, 2350);
  assert_int_equal(meta->encodings.count, 2);
  assert_int_equal(PL_AT(int32_t, m, meta->encodings.offset)[1], 99);
  assert_int_equal(meta->path_in_schema.count, 2);
  assert_text(m, PL_AT(pl_ref, m, meta->path_in_schema.offset)[1], "path");
  const pl_statistics *statistics = PL_AT(pl_statistics, m, meta->statistics);
  assert_text(m, statistics->max_value, "max");
  assert_text(m, statistics->min_value, "min");
  assert_int_equal(PL_AT(pl_page_encoding_stats, m, meta->encoding_stats.offset)->count, 7);
  const pl_size_statistics *sizes = PL_AT(pl_size_statistics, m, meta->size_statistics);
  assert_true(sizes->unencoded_byte_array_data_bytes == INT64_MAX);
  assert_false(PL_HAS(size_statistics, sizes, repetition_level_histogram));
  assert_int_equal(sizes->definition_level_histogram.count, 2);
  assert_true(PL_AT(int64_t, m, sizes->definition_level_histogram.offset)[0] == INT64_MIN);
  assert_int_equal(meta->geospatial_statistics, 0);
}

static void test_image(void **state) {
  (void)state;
  thrift_writer w = {0};
  footer_spec spec = good_footer();
  spec.extra_bytes = 28; /* as the signature of a signed footer */
  write_footer(&w, &spec);
  pl_limits limits;
  pl_limits_init(&limits);
  pl_metadata *metadata = NULL;
  assert_int_equal(parse_footer(w.bytes, w.size, &limits, &metadata, NULL), PL_OK);
  assert_int_equal(limits.used_bytes, metadata->image_size);
  assert_int_equal(metadata->footer_size, w.size);
  assert_int_equal((uintptr_t)metadata % 8, 0);
  check_good_image(metadata);

  /* the image is bytes: a copy elsewhere says the same */
  pl_metadata *copy = malloc(metadata->image_size);
  assert_non_null(copy);
  memcpy(copy, metadata, metadata->image_size);
  pl_metadata_destroy(metadata, &limits);
  assert_int_equal(limits.used_bytes, 0);
  check_good_image(copy);
  free(copy);
  pl_metadata_destroy(NULL, &limits);
  tw_free(&w);
}

/* Parses what the description says; nothing may stay charged. */
static void expect(pl_status expected, const footer_spec *spec, int line) {
  thrift_writer w = {0};
  pl_limits limits;
  pl_metadata *metadata = NULL;
  pl_error error = {0};
  pl_limits_init(&limits);
  write_footer(&w, spec);
  const pl_status status = parse_footer(w.bytes, w.size, &limits, &metadata, &error);
  if (status != expected)
    fail_msg("line %d: %s", line, pl_status_name(status));
  if (status == PL_OK) {
    pl_metadata_destroy(metadata, &limits);
  } else {
    assert_null(metadata);
    assert_int_equal(error.status, status);
    assert_non_null(error.message);
    assert_true(error.offset < FILE_SIZE);
  }
  assert_int_equal(limits.used_bytes, 0);
  tw_free(&w);
}

#define EXPECT(expected, change)                                                                               \
  do {                                                                                                         \
    footer_spec spec = good_footer();                                                                          \
    change;                                                                                                    \
    expect(expected, &spec, __LINE__);                                                                         \
  } while (0)

static void test_schema(void **state) {
  (void)state;
  EXPECT(PL_OK, (void)0);
  EXPECT(PL_CORRUPT, spec.n_elements = 0);
  EXPECT(PL_CORRUPT, spec.n_elements = 5);               /* cut */
  EXPECT(PL_CORRUPT, spec.elements[0].num_children = 2); /* one left over */
  EXPECT(PL_CORRUPT, spec.elements[0].num_children = 4); /* one too few */
  EXPECT(PL_CORRUPT, spec.elements[0].num_children = -1);
  EXPECT(PL_CORRUPT, spec.elements[0].num_children = INT32_MAX);
  EXPECT(PL_CORRUPT, spec.elements[2].num_children = 3);
  EXPECT(PL_CORRUPT, spec.elements[2].num_children = -2);
  EXPECT(PL_CORRUPT, spec.elements[2].num_children = INT32_MAX);
  EXPECT(PL_CORRUPT, spec.elements[1].type = 8);
  EXPECT(PL_CORRUPT, spec.elements[1].type = -1);
  EXPECT(PL_CORRUPT, spec.elements[1].type = ABSENT); /* then it is no leaf: a chunk too many */
  EXPECT(PL_CORRUPT, spec.elements[1].repetition = 3);
  EXPECT(PL_CORRUPT, spec.elements[1].repetition = -1);
  EXPECT(PL_CORRUPT, spec.elements[1].repetition = ABSENT);
  EXPECT(PL_CORRUPT, spec.elements[2].repetition = 4);
  EXPECT(PL_OK, spec.elements[0].repetition = 9); /* the root's is not looked at */
  EXPECT(PL_CORRUPT, spec.elements[3].type_length = 0);
  EXPECT(PL_CORRUPT, spec.elements[3].type_length = -5);
  EXPECT(PL_CORRUPT, spec.elements[3].type_length = ABSENT);
  EXPECT(PL_OK, spec.elements[3].type_length = INT32_MAX);
  EXPECT(PL_OK, spec.elements[1].type_length = -5); /* says nothing for an int64 */
  EXPECT(PL_OK, spec.elements[1].name = "");
}

static void test_row_groups(void **state) {
  (void)state;
  EXPECT(PL_CORRUPT, spec.n_chunks[0] = 3);
  EXPECT(PL_CORRUPT, (spec.n_chunks[2] = 5, spec.chunks[2][4] = spec.chunks[2][0]));
  EXPECT(PL_CORRUPT, spec.n_chunks[1] = 0);
  EXPECT(PL_CORRUPT, spec.group_rows[0] = -1);
  EXPECT(PL_CORRUPT, spec.group_rows[0] = spec.group_rows[2] = INT64_MAX);
  EXPECT(PL_CORRUPT, spec.chunks[0][1].num_values = -1);
  EXPECT(PL_CORRUPT, spec.chunks[0][1].compressed_size = -1);
  EXPECT(PL_CORRUPT, spec.chunks[2][3].uncompressed_size = INT64_MIN);
  EXPECT(PL_OK, spec.chunks[0][0].data_offset = -1); /* for who reads that chunk to find out */
  EXPECT(PL_OK, spec.chunks[0][0].type = 99);
  EXPECT(PL_OK, spec.chunks[0][0].no_meta_data = true);
  EXPECT(PL_OK, spec.n_groups = 0);

  /* num_rows is the sum of the row groups', whatever the file says */
  thrift_writer w = {0};
  footer_spec spec = good_footer();
  spec.file_rows = -3;
  write_footer(&w, &spec);
  pl_limits limits;
  pl_limits_init(&limits);
  pl_metadata *metadata = NULL;
  assert_int_equal(parse_footer(w.bytes, w.size, &limits, &metadata, NULL), PL_OK);
  assert_int_equal(metadata->file.num_rows, 15);
  pl_metadata_destroy(metadata, &limits);
  tw_free(&w);
}

static void test_depth(void **state) {
  (void)state;
  for (int depth = 99; depth <= 101; depth++) {
    thrift_writer w = {0};
    tw_list(&w, 2, TW_STRUCT, (uint64_t)depth + 1);
    for (int i = 0; i <= depth; i++) {
      const element_spec group = {"g", ABSENT, ABSENT, PL_REPETITION_OPTIONAL, 1};
      const element_spec leaf = {"l", PL_TYPE_INT32, ABSENT, PL_REPETITION_OPTIONAL, ABSENT};
      write_element(&w, i < depth ? &group : &leaf);
    }
    tw_close(&w);
    pl_limits limits;
    pl_limits_init(&limits);
    pl_metadata *metadata = NULL;
    const pl_status status = parse_footer(w.bytes, w.size, &limits, &metadata, NULL);
    assert_int_equal(status, depth <= 100 ? PL_OK : PL_LIMIT);
    if (status == PL_OK) {
      assert_int_equal(pl_metadata_column(metadata, 0)->max_definition_level, depth);
      assert_int_equal(pl_metadata_column(metadata, 0)->depth, depth);
      pl_metadata_destroy(metadata, &limits);
    }
    tw_free(&w);
  }
}

static void test_prefixes(void **state) {
  (void)state;
  thrift_writer w = {0};
  const footer_spec spec = good_footer();
  write_footer(&w, &spec);
  for (size_t n = 0; n < w.size; n++) {
    pl_limits limits;
    pl_error error = {0};
    pl_metadata *metadata = NULL;
    pl_limits_init(&limits);
    assert_int_equal(parse_footer(w.bytes, n, &limits, &metadata, &error), PL_TRUNCATED);
    assert_true(error.offset >= FILE_SIZE - 8 - n && error.offset <= FILE_SIZE - 8);
    assert_int_equal(limits.used_bytes, 0);
  }
  tw_free(&w);
}

/* Uses everything that an image gives out. */
static void walk_image(const pl_metadata *metadata) {
  for (uint32_t g = 0; g < pl_metadata_n_row_groups(metadata); g++) {
    for (uint32_t c = 0; c < pl_metadata_n_columns(metadata); c++) {
      uint64_t offset, size;
      if (pl_metadata_chunk_range(metadata, g, c, &offset, &size, NULL) == PL_OK)
        assert_true(offset + size <= FILE_SIZE);
    }
  }
  (void)pl_metadata_find_column(metadata, "b.a", 3);
  size_t n;
  (void)pl_plan_make(metadata, NULL, NULL, 0, &n, NULL, NULL);
}

static void test_damage(void **state) {
  (void)state;
  thrift_writer w = {0};
  const footer_spec spec = good_footer();
  write_footer(&w, &spec);
  for (size_t i = 0; i < w.size; i++) {
    const uint8_t was = w.bytes[i];
    for (unsigned change = 1; change < 256; change = change < 128 ? change * 2 : change + 127) {
      pl_limits limits;
      pl_error error = {0};
      pl_metadata *metadata = NULL;
      pl_limits_init(&limits);
      limits.max_bytes = 1 << 20;
      w.bytes[i] = (uint8_t)(was ^ change);
      if (parse_footer(w.bytes, w.size, &limits, &metadata, &error) == PL_OK) {
        walk_image(metadata);
        pl_metadata_destroy(metadata, &limits);
      } else {
        assert_non_null(error.message);
      }
      assert_int_equal(limits.used_bytes, 0);
    }
    w.bytes[i] = was;
  }
  tw_free(&w);
}

/* Gives nothing from its n-th allocation on. */
static void *resize_n_times(void *context, void *pointer, size_t old_size, size_t new_size) {
  int *n_left = context;
  (void)old_size;
  if (new_size == 0) {
    free(pointer);
    return NULL;
  }
  return (*n_left)-- > 0 ? realloc(pointer, new_size) : NULL;
}

static void test_memory(void **state) {
  (void)state;
  thrift_writer w = {0};
  const footer_spec spec = good_footer();
  write_footer(&w, &spec);
  pl_limits limits;
  pl_metadata *metadata = NULL;
  int n = -1;
  for (pl_status status = PL_NO_MEMORY; status != PL_OK;) {
    int n_left = ++n;
    pl_limits_init(&limits);
    limits.allocator = (pl_allocator){resize_n_times, &n_left};
    status = parse_footer(w.bytes, w.size, &limits, &metadata, NULL);
    assert_true(status == PL_OK || status == PL_NO_MEMORY);
    assert_true(status == PL_OK || limits.used_bytes == 0);
  }
  assert_true(n > 2);
  const uint64_t image_size = metadata->image_size;
  pl_metadata_destroy(metadata, &limits);

  bool fits = false;
  for (uint64_t max_bytes = 0; max_bytes < 2 * image_size; max_bytes += 64) {
    pl_limits_init(&limits);
    limits.max_bytes = max_bytes;
    const pl_status status = parse_footer(w.bytes, w.size, &limits, &metadata, NULL);
    assert_int_equal(status, fits || status == PL_OK ? PL_OK : PL_LIMIT);
    fits = status == PL_OK;
    assert_true(limits.peak_bytes <= max_bytes);
    if (fits)
      pl_metadata_destroy(metadata, &limits);
    assert_int_equal(limits.used_bytes, 0);
  }
  assert_true(fits);

  pl_limits_init(&limits);
  limits.max_footer_bytes = w.size - 1;
  assert_int_equal(parse_footer(w.bytes, w.size, &limits, &metadata, NULL), PL_LIMIT);
  assert_int_equal(pl_metadata_parse(w.bytes, w.size, w.size + 11, &limits, &metadata, NULL), PL_BAD_ARGUMENT);
  assert_int_equal(pl_metadata_parse(w.bytes, w.size, FILE_SIZE, NULL, &metadata, NULL), PL_BAD_ARGUMENT);

  /* a list that says it has more elements than bytes follow takes no memory for them */
  tw_reset(&w);
  tw_list(&w, 2, TW_STRUCT, 100000000);
  for (int i = 0; i < 100; i++)
    tw_byte(&w, 0);
  pl_limits_init(&limits);
  assert_int_equal(parse_footer(w.bytes, w.size, &limits, &metadata, NULL), PL_TRUNCATED);
  assert_true(limits.peak_bytes < 2000);
  tw_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_locate),     cmocka_unit_test(test_image),  cmocka_unit_test(test_schema),
      cmocka_unit_test(test_row_groups), cmocka_unit_test(test_depth),  cmocka_unit_test(test_prefixes),
      cmocka_unit_test(test_damage),     cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
