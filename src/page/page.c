/* Opening a page: where its level sections and values stand (parquet-format README, "Data Pages"), and passing
 * entries. */
#include "page/page.h"

#include "base/error.h"
#include "base/load.h"

uint32_t pl_value_width(pl_type type, int32_t type_length) {
  switch (type) {
  case PL_TYPE_INT32:
  case PL_TYPE_FLOAT:
    return 4;
  case PL_TYPE_INT64:
  case PL_TYPE_DOUBLE:
    return 8;
  case PL_TYPE_INT96:
    return 12;
  case PL_TYPE_FIXED_LEN_BYTE_ARRAY:
    return (uint32_t)type_length;
  case PL_TYPE_BOOLEAN:
  case PL_TYPE_BYTE_ARRAY:
    break;
  }
  return 0;
}

pl_status pl_page_fail(const pl_page *page, pl_status status, const char *message, pl_error *error) {
  return pl_fail(error, status, page->offset, page->number, -1, message);
}

const char *pl_page_levels_message(pl_status status) {
  return status == PL_TRUNCATED ? "fewer levels than the page announces"
                                : "a level run or a level is not legal";
}

const char *pl_page_values_message(pl_status status) {
  switch (status) {
  case PL_TRUNCATED:
    return "the page ends before its values";
  case PL_LIMIT:
    return "the column would hold over 2^31 - 1 bytes of strings, which needs large offsets, or more than "
           "max_bytes allows";
  case PL_UNSUPPORTED:
    return "the page is not dictionary-encoded, and its dictionary was to be kept";
  default:
    return "the page's values contradict their encoding";
  }
}

static const char *unsupported_encoding(int32_t encoding) {
  switch (encoding) {
#define MESSAGE_CASE(name, value)                                                                              \
  case (value):                                                                                                \
    return "encoding " #name " of this type is not supported by this build";
    PL_ENCODING_LIST(MESSAGE_CASE)
#undef MESSAGE_CASE
  }
  return "unknown encoding";
}

static uint32_t bits_for(int32_t max_level) {
  return max_level == 0 ? 0 : 32 - (uint32_t)__builtin_clz((uint32_t)max_level);
}

/* BIT_PACKED levels of old V1 pages: neither length nor headers, so many bits an entry. */
static pl_status take_bit_packed_levels(const pl_page *page, pl_rle_reader *reader, uint32_t bit_width,
                                        const uint8_t **next, const uint8_t *end, pl_error *error) {
  const uint64_t size = (page->n_entries * bit_width + 7) / 8;
  if (size > (size_t)(end - *next))
    return pl_page_fail(page, PL_TRUNCATED, "the levels are longer than the page", error);
  *reader = (pl_rle_reader){.packed = *next,
                            .next = *next + size,
                            .end = *next + size,
                            .run_left = page->n_entries,
                            .bit_width = bit_width,
                            .msb_first = true};
  *next += size;
  return PL_OK;
}

/* V1: a level section is there when its maximum is above 0, RLE behind a 4-byte length. Takes it off the front
 * of the body. */
static pl_status take_level_section(pl_page *page, pl_rle_reader *reader, int32_t max_level, int32_t encoding,
                                    const uint8_t **next, const uint8_t *end, pl_error *error) {
  if (encoding == PL_ENCODING_BIT_PACKED)
    return take_bit_packed_levels(page, reader, bits_for(max_level), next, end, error);
  if (encoding != PL_ENCODING_RLE)
    return pl_fail(error, PL_UNSUPPORTED, page->offset, page->number, encoding,
                   "levels in an encoding that is not for levels");
  if (end - *next < 4)
    return pl_page_fail(page, PL_TRUNCATED, "the page ends inside the length of its levels", error);
  const uint32_t size = pl_load_u32(*next);
  if (size > (size_t)(end - *next) - 4)
    return pl_page_fail(page, PL_TRUNCATED, "the levels are longer than the page", error);
  *reader = (pl_rle_reader){.next = *next + 4, .end = *next + 4 + size, .bit_width = bits_for(max_level)};
  *next += 4 + (size_t)size;
  return PL_OK;
}

