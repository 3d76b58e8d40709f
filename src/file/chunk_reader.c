#include "file/chunk_reader.h"

#include "base/error.h"
#include <string.h>

enum { FIRST_HEADER_GUESS = 512 }; /* bytes asked for when a page header of unknown size comes next */

static pl_status create(pl_limits *limits, const pl_column_descriptor *column, pl_chunk_reader **result,
                        pl_error *error) {
  pl_chunk_reader *reader = NULL;
  const pl_status status = pl_memory_resize(limits, &reader, 0, sizeof *reader);
  if (status != PL_OK)
    return pl_fail(error, status, 0, -1, -1, "no memory for a chunk reader");
  memset(reader, 0, sizeof *reader);
  reader->limits = limits;
  pl_page_init(&reader->page, limits);
  reader->column = *column;
  reader->last_row = UINT64_MAX;
  reader->state = PL_READER_NEXT_PAGE;
  *result = reader;
  return PL_OK;
}

pl_status pl_chunk_reader_create(const pl_metadata *metadata, uint32_t row_group, uint32_t column,
                                 const pl_chunk_reader_options *options, pl_limits *limits,
                                 pl_chunk_reader **result, pl_error *error) {
  const pl_column_chunk *chunk = pl_metadata_chunk(metadata, row_group, column);
  if (chunk == NULL)
    return pl_fail(error, PL_BAD_ARGUMENT, 0, -1, -1, "no such row group or column");
  uint64_t offset, size;
  pl_status status = pl_metadata_chunk_range(metadata, row_group, column, &offset, &size, error);
  if (status != PL_OK)
    return status;
  status = create(limits, pl_metadata_column(metadata, column), result, error);
  if (status != PL_OK)
    return status;
  pl_chunk_reader *reader = *result;
  reader->codec = chunk->meta_data.codec;
  reader->announce_pages = options != NULL && options->announce_pages;
  reader->verify_checksums = options != NULL && options->verify_checksums;
  reader->position = offset;
  reader->end = offset + size;
  reader->n_entries = (uint64_t)chunk->meta_data.num_values;
  return PL_OK;
}

pl_status pl_chunk_reader_create_page(const pl_page_decode_options *options, size_t in_size, pl_limits *limits,
                                      pl_chunk_reader **result, pl_error *error) {
  const pl_column *dictionary = options->dictionary;
  if (dictionary != NULL &&
      (dictionary->length > INT32_MAX || dictionary->null_count != 0 ||
       (int32_t)dictionary->type != options->column.type ||
       dictionary->value_width != pl_value_width((pl_type)options->column.type, options->column.type_length)))
    return pl_fail(error, PL_BAD_ARGUMENT, 0, -1, -1, "the dictionary is not of the page's type");
  const pl_status status = create(limits, &options->column, result, error);
  if (status != PL_OK)
    return status;
  pl_chunk_reader *reader = *result;
  reader->codec = options->codec;
  reader->verify_checksums = options->verify_checksums;
  reader->is_page = true;
  reader->end = in_size;
  if (dictionary != NULL)
    pl_reader_use_dictionary(reader, dictionary);
  return PL_OK;
}

void pl_chunk_reader_destroy(pl_chunk_reader *reader) {
  if (reader == NULL)
    return;
  pl_limits *limits = reader->limits;
  pl_column_builder_destroy(reader->dictionary_builder);
  pl_page_free(&reader->page);
  pl_buffer_free(limits, &reader->decompressed);
  pl_memory_free(limits, &reader, sizeof *reader);
}

void pl_chunk_reader_select_rows(pl_chunk_reader *reader, uint64_t first_row, uint64_t n_rows) {
  reader->first_row = first_row;
  reader->last_row = pl_size_add(first_row, n_rows);
}

const pl_column *pl_chunk_reader_dictionary(const pl_chunk_reader *reader) {
  return reader->has_dictionary ? &reader->dictionary_column : NULL;
}

pl_page *pl_chunk_reader_page(pl_chunk_reader *reader) {
  return reader->state == PL_READER_VALUES ? &reader->page : NULL;
}

/* ---- bytes ---- */

