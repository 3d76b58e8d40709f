#include "page/nesting.h"

#include "base/bits.h"

#include <string.h>

static bool is_repeated(const pl_column_descriptor *column, uint32_t level) {
  const int64_t half = level <= 64 ? column->repeated_levels : column->repeated_levels_high;
  return ((uint64_t)half >> (level - 1) % 64 & 1) != 0;
}

bool pl_nesting_is_described(const pl_column_descriptor *column) {
  if (column->max_definition_level > PL_MAX_MASKS)
    return false;
  int32_t n_lists = 0;
  for (int32_t level = 1; level <= column->max_definition_level; level++)
    n_lists += is_repeated(column, (uint32_t)level);
  return n_lists == column->max_repetition_level;
}

bool pl_nesting_is_needed(const pl_column_descriptor *column) {
  return column->max_definition_level > 1 || column->max_repetition_level > 0;
}

static int32_t *offsets_of(const pl_ancestor *ancestor) {
  return ancestor->slots.bytes;
}

/* ---- memory ---- */

static uint64_t parents_size(const pl_nesting *nesting) {
  return pl_size_mul(nesting->n_ancestors, sizeof(pl_parent));
}

static uint64_t slots_size_of(const pl_nesting *nesting) {
  return pl_size_mul(nesting->n_ancestors, sizeof(pl_ancestor_slots));
}

static uint64_t continue_size(const pl_nesting *nesting) {
  return 2 * (uint64_t)nesting->max_repetition_level;
}

static uint64_t ancestors_size(const pl_nesting *nesting) {
  return pl_size_mul(nesting->n_ancestors, sizeof(pl_ancestor));
}

static void describe_ancestors(pl_nesting *nesting, const pl_column_descriptor *column) {
  uint32_t depth = 0;
  for (uint32_t i = 0; i < nesting->n_ancestors; i++) {
    nesting->ancestors[i] = (pl_ancestor){
        .is_list = is_repeated(column, i + 1),
        .depth = depth,
        .definition_level = i + 1,
    };
    depth += nesting->ancestors[i].is_list;
  }
}

pl_status pl_nesting_create(const pl_column_descriptor *column, bool is_running, pl_limits *limits,
                            pl_nesting **result) {
  pl_nesting *nesting = NULL;
  pl_status status = pl_memory_resize(limits, &nesting, 0, sizeof *nesting);
  if (status != PL_OK)
    return status;
  memset(nesting, 0, sizeof *nesting);
  *result = nesting;
  const uint32_t n_levels = (uint32_t)column->max_definition_level;
  nesting->max_definition_level = n_levels;
  nesting->max_repetition_level = (uint32_t)column->max_repetition_level;
  nesting->is_running = is_running;
  nesting->has_validity = !is_repeated(column, n_levels);
  const uint32_t n_ancestors = n_levels - nesting->has_validity;
  status = pl_memory_resize(limits, &nesting->ancestors, 0, pl_size_mul(n_ancestors, sizeof(pl_ancestor)));
  if (status != PL_OK)
    return status;
  nesting->n_ancestors = n_ancestors;
  describe_ancestors(nesting, column);
  status = pl_memory_resize(limits, &nesting->parents, 0, parents_size(nesting));
  if (status == PL_OK)
    status = pl_memory_resize(limits, &nesting->slots, 0, slots_size_of(nesting));
  if (status == PL_OK)
    status = pl_memory_resize(limits, &nesting->can_continue, 0, continue_size(nesting));
  if (status == PL_OK)
    pl_nesting_start(nesting);
  return status;
}

void pl_nesting_destroy(pl_nesting *nesting, pl_limits *limits) {
  if (nesting == NULL)
    return;
  for (uint32_t i = 0; i < nesting->n_ancestors; i++) {
    pl_buffer_free(limits, &nesting->ancestors[i].slots);
    pl_buffer_free(limits, &nesting->ancestors[i].aside);
  }
  pl_buffer_free(limits, &nesting->masks);
  if (nesting->can_continue != NULL)
    pl_memory_free(limits, &nesting->can_continue, continue_size(nesting));
  if (nesting->slots != NULL)
    pl_memory_free(limits, &nesting->slots, slots_size_of(nesting));
  if (nesting->parents != NULL)
    pl_memory_free(limits, &nesting->parents, parents_size(nesting));
  if (nesting->ancestors != NULL)
    pl_memory_free(limits, &nesting->ancestors, ancestors_size(nesting));
  pl_memory_free(limits, &nesting, sizeof *nesting);
}

