/* The chunk reader and the column builder, over pages made by hand: what they ask for, what they keep, what
 * they refuse. */
#include "page_writer.h"
#include "pagelane.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static pl_limits limits;

static int fresh_limits(void **state) {
  (void)state;
  pl_limits_init(&limits);
  return 0;
}

/* Everything that was charged was given back. */
static int no_leaks(void **state) {
  (void)state;
  assert_int_equal(limits.used_bytes, 0);
  return 0;
}

static pl_page_decode_options options_of(pl_type type, int max_definition_level, int codec) {
  return (pl_page_decode_options){
      .struct_size = sizeof(pl_page_decode_options),
      .column = {.type = (int32_t)type, .max_definition_level = max_definition_level},
      .codec = codec,
  };
}

static pl_chunk_reader *reader_of(const pl_page_decode_options *options, const bytes *in) {
  pl_chunk_reader *reader = NULL;
  assert_int_equal(pl_chunk_reader_create_page(options, in->size, &limits, &reader, NULL), PL_OK);
  return reader;
}

static pl_column_builder *builder_of(const pl_page_decode_options *options, uint32_t flags) {
  const pl_builder_options builder_options = {.struct_size = sizeof builder_options, .flags = flags};
  pl_column_builder *builder = NULL;
  assert_int_equal(pl_column_builder_create(&options->column, &builder_options, &limits, &builder, NULL),
                   PL_OK);
  return builder;
}

/* n int32 values first, first + 1, ... in a PLAIN V1 page */
static void put_int32_page(bytes *out, int32_t first, int n) {
  bytes body = {.size = 0};
  for (int i = 0; i < n; i++)
    put_u32(&body, (uint32_t)(first + i));
  put_data_page(out, n, PL_ENCODING_PLAIN, &body, body.size);
}

/* optional int32, V1: entry i is null when bit i of `present` is not set; values 100, 101, ... */
static void put_nullable_page(bytes *out, uint8_t present) {
  bytes body = {.size = 0};
  put_u32(&body, 2);
  put_byte(&body, 1 << 1 | 1); /* one group of eight, bit-packed */
  put_byte(&body, present);
  for (int i = 0, k = 0; i < 8; i++)
    if (present >> i & 1)
      put_u32(&body, 100u + (uint32_t)k++);
  put_data_page(out, 8, PL_ENCODING_PLAIN, &body, body.size);
}

static int32_t int32_at(const pl_column *column, uint64_t i) {
  int32_t x;
  memcpy(&x, column->values + 4 * i, 4);
  return x;
}

static void batches_cut_across_pages(void **state) {
  (void)state;
  for (uint64_t batch = 1; batch <= 31; batch++) {
    bytes in = {.size = 0};
    for (int page = 0; page < 10; page++)
      put_nullable_page(&in, (uint8_t)(0x5b + 37 * page));
    const pl_page_decode_options options = options_of(PL_TYPE_INT32, 1, 0);
    pl_chunk_reader *reader = reader_of(&options, &in);
    pl_column_builder *builder = builder_of(&options, 0);
    assert_int_equal(pl_chunk_reader_read(reader, in.at, in.size, builder, NULL), PL_OK);
    assert_int_equal(pl_column_builder_length(builder), 80);
    for (uint64_t row = 0; row < 80;) {
      const uint64_t n = 80 - row < batch ? 80 - row : batch;
      pl_column column;
      assert_int_equal(pl_column_builder_take(builder, n, &column), PL_OK);
      uint64_t nulls = 0;
      for (uint64_t i = 0; i < n; i++, row++) {
        const uint8_t present = (uint8_t)(0x5b + 37 * (row / 8));
        const int is_set = present >> (row % 8) & 1;
        nulls += !is_set;
        if (column.validity != NULL)
          assert_int_equal(column.validity[i / 8] >> (i % 8) & 1, is_set);
        const int rank = __builtin_popcount(present & ((1u << row % 8) - 1));
        assert_int_equal(int32_at(&column, i), is_set ? 100 + rank : 0);
      }
      assert_int_equal(column.null_count, nulls);
      assert_int_equal(column.validity == NULL, nulls == 0);
    }
    pl_chunk_reader_destroy(reader);
    pl_column_builder_destroy(builder);
  }
}

