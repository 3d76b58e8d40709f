/* Nested columns through the chunk reader and the builder: rows that are chosen, appends that fail, where rows may
 * go on, and depth. What levels give in the first place is compared in the vector suite. */
#include "nested_pages.h"

#include "file/chunk_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static pl_limits limits;
static ref_random rng = {77};

static int fresh_limits(void **state) {
  (void)state;
  pl_limits_init(&limits);
  return 0;
}

/* Everything that was charged was given back. */
static int no_leaks(void **state) {
  (void)state;
  assert_int_equal(limits.used_bytes, 0);
  return 0;
}

static pl_column_builder *builder_of(const pl_column_descriptor *column, uint32_t flags) {
  const pl_builder_options options = {.struct_size = sizeof options, .flags = flags};
  pl_column_builder *builder = NULL;
  assert_int_equal(pl_column_builder_create(column, &options, &limits, &builder, NULL), PL_OK);
  return builder;
}

static pl_chunk_reader *reader_of(const pl_column_descriptor *column, const bytes *in) {
  const pl_page_decode_options options = {.struct_size = sizeof options, .column = *column};
  pl_chunk_reader *reader = NULL;
  assert_int_equal(pl_chunk_reader_create_page(&options, in->size, &limits, &reader, NULL), PL_OK);
  return reader;
}

/* As a reader of a file's column chunk is: it knows its entries, and begins with a row. */
static pl_chunk_reader *chunk_reader_of(const pl_column_descriptor *column, const bytes *in, int n_entries) {
  pl_chunk_reader *reader = reader_of(column, in);
  reader->is_page = false;
  reader->n_entries = (uint64_t)n_entries;
  return reader;
}

static pl_status read_all(pl_chunk_reader *reader, const bytes *in, pl_column_builder *builder) {
  const pl_status status = pl_chunk_reader_read(reader, in->at, in->size, builder, NULL);
  pl_chunk_reader_destroy(reader);
  return status;
}

static pl_column take(pl_column_builder *builder, uint64_t n) {
  pl_column column;
  assert_int_equal(pl_column_builder_take(builder, n, &column), PL_OK);
  return column;
}

static pl_column take_all(pl_column_builder *builder) {
  return take(builder, pl_column_builder_length(builder));
}

/* A chunk, its pages cut without regard to rows. Version 0: by turns. */
typedef struct nested_chunk {
  pl_column_descriptor column;
  nested_entries entries;
  bytes pages;
  int starts[64], n_pages; /* entries before each page */
  uint64_t n_rows;
} nested_chunk;

static void put_pages(nested_chunk *chunk, int version, const int *sizes, int n_sizes) {
  chunk->pages.size = 0;
  chunk->n_pages = 0;
  for (int from = 0; from < chunk->entries.n;) {
    const int left = chunk->entries.n - from, size = sizes[chunk->n_pages % n_sizes];
    const int to = from + (size < left ? size : left);
    assert_in_range(chunk->n_pages, 0, 62);
    chunk->starts[chunk->n_pages++] = from;
    put_nested_page(&chunk->pages, version != 0 ? version : 1 + chunk->n_pages % 2, &chunk->column,
                    &chunk->entries, from, to);
    from = to;
  }
  chunk->starts[chunk->n_pages] = chunk->entries.n;
  chunk->n_rows = (uint64_t)rows_in(&chunk->entries, 0, chunk->entries.n);
}

static nested_chunk *random_chunk(const char *letters, int n_entries, int version, const int *sizes,
                                  int n_sizes) {
  nested_chunk *chunk = calloc(1, sizeof *chunk);
  assert_non_null(chunk);
  chunk->column = nested_column(letters);
  add_random_entries(&chunk->entries, letters, n_entries, &rng);
  put_pages(chunk, version, sizes, n_sizes);
  return chunk;
}

/* ---- chosen rows ---- */

static pl_column_builder *whole_of(const nested_chunk *chunk) {
  pl_column_builder *builder = builder_of(&chunk->column, 0);
  assert_int_equal(
      read_all(chunk_reader_of(&chunk->column, &chunk->pages, chunk->entries.n), &chunk->pages, builder),
      PL_OK);
  assert_int_equal(pl_column_builder_length(builder), chunk->n_rows);
  return builder;
}

