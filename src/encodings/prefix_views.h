/* DELTA_BYTE_ARRAY values as views. First all of a step as if they stood in the section, then, in order, those that begin
 * with the value before: which ones these are is hard to predict, so they are listed without a branch. One is built in the
 * arena (prefix_build.h says how) unless it has no suffix: then it is the front of the value before. */
#ifndef PAGELANE_ENCODINGS_PREFIX_VIEWS_H
#define PAGELANE_ENCODINGS_PREFIX_VIEWS_H

#include "encodings/delta_strings.h"
#include "encodings/prefix_build.h"

typedef struct prefix_views {
  const uint32_t *prefixes, *suffixes; /* sizes of n values, checked */
  size_t n;
  pl_view *views;                /* of the values; views[-1] is the one before, but for the first of all */
  const uint8_t *begin, *in_end; /* of the section */
  uint8_t *arena, *arena_end;    /* what is left of it */
} prefix_views;

/* The values listed from the k-th on, until one is long or stands next to an end. Returns the number of the next.
 * Nothing in the loop is a call: the value built last stays in registers. */
static inline size_t view_run(prefix_views *v, const uint16_t *listed, size_t n_listed, size_t k) {
  const prefix_views c = *v;
  const uint8_t *const in_last = c.in_end - BUILD_HEAD, *const arena_last = c.arena_end - BUILD_HEAD;
  const uint8_t *before = NULL;
  uint8_t *arena = c.arena;
  pl_row head0 = {0}, head1 = {0};
  const pl_view *next = NULL; /* of the value behind the one built last */
  for (; k < n_listed; k++) {
    pl_view *const view = &c.views[listed[k]];
    const uint32_t p = c.prefixes[listed[k]], s = view->size, size = p + s;
    const uint8_t *const from = view->bytes;
    if (p > BUILD_HEAD || from > in_last || arena > arena_last)
      break;
    if (view != next) {
      before = view[-1].bytes;
      head0 = pl_row_load(before);
      head1 = pl_row_load(before + PL_ROW_BYTES);
    }
    head0 = prefix_select(p, 0, head0, from);
    head1 = prefix_select(p, 1, head1, from);
    pl_row_store(arena, head0);
    pl_row_store(arena + PL_ROW_BYTES, head1);
    if (__builtin_expect(size > BUILD_HEAD, false) &&
        s != 0) { /* the sizes first: s alone is hard to predict */
      if (size > BUILD_LONG || (size_t)(c.in_end - from) < s + PL_ROW_BYTES ||
          (size_t)(c.arena_end - arena) < size + PL_ROW_BYTES)
        break;
      for (size_t at = BUILD_HEAD; at < size; at += PL_ROW_BYTES)
        pl_row_store(arena + at, pl_row_load(from - p + at));
    }
    /* no branch: values with and without a suffix take turns as they like. What was stored for one without is not kept */
    const uintptr_t built = 0 - (uintptr_t)(s != 0);
    before = (const uint8_t *)(((uintptr_t)arena & built) | ((uintptr_t)before & ~built));
    *view = (pl_view){before, size};
    arena += size & built;
    next = view + 1;
  }
  v->arena = arena;
  return k;
}

/* A value of any size, anywhere. */
static inline void view_one(prefix_views *v, size_t i) {
  pl_view *const view = &v->views[i];
  const uint32_t p = v->prefixes[i], s = view->size;
  const uint8_t *before = view[-1].bytes;
  if (s != 0) {
    memcpy(v->arena, before, p);
    memcpy(v->arena + p, view->bytes, s);
    before = v->arena;
    v->arena += p + s;
  }
  *view = (pl_view){before, p + s};
}

/* All n values, whose suffixes begin at `suffix`; v->views has moved on behind them. The arena has room. */
static inline void view_values(prefix_views *v, const uint8_t *suffix) {
  uint16_t listed[PL_SIZES_STEP];
  size_t n_listed = 0;
  for (size_t i = 0; i < v->n; i++) {
    const uint32_t s = v->suffixes[i];
    v->views[i] = (pl_view){suffix, s};
    suffix += s;
    listed[n_listed] = (uint16_t)i;
    n_listed += v->prefixes[i] != 0;
  }
  for (size_t k = 0; k < n_listed;) {
    if (v->views[listed[k]].bytes - v->begin >= BUILD_HEAD)
      k = view_run(v, listed, n_listed, k);
    if (k < n_listed)
      view_one(v, listed[k++]);
  }
  v->views += v->n;
}

#endif
