/* column_digests [--max-bytes N] [--pages] [--large-offsets] FILE...: a line for each leaf of each Parquet file, to compare with
 * what another host reads: its number, entries, and a SHA-256 of everything in it; or its number, a status and why.
 *
 * The digest is over streams, each hashed for itself, so that it does not matter how a column is cut into batches:
 * for every OPTIONAL ancestor and for the leaf itself a byte a slot, 1 where it is not null; for every REPEATED ancestor the
 * number of elements of each slot; then the values, BOOLEAN as a byte each; of BYTE_ARRAY the lengths, then the bytes.
 * Numbers are uint32, little-endian. Of an OPTIONAL group right above a REQUIRED leaf: as if the leaf were OPTIONAL.
 *
 * --pages: batches are taken after every page, so that no more than a page is held; else after every row group.
 * --large-offsets: BYTE_ARRAY columns with 64-bit offsets. */
#include "pagelane.h"
#include "sha256.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_STREAMS = 260 };

typedef struct leaf_digest {
  sha256 streams[MAX_STREAMS];
  uint32_t n_streams;
  uint64_t entries;
} leaf_digest;

typedef struct run_options {
  uint64_t max_bytes;
  bool by_page, large_offsets;
} run_options;

typedef struct file_bytes {
  uint8_t *bytes;
  size_t size;
} file_bytes;

static bool read_file(const char *path, file_bytes *file) {
  FILE *stream = fopen(path, "rb");
  if (stream == NULL)
    return false;
  const long size = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
  rewind(stream);
  file->size = size > 0 ? (size_t)size : 0;
  file->bytes = malloc(file->size + 1);
  const bool done = size >= 0 && file->bytes != NULL && fread(file->bytes, 1, file->size, stream) == file->size;
  fclose(stream);
  return done;
}

static void add_u32(sha256 *stream, uint32_t value) {
  const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                            (uint8_t)(value >> 24)};
  sha256_add(stream, bytes, sizeof bytes);
}

/* A byte for each bit; NULL: ones. */
static void add_bits(sha256 *stream, const uint8_t *bits, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) {
    const uint8_t bit = bits == NULL ? 1 : bits[i / 8] >> (i % 8) & 1;
    sha256_add(stream, &bit, 1);
  }
}

static void add_lengths(sha256 *stream, const int32_t *offsets, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    add_u32(stream, (uint32_t)(offsets[i + 1] - offsets[i]));
}

static void add_large_lengths(sha256 *stream, const int64_t *offsets, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    add_u32(stream, (uint32_t)(offsets[i + 1] - offsets[i]));
}

static void add_batch(leaf_digest *digest, const pl_column_descriptor *leaf, const pl_column *column) {
  sha256 *stream = digest->streams;
  for (uint32_t i = 0; i < column->n_parents; i++, stream++) {
    if (column->parents[i].is_list)
      add_lengths(stream, column->parents[i].offsets, column->parents[i].length);
    else
      add_bits(stream, column->parents[i].validity, column->parents[i].length);
  }
  const uint32_t last = (uint32_t)leaf->max_definition_level - 1;
  const bool last_is_list =
      (last < 64 ? leaf->repeated_levels >> last : leaf->repeated_levels_high >> (last - 64)) & 1;
  if (leaf->max_definition_level > 0 && !last_is_list)
    add_bits(stream++, column->validity, column->length);
  if (column->type == PL_TYPE_BOOLEAN) {
    add_bits(stream++, column->values, column->values != NULL ? column->length : 0);
  } else if (column->type == PL_TYPE_BYTE_ARRAY) {
    if (column->large_offsets != NULL)
      add_large_lengths(stream++, column->large_offsets, column->length);
    else
      add_lengths(stream++, column->offsets, column->length);
    sha256_add(stream++, column->data, (size_t)column->data_size);
  } else {
    sha256_add(stream++, column->values, (size_t)column->length * column->value_width);
  }
  digest->n_streams = (uint32_t)(stream - digest->streams);
  digest->entries += column->length;
}

static pl_status take_all(pl_column_builder *builder, const pl_column_descriptor *leaf, leaf_digest *digest) {
  pl_column column;
  const pl_status status = pl_column_builder_take(builder, pl_column_builder_length(builder), &column);
  if (status == PL_OK)
    add_batch(digest, leaf, &column);
  return status;
}

/* The steps of pl_chunk_reader_read, with a batch after every page. */
static pl_status read_by_page(pl_chunk_reader *reader, const file_bytes *file, pl_column_builder *builder,
                              const pl_column_descriptor *leaf, leaf_digest *digest, pl_error *error) {
  for (;;) {
    pl_step step;
    pl_status status = pl_chunk_reader_step(reader, &step, error);
    if (status != PL_OK || step.kind == PL_STEP_DONE)
      return status;
    if (step.kind == PL_STEP_NEED_RANGE) {
      const uint64_t left = file->size > step.offset ? file->size - step.offset : 0;
      const uint64_t size = left < step.size_limit ? left : step.size_limit;
      status =
          pl_chunk_reader_provide_range(reader, step.offset, file->bytes + step.offset, (size_t)size, error);
    } else if (step.kind == PL_STEP_NEED_CODEC) {
      status = pl_chunk_reader_provide_page(reader, PL_UNSUPPORTED, 0, error);
    } else if (step.kind == PL_STEP_VALUES) {
      pl_page *page = pl_chunk_reader_page(reader);
      status = pl_column_builder_append(builder, page, UINT64_MAX, NULL, error);
      if (status == PL_OK)
        status = take_all(builder, leaf, digest);
    }
    if (status != PL_OK)
      return status;
  }
}

