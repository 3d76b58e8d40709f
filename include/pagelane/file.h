/* Level 3, files: the footer's metadata, plans of byte ranges, and column chunks as step machines that say which bytes they
 * need next. Nothing here does I/O. */
#ifndef PAGELANE_FILE_H
#define PAGELANE_FILE_H

#include "page.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Footer ---- */

/* Reads the end of a file. `tail`: its last tail_size bytes (8 or more; 64 KiB is a good first guess). *footer_offset and
 * *footer_size: where the thrift footer stands in the file. When it is not wholly in `tail`, fetch that range.
 * PL_TRUNCATED: file_size below 12. PL_CORRUPT: no "PAR1" at the end, or a length that does not fit. PL_KEY: "PARE", the
 * footer is encrypted. */
PL_API pl_status pl_footer_locate(const uint8_t *tail, size_t tail_size, uint64_t file_size,
                                  const pl_limits *limits, uint64_t *footer_offset, uint64_t *footer_size,
                                  pl_error *error);

/* Parses a thrift footer into a metadata image and checks it: schema tree, one chunk a leaf in every row group, no negative
 * size. num_rows of the image is the sum of the row groups. Offsets are checked chunk by chunk, by
 * pl_metadata_chunk_range: a file with one bad chunk opens. *metadata is charged to `limits`; give it back with
 * pl_metadata_destroy, with the same limits. Unknown codecs, encodings and annotations are no errors here. */
PL_API pl_status pl_metadata_parse(const uint8_t *footer, size_t footer_size, uint64_t file_size,
                                   pl_limits *limits, pl_metadata **metadata, pl_error *error);
PL_API void pl_metadata_destroy(pl_metadata *metadata, pl_limits *limits);

PL_API uint32_t pl_metadata_n_columns(const pl_metadata *metadata);
PL_API uint32_t pl_metadata_n_row_groups(const pl_metadata *metadata);
/* NULL when out of range. A column is a leaf of the schema, in schema order. */
PL_API const pl_column_descriptor *pl_metadata_column(const pl_metadata *metadata, uint32_t column);
PL_API const pl_schema_element *pl_metadata_schema_element(const pl_metadata *metadata, uint32_t index);
/* Kind, levels and extent of that element. */
PL_API const pl_schema_node *pl_metadata_schema_node(const pl_metadata *metadata, uint32_t index);
PL_API const pl_row_group *pl_metadata_row_group(const pl_metadata *metadata, uint32_t row_group);
PL_API const pl_column_chunk *pl_metadata_chunk(const pl_metadata *metadata, uint32_t row_group,
                                                uint32_t column);
/* The leaf whose dotted path is `path` (path_size bytes); -1 when there is none. */
PL_API int64_t pl_metadata_find_column(const pl_metadata *metadata, const char *path, size_t path_size);
/* Where the pages of a chunk stand: from the smaller of its page offsets, total_compressed_size bytes.
 * PL_UNSUPPORTED: an external or encrypted chunk. PL_CORRUPT: outside the file. */
PL_API pl_status pl_metadata_chunk_range(const pl_metadata *metadata, uint32_t row_group, uint32_t column,
                                         uint64_t *offset, uint64_t *size, pl_error *error);

/* ---- Plan: which bytes a choice of columns, row groups and rows needs ---- */
typedef struct pl_plan_range {
  uint32_t row_group, column;
  uint64_t offset, size;      /* bytes of the column chunk in the file */
  uint64_t first_row, n_rows; /* rows wanted, counted within the row group */
  uint64_t row_group_rows;    /* rows of the row group */
} pl_plan_range;

typedef struct pl_plan_options {
  size_t struct_size;      /* sizeof(pl_plan_options) */
  const uint32_t *columns; /* leaves; NULL: all */
  uint32_t n_columns;
  const uint32_t *row_groups; /* in ascending order; NULL: all */
  uint32_t n_row_groups;
  uint64_t first_row, n_rows; /* rows wanted, counted over the chosen row groups; UINT64_MAX: to the end */
} pl_plan_options;

/* Ranges in row group order, then column order. *n_ranges: how many there are; at most `capacity` are written (call with 0
 * first for the count). PL_BAD_ARGUMENT: a column, row group or first row out of range. */
PL_API pl_status pl_plan_make(const pl_metadata *metadata, const pl_plan_options *options,
                              pl_plan_range *ranges, size_t capacity, size_t *n_ranges, uint64_t *total_rows,
                              pl_error *error);

/* ---- Chunk reader ---- */
typedef struct pl_chunk_reader pl_chunk_reader;

/* What a chunk reader needs or has. One loop serves programs that have the whole file in memory and programs that wait for
 * each range:
 *
 *   for (;;) {
 *     pl_chunk_reader_step(reader, &step, &error);
 *     switch (step.kind) {
 *       NEED_RANGE    fetch at least step.size bytes at step.offset -> pl_chunk_reader_provide_range
 *       NEED_CODEC    decompress step.in to step.out               -> pl_chunk_reader_provide_page
 *       NEED_DECRYPT  (encrypted files; not yet made by this version)
 *       PAGE          a header was read; pl_chunk_reader_skip_page passes the page, the next step opens it
 *       VALUES        pl_chunk_reader_page is open: append or skip; the next step goes on to the page after it
 *       DONE          every entry that the chunk's metadata announces was passed
 *     }
 *   }
 */