static void rows_can_be_chosen(void **state) {
  (void)state;
  for (uint64_t first = 0; first <= 30; first++)
    for (uint64_t n = 0; n <= 30 - first; n++) {
      bytes in = {.size = 0};
      for (int page = 0; page < 3; page++)
        put_int32_page(&in, 10 * page, 10);
      const pl_page_decode_options options = options_of(PL_TYPE_INT32, 0, 0);
      pl_chunk_reader *reader = reader_of(&options, &in);
      pl_column_builder *builder = builder_of(&options, 0);
      pl_chunk_reader_select_rows(reader, first, n);
      assert_int_equal(pl_chunk_reader_read(reader, in.at, in.size, builder, NULL), PL_OK);
      assert_int_equal(pl_column_builder_length(builder), n);
      pl_column column;
      assert_int_equal(pl_column_builder_take(builder, n, &column), PL_OK);
      for (uint64_t i = 0; i < n; i++)
        assert_int_equal(int32_at(&column, i), first + i);
      pl_chunk_reader_destroy(reader);
      pl_column_builder_destroy(builder);
    }
}

/* The caller gives no more bytes than asked for, in memory of exactly that size. */
static void ranges_are_asked_for(void **state) {
  (void)state;
  bytes in = {.size = 0};
  put_int32_page(&in, 0, 1000);
  put_int32_page(&in, 1000, 3);
  const pl_page_decode_options options = options_of(PL_TYPE_INT32, 0, 0);
  pl_chunk_reader *reader = reader_of(&options, &in);
  pl_column_builder *builder = builder_of(&options, 0);
  uint8_t *held = NULL;
  for (;;) {
    pl_step step;
    assert_int_equal(pl_chunk_reader_step(reader, &step, NULL), PL_OK);
    if (step.kind == PL_STEP_DONE)
      break;
    if (step.kind == PL_STEP_VALUES) {
      assert_int_equal(pl_column_builder_append(builder, pl_chunk_reader_page(reader), UINT64_MAX, NULL, NULL),
                       PL_OK);
      continue;
    }
    assert_int_equal(step.kind, PL_STEP_NEED_RANGE);
    assert_true(step.size >= 1 && step.size <= step.size_limit && step.offset + step.size <= in.size);
    uint8_t *range = malloc((size_t)step.size);
    memcpy(range, in.at + step.offset, (size_t)step.size);
    assert_int_equal(pl_chunk_reader_provide_range(reader, step.offset, range, (size_t)step.size, NULL), PL_OK);
    free(held);
    held = range;
  }
  free(held);
  assert_int_equal(pl_column_builder_length(builder), 1003);
  pl_column column;
  assert_int_equal(pl_column_builder_take(builder, 1003, &column), PL_OK);
  for (int i = 0; i < 1003; i++)
    assert_int_equal(int32_at(&column, (uint64_t)i), i);
  pl_chunk_reader_destroy(reader);
  pl_column_builder_destroy(builder);
}

/* A codec that the build does not know: every byte of the page is the complement. */
static void a_codec_can_come_from_the_caller(void **state) {
  (void)state;
  for (int good = 0; good < 2; good++) {
    bytes in = {.size = 0}, body = {.size = 0};
    for (uint32_t i = 0; i < 5; i++)
      put_u32(&body, ~(7 * i));
    put_data_page(&in, 5, PL_ENCODING_PLAIN, &body, body.size);
    const pl_page_decode_options options = options_of(PL_TYPE_INT32, 0, 77);
    pl_chunk_reader *reader = reader_of(&options, &in);
    pl_column_builder *builder = builder_of(&options, 0);
    pl_step step;
    pl_error error;
    assert_int_equal(pl_chunk_reader_step(reader, &step, NULL), PL_OK);
    assert_int_equal(step.kind, PL_STEP_NEED_RANGE);
    assert_int_equal(pl_chunk_reader_provide_range(reader, 0, in.at, in.size, NULL), PL_OK);
    assert_int_equal(pl_chunk_reader_step(reader, &step, NULL), PL_OK);
    assert_int_equal(step.kind, PL_STEP_NEED_CODEC);
    assert_int_equal(step.codec, 77);
    assert_int_equal(step.in_size, 20);
    assert_int_equal(step.out_size, 20);
    if (good) {
      for (int i = 0; i < 20; i++)
        step.out[i] = (uint8_t)~step.in[i];
      assert_int_equal(pl_chunk_reader_provide_page(reader, PL_OK, 20, NULL), PL_OK);
      assert_int_equal(pl_chunk_reader_read(reader, in.at, in.size, builder, NULL), PL_OK);
      pl_column column;
      assert_int_equal(pl_column_builder_take(builder, 5, &column), PL_OK);
      for (int i = 0; i < 5; i++)
        assert_int_equal(int32_at(&column, (uint64_t)i), 7 * i);
    } else {
      assert_int_equal(pl_chunk_reader_provide_page(reader, PL_OK, 19, &error), PL_CORRUPT);
      assert_int_equal(pl_chunk_reader_step(reader, &step, &error), PL_BAD_ARGUMENT);
    }
    pl_chunk_reader_destroy(reader);
    pl_column_builder_destroy(builder);
  }
}

