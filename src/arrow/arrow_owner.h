/* What the arrays of one top-level column share: the column builders whose memory their buffers are, and the buffers of
 * converted values. It goes with the last of them, whichever that is and in whatever thread. */
#ifndef PAGELANE_ARROW_OWNER_H
#define PAGELANE_ARROW_OWNER_H

#include "base/memory.h"
#include "pagelane/arrow.h"

#include <stdatomic.h>

typedef struct pl_arrow_leaf {
  pl_column_builder *builder;
  pl_column column;                    /* everything that the builder holds */
  pl_buffer values, dictionary_values; /* converted */
} pl_arrow_leaf;

typedef struct pl_arrow_owner {
  atomic_size_t references;
  size_t size;
  pl_limits *limits; /* the ledger of builders and buffers: its own, or that of a caller */
  pl_limits own;
  uint32_t n_leaves;
  pl_arrow_leaf leaves[];
} pl_arrow_owner;

/* An owner with one reference, and a ledger that is a copy of `model` with nothing charged and this max_bytes. */
pl_status pl_arrow_owner_create(const pl_limits *model, uint64_t max_bytes, uint32_t n_leaves,
                                pl_arrow_owner **owner);
/* Gives a reference back. NULL is fine. */
void pl_arrow_owner_release(pl_arrow_owner *owner);

static inline void pl_arrow_owner_retain(pl_arrow_owner *owner) {
  atomic_fetch_add(&owner->references, 1);
}

#endif