static pl_status open_levels_v1(pl_page *page, const pl_data_page_header *header, const pl_page_body *body,
                                const uint8_t **values, pl_error *error) {
  const uint8_t *next = body->values, *end = body->values + body->values_size;
  pl_status status = PL_OK;
  if (page->has_repetition)
    status = take_level_section(page, &page->repetition, page->column.max_repetition_level,
                                header->repetition_level_encoding, &next, end, error);
  if (status == PL_OK && page->has_definition)
    status = take_level_section(page, &page->definition, page->column.max_definition_level,
                                header->definition_level_encoding, &next, end, error);
  *values = next;
  return status;
}

static pl_status open_levels_v2(pl_page *page, const pl_data_page_header_v2 *header, const pl_page_body *body,
                                pl_error *error) {
  const uint8_t *repetition = body->levels, *definition = repetition + header->repetition_levels_byte_length;
  const uint8_t *end = definition + header->definition_levels_byte_length;
  page->repetition = (pl_rle_reader){
      .next = repetition, .end = definition, .bit_width = bits_for(page->column.max_repetition_level)};
  page->definition =
      (pl_rle_reader){.next = definition, .end = end, .bit_width = bits_for(page->column.max_definition_level)};
  page->n_rows = header->num_rows;
  if (!page->has_repetition && header->num_rows != header->num_values)
    return pl_page_fail(page, PL_CORRUPT,
                        "num_rows is not the number of values of a column that is not repeated", error);
  return PL_OK;
}

static pl_status reserve_kept(pl_kept_value *kept, uint64_t size) {
  pl_page_memory *memory = (pl_page_memory *)(void *)kept;
  const pl_status status = pl_buffer_reserve(memory->limits, &memory->buffer, size);
  kept->bytes = memory->buffer.bytes;
  return status;
}

void pl_page_init(pl_page *page, pl_limits *limits) {
  page->memory = (pl_page_memory){.value = {.reserve = reserve_kept}, .limits = limits};
}

void pl_page_free(pl_page *page) {
  pl_buffer_free(page->memory.limits, &page->memory.buffer);
}

pl_status pl_page_open(pl_page *page, const pl_page_header *header, const pl_page_body *body,
                       const pl_column_descriptor *column, pl_chunk_dictionary *dictionary, uint64_t offset,
                       int64_t number, pl_error *error) {
  const bool is_dictionary = header->type == PL_PAGE_TYPE_DICTIONARY_PAGE;
  page->column = *column;
  page->value_width = pl_value_width((pl_type)column->type, column->type_length);
  page->n_entries = page->n_left = pl_page_header_num_values(header);
  page->cut = false;
  page->has_repetition = !is_dictionary && column->max_repetition_level > 0;
  page->has_definition = !is_dictionary && column->max_definition_level > 0;
  page->n_rows = -1;
  page->rows_left = UINT64_MAX;
  page->rows_begun = 0;
  page->starts_chunk = false;
  page->dictionary = dictionary;
  page->offset = offset;
  page->number = number;

  const uint8_t *values = body->values;
  pl_status status = PL_OK;
  if (header->type == PL_PAGE_TYPE_DATA_PAGE)
    status = open_levels_v1(page, &header->data_page_header, body, &values, error);
  else if (header->type == PL_PAGE_TYPE_DATA_PAGE_V2)
    status = open_levels_v2(page, &header->data_page_header_v2, body, error);
  if (status != PL_OK)
    return status;

  const pl_value_section section = {
      .type = (pl_type)column->type,
      .value_width = page->value_width,
      .bytes = values,
      .size = (size_t)(body->values + body->values_size - values),
      .n_entries = page->n_entries,
      .dictionary = dictionary == NULL ? NULL : &dictionary->values,
      .kept = &page->memory.value,
  };
  const int32_t encoding = is_dictionary ? PL_ENCODING_PLAIN : pl_page_header_encoding(header);
  status = pl_value_decoder_open(&page->values, encoding, &section);
  if (status == PL_UNSUPPORTED)
    return pl_fail(error, status, offset, number, encoding, unsupported_encoding(encoding));
  if (status != PL_OK)
    return pl_page_fail(page, status, pl_page_values_message(status), error);
  return page->n_entries == 0 ? pl_page_advance(page, 0, error) : PL_OK;
}

