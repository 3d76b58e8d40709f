/* The kernels of nested columns, of every table this machine runs, against plain loops: levels to masks, and masks
 * to the bitmaps and offsets of ancestors. */
#include "kernels/kernels.h"
#include "nested_pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MAX_VALUES = 1024, CANARY = 0xA5 };

static const pl_kernels *tables[8];
static size_t n_tables;
static ref_random rng = {20250301};

#define CHECK(condition, ...)                                                                                  \
  do {                                                                                                         \
    if (!(condition))                                                                                          \
      fail_msg(__VA_ARGS__);                                                                                   \
  } while (0)

static size_t count_of_case(unsigned c) {
  static const size_t counts[] = {0,  1,  2,   7,   8,   9,   31,  32,  33,  63,
                                  64, 65, 127, 128, 129, 191, 192, 193, 255, 256};
  const size_t n_counts = sizeof counts / sizeof *counts;
  return c < n_counts ? counts[c] : (size_t)ref_below(&rng, MAX_VALUES);
}

enum { N_COUNTS = 30 };

/* ---- masks ---- */

static uint32_t values[MAX_VALUES + 8];
static uint8_t input[MAX_VALUES * 8 + 64];

static uint64_t plain_mask(const uint32_t *levels, size_t n, uint32_t least) {
  uint64_t mask = 0;
  for (size_t i = 0; i < n && i < 64; i++)
    mask |= (uint64_t)(levels[i] >= least) << i;
  return mask;
}

/* Reads n levels in two calls. */
static void masks_match(const pl_kernels *kernels, pl_rle_reader reader, uint32_t max_level, size_t n) {
  static uint64_t masks[(MAX_VALUES / 64 + 1) * PL_MAX_MASKS + 1];
  const size_t split = (size_t)ref_below(&rng, n + 1);
  for (size_t from = 0, to = split;; from = split, to = n) {
    const size_t n_words = (to - from + 63) / 64;
    memset(masks, CANARY, sizeof masks);
    CHECK(kernels->rle_read_masks(&reader, max_level, masks, to - from) == PL_OK, "%s: %u levels, n %zu",
          kernels->name, max_level, n);
    for (size_t word = 0; word < n_words; word++)
      for (uint32_t t = 1; t <= max_level; t++)
        CHECK(masks[word * max_level + t - 1] ==
                  plain_mask(values + from + 64 * word, to - from - 64 * word, t),
              "%s: levels of %u or more of %u, n %zu, word %zu", kernels->name, t, max_level, to - from, word);
    CHECK((uint8_t)masks[n_words * max_level] == CANARY, "%s: written past", kernels->name);
    if (to == n)
      return;
  }
}

static void levels_become_masks(void **state) {
  (void)state;
  for (uint32_t max_level = 1; max_level <= PL_MAX_MASKS; max_level++) {
    const unsigned width = level_width((int)max_level);
    for (unsigned c = 0; c < N_COUNTS; c++) {
      const size_t n = count_of_case(c), size = ref_write_rle(&rng, width, max_level, n, values, input);
      const pl_rle_reader reader = {.next = input, .end = input + size, .bit_width = width};
      for (size_t t = 0; t < n_tables; t++)
        masks_match(tables[t], reader, max_level, n);
    }
  }
}

/* BIT_PACKED: the first level in the highest bits. */
static void bit_packed_levels_become_masks(void **state) {
  (void)state;
  for (uint32_t max_level = 1; max_level <= PL_MAX_MASKS; max_level++) {
    const unsigned width = level_width((int)max_level);
    for (unsigned c = 1; c < N_COUNTS; c++) {
      const size_t n = count_of_case(c), size = (n * width + 7) / 8;
      memset(input, 0, size);
      for (size_t i = 0; i < n; i++) {
        values[i] = (uint32_t)ref_below(&rng, max_level + 1);
        for (unsigned bit = 0; bit < width; bit++)
          if (values[i] >> (width - 1 - bit) & 1)
            input[(i * width + bit) / 8] |= (uint8_t)(0x80 >> (i * width + bit) % 8);
      }
      const pl_rle_reader reader = {.packed = input,
                                    .next = input + size,
                                    .end = input + size,
                                    .run_left = n,
                                    .bit_width = width,
                                    .msb_first = true};
      for (size_t t = 0; t < n_tables; t++)
        masks_match(tables[t], reader, max_level, n);
    }
  }
}

