/* The end of a file (`... footer, its size in 4 bytes, "PAR1"`), and the metadata image made from the footer:
 *
 *   pl_metadata | copy of the thrift footer | lists and structures, as they are met | column descriptors
 *
 * Strings stay where they are in the copy. The leading "PAR1" is never looked at: files that were cut or joined
 * at the front still say by their offsets what can be read. */
#include "base/error.h"
#include "base/memory.h"
#include "file/schema.h"
#include "pagelane/file.h"

enum { TAIL_SIZE = 8, SMALLEST_FILE = 12 };

pl_status pl_footer_locate(const uint8_t *tail, size_t tail_size, uint64_t file_size, const pl_limits *limits,
                           uint64_t *footer_offset, uint64_t *footer_size, pl_error *error) {
  pl_limits defaults;
  if (limits == NULL) {
    pl_limits_init(&defaults);
    limits = &defaults;
  }
  if (file_size < SMALLEST_FILE)
    return pl_fail(error, PL_TRUNCATED, file_size, -1, (int64_t)file_size, "file is too small for a footer");
  if (tail_size < TAIL_SIZE || tail_size > file_size)
    return pl_fail(error, PL_BAD_ARGUMENT, 0, -1, -1, "tail of fewer than 8 bytes, or more than the file has");
  const uint8_t *end = tail + tail_size;
  if (memcmp(end - 4, "PARE", 4) == 0)
    return pl_fail(error, PL_KEY, file_size - 4, -1, -1, "footer is encrypted");
  if (memcmp(end - 4, "PAR1", 4) != 0)
    return pl_fail(error, PL_CORRUPT, file_size - 4, -1, -1, "no PAR1 at the end: not a Parquet file");
  const uint32_t size = pl_load_u32(end - TAIL_SIZE);
  if (size == 0 || size > file_size - SMALLEST_FILE)
    return pl_fail(error, PL_CORRUPT, file_size - TAIL_SIZE, -1, size, "footer size does not fit the file");
  if (size > limits->max_footer_bytes)
    return pl_fail(error, PL_LIMIT, file_size - TAIL_SIZE, -1, size, "footer is larger than its limit");
  *footer_size = size;
  *footer_offset = file_size - TAIL_SIZE - size;
  return PL_OK;
}

static pl_status fail(pl_thrift_reader *reader, int64_t number, const char *message) {
  reader->number = number;
  reader->message = message;
  return PL_CORRUPT;
}

/* Numbers of one chunk that nothing can be read without. Its offsets are looked at when it is read: one bad
 * chunk does not make the others unreadable. */
static pl_status check_chunk(pl_thrift_reader *reader, const pl_column_chunk *chunk) {
  const pl_column_metadata *meta = &chunk->meta_data;
  if (meta->num_values < 0)
    return fail(reader, meta->num_values, "negative num_values of a column chunk");
  if (meta->total_compressed_size < 0)
    return fail(reader, meta->total_compressed_size, "negative total_compressed_size of a column chunk");
  if (meta->total_uncompressed_size < 0)
    return fail(reader, meta->total_uncompressed_size, "negative total_uncompressed_size of a column chunk");
  return PL_OK;
}

/* Also makes the file's num_rows the sum of its row groups': rows are read from them, and files exist that say
 * 0 here (repeated_no_annotation.parquet of parquet-testing). The sum is what every user of the image sees. */