void pl_nesting_start(pl_nesting *nesting) {
  if (nesting->max_repetition_level != 0)
    memset(nesting->can_continue, 0, nesting->max_repetition_level);
}

void pl_nesting_commit(pl_nesting *nesting) {
  for (uint32_t i = 0; i < nesting->n_ancestors; i++) {
    pl_ancestor *ancestor = &nesting->ancestors[i];
    ancestor->committed = ancestor->length;
    if (ancestor->is_list && ancestor->slots.bytes != NULL)
      ancestor->committed_end = offsets_of(ancestor)[ancestor->start + ancestor->length];
  }
  if (nesting->max_repetition_level != 0)
    memcpy(nesting->can_continue + nesting->max_repetition_level, nesting->can_continue,
           nesting->max_repetition_level);
}

void pl_nesting_undo(pl_nesting *nesting) {
  for (uint32_t i = 0; i < nesting->n_ancestors; i++) {
    pl_ancestor *ancestor = &nesting->ancestors[i];
    ancestor->length = ancestor->committed;
    if (ancestor->is_list && ancestor->slots.bytes != NULL)
      offsets_of(ancestor)[ancestor->start + ancestor->length] = ancestor->committed_end;
  }
  if (nesting->max_repetition_level != 0)
    memcpy(nesting->can_continue, nesting->can_continue + nesting->max_repetition_level,
           nesting->max_repetition_level);
}

uint64_t pl_nesting_n_rows(const pl_nesting *nesting) {
  return nesting->ancestors[0].length;
}

/* Kept slots to the front. */
static void compact(pl_ancestor *ancestor, bool is_running) {
  const uint64_t start = ancestor->start;
  if (start == 0)
    return;
  ancestor->start = 0;
  if (!ancestor->is_list) {
    pl_bits_copy(ancestor->slots.bytes, 0, ancestor->slots.bytes, start, ancestor->length);
    return;
  }
  int32_t *offsets = offsets_of(ancestor);
  const int32_t first = is_running ? 0 : offsets[start]; /* else what was taken would count for ever */
  for (uint64_t i = 0; i <= ancestor->length; i++)
    offsets[i] = offsets[start + i] - first;
  ancestor->committed_end -= first;
}

static uint64_t slots_size(const pl_ancestor *ancestor, uint64_t n) {
  return ancestor->is_list ? pl_size_mul(pl_size_add(n, 1), sizeof(int32_t)) : n / 8 + 9;
}

/* Room for n more slots. */
static pl_status reserve(pl_ancestor *ancestor, uint64_t n, bool is_running, pl_limits *limits) {
  if (ancestor->slots.bytes != NULL && n <= ancestor->capacity - ancestor->start - ancestor->length)
    return PL_OK;
  const bool is_first = ancestor->slots.bytes == NULL;
  compact(ancestor, is_running);
  const uint64_t wanted = pl_size_add(ancestor->length, n);
  const uint64_t generous = ancestor->capacity + ancestor->capacity / 2;
  uint64_t capacity = wanted < generous ? generous : wanted;
  pl_status status = pl_buffer_reserve(limits, &ancestor->slots, slots_size(ancestor, capacity));
  if (status == PL_LIMIT && wanted < generous) {
    capacity = wanted;
    status = pl_buffer_reserve(limits, &ancestor->slots, slots_size(ancestor, capacity));
  }
  if (status != PL_OK)
    return status;
  ancestor->capacity = capacity;
  if (is_first && ancestor->is_list)
    offsets_of(ancestor)[0] = 0;
  return PL_OK;
}

/* ---- levels to masks ---- */

static uint32_t n_ones(uint64_t bits) {
  return (uint32_t)__builtin_popcountll(bits);
}

