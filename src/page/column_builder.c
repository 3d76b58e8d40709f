/* The growing column: its memory, and handing over batches. What fills it is in append.c. */
#include "page/column_builder.h"

#include "base/bits.h"
#include "base/error.h"
#include "encodings/byte_copy.h"

static uint64_t bitmap_size(uint64_t n) {
  return n / 8 + (n % 8 != 0);
}

static pl_layout layout_of(const pl_column_descriptor *column, uint32_t flags) {
  if ((flags & PL_BUILDER_KEEP_DICTIONARY) != 0)
    return PL_LAYOUT_INDICES;
  if (column->type == PL_TYPE_BOOLEAN)
    return PL_LAYOUT_BITS;
  return column->type == PL_TYPE_BYTE_ARRAY ? PL_LAYOUT_BYTES : PL_LAYOUT_FIXED;
}

static pl_status check_column(const pl_column_descriptor *column, uint32_t flags, pl_error *error) {
  if (pl_type_name(column->type) == NULL)
    return pl_fail(error, PL_BAD_ARGUMENT, 0, -1, column->type, "unknown physical type");
  if (column->type == PL_TYPE_FIXED_LEN_BYTE_ARRAY && column->type_length <= 0)
    return pl_fail(error, PL_BAD_ARGUMENT, 0, -1, column->type_length, "type_length must be above 0");
  if (column->max_definition_level < 0 || column->max_definition_level > INT16_MAX ||
      column->max_repetition_level < 0 || column->max_repetition_level > INT16_MAX)
    return pl_fail(error, PL_BAD_ARGUMENT, 0, -1, -1, "a maximum level is out of range");
  if ((flags & PL_BUILDER_KEEP_LEVELS) == 0 && !pl_nesting_is_described(column))
    return pl_fail(error, PL_BAD_ARGUMENT, 0, -1, -1,
                   "repeated_levels do not say which levels the lists of the column are");
  return PL_OK;
}

pl_status pl_column_builder_create(const pl_column_descriptor *column, const pl_builder_options *options,
                                   pl_limits *limits, pl_column_builder **result, pl_error *error) {
  const uint32_t flags = options == NULL ? 0 : options->flags;
  pl_status status = check_column(column, flags, error);
  if (status != PL_OK)
    return status;
  pl_column_builder *builder = NULL;
  status = pl_memory_resize(limits, &builder, 0, sizeof *builder);
  if (status != PL_OK)
    return pl_fail(error, status, 0, -1, -1, "no memory for a column");
  memset(builder, 0, sizeof *builder);
  builder->limits = limits;
  builder->serial = ++limits->serial;
  builder->column = *column;
  builder->flags = flags;
  builder->layout = layout_of(column, flags);
  builder->has_large_offsets = builder->layout == PL_LAYOUT_BYTES && (flags & PL_BUILDER_LARGE_OFFSETS) != 0;
  builder->keeps_levels = (flags & PL_BUILDER_KEEP_LEVELS) != 0;
  builder->nullable = column->max_definition_level > 0 && !builder->keeps_levels;
  if (builder->layout == PL_LAYOUT_FIXED)
    builder->width = pl_value_width((pl_type)column->type, column->type_length);
  if (builder->layout == PL_LAYOUT_INDICES) {
    pl_column_descriptor entries = *column;
    entries.max_definition_level = entries.max_repetition_level = 0;
    builder->width = sizeof(int32_t);
    status = pl_column_builder_create(&entries, NULL, limits, &builder->dictionary, error);
  }
  if (status == PL_OK && !builder->keeps_levels && pl_nesting_is_needed(column)) {
    status = pl_nesting_create(column, (flags & PL_BUILDER_RUNNING) != 0, limits, &builder->nesting);
    builder->nullable = builder->nesting != NULL && builder->nesting->has_validity;
  }
  if (status == PL_OK)
    status = pl_builder_reserve(builder, options == NULL ? 0 : options->reserve_rows);
  if (status != PL_OK) {
    pl_column_builder_destroy(builder);
    return pl_fail(error, status, 0, -1, -1, "no memory for a column");
  }
  *result = builder;
  return PL_OK;
}