/* Pages that hold an entry of the rows from `first` on. */
static int pages_with(const nested_chunk *chunk, uint64_t first, uint64_t n_rows) {
  int n = 0;
  for (int page = 0; page < chunk->n_pages; page++) {
    bool has_any = false;
    for (int i = chunk->starts[page]; i < chunk->starts[page + 1]; i++) {
      const uint64_t row = (uint64_t)rows_in(&chunk->entries, 0, i + 1) - 1;
      has_any = has_any || (row >= first && row - first < n_rows);
    }
    n += has_any;
  }
  return n;
}

/* Reads chosen rows, `step` an append. Returns how many pages were opened. */
static int read_chosen(const nested_chunk *chunk, uint64_t first, uint64_t n_rows, uint64_t step_rows,
                       pl_column_builder *builder) {
  pl_chunk_reader *reader = chunk_reader_of(&chunk->column, &chunk->pages, chunk->entries.n);
  pl_chunk_reader_select_rows(reader, first, n_rows);
  int n_opened = 0;
  for (;;) {
    pl_step step;
    assert_int_equal(pl_chunk_reader_step(reader, &step, NULL), PL_OK);
    if (step.kind == PL_STEP_DONE)
      break;
    if (step.kind == PL_STEP_NEED_RANGE) {
      const size_t size = chunk->pages.size - (size_t)step.offset;
      assert_int_equal(
          pl_chunk_reader_provide_range(reader, step.offset, chunk->pages.at + step.offset, size, NULL), PL_OK);
      continue;
    }
    pl_page *page = pl_chunk_reader_page(reader);
    n_opened++;
    for (uint64_t left, n = 1; pl_page_remaining(page) != 0 && n != 0; n = left - pl_page_remaining(page)) {
      left = pl_page_remaining(page);
      assert_int_equal(pl_column_builder_append(builder, page, step_rows, NULL, NULL), PL_OK);
    }
  }
  pl_chunk_reader_destroy(reader);
  return n_opened;
}

static void chosen_rows_match(const nested_chunk *chunk, uint64_t first, uint64_t n_rows, bool is_v2) {
  pl_column_builder *whole = whole_of(chunk), *chosen = builder_of(&chunk->column, 0);
  const uint64_t before = first < chunk->n_rows ? first : chunk->n_rows;
  const uint64_t n = n_rows < chunk->n_rows - before ? n_rows : chunk->n_rows - before;
  const int n_opened = read_chosen(chunk, first, n_rows, 1 + (first + n) % 3, chosen);
  if (is_v2) /* the page after the last row may have to tell that it does not go on */
    assert_in_range(n_opened, 0, pages_with(chunk, first, n_rows) + 1);
  (void)take(whole, before);
  assert_int_equal(pl_column_builder_length(chosen), n);
  const pl_column expected = take(whole, n), got = take_all(chosen);
  if (!same_columns(&expected, &got))
    fail_msg("rows %d, %d of %d", (int)first, (int)n_rows, (int)chunk->n_rows);
  pl_column_builder_destroy(whole);
  pl_column_builder_destroy(chosen);
}

static void chosen_rows_are_those_of_the_whole(void **state) {
  (void)state;
  static const char *const shapes[] = {"r", "oro", "ror", "ororo"};
  static const int cuts[][5] = {{1, 1, 1, 1, 1}, {3, 1, 6, 2, 1}, {40, 40, 40, 40, 40}, {11, 2, 2, 2, 9}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++)
      for (int version = 0; version <= 2; version++) {
        nested_chunk *chunk = random_chunk(shapes[s], 34, version, cuts[c], 5);
        for (uint64_t first = 0; first <= chunk->n_rows + 1; first++) {
          for (uint64_t n = 0; n <= chunk->n_rows + 1; n++)
            chosen_rows_match(chunk, first, n, version == 2);
          chosen_rows_match(chunk, first, UINT64_MAX, version == 2);
        }
        free(chunk);
      }
}

