/* Pages of nested INT32 leaves by hand: levels by chance or as the test gives them, values that tell their place. */
#ifndef PAGELANE_TESTS_NESTED_PAGES_H
#define PAGELANE_TESTS_NESTED_PAGES_H

#include "page_writer.h"
#include "pagelane.h"
#include "reference.h"

enum { MOST_ENTRIES = 4096 };

/* 'o' for each OPTIONAL level, 'r' for each REPEATED one, from the outermost in. */
static inline pl_column_descriptor nested_column(const char *letters) {
  pl_column_descriptor column = {.type = PL_TYPE_INT32};
  for (; *letters != 0; letters++) {
    const int32_t level = column.max_definition_level++;
    if (*letters != 'r')
      continue;
    column.max_repetition_level++;
    int64_t *half = level < 64 ? &column.repeated_levels : &column.repeated_levels_high;
    *half = (int64_t)((uint64_t)*half | 1ull << level % 64);
  }
  return column;
}

/* The definition level of the list with this repetition level. */
static inline int list_level(const char *letters, int repetition) {
  int level = 0;
  while (repetition != 0)
    repetition -= letters[level++] == 'r';
  return level;
}

typedef struct nested_entries {
  uint8_t repetition[MOST_ENTRIES], definition[MOST_ENTRIES];
  int n;
} nested_entries;

static inline void add_entry(nested_entries *entries, int repetition, int definition) {
  assert(entries->n < MOST_ENTRIES);
  entries->repetition[entries->n] = (uint8_t)repetition;
  entries->definition[entries->n++] = (uint8_t)definition;
}

/* n entries that records have: each goes on with a list in which the one before it is an element, or begins a row. */
static inline void add_random_entries(nested_entries *entries, const char *letters, int n, ref_random *random) {
  const pl_column_descriptor column = nested_column(letters);
  for (int i = 0; i < n; i++) {
    const int before = entries->n == 0 ? 0 : entries->definition[entries->n - 1];
    int repetition = (int)ref_below(random, (uint64_t)column.max_repetition_level + 1);
    while (repetition != 0 && list_level(letters, repetition) > before)
      repetition--;
    const int least = list_level(letters, repetition);
    const int above = column.max_definition_level - least;
    const bool is_value = ref_below(random, 2) != 0;
    add_entry(entries, repetition, least + (is_value ? above : (int)ref_below(random, (uint64_t)above + 1)));
  }
}

static inline int rows_in(const nested_entries *entries, int from, int to) {
  int rows = 0;
  for (int i = from; i < to; i++)
    rows += entries->repetition[i] == 0;
  return rows;
}

static inline unsigned level_width(int max_level) {
  unsigned width = 0;
  for (; max_level != 0; max_level >>= 1)
    width++;
  return width;
}

/* One bit-packed run. */
static inline void put_levels(bytes *out, const uint8_t *levels, int n, int max_level, bool with_size) {
  static uint8_t packed[MOST_ENTRIES];
  const unsigned width = level_width(max_level), groups = (unsigned)(n + 7) / 8;
  if (width == 0)
    return;
  memset(packed, 0, (size_t)groups * width);
  for (int i = 0; i < n; i++)
    ref_put(packed, (uint64_t)i * width, width, levels[i]);
  bytes run = {.size = 0};
  put_uleb(&run, groups << 1 | 1);
  put(&run, packed, (size_t)groups * width);
  if (with_size)
    put_u32(out, (uint32_t)run.size);
  put(out, run.at, run.size);
}

/* Entries from ... to - 1 as a page of either version; the value of entry i is i. */
static inline void put_nested_page(bytes *out, int version, const pl_column_descriptor *column,
                                   const nested_entries *entries, int from, int to) {
  bytes body = {.size = 0};
  put_levels(&body, entries->repetition + from, to - from, column->max_repetition_level, version == 1);
  const size_t repetition_size = body.size;
  put_levels(&body, entries->definition + from, to - from, column->max_definition_level, version == 1);
  const size_t definition_size = body.size - repetition_size;
  for (int i = from; i < to; i++)
    if (entries->definition[i] == column->max_definition_level)
      put_u32(&body, (uint32_t)i);
  if (version == 1)
    put_data_page(out, to - from, PL_ENCODING_PLAIN, &body, body.size);
  else
    put_repeated_page_v2(out, to - from, 0, rows_in(entries, from, to), PL_ENCODING_PLAIN, repetition_size,
                         definition_size, &body);
}

/* ---- comparing ---- */

static inline bool same_bits(const uint8_t *a, const uint8_t *b, uint64_t n) {
  if (a == NULL || b == NULL)
    return a == b;
  for (uint64_t i = 0; i < n; i++)
    if (((a[i / 8] ^ b[i / 8]) >> i % 8 & 1) != 0)
      return false;
  return true;
}

static inline bool same_parents(const pl_parent *a, const pl_parent *b) {
  if (a->is_list != b->is_list || a->definition_level != b->definition_level || a->length != b->length ||
      a->null_count != b->null_count)
    return false;
  return a->is_list ? memcmp(a->offsets, b->offsets, (a->length + 1) * sizeof(int32_t)) == 0
                    : same_bits(a->validity, b->validity, a->length);
}

static inline bool same_columns(const pl_column *a, const pl_column *b) {
  if (a->length != b->length || a->null_count != b->null_count || a->n_parents != b->n_parents ||
      !same_bits(a->validity, b->validity, a->length) ||
      (a->length != 0 && memcmp(a->values, b->values, a->length * sizeof(int32_t)) != 0))
    return false;
  for (uint32_t i = 0; i < a->n_parents; i++)
    if (!same_parents(&a->parents[i], &b->parents[i]))
      return false;
  return true;
}

#endif
