/* Whole files: parquet-testing's good ones read, its bad ones and every prefix of a small one end in an error
 * or in the rows they hold. Values are compared with other readers in tests/js; here nothing may crash, leak,
 * or read past its input (each input stands in memory of exactly its size). */
#include "pagelane.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct contents {
  uint8_t *bytes;
  size_t size;
} contents;

static contents load(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  contents c = {.size = (size_t)ftell(file)};
  rewind(file);
  c.bytes = malloc(c.size);
  assert_int_equal(fread(c.bytes, 1, c.size, file), c.size);
  fclose(file);
  return c;
}

/* What came of reading a file: columns by how they ended. */
typedef struct outcome {
  pl_status opened;
  unsigned n_read, n_unsupported, n_failed;
} outcome;

/* Every entry of the chunk is in the batch: an element, or the place of a list without any. */
static void check_batch(const pl_column *batch, uint64_t n_rows, int64_t n_entries,
                        const pl_column_descriptor *column) {
  uint64_t n_slots = n_rows, n_without = 0;
  for (uint32_t i = 0; i < batch->n_parents; i++) {
    const pl_parent *parent = &batch->parents[i];
    assert_int_equal(parent->length, n_slots);
    assert_true(parent->null_count <= n_slots);
    if (!parent->is_list)
      continue;
    for (uint64_t k = 0; k < n_slots; k++) {
      assert_true(parent->offsets[k] <= parent->offsets[k + 1]);
      n_without += parent->offsets[k] == parent->offsets[k + 1];
    }
    n_slots = (uint64_t)parent->offsets[n_slots];
  }
  assert_int_equal(batch->length, n_slots);
  assert_int_equal(n_slots + n_without, n_entries);
  assert_true(column->max_repetition_level > 0 || n_without == 0);
}

static pl_status read_chunk(const pl_metadata *metadata, uint32_t row_group, uint32_t column,
                            const contents *file, pl_limits *limits) {
  pl_error error = {.status = PL_OK};
  pl_chunk_reader *reader = NULL;
  pl_column_builder *builder = NULL;
  pl_status status = pl_chunk_reader_create(metadata, row_group, column, NULL, limits, &reader, &error);
  if (status == PL_OK)
    status = pl_column_builder_create(pl_metadata_column(metadata, column), NULL, limits, &builder, &error);
  if (status == PL_OK)
    status = pl_chunk_reader_read(reader, file->bytes, file->size, builder, &error);
  if (status == PL_OK) {
    const uint64_t length = pl_column_builder_length(builder);
    pl_column batch;
    assert_int_equal(pl_column_builder_take(builder, length, &batch), PL_OK);
    check_batch(&batch, length, pl_metadata_chunk(metadata, row_group, column)->meta_data.num_values,
                pl_metadata_column(metadata, column));
  } else {
    assert_int_equal(error.status, status);
    assert_non_null(error.message);
  }
  pl_column_builder_destroy(builder);
  pl_chunk_reader_destroy(reader);
  return status;
}

static outcome read_file(const contents *file, uint64_t max_bytes) {
  outcome result = {.opened = PL_OK};
  pl_limits limits;
  pl_limits_init(&limits);
  limits.max_bytes = max_bytes;
  uint64_t footer_offset, footer_size;
  pl_metadata *metadata = NULL;
  result.opened =
      pl_footer_locate(file->bytes, file->size, file->size, &limits, &footer_offset, &footer_size, NULL);
  if (result.opened == PL_OK)
    result.opened = pl_metadata_parse(file->bytes + footer_offset, (size_t)footer_size, file->size, &limits,
                                      &metadata, NULL);
  if (result.opened == PL_OK)
    for (uint32_t g = 0; g < pl_metadata_n_row_groups(metadata); g++)
      for (uint32_t c = 0; c < pl_metadata_n_columns(metadata); c++) {
        const pl_status status = read_chunk(metadata, g, c, file, &limits);
        if (status == PL_OK)
          result.n_read++;
        else if (status == PL_UNSUPPORTED)
          result.n_unsupported++;
        else
          result.n_failed++;
      }
  pl_metadata_destroy(metadata, &limits);
  assert_int_equal(limits.used_bytes, 0);
  assert_true(limits.peak_bytes <= max_bytes);
  return result;
}