void pl_column_builder_destroy(pl_column_builder *builder) {
  if (builder == NULL)
    return;
  pl_limits *limits = builder->limits;
  pl_column_builder_destroy(builder->dictionary);
  pl_nesting_destroy(builder->nesting, limits);
  pl_buffer_free(limits, &builder->values);
  pl_buffer_free(limits, &builder->validity);
  pl_buffer_free(limits, &builder->offsets);
  pl_buffer_free(limits, &builder->data);
  pl_buffer_free(limits, &builder->repetition_levels);
  pl_buffer_free(limits, &builder->definition_levels);
  pl_buffer_free(limits, &builder->dense);
  pl_buffer_free(limits, &builder->taken_validity);
  pl_buffer_free(limits, &builder->taken_bits);
  pl_buffer_free(limits, &builder->taken_offsets);
  pl_memory_free(limits, &builder, sizeof *builder);
}

uint64_t pl_column_builder_length(const pl_column_builder *builder) {
  return builder->nesting != NULL ? pl_nesting_n_rows(builder->nesting) : builder->length;
}

static bool is_running(const pl_column_builder *builder) {
  return (builder->flags & PL_BUILDER_RUNNING) != 0;
}

/* n offsets from number `from` on, less `first`, to `out`; may be in place. */
static void subtract(void *out, const pl_column_builder *builder, uint64_t from, uint64_t n, int64_t first) {
  for (uint64_t i = 0; i < n; i++)
    if (builder->has_large_offsets)
      ((int64_t *)out)[i] = pl_builder_large_offsets(builder)[from + i] - first;
    else
      ((int32_t *)out)[i] = pl_builder_offsets(builder)[from + i] - (int32_t)first;
}

/* Moves the kept entries to the front. */
static void compact(pl_column_builder *builder) {
  const uint64_t start = builder->start, length = builder->length;
  if (start == 0)
    return;
  if (builder->width != 0)
    memmove(builder->values.bytes, (uint8_t *)builder->values.bytes + start * builder->width,
            (size_t)(length * builder->width));
  else if (builder->layout == PL_LAYOUT_BITS)
    pl_bits_copy(builder->values.bytes, 0, builder->values.bytes, start, length);
  if (builder->nullable)
    pl_bits_copy(builder->validity.bytes, 0, builder->validity.bytes, start, length);
  if (builder->layout == PL_LAYOUT_BYTES) {
    const size_t width = pl_builder_offset_width(builder);
    const int64_t first = pl_builder_offset(builder, start);
    uint8_t *data = builder->data.bytes;
    builder->data_size -= (uint64_t)(first - builder->data_base);
    if (builder->data_size != 0)
      memmove(data, data + (first - builder->data_base), (size_t)builder->data_size);
    memmove(builder->offsets.bytes, (uint8_t *)builder->offsets.bytes + start * width,
            (size_t)(length + 1) * width);
    builder->data_base = first;
    if (!is_running(builder)) { /* else what was taken would count for ever */
      subtract(builder->offsets.bytes, builder, 0, length + 1, first);
      builder->data_base = 0;
    }
  }
  builder->start = 0;
}

/* Every buffer that has a place for each entry, for so many entries. */
static pl_status grow(pl_column_builder *builder, uint64_t capacity) {
  pl_status status = PL_OK;
  if (builder->width != 0)
    status = pl_buffer_reserve(builder->limits, &builder->values, pl_size_mul(capacity, builder->width));
  else if (builder->layout == PL_LAYOUT_BITS)
    status = pl_buffer_reserve(builder->limits, &builder->values, bitmap_size(capacity));
  if (status == PL_OK && builder->nullable)
    status = pl_buffer_reserve(builder->limits, &builder->validity, bitmap_size(capacity));
  if (status == PL_OK && builder->layout == PL_LAYOUT_BYTES) {
    const bool is_first = builder->offsets.bytes == NULL;
    status = pl_buffer_reserve(builder->limits, &builder->offsets,
                               pl_size_mul(pl_size_add(capacity, 1), pl_builder_offset_width(builder)));
    if (status == PL_OK && is_first)
      memset(builder->offsets.bytes, 0, pl_builder_offset_width(builder));
  }
  if (status == PL_OK)
    builder->capacity = capacity;
  return status;
}

pl_status pl_builder_reserve(pl_column_builder *builder, uint64_t n) {
  if (builder->capacity != 0 && n <= builder->capacity - builder->start - builder->length)
    return PL_OK;
  compact(builder);
  if (builder->capacity != 0 && n <= builder->capacity - builder->length)
    return PL_OK;
  const uint64_t wanted = pl_size_add(builder->length, n);
  const uint64_t generous = builder->capacity + builder->capacity / 2;
  const uint64_t capacity = pl_size_add(wanted < generous ? generous : wanted, 63) & ~(uint64_t)63;
  pl_status status = grow(builder, capacity == 0 ? 64 : capacity);
  if (status == PL_LIMIT && wanted < generous)
    status = grow(builder, wanted);
  return status;
}

