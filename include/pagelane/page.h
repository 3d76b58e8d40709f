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

/* ---- What stands above the entries of a nested leaf: its OPTIONAL and REPEATED ancestors, from the outermost in ----
 * Each has a slot for each row, or, inside of a list, for each element of that list. */
typedef struct pl_parent {
  uint32_t definition_level; /* which one it is: the ancestor (or leaf) that this level comes from */
  bool is_list;              /* REPEATED: offsets. Else OPTIONAL: validity */
  uint64_t length;           /* slots */
  uint64_t null_count;       /* OPTIONAL */
  const uint8_t *validity;   /* OPTIONAL: a bitmap, NULL when null_count is 0 */
  const int32_t
      *offsets; /* REPEATED: length + 1; slot i has elements offsets[i] - offsets[0] ... of what follows */
} pl_parent;

/* ---- A finished batch of a column, in Arrow's layout. Everything it points to belongs to the builder. ---- */
typedef struct pl_column {
  pl_type type;         /* physical type of the values; with a dictionary kept, of the dictionary's values */
  uint32_t value_width; /* bytes of a value in `values`: 4, 8, 12, type_length; 0 for BOOLEAN and BYTE_ARRAY */
  uint64_t length;      /* entries, nulls included; of a nested leaf those of its innermost list */
  uint64_t null_count;
  const uint8_t
      *validity; /* bit i set: entry i is not null; least significant bit first; NULL when null_count is 0 */
  const uint8_t
      *values; /* fixed width: length * value_width bytes, null entries all zero. BOOLEAN: a bitmap like
                              validity. Dictionary kept: int32 indices, value_width 4. NULL for BYTE_ARRAY */
  const int32_t *offsets;       /* BYTE_ARRAY: length + 1 offsets; offsets[0] is 0 but for
                              PL_BUILDER_RUNNING; entry i is data[offsets[i] - offsets[0] ...] */
  const int64_t *large_offsets; /* PL_BUILDER_LARGE_OFFSETS: in the place of offsets, which is NULL then */
  const uint8_t *data; /* BYTE_ARRAY: the byte at offsets[0] (which is 0 but with PL_BUILDER_RUNNING) */
  uint64_t data_size;  /* BYTE_ARRAY: offsets[length] - offsets[0] */
  const struct pl_column *dictionary; /* PL_BUILDER_KEEP_DICTIONARY: what the indices point to, without nulls */
  /* Nested leaves. When the last definition level is an OPTIONAL one's it is not among them: it is `validity`, be it
   * the leaf's own or that of the groups right above a REQUIRED leaf */
  uint32_t n_parents;
  const pl_parent *parents;
  /* PL_BUILDER_KEEP_LEVELS: the levels of `n_levels` entries; then `length` counts stored values */
  uint64_t n_levels;
  const uint16_t *repetition_levels, *definition_levels;
} pl_column;

/* ---- The builder ---- */
typedef struct pl_column_builder pl_column_builder;

enum {
  PL_BUILDER_KEEP_DICTIONARY = 1, /* int32 indices and a dictionary instead of values; a page that is not
                                     dictionary-encoded is then PL_UNSUPPORTED */
  PL_BUILDER_KEEP_LEVELS = 2,     /* stored values only, with their levels: any nesting */
  PL_BUILDER_RUNNING = 4, /* batches continue each other: offsets go on instead of starting at 0, and bitmaps
                                     begin at bit (entries taken before) % 8, behind zeros */
  PL_BUILDER_LARGE_OFFSETS = 8, /* BYTE_ARRAY: 64-bit offsets, for columns with 2 GiB of strings and more */
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

/* Rows that `take` can hand over. The last one of a repeated column may go on in the next page: it is whole when a row
 * follows it or the column chunk is done. With PL_BUILDER_KEEP_LEVELS: entries. */
PL_API uint64_t pl_column_builder_length(const pl_column_builder *builder);

/* Hands over the first n_rows rows (at most `length`) as a batch and keeps the rest. The batch holds until the next
 * call with this builder. */
PL_API pl_status pl_column_builder_take(pl_column_builder *builder, uint64_t n_rows, pl_column *column);

/* ---- An open page ---- */
typedef struct pl_page pl_page;

/* Appends up to max_rows of the page's remaining rows. *n_rows (may be NULL): how many there were. Of a repeated column that
 * counts rows that begin, and entries at the front that go on with the last row come besides; with
 * PL_BUILDER_KEEP_LEVELS it counts entries. After an error the builder holds what it held before, and the page cannot be
 * used on. */
PL_API pl_status pl_column_builder_append(pl_column_builder *builder, pl_page *page, uint64_t max_rows,
                                          uint64_t *n_rows, pl_error *error);
/* Passes up to n_rows of the page's rows without keeping them, counted in the same way. */
PL_API pl_status pl_page_skip(pl_page *page, uint64_t n_rows, uint64_t *n_skipped, pl_error *error);
/* Entries of the page not yet appended or skipped. */
PL_API uint64_t pl_page_remaining(const pl_page *page);

#ifdef __cplusplus
}
#endif
#endif
