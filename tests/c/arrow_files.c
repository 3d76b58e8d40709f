/* Whole files through the Arrow C Stream Interface: what comes out is what the specifications say, the same whichever way the
 * bytes come, and all of it is given back, also when memory ends or a file is broken. */
#include "pagelane.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "arrow_check.h"

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

static const char *folder_of(const char *variable) {
  const char *folder = getenv(variable);
  if (folder == NULL) {
    print_message("skipped: %s is not set\n", variable);
    skip();
  }
  return folder;
}

/* An allocator that counts, and that can be told to fail. */
typedef struct counting {
  int64_t n_blocks, n_bytes;
  int64_t left; /* allocations until the first that fails; below 0: never */
} counting;

static void *counting_resize(void *context, void *pointer, size_t old_size, size_t new_size) {
  counting *counts = context;
  if (new_size != 0 && counts->left >= 0 && counts->left-- == 0) {
    counts->left = 0;
    return NULL;
  }
  counts->n_blocks += (new_size != 0) - (old_size != 0);
  counts->n_bytes += (int64_t)new_size - (int64_t)old_size;
  if (new_size == 0) {
    free(pointer);
    return NULL;
  }
  return realloc(pointer, new_size);
}

static pl_limits counted_limits(counting *counts, uint64_t max_bytes) {
  pl_limits limits;
  pl_limits_init(&limits);
  limits.allocator = (pl_allocator){counting_resize, counts};
  limits.max_bytes = max_bytes;
  return limits;
}

static int read_range(void *context, uint64_t offset, uint64_t size, uint8_t *out) {
  const contents *file = context;
  assert_true(size <= file->size && offset <= file->size - size);
  memcpy(out, file->bytes + offset, (size_t)size);
  return 0;
}

typedef struct outcome {
  pl_status opened;
  int code; /* of the last get_next */
  uint64_t sum;
  int64_t n_rows, n_batches, n_fields;
} outcome;

/* Reads all of it. Every second batch loses its first child before it is released: the child goes on alone. */
static outcome read_all(const pl_arrow_source *source, const pl_arrow_options *options, bool is_quiet) {
  outcome result = {.sum = UINT64_C(0xcbf29ce484222325)};
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowArray array, child;
  pl_error error = {.status = PL_OK};
  result.opened = pl_arrow_stream_open(source, options, &stream, &error);
  if (result.opened != PL_OK) {
    assert_null(stream.release);
    assert_int_equal(error.status, result.opened);
    assert_non_null(error.message);
    return result;
  }
  result.code = stream.get_schema(&stream, &schema);
  if (result.code == 0) {
    check_schema(&schema);
    result.n_fields = schema.n_children;
    while ((result.code = stream.get_next(&stream, &array)) == 0 && array.release != NULL) {
      result.sum = check_array(&schema, &array, result.sum);
      result.n_rows += array.length;
      const bool moves = result.n_batches++ % 2 == 1 && array.n_children > 0;
      if (moves) {
        child = *array.children[0];
        array.children[0]->release = NULL;
      }
      array.release(&array);
      assert_null(array.release);
      if (moves) {
        check_array(schema.children[0], &child, 0);
        child.release(&child);
      }
    }
    schema.release(&schema);
    assert_null(schema.release);
  }
  if (result.code != 0 && !is_quiet)
    print_message("  %s\n", stream.get_last_error(&stream));
  if (result.code != 0)
    assert_non_null(stream.get_last_error(&stream));
  stream.release(&stream);
  assert_null(stream.release);
  return result;
}

static pl_arrow_source source_of(contents *file, bool by_callback) {
  return (pl_arrow_source){
      .struct_size = sizeof(pl_arrow_source),
      .file_size = file->size,
      .bytes = by_callback ? NULL : file->bytes,
      .read = by_callback ? read_range : NULL,
      .context = file,
  };
}

/* From memory and by ranges; with everything given back. */
static outcome read_both_ways(contents *file, bool keep_dictionaries, bool large_offsets, uint64_t max_bytes,
                              bool is_quiet) {
  counting counts = {.left = -1};
  const pl_limits limits = counted_limits(&counts, max_bytes);
  const pl_arrow_options options = {.struct_size = sizeof options,
                                    .keep_dictionaries = keep_dictionaries,
                                    .large_offsets = large_offsets,
                                    .int96 = PL_ARROW_INT96_MICROSECONDS,
                                    .limits = &limits};
  const pl_arrow_source memory = source_of(file, false), ranges = source_of(file, true);
  const outcome result = read_all(&memory, &options, is_quiet);
  assert_int_equal(counts.n_blocks, 0);
  assert_int_equal(counts.n_bytes, 0);
  const outcome other = read_all(&ranges, &options, true);
  assert_int_equal(counts.n_blocks, 0);
  assert_int_equal(counts.n_bytes, 0);
  assert_int_equal(result.opened, other.opened);
  assert_int_equal(result.code, other.code);
  if (result.code == 0) {
    assert_int_equal(result.sum, other.sum);
    assert_int_equal(result.n_rows, other.n_rows);
  }
  return result;
}

