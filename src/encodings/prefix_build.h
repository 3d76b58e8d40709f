/* Builds the values of DELTA_BYTE_ARRAY from the value before and the suffixes in the page. One body; what is done with a
 * value (the policy) is a constant of the function it is compiled into.
 *
 *   value before   a a a a a a a a .       kept in registers, its first BUILD_HEAD bytes
 *   suffixes     . . . s s s s s . .       read from `prefix` bytes before the suffix on, so that both lie where they go
 *   value          a a a s s s s s         the first `prefix` bytes of the one, the others of the other
 *
 * A value of up to BUILD_HEAD bytes is a load, a select and a store a row, whatever its lengths: no branch on them, and what
 * is loaded never waits for what was just stored. Rows are loaded and stored whole, so near the ends of the section and of
 * the output the same body runs on local copies. */
#ifndef PAGELANE_ENCODINGS_PREFIX_BUILD_H
#define PAGELANE_ENCODINGS_PREFIX_BUILD_H

#include "pagelane/encoding.h"
#include "simd/row.h"

#include <stdbool.h>

enum {
  BUILD_HEAD = 2 * PL_ROW_BYTES,
  BUILD_DIRECT = 4 * PL_ROW_BYTES, /* bytes of a string that are always moved, be there as many or not */
  BUILD_LONG = BUILD_HEAD + 8 * PL_ROW_BYTES, /* larger values are copied by calls */
};

typedef enum build_policy {
  BUILD_DATA,   /* one value behind the other; sizes from offsets */
  BUILD_FIXED,  /* one value behind the other, all of `width` bytes, more than BUILD_HEAD of them */
  BUILD_FIXED1, /* of up to one row */
  BUILD_FIXED2, /* of up to two */
} build_policy;

/* What is built, and where it stands. Sizes are checked. */
typedef struct prefix_build {
  const uint32_t *prefixes;
  const int32_t *offsets; /* BUILD_DATA */
  uint32_t width;         /* BUILD_FIXED... */
  size_t n;

  const uint8_t *begin;         /* of the section: nothing before it is read */
  const uint8_t *from, *in_end; /* the next suffix; in the section, or in the copy of its end */
  uint8_t *to, *out_end;        /* where the next value goes; in the output, or in the copy of its end */
  const uint8_t *previous;      /* the value before */
  pl_row head[2];               /* its first bytes */
} prefix_build;

/* Which bytes are those of the value before: ones, from BUILD_HEAD - prefix on. */
_Alignas(64) static const uint64_t prefix_masks[8] = {~0ull, ~0ull, ~0ull, ~0ull};

/* Row r of a value of which BUILD_HEAD bytes can be read from its suffix on, and `prefix` before it. */
static inline __attribute__((always_inline)) pl_row prefix_select(uint32_t prefix, int r, pl_row before,
                                                                  const uint8_t *suffix) {
  const pl_row mask = pl_row_load((const uint8_t *)prefix_masks + BUILD_HEAD - prefix + r * PL_ROW_BYTES);
  return pl_row_select(mask, before, pl_row_load(suffix - prefix + r * PL_ROW_BYTES));
}

static inline __attribute__((always_inline)) uint32_t build_suffix_size(const prefix_build *b, size_t i,
                                                                        build_policy policy) {
  if (policy == BUILD_DATA)
    return (uint32_t)(b->offsets[i + 1] - b->offsets[i]) - b->prefixes[i];
  return b->width - b->prefixes[i];
}

/* The first bytes of the value before; `size` of them matter. */
static inline void build_load_head(prefix_build *b, const uint8_t *value, size_t size) {
  uint8_t bytes[BUILD_HEAD] = {0};
  if (size != 0)
    memcpy(bytes, value, size < BUILD_HEAD ? size : BUILD_HEAD);
  b->head[0] = pl_row_load(bytes);
  b->head[1] = pl_row_load(bytes + PL_ROW_BYTES);
}

/* Bytes that are read from a suffix on, and written from a value's place on, whatever its size. */
static inline __attribute__((always_inline)) size_t build_room(build_policy policy) {
  return policy == BUILD_FIXED1 ? PL_ROW_BYTES : policy == BUILD_DATA ? BUILD_DIRECT : BUILD_HEAD;
}

/* Values from the i-th on, until rows would be read or written past an end, or a value is long. Returns the number of the
 * next. Nothing in the loop is a call: the head stays in registers. */