static void put_string_dictionary(bytes *in, const char *const *entries, int n) {
  bytes body = {.size = 0};
  for (int i = 0; i < n; i++) {
    put_u32(&body, (uint32_t)strlen(entries[i]));
    put(&body, entries[i], strlen(entries[i]));
  }
  put_dictionary_page(in, n, &body);
}

/* Indices in one RLE run each, width 8 */
static void put_index_page(bytes *in, const uint8_t *indices, int n) {
  bytes body = {.size = 0};
  put_byte(&body, 8);
  for (int i = 0; i < n; i++) {
    put_byte(&body, 1 << 1);
    put_byte(&body, indices[i]);
  }
  put_data_page(in, n, PL_ENCODING_RLE_DICTIONARY, &body, body.size);
}

static void assert_string(const pl_column *column, uint64_t i, const char *expected) {
  const size_t size = (size_t)(column->offsets[i + 1] - column->offsets[i]);
  assert_int_equal(size, strlen(expected));
  if (size != 0)
    assert_memory_equal(column->data + (column->offsets[i] - column->offsets[0]), expected, size);
}

static void dictionaries_of_several_chunks_are_joined(void **state) {
  (void)state;
  const char *const first[] = {"red", "green"}, *const second[] = {"", "blue", "red"};
  const pl_page_decode_options options = options_of(PL_TYPE_BYTE_ARRAY, 0, 0);
  for (int keep = 0; keep < 2; keep++) {
    pl_column_builder *builder = builder_of(&options, keep ? PL_BUILDER_KEEP_DICTIONARY : 0);
    for (int chunk = 0; chunk < 2; chunk++) {
      bytes in = {.size = 0};
      put_string_dictionary(&in, chunk == 0 ? first : second, chunk == 0 ? 2 : 3);
      put_index_page(&in, (const uint8_t[]){1, 0, 1}, 3);
      put_index_page(&in, (const uint8_t[]){0, 1}, 2);
      pl_chunk_reader *reader = reader_of(&options, &in);
      assert_int_equal(pl_chunk_reader_read(reader, in.at, in.size, builder, NULL), PL_OK);
      pl_chunk_reader_destroy(reader);
    }
    const char *const expected[] = {"green", "red", "green", "red", "green", "blue", "", "blue", "", "blue"};
    for (uint64_t row = 0; row < 10; row += 5) {
      pl_column column;
      assert_int_equal(pl_column_builder_take(builder, 5, &column), PL_OK);
      if (keep)
        assert_int_equal(column.dictionary->length, 5);
      for (uint64_t i = 0; i < 5; i++) {
        if (keep)
          assert_string(column.dictionary, (uint64_t)int32_at(&column, i), expected[row + i]);
        else
          assert_string(&column, i, expected[row + i]);
      }
      if (!keep)
        assert_int_equal(column.offsets[0], 0);
    }
    pl_column_builder_destroy(builder);
  }
}