static pl_status need_range(const pl_chunk_reader *reader, uint64_t offset, uint64_t size, pl_step *step) {
  step->kind = PL_STEP_NEED_RANGE;
  step->offset = offset;
  step->size = size;
  step->size_limit = reader->end - offset;
  return PL_OK;
}

pl_status pl_chunk_reader_provide_range(pl_chunk_reader *reader, uint64_t offset, const uint8_t *bytes,
                                        size_t size, pl_error *error) {
  if (offset < reader->position || offset > reader->end)
    return pl_fail(error, PL_BAD_ARGUMENT, offset, reader->page_number, -1, "these bytes were not asked for");
  reader->window = bytes;
  reader->window_offset = offset;
  reader->window_size = size < reader->end - offset ? size : (size_t)(reader->end - offset);
  return PL_OK;
}

/* ---- headers ---- */

/* Reads the header at `position`. *ready is false when `step` asks for more bytes. */
static pl_status read_header(pl_chunk_reader *reader, pl_step *step, bool *ready, pl_error *error) {
  const uint64_t left = reader->end - reader->position;
  const size_t here = pl_reader_window_left(reader, reader->position);
  *ready = false;
  if (here == 0)
    return need_range(reader, reader->position, left < FIRST_HEADER_GUESS ? left : FIRST_HEADER_GUESS, step);
  pl_error inner = {0};
  const pl_status status = pl_page_header_parse(pl_reader_window_at(reader, reader->position), here,
                                                reader->limits, &reader->header, &reader->header_size, &inner);
  if (status == PL_TRUNCATED && here < left)
    return need_range(reader, reader->position, here < left / 2 ? 2 * (uint64_t)here : left, step);
  if (status != PL_OK)
    return pl_reader_fail(reader, status, inner.number,
                          inner.message != NULL ? inner.message : "the page header is broken", error);
  if ((uint64_t)reader->header.compressed_page_size > left - reader->header_size)
    return pl_reader_fail(reader, PL_TRUNCATED, -1, "the page ends after its column chunk", error);
  *ready = true;
  return PL_OK;
}

/* On to the page behind the current one. */
static void pass_page(pl_chunk_reader *reader) {
  if (pl_is_data_page(&reader->header))
    reader->n_passed += pl_page_header_num_values(&reader->header);
  if (reader->state == PL_READER_VALUES) {
    reader->n_rows_passed += reader->page.rows_begun;
    reader->is_past_rows = reader->page.rows_left == 0 && reader->page.n_left != 0;
  } else if (reader->header.type == PL_PAGE_TYPE_DATA_PAGE_V2) {
    reader->n_rows_passed += (uint64_t)reader->header.data_page_header_v2.num_rows;
  }
  reader->position = pl_reader_body_offset(reader) + (uint64_t)reader->header.compressed_page_size;
  reader->page_number++;
  reader->state = PL_READER_NEXT_PAGE;
}

static void describe_page(const pl_chunk_reader *reader, pl_step_kind kind, pl_step *step) {
  step->kind = kind;
  step->offset = reader->position;
  step->size = reader->header_size + (uint64_t)reader->header.compressed_page_size;
  step->header = &reader->header;
  step->header_size = (uint32_t)reader->header_size;
  step->page = reader->page_number;
}

static bool is_repeated(const pl_chunk_reader *reader) {
  return reader->column.max_repetition_level > 0;
}

static bool chooses_rows(const pl_chunk_reader *reader) {
  return reader->first_row != 0 || reader->last_row != UINT64_MAX;
}

/* Does the current page begin no row but ones before the first wanted? V1 pages of repeated columns do not tell. */
static bool is_unwanted(const pl_chunk_reader *reader) {
  const pl_page_header *header = &reader->header;
  if (reader->first_row == 0 || !pl_is_data_page(header))
    return false;
  if (!is_repeated(reader))
    return reader->n_passed + pl_page_header_num_values(header) <= reader->first_row;
  return header->type == PL_PAGE_TYPE_DATA_PAGE_V2 &&
         reader->n_rows_passed + (uint64_t)header->data_page_header_v2.num_rows <= reader->first_row;
}