/* Lists of several pages, pages of more than one piece. */
static void chosen_rows_of_long_lists(void **state) {
  (void)state;
  static const int cuts[][2] = {{70, 70}, {1000, 64}, {4000, 1}};
  for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++)
    for (int version = 1; version <= 2; version++) {
      nested_chunk *chunk = calloc(1, sizeof *chunk);
      chunk->column = nested_column("oro");
      static const int lengths[] = {1, 200, 1, 1, 900, 63, 64, 65, 1, 1200};
      for (size_t row = 0; row < sizeof lengths / sizeof *lengths; row++)
        for (int i = 0; i < lengths[row]; i++)
          add_entry(&chunk->entries, i != 0, i % 7 == 3 ? 2 : lengths[row] == 1 ? (int)row % 4 : 3);
      put_pages(chunk, version, cuts[c], 2);
      for (uint64_t first = 0; first <= chunk->n_rows; first++)
        for (uint64_t n = 0; n <= chunk->n_rows - first; n++)
          chosen_rows_match(chunk, first, n, version == 2);
      free(chunk);
    }
}

/* Rows of pages that were opened and not read count too. */
static void chosen_rows_behind_unread_pages(void **state) {
  (void)state;
  static const int sizes[] = {5};
  for (int version = 1; version <= 2; version++)
    for (int n_unread = 1; n_unread <= 4; n_unread++) {
      nested_chunk *chunk = random_chunk("oro", 40, version, sizes, 1);
      pl_column_builder *whole = whole_of(chunk), *chosen = builder_of(&chunk->column, 0);
      pl_chunk_reader *reader = chunk_reader_of(&chunk->column, &chunk->pages, chunk->entries.n);
      const uint64_t n_passed = (uint64_t)rows_in(&chunk->entries, 0, 5 * n_unread);
      pl_chunk_reader_select_rows(reader, 0, chunk->n_rows - 1);
      for (int n_pages = 0;;) {
        pl_step step;
        assert_int_equal(pl_chunk_reader_step(reader, &step, NULL), PL_OK);
        if (step.kind == PL_STEP_DONE)
          break;
        if (step.kind == PL_STEP_NEED_RANGE) {
          assert_int_equal(pl_chunk_reader_provide_range(reader, step.offset, chunk->pages.at + step.offset,
                                                         chunk->pages.size - (size_t)step.offset, NULL),
                           PL_OK);
          continue;
        }
        if (n_pages == n_unread) /* what is left of a row */
          assert_int_equal(pl_page_skip(pl_chunk_reader_page(reader), 0, NULL, NULL), PL_OK);
        if (n_pages++ >= n_unread)
          assert_int_equal(
              pl_column_builder_append(chosen, pl_chunk_reader_page(reader), UINT64_MAX, NULL, NULL), PL_OK);
      }
      (void)take(whole, n_passed);
      assert_int_equal(pl_column_builder_length(chosen), chunk->n_rows - 1 - n_passed);
      const pl_column expected = take(whole, chunk->n_rows - 1 - n_passed), got = take_all(chosen);
      assert_true(same_columns(&expected, &got));
      pl_chunk_reader_destroy(reader);
      pl_column_builder_destroy(whole);
      pl_column_builder_destroy(chosen);
      free(chunk);
    }
}

/* Pages that the caller passes by their headers: V2 says how many rows that are, V1 does not. */
static void chosen_rows_behind_passed_pages(void **state) {
  (void)state;
  static const int sizes[] = {6};
  for (int version = 1; version <= 2; version++) {
    nested_chunk *chunk = random_chunk("oro", 36, version, sizes, 1);
    pl_column_builder *whole = whole_of(chunk), *chosen = builder_of(&chunk->column, 0);
    pl_chunk_reader *reader = chunk_reader_of(&chunk->column, &chunk->pages, chunk->entries.n);
    const uint64_t first = (uint64_t)rows_in(&chunk->entries, 0, 12);
    pl_chunk_reader_select_rows(reader, first, 3);
    reader->announce_pages = true;
    for (int n_announced = 0;;) {
      pl_step step;
      assert_int_equal(pl_chunk_reader_step(reader, &step, NULL), PL_OK);
      if (step.kind == PL_STEP_DONE)
        break;
      if (step.kind == PL_STEP_NEED_RANGE)
        assert_int_equal(pl_chunk_reader_provide_range(reader, step.offset, chunk->pages.at + step.offset,
                                                       chunk->pages.size - (size_t)step.offset, NULL),
                         PL_OK);
      else if (step.kind == PL_STEP_VALUES)
        assert_int_equal(pl_column_builder_append(chosen, pl_chunk_reader_page(reader), UINT64_MAX, NULL, NULL),
                         PL_OK);
      else if (n_announced++ < 2)
        assert_int_equal(pl_chunk_reader_skip_page(reader, NULL), version == 2 ? PL_OK : PL_BAD_ARGUMENT);
    }
    (void)take(whole, first);
    const pl_column expected = take(whole, 3), got = take_all(chosen);
    assert_true(same_columns(&expected, &got));
    pl_chunk_reader_destroy(reader);
    pl_column_builder_destroy(whole);
    pl_column_builder_destroy(chosen);
    free(chunk);
  }
}