/* The k-th (from 0 on) bit that is set. */
static uint32_t bit_number(uint64_t bits, uint64_t k) {
  for (; k != 0; k--)
    bits &= bits - 1;
  return (uint32_t)__builtin_ctzll(bits);
}

static uint64_t low_bits(size_t n) {
  return n < 64 ? (1ull << n) - 1 : ~0ull;
}

static uint64_t *repetition_masks(const pl_nesting *nesting) {
  return nesting->masks.bytes;
}

static uint64_t *definition_masks(const pl_nesting *nesting) {
  return repetition_masks(nesting) + (size_t)nesting->max_repetition_level * (PL_NESTING_PIECE / 64);
}

static pl_status reserve_masks(pl_nesting *nesting, pl_limits *limits) {
  const uint64_t n_masks = (uint64_t)nesting->max_repetition_level + nesting->max_definition_level;
  return pl_buffer_reserve(limits, &nesting->masks, n_masks * (PL_NESTING_PIECE / 64) * sizeof(uint64_t));
}

/* How many of n entries come before the one that begins row number max_rows. */
static size_t entries_of_rows(const pl_nesting *nesting, size_t n, uint64_t max_rows, uint64_t *n_rows) {
  const uint64_t *masks = repetition_masks(nesting);
  uint64_t found = 0;
  size_t at = 0;
  for (; at < n; at += 64, masks += nesting->max_repetition_level) {
    const uint64_t starts = ~masks[0] & low_bits(n - at);
    const uint32_t n_starts = n_ones(starts);
    if (n_starts > max_rows - found) {
      at += bit_number(starts, max_rows - found);
      *n_rows = max_rows;
      return at;
    }
    found += n_starts;
  }
  *n_rows = found;
  return n;
}

pl_status pl_nesting_read_rows(pl_nesting *nesting, const pl_kernels *kernels, pl_limits *limits,
                               pl_rle_reader *repetition, size_t n, uint64_t max_rows, size_t *n_entries,
                               uint64_t *n_rows) {
  pl_status status = reserve_masks(nesting, limits);
  if (status != PL_OK)
    return status;
  if (nesting->max_repetition_level == 0) {
    *n_entries = n < max_rows ? n : (size_t)max_rows;
    *n_rows = *n_entries;
    return PL_OK;
  }
  const pl_rle_reader before = *repetition;
  status = kernels->rle_read_masks(repetition, nesting->max_repetition_level, repetition_masks(nesting), n);
  if (status != PL_OK)
    return status;
  *n_entries = entries_of_rows(nesting, n, max_rows, n_rows);
  if (*n_entries == n)
    return PL_OK;
  uint64_t n_equal;
  *repetition = before;
  return kernels->rle_skip(repetition, 0, *n_entries, &n_equal);
}

/* ---- masks to ancestors ---- */

pl_status pl_nesting_append(pl_nesting *nesting, const pl_kernels *kernels, pl_limits *limits,
                            pl_rle_reader *definition, size_t n, uint8_t *validity, uint64_t first_bit,
                            size_t *n_slots, size_t *n_values) {
  pl_assembly assembly = {
      .max_repetition_level = nesting->max_repetition_level,
      .max_definition_level = nesting->max_definition_level,
      .n_ancestors = nesting->n_ancestors,
      .ancestors = nesting->slots,
      .can_continue = nesting->can_continue,
      .validity = nesting->has_validity ? validity : NULL,
      .first_bit = first_bit,
  };
  pl_status status =
      kernels->rle_read_masks(definition, nesting->max_definition_level, definition_masks(nesting), n);
  for (uint32_t i = 0; i < nesting->n_ancestors && status == PL_OK; i++) {
    pl_ancestor *ancestor = &nesting->ancestors[i];
    status = reserve(ancestor, n, nesting->is_running, limits);
    nesting->slots[i] = (pl_ancestor_slots){.is_list = ancestor->is_list,
                                            .depth = ancestor->depth,
                                            .definition_level = ancestor->definition_level,
                                            .bits = ancestor->slots.bytes,
                                            .offsets = ancestor->slots.bytes,
                                            .end = ancestor->start + ancestor->length};
  }
  if (status == PL_OK)
    status = kernels->assemble(&assembly, repetition_masks(nesting), definition_masks(nesting), n);
  if (status != PL_OK)
    return status;
  for (uint32_t i = 0; i < nesting->n_ancestors; i++)
    nesting->ancestors[i].length = nesting->slots[i].end - nesting->ancestors[i].start;
  *n_slots = assembly.n_slots;
  *n_values = assembly.n_values;
  return PL_OK;
}

