/* Level 2, pages. A page is the unit of work, a column builder the unit of result: pages are opened one after another and
 * appended, in part or whole, to a growing column in Arrow's layout. */
#ifndef PAGELANE_PAGE_H
#define PAGELANE_PAGE_H

#include "metadata.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parses the thrift PageHeader at the start of `in`. *header_size: its bytes. Binary fields (statistics) are offsets into
 * `in`. The structure that the page type asks for is there, and sizes and counts are not negative, when this returns PL_OK.
 * PL_TRUNCATED: the header goes on past in_size; try again with more bytes. PL_LIMIT: longer than
 * max_page_header_bytes. `limits` may be NULL: the defaults. */
PL_API pl_status pl_page_header_parse(const uint8_t *in, size_t in_size, const pl_limits *limits,
                                      pl_page_header *header, size_t *header_size, pl_error *error);

/* Entries (nulls included) of a page, data or dictionary, and the encoding of its values. 0 and -1 for other pages. */
PL_API uint32_t pl_page_header_num_values(const pl_page_header *header);
PL_API int32_t pl_page_header_encoding(const pl_page_header *header);

/* ---- A finished batch of a column, in Arrow's layout. Everything it points to belongs to the builder. ---- */
typedef struct pl_column {
  pl_type type;         /* physical type of the values; with a dictionary kept, of the dictionary's values */
  uint32_t value_width; /* bytes of a value in `values`: 4, 8, 12, type_length; 0 for BOOLEAN and BYTE_ARRAY */
  uint64_t length;      /* entries, nulls included */
  uint64_t null_count;
  const uint8_t
      *validity; /* bit i set: entry i is not null; least significant bit first; NULL when null_count is 0 */
  const uint8_t
      *values; /* fixed width: length * value_width bytes, null entries all zero. BOOLEAN: a bitmap like
                              validity. Dictionary kept: int32 indices, value_width 4. NULL for BYTE_ARRAY */
  const int32_t *offsets; /* BYTE_ARRAY: length + 1 offsets; offsets[0] is 0 but for
                              PL_BUILDER_RUNNING_OFFSETS; entry i is data[offsets[i] - offsets[0] ...] */
  const uint8_t *data; /* BYTE_ARRAY: the byte at offsets[0] (which is 0 but with PL_BUILDER_RUNNING_OFFSETS) */
  uint64_t data_size;  /* BYTE_ARRAY: offsets[length] - offsets[0] */
  const struct pl_column *dictionary; /* PL_BUILDER_KEEP_DICTIONARY: what the indices point to, without nulls */
  /* Repeated leaves, and PL_BUILDER_KEEP_LEVELS: the levels of `n_levels` entries; then `length` counts stored values */
  uint64_t n_levels;
  const uint16_t *repetition_levels, *definition_levels;
} pl_column;

/* ---- The builder ---- */
typedef struct pl_column_builder pl_column_builder;

enum {
  PL_BUILDER_KEEP_DICTIONARY = 1, /* int32 indices and a dictionary instead of values; a page that is not
                                     dictionary-encoded is then PL_UNSUPPORTED */
  PL_BUILDER_KEEP_LEVELS = 2,     /* stored values only, with their levels: any nesting */
  PL_BUILDER_RUNNING_OFFSETS = 4, /* offsets go on from batch to batch instead of starting at 0 */
};

typedef struct pl_builder_options {
  size_t struct_size; /* sizeof(pl_builder_options) */
  uint32_t flags;
  uint64_t
      reserve_rows; /* memory for so many entries is taken at the start (fixed widths), so that it never moves */
} pl_builder_options;

/* `column` is copied. `limits` is charged for what the builder holds and must outlive it. */
PL_API pl_status pl_column_builder_create(const pl_column_descriptor *column, const pl_builder_options *options,
                                          pl_limits *limits, pl_column_builder **builder, pl_error *error);
PL_API void pl_column_builder_destroy(pl_column_builder *builder); /* NULL is fine */

/* Entries (rows, for columns that are not repeated) that `take` can hand over. */
PL_API uint64_t pl_column_builder_length(const pl_column_builder *builder);

/* Hands over the first n_rows entries (at most `length`) as a batch and keeps the rest. The batch holds until the next
 * call with this builder. */
PL_API pl_status pl_column_builder_take(pl_column_builder *builder, uint64_t n_rows, pl_column *column);

/* ---- An open page ---- */
typedef struct pl_page pl_page;

/* Appends up to max_rows of the page's remaining entries. *n_rows (may be NULL): how many there were; 0 when the page is
 * done. After an error the builder holds what it held before, and the page cannot be used on. */
PL_API pl_status pl_column_builder_append(pl_column_builder *builder, pl_page *page, uint64_t max_rows,
                                          uint64_t *n_rows, pl_error *error);
/* Passes up to n_rows of the page's entries without keeping them. */
PL_API pl_status pl_page_skip(pl_page *page, uint64_t n_rows, uint64_t *n_skipped, pl_error *error);
/* Entries of the page not yet appended or skipped. */
PL_API uint64_t pl_page_remaining(const pl_page *page);

#ifdef __cplusplus
}
#endif
#endif