static void offsets_can_run_on(void **state) {
  (void)state;
  const char *const entries[] = {"a", "bcd"};
  bytes in = {.size = 0};
  put_string_dictionary(&in, entries, 2);
  put_index_page(&in, (const uint8_t[]){1, 0, 1, 1}, 4);
  const pl_page_decode_options options = options_of(PL_TYPE_BYTE_ARRAY, 0, 0);
  pl_chunk_reader *reader = reader_of(&options, &in);
  pl_column_builder *builder = builder_of(&options, PL_BUILDER_RUNNING);
  assert_int_equal(pl_chunk_reader_read(reader, in.at, in.size, builder, NULL), PL_OK);
  pl_column column;
  assert_int_equal(pl_column_builder_take(builder, 3, &column), PL_OK);
  assert_int_equal(column.offsets[3], 7);
  assert_int_equal(column.data_size, 7);
  assert_int_equal(pl_column_builder_take(builder, 1, &column), PL_OK);
  assert_int_equal(column.offsets[0], 7);
  assert_int_equal(column.offsets[1], 10);
  assert_string(&column, 0, "bcd");
  pl_chunk_reader_destroy(reader);
  pl_column_builder_destroy(builder);
}

/* Batches with rows always left over: their offsets must not count what was taken, or 2 GiB would be the end. */
static void a_long_stream_of_strings_is_no_single_column(void **state) {
  (void)state;
  enum { ENTRY = 1 << 15, N_PAGES = 20, PAGE_ROWS = 4000 };
  static uint8_t file[1 << 17];
  static bytes entry;
  entry.size = 0;
  put_u32(&entry, ENTRY);
  memset(entry.at + entry.size, 'x', ENTRY);
  entry.size += ENTRY;
  static bytes in;
  in.size = 0;
  put_dictionary_page(&in, 1, &entry);
  bytes body = {.size = 0};
  put_byte(&body, 0);
  put_uleb(&body, PAGE_ROWS << 1);
  for (int page = 0; page < N_PAGES; page++)
    put_data_page(&in, PAGE_ROWS, PL_ENCODING_RLE_DICTIONARY, &body, body.size);
  memcpy(file, in.at, in.size);
  const pl_page_decode_options options = options_of(PL_TYPE_BYTE_ARRAY, 0, 0);
  pl_chunk_reader *reader = reader_of(&options, &in);
  pl_column_builder *builder = builder_of(&options, 0);
  uint64_t n_rows = 0;
  for (;;) {
    pl_step step;
    assert_int_equal(pl_chunk_reader_step(reader, &step, NULL), PL_OK);
    if (step.kind == PL_STEP_DONE)
      break;
    if (step.kind == PL_STEP_NEED_RANGE) {
      assert_int_equal(
          pl_chunk_reader_provide_range(reader, step.offset, file + step.offset, (size_t)step.size_limit, NULL),
          PL_OK);
      continue;
    }
    pl_page *page = pl_chunk_reader_page(reader);
    while (pl_page_remaining(page) != 0) {
      assert_int_equal(pl_column_builder_append(builder, page, 100, NULL, NULL), PL_OK);
      pl_column column;
      const uint64_t n = pl_column_builder_length(builder) - 1;
      assert_int_equal(pl_column_builder_take(builder, n, &column), PL_OK);
      assert_int_equal(column.offsets[0], 0);
      assert_int_equal(column.data_size, n * ENTRY);
      n_rows += n;
    }
  }
  assert_int_equal(n_rows, N_PAGES * PAGE_ROWS - 1); /* 2.4 GiB */
  pl_chunk_reader_destroy(reader);
  pl_column_builder_destroy(builder);
}

/* A batch is as it was when a later page fails. */
static void a_failed_page_leaves_the_rows_before_it(void **state) {
  (void)state;
  bytes in = {.size = 0}, body = {.size = 0};
  put_int32_page(&in, 5, 4);
  put_u32(&body, 1);
  put_data_page(&in, 2, PL_ENCODING_PLAIN, &body, body.size);
  const pl_page_decode_options options = options_of(PL_TYPE_INT32, 0, 0);
  pl_chunk_reader *reader = reader_of(&options, &in);
  pl_column_builder *builder = builder_of(&options, 0);
  pl_error error;
  assert_int_equal(pl_chunk_reader_read(reader, in.at, in.size, builder, &error), PL_TRUNCATED);
  assert_int_equal(error.page, 1);
  assert_int_equal(pl_column_builder_length(builder), 4);
  pl_column column;
  assert_int_equal(pl_column_builder_take(builder, 4, &column), PL_OK);
  assert_int_equal(int32_at(&column, 3), 8);
  pl_chunk_reader_destroy(reader);
  pl_column_builder_destroy(builder);
}

