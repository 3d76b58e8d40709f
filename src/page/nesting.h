/* The lists and optional groups above a leaf, made of its levels (Dremel's record assembly, a column at a time).
 *
 * Every definition level comes from one ancestor (or the leaf), from the outermost in: an OPTIONAL one, which has
 * a bit for each slot, or a REPEATED one, which has an offset for each slot and whose elements are the slots of
 * what follows. Rows are the slots of the first. With rep and def the levels of an entry, R(k) = rep <= k and
 * D(d) = def >= d, the REPEATED ancestor of repetition level k having definition level d:
 *
 *   slots of depth 0   the entries with R(0); of depth k: those with R(k) and D(d)
 *   a bit              D(its definition level), for each slot of its depth
 *   an offset          how many slots of depth k there were before, for each slot of depth k - 1
 *
 * So all of it is masks of 64 entries: comparing, counting bits, and moving those of some entries together. The
 * last definition level, when it is an OPTIONAL one's, is the validity of the leaf's entries and stands in the
 * column builder. */
#ifndef PAGELANE_PAGE_NESTING_H
#define PAGELANE_PAGE_NESTING_H

#include "base/memory.h"
#include "kernels/kernels.h"
#include "pagelane/page.h"

/* One ancestor. Slots start ... start + length - 1 are kept, those before were taken. */
typedef struct pl_ancestor {
  bool is_list;
  uint32_t depth;            /* lists around it */
  uint32_t definition_level; /* of entries in which it is there; for a list: in which it has an element */
  uint64_t start, length, capacity;
  /* before the page being appended: length, and of a list the offset behind its last slot */
  uint64_t committed;
  int32_t committed_end;
  uint64_t n_taken; /* slots taken in all */
  pl_buffer slots;  /* bits, or one int32_t offset more than slots */
  pl_buffer aside;  /* a batch that does not begin where a caller expects it is shown from here */
} pl_ancestor;

typedef struct pl_nesting {
  uint32_t n_ancestors, max_repetition_level, max_definition_level;
  bool has_validity; /* the last definition level is an OPTIONAL one's */
  bool is_running;   /* as of PL_BUILDER_RUNNING */
  pl_ancestor *ancestors;
  pl_ancestor_slots *slots; /* the same, as the kernel fills them */
  pl_parent *parents;       /* what `view` shows */
  /* [repetition level - 1]: the last entry was in such a list. Then the same as it was before the page */
  uint8_t *can_continue;
  pl_buffer masks; /* of a piece: those of the repetition levels, then those of the definition levels */
} pl_nesting;

/* Entries of a piece. */
enum { PL_NESTING_PIECE = 4096 };

/* Do repeated_levels name as many lists as max_repetition_level says? */
bool pl_nesting_is_described(const pl_column_descriptor *column);
/* Is there anything above a leaf of this kind but its own validity? */
bool pl_nesting_is_needed(const pl_column_descriptor *column);
pl_status pl_nesting_create(const pl_column_descriptor *column, bool is_running, pl_limits *limits,
                            pl_nesting **nesting);
void pl_nesting_destroy(pl_nesting *nesting, pl_limits *limits);

/* Reads the repetition levels of up to n entries, as many as begin no more than max_rows rows: those before the
 * first row go on with the last one. *n_entries: how many that are; *n_rows: the rows they begin. */
pl_status pl_nesting_read_rows(pl_nesting *nesting, const pl_kernels *kernels, pl_limits *limits,
                               pl_rle_reader *repetition, size_t n, uint64_t max_rows, size_t *n_entries,
                               uint64_t *n_rows);

/* Reads the definition levels of the n entries whose repetition levels were read, and adds to the ancestors. The
 * leaf's validity goes to bits first_bit ... of `validity` (has_validity), which has room for n. *n_slots: entries
 * of the leaf; *n_values: those that are not null. */
pl_status pl_nesting_append(pl_nesting *nesting, const pl_kernels *kernels, pl_limits *limits,
                            pl_rle_reader *definition, size_t n, uint8_t *validity, uint64_t first_bit,
                            size_t *n_slots, size_t *n_values);

/* A new chunk or page: its first entry begins a row. */
void pl_nesting_start(pl_nesting *nesting);
/* The state that pl_nesting_undo goes back to. */
void pl_nesting_commit(pl_nesting *nesting);
void pl_nesting_undo(pl_nesting *nesting);

uint64_t pl_nesting_n_rows(const pl_nesting *nesting);
/* Describes the first n_rows rows in `parents`; *n_slots: entries of the leaf they have. */
pl_status pl_nesting_view(pl_nesting *nesting, uint64_t n_rows, pl_limits *limits, uint64_t *n_slots);
/* Hands the rows last viewed over. */
void pl_nesting_take(pl_nesting *nesting);

/* n bits of a bitmap from bit `start` on, so that the first stands at bit `phase` (0 to 7) of *view, behind zeros.
 * Copied to `aside` when they do not stand so. */
pl_status pl_view_bits(pl_limits *limits, const pl_buffer *bitmap, uint64_t start, uint64_t n, unsigned phase,
                       pl_buffer *aside, const uint8_t **view);

#endif
