/* pl_arrow_array_export: arrays of builders that the caller has filled. */
#include "arrow/arrow_array.h"
#include "base/error.h"
#include "page/column_builder.h"

#include <string.h>

/* An owner for each top-level field, with the builders of its leaves and their ledger. */
static pl_status make_owners(const pl_arrow_fields *fields, pl_column_builder *const *builders,
                             pl_arrow_owner **owners) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < fields->n_top; i++, at = fields->fields[at].end) {
    const uint32_t n_leaves = pl_arrow_field_n_leaves(fields, at), first = fields->fields[at].first_leaf;
    const pl_status status = pl_arrow_owner_create(fields->limits, 0, n_leaves, &owners[i]);
    if (status != PL_OK)
      return status;
    owners[i]->limits = builders[first]->limits;
    for (uint32_t k = 0; k < n_leaves; k++)
      owners[i]->leaves[k].builder = builders[first + k];
  }
  return PL_OK;
}

/* The builders stay the caller's when no array has taken them. */
static void release_owners(pl_arrow_owner **owners, uint32_t n, bool are_taken) {
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; !are_taken && owners[i] != NULL && k < owners[i]->n_leaves; k++)
      owners[i]->leaves[k].builder = NULL;
    pl_arrow_owner_release(owners[i]);
  }
}

pl_status pl_arrow_array_export(const pl_metadata *metadata, const pl_arrow_options *options,
                                pl_column_builder *const *builders, uint64_t n_rows, struct ArrowArray *array,
                                pl_error *error) {
  pl_limits limits = pl_arrow_limits(options);
  pl_arrow_fields fields;
  array->release = NULL;
  pl_status status = pl_arrow_fields_make(metadata, options, &limits, &fields, error);
  if (status != PL_OK)
    return status;
  pl_arrow_owner **owners = NULL;
  const uint64_t size = (uint64_t)(fields.n_top + 1) * sizeof(pl_arrow_owner *);
  status = pl_memory_resize(&limits, &owners, 0, size);
  if (status == PL_OK) {
    memset(owners, 0, (size_t)size);
    status = make_owners(&fields, builders, owners);
  }
  if (status != PL_OK)
    pl_fail(error, status, 0, -1, -1, "no memory for an array");
  else
    status = pl_arrow_array_make(&fields, &limits.allocator, owners, n_rows, array, error);
  if (owners != NULL)
    release_owners(owners, fields.n_top, status == PL_OK);
  pl_memory_free(&limits, &owners, size);
  pl_arrow_fields_free(&fields);
  return status;
}
