/* Lists and OPTIONAL fields above the entries of a nested column: joined from batches, and those of chosen rows. */
#ifndef PAGELANE_TESTS_VECTORS_PARENTS_H
#define PAGELANE_TESTS_VECTORS_PARENTS_H

#include "vectors_result.h"

/* Adds one of a batch's. Returns the slots that it has room for below: elements, or its own again. */
static uint64_t result_add_parent(vector_result *result, result_parent *to, const pl_parent *parent,
                                  bool running) {
  to->is_list = parent->is_list;
  to->level = parent->definition_level;
  if (parent->is_list) {
    const int32_t zero = 0;
    if (to->offsets.size == 0)
      result_add(&to->offsets, &zero, 4);
    int32_t end;
    memcpy(&end, to->offsets.bytes + to->offsets.size - 4, 4);
    if (parent->offsets[0] != (running ? end : 0) || parent->null_count != 0 || parent->validity != NULL)
      result->fault = "a list whose offsets begin at the wrong number, or with nulls";
    for (uint64_t i = 1; i <= parent->length; i++) {
      const int32_t offset = end + (parent->offsets[i] - parent->offsets[0]);
      result_add(&to->offsets, &offset, 4);
    }
    to->length += parent->length;
    return (uint64_t)(parent->offsets[parent->length] - parent->offsets[0]);
  }
  const uint64_t first_bit = running ? to->length % 8 : 0;
  if ((parent->null_count == 0) != (parent->validity == NULL) || parent->offsets != NULL ||
      !result_begins_clean(parent->validity, first_bit))
    result->fault = "an optional field whose validity is not as it must be";
  result_add_bits(&to->validity, to->length, parent->validity, first_bit, parent->length);
  to->length += parent->length;
  to->null_count += parent->null_count;
  return parent->length;
}

static void result_add_parents(vector_result *result, const pl_column *column, bool running) {
  if (column->n_parents > VECTOR_MAX_PARENTS)
    vector_fail("too many parents", "batch");
  result->n_parents = column->n_parents;
  for (uint32_t i = 0; i < column->n_parents; i++) {
    const uint64_t below = i + 1 < column->n_parents ? column->parents[i + 1].length : column->length;
    if (result_add_parent(result, &result->parents[i], &column->parents[i], running) != below)
      result->fault = "another number of slots than the list or field around them has";
  }
}

/* Where nothing is null there is no validity. */
static void result_drop_full_bitmaps(vector_result *result) {
  if (result->null_count == 0)
    result->validity.size = 0;
  for (size_t i = 0; i < result->n_parents; i++)
    if (result->parents[i].null_count == 0)
      result->parents[i].validity.size = 0;
}

/* A list's elements in the chosen slots. */
static void result_select_list(const result_parent *all, const uint64_t *slots, size_t n, result_parent *to,
                               result_bytes *elements) {
  const int32_t *offsets = (const int32_t *)(const void *)all->offsets.bytes;
  int32_t end = 0;
  result_add(&to->offsets, &end, 4);
  for (size_t i = 0; i < n; i++) {
    for (uint64_t at = (uint64_t)offsets[slots[i]]; at < (uint64_t)offsets[slots[i] + 1]; at++, end++)
      result_add(elements, &at, sizeof at);
    result_add(&to->offsets, &end, 4);
  }
}

/* The parents of chosen rows: *slots become the entries that these have, in memory of its own again. */
static void result_select_parents(const vector_result *all, uint64_t **slots, size_t *n, vector_result *out) {
  out->n_parents = all->n_parents;
  for (size_t i = 0; i < all->n_parents; i++) {
    const result_parent *from = &all->parents[i];
    result_parent *to = &out->parents[i];
    *to = (result_parent){.is_list = from->is_list, .level = from->level, .length = *n};
    if (from->is_list) {
      result_bytes elements = {0};
      result_select_list(from, *slots, *n, to, &elements);
      free(*slots);
      *slots = (uint64_t *)(void *)elements.bytes;
      *n = elements.size / sizeof **slots;
      continue;
    }
    for (size_t k = 0; k < *n; k++) {
      const uint8_t valid = from->null_count == 0 || result_bit(&from->validity, (*slots)[k]);
      result_add_bits(&to->validity, k, &valid, 0, 1);
      to->null_count += !valid;
    }
    if (to->null_count == 0)
      to->validity.size = 0;
  }
}

/* The same as what a case expects. */
static void expect_parents(vector_case *c, const vector_result *result) {
  c->n_parents = (int)result->n_parents;
  for (size_t i = 0; i < result->n_parents; i++) {
    const result_parent *from = &result->parents[i];
    const result_bytes *bytes = from->is_list ? &from->offsets : &from->validity;
    c->parents[i] = (vector_parent){.is_list = from->is_list,
                                    .level = from->level,
                                    .length = from->length,
                                    .null_count = from->null_count,
                                    .bytes = {.bytes = bytes->bytes, .size = bytes->size}};
  }
}

#endif