static pl_status finish_row_groups(pl_thrift_reader *reader) {
  pl_metadata *metadata = reader->image.bytes;
  const pl_row_group *groups = PL_AT(pl_row_group, metadata, metadata->file.row_groups.offset);
  uint64_t n_rows = 0;
  for (uint32_t i = 0; i < metadata->file.row_groups.count; i++) {
    const pl_row_group *group = &groups[i];
    if (group->num_rows < 0)
      return fail(reader, group->num_rows, "negative num_rows of a row group");
    if (group->columns.count != metadata->columns.count)
      return fail(reader, group->columns.count, "row group without exactly one chunk for each column");
    const pl_column_chunk *chunks = PL_AT(pl_column_chunk, metadata, group->columns.offset);
    for (uint32_t k = 0; k < group->columns.count; k++) {
      const pl_status status = check_chunk(reader, &chunks[k]);
      if (status != PL_OK)
        return status;
    }
    n_rows = pl_size_add(n_rows, (uint64_t)group->num_rows);
  }
  if (n_rows > INT64_MAX)
    return fail(reader, -1, "more rows than can be counted");
  metadata->file.num_rows = (int64_t)n_rows;
  metadata->file.present |= 1u << PL_BIT_file_metadata_num_rows;
  return PL_OK;
}

static pl_status build_image(pl_thrift_reader *reader, const uint8_t *footer, size_t footer_size) {
  uint64_t at = 0;
  pl_status status = pl_thrift_reserve(reader, pl_size_add(sizeof(pl_metadata), footer_size), &at);
  if (status != PL_OK)
    return status;
  memset(reader->image.bytes, 0, sizeof(pl_metadata));
  memcpy(pl_thrift_at(reader, sizeof(pl_metadata)), footer, footer_size);
  status = pl_thrift_read(reader, PL_STRUCT_file_metadata, offsetof(pl_metadata, file));
  if (status != PL_OK)
    return status;
  reader->in.next = footer; /* what is found from here on is wrong with the footer as a whole */
  status = pl_schema_finish(reader);
  if (status == PL_OK)
    status = finish_row_groups(reader);
  if (status != PL_OK)
    return status;
  /* memory that growing took in advance goes back */
  status = pl_memory_resize(reader->limits, &reader->image.bytes, reader->image.size, reader->image_size);
  if (status == PL_OK)
    reader->image.size = reader->image_size;
  return status;
}

/* Bytes after the thrift structure are not looked at: a signed footer has its signature there. */
pl_status pl_metadata_parse(const uint8_t *footer, size_t footer_size, uint64_t file_size, pl_limits *limits,
                            pl_metadata **metadata, pl_error *error) {
  if (limits == NULL || (footer == NULL && footer_size != 0))
    return pl_fail(error, PL_BAD_ARGUMENT, 0, -1, -1, "pl_metadata_parse without limits or footer");
  if (file_size < pl_size_add(footer_size, SMALLEST_FILE))
    return pl_fail(error, PL_BAD_ARGUMENT, 0, -1, (int64_t)file_size, "file size smaller than its footer");
  const uint64_t footer_offset = file_size - TAIL_SIZE - footer_size;
  if (footer_size == 0)
    return pl_fail(error, PL_TRUNCATED, footer_offset, -1, -1, "footer is empty");
  if (footer_size > limits->max_footer_bytes)
    return pl_fail(error, PL_LIMIT, footer_offset, -1, (int64_t)footer_size, "footer is larger than its limit");
  pl_thrift_reader reader = {
      .in = {footer, footer + footer_size},
      .start = footer,
      .max_size = UINT64_MAX,
      .source_offset = sizeof(pl_metadata),
      .depth_left = pl_depth_limit(limits),
      .limits = limits,
      .number = -1,
      .message = "metadata does not fit the memory allowed",
  };
  const pl_status status = build_image(&reader, footer, footer_size);
  if (status != PL_OK) {
    pl_buffer_free(limits, &reader.image);
    return pl_fail(error, status, footer_offset + (uint64_t)(reader.in.next - footer), -1, reader.number,
                   reader.message);
  }
  pl_metadata *image = reader.image.bytes;
  image->image_size = (uint32_t)reader.image_size;
  image->footer_size = (uint32_t)footer_size;
  image->file_size = file_size;
  *metadata = image;
  return PL_OK;
}

void pl_metadata_destroy(pl_metadata *metadata, pl_limits *limits) {
  if (metadata != NULL)
    pl_memory_free(limits, &metadata, metadata->image_size);
}