#define PL_STEP_LIST(X) X(NEED_RANGE, 1) X(NEED_CODEC, 2) X(NEED_DECRYPT, 3) X(PAGE, 4) X(VALUES, 5) X(DONE, 6)
typedef enum pl_step_kind {
#define PL_STEP_ENUM(name, value) PL_STEP_##name = (value),
  PL_STEP_LIST(PL_STEP_ENUM)
#undef PL_STEP_ENUM
} pl_step_kind;

typedef struct pl_step {
  pl_step_kind kind;
  uint64_t offset; /* NEED_RANGE: first byte wanted, in the file. PAGE, VALUES: first byte of the page header */
  uint64_t size;   /* NEED_RANGE: bytes needed at least. PAGE, VALUES: bytes of header and body */
  uint64_t size_limit; /* NEED_RANGE: bytes there can be any use for: the rest of the chunk */
  int32_t codec;       /* NEED_CODEC */
  const uint8_t *in;   /* NEED_CODEC: compressed bytes */
  size_t in_size;
  uint8_t *out; /* NEED_CODEC: to be filled with exactly out_size bytes */
  size_t out_size;
  const pl_page_header *header; /* PAGE, VALUES */
  uint32_t header_size;         /* PAGE, VALUES */
  int64_t page;                 /* PAGE, VALUES: number in the chunk, the dictionary page included */
} pl_step;

typedef struct pl_chunk_reader_options {
  size_t struct_size;    /* sizeof(pl_chunk_reader_options) */
  bool announce_pages;   /* PAGE steps are made; else pages are opened at once */
  bool verify_checksums; /* a page that is opened and has a CRC must match it, else PL_CHECKSUM */
} pl_chunk_reader_options;

/* The metadata is not needed any more after this call. `options` may be NULL. PL_UNSUPPORTED names what cannot be read of
 * this chunk (its codec, encryption, an external file). */
PL_API pl_status pl_chunk_reader_create(const pl_metadata *metadata, uint32_t row_group, uint32_t column,
                                        const pl_chunk_reader_options *options, pl_limits *limits,
                                        pl_chunk_reader **reader, pl_error *error);
PL_API void pl_chunk_reader_destroy(pl_chunk_reader *reader); /* NULL is fine */

PL_API pl_status pl_chunk_reader_step(pl_chunk_reader *reader, pl_step *step, pl_error *error);

/* Gives bytes of the file, from `offset` (that of the NEED_RANGE step) on. They must stay where they are until the reader
 * asks for another range, is DONE or destroyed. PL_BAD_ARGUMENT: fewer than the step's size, or another offset. */
PL_API pl_status pl_chunk_reader_provide_range(pl_chunk_reader *reader, uint64_t offset, const uint8_t *bytes,
                                               size_t size, pl_error *error);
/* After NEED_CODEC: step.out was filled (size must be step.out_size), or PL_CORRUPT and so on in `status` if it cannot be. */
PL_API pl_status pl_chunk_reader_provide_page(pl_chunk_reader *reader, pl_status status, size_t size,
                                              pl_error *error);
/* After a PAGE step: pass the page. Its body need not be given. A dictionary page that is passed makes later pages that
 * need it PL_CORRUPT. */
PL_API pl_status pl_chunk_reader_skip_page(pl_chunk_reader *reader, pl_error *error);
/* After a VALUES step: the open page. It belongs to the reader and holds until its next step. */
PL_API pl_page *pl_chunk_reader_page(pl_chunk_reader *reader);

/* Before the first step: only rows [first_row, first_row + n_rows) of the chunk are wanted. Pages before them are passed
 * without their bodies (of a repeated column only V2 pages, which say how many rows they begin), VALUES pages begin and
 * end with them, DONE follows the last. */
PL_API void pl_chunk_reader_select_rows(pl_chunk_reader *reader, uint64_t first_row, uint64_t n_rows);
/* The entries of the chunk's dictionary page, once its step was passed; NULL: there was none. Belongs to the reader. */
PL_API const pl_column *pl_chunk_reader_dictionary(const pl_chunk_reader *reader);

/* Makes all steps over a whole file in memory and appends every page to the builder. PL_UNSUPPORTED, with the codec's
 * number, where a codec would have to come from the caller. */
PL_API pl_status pl_chunk_reader_read(pl_chunk_reader *reader, const uint8_t *file, uint64_t file_size,
                                      pl_column_builder *builder, pl_error *error);

/* ---- One page alone, as it stands in a file: header and body ---- */
typedef struct pl_page_decode_options {
  size_t struct_size;          /* sizeof(pl_page_decode_options) */
  pl_column_descriptor column; /* type, type_length, max levels; the rest is not looked at */
  int32_t codec;
  const pl_column *dictionary; /* the column a dictionary page gave, for pages encoded with it; NULL: none */
  bool verify_checksums;       /* as for a chunk reader */
} pl_page_decode_options;

/* A page as a chunk of its own: the reader makes the same steps, with offset 0 at in[0]. */
PL_API pl_status pl_chunk_reader_create_page(const pl_page_decode_options *options, size_t in_size,
                                             pl_limits *limits, pl_chunk_reader **reader, pl_error *error);

#ifdef __cplusplus
}
#endif
#endif