/* Every file of a folder whose name ends so. */
static unsigned each_file(const char *folder, void (*visit)(contents *file, const char *name, void *context),
                          void *context) {
  unsigned n_files = 0;
  DIR *directory = opendir(folder);
  assert_non_null(directory);
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    const size_t size = strlen(entry->d_name);
    if (size < 8 || strcmp(entry->d_name + size - 8, ".parquet") != 0)
      continue;
    contents file = load(folder, entry->d_name);
    visit(&file, entry->d_name, context);
    free(file.bytes);
    n_files++;
  }
  closedir(directory);
  return n_files;
}

typedef struct totals {
  unsigned n_read, n_other;
} totals;

static void good_file(contents *file, const char *name, void *context) {
  totals *totals = context;
  const outcome plain = read_both_ways(file, false, false, 256u << 20, false);
  const outcome kept = read_both_ways(file, true, false, 256u << 20, true);
  const outcome large = read_both_ways(file, false, true, 256u << 20, true);
  if (plain.opened != PL_OK || (plain.code != 0 && plain.code != ENOTSUP && plain.code != ENOMEM))
    fail_msg("%s: opened %s, then %d", name, pl_status_name(plain.opened), plain.code);
  assert_int_equal(plain.n_rows, kept.n_rows);
  assert_int_equal(plain.code, large.code);
  if (plain.code == 0)
    assert_int_equal(plain.sum, large.sum);
  if (plain.code == 0)
    totals->n_read++;
  else
    totals->n_other++;
}

static void good_files(void **state) {
  (void)state;
  totals totals = {0};
  each_file(folder_of("PARQUET_TEST_DATA"), good_file, &totals);
  print_message("%u files read, %u not\n", totals.n_read, totals.n_other);
  assert_true(totals.n_read >= 50);
}

static void bad_file(contents *file, const char *name, void *context) {
  (void)name;
  (void)context;
  read_both_ways(file, false, false, 64u << 20, true);
  read_both_ways(file, true, false, 64u << 20, true);
}

static void bad_files_give_everything_back(void **state) {
  (void)state;
  assert_true(each_file(folder_of("PARQUET_BAD_DATA"), bad_file, NULL) >= 8);
}

/* Each allocation fails once: an error says so, and nothing is lost. */
static void memory_ends(void **state) {
  (void)state;
  contents file = load(folder_of("PARQUET_TEST_DATA"), "nested_maps.snappy.parquet");
  bool has_succeeded = false;
  for (int64_t left = 0; !has_succeeded; left++) {
    counting counts = {.left = left};
    const pl_limits limits = counted_limits(&counts, 16u << 20);
    const pl_arrow_options options = {
        .struct_size = sizeof options, .keep_dictionaries = left % 2 == 1, .limits = &limits};
    const pl_arrow_source source = source_of(&file, left % 3 == 0);
    const outcome result = read_all(&source, &options, true);
    has_succeeded = result.opened == PL_OK && result.code == 0;
    if (!has_succeeded)
      assert_true(result.opened == PL_NO_MEMORY || result.code == ENOMEM);
    assert_int_equal(counts.n_blocks, 0);
    assert_true(left < 10000);
  }
  free(file.bytes);
}

static void chosen_columns(void **state) {
  (void)state;
  contents file = load(folder_of("PARQUET_TEST_DATA"), "alltypes_plain.parquet");
  static const uint32_t columns[] = {7, 1, 7}, wrong[] = {1, 11};
  pl_arrow_options options = {.struct_size = sizeof options, .columns = columns, .n_columns = 3};
  const pl_arrow_source source = source_of(&file, false);
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  pl_error error;
  assert_int_equal(pl_arrow_stream_open(&source, &options, &stream, &error), PL_OK);
  assert_int_equal(stream.get_schema(&stream, &schema), 0);
  assert_int_equal(schema.n_children, 2);
  assert_string_equal(schema.children[0]->name, "bool_col");
  assert_string_equal(schema.children[1]->name, "double_col");
  schema.release(&schema);
  stream.release(&stream);
  const outcome result = read_all(&source, &options, false);
  assert_int_equal(result.n_rows, 8);
  assert_int_equal(result.n_fields, 2);

  options.columns = wrong;
  options.n_columns = 2;
  assert_int_equal(pl_arrow_stream_open(&source, &options, &stream, &error), PL_BAD_ARGUMENT);
  assert_int_equal(error.number, 11);
  assert_null(stream.release);
  options.n_columns = 0;
  assert_int_equal(read_all(&source, &options, false).n_rows, 8);
  free(file.bytes);
}

enum { MOST_COLUMNS = 16 };