/* ---- where a row goes on ---- */

static void a_chunk_begins_with_a_row(void **state) {
  (void)state;
  const pl_column_descriptor column = nested_column("r");
  nested_entries entries = {.n = 0};
  for (int i = 0; i < 6; i++)
    add_entry(&entries, i % 3 != 0, 1);
  bytes first = {.size = 0}, second = {.size = 0};
  put_nested_page(&first, 1, &column, &entries, 0, 2);
  put_nested_page(&second, 1, &column, &entries, 2, 6);

  /* a column chunk of a file must; whether it is appended or skipped */
  pl_column_builder *builder = builder_of(&column, 0);
  assert_int_equal(read_all(chunk_reader_of(&column, &first, 2), &first, builder), PL_OK);
  assert_int_equal(read_all(chunk_reader_of(&column, &second, 4), &second, builder), PL_CORRUPT);
  assert_int_equal(pl_column_builder_length(builder), 1);
  pl_chunk_reader *reader = chunk_reader_of(&column, &second, 4);
  pl_chunk_reader_select_rows(reader, 1, 1);
  assert_int_equal(read_all(reader, &second, builder), PL_CORRUPT);

  /* a page alone may go on with the last row of the builder ... */
  assert_int_equal(read_all(reader_of(&column, &second), &second, builder), PL_OK);
  assert_int_equal(pl_column_builder_length(builder), 2);
  pl_column whole = take_all(builder);
  assert_int_equal(whole.length, 6);
  assert_int_equal(whole.parents[0].offsets[1], 3);

  /* ... but not when that was taken, or there was none */
  assert_int_equal(read_all(reader_of(&column, &second), &second, builder), PL_CORRUPT);
  assert_int_equal(read_all(reader_of(&column, &first), &first, builder), PL_OK);
  whole = take_all(builder);
  assert_int_equal(whole.length, 2);
  assert_int_equal(whole.parents[0].offsets[1], 2);
  pl_column_builder_destroy(builder);
}

/* ---- appends that fail ---- */

/* Two builders with the same page in them; the second page is appended to the first of them alone. */
typedef struct twins {
  nested_chunk *chunk;
  bytes first, second;
  pl_column_builder *tried, *other;
} twins;

static twins twins_of(const char *letters, int n_entries, uint32_t flags) {
  static const int size[] = {MOST_ENTRIES};
  twins t = {.chunk = random_chunk(letters, n_entries, 1, size, 1)};
  const int half = n_entries / 2;
  put_nested_page(&t.first, 1, &t.chunk->column, &t.chunk->entries, 0, half);
  put_nested_page(&t.second, 2, &t.chunk->column, &t.chunk->entries, half, n_entries);
  t.tried = builder_of(&t.chunk->column, flags);
  t.other = builder_of(&t.chunk->column, flags);
  assert_int_equal(read_all(reader_of(&t.chunk->column, &t.first), &t.first, t.tried), PL_OK);
  assert_int_equal(read_all(reader_of(&t.chunk->column, &t.first), &t.first, t.other), PL_OK);
  return t;
}

static void destroy_twins(twins *t) {
  pl_column_builder_destroy(t->tried);
  pl_column_builder_destroy(t->other);
  free(t->chunk);
}

/* The builder that failed goes on as if nothing had been. */
static void twins_match(twins *t, bool whole) {
  if (whole) {
    assert_int_equal(read_all(reader_of(&t->chunk->column, &t->second), &t->second, t->tried), PL_OK);
    assert_int_equal(read_all(reader_of(&t->chunk->column, &t->second), &t->second, t->other), PL_OK);
  }
  assert_int_equal(pl_column_builder_length(t->tried), pl_column_builder_length(t->other));
  const pl_column got = take_all(t->tried), expected = take_all(t->other);
  assert_true(same_columns(&expected, &got));
}

static const char *const undo_shapes[] = {"r", "oro", "rr", "ooo", "ororo"};

