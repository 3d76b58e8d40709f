/* Runs the shared suite of tests/vectors and prints the digest of what came out; needs nothing but libc.
 *
 *   vectors [--kernels NAME] [--take N] [--append N] [--skip N] [--exact-ranges] [--running-offsets] DIRECTORY
 *
 * Without options it runs once with whole pages and then with each of `splits`. --take N: batches of N rows are
 * taken as soon as they are there. --append N: at most N rows an append. Results and digest must be the same
 * for every N. --exact-ranges: the chunk reader gets the bytes it asked for and no more.
 * --running-offsets: offsets go on from batch to batch. --skip N: besides, N rows are skipped after every
 * append, and the rest must be those rows of the whole. --kernels NAME: where others than these would run it
 * says so and leaves with 77. */
#include "vectors_check.h"
#include "vectors_parents.h"

typedef struct run_options {
  uint64_t take, append, skip;
  bool exact_ranges, running_offsets;
} run_options;

static const run_options splits[] = {
    {.take = 1, .append = UINT64_MAX},
    {.take = 7, .append = 5, .skip = 3, .exact_ranges = true},
    {.take = 1000, .append = 64, .skip = 129, .running_offsets = true},
    {.take = 13, .append = 1, .skip = 1},
    {.take = 40, .append = 300, .skip = 1000, .exact_ranges = true, .running_offsets = true},
};
static run_options options = {.take = UINT64_MAX, .append = UINT64_MAX};
static const char *wanted_kernels;

static const char *const manifests[] = {"values", "pages", "peers"};

/* ---- level 1 ---- */

static pl_status call_function(const vector_case *c, const uint8_t *in, size_t n, void *out, size_t *n_values,
                               size_t *in_used) {
  const size_t in_size = c->bytes.size;
  const uint32_t width = (uint32_t)c->width;
  *n_values = n;
  *in_used = 0;
  if (strcmp(c->function, "delta_i32") == 0)
    return pl_delta_binary_packed_decode_i32(in, in_size, out, n, n_values, in_used);
  if (strcmp(c->function, "delta_i64") == 0)
    return pl_delta_binary_packed_decode_i64(in, in_size, out, n, n_values, in_used);
  if (strcmp(c->function, "rle_u32") == 0)
    return pl_rle_decode_u32(in, in_size, width, out, n, in_used);
  if (strcmp(c->function, "bit_unpack_u32") == 0)
    return pl_bit_unpack_u32(in, in_size, width, out, n);
  if (strcmp(c->function, "bit_unpack_u64") == 0)
    return pl_bit_unpack_u64(in, in_size, width, out, n);
  if (strcmp(c->function, "byte_stream_split") == 0)
    return pl_byte_stream_split_decode(in, in_size, width, out, n);
  if (strcmp(c->function, "alp_f32") == 0)
    return pl_alp_decode_f32(in, in_size, out, n, n_values);
  if (strcmp(c->function, "alp_f64") == 0)
    return pl_alp_decode_f64(in, in_size, out, n, n_values);
  vector_fail("unknown function", c->function);
  return PL_BAD_ARGUMENT;
}

/* A copy of exactly its size, so that sanitizers see what is read beyond it. */
static uint8_t *exact_copy(const vector_blob *blob) {
  uint8_t *copy = malloc(blob->size != 0 ? blob->size : 1);
  if (copy == NULL)
    vector_fail("no memory", "input");
  memcpy(copy, vector_bytes(blob), blob->size);
  return copy;
}

static void run_value(const vector_case *c, vector_result *result) {
  const bool is_counted = strncmp(c->function, "delta", 5) == 0 || strncmp(c->function, "alp", 3) == 0;
  const size_t n = (size_t)(is_counted ? c->capacity : c->count);
  size_t width = strstr(c->function, "64") != NULL ? 8 : 4;
  if (strcmp(c->function, "byte_stream_split") == 0)
    width = (size_t)c->width;
  uint8_t *in = exact_copy(&c->bytes);
  uint8_t *out = malloc(n * width != 0 ? n * width : 1);
  if (out == NULL)
    vector_fail("no memory", "output");
  size_t n_values, in_used;
  result->status = call_function(c, in, n, out, &n_values, &in_used);
  if (result->status == PL_OK) {
    result->length = n_values;
    result->in_used = in_used;
    result_add(&result->values, out, n_values * width);
  }
  free(out);
  free(in);
}