/* ---- batches ---- */

pl_status pl_view_bits(pl_limits *limits, const pl_buffer *bitmap, uint64_t start, uint64_t n, unsigned phase,
                       pl_buffer *aside, const uint8_t **view) {
  *view = (const uint8_t *)bitmap->bytes + start / 8;
  if (start % 8 == 0 && phase == 0)
    return PL_OK;
  const pl_status status = pl_buffer_reserve(limits, aside, (n + phase) / 8 + 2);
  if (status != PL_OK)
    return status;
  *(uint8_t *)aside->bytes = 0;
  pl_bits_copy(aside->bytes, phase, bitmap->bytes, start, n);
  *view = aside->bytes;
  return PL_OK;
}

/* n + 1 offsets from `start` on; from 0 on (in `aside`) unless is_running. */
static pl_status view_offsets(pl_limits *limits, const pl_buffer *offsets, uint64_t start, uint64_t n,
                              bool is_running, pl_buffer *aside, const int32_t **view) {
  const int32_t *from = (const int32_t *)offsets->bytes + start, first = from[0];
  *view = from;
  if (first == 0 || is_running)
    return PL_OK;
  const pl_status status = pl_buffer_reserve(limits, aside, pl_size_mul(n + 1, sizeof *from));
  if (status != PL_OK)
    return status;
  int32_t *to = aside->bytes;
  for (uint64_t i = 0; i <= n; i++)
    to[i] = from[i] - first;
  *view = to;
  return PL_OK;
}

static pl_status view_ancestor(pl_ancestor *ancestor, uint64_t n, bool is_running, pl_limits *limits,
                               pl_parent *parent) {
  *parent =
      (pl_parent){.definition_level = ancestor->definition_level, .is_list = ancestor->is_list, .length = n};
  pl_status status = PL_OK;
  if (ancestor->slots.bytes == NULL) /* nothing was ever appended */
    status = reserve(ancestor, 1, is_running, limits);
  if (status != PL_OK)
    return status;
  if (ancestor->is_list)
    return view_offsets(limits, &ancestor->slots, ancestor->start, n, is_running, &ancestor->aside,
                        &parent->offsets);
  parent->null_count = n - pl_bits_count(ancestor->slots.bytes, ancestor->start, n);
  if (parent->null_count == 0)
    return PL_OK;
  return pl_view_bits(limits, &ancestor->slots, ancestor->start, n,
                      is_running ? (unsigned)(ancestor->n_taken % 8) : 0, &ancestor->aside, &parent->validity);
}

pl_status pl_nesting_view(pl_nesting *nesting, uint64_t n_rows, pl_limits *limits, uint64_t *n_slots) {
  uint64_t n = n_rows;
  for (uint32_t i = 0; i < nesting->n_ancestors; i++) {
    pl_ancestor *ancestor = &nesting->ancestors[i];
    const pl_status status = view_ancestor(ancestor, n, nesting->is_running, limits, &nesting->parents[i]);
    if (status != PL_OK)
      return status;
    if (ancestor->is_list) {
      const int32_t *offsets = offsets_of(ancestor) + ancestor->start;
      n = (uint64_t)((int64_t)offsets[n] - offsets[0]);
    }
  }
  *n_slots = n;
  return PL_OK;
}

void pl_nesting_take(pl_nesting *nesting) {
  for (uint32_t i = 0; i < nesting->n_ancestors; i++) {
    pl_ancestor *ancestor = &nesting->ancestors[i];
    const uint64_t n = nesting->parents[i].length;
    ancestor->start += n;
    ancestor->length -= n;
    ancestor->n_taken += n;
  }
  if (pl_nesting_n_rows(nesting) == 0) /* there is no row any more that could go on */
    pl_nesting_start(nesting);
}
