/* A column chunk as a step machine: from page to page, asking for bytes where they are needed. */
#ifndef PAGELANE_FILE_CHUNK_READER_H
#define PAGELANE_FILE_CHUNK_READER_H

#include "base/memory.h"
#include "page/page.h"
#include "pagelane/file.h"

typedef enum pl_reader_state {
  PL_READER_NEXT_PAGE,  /* `position` is the next page header */
  PL_READER_ANNOUNCED,  /* a header was read, its body is not open yet */
  PL_READER_WANT_CODEC, /* the caller decompresses into `decompressed` */
  PL_READER_CODEC_DONE, /* it did */
  PL_READER_VALUES,     /* `page` is open */
  PL_READER_DONE,
  PL_READER_FAILED,
} pl_reader_state;

struct pl_chunk_reader {
  pl_limits *limits;
  pl_column_descriptor column;
  int32_t codec;
  bool announce_pages, verify_checksums;
  bool is_page;                 /* no chunk of a file: pages from offset 0 on, until the bytes end */
  uint64_t position, end;       /* in the file */
  uint64_t n_entries, n_passed; /* of the chunk's metadata; of the pages gone by */
  uint64_t first_row, last_row; /* the rows wanted; last_row is UINT64_MAX when all are */
  /* repeated columns: rows begun in the pages gone by, and whether the row behind the last one wanted has begun */
  uint64_t n_rows_passed;
  bool is_past_rows;

  /* the caller's bytes, from window_offset on */
  const uint8_t *window;
  uint64_t window_offset;
  size_t window_size;

  pl_reader_state state;
  pl_page_header header;
  size_t header_size;
  int64_t page_number;
  pl_buffer decompressed;
  size_t decompressed_size; /* what this page needs of it */
  pl_page page;

  bool has_dictionary;
  pl_column_builder *dictionary_builder; /* NULL: the dictionary is the caller's */
  pl_column dictionary_column;
  pl_chunk_dictionary dictionary;
};

/* Bytes of the window from a file offset on; 0 when the offset is outside. */
static inline size_t pl_reader_window_left(const pl_chunk_reader *reader, uint64_t offset) {
  if (offset < reader->window_offset || offset - reader->window_offset > reader->window_size)
    return 0;
  return reader->window_size - (size_t)(offset - reader->window_offset);
}

static inline const uint8_t *pl_reader_window_at(const pl_chunk_reader *reader, uint64_t offset) {
  return reader->window + (size_t)(offset - reader->window_offset);
}

/* Of the current page, in the file. */
static inline uint64_t pl_reader_body_offset(const pl_chunk_reader *reader) {
  return reader->position + reader->header_size;
}

static inline bool pl_is_data_page(const pl_page_header *header) {
  return header->type == PL_PAGE_TYPE_DATA_PAGE || header->type == PL_PAGE_TYPE_DATA_PAGE_V2;
}

/* An error at the current page; the reader can make no more steps. */
pl_status pl_reader_fail(pl_chunk_reader *reader, pl_status status, int64_t number, const char *message,
                         pl_error *error);

/* The current page's body, which the window holds: decompressed, or as it is. *ready is false when `step` asks
 * the caller to decompress. */
pl_status pl_reader_decompress(pl_chunk_reader *reader, pl_page_body *body, pl_step *step, bool *ready,
                               pl_error *error);

/* Keeps the entries of the current page, a dictionary page; or those of a column that the caller holds. */
pl_status pl_reader_load_dictionary(pl_chunk_reader *reader, const pl_page_body *body, pl_error *error);
void pl_reader_use_dictionary(pl_chunk_reader *reader, const pl_column *column);

#endif