static bool is_done(const pl_chunk_reader *reader) {
  if (is_repeated(reader) ? reader->is_past_rows : reader->n_passed >= reader->last_row)
    return true;
  return reader->is_page ? reader->position >= reader->end : reader->n_passed >= reader->n_entries;
}

/* From NEXT_PAGE to ANNOUNCED, past pages of kinds that hold no values. */
static pl_status next_page(pl_chunk_reader *reader, pl_step *step, bool *ready, pl_error *error) {
  for (;;) {
    *ready = false;
    if (is_done(reader)) {
      reader->state = PL_READER_DONE;
      return PL_OK;
    }
    if (reader->position >= reader->end)
      return pl_reader_fail(reader, PL_TRUNCATED, -1, "the column chunk ends before its values", error);
    const pl_status status = read_header(reader, step, ready, error);
    if (status != PL_OK || !*ready)
      return status;
    const pl_page_header *header = &reader->header;
    if (header->type == PL_PAGE_TYPE_DICTIONARY_PAGE && reader->page_number != 0)
      return pl_reader_fail(reader, PL_CORRUPT, -1, "a dictionary page that is not the chunk's first page",
                            error);
    if (pl_is_data_page(header) && !reader->is_page &&
        pl_page_header_num_values(header) > reader->n_entries - reader->n_passed)
      return pl_reader_fail(reader, PL_CORRUPT, -1, "the pages hold more values than the column chunk", error);
    if ((pl_is_data_page(header) && !is_unwanted(reader)) || header->type == PL_PAGE_TYPE_DICTIONARY_PAGE ||
        reader->announce_pages) {
      reader->state = PL_READER_ANNOUNCED;
      return PL_OK;
    }
    pass_page(reader);
  }
}

/* ---- opening ---- */

/* Cuts the open page to the rows wanted of it. */
static pl_status cut_page(pl_chunk_reader *reader, pl_error *error) {
  pl_page *page = &reader->page;
  const uint64_t first = reader->n_passed;
  if (reader->last_row < first + page->n_left) {
    page->n_left = reader->last_row - first;
    page->cut = true;
  }
  return reader->first_row > first ? pl_page_skip(page, reader->first_row - first, NULL, error) : PL_OK;
}

/* The same for a repeated column. Rows that begin count; the entries before the first are the end of a row that began
 * in an earlier page. */
static pl_status cut_repeated_page(pl_chunk_reader *reader, pl_error *error) {
  pl_page *page = &reader->page;
  page->starts_chunk = !reader->is_page && reader->n_passed == 0;
  if (!chooses_rows(reader))
    return PL_OK;
  const uint64_t first = reader->n_rows_passed;
  if (reader->last_row != UINT64_MAX)
    page->rows_left = reader->last_row > first ? reader->last_row - first : 0;
  return first <= reader->first_row ? pl_page_skip(page, reader->first_row - first, NULL, error) : PL_OK;
}

/* From ANNOUNCED (or CODEC_DONE) on: *opened is true when a data page is open. */
static pl_status open_page(pl_chunk_reader *reader, pl_step *step, bool *ready, pl_error *error) {
  const uint64_t size = (uint64_t)reader->header.compressed_page_size;
  *ready = true;
  if (!pl_is_data_page(&reader->header) && reader->header.type != PL_PAGE_TYPE_DICTIONARY_PAGE) {
    pass_page(reader);
    return PL_OK;
  }
  if (pl_reader_window_left(reader, pl_reader_body_offset(reader)) < size) {
    *ready = false;
    return need_range(reader, pl_reader_body_offset(reader), size, step);
  }
  pl_page_body body;
  pl_status status = pl_reader_decompress(reader, &body, step, ready, error);
  if (status != PL_OK || !*ready)
    return status;
  if (!pl_is_data_page(&reader->header)) {
    status = pl_reader_load_dictionary(reader, &body, error);
    if (status == PL_OK)
      pass_page(reader);
    return status;
  }
  status = pl_page_open(&reader->page, &reader->header, &body, &reader->column,
                        reader->has_dictionary ? &reader->dictionary : NULL, reader->position,
                        reader->page_number, error);
  if (status == PL_OK)
    status = is_repeated(reader) ? cut_repeated_page(reader, error) : cut_page(reader, error);
  reader->state = status == PL_OK ? PL_READER_VALUES : PL_READER_FAILED;
  return status;
}