static pl_status read_leaf(const file_bytes *file, const pl_metadata *metadata, uint32_t column,
                           const run_options *options, pl_limits *limits, leaf_digest *digest,
                           pl_error *error) {
  const pl_column_descriptor *leaf = pl_metadata_column(metadata, column);
  const pl_builder_options builder_options = {
      .struct_size = sizeof builder_options,
      .flags = options->large_offsets && leaf->type == PL_TYPE_BYTE_ARRAY ? PL_BUILDER_LARGE_OFFSETS : 0};
  pl_column_builder *builder = NULL;
  pl_status status = pl_column_builder_create(leaf, &builder_options, limits, &builder, error);
  if (status == PL_OK)
    status = take_all(builder, leaf, digest);
  for (uint32_t g = 0; status == PL_OK && g < pl_metadata_n_row_groups(metadata); g++) {
    pl_chunk_reader *reader = NULL;
    status = pl_chunk_reader_create(metadata, g, column, NULL, limits, &reader, error);
    if (status == PL_OK)
      status = options->by_page ? read_by_page(reader, file, builder, leaf, digest, error)
                                : pl_chunk_reader_read(reader, file->bytes, file->size, builder, error);
    if (status == PL_OK)
      status = take_all(builder, leaf, digest);
    pl_chunk_reader_destroy(reader);
  }
  pl_column_builder_destroy(builder);
  return status;
}

static void print_leaf(uint32_t column, pl_status status, const pl_error *error, leaf_digest *digest) {
  if (status != PL_OK) {
    printf("%" PRIu32 " %s %s\n", column, pl_status_name(status), error->message != NULL ? error->message : "");
    return;
  }
  sha256 whole;
  uint8_t bytes[32];
  sha256_start(&whole);
  for (uint32_t i = 0; i < digest->n_streams; i++) {
    sha256_finish(&digest->streams[i], bytes);
    sha256_add(&whole, bytes, sizeof bytes);
  }
  sha256_finish(&whole, bytes);
  printf("%" PRIu32 " %" PRIu64 " ", column, digest->entries);
  for (size_t i = 0; i < sizeof bytes; i++)
    printf("%02x", bytes[i]);
  putchar('\n');
}

static pl_status digest_file(const file_bytes *file, const run_options *options, pl_error *error) {
  static leaf_digest digest;
  pl_limits limits;
  pl_limits_init(&limits);
  if (options->max_bytes != 0)
    limits.max_bytes = options->max_bytes;
  uint64_t footer_offset, footer_size;
  pl_metadata *metadata = NULL;
  pl_status status =
      pl_footer_locate(file->bytes, file->size, file->size, &limits, &footer_offset, &footer_size, error);
  if (status == PL_OK)
    status = pl_metadata_parse(file->bytes + footer_offset, (size_t)footer_size, file->size, &limits, &metadata,
                               error);
  if (status != PL_OK)
    return status;
  for (uint32_t c = 0; c < pl_metadata_n_columns(metadata); c++) {
    digest.entries = 0;
    for (size_t i = 0; i < MAX_STREAMS; i++)
      sha256_start(&digest.streams[i]);
    pl_error leaf_error = {0};
    const pl_status leaf_status = read_leaf(file, metadata, c, options, &limits, &digest, &leaf_error);
    print_leaf(c, leaf_status, &leaf_error, &digest);
  }
  pl_metadata_destroy(metadata, &limits);
  if (limits.used_bytes != 0)
    printf("- %" PRIu64 " bytes are still charged to the ledger\n", limits.used_bytes);
  return PL_OK;
}

int main(int argc, char **argv) {
  run_options options = {0};
  int failed = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--max-bytes") == 0 && i + 1 < argc) {
      options.max_bytes = strtoull(argv[++i], NULL, 10);
      continue;
    }
    if (strcmp(argv[i], "--pages") == 0) {
      options.by_page = true;
      continue;
    }
    if (strcmp(argv[i], "--large-offsets") == 0) {
      options.large_offsets = true;
      continue;
    }
    printf("file %s\n", argv[i]);
    file_bytes file = {0};
    pl_error error = {0};
    if (!read_file(argv[i], &file)) {
      perror(argv[i]);
      failed = 1;
    } else if (digest_file(&file, &options, &error) != PL_OK) {
      printf("- %s %s\n", pl_status_name(error.status), error.message != NULL ? error.message : "");
    }
    free(file.bytes);
  }
  return failed;
}