/* One level too high, at every place; in a run of its own and among others. */
static void levels_above_the_maximum(void **state) {
  (void)state;
  static uint64_t masks[4 * PL_MAX_MASKS];
  enum { N = 130 };
  for (uint32_t max_level = 1; max_level < PL_MAX_MASKS; max_level++) {
    const unsigned width = level_width((int)max_level);
    const uint32_t above = (1u << width) - 1;
    if (above == max_level)
      continue;
    for (size_t at = 0; at < N; at++) {
      memset(input, 0, sizeof input);
      input[0] = (N + 7) / 8 << 1 | 1;
      for (size_t i = 0; i < N; i++)
        ref_put(input + 1, i * width, width, i == at ? above : max_level);
      const uint8_t run[] = {(uint8_t)((at + 1) << 1 & 127) | 128, (uint8_t)((at + 1) >> 6), (uint8_t)above};
      for (size_t t = 0; t < n_tables; t++) {
        pl_rle_reader packed = {.next = input, .end = input + sizeof input, .bit_width = width};
        CHECK(tables[t]->rle_read_masks(&packed, max_level, masks, at) == PL_OK, "%s: before", tables[t]->name);
        CHECK(tables[t]->rle_read_masks(&packed, max_level, masks, N - at) == PL_CORRUPT, "%s: %u of %u at %zu",
              tables[t]->name, above, max_level, at);
        pl_rle_reader whole = {.next = input, .end = input + sizeof input, .bit_width = width};
        CHECK(tables[t]->rle_read_masks(&whole, max_level, masks, N) == PL_CORRUPT, "%s: %u of %u at %zu",
              tables[t]->name, above, max_level, at);
        pl_rle_reader rle = {.next = run, .end = run + sizeof run, .bit_width = width};
        CHECK(tables[t]->rle_read_masks(&rle, max_level, masks, 1) == PL_CORRUPT, "%s: run of %u of %u",
              tables[t]->name, above, max_level);
      }
    }
  }
}

/* ---- assembly ---- */

enum { MOST_ANCESTORS = 12, SLOTS_BEFORE = 100, OFFSET_BEFORE = 1000 };

/* Ancestors with something in them already, and the leaf's validity. */
typedef struct assembled {
  pl_assembly assembly;
  pl_ancestor_slots ancestors[MOST_ANCESTORS];
  uint8_t can_continue[MOST_ANCESTORS];
  uint8_t bits[MOST_ANCESTORS][MAX_VALUES / 8 + 64];
  int32_t offsets[MOST_ANCESTORS][MAX_VALUES + SLOTS_BEFORE + 2];
  uint8_t validity[MAX_VALUES / 8 + 64];
  pl_status status;
} assembled;

static void begin(assembled *a, const char *letters, uint64_t before) {
  const pl_column_descriptor column = nested_column(letters);
  const uint32_t n_levels = (uint32_t)column.max_definition_level;
  memset(a, 0, sizeof *a);
  const bool has_validity = letters[n_levels - 1] == 'o';
  a->assembly = (pl_assembly){.max_repetition_level = (uint32_t)column.max_repetition_level,
                              .max_definition_level = n_levels,
                              .n_ancestors = n_levels - has_validity,
                              .ancestors = a->ancestors,
                              .can_continue = a->can_continue,
                              .validity = has_validity ? a->validity : NULL,
                              .first_bit = before};
  uint32_t depth = 0;
  for (uint32_t i = 0; i < a->assembly.n_ancestors; i++) {
    a->ancestors[i] = (pl_ancestor_slots){.is_list = letters[i] == 'r',
                                          .depth = depth,
                                          .definition_level = i + 1,
                                          .bits = a->bits[i],
                                          .offsets = a->offsets[i],
                                          .end = before + i};
    a->offsets[i][before + i] = OFFSET_BEFORE;
    depth += letters[i] == 'r';
  }
  memset(a->can_continue, 1, depth);
}

/* The slot of each ancestor that an entry has, one entry after another. */
static void assemble_plainly(assembled *a, const nested_entries *entries) {
  pl_assembly *all = &a->assembly;
  for (int i = 0; i < entries->n && a->status == PL_OK; i++) {
    const uint32_t repetition = entries->repetition[i], definition = entries->definition[i];
    bool has_slot = repetition == 0;
    for (uint32_t k = 0; k < all->n_ancestors; k++) {
      pl_ancestor_slots *level = &a->ancestors[k];
      const bool is_there = definition >= level->definition_level;
      if (level->is_list) {
        if (repetition > level->depth && !(is_there && a->can_continue[level->depth]))
          a->status = PL_CORRUPT;
        a->can_continue[level->depth] = is_there;
        if (has_slot) {
          a->offsets[k][level->end + 1] = a->offsets[k][level->end];
          level->end++;
        }
        has_slot = is_there && repetition <= level->depth + 1;
        a->offsets[k][level->end] += has_slot;
      } else if (has_slot) {
        ref_put(level->bits, level->end++, 1, is_there);
      }
    }
    const bool is_value = definition == all->max_definition_level;
    if (!has_slot)
      continue;
    if (all->validity != NULL)
      ref_put(all->validity, all->first_bit + all->n_slots, 1, is_value);
    all->n_slots++;
    all->n_values += is_value;
  }
}