/* ---- the machine ---- */

/* On from an open page. Where rows of a repeated column are chosen, those that nobody read have to be counted. */
static pl_status leave_page(pl_chunk_reader *reader, pl_error *error) {
  const bool counts = is_repeated(reader) && chooses_rows(reader);
  const pl_status status =
      counts && reader->page.rows_left != 0 ? pl_page_skip(&reader->page, UINT64_MAX, NULL, error) : PL_OK;
  pass_page(reader);
  if (status != PL_OK)
    reader->state = PL_READER_FAILED;
  return status;
}

pl_status pl_chunk_reader_skip_page(pl_chunk_reader *reader, pl_error *error) {
  if (reader->state != PL_READER_ANNOUNCED)
    return pl_fail(error, PL_BAD_ARGUMENT, reader->position, reader->page_number, -1, "no page was announced");
  if (is_repeated(reader) && chooses_rows(reader) && reader->header.type == PL_PAGE_TYPE_DATA_PAGE)
    return pl_fail(error, PL_BAD_ARGUMENT, reader->position, reader->page_number, -1,
                   "rows are chosen, and only reading this page tells how many it begins");
  pass_page(reader);
  return PL_OK;
}

pl_status pl_chunk_reader_step(pl_chunk_reader *reader, pl_step *step, pl_error *error) {
  memset(step, 0, sizeof *step);
  pl_status status = PL_OK;
  if (reader->state == PL_READER_VALUES)
    status = leave_page(reader, error);
  if (status != PL_OK)
    return status;
  for (;;) {
    bool ready = true;
    switch (reader->state) {
    case PL_READER_NEXT_PAGE:
      status = next_page(reader, step, &ready, error);
      if (status == PL_OK && ready && reader->announce_pages) {
        describe_page(reader, PL_STEP_PAGE, step);
        return PL_OK;
      }
      break;
    case PL_READER_ANNOUNCED:
    case PL_READER_CODEC_DONE:
      status = open_page(reader, step, &ready, error);
      if (status == PL_OK && reader->state == PL_READER_VALUES) {
        describe_page(reader, PL_STEP_VALUES, step);
        return PL_OK;
      }
      break;
    case PL_READER_DONE:
      step->kind = PL_STEP_DONE;
      return PL_OK;
    case PL_READER_WANT_CODEC:
      return pl_fail(error, PL_BAD_ARGUMENT, reader->position, reader->page_number, reader->codec,
                     "the page asked for was not provided");
    case PL_READER_VALUES:
    case PL_READER_FAILED:
      return pl_fail(error, PL_BAD_ARGUMENT, reader->position, reader->page_number, -1,
                     "the chunk reader has failed before");
    }
    if (status != PL_OK)
      return status;
    if (step->kind != 0)
      return PL_OK;
  }
}

static pl_status range_of(const pl_step *step, const uint8_t *file, uint64_t file_size, pl_chunk_reader *reader,
                          pl_error *error) {
  if (step->offset > file_size || step->size > file_size - step->offset)
    return pl_fail(error, PL_TRUNCATED, step->offset, -1, -1, "the file ends before the column chunk");
  const uint64_t left = file_size - step->offset;
  return pl_chunk_reader_provide_range(reader, step->offset, file + step->offset,
                                       (size_t)(step->size_limit < left ? step->size_limit : left), error);
}

pl_status pl_chunk_reader_read(pl_chunk_reader *reader, const uint8_t *file, uint64_t file_size,
                               pl_column_builder *builder, pl_error *error) {
  for (;;) {
    pl_step step;
    pl_status status = pl_chunk_reader_step(reader, &step, error);
    if (status != PL_OK)
      return status;
    switch (step.kind) {
    case PL_STEP_NEED_RANGE:
      status = range_of(&step, file, file_size, reader, error);
      break;
    case PL_STEP_NEED_CODEC:
      status = pl_chunk_reader_provide_page(reader, PL_UNSUPPORTED, 0, error);
      break;
    case PL_STEP_VALUES:
      status = pl_column_builder_append(builder, &reader->page, UINT64_MAX, NULL, error);
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