/* ---- pages ---- */

typedef struct page_run {
  const vector_case *c;
  pl_limits limits;
  pl_column_builder *builder;
  vector_result *result;
  uint64_t skip;     /* rows skipped after every append */
  uint64_t row;      /* rows appended or skipped */
  result_bytes kept; /* uint64_t: the rows appended */
  bool is_skipping;  /* the last row that began was skipped */
} page_run;

static int32_t number_of(const char *(*name_of)(int32_t), const char *name) {
  for (int32_t number = 0; number < 16; number++) {
    const char *known = name_of(number);
    if (known != NULL && strcmp(known, name) == 0)
      return number;
  }
  vector_fail("unknown name", name);
  return -1;
}

static bool is_kept(const vector_case *c, const char *what) {
  return c->keep != NULL && strcmp(c->keep, what) == 0;
}

static pl_status take_batch(page_run *run, uint64_t n) {
  pl_column column;
  const pl_status status = pl_column_builder_take(run->builder, n, &column);
  if (status == PL_OK) {
    result_add_parents(run->result, &column, options.running_offsets);
    result_add_batch(run->result, &column, options.running_offsets);
  }
  return status;
}

/* Rows that can be taken before the chunks are done: the last one of a repeated column may go on. */
static uint64_t n_whole_rows(const page_run *run) {
  const uint64_t length = pl_column_builder_length(run->builder);
  return length != 0 && run->c->max_repetition_level != 0 ? length - 1 : length;
}

/* One append, and batches while there are enough rows. */
static pl_status append_rows(page_run *run, pl_page *page) {
  const uint64_t length = pl_column_builder_length(run->builder), remaining = pl_page_remaining(page);
  uint64_t n_rows = 0;
  pl_status status = pl_column_builder_append(run->builder, page, options.append, &n_rows, NULL);
  if (status != PL_OK) {
    if (pl_column_builder_length(run->builder) != length)
      run->result->fault = "an append that failed changed the builder";
    return status;
  }
  if (pl_page_remaining(page) == remaining)
    vector_fail("an append of nothing", run->c->name);
  for (; n_rows != 0; n_rows--, run->row++)
    result_add(&run->kept, &run->row, sizeof run->row);
  while (status == PL_OK && !is_kept(run->c, "levels") && n_whole_rows(run) >= options.take)
    status = take_batch(run, options.take);
  return status;
}

static pl_status append_page(page_run *run, pl_page *page) {
  pl_status status = PL_OK;
  uint64_t n_skipped;
  if (run->is_skipping) /* the rest of a row that was skipped */
    status = pl_page_skip(page, 0, &n_skipped, NULL);
  while (status == PL_OK && pl_page_remaining(page) != 0) {
    status = append_rows(run, page);
    run->is_skipping = run->skip != 0 && pl_page_remaining(page) != 0;
    if (status != PL_OK || !run->is_skipping)
      continue;
    status = pl_page_skip(page, run->skip, &n_skipped, NULL);
    run->row += n_skipped;
  }
  return status;
}

static pl_status provide_range(page_run *run, pl_chunk_reader *reader, const pl_step *step,
                               const uint8_t *bytes, size_t n_bytes) {
  if (step->offset > n_bytes || step->size > n_bytes - step->offset || step->size == 0) {
    run->result->fault = "bytes past the chunk, or none, were asked for";
    return PL_BAD_ARGUMENT;
  }
  const uint64_t size = options.exact_ranges ? step->size : step->size_limit;
  return pl_chunk_reader_provide_range(reader, step->offset, bytes + step->offset, (size_t)size, NULL);
}

