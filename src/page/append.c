/* Appending a page to a column: levels become validity, values go to their places, piece by piece. */
#include "base/bits.h"
#include "page/column_builder.h"

#include <string.h>

enum {
  PIECE = 4096, /* entries at a time where there may be nulls: their dense values stay in the cache */
  PIECE_REQUIRED = 1 << 16, /* entries at a time where there are none */
};

/* One piece: its entries, and where its first one goes. */
typedef struct piece {
  pl_column_builder *builder;
  pl_page *page;
  uint64_t at;     /* position in the builder's buffers */
  size_t n;        /* entries */
  size_t n_values; /* entries that are not null */
  size_t n_levels; /* levels of the page that it takes; a nested column has fewer entries than those */
} piece;

static const uint8_t *validity(const piece *p) {
  return p->builder->validity.bytes;
}

static pl_status dense(const piece *p, uint64_t size, void *pointer_to_pointer) {
  const pl_status status = pl_buffer_reserve(p->builder->limits, &p->builder->dense, size);
  memcpy(pointer_to_pointer, &p->builder->dense.bytes, sizeof(void *));
  return status;
}

/* Elements of any width over the set bits; the others become zero. */
static void spread_bytes(const uint8_t *from, const piece *p, uint8_t *out, uint32_t width) {
  for (size_t i = 0; i < p->n; i++, out += width) {
    if (pl_bit_get(validity(p), p->at + i)) {
      memcpy(out, from, width);
      from += width;
    } else {
      memset(out, 0, width);
    }
  }
}

static void spread(const uint8_t *from, const piece *p, uint8_t *out, uint32_t width) {
  const pl_kernels *kernels = p->page->values.kernels;
  if (width == 4)
    kernels->spread_32((const void *)from, validity(p), p->at, (void *)out, p->n);
  else if (width == 8)
    kernels->spread_64((const void *)from, validity(p), p->at, (void *)out, p->n);
  else
    spread_bytes(from, p, out, width);
}

/* n stored values (or indices) of the piece, one after another. */
static pl_status read_elements(const piece *p, uint8_t *out, uint32_t base) {
  pl_value_decoder *values = &p->page->values;
  if (p->builder->layout == PL_LAYOUT_INDICES && !values->encoding->dictionary)
    return PL_UNSUPPORTED;
  if (p->builder->layout == PL_LAYOUT_INDICES)
    return values->encoding->read_indices(values, base, (uint32_t *)(void *)out, p->n_values);
  return values->encoding->read(values, out, p->n_values);
}

static pl_status append_elements(const piece *p, uint32_t base) {
  const uint32_t width = p->builder->width;
  uint8_t *out = (uint8_t *)p->builder->values.bytes + p->at * width;
  if (p->n_values == 0) {
    memset(out, 0, p->n * width);
    return PL_OK;
  }
  if (p->n_values == p->n)
    return read_elements(p, out, base);
  uint8_t *from;
  pl_status status = dense(p, pl_size_mul(p->n_values, width), &from);
  if (status == PL_OK)
    status = read_elements(p, from, base);
  if (status == PL_OK)
    spread(from, p, out, width);
  return status;
}

static pl_status append_bits(const piece *p) {
  pl_value_decoder *values = &p->page->values;
  uint8_t *out = p->builder->values.bytes;
  if (p->n_values == 0) {
    pl_bits_fill(out, p->at, p->n, false);
    return PL_OK;
  }
  if (p->n_values == p->n)
    return values->encoding->read_bits(values, out, p->at, p->n);
  uint8_t *from;
  pl_status status = dense(p, p->n_values / 8 + 1, &from);
  if (status == PL_OK)
    status = values->encoding->read_bits(values, from, 0, p->n_values);
  if (status != PL_OK)
    return status;
  pl_bits_fill(out, p->at, p->n, false);
  for (size_t i = 0, k = 0; i < p->n; i++)
    if (pl_bit_get(validity(p), p->at + i)) {
      const uint64_t bit = p->at + i;
      out[bit >> 3] |= (uint8_t)(pl_bit_get(from, k++) << (bit & 7));
    }
  return PL_OK;
}