pl_status pl_builder_reserve_data(pl_column_builder *builder, uint64_t size) {
  return pl_buffer_reserve(builder->limits, &builder->data,
                           pl_size_add(pl_size_add(builder->data_size, size), PL_DATA_SLACK));
}

static pl_status view_bits(pl_column_builder *builder, const pl_buffer *bitmap, uint64_t n, pl_buffer *aside,
                           const uint8_t **view) {
  const unsigned phase = is_running(builder) ? (unsigned)(builder->n_taken % 8) : 0;
  return pl_view_bits(builder->limits, bitmap, builder->start, n, phase, aside, view);
}

static pl_status view_offsets(pl_column_builder *builder, uint64_t n, pl_column *column) {
  const uint64_t start = builder->start;
  const int64_t first = pl_builder_offset(builder, start);
  const size_t width = pl_builder_offset_width(builder);
  const void *view = (const uint8_t *)builder->offsets.bytes + start * width;
  column->data_size = (uint64_t)(pl_builder_offset(builder, start + n) - first);
  if (builder->data.bytes != NULL)
    column->data = (const uint8_t *)builder->data.bytes + (first - builder->data_base);
  if (first != 0 && !is_running(builder)) {
    const pl_status status =
        pl_buffer_reserve(builder->limits, &builder->taken_offsets, pl_size_mul(n + 1, width));
    if (status != PL_OK)
      return status;
    subtract(builder->taken_offsets.bytes, builder, start, n + 1, first);
    view = builder->taken_offsets.bytes;
  }
  if (builder->has_large_offsets)
    column->large_offsets = view;
  else
    column->offsets = view;
  return PL_OK;
}

static pl_status view_validity(pl_column_builder *builder, uint64_t n, pl_column *column) {
  column->null_count = n - pl_bits_count(builder->validity.bytes, builder->start, n);
  if (column->null_count == 0)
    return PL_OK;
  return view_bits(builder, &builder->validity, n, &builder->taken_validity, &column->validity);
}

pl_status pl_builder_view(pl_column_builder *builder, uint64_t n, pl_column *column) {
  pl_status status = PL_OK;
  memset(column, 0, sizeof *column);
  column->type = (pl_type)builder->column.type;
  column->value_width = builder->width;
  column->length = n;
  if (builder->width != 0)
    column->values = (const uint8_t *)builder->values.bytes + builder->start * builder->width;
  else if (builder->layout == PL_LAYOUT_BITS)
    status = view_bits(builder, &builder->values, n, &builder->taken_bits, &column->values);
  else
    status = view_offsets(builder, n, column);
  if (status == PL_OK && builder->nullable)
    status = view_validity(builder, n, column);
  if (builder->keeps_levels) {
    column->n_levels = builder->n_levels;
    column->repetition_levels = builder->repetition_levels.bytes;
    column->definition_levels = builder->definition_levels.bytes;
  }
  if (status == PL_OK && builder->dictionary != NULL) {
    status = pl_builder_view(builder->dictionary, builder->dictionary->length, &builder->dictionary_column);
    column->dictionary = &builder->dictionary_column;
  }
  return status;
}

pl_status pl_column_builder_take(pl_column_builder *builder, uint64_t n_rows, pl_column *column) {
  pl_nesting *nesting = builder->nesting;
  const uint64_t length = pl_column_builder_length(builder);
  if (n_rows > length || (builder->keeps_levels && n_rows != length))
    return PL_BAD_ARGUMENT;
  uint64_t n = n_rows;
  pl_status status = PL_OK;
  if (nesting != NULL)
    status = pl_nesting_view(nesting, n_rows, builder->limits, &n);
  if (status == PL_OK)
    status = pl_builder_view(builder, n, column);
  if (status != PL_OK)
    return status;
  if (nesting != NULL) {
    column->n_parents = nesting->n_ancestors;
    column->parents = nesting->parents;
    pl_nesting_take(nesting);
  }
  builder->start += n;
  builder->length -= n;
  builder->n_taken += n;
  builder->n_levels = 0;
  return PL_OK;
}