static inline __attribute__((always_inline)) size_t build_run(prefix_build *b, size_t i, build_policy policy) {
  const prefix_build c = *b;
  const bool fits = policy == BUILD_FIXED1 || policy == BUILD_FIXED2;
  const size_t room = build_room(policy);
  const uint8_t *from = c.from, *const in_last = c.in_end - room, *previous = c.previous;
  uint8_t *to = c.to, *const out_last = c.out_end - room;
  pl_row head0 = c.head[0], head1 = c.head[1];
  for (; i < c.n && from <= in_last && to <= out_last; i++) {
    const uint32_t p = c.prefixes[i], s = build_suffix_size(&c, i, policy), size = p + s;
    if (!fits && p > BUILD_HEAD)
      break;
    head0 = prefix_select(p, 0, head0, from);
    pl_row_store(to, head0);
    if (policy != BUILD_FIXED1) {
      head1 = prefix_select(p, 1, head1, from);
      pl_row_store(to + PL_ROW_BYTES, head1);
    }
    if (policy == BUILD_DATA) {
      pl_row_store(to + BUILD_HEAD, pl_row_load(from - p + BUILD_HEAD));
      pl_row_store(to + BUILD_HEAD + PL_ROW_BYTES, pl_row_load(from - p + BUILD_HEAD + PL_ROW_BYTES));
    }
    const size_t moved = policy == BUILD_DATA ? BUILD_DIRECT : BUILD_HEAD;
    if (!fits && size > moved) {
      if (size > BUILD_LONG || (size_t)(c.in_end - from) < s + PL_ROW_BYTES ||
          (size_t)(c.out_end - to) < size + PL_ROW_BYTES)
        break;
      for (size_t k = moved; k < size; k += PL_ROW_BYTES)
        pl_row_store(to + k, pl_row_load(from - p + k));
    }
    previous = to;
    to += size;
    from += s;
  }
  b->from = from;
  b->to = to;
  b->previous = previous;
  b->head[0] = head0;
  b->head[1] = head1;
  return i;
}

/* One value of any size, anywhere. */
static inline __attribute__((always_inline)) void build_one(prefix_build *b, size_t i, build_policy policy) {
  const uint32_t p = b->prefixes[i], s = build_suffix_size(b, i, policy);
  uint8_t head[BUILD_HEAD];
  pl_row_store(head, b->head[0]);
  pl_row_store(head + PL_ROW_BYTES, b->head[1]);
  memcpy(b->to, p <= BUILD_HEAD ? head : b->previous, p);
  memcpy(b->to + p, b->from, s);
  if (p < BUILD_HEAD)
    memcpy(head + p, b->from, s < BUILD_HEAD - p ? s : BUILD_HEAD - p);
  b->head[0] = pl_row_load(head);
  b->head[1] = pl_row_load(head + PL_ROW_BYTES);
  b->from += s;
  b->previous = b->to;
  b->to += p + s;
}

/* All n values. b->from has moved on behind the last suffix, b->to behind the last value. */
static inline __attribute__((always_inline)) void build_values(prefix_build *b, build_policy policy) {
  const size_t room = build_room(policy);
  uint8_t in_copy[BUILD_HEAD + 2 * BUILD_DIRECT], out_copy[2 * BUILD_DIRECT];
  const uint8_t *in = NULL;
  uint8_t *out = NULL;
  for (size_t i = 0; i < b->n;) {
    const size_t in_left = (size_t)(b->in_end - b->from);
    if (in == NULL && in_left < room) {
      const size_t before = b->from - b->begin < BUILD_HEAD ? (size_t)(b->from - b->begin) : BUILD_HEAD;
      memset(in_copy, 0, sizeof in_copy);
      memcpy(in_copy + BUILD_HEAD - before, b->from - before, before + in_left);
      in = b->from;
      b->from = in_copy + BUILD_HEAD;
      b->in_end = in_copy + sizeof in_copy;
    }
    /* what is left of the output is shorter than a head, and so are all values that go there */
    if (out == NULL && (size_t)(b->out_end - b->to) < room) {
      out = b->to;
      b->to = out_copy;
      b->out_end = out_copy + sizeof out_copy;
    }
    if (in != NULL || b->from - b->begin >= BUILD_HEAD)
      i = build_run(b, i, policy);
    const bool has_room = (size_t)(b->in_end - b->from) >= room && (size_t)(b->out_end - b->to) >= room;
    if (i < b->n && has_room)
      build_one(b, i++, policy);
  }
  if (in != NULL)
    b->from = in + (b->from - (in_copy + BUILD_HEAD));
  if (out != NULL) {
    const size_t size = (size_t)(b->to - out_copy);
    if (size != 0)
      memcpy(out, out_copy, size);
    b->to = out + size;
  }
}

#endif