/* Up to PL_OFFSETS_STEP values: their offsets, room for their bytes, their bytes. */
static pl_status append_strings_step(pl_column_builder *builder, pl_page *page, int32_t *offsets, size_t n) {
  pl_value_decoder *values = &page->values;
  pl_status status = values->encoding->read_offsets(values, offsets, n);
  if (status != PL_OK)
    return status;
  const uint64_t size = (uint64_t)(offsets[n] - offsets[0]);
  status = pl_builder_reserve_data(builder, size);
  if (status == PL_OK)
    status =
        values->encoding->read_data(values, offsets, (uint8_t *)builder->data.bytes + builder->data_size, n);
  if (status == PL_OK)
    builder->data_size += size;
  return status;
}

/* The same for offsets of 64 bits: those of a step count from 0, and a step is no larger than they bear. */
static pl_status append_large_step(pl_column_builder *builder, pl_page *page, int64_t *offsets, size_t *n) {
  int32_t step_offsets[PL_OFFSETS_STEP + 1] = {0};
  const pl_value_decoder before = page->values;
  pl_status status = append_strings_step(builder, page, step_offsets, *n);
  while (status == PL_LIMIT && *n > 1) {
    page->values = before;
    *n /= 2;
    status = append_strings_step(builder, page, step_offsets, *n);
  }
  for (size_t i = 1; i <= *n && status == PL_OK; i++)
    offsets[i] = offsets[0] + step_offsets[i];
  return status;
}

static pl_status append_large_strings(const piece *p) {
  int64_t *out = pl_builder_large_offsets(p->builder) + p->at, *from = out;
  pl_status status = PL_OK;
  if (p->n_values != p->n)
    status = dense(p, (p->n_values + 1) * sizeof *from, &from);
  if (status != PL_OK)
    return status;
  from[0] = out[0];
  for (size_t done = 0, step; done < p->n_values && status == PL_OK; done += step) {
    step = p->n_values - done < PL_OFFSETS_STEP ? p->n_values - done : PL_OFFSETS_STEP;
    status = append_large_step(p->builder, p->page, from + done, &step);
  }
  for (size_t i = 0, k = 0; i < p->n && status == PL_OK && from != out; i++) {
    k += pl_bit_get(validity(p), p->at + i);
    out[i + 1] = from[k];
  }
  return status;
}

static pl_status append_strings(const piece *p) {
  int32_t *out = pl_builder_offsets(p->builder) + p->at, *from = out;
  pl_status status = PL_OK;
  if (p->n_values != p->n)
    status = dense(p, (p->n_values + 1) * sizeof *from, &from);
  if (status != PL_OK)
    return status;
  from[0] = out[0];
  for (size_t done = 0; done < p->n_values && status == PL_OK;) {
    const size_t left = p->n_values - done, step = left < PL_OFFSETS_STEP ? left : PL_OFFSETS_STEP;
    status = append_strings_step(p->builder, p->page, from + done, step);
    done += step;
  }
  if (status != PL_OK || from == out)
    return status;
  for (size_t i = 0, k = 0; i < p->n; i++) {
    k += pl_bit_get(validity(p), p->at + i);
    out[i + 1] = from[k];
  }
  return PL_OK;
}

/* Both levels of the piece's entries to the builder; only entries at the maximum are stored values. */
static pl_status keep_levels(piece *p) {
  pl_column_builder *builder = p->builder;
  const pl_kernels *kernels = p->page->values.kernels;
  const uint64_t size = pl_size_mul(builder->n_levels + p->n, sizeof(uint16_t));
  pl_status status = pl_buffer_reserve(builder->limits, &builder->repetition_levels, size);
  if (status == PL_OK)
    status = pl_buffer_reserve(builder->limits, &builder->definition_levels, size);
  if (status != PL_OK)
    return status;
  uint16_t *repetition = (uint16_t *)builder->repetition_levels.bytes + builder->n_levels;
  uint16_t *definition = (uint16_t *)builder->definition_levels.bytes + builder->n_levels;
  const uint16_t max_definition = (uint16_t)builder->column.max_definition_level;
  memset(repetition, 0, p->n * sizeof *repetition);
  memset(definition, 0, p->n * sizeof *definition);
  if (p->page->has_repetition)
    status = kernels->rle_read_levels(&p->page->repetition, (uint32_t)builder->column.max_repetition_level,
                                      repetition, p->n);
  if (status == PL_OK && p->page->has_definition)
    status = kernels->rle_read_levels(&p->page->definition, max_definition, definition, p->n);
  if (status != PL_OK)
    return status;
  uint64_t n_rows = 0;
  for (size_t i = 0; i < p->n; i++) {
    p->n_values += definition[i] == max_definition;
    n_rows += repetition[i] == 0;
  }
  builder->n_levels += p->n;
  if (!p->page->has_repetition)
    return PL_OK;
  pl_page_pass_rows(p->page, n_rows);
  return pl_page_count_rows(p->page, n_rows);
}