/* A row group's columns in builders, read without the stream. */
static void fill_builders(const contents *file, const pl_metadata *metadata, const pl_arrow_options *options,
                          pl_limits *limits, pl_column_builder **builders) {
  for (uint32_t i = 0; i < pl_metadata_n_columns(metadata); i++) {
    const bool keeps = pl_arrow_keeps_dictionary(metadata, options, i);
    const pl_builder_options how = {.struct_size = sizeof how, .flags = keeps ? PL_BUILDER_KEEP_DICTIONARY : 0};
    pl_chunk_reader *reader;
    assert_int_equal(pl_chunk_reader_create(metadata, 0, i, NULL, limits, &reader, NULL), PL_OK);
    assert_int_equal(
        pl_column_builder_create(pl_metadata_column(metadata, i), &how, limits, &builders[i], NULL), PL_OK);
    assert_int_equal(pl_chunk_reader_read(reader, file->bytes, file->size, builders[i], NULL), PL_OK);
    pl_chunk_reader_destroy(reader);
  }
}

static pl_metadata *metadata_of(const contents *file, pl_limits *limits) {
  uint64_t offset, size;
  pl_metadata *metadata;
  assert_int_equal(pl_footer_locate(file->bytes, file->size, file->size, limits, &offset, &size, NULL), PL_OK);
  assert_int_equal(pl_metadata_parse(file->bytes + offset, (size_t)size, file->size, limits, &metadata, NULL),
                   PL_OK);
  assert_true(pl_metadata_n_columns(metadata) <= MOST_COLUMNS);
  return metadata;
}

/* Builders filled by the caller: the same array as the stream's, and the builders are the array's only after success. */
static void builders_exported(void **state) {
  (void)state;
  contents file = load(folder_of("PARQUET_TEST_DATA"), "nullable.impala.parquet");
  counting counts = {.left = -1};
  pl_limits limits = counted_limits(&counts, 16u << 20);
  pl_metadata *metadata = metadata_of(&file, &limits);
  const uint64_t n_rows = (uint64_t)pl_metadata_row_group(metadata, 0)->num_rows;
  for (int keep = 0; keep < 2; keep++) {
    const pl_arrow_options options = {
        .struct_size = sizeof options, .keep_dictionaries = keep == 1, .limits = &limits};
    pl_column_builder *builders[MOST_COLUMNS] = {NULL};
    struct ArrowSchema schema;
    struct ArrowArray array;
    pl_error error;
    fill_builders(&file, metadata, &options, &limits, builders);
    assert_int_equal(pl_arrow_schema_export(metadata, &options, &schema, &error), PL_OK);
    assert_int_equal(pl_arrow_array_export(metadata, &options, builders, n_rows, &array, &error), PL_OK);
    check_schema(&schema);
    const uint64_t sum = check_array(&schema, &array, UINT64_C(0xcbf29ce484222325));
    const pl_arrow_source source = source_of(&file, false);
    assert_int_equal(sum, read_all(&source, &options, false).sum);
    array.release(&array);
    schema.release(&schema);

    fill_builders(&file, metadata, &options, &limits, builders);
    assert_int_equal(pl_arrow_array_export(metadata, &options, builders, n_rows + 1, &array, &error),
                     PL_CORRUPT);
    assert_null(array.release);
    for (uint32_t i = 0; i < pl_metadata_n_columns(metadata); i++)
      pl_column_builder_destroy(builders[i]);
  }
  pl_metadata_destroy(metadata, &limits);
  assert_int_equal(limits.used_bytes, 0);
  assert_int_equal(counts.n_blocks, 0);
  free(file.bytes);
}

static int fail_to_read(void *context, uint64_t offset, uint64_t size, uint8_t *out) {
  (void)size;
  (void)out;
  return offset < *(uint64_t *)context ? EIO : 0;
}

static void count_release(void *context) {
  ++*(uint64_t *)context;
}

static void sources(void **state) {
  (void)state;
  struct ArrowArrayStream stream;
  pl_error error;
  uint64_t n_released = 0;
  pl_arrow_source source = {
      .struct_size = sizeof source, .file_size = 100, .release = count_release, .context = &n_released};
  assert_int_equal(pl_arrow_stream_open(&source, NULL, &stream, &error), PL_BAD_ARGUMENT);
  assert_int_equal(n_released, 1);
  /* the footer cannot be read; the source is given back all the same */
  n_released = 1000;
  source.read = fail_to_read;
  assert_int_not_equal(pl_arrow_stream_open(&source, NULL, &stream, &error), PL_OK);
  assert_int_equal(error.number, EIO);
  assert_int_equal(n_released, 1001);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(good_files),        cmocka_unit_test(bad_files_give_everything_back),
      cmocka_unit_test(memory_ends),       cmocka_unit_test(chosen_columns),
      cmocka_unit_test(builders_exported), cmocka_unit_test(sources),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
