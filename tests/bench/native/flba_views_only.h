/* DELTA_BYTE_ARRAY to views, by a decoder that knows nothing else: the sizes in steps through the same kernels as
 * pagelane's, one branch a value for whether it has to be put together. */
#ifndef PAGELANE_BENCH_FLBA_VIEWS_ONLY_H
#define PAGELANE_BENCH_FLBA_VIEWS_ONLY_H

#include "kernels/kernels.h"
#include "pagelane/encoding.h"

#include <string.h>

enum { VIEWS_ONLY_STEP = 512 };

static inline bool views_only_decode(const uint8_t *in, size_t in_size, uint8_t *arena, size_t arena_size,
                                     pl_view *views, size_t capacity, size_t *n_values) {
  pl_delta_reader prefixes, suffixes;
  const uint8_t *next, *end = in + in_size;
  if (pl_delta_reader_open(&prefixes, in, in_size, 32) != PL_OK ||
      pl_delta_reader_find_end(&prefixes, 32, &next) != PL_OK ||
      pl_delta_reader_open(&suffixes, next, (size_t)(end - next), 32) != PL_OK ||
      pl_delta_reader_find_end(&suffixes, 32, &next) != PL_OK || prefixes.n_left != suffixes.n_left ||
      prefixes.n_left > capacity)
    return false;
  const pl_kernels *kernels = pl_kernels_get();
  const size_t n = (size_t)prefixes.n_left;
  const uint8_t *last = in;
  uint32_t last_size = 0;
  for (size_t done = 0; done < n;) {
    uint32_t p[VIEWS_ONLY_STEP], s[VIEWS_ONLY_STEP];
    const size_t step = n - done < VIEWS_ONLY_STEP ? n - done : VIEWS_ONLY_STEP;
    if (kernels->delta_read_32(&prefixes, p, step) != PL_OK ||
        kernels->delta_read_32(&suffixes, s, step) != PL_OK)
      return false;
    for (size_t i = 0; i < step; i++) {
      if (p[i] > last_size || s[i] > (size_t)(end - next))
        return false;
      const uint32_t size = p[i] + s[i];
      if (p[i] == 0) {
        last = next;
      } else if (s[i] != 0) {
        if (size > arena_size)
          return false;
        memcpy(arena, last, p[i]);
        memcpy(arena + p[i], next, s[i]);
        last = arena;
        arena += size;
        arena_size -= size;
      }
      views[done + i] = (pl_view){last, size};
      next += s[i];
      last_size = size;
    }
    done += step;
  }
  *n_values = n;
  return true;
}

#endif