/* Levels that begin no more than *max_rows rows become lists and optional groups; *max_rows is counted down. */
static pl_status read_nested(piece *p, uint64_t *max_rows) {
  pl_column_builder *builder = p->builder;
  pl_page *page = p->page;
  const pl_kernels *kernels = page->values.kernels;
  uint64_t n_rows;
  pl_status status = pl_nesting_read_rows(builder->nesting, kernels, builder->limits, &page->repetition, p->n,
                                          *max_rows, &p->n_levels, &n_rows);
  if (status == PL_OK && page->has_repetition)
    status = pl_page_count_rows(page, n_rows);
  if (status == PL_OK && page->starts_chunk) {
    pl_nesting_start(builder->nesting);
    page->starts_chunk = false;
  }
  if (status == PL_OK)
    status = pl_nesting_append(builder->nesting, kernels, builder->limits, &page->definition, p->n_levels,
                               builder->validity.bytes, p->at, &p->n, &p->n_values);
  *max_rows -= n_rows;
  return status;
}

static pl_status read_levels(piece *p) {
  if (p->builder->keeps_levels)
    return keep_levels(p);
  if (!p->page->has_definition) {
    p->n_values = p->n;
    if (p->builder->nullable) /* a page without nulls in a column that may have some */
      pl_bits_fill(p->builder->validity.bytes, p->at, p->n, true);
    return PL_OK;
  }
  return p->page->values.kernels->rle_read_bitmap(&p->page->definition, p->builder->validity.bytes, p->at, p->n,
                                                  &p->n_values);
}

/* Where the page's dictionary begins among those of the builder; its entries are added the first time they are
 * met. */
static pl_status dictionary_base(pl_column_builder *builder, pl_page *page, uint32_t *base) {
  pl_chunk_dictionary *dictionary = page->dictionary;
  pl_column_builder *all = builder->dictionary;
  *base = 0;
  if (dictionary == NULL)
    return PL_OK; /* an index is refused later */
  if (dictionary->builder == builder && dictionary->builder_serial == builder->serial) {
    *base = dictionary->builder_base;
    return PL_OK;
  }
  const pl_column *column = dictionary->column;
  if (column->length > INT32_MAX - all->length)
    return PL_LIMIT;
  pl_status status = pl_builder_reserve(all, column->length);
  if (status != PL_OK)
    return status;
  if (all->layout == PL_LAYOUT_BYTES) {
    int32_t *offsets = pl_builder_offsets(all) + all->length;
    if (column->data_size > (uint64_t)(INT32_MAX - offsets[0]))
      return PL_LIMIT;
    status = pl_builder_reserve_data(all, column->data_size);
    if (status != PL_OK)
      return status;
    for (uint64_t i = 0; i < column->length; i++)
      offsets[i + 1] = offsets[0] + column->offsets[i + 1];
    if (column->data_size != 0)
      memcpy((uint8_t *)all->data.bytes + all->data_size, column->data, (size_t)column->data_size);
    all->data_size += column->data_size;
  } else if (column->length != 0) {
    memcpy((uint8_t *)all->values.bytes + all->length * all->width, column->values,
           (size_t)(column->length * all->width));
  }
  *base = (uint32_t)all->length;
  all->length += column->length;
  dictionary->builder = builder;
  dictionary->builder_serial = builder->serial;
  dictionary->builder_base = *base;
  return PL_OK;
}