/* A page of a few bytes that announces 2^31 - 1 values is stopped by the ledger, and gives everything back. */
static void max_bytes_counts_outputs(void **state) {
  (void)state;
  bytes in = {.size = 0}, body = {.size = 0};
  put_byte(&body, 0);
  put_uleb(&body, (uint64_t)INT32_MAX << 1);
  bytes dictionary = {.size = 0};
  put_u32(&dictionary, 42);
  put_dictionary_page(&in, 1, &dictionary);
  put_data_page(&in, INT32_MAX, PL_ENCODING_RLE_DICTIONARY, &body, body.size);
  limits.max_bytes = 1 << 20;
  const pl_page_decode_options options = options_of(PL_TYPE_INT32, 0, 0);
  pl_chunk_reader *reader = reader_of(&options, &in);
  pl_column_builder *builder = builder_of(&options, 0);
  assert_int_equal(pl_chunk_reader_read(reader, in.at, in.size, builder, NULL), PL_LIMIT);
  assert_true(limits.peak_bytes <= 1 << 20);
  pl_chunk_reader_destroy(reader);
  pl_column_builder_destroy(builder);
}

static void no_page_can_be_passed_that_was_not_announced(void **state) {
  (void)state;
  bytes in = {.size = 0};
  put_int32_page(&in, 0, 3);
  put_int32_page(&in, 3, 4);
  const pl_page_decode_options options = options_of(PL_TYPE_INT32, 0, 0);
  pl_chunk_reader *reader = reader_of(&options, &in);
  pl_error error;
  assert_int_equal(pl_chunk_reader_skip_page(reader, &error), PL_BAD_ARGUMENT);
  pl_chunk_reader_destroy(reader);
}

static void levels_of_repeated_leaves_are_kept(void **state) {
  (void)state;
  /* [[7, 8], null, [9]] as one optional list of required int32: definition 0 null list, 1 empty, 2 element */
  bytes in = {.size = 0}, body = {.size = 0};
  put_u32(&body, 2); /* repetition 0 1 0 0 */
  put_byte(&body, 1 << 1 | 1);
  put_byte(&body, 0x02);
  put_u32(&body, 3); /* definition 2 2 0 2, width 2 */
  put_byte(&body, 1 << 1 | 1);
  put_byte(&body, 0x8a);
  put_byte(&body, 0x00);
  put_u32(&body, 7);
  put_u32(&body, 8);
  put_u32(&body, 9);
  put_data_page(&in, 4, PL_ENCODING_PLAIN, &body, body.size);
  pl_page_decode_options options = options_of(PL_TYPE_INT32, 2, 0);
  options.column.max_repetition_level = 1;
  pl_chunk_reader *reader = reader_of(&options, &in);
  pl_column_builder *refused = NULL;
  pl_error error;
  /* nothing says which of the two definition levels is the list's */
  assert_int_equal(pl_column_builder_create(&options.column, NULL, &limits, &refused, &error), PL_BAD_ARGUMENT);
  pl_column_builder *builder = builder_of(&options, PL_BUILDER_KEEP_LEVELS);
  assert_int_equal(pl_chunk_reader_read(reader, in.at, in.size, builder, NULL), PL_OK);
  pl_column column;
  assert_int_equal(pl_column_builder_take(builder, 3, &column), PL_OK);
  assert_int_equal(column.n_levels, 4);
  assert_memory_equal(column.repetition_levels, ((const uint16_t[]){0, 1, 0, 0}), 8);
  assert_memory_equal(column.definition_levels, ((const uint16_t[]){2, 2, 0, 2}), 8);
  for (int i = 0; i < 3; i++)
    assert_int_equal(int32_at(&column, (uint64_t)i), 7 + i);
  pl_chunk_reader_destroy(reader);
  pl_column_builder_destroy(builder);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh_limits, no_leaks)
  const struct CMUnitTest tests[] = {
      TEST(batches_cut_across_pages),
      TEST(rows_can_be_chosen),
      TEST(ranges_are_asked_for),
      TEST(a_codec_can_come_from_the_caller),
      TEST(dictionaries_of_several_chunks_are_joined),
      TEST(offsets_can_run_on),
      TEST(a_long_stream_of_strings_is_no_single_column),
      TEST(a_failed_page_leaves_the_rows_before_it),
      TEST(max_bytes_counts_outputs),
      TEST(no_page_can_be_passed_that_was_not_announced),
      TEST(levels_of_repeated_leaves_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
