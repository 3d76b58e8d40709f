/* What column builders hold as ArrowArray structures. */
#ifndef PAGELANE_ARROW_ARRAY_H
#define PAGELANE_ARROW_ARRAY_H

#include "arrow/arrow_fields.h"
#include "arrow/arrow_owner.h"

/* A struct array of the fields. owners[i], of the i-th top-level field, has a builder for each of the field's leaves, with n_rows
 * rows. The array takes references of its own. allocator: of the structures. After a failure array->release is NULL. */
pl_status pl_arrow_array_make(const pl_arrow_fields *fields, const pl_allocator *allocator,
                              pl_arrow_owner *const *owners, uint64_t n_rows, struct ArrowArray *array,
                              pl_error *error);

#endif
