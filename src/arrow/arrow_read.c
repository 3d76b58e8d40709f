#include "arrow/arrow_read.h"

#include "base/error.h"
#include "base/memory.h"

/* Bytes of the footer's first guess, and of a chunk that are read at a time. */
enum { TAIL_SIZE = 64 << 10, WINDOW_SIZE = 1 << 20 };
/* Rows that a builder makes room for before any was seen: what the metadata says may be wrong. */
enum { MOST_RESERVED = 1 << 20 };

/* A range of the file: the source's own bytes, or a copy in `window`. */
static pl_status fetch(const pl_arrow_source *source, uint64_t offset, uint64_t size, pl_limits *limits,
                       pl_buffer *window, const uint8_t **bytes, int *source_errno, pl_error *error) {
  if (size > source->file_size || offset > source->file_size - size)
    return pl_fail(error, PL_TRUNCATED, offset, -1, -1, "a range outside the file");
  if (source->bytes != NULL) {
    *bytes = source->bytes + offset;
    return PL_OK;
  }
  const pl_status status = pl_buffer_reserve(limits, window, size);
  if (status != PL_OK)
    return pl_fail(error, status, offset, -1, -1, "no memory for a range of the file");
  *source_errno = source->read(source->context, offset, size, window->bytes);
  if (*source_errno != 0)
    return pl_fail(error, PL_TRUNCATED, offset, -1, *source_errno, "the source could not be read");
  *bytes = window->bytes;
  return PL_OK;
}

pl_status pl_arrow_read_metadata(const pl_arrow_source *source, pl_limits *limits, pl_metadata **metadata,
                                 int *source_errno, pl_error *error) {
  const uint64_t size = source->file_size, tail_size = size < TAIL_SIZE ? size : TAIL_SIZE;
  const uint64_t tail_offset = size - tail_size;
  uint64_t offset, footer_size;
  pl_buffer window = {0};
  const uint8_t *bytes = NULL;
  pl_status status = fetch(source, tail_offset, tail_size, limits, &window, &bytes, source_errno, error);
  if (status == PL_OK)
    status = pl_footer_locate(bytes, (size_t)tail_size, size, limits, &offset, &footer_size, error);
  if (status == PL_OK && offset < tail_offset)
    status = fetch(source, offset, footer_size, limits, &window, &bytes, source_errno, error);
  else if (status == PL_OK)
    bytes += offset - tail_offset;
  if (status == PL_OK)
    status = pl_metadata_parse(bytes, (size_t)footer_size, size, limits, metadata, error);
  pl_buffer_free(limits, &window);
  return status;
}

static pl_status read_pages(pl_chunk_reader *reader, const pl_arrow_source *source, pl_limits *limits,
                            pl_buffer *window, pl_column_builder *builder, int *source_errno, pl_error *error) {
  for (;;) {
    pl_step step;
    const uint8_t *bytes;
    uint64_t size;
    pl_status status = pl_chunk_reader_step(reader, &step, error);
    if (status != PL_OK)
      return status;
    switch (step.kind) {
    case PL_STEP_NEED_RANGE:
      size = source->bytes != NULL || step.size_limit < WINDOW_SIZE ? step.size_limit : WINDOW_SIZE;
      if (size < step.size)
        size = step.size;
      status = fetch(source, step.offset, size, limits, window, &bytes, source_errno, error);
      if (status == PL_OK)
        status = pl_chunk_reader_provide_range(reader, step.offset, bytes, (size_t)size, error);
      break;
    case PL_STEP_NEED_CODEC:
      status = pl_chunk_reader_provide_page(reader, PL_UNSUPPORTED, 0, error);
      break;
    case PL_STEP_VALUES:
      status = pl_column_builder_append(builder, pl_chunk_reader_page(reader), UINT64_MAX, NULL, error);
      break;
    case PL_STEP_DONE:
      return PL_OK;
    case PL_STEP_PAGE:
    case PL_STEP_NEED_DECRYPT:
      break;
    }
    if (status != PL_OK)
      return status;
  }
}

pl_status pl_arrow_read_chunk(const pl_arrow_chunk *chunk, uint64_t n_rows, pl_limits *limits,
                              pl_column_builder **result, int *source_errno, pl_error *error) {
  const pl_builder_options options = {
      .struct_size = sizeof options,
      .flags = (chunk->keeps_dictionary ? PL_BUILDER_KEEP_DICTIONARY : 0u) |
               (chunk->has_large_offsets ? PL_BUILDER_LARGE_OFFSETS : 0u),
      .reserve_rows = n_rows < MOST_RESERVED ? n_rows : MOST_RESERVED,
  };
  pl_column_builder *builder = NULL;
  pl_chunk_reader *reader = NULL;
  pl_buffer window = {0};
  pl_status status =
      pl_chunk_reader_create(chunk->metadata, chunk->row_group, chunk->column, NULL, limits, &reader, error);
  if (status == PL_OK)
    status = pl_column_builder_create(pl_metadata_column(chunk->metadata, chunk->column), &options, limits,
                                      &builder, error);
  if (status == PL_OK)
    status = read_pages(reader, chunk->source, limits, &window, builder, source_errno, error);
  pl_chunk_reader_destroy(reader);
  pl_buffer_free(limits, &window);
  if (status == PL_OK && pl_column_builder_length(builder) != n_rows)
    status =
        pl_fail(error, PL_CORRUPT, 0, -1, -1, "the column chunk has another number of rows than its row group");
  if (status != PL_OK) {
    pl_column_builder_destroy(builder);
    return status;
  }
  *result = builder;
  return PL_OK;
}
