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
  bool announce_pages;
  bool is_page;                 /* no chunk of a file: pages from offset 0 on, until the bytes end */
  uint64_t position, end;       /* in the file */
  uint64_t n_entries, n_passed; /* of the chunk's metadata; of the pages gone by */
  uint64_t first_row, last_row; /* the entries wanted */

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

#endif
