/* What a case gave, collected from its batches, in the layout of the suite: bits after the last are 0, offsets
 * start at 0. */
#ifndef PAGELANE_TESTS_VECTORS_RESULT_H
#define PAGELANE_TESTS_VECTORS_RESULT_H

#include "pagelane.h"
#include "sha256.h"
#include "vectors_manifest.h"

typedef struct result_bytes {
  uint8_t *bytes;
  size_t size, capacity;
} result_bytes;

/* A list or an OPTIONAL field above the entries. */
typedef struct result_parent {
  bool is_list;
  uint64_t level, length, null_count;
  result_bytes validity, offsets;
} result_parent;

typedef struct vector_result {
  pl_status status;
  const char *fault; /* something that must never happen, whatever the case expects */
  uint64_t length, null_count, in_used, dictionary_length, n_levels;
  result_bytes values, validity, offsets, data;
  result_bytes repetition_levels, definition_levels;
  result_bytes dictionary_values, dictionary_offsets, dictionary_data;
  result_parent parents[VECTOR_MAX_PARENTS];
  size_t n_parents;
} vector_result;

static void result_add(result_bytes *to, const void *bytes, size_t size) {
  if (size > to->capacity - to->size) {
    to->capacity = 2 * (to->size + size) + 64;
    to->bytes = realloc(to->bytes, to->capacity);
    if (to->bytes == NULL)
      vector_fail("no memory", "results");
  }
  if (size != 0)
    memcpy(to->bytes + to->size, bytes, size);
  to->size += size;
}

/* n bits, from bit `first` on, behind the n_before that are there; NULL: ones. */
static void result_add_bits(result_bytes *to, uint64_t n_before, const uint8_t *bits, uint64_t first,
                            uint64_t n) {
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t at = n_before + i;
    if (at % 8 == 0)
      result_add(to, "", 1);
    if (bits == NULL || (bits[(first + i) / 8] >> ((first + i) % 8) & 1) != 0)
      to->bytes[at / 8] |= (uint8_t)(1u << (at % 8));
  }
}

/* Are the bits before the first one 0? */
static bool result_begins_clean(const uint8_t *bits, uint64_t first) {
  return bits == NULL || first == 0 || (bits[0] & ((1u << first) - 1)) == 0;
}

static void result_add_values(const pl_column *column, bool is_boolean, uint64_t n_before, uint64_t first_bit,
                              result_bytes *values, result_bytes *offsets, result_bytes *data) {
  if (is_boolean) {
    result_add_bits(values, n_before, column->values, first_bit, column->length);
  } else if (column->value_width != 0) {
    result_add(values, column->values, (size_t)column->length * column->value_width);
  } else {
    const int32_t zero = 0;
    if (offsets->size == 0)
      result_add(offsets, &zero, 4);
    for (uint64_t i = 1; i <= column->length; i++) {
      const int32_t offset = (int32_t)data->size + (column->offsets[i] - column->offsets[0]);
      result_add(offsets, &offset, 4);
    }
    result_add(data, column->data, (size_t)column->data_size);
  }
}

/* running: as of PL_BUILDER_RUNNING. */
static void result_add_batch(vector_result *result, const pl_column *column, bool running) {
  const bool is_boolean = column->type == PL_TYPE_BOOLEAN && column->dictionary == NULL;
  if (column->offsets != NULL && column->offsets[0] != (running ? (int32_t)result->data.size : 0))
    result->fault = "a batch whose offsets begin at the wrong number";
  const uint64_t first_bit = running ? result->length % 8 : 0;
  result_add_values(column, is_boolean, result->length, first_bit, &result->values, &result->offsets,
                    &result->data);
  result_add_bits(&result->validity, result->length, column->validity, first_bit, column->length);
  if (!result_begins_clean(column->validity, first_bit) ||
      (is_boolean && !result_begins_clean(column->values, first_bit)))
    result->fault = "a bitmap that does not begin behind zeros";
  if ((column->null_count == 0) != (column->validity == NULL))
    result->fault = "validity must be there exactly when something is null";
  result->length += column->length;
  result->null_count += column->null_count;
  result->n_levels += column->n_levels;
  if (column->repetition_levels != NULL)
    result_add(&result->repetition_levels, column->repetition_levels, 2 * (size_t)column->n_levels);
  if (column->definition_levels != NULL)
    result_add(&result->definition_levels, column->definition_levels, 2 * (size_t)column->n_levels);
  if (column->dictionary != NULL) {
    const pl_column *dictionary = column->dictionary;
    result->dictionary_values.size = result->dictionary_offsets.size = result->dictionary_data.size = 0;
    result->dictionary_length = dictionary->length;
    result_add_values(dictionary, false, 0, 0, &result->dictionary_values, &result->dictionary_offsets,
                      &result->dictionary_data);
  }
}

static bool result_bit(const result_bytes *bits, uint64_t i) {
  return (bits->bytes[i / 8] >> (i % 8) & 1) != 0;
}

/* Entries of a whole result, as a result of their own: what must come out when the others were skipped. */
static void result_select(const vector_result *all, bool is_boolean, const uint64_t *rows, uint64_t n,
                          vector_result *out) {
  out->dictionary_length = all->dictionary_length;
  result_add(&out->dictionary_values, all->dictionary_values.bytes, all->dictionary_values.size);
  result_add(&out->dictionary_offsets, all->dictionary_offsets.bytes, all->dictionary_offsets.size);
  result_add(&out->dictionary_data, all->dictionary_data.bytes, all->dictionary_data.size);
  const bool has_offsets = all->offsets.size != 0;
  const int32_t *offsets = (const int32_t *)(const void *)all->offsets.bytes;
  const size_t width =
      is_boolean || has_offsets || all->length == 0 ? 0 : all->values.size / (size_t)all->length;
  int32_t end = 0;
  if (has_offsets)
    result_add(&out->offsets, &end, 4);
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t row = rows[i];
    const uint8_t valid = all->null_count == 0 || result_bit(&all->validity, row);
    result_add_bits(&out->validity, i, &valid, 0, 1);
    out->null_count += !valid;
    if (is_boolean) {
      const uint8_t value = result_bit(&all->values, row);
      result_add_bits(&out->values, i, &value, 0, 1);
    }
    if (width != 0)
      result_add(&out->values, all->values.bytes + row * width, width);
    if (has_offsets) {
      if (all->data.size != 0)
        result_add(&out->data, all->data.bytes + offsets[row], (size_t)(offsets[row + 1] - offsets[row]));
      end += offsets[row + 1] - offsets[row];
      result_add(&out->offsets, &end, 4);
    }
  }
  out->length = n;
  if (out->null_count == 0)
    out->validity.size = 0;
}

static void result_free(vector_result *result) {
  result_bytes *all[] = {&result->values,
                         &result->validity,
                         &result->offsets,
                         &result->data,
                         &result->repetition_levels,
                         &result->definition_levels,
                         &result->dictionary_values,
                         &result->dictionary_offsets,
                         &result->dictionary_data};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    free(all[i]->bytes);
  for (size_t i = 0; i < result->n_parents; i++) {
    free(result->parents[i].validity.bytes);
    free(result->parents[i].offsets.bytes);
  }
}

#endif