static const char *folder_of(const char *variable) {
  const char *folder = getenv(variable);
  if (folder == NULL) {
    print_message("skipped: %s is not set\n", variable);
    skip();
  }
  return folder;
}

static int has_ending(const char *name, const char *ending) {
  const size_t size = strlen(name), n = strlen(ending);
  return size > n && strcmp(name + size - n, ending) == 0;
}

/* A file of the folder that cannot be read whole here: it holds 2 GiB of strings. */
static int is_refused(const char *name) {
  return strcmp(name, "large_string_map.brotli.parquet") == 0;
}

static void good_files_read(void **state) {
  (void)state;
  const char *folder = folder_of("PARQUET_TEST_DATA");
  DIR *directory = opendir(folder);
  assert_non_null(directory);
  unsigned n_files = 0, n_read = 0, n_unsupported = 0;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    if (!has_ending(entry->d_name, ".parquet"))
      continue;
    const contents file = load(folder, entry->d_name);
    const outcome result = read_file(&file, 256u << 20);
    if (result.opened != PL_OK || (result.n_failed != 0 && !is_refused(entry->d_name)))
      fail_msg("%s: opened %s, %u columns failed", entry->d_name, pl_status_name(result.opened),
               result.n_failed);
    n_files++;
    n_read += result.n_read;
    n_unsupported += result.n_unsupported;
    if (result.n_unsupported != 0)
      print_message("%s: %u column chunks not supported\n", entry->d_name, result.n_unsupported);
    free(file.bytes);
  }
  closedir(directory);
  print_message("%u files, %u column chunks read, %u not\n", n_files, n_read, n_unsupported);
  assert_true(n_files >= 60 && n_read >= 500);
}

static void bad_files_end_in_errors(void **state) {
  (void)state;
  const char *folder = folder_of("PARQUET_BAD_DATA");
  DIR *directory = opendir(folder);
  assert_non_null(directory);
  unsigned n_files = 0;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    if (!has_ending(entry->d_name, ".parquet"))
      continue;
    const contents file = load(folder, entry->d_name);
    const outcome result = read_file(&file, 64u << 20);
    print_message("%s: %s, %u read, %u unsupported, %u failed\n", entry->d_name, pl_status_name(result.opened),
                  result.n_read, result.n_unsupported, result.n_failed);
    n_files++;
    free(file.bytes);
  }
  closedir(directory);
  assert_true(n_files >= 8);
}

/* A prefix has lost its end, so it is no Parquet file; and with its end moved up, its pages are cut. */
static void every_prefix_ends_in_an_error(void **state) {
  (void)state;
  const char *folder = folder_of("PARQUET_TEST_DATA");
  const contents whole = load(folder, "alltypes_plain.snappy.parquet");
  for (size_t size = 0; size < whole.size; size++) {
    contents prefix = {.bytes = malloc(size + 1), .size = size};
    memcpy(prefix.bytes, whole.bytes, size);
    prefix.bytes = realloc(prefix.bytes, size == 0 ? 1 : size);
    assert_int_not_equal(read_file(&prefix, 16u << 20).opened, PL_OK);
    free(prefix.bytes);
  }
  free(whole.bytes);
}

static void every_changed_byte_ends(void **state) {
  (void)state;
  const char *folder = folder_of("PARQUET_TEST_DATA");
  const char *const names[] = {"alltypes_plain.snappy.parquet",
                               "rle_boolean_encoding.parquet",
                               "dict-page-offset-zero.parquet",
                               "int64_decimal.parquet",
                               "nested_lists.snappy.parquet",
                               "list_columns.parquet",
                               "null_list.parquet",
                               "repeated_no_annotation.parquet",
                               "old_list_structure.parquet",
                               "map_no_value.parquet",
                               "nested_maps.snappy.parquet"};
  for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
    const contents file = load(folder, names[f]);
    for (size_t i = 0; i < file.size; i++)
      for (unsigned flip = 1; flip < 256; flip = flip * 4 + 3) {
        file.bytes[i] ^= (uint8_t)flip;
        (void)read_file(&file, 16u << 20);
        file.bytes[i] ^= (uint8_t)flip;
      }
    free(file.bytes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(good_files_read),
      cmocka_unit_test(bad_files_end_in_errors),
      cmocka_unit_test(every_prefix_ends_in_an_error),
      cmocka_unit_test(every_changed_byte_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