/* A level that cannot be, at every entry of the second page. */
static void corrupt_pages_leave_the_builder_as_it_was(void **state) {
  (void)state;
  for (size_t s = 0; s < sizeof undo_shapes / sizeof *undo_shapes; s++)
    for (int at = 0; at < 150; at += 1 + at / 20) {
      twins t = twins_of(undo_shapes[s], 300, at % 2 ? PL_BUILDER_RUNNING : 0);
      const pl_column_descriptor *column = &t.chunk->column;
      nested_entries *entries = &t.chunk->entries;
      const uint8_t repetition = entries->repetition[150 + at], definition = entries->definition[150 + at];
      bytes broken = {.size = 0};
      entries->definition[150 + at] = 0; /* no element of the list it goes on with, or one level too few */
      if (column->max_repetition_level != 0)
        entries->repetition[150 + at] = 1;
      else
        entries->definition[150 + at] = (uint8_t)(column->max_definition_level + 1);
      put_nested_page(&broken, 1, column, entries, 150, 300);
      entries->repetition[150 + at] = repetition;
      entries->definition[150 + at] = definition;
      const pl_status status = read_all(reader_of(column, &broken), &broken, t.tried);
      if (column->max_repetition_level != 0) /* "ooo" has 2 bits a level: 4 becomes 0 */
        assert_int_equal(status, PL_CORRUPT);
      if (status != PL_OK)
        twins_match(&t, at % 3 != 0);
      destroy_twins(&t);
    }
}

/* Every amount of memory that is too little for the second page. */
static void limits_leave_the_builder_as_it_was(void **state) {
  (void)state;
  for (size_t s = 0; s < sizeof undo_shapes / sizeof *undo_shapes; s++)
    for (uint32_t flags = 0; flags <= PL_BUILDER_RUNNING; flags += PL_BUILDER_RUNNING) {
      unsigned n_refused = 0;
      pl_status status = PL_LIMIT;
      for (uint64_t room = 0; status == PL_LIMIT; room += 61) {
        twins t = twins_of(undo_shapes[s], 2000, flags);
        if (room % 2 != 0) { /* with something taken, so that it has to move */
          (void)take(t.tried, 100);
          (void)take(t.other, 100);
        }
        pl_chunk_reader *reader = reader_of(&t.chunk->column, &t.second);
        limits.max_bytes = limits.used_bytes + room;
        status = read_all(reader, &t.second, t.tried);
        limits.max_bytes = PL_DEFAULT_MAX_BYTES;
        assert_true(status == PL_LIMIT || status == PL_OK);
        if (status == PL_LIMIT)
          twins_match(&t, room % 3 != 0);
        n_refused += status == PL_LIMIT;
        destroy_twins(&t);
      }
      assert_true(n_refused > 20);
    }
}

/* An allocator that gives so many pieces and no more. */
static long pieces_left;

static void *give(void *context, void *pointer, size_t old_size, size_t new_size) {
  (void)context, (void)old_size;
  if (new_size == 0) {
    free(pointer);
    return NULL;
  }
  return pieces_left-- > 0 ? realloc(pointer, new_size) : NULL;
}

static void memory_ends_anywhere(void **state) {
  (void)state;
  static const int sizes[] = {37};
  for (size_t s = 0; s < sizeof undo_shapes / sizeof *undo_shapes; s++) {
    nested_chunk *chunk = random_chunk(undo_shapes[s], 120, 0, sizes, 1);
    pl_status status = PL_NO_MEMORY;
    limits.allocator.resize = give;
    for (long pieces = 0; status == PL_NO_MEMORY; pieces++) {
      const pl_page_decode_options options = {.struct_size = sizeof options, .column = chunk->column};
      pl_chunk_reader *reader = NULL;
      pl_column_builder *builder = NULL;
      pl_column column;
      pieces_left = pieces;
      status = pl_column_builder_create(&chunk->column, NULL, &limits, &builder, NULL);
      if (status == PL_OK)
        status = pl_chunk_reader_create_page(&options, chunk->pages.size, &limits, &reader, NULL);
      if (status == PL_OK)
        status = pl_chunk_reader_read(reader, chunk->pages.at, chunk->pages.size, builder, NULL);
      if (status == PL_OK)
        status = pl_column_builder_take(builder, 1, &column);
      if (status == PL_OK)
        status = pl_column_builder_take(builder, pl_column_builder_length(builder), &column);
      pl_column_builder_destroy(builder);
      pl_chunk_reader_destroy(reader);
      assert_int_equal(limits.used_bytes, 0);
      assert_true(pieces < 200);
    }
    assert_int_equal(status, PL_OK);
    free(chunk);
  }
}