static pl_status append_values(piece *p, uint32_t base) {
  if (p->builder->keeps_levels)
    p->n = p->n_values; /* only what is stored takes a place */
  switch (p->builder->layout) {
  case PL_LAYOUT_BITS:
    return append_bits(p);
  case PL_LAYOUT_BYTES:
    return p->builder->has_large_offsets ? append_large_strings(p) : append_strings(p);
  case PL_LAYOUT_FIXED:
  case PL_LAYOUT_INDICES:
    break;
  }
  return append_elements(p, base);
}

/* Up to n entries of the page, which begin no more than *max_rows rows; *n_done: how many they were. */
static pl_status append_piece(pl_column_builder *builder, pl_page *page, size_t n, uint64_t *max_rows,
                              uint32_t base, size_t *n_done, pl_error *error) {
  pl_status status = pl_builder_reserve(builder, n);
  if (status != PL_OK)
    return pl_page_fail(page, status, "no memory for the column", error);
  piece p = {.builder = builder, .page = page, .at = builder->start + builder->length, .n = n, .n_levels = n};
  if (builder->nesting != NULL) {
    status = read_nested(&p, max_rows);
  } else {
    status = read_levels(&p);
    *max_rows -= n;
  }
  if (status != PL_OK)
    return pl_page_fail(page, status, pl_page_levels_message(status), error);
  if (p.n != 0)
    status = append_values(&p, base);
  if (status != PL_OK)
    return pl_page_fail(page, status, pl_page_values_message(status), error);
  builder->length += p.n;
  *n_done = p.n_levels;
  return pl_page_advance(page, p.n_levels, error);
}

/* What an append that fails goes back to. */
typedef struct kept {
  uint64_t length, n_levels;
} kept;

static void undo(pl_column_builder *builder, const kept *before) {
  builder->length = before->length;
  builder->n_levels = before->n_levels;
  if (builder->nesting != NULL)
    pl_nesting_undo(builder->nesting);
  if (builder->layout == PL_LAYOUT_BYTES && builder->offsets.bytes != NULL)
    builder->data_size =
        (uint64_t)(pl_builder_offset(builder, builder->start + builder->length) - builder->data_base);
}

pl_status pl_column_builder_append(pl_column_builder *builder, pl_page *page, uint64_t max_rows,
                                   uint64_t *n_rows, pl_error *error) {
  const size_t piece_size = page->has_definition || page->has_repetition ? PIECE : PIECE_REQUIRED;
  const kept before = {builder->length, builder->n_levels};
  const bool counts_rows = builder->nesting != NULL && page->has_repetition;
  const uint64_t wanted = counts_rows && page->rows_left < max_rows ? page->rows_left : max_rows;
  pl_status status = PL_OK;
  uint32_t base = 0;
  if (builder->column.type != page->column.type || builder->column.type_length != page->column.type_length)
    return pl_page_fail(page, PL_BAD_ARGUMENT, "the page is not of the builder's type", error);
  if (builder->keeps_levels && page->rows_left != UINT64_MAX)
    return pl_page_fail(page, PL_BAD_ARGUMENT, "levels are kept of whole chunks only, not of chosen rows",
                        error);
  if (builder->layout == PL_LAYOUT_INDICES && page->n_left != 0) {
    status = dictionary_base(builder, page, &base);
    if (status != PL_OK)
      return pl_page_fail(page, status, "no memory for the dictionary", error);
  }
  if (builder->nesting != NULL)
    pl_nesting_commit(builder->nesting);
  uint64_t left = wanted;
  while (status == PL_OK && page->n_left != 0 && (left != 0 || counts_rows)) {
    uint64_t n = counts_rows || page->n_left < left ? page->n_left : left;
    size_t n_done = 0;
    n = n < piece_size ? n : piece_size;
    status = append_piece(builder, page, (size_t)n, &left, base, &n_done, error);
    if (status == PL_OK && n_done < n) /* the next entry begins a row that is not wanted */
      break;
  }
  if (status != PL_OK) {
    undo(builder, &before);
    return status;
  }
  if (counts_rows)
    pl_page_pass_rows(page, wanted - left);
  if (n_rows != NULL)
    *n_rows = wanted - left;
  return PL_OK;
}