uint64_t pl_page_remaining(const pl_page *page) {
  return page->n_left;
}

pl_status pl_page_advance(pl_page *page, uint64_t n, pl_error *error) {
  page->n_left -= n;
  if (page->n_left != 0 || page->cut)
    return PL_OK;
  if (page->has_repetition && page->n_rows > 0)
    return pl_page_fail(page, PL_CORRUPT, "fewer rows than num_rows says", error);
  if (page->values.encoding->finish == NULL)
    return PL_OK;
  const pl_status status = page->values.encoding->finish(&page->values);
  return status == PL_OK ? PL_OK
                         : pl_page_fail(page, status, "the page holds more values than its levels", error);
}

pl_status pl_page_count_rows(pl_page *page, uint64_t n_rows) {
  if (page->n_rows < 0)
    return PL_OK;
  if (n_rows > (uint64_t)page->n_rows)
    return PL_CORRUPT;
  page->n_rows -= (int64_t)n_rows;
  return PL_OK;
}

void pl_page_pass_rows(pl_page *page, uint64_t n_rows) {
  page->rows_begun += n_rows;
  if (page->rows_left != UINT64_MAX)
    page->rows_left -= n_rows;
}

/* How many of the next n repetition levels come before the one that begins row number max_rows. */
static pl_status pass_repetition(pl_page *page, size_t n, uint64_t max_rows, size_t *n_entries,
                                 uint64_t *n_rows) {
  enum { STEP = 1024 };
  const pl_kernels *kernels = page->values.kernels;
  uint16_t levels[STEP];
  *n_rows = 0;
  for (size_t done = 0; done < n; done += STEP) {
    const size_t step = n - done < STEP ? n - done : STEP;
    const pl_rle_reader before = page->repetition;
    const pl_status status =
        kernels->rle_read_levels(&page->repetition, (uint32_t)page->column.max_repetition_level, levels, step);
    if (status != PL_OK)
      return status;
    if (page->starts_chunk && levels[0] != 0)
      return PL_CORRUPT;
    page->starts_chunk = false;
    for (size_t i = 0; i < step; i++) {
      if (levels[i] == 0 && *n_rows == max_rows) {
        uint64_t n_equal;
        *n_entries = done + i;
        page->repetition = before;
        return kernels->rle_skip(&page->repetition, 0, i, &n_equal);
      }
      *n_rows += levels[i] == 0;
    }
  }
  *n_entries = n;
  return PL_OK;
}

pl_status pl_page_skip(pl_page *page, uint64_t n_rows, uint64_t *n_skipped, pl_error *error) {
  const pl_kernels *kernels = page->values.kernels;
  size_t n = n_rows < page->n_left ? (size_t)n_rows : (size_t)page->n_left;
  uint64_t n_begun = n;
  pl_status status = PL_OK;
  if (page->has_repetition) {
    const uint64_t wanted = n_rows < page->rows_left ? n_rows : page->rows_left;
    status = pass_repetition(page, (size_t)page->n_left, wanted, &n, &n_begun);
    if (status == PL_OK)
      status = pl_page_count_rows(page, n_begun);
  }
  uint64_t n_values = n;
  if (status == PL_OK && page->has_definition && n != 0)
    status = kernels->rle_skip(&page->definition, (uint32_t)page->column.max_definition_level, n, &n_values);
  if (status != PL_OK)
    return pl_page_fail(page, status, pl_page_levels_message(status), error);
  status = n_values == 0 ? PL_OK : page->values.encoding->skip(&page->values, n_values);
  if (status != PL_OK)
    return pl_page_fail(page, status, pl_page_values_message(status), error);
  if (page->has_repetition)
    pl_page_pass_rows(page, n_begun);
  if (n_skipped != NULL)
    *n_skipped = n_begun;
  return n == 0 ? PL_OK : pl_page_advance(page, n, error);
}