/* ---- depth ---- */

/* One row that ends at each level, then one whose innermost list has two elements. */
static void every_level_of(const char *letters) {
  const pl_column_descriptor column = nested_column(letters);
  const int max = column.max_definition_level;
  nested_entries entries = {.n = 0};
  for (int level = 0; level <= max; level++)
    add_entry(&entries, 0, level);
  add_entry(&entries, column.max_repetition_level, max);
  bytes page = {.size = 0};
  put_nested_page(&page, 1, &column, &entries, 0, entries.n);
  pl_column_builder *builder = builder_of(&column, 0);
  assert_int_equal(read_all(chunk_reader_of(&column, &page, entries.n), &page, builder), PL_OK);
  const pl_column got = take_all(builder);
  assert_int_equal(got.n_parents, max - (letters[max - 1] == 'o'));
  int list = 0; /* the level of the list around: its slots are the rows that reach it */
  for (uint32_t i = 0; i < got.n_parents; i++) {
    const pl_parent *parent = &got.parents[i];
    const uint64_t n_slots = (uint64_t)(max + 1 - list);
    assert_int_equal(parent->definition_level, i + 1);
    assert_int_equal(parent->is_list, letters[i] == 'r');
    assert_int_equal(parent->length, n_slots + (list == list_level(letters, column.max_repetition_level)));
    if (!parent->is_list) {
      assert_int_equal(parent->null_count, (int)i + 1 - list);
      continue;
    }
    assert_int_equal(parent->offsets[(int)i + 1 - list], 0);
    assert_int_equal(parent->offsets[n_slots],
                     max - (int)i + ((int)i + 1 == list_level(letters, column.max_repetition_level)));
    list = (int)i + 1;
  }
  pl_column_builder_destroy(builder);
}

static void levels_above_64(void **state) {
  (void)state;
  char letters[128] = "";
  for (size_t n = 1; n <= 127; n++) { /* lists at every second level, at every level */
    for (size_t i = 0; i < n; i++)
      letters[i] = (n - i) % 2 ? 'r' : 'o';
    letters[n] = 0;
    every_level_of(letters);
    memset(letters, 'r', n);
    every_level_of(letters);
  }
  memset(letters, 'o', 127);
  letters[64] = letters[126] = 'r';
  every_level_of(letters);
}

static void levels_that_are_not_described(void **state) {
  (void)state;
  pl_column_descriptor columns[] = {nested_column("oro"), nested_column("oro"), nested_column("oro"),
                                    nested_column("oro"), nested_column("oro")};
  columns[0].repeated_levels = 0;        /* no list */
  columns[1].repeated_levels = 3;        /* two */
  columns[2].repeated_levels = 8;        /* above the maximum */
  columns[3].max_repetition_level = 2;   /* one too few */
  columns[4].max_definition_level = 128; /* too deep */
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    pl_column_builder *builder = NULL;
    pl_error error = {.status = PL_OK};
    assert_int_equal(pl_column_builder_create(&columns[i], NULL, &limits, &builder, &error), PL_BAD_ARGUMENT);
    assert_null(builder);
    assert_int_equal(error.status, PL_BAD_ARGUMENT);
    const pl_builder_options keep = {.struct_size = sizeof keep, .flags = PL_BUILDER_KEEP_LEVELS};
    assert_int_equal(pl_column_builder_create(&columns[i], &keep, &limits, &builder, NULL), PL_OK);
    pl_column_builder_destroy(builder);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh_limits, no_leaks)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(chosen_rows_are_those_of_the_whole),
      TEST(chosen_rows_of_long_lists),
      TEST(chosen_rows_behind_unread_pages),
      TEST(chosen_rows_behind_passed_pages),
      TEST(a_chunk_begins_with_a_row),
      TEST(corrupt_pages_leave_the_builder_as_it_was),
      TEST(limits_leave_the_builder_as_it_was),
      TEST(memory_ends_anywhere),
      TEST(levels_above_64),
      TEST(levels_that_are_not_described),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
