#include "arrow/arrow_owner.h"

#include "base/memory.h"

#include <string.h>

pl_status pl_arrow_owner_create(const pl_limits *model, uint64_t max_bytes, uint32_t n_leaves,
                                pl_arrow_owner **result) {
  const uint64_t size = sizeof(pl_arrow_owner) + (uint64_t)n_leaves * sizeof(pl_arrow_leaf);
  if (size > SIZE_MAX)
    return PL_NO_MEMORY;
  pl_arrow_owner *owner = model->allocator.resize(model->allocator.context, NULL, 0, (size_t)size);
  if (owner == NULL)
    return PL_NO_MEMORY;
  memset(owner, 0, (size_t)size);
  atomic_init(&owner->references, 1);
  owner->size = (size_t)size;
  owner->n_leaves = n_leaves;
  owner->own = *model;
  owner->own.max_bytes = max_bytes;
  owner->own.used_bytes = owner->own.peak_bytes = 0;
  owner->limits = &owner->own;
  *result = owner;
  return PL_OK;
}

void pl_arrow_owner_release(pl_arrow_owner *owner) {
  if (owner == NULL || atomic_fetch_sub(&owner->references, 1) != 1)
    return;
  for (uint32_t i = 0; i < owner->n_leaves; i++) {
    pl_arrow_leaf *leaf = &owner->leaves[i];
    pl_buffer_free(owner->limits, &leaf->values);
    pl_buffer_free(owner->limits, &leaf->dictionary_values);
    pl_column_builder_destroy(leaf->builder);
  }
  const pl_allocator allocator = owner->own.allocator;
  allocator.resize(allocator.context, owner, owner->size, 0);
}
