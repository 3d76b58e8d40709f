/* Parsing page headers in tests: from blocks of exactly their size, and some headers to parse. */
#ifndef PAGELANE_TESTS_PAGE_HEADER_WRITER_H
#define PAGELANE_TESTS_PAGE_HEADER_WRITER_H

#include "pagelane/page.h"
#include "thrift_writer.h"

/* Parses from a block of exactly `size` bytes, so that a sanitizer sees every read past the end. */
static inline pl_status parse_with(const uint8_t *bytes, size_t size, const pl_limits *limits,
                                   pl_page_header *header, size_t *header_size, pl_error *error) {
  uint8_t *copy = malloc(size + (size == 0));
  assert_non_null(copy);
  memcpy(copy, bytes, size);
  memset(error, 0, sizeof *error);
  const pl_status status = pl_page_header_parse(copy, size, limits, header, header_size, error);
  free(copy);
  assert_int_equal(status, status == PL_OK ? PL_OK : error->status);
  if (status != PL_OK)
    assert_non_null(error->message);
  return status;
}

static inline pl_status parse_header(const uint8_t *bytes, size_t size, pl_page_header *header,
                                     size_t *header_size) {
  pl_error error;
  return parse_with(bytes, size, NULL, header, header_size, &error);
}

static inline pl_status parse_writer(const thrift_writer *w, pl_page_header *header) {
  size_t size;
  return parse_header(w->bytes, w->size, header, &size);
}

static inline void write_v2(thrift_writer *w, int64_t n_values, int64_t definition, int64_t repetition,
                            int compressed) {
  tw_reset(w);
  tw_i32(w, 1, PL_PAGE_TYPE_DATA_PAGE_V2);
  tw_i32(w, 2, 100);
  tw_i32(w, 3, 50);
  tw_i32(w, 4, -7);
  tw_struct(w, 8);
  tw_i32(w, 1, n_values);
  tw_i32(w, 2, 3);
  tw_i32(w, 3, 20);
  tw_i32(w, 4, PL_ENCODING_DELTA_BINARY_PACKED);
  tw_i32(w, 5, definition);
  tw_i32(w, 6, repetition);
  if (compressed >= 0)
    tw_bool(w, 7, compressed);
  tw_struct(w, 8);
  tw_i64(w, 3, 3);
  tw_string(w, 5, "zz");
  tw_string(w, 6, "");
  tw_bool(w, 7, 1);
  tw_close(w);
  tw_close(w);
  tw_close(w);
}

/* Page header of an unknown type, to be given more fields and closed. */
static inline void start_header(thrift_writer *w) {
  tw_reset(w);
  tw_i32(w, 1, 4);
  tw_i32(w, 2, 0);
  tw_i32(w, 3, 0);
}

/* A header of one type with one sub-header, by field id and number of its i32 fields. */
static inline void write_simple(thrift_writer *w, int type, int64_t size, int64_t compressed_size, int sub_id,
                                int n_fields, int64_t first) {
  tw_reset(w);
  tw_i32(w, 1, type);
  tw_i32(w, 2, size);
  tw_i32(w, 3, compressed_size);
  if (sub_id != 0) {
    tw_struct(w, sub_id);
    for (int i = 0; i < n_fields; i++)
      tw_i32(w, i + 1, i == 0 ? first : 0);
    tw_close(w);
  }
  tw_close(w);
}

#endif
