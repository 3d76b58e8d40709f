/* What is asked of a finished metadata image. */
#include "base/error.h"
#include "base/memory.h"
#include "file/schema.h"
#include "pagelane/file.h"

uint32_t pl_metadata_n_columns(const pl_metadata *metadata) {
  return metadata->columns.count;
}

uint32_t pl_metadata_n_row_groups(const pl_metadata *metadata) {
  return metadata->file.row_groups.count;
}

const pl_column_descriptor *pl_metadata_column(const pl_metadata *metadata, uint32_t column) {
  if (column >= metadata->columns.count)
    return NULL;
  return PL_AT(pl_column_descriptor, metadata, metadata->columns.offset) + column;
}

const pl_schema_element *pl_metadata_schema_element(const pl_metadata *metadata, uint32_t index) {
  if (index >= metadata->file.schema.count)
    return NULL;
  return PL_AT(pl_schema_element, metadata, metadata->file.schema.offset) + index;
}

const pl_schema_node *pl_metadata_schema_node(const pl_metadata *metadata, uint32_t index) {
  if (index >= metadata->nodes.count)
    return NULL;
  return PL_AT(pl_schema_node, metadata, metadata->nodes.offset) + index;
}

const pl_row_group *pl_metadata_row_group(const pl_metadata *metadata, uint32_t row_group) {
  if (row_group >= metadata->file.row_groups.count)
    return NULL;
  return PL_AT(pl_row_group, metadata, metadata->file.row_groups.offset) + row_group;
}

const pl_column_chunk *pl_metadata_chunk(const pl_metadata *metadata, uint32_t row_group, uint32_t column) {
  const pl_row_group *group = pl_metadata_row_group(metadata, row_group);
  if (group == NULL || column >= group->columns.count)
    return NULL;
  return PL_AT(pl_column_chunk, metadata, group->columns.offset) + column;
}

/* Where a search in the schema stands: at element `index`, before leaf number `leaf`. */
typedef struct search {
  const pl_metadata *metadata;
  uint32_t index, leaf;
} search;

static void pass_subtree(search *at) {
  for (uint64_t n_left = 1; n_left != 0; n_left--) {
    const pl_schema_element *element = pl_metadata_schema_element(at->metadata, at->index++);
    at->leaf += pl_schema_is_leaf(element);
    n_left += pl_schema_n_children(element);
  }
}

/* Searches the subtree that `at` stands before for a leaf of this path, and goes to its end when there is none.
 * Names may hold dots themselves and neighbours may have the same name, so more than one child can fit a path's
 * start. As deep as the schema, which is limited. */
static int64_t find_in_subtree(search *at, const char *path, size_t size) {
  const pl_schema_element *element = pl_metadata_schema_element(at->metadata, at->index);
  const size_t name_size = element->name.count;
  const bool starts =
      name_size <= size && memcmp(PL_AT(char, at->metadata, element->name.offset), path, name_size) == 0;
  const uint32_t n_children = pl_schema_n_children(element);
  if (starts && size == name_size && pl_schema_is_leaf(element))
    return at->leaf;
  if (!starts || size == name_size || path[name_size] != '.' || n_children == 0) {
    pass_subtree(at);
    return -1;
  }
  at->index++;
  for (uint32_t i = 0; i < n_children; i++) {
    const int64_t column = find_in_subtree(at, path + name_size + 1, size - name_size - 1);
    if (column >= 0)
      return column;
  }
  return -1;
}

int64_t pl_metadata_find_column(const pl_metadata *metadata, const char *path, size_t path_size) {
  search at = {metadata, 1, 0};
  const uint32_t n_children = pl_schema_n_children(pl_metadata_schema_element(metadata, 0));
  for (uint32_t i = 0; i < n_children; i++) {
    const int64_t column = find_in_subtree(&at, path_size == 0 ? "" : path, path_size);
    if (column >= 0)
      return column;
  }
  return -1;
}