static void masks_of(const uint8_t *levels, int n, uint32_t max_level, uint64_t *masks) {
  for (int i = 0; i < n; i++)
    values[i] = levels[i];
  for (int word = 0; word * 64 < n; word++)
    for (uint32_t t = 1; t <= max_level; t++)
      *masks++ = plain_mask(values + 64 * word, (size_t)(n - 64 * word), t);
}

static void assembly_matches(const pl_kernels *kernels, const char *letters, const nested_entries *entries) {
  static uint64_t masks[2][(MAX_VALUES / 64 + 1) * MOST_ANCESTORS];
  static assembled expected, got;
  const uint64_t before = ref_below(&rng, SLOTS_BEFORE - MOST_ANCESTORS);
  begin(&expected, letters, before);
  begin(&got, letters, before);
  assemble_plainly(&expected, entries);
  masks_of(entries->repetition, entries->n, got.assembly.max_repetition_level, masks[0]);
  masks_of(entries->definition, entries->n, got.assembly.max_definition_level, masks[1]);
  got.status = kernels->assemble(&got.assembly, masks[0], masks[1], (size_t)entries->n);
  CHECK(got.status == expected.status, "%s: %s: status %d", kernels->name, letters, got.status);
  if (got.status != PL_OK)
    return;
  CHECK(got.assembly.n_slots == expected.assembly.n_slots &&
            got.assembly.n_values == expected.assembly.n_values,
        "%s: %s: counts", kernels->name, letters);
  CHECK(memcmp(got.validity, expected.validity, sizeof got.validity) == 0, "%s: %s: validity", kernels->name,
        letters);
  CHECK(memcmp(got.can_continue, expected.can_continue, sizeof got.can_continue) == 0, "%s: %s: can_continue",
        kernels->name, letters);
  CHECK(memcmp(got.bits, expected.bits, sizeof got.bits) == 0, "%s: %s: bits", kernels->name, letters);
  CHECK(memcmp(got.offsets, expected.offsets, sizeof got.offsets) == 0, "%s: %s: offsets", kernels->name,
        letters);
  for (uint32_t k = 0; k < got.assembly.n_ancestors; k++)
    CHECK(got.ancestors[k].end == expected.ancestors[k].end, "%s: %s: slots", kernels->name, letters);
}

static void masks_become_ancestors(void **state) {
  (void)state;
  static nested_entries entries;
  for (unsigned c = 0; c < 3000; c++) {
    char letters[MOST_ANCESTORS] = "";
    const size_t n_levels = 1 + (size_t)ref_below(&rng, MOST_ANCESTORS - 1);
    for (size_t i = 0; i < n_levels; i++)
      letters[i] = ref_below(&rng, 5) < 2 ? 'r' : 'o';
    entries.n = 0;
    add_random_entries(&entries, letters, (int)count_of_case(c % N_COUNTS), &rng);
    if (c % 3 == 0 && entries.n != 0) { /* perhaps one that cannot be */
      const int at = (int)ref_below(&rng, (uint64_t)entries.n);
      const pl_column_descriptor column = nested_column(letters);
      entries.repetition[at] = (uint8_t)ref_below(&rng, (uint64_t)column.max_repetition_level + 1);
      entries.definition[at] = (uint8_t)ref_below(&rng, (uint64_t)column.max_definition_level + 1);
    }
    for (size_t t = 0; t < n_tables; t++)
      assembly_matches(tables[t], letters, &entries);
  }
}

/* Offsets are int32: no more than 2^31 - 1 elements, be it that the last 64 are refused. */
static void lists_end_at_2_to_31(void **state) {
  (void)state;
  const uint64_t repetition = 0, definition = ~0ull;
  for (size_t t = 0; t < n_tables; t++)
    for (int32_t base = INT32_MAX - 70; base < INT32_MAX; base++) {
      static assembled a;
      begin(&a, "r", 0);
      a.offsets[0][0] = base;
      a.status = tables[t]->assemble(&a.assembly, &repetition, &definition, 64);
      CHECK(a.status == (base > INT32_MAX - 64 ? PL_LIMIT : PL_OK), "%s: %d elements before", tables[t]->name,
            base);
      if (a.status == PL_OK)
        CHECK(a.offsets[0][64] == base + 64, "%s: %d elements before", tables[t]->name, base);
    }
}

int main(void) {
  n_tables = pl_kernels_list(tables);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(levels_become_masks),      cmocka_unit_test(bit_packed_levels_become_masks),
      cmocka_unit_test(levels_above_the_maximum), cmocka_unit_test(masks_become_ancestors),
      cmocka_unit_test(lists_end_at_2_to_31),
  };
  for (size_t i = 0; i < n_tables; i++)
    print_message("kernels: %s\n", tables[i]->name);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
