/* An open page: its levels and values, each standing between two entries. */
#ifndef PAGELANE_PAGE_PAGE_H
#define PAGELANE_PAGE_PAGE_H

#include "base/memory.h"
#include "encodings/encoding.h"
#include "pagelane/page.h"

/* The page's bytes, decompressed. */
typedef struct pl_page_body {
  const uint8_t
      *levels; /* V2: both level sections; V1 and dictionary pages: NULL, they stand before the values */
  size_t levels_size;
  const uint8_t *values;
  size_t values_size;
} pl_page_body;

/* The dictionary of a chunk, as its data pages and a builder that keeps dictionaries see it. */
typedef struct pl_chunk_dictionary {
  pl_dictionary_values values;
  const pl_column *column; /* the same entries as a column */
  /* the builder that last took its entries over, and the index its first entry has there */
  const pl_column_builder *builder;
  uint64_t builder_serial;
  uint32_t builder_base;
} pl_chunk_dictionary;

/* What a page's decoder keeps between two calls; goes on from page to page of a reader. */
typedef struct pl_page_memory {
  pl_kept_value value; /* its bytes are those of the buffer */
  pl_buffer buffer;
  pl_limits *limits;
} pl_page_memory;

struct pl_page {
  pl_page_memory memory; /* made by pl_page_init; pl_page_open leaves it */
  pl_column_descriptor column;
  uint32_t value_width;
  uint64_t n_entries; /* of the page */
  uint64_t n_left;    /* entries not yet appended or skipped, up to the last one wanted */
  bool cut;           /* entries after the last one wanted stay unread: the page's end is not checked */
  bool has_repetition, has_definition;
  int64_t n_rows; /* V2: rows announced; else -1. Counted down while repetition levels are read */
  /* of a repeated column: rows that may yet begin, and rows that began among the entries done */
  uint64_t rows_left, rows_begun;
  bool starts_chunk; /* the next entry is the chunk's first: it begins a row */
  pl_rle_reader repetition, definition;
  pl_value_decoder values;
  pl_chunk_dictionary *dictionary;
  uint64_t offset; /* of the header in the file, and number in the chunk: for errors */
  int64_t number;
};

/* Bytes of a fixed-width value of a column; 0 for BOOLEAN and BYTE_ARRAY. */
uint32_t pl_value_width(pl_type type, int32_t type_length);

/* Before the first page is opened, and after the last. */
void pl_page_init(pl_page *page, pl_limits *limits);
void pl_page_free(pl_page *page);

/* Opens a data page or (as PLAIN values without levels) a dictionary page. `dictionary` may be NULL. The bytes
 * must stay until the page is done with. */
pl_status pl_page_open(pl_page *page, const pl_page_header *header, const pl_page_body *body,
                       const pl_column_descriptor *column, pl_chunk_dictionary *dictionary, uint64_t offset,
                       int64_t number, pl_error *error);

/* Counts n entries as done; after the last the page's end is checked. */
pl_status pl_page_advance(pl_page *page, uint64_t n, pl_error *error);

/* Repeated columns. Compares rows that begin with what V2 announces: PL_CORRUPT when they are more. */
pl_status pl_page_count_rows(pl_page *page, uint64_t n_rows);
/* Counts rows that began as done. */
void pl_page_pass_rows(pl_page *page, uint64_t n_rows);

/* An error of this page. */
pl_status pl_page_fail(const pl_page *page, pl_status status, const char *message, pl_error *error);

/* The phrase for a status that levels or values gave. */
const char *pl_page_levels_message(pl_status status);
const char *pl_page_values_message(pl_status status);

#endif
