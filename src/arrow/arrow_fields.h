/* The chosen columns of a file as Arrow's fields: a tree, written down in depth-first order, each field before its children.
 * Lists and maps are what pl_schema_node says; a REPEATED element that stands alone is a list of what it would be else. */
#ifndef PAGELANE_ARROW_FIELDS_H
#define PAGELANE_ARROW_FIELDS_H

#include "arrow/arrow_type.h"

typedef enum pl_arrow_shape { PL_ARROW_LEAF, PL_ARROW_STRUCT, PL_ARROW_LIST, PL_ARROW_MAP } pl_arrow_shape;

typedef struct pl_arrow_field {
  pl_arrow_shape shape;
  uint32_t schema_index; /* the element that it has its name from */
  uint32_t n_children;
  uint32_t end;        /* its subtree ends before this field */
  uint32_t first_leaf; /* among the chosen ones */
  bool nullable;
  bool is_variant;       /* PL_ARROW_STRUCT */
  bool keeps_dictionary; /* PL_ARROW_LEAF */
  /* definition levels, 0 for none: of the field's own nulls; of a list's elements; the deepest that its children share */
  uint32_t level, list_level, shared_level;
  pl_arrow_type type; /* PL_ARROW_LEAF */
} pl_arrow_field;

typedef struct pl_arrow_fields {
  pl_limits *limits;
  const pl_metadata *metadata;
  uint32_t n_leaves, n_top;
  uint32_t *leaves; /* in the order of the schema */
  uint32_t n_fields;
  pl_arrow_field *fields;
  uint64_t leaves_size, fields_size; /* bytes */
} pl_arrow_fields;

/* `options` may be NULL. Charged to `limits`, which has to stay, as the metadata has. */
pl_status pl_arrow_fields_make(const pl_metadata *metadata, const pl_arrow_options *options, pl_limits *limits,
                               pl_arrow_fields *fields, pl_error *error);
void pl_arrow_fields_free(pl_arrow_fields *fields);

/* The fields as a struct, which owns its memory. PL_NO_MEMORY: schema->release is NULL. */
pl_status pl_arrow_schema_make(const pl_arrow_fields *fields, const pl_allocator *allocator,
                               struct ArrowSchema *schema);

/* Chosen leaves in the subtree of a field. */
static inline uint32_t pl_arrow_field_n_leaves(const pl_arrow_fields *fields, uint32_t at) {
  const uint32_t end = fields->fields[at].end;
  const uint32_t end_leaf = end < fields->n_fields ? fields->fields[end].first_leaf : fields->n_leaves;
  return end_leaf - fields->fields[at].first_leaf;
}

/* The limits that options ask for, with nothing charged. */
pl_limits pl_arrow_limits(const pl_arrow_options *options);

#endif
