/* PageHeader: the thrift structure before every page, and what must hold of it before anything relies on it. */
#include "base/error.h"
#include "file/thrift.h"
#include "pagelane/page.h"

#define BIT(S, field) (1u << PL_BIT_##S##_##field)

/* Fields that parquet.thrift requires, and without which a page cannot be read. */
enum {
  PAGE_REQUIRED = BIT(page_header, type) | BIT(page_header, uncompressed_page_size) |
                  BIT(page_header, compressed_page_size),
  DATA_REQUIRED = BIT(data_page_header, num_values) | BIT(data_page_header, encoding) |
                  BIT(data_page_header, definition_level_encoding) |
                  BIT(data_page_header, repetition_level_encoding),
  DICTIONARY_REQUIRED = BIT(dictionary_page_header, num_values) | BIT(dictionary_page_header, encoding),
  DATA_V2_REQUIRED = BIT(data_page_header_v2, num_values) | BIT(data_page_header_v2, num_nulls) |
                     BIT(data_page_header_v2, num_rows) | BIT(data_page_header_v2, encoding) |
                     BIT(data_page_header_v2, definition_levels_byte_length) |
                     BIT(data_page_header_v2, repetition_levels_byte_length),
};

static pl_status corrupt(pl_error *error, int64_t number, const char *message) {
  return pl_fail(error, PL_CORRUPT, 0, -1, number, message);
}

static pl_status check_data_v2(const pl_page_header *header, pl_error *error) {
  const pl_data_page_header_v2 *v2 = &header->data_page_header_v2;
  if ((v2->present & DATA_V2_REQUIRED) != DATA_V2_REQUIRED)
    return corrupt(error, -1, "a required field of the data page header V2 is missing");
  if (v2->num_values < 0)
    return corrupt(error, v2->num_values, "negative num_values of a page");
  if (v2->num_nulls < 0)
    return corrupt(error, v2->num_nulls, "negative num_nulls of a page");
  if (v2->num_rows < 0)
    return corrupt(error, v2->num_rows, "negative num_rows of a page");
  if (v2->definition_levels_byte_length < 0 || v2->repetition_levels_byte_length < 0)
    return corrupt(error, -1, "negative length of a page's levels");
  const int64_t levels = (int64_t)v2->definition_levels_byte_length + v2->repetition_levels_byte_length;
  if (levels > header->uncompressed_page_size || levels > header->compressed_page_size)
    return corrupt(error, levels, "levels longer than their page");
  return PL_OK;
}

/* Pages of unknown type need nothing but their size: they are passed. */
static pl_status check(const pl_page_header *header, pl_error *error) {
  if ((header->present & PAGE_REQUIRED) != PAGE_REQUIRED)
    return corrupt(error, -1, "a required field of the page header is missing");
  if (header->uncompressed_page_size < 0)
    return corrupt(error, header->uncompressed_page_size, "negative uncompressed_page_size");
  if (header->compressed_page_size < 0)
    return corrupt(error, header->compressed_page_size, "negative compressed_page_size");
  switch (header->type) {
  case PL_PAGE_TYPE_DATA_PAGE:
    if (!PL_HAS(page_header, header, data_page_header))
      return corrupt(error, -1, "data page without its data_page_header");
    if ((header->data_page_header.present & DATA_REQUIRED) != DATA_REQUIRED)
      return corrupt(error, -1, "a required field of the data page header is missing");
    if (header->data_page_header.num_values < 0)
      return corrupt(error, header->data_page_header.num_values, "negative num_values of a page");
    return PL_OK;
  case PL_PAGE_TYPE_INDEX_PAGE:
    if (!PL_HAS(page_header, header, index_page_header))
      return corrupt(error, -1, "index page without its index_page_header");
    return PL_OK;
  case PL_PAGE_TYPE_DICTIONARY_PAGE:
    if (!PL_HAS(page_header, header, dictionary_page_header))
      return corrupt(error, -1, "dictionary page without its dictionary_page_header");
    if ((header->dictionary_page_header.present & DICTIONARY_REQUIRED) != DICTIONARY_REQUIRED)
      return corrupt(error, -1, "a required field of the dictionary page header is missing");
    if (header->dictionary_page_header.num_values < 0)
      return corrupt(error, header->dictionary_page_header.num_values, "negative num_values of a page");
    return PL_OK;
  case PL_PAGE_TYPE_DATA_PAGE_V2:
    if (!PL_HAS(page_header, header, data_page_header_v2))
      return corrupt(error, -1, "data page V2 without its data_page_header_v2");
    return check_data_v2(header, error);
  default:
    return PL_OK;
  }
}

pl_status pl_page_header_parse(const uint8_t *in, size_t in_size, const pl_limits *limits,
                               pl_page_header *header, size_t *header_size, pl_error *error) {
  pl_limits defaults;
  if (limits == NULL) {
    pl_limits_init(&defaults);
    limits = &defaults;
  }
  if (in_size == 0)
    return pl_fail(error, PL_TRUNCATED, 0, -1, -1, "page header is cut");
  /* Its references have 32 bits; a page, header included, is smaller than 2 GiB + max_page_header_bytes. */
  const uint64_t max_size =
      limits->max_page_header_bytes < INT32_MAX ? limits->max_page_header_bytes : INT32_MAX;
  pl_thrift_reader reader = {
      .in = {in, in + (in_size < max_size ? in_size : max_size)},
      .start = in,
      .max_size = max_size,
      .depth_left = pl_depth_limit(limits),
      .image = {(uint8_t *)header, sizeof *header},
  };
  pl_status status = pl_thrift_read(&reader, PL_STRUCT_page_header, 0);
  if (status == PL_TRUNCATED && in_size >= max_size) {
    status = PL_LIMIT;
    reader.message = "page header is longer than its limit";
  }
  if (status != PL_OK)
    return pl_fail(error, status, (uint64_t)(reader.in.next - in), -1, reader.number,
                   status == PL_TRUNCATED ? "page header is cut" : reader.message);
  status = check(header, error);
  if (status != PL_OK)
    return status;
  /* parquet.thrift: is_compressed is true where it is absent */
  if (!PL_HAS(data_page_header_v2, &header->data_page_header_v2, is_compressed))
    header->data_page_header_v2.is_compressed = 1;
  *header_size = (size_t)(reader.in.next - in);
  return PL_OK;
}

uint32_t pl_page_header_num_values(const pl_page_header *header) {
  switch (header->type) {
  case PL_PAGE_TYPE_DATA_PAGE:
    return (uint32_t)header->data_page_header.num_values;
  case PL_PAGE_TYPE_DICTIONARY_PAGE:
    return (uint32_t)header->dictionary_page_header.num_values;
  case PL_PAGE_TYPE_DATA_PAGE_V2:
    return (uint32_t)header->data_page_header_v2.num_values;
  default:
    return 0;
  }
}

int32_t pl_page_header_encoding(const pl_page_header *header) {
  switch (header->type) {
  case PL_PAGE_TYPE_DATA_PAGE:
    return header->data_page_header.encoding;
  case PL_PAGE_TYPE_DICTIONARY_PAGE:
    return header->dictionary_page_header.encoding;
  case PL_PAGE_TYPE_DATA_PAGE_V2:
    return header->data_page_header_v2.encoding;
  default:
    return -1;
  }
}
