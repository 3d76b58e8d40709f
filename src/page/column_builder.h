/* What a column builder holds. Entries start ... start + length - 1 are kept; those before start were taken and
 * wait for the next compaction.
 *
 *   values   [ taken | kept .............. | room ]   fixed width, bits, or dictionary indices
 *   validity [ bits at the same positions         ]
 *   offsets  [ the same positions, one more       ]   -> data
 *
 * What stands above the entries of a nested leaf, lists and optional groups, is kept in nesting.h's way. Entries
 * are those of the innermost list then; the faces count in rows. */
#ifndef PAGELANE_PAGE_COLUMN_BUILDER_H
#define PAGELANE_PAGE_COLUMN_BUILDER_H

#include "base/memory.h"
#include "page/nesting.h"
#include "page/page.h"

typedef enum pl_layout { PL_LAYOUT_FIXED, PL_LAYOUT_BITS, PL_LAYOUT_BYTES, PL_LAYOUT_INDICES } pl_layout;

struct pl_column_builder {
  pl_limits *limits;
  uint64_t serial; /* tells builders of one ledger apart, also when memory is used again */
  pl_column_descriptor column;
  uint32_t flags;
  pl_layout layout;
  uint32_t width;    /* bytes of an element of `values`: a value, an index; 0 for bits and byte arrays */
  bool nullable;     /* has a validity bitmap */
  bool keeps_levels; /* values hold only what is stored, levels one for each entry of the pages */

  uint64_t start, length, capacity; /* entries */
  uint64_t n_taken;                 /* entries taken in all */
  pl_nesting *nesting;              /* NULL: nothing above the entries */
  pl_buffer values, validity;
  bool has_large_offsets;
  pl_buffer offsets; /* int32_t, or int64_t when they are large; data_base included */
  pl_buffer data;
  uint64_t data_size;
  int64_t data_base;                              /* the offset of data's first byte */
  pl_buffer repetition_levels, definition_levels; /* uint16_t */
  uint64_t n_levels;

  pl_buffer dense; /* the values (offsets) of a piece before they are spread over its nulls */
  /* a batch that does not begin at a byte edge, or at offset 0, is shown from here */
  pl_buffer taken_validity, taken_bits, taken_offsets;

  pl_column_builder
      *dictionary; /* PL_LAYOUT_INDICES: the entries of all dictionaries seen, one after another */
  pl_column dictionary_column;
};

static inline size_t pl_builder_offset_width(const pl_column_builder *builder) {
  return builder->has_large_offsets ? sizeof(int64_t) : sizeof(int32_t);
}

static inline int32_t *pl_builder_offsets(const pl_column_builder *builder) {
  return builder->offsets.bytes;
}

static inline int64_t *pl_builder_large_offsets(const pl_column_builder *builder) {
  return builder->offsets.bytes;
}

static inline int64_t pl_builder_offset(const pl_column_builder *builder, uint64_t i) {
  return builder->has_large_offsets ? pl_builder_large_offsets(builder)[i] : pl_builder_offsets(builder)[i];
}

/* Room for n more entries behind the kept ones. */
pl_status pl_builder_reserve(pl_column_builder *builder, uint64_t n);
/* Room for so many bytes behind data_size, and PL_DATA_SLACK. */
pl_status pl_builder_reserve_data(pl_column_builder *builder, uint64_t size);
/* Entries start ... start + n as a batch; without what is above them. */
pl_status pl_builder_view(pl_column_builder *builder, uint64_t n, pl_column *column);

#endif