/* Whether the chunk can be read at all, whatever its place. */
static pl_status check_readable(const pl_column_chunk *chunk, int32_t type, uint64_t footer_offset,
                                pl_error *error) {
  if (chunk->file_path.count != 0)
    return pl_fail(error, PL_UNSUPPORTED, footer_offset, -1, -1, "column chunk in another file (file_path)");
  if (PL_HAS(column_chunk, chunk, crypto_metadata) || PL_HAS(column_chunk, chunk, encrypted_column_metadata))
    return pl_fail(error, PL_UNSUPPORTED, footer_offset, -1, -1, "column chunk is encrypted");
  if (!PL_HAS(column_chunk, chunk, meta_data))
    return pl_fail(error, PL_CORRUPT, footer_offset, -1, -1, "column chunk without meta_data");
  const pl_column_metadata *meta = &chunk->meta_data;
  if (!PL_HAS(column_metadata, meta, type) || !PL_HAS(column_metadata, meta, codec) ||
      !PL_HAS(column_metadata, meta, num_values) || !PL_HAS(column_metadata, meta, total_compressed_size) ||
      !PL_HAS(column_metadata, meta, data_page_offset))
    return pl_fail(error, PL_CORRUPT, footer_offset, -1, -1,
                   "a required field of the chunk's metadata is missing");
  if (meta->type != type)
    return pl_fail(error, PL_CORRUPT, footer_offset, -1, meta->type,
                   "physical type of a column chunk is not that of the schema");
  return PL_OK;
}

/* parquet-mr before 1.2.9 left the dictionary page's header out of total_compressed_size (PARQUET-816). Its created_by is
 * "parquet-mr", or "parquet-mr version 1.2.8" and the like. */
static bool forgets_dictionary_header(const pl_metadata *metadata) {
  static const char name[] = "parquet-mr";
  const char *at = PL_AT(char, metadata, metadata->file.created_by.offset);
  const char *end = at + metadata->file.created_by.count;
  if ((size_t)(end - at) < sizeof name - 1 || memcmp(at, name, sizeof name - 1) != 0)
    return false;
  uint32_t parts[3] = {0};
  while (at < end && (*at < '0' || *at > '9'))
    at++;
  for (int i = 0; i < 3 && at < end; i++, at++) {
    for (; at < end && *at >= '0' && *at <= '9' && parts[i] < 100; at++)
      parts[i] = parts[i] * 10 + (uint32_t)(*at - '0');
  }
  return parts[0] * 1000000 + parts[1] * 1000 + parts[2] < 1002009;
}

/* A chunk begins with its dictionary page where it has one. Some writers give a data_page_offset that is the
 * dictionary's, some a dictionary_page_offset of 0 for none: the smaller of those that are there is where its
 * pages begin. */
pl_status pl_metadata_chunk_range(const pl_metadata *metadata, uint32_t row_group, uint32_t column,
                                  uint64_t *offset, uint64_t *size, pl_error *error) {
  const uint64_t footer_offset = metadata->file_size - 8 - metadata->footer_size;
  const pl_column_chunk *chunk = pl_metadata_chunk(metadata, row_group, column);
  if (chunk == NULL)
    return pl_fail(error, PL_BAD_ARGUMENT, footer_offset, -1, -1, "row group or column out of range");
  const pl_status status =
      check_readable(chunk, pl_metadata_column(metadata, column)->type, footer_offset, error);
  if (status != PL_OK)
    return status;
  const pl_column_metadata *meta = &chunk->meta_data;
  if (meta->data_page_offset < 0)
    return pl_fail(error, PL_CORRUPT, footer_offset, -1, meta->data_page_offset, "negative data_page_offset");
  if (meta->dictionary_page_offset < 0)
    return pl_fail(error, PL_CORRUPT, footer_offset, -1, meta->dictionary_page_offset,
                   "negative dictionary_page_offset");
  uint64_t start = (uint64_t)meta->data_page_offset;
  if (meta->dictionary_page_offset > 0 && meta->dictionary_page_offset < meta->data_page_offset)
    start = (uint64_t)meta->dictionary_page_offset;
  uint64_t chunk_size = (uint64_t)meta->total_compressed_size;
  if (pl_size_add(start, chunk_size) > footer_offset)
    return pl_fail(error, PL_CORRUPT, footer_offset, -1, (int64_t)start,
                   "column chunk does not end before the footer");
  enum { DICTIONARY_HEADER = 100 }; /* more than one takes: the values end before */
  if (forgets_dictionary_header(metadata)) {
    const uint64_t left = footer_offset - start - chunk_size;
    chunk_size += left < DICTIONARY_HEADER ? left : DICTIONARY_HEADER;
  }
  *offset = start;
  *size = chunk_size;
  return PL_OK;
}
