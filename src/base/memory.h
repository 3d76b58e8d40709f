/* Memory through the caller's allocator, charged to the ledger. Only page/ and file/ (and codecs, for their
 * working memory) allocate. */
#ifndef PAGELANE_BASE_MEMORY_H
#define PAGELANE_BASE_MEMORY_H

#include "pagelane/types.h"

/* Sums and products of sizes from a file: saturate at UINT64_MAX, which no limit allows. */
static inline uint64_t pl_size_add(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static inline uint64_t pl_size_mul(uint64_t a, uint64_t b) {
  return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* *pointer (old_size bytes; NULL and 0 at first) becomes new_size bytes; 0 frees it. The first min(old, new)
 * bytes stay. PL_LIMIT, PL_NO_MEMORY: *pointer is as it was. */
pl_status pl_memory_resize(pl_limits *limits, void *pointer_to_pointer, uint64_t old_size, uint64_t new_size);

/* Frees what pl_memory_resize made, and sets *pointer to NULL. */
void pl_memory_free(pl_limits *limits, void *pointer_to_pointer, uint64_t size);

/* A growing piece of memory. All zero: empty. */
typedef struct pl_buffer {
  void *bytes;
  uint64_t size;
} pl_buffer;

/* At least `size` bytes, what is there stays. Grows by half where the ledger allows. On failure it is as it
 * was. */
pl_status pl_buffer_reserve(pl_limits *limits, pl_buffer *buffer, uint64_t size);
void pl_buffer_free(pl_limits *limits, pl_buffer *buffer);

#endif