static pl_status read_chunk(page_run *run, pl_chunk_reader *reader, const uint8_t *bytes, size_t n_bytes) {
  for (;;) {
    pl_step step;
    pl_status status = pl_chunk_reader_step(reader, &step, NULL);
    if (status != PL_OK || step.kind == PL_STEP_DONE)
      return status;
    if (step.kind == PL_STEP_NEED_RANGE)
      status = provide_range(run, reader, &step, bytes, n_bytes);
    else if (step.kind == PL_STEP_NEED_CODEC)
      status = pl_chunk_reader_provide_page(reader, PL_UNSUPPORTED, 0, NULL);
    else if (step.kind == PL_STEP_VALUES)
      status = append_page(run, pl_chunk_reader_page(reader));
    if (status != PL_OK)
      return status;
  }
}

static pl_status read_chunks(page_run *run, const pl_page_decode_options *decode) {
  pl_status status = PL_OK;
  for (int i = 0; i < run->c->n_chunks && status == PL_OK; i++) {
    pl_chunk_reader *reader = NULL;
    uint8_t *bytes = exact_copy(&run->c->chunks[i]);
    status = pl_chunk_reader_create_page(decode, run->c->chunks[i].size, &run->limits, &reader, NULL);
    if (status == PL_OK)
      status = read_chunk(run, reader, bytes, run->c->chunks[i].size);
    pl_chunk_reader_destroy(reader);
    free(bytes);
  }
  return status == PL_OK ? take_batch(run, pl_column_builder_length(run->builder)) : status;
}

/* With `skip`, *rows are the rows that were not skipped (to be freed), *n_rows of them. */
static void run_page(const vector_case *c, uint64_t skip, vector_result *result, uint64_t **rows,
                     size_t *n_rows) {
  page_run run = {.c = c, .result = result, .skip = skip};
  pl_limits_init(&run.limits);
  if (c->max_bytes != 0)
    run.limits.max_bytes = c->max_bytes;
  const pl_page_decode_options decode = {
      .struct_size = sizeof decode,
      .column = {.type = number_of(pl_type_name, c->type),
                 .type_length = (int32_t)c->type_length,
                 .max_definition_level = (int32_t)c->max_definition_level,
                 .max_repetition_level = (int32_t)c->max_repetition_level,
                 .repeated_levels = (int64_t)c->repeated_levels},
      .codec = number_of(pl_codec_name, c->codec),
  };
  pl_builder_options build = {.struct_size = sizeof build};
  if (is_kept(c, "dictionary"))
    build.flags |= PL_BUILDER_KEEP_DICTIONARY;
  if (is_kept(c, "levels"))
    build.flags |= PL_BUILDER_KEEP_LEVELS;
  if (options.running_offsets)
    build.flags |= PL_BUILDER_RUNNING;
  result->status = pl_column_builder_create(&decode.column, &build, &run.limits, &run.builder, NULL);
  if (result->status == PL_OK)
    result->status = read_chunks(&run, &decode);
  pl_column_builder_destroy(run.builder);
  result_drop_full_bitmaps(result);
  if (run.limits.used_bytes != 0)
    result->fault = "bytes are still charged after everything was destroyed";
  *rows = (uint64_t *)(void *)run.kept.bytes;
  *n_rows = run.kept.size / sizeof **rows;
}

/* ---- the suite ---- */

/* Again with rows skipped, against the same rows of the whole. */
static bool check_skips(const vector_case *c, const vector_result *whole) {
  vector_result selected = {0}, skipped = {0};
  uint64_t *rows;
  size_t n_rows;
  run_page(c, options.skip, &skipped, &rows, &n_rows);
  result_select_parents(whole, &rows, &n_rows, &selected);
  result_select(whole, strcmp(c->type, "BOOLEAN") == 0, rows, n_rows, &selected);
  vector_case expected = {
      .name = c->name,
      .status = c->status,
      .length = selected.length,
      .null_count = selected.null_count,
      .dictionary_length = selected.dictionary_length,
      .values = {.bytes = selected.values.bytes, .size = selected.values.size},
      .validity = {.bytes = selected.validity.bytes, .size = selected.validity.size},
      .offsets = {.bytes = selected.offsets.bytes, .size = selected.offsets.size},
      .data = {.bytes = selected.data.bytes, .size = selected.data.size},
      .dictionary_values = c->dictionary_values,
      .dictionary_offsets = c->dictionary_offsets,
      .dictionary_data = c->dictionary_data,
  };
  expect_parents(&expected, &selected);
  const bool good = check_case(&expected, &skipped);
  if (!good)
    printf("     with %llu rows skipped after every append\n", (unsigned long long)options.skip);
  free(rows);
  result_free(&selected);
  result_free(&skipped);
  return good;
}

