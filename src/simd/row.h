/* A row is 16 bytes in a register of the compiler's own vector type: for code that moves bytes, needs no lanes
 * and no instruction set of its own. Any address. */
#ifndef PAGELANE_SIMD_ROW_H
#define PAGELANE_SIMD_ROW_H

#include <stdint.h>
#include <string.h>

enum { PL_ROW_BYTES = 16 };

typedef uint64_t pl_row __attribute__((vector_size(16)));

static inline pl_row pl_row_load(const void *p) {
  pl_row x;
  memcpy(&x, p, sizeof x);
  return x;
}

static inline void pl_row_store(void *p, pl_row x) {
  memcpy(p, &x, sizeof x);
}

/* The bits of a where the mask is 1, of b where it is 0. */
static inline pl_row pl_row_select(pl_row mask, pl_row a, pl_row b) {
  return (a & mask) | (b & ~mask);
}

#endif
