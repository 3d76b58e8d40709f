/* A consumer of the Arrow C Data Interface, for tests: walks an array beside its schema and checks everything that the
 * specifications ask for and a consumer relies on. It also sums up all bytes that the array means, so that two ways to the same
 * rows can be compared. Include cmocka.h before. */
#ifndef PAGELANE_TESTS_ARROW_CHECK_H
#define PAGELANE_TESTS_ARROW_CHECK_H

#include "pagelane/arrow.h"

#include <stdlib.h>
#include <string.h>

static inline uint64_t sum_bytes(uint64_t sum, const void *bytes, size_t size) {
  const uint8_t *at = bytes;
  for (size_t i = 0; i < size; i++)
    sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
  return sum;
}

static inline bool bit_at(const uint8_t *bits, int64_t i) {
  return (bits[i / 8] >> i % 8 & 1) != 0;
}

/* Bytes of a value of a fixed-width format; 0 for other formats. */
static inline size_t format_width(const char *format) {
  static const struct {
    const char *start;
    size_t width;
  } widths[] = {{"c", 1},   {"C", 1},    {"s", 2},    {"S", 2},    {"i", 4},   {"I", 4},   {"l", 8},
                {"L", 8},   {"e", 2},    {"f", 4},    {"g", 8},    {"tdD", 4}, {"ttm", 4}, {"ttu", 8},
                {"ttn", 8}, {"tsm:", 8}, {"tsu:", 8}, {"tsn:", 8}, {"tin", 16}};
  if (format[0] == 'w')
    return (size_t)atoi(format + 2);
  if (format[0] == 'd')
    return strstr(format, ",256") != NULL ? 32 : 16;
  for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
    if (strncmp(format, widths[i].start, strlen(widths[i].start)) == 0)
      return widths[i].width;
  return 0;
}

static inline void check_schema(const struct ArrowSchema *schema) {
  assert_non_null(schema->release);
  assert_non_null(schema->format);
  assert_non_null(schema->name);
  if (schema->format[0] == '+')
    assert_true(schema->n_children > 0 || strcmp(schema->format, "+s") == 0);
  else
    assert_int_equal(schema->n_children, 0);
  if (strcmp(schema->format, "+m") == 0) {
    const struct ArrowSchema *entries = schema->children[0];
    assert_string_equal(entries->format, "+s");
    assert_int_equal(entries->n_children, 2);
    assert_int_equal(entries->flags | entries->children[0]->flags, 0);
  }
  for (int64_t i = 0; i < schema->n_children; i++)
    check_schema(schema->children[i]);
  if (schema->dictionary != NULL)
    check_schema(schema->dictionary);
}

static inline uint64_t check_array(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                   uint64_t sum);

static inline int64_t offset_at(const void *offsets, bool is_large, int64_t i) {
  return is_large ? ((const int64_t *)offsets)[i] : ((const int32_t *)offsets)[i];
}

/* Offsets begin at 0, never fall, and end within what they point to. *size: where they end. The sum is the same for
 * those of 32 and of 64 bits. */
static inline uint64_t check_offsets(const struct ArrowArray *array, bool is_large, int64_t *size,
                                     uint64_t sum) {
  const void *offsets = array->buffers[1];
  assert_non_null(offsets);
  assert_int_equal(offset_at(offsets, is_large, 0), 0);
  for (int64_t i = 0; i < array->length; i++) {
    const int64_t end = offset_at(offsets, is_large, i + 1);
    assert_true(offset_at(offsets, is_large, i) <= end);
    sum = sum_bytes(sum, &end, sizeof end);
  }
  *size = offset_at(offsets, is_large, array->length);
  return sum;
}

static inline uint64_t check_validity(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                      uint64_t sum) {
  const uint8_t *validity = array->buffers[0];
  int64_t n_nulls = 0;
  if (validity != NULL)
    for (int64_t i = 0; i < array->length; i++) {
      const bool is_valid = bit_at(validity, i);
      n_nulls += !is_valid;
      sum = sum_bytes(sum, &is_valid, 1);
    }
  assert_int_equal(array->null_count, n_nulls);
  if (n_nulls > 0)
    assert_true((schema->flags & ARROW_FLAG_NULLABLE) != 0);
  return sum;
}

static inline uint64_t check_values(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                    uint64_t sum) {
  const size_t width = format_width(schema->format);
  int64_t size;
  if (schema->format[0] == 'b') {
    assert_int_equal(array->n_buffers, 2);
    for (int64_t i = 0; i < array->length; i++) {
      const bool is_set = bit_at(array->buffers[1], i);
      sum = sum_bytes(sum, &is_set, 1);
    }
  } else if (width != 0) {
    assert_int_equal(array->n_buffers, 2);
    if (array->length > 0)
      assert_non_null(array->buffers[1]);
    sum = sum_bytes(sum, array->buffers[1], (size_t)array->length * width);
  } else {
    const bool is_large = schema->format[0] == 'U' || schema->format[0] == 'Z';
    assert_true(is_large || schema->format[0] == 'u' || schema->format[0] == 'z');
    assert_int_equal(array->n_buffers, 3);
    sum = check_offsets(array, is_large, &size, sum);
    sum = sum_bytes(sum, array->buffers[2], (size_t)size);
  }
  return sum;
}

static inline uint64_t check_dictionary(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                        uint64_t sum) {
  assert_int_equal(array->dictionary != NULL, schema->dictionary != NULL);
  if (array->dictionary == NULL)
    return sum;
  const int32_t *indices = array->buffers[1];
  for (int64_t i = 0; i < array->length; i++)
    if (array->buffers[0] == NULL || bit_at(array->buffers[0], i))
      assert_in_range(indices[i], 0, array->dictionary->length - 1);
  return check_array(schema->dictionary, array->dictionary, sum);
}

static inline uint64_t check_children(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                      uint64_t sum) {
  const bool is_struct = strcmp(schema->format, "+s") == 0;
  int64_t size = 0;
  assert_int_equal(array->n_buffers, is_struct ? 1 : 2);
  if (!is_struct)
    sum = check_offsets(array, false, &size, sum);
  for (int64_t i = 0; i < array->n_children; i++) {
    assert_int_equal(array->children[i]->length, is_struct ? array->length : size);
    sum = check_array(schema->children[i], array->children[i], sum);
  }
  return sum;
}

static inline uint64_t check_array(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                   uint64_t sum) {
  assert_non_null(array->release);
  assert_int_equal(array->offset, 0);
  assert_int_equal(array->n_children, schema->n_children);
  if (strcmp(schema->format, "n") == 0) {
    assert_int_equal(array->n_buffers, 0);
    assert_int_equal(array->null_count, array->length);
    return sum_bytes(sum, &array->length, sizeof array->length);
  }
  sum = check_validity(schema, array, sum);
  if (schema->format[0] == '+')
    return check_children(schema, array, sum);
  return check_dictionary(schema, array, check_values(schema, array, sum));
}

#endif