static bool run_case(const vector_case *c, sha256 *digest) {
  vector_result result = {0};
  const bool is_page = strcmp(c->kind, "page") == 0;
  if (is_page) {
    uint64_t *rows;
    size_t n_rows;
    run_page(c, 0, &result, &rows, &n_rows);
    free(rows);
  } else {
    run_value(c, &result);
  }
  bool good = check_case(c, &result);
  result_digest(digest, c->name, &result);
  if (good && is_page && options.skip != 0 && result.status == PL_OK && !is_kept(c, "levels"))
    good = check_skips(c, &result);
  result_free(&result);
  return good;
}

/* false: no option was given that splits. */
static bool parse_options(int argc, char **argv, const char **directory) {
  bool any = false;
  for (int i = 1; i < argc; i++) {
    const bool has_value = i + 1 < argc;
    if (strcmp(argv[i], "--kernels") == 0 && has_value) {
      wanted_kernels = argv[++i];
      continue;
    }
    any = any || argv[i][0] == '-';
    if (strcmp(argv[i], "--exact-ranges") == 0)
      options.exact_ranges = true;
    else if (strcmp(argv[i], "--running-offsets") == 0)
      options.running_offsets = true;
    else if (strcmp(argv[i], "--take") == 0 && has_value)
      options.take = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--append") == 0 && has_value)
      options.append = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--skip") == 0 && has_value)
      options.skip = strtoull(argv[++i], NULL, 10);
    else if (argv[i][0] != '-' && *directory == NULL)
      *directory = argv[i];
    else
      vector_fail("unknown argument", argv[i]);
  }
  if (*directory == NULL || options.take == 0 || options.append == 0)
    vector_fail(
        "usage",
        "vectors [--kernels NAME] [--take N] [--append N] [--skip N] [--exact-ranges] [--running-offsets] "
        "DIRECTORY");
  return any;
}

/* The whole suite with `options`. Returns how many cases failed. */
static size_t run_suite(const char *directory, size_t *n_cases, uint8_t digest[32]) {
  sha256 s;
  sha256_start(&s);
  size_t n_failed = 0;
  *n_cases = 0;
  for (size_t i = 0; i < sizeof manifests / sizeof manifests[0]; i++) {
    char path[1024];
    vector_manifest manifest;
    snprintf(path, sizeof path, "%s/%s.txt", directory, manifests[i]);
    manifest.text = manifest.next = vector_load(path, &manifest.text_size);
    snprintf(path, sizeof path, "%s/%s.bin", directory, manifests[i]);
    manifest.bytes = vector_load(path, &manifest.bytes_size);
    vector_case c;
    for (; vector_next(&manifest, &c); ++*n_cases)
      n_failed += !run_case(&c, &s);
    free(manifest.text);
    free(manifest.bytes);
  }
  sha256_finish(&s, digest);
  return n_failed;
}

int main(int argc, char **argv) {
  const char *directory = NULL;
  const bool has_options = parse_options(argc, argv, &directory);
  if (wanted_kernels != NULL && strcmp(wanted_kernels, pl_kernels_name()) != 0) {
    printf("skipped: no %s kernels here\n", wanted_kernels);
    return 77;
  }
  uint8_t digest[32], other[32];
  size_t n_cases;
  size_t n_failed = run_suite(directory, &n_cases, digest);
  for (size_t i = 0; i < sizeof splits / sizeof splits[0] && !has_options && n_failed == 0; i++) {
    options = splits[i];
    n_failed = run_suite(directory, &n_cases, other);
    if (n_failed == 0 && memcmp(digest, other, sizeof digest) != 0) {
      printf("FAIL: another digest with batches of %llu rows\n", (unsigned long long)options.take);
      n_failed = 1;
    }
  }
  printf("%zu cases with %s kernels, %zu failed\ndigest: ", n_cases, pl_kernels_name(), n_failed);
  for (size_t i = 0; i < sizeof digest; i++)
    printf("%02x", digest[i]);
  printf("\n");
  return n_failed != 0;
}
