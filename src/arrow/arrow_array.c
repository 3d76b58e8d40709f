/* Each structure has one block of memory for all that it points to but the buffers, its children's structures included, so
 * that a child can be moved out of it; and a reference to the owner of the buffers. */
#include "arrow/arrow_array.h"

#include "arrow/arrow_convert.h"
#include "base/error.h"

#include <string.h>

typedef struct array_block {
  pl_allocator allocator;
  size_t size;
  pl_arrow_owner *owner; /* NULL: the struct array of a batch */
  const void *buffers[3];
  struct ArrowArray dictionary;
} array_block;

typedef struct maker {
  const pl_arrow_fields *fields;
  const pl_allocator *allocator;
  pl_arrow_owner *owner;
  uint32_t first_leaf; /* of the top-level field */
  pl_error *error;
} maker;

static void release_array(struct ArrowArray *array) {
  array_block *block = array->private_data;
  for (int64_t i = 0; i < array->n_children; i++)
    if (array->children[i]->release != NULL)
      array->children[i]->release(array->children[i]);
  if (array->dictionary != NULL && array->dictionary->release != NULL)
    array->dictionary->release(array->dictionary);
  array->release = NULL;
  pl_arrow_owner_release(block->owner);
  block->allocator.resize(block->allocator.context, block, block->size, 0);
}

static pl_status allocate(const pl_allocator *allocator, pl_arrow_owner *owner, uint32_t n_children,
                          int64_t n_buffers, struct ArrowArray *array) {
  const uint64_t per_child = sizeof(struct ArrowArray) + sizeof(struct ArrowArray *);
  const uint64_t size = sizeof(array_block) + n_children * per_child;
  if (size > SIZE_MAX)
    return PL_NO_MEMORY;
  array_block *block = allocator->resize(allocator->context, NULL, 0, (size_t)size);
  if (block == NULL)
    return PL_NO_MEMORY;
  memset(block, 0, (size_t)size);
  block->allocator = *allocator;
  block->size = (size_t)size;
  block->owner = owner;
  if (owner != NULL)
    pl_arrow_owner_retain(owner);
  struct ArrowArray *children = (struct ArrowArray *)(void *)(block + 1);
  struct ArrowArray **pointers = (struct ArrowArray **)(void *)(children + n_children);
  for (uint32_t i = 0; i < n_children; i++)
    pointers[i] = &children[i];
  *array = (struct ArrowArray){.n_buffers = n_buffers,
                               .n_children = n_children,
                               .buffers = block->buffers,
                               .children = n_children == 0 ? NULL : pointers,
                               .release = release_array,
                               .private_data = block};
  return PL_OK;
}

static pl_status contradiction(const maker *maker, uint32_t leaf) {
  return pl_fail(maker->error, PL_CORRUPT, 0, -1, maker->fields->leaves[leaf],
                 "the columns of one group contradict each other");
}

static pl_arrow_leaf *leaf_of(const maker *maker, uint32_t first_leaf) {
  return &maker->owner->leaves[first_leaf - maker->first_leaf];
}

/* What a definition level says: of an ancestor, or of the leaf itself. */
static pl_parent level_of(const pl_column *column, uint32_t level) {
  for (uint32_t i = 0; i < column->n_parents; i++)
    if (column->parents[i].definition_level == level)
      return column->parents[i];
  return (pl_parent){.definition_level = level,
                     .length = column->length,
                     .null_count = column->null_count,
                     .validity = column->validity};
}

static bool is_same_level(const pl_parent *a, const pl_parent *b) {
  if (a->length != b->length || a->null_count != b->null_count || a->is_list != b->is_list)
    return false;
  return !a->is_list || memcmp(a->offsets, b->offsets, ((size_t)a->length + 1) * sizeof *a->offsets) == 0;
}

/* Do the leaves below the children of a group tell the same of it, and of what is above it? */
static pl_status check_children(const maker *maker, uint32_t at) {
  const pl_arrow_field *group = &maker->fields->fields[at];
  const pl_column *first = &leaf_of(maker, group->first_leaf)->column;
  uint32_t child = at + 1;
  for (uint32_t i = 0; i < group->n_children; i++, child = maker->fields->fields[child].end) {
    const uint32_t leaf = maker->fields->fields[child].first_leaf;
    for (uint32_t level = 1; level <= group->shared_level; level++) {
      const pl_parent a = level_of(first, level), b = level_of(&leaf_of(maker, leaf)->column, level);
      if (!is_same_level(&a, &b))
        return contradiction(maker, leaf);
    }
  }
  return PL_OK;
}

static pl_status convert(const maker *maker, const pl_arrow_type *type, const pl_column *column,
                         pl_buffer *buffer, uint32_t leaf, const void **values) {
  *values = column->values;
  if (type->form == PL_ARROW_AS_STORED)
    return PL_OK;
  const uint64_t size = pl_size_mul(column->length, type->width);
  pl_status status = pl_buffer_reserve(maker->owner->limits, buffer, size == 0 ? 1 : size);
  const char *message = "no memory for converted values";
  if (status == PL_OK) {
    status = pl_arrow_convert(type, column, buffer->bytes);
    if (status == PL_CORRUPT)
      message = "a decimal has more digits than its precision";
    else
      message = "an interval or INT96 timestamp does not fit its Arrow type";
  }
  if (status != PL_OK)
    return pl_fail(maker->error, status, 0, -1, maker->fields->leaves[leaf], message);
  *values = buffer->bytes;
  return PL_OK;
}

/* Values without nulls; those of a dictionary too. */
static pl_status make_values(const maker *maker, const pl_arrow_field *field, const pl_column *column,
                             pl_buffer *converted, struct ArrowArray *array) {
  const pl_arrow_type *type = &field->type;
  const void *offsets = type->has_large_offsets ? (const void *)column->large_offsets : column->offsets;
  const bool is_bytes = offsets != NULL && type->form == PL_ARROW_AS_STORED;
  const int64_t n_buffers = type->form == PL_ARROW_NOTHING ? 0 : is_bytes ? 3 : 2;
  pl_status status = allocate(maker->allocator, maker->owner, 0, n_buffers, array);
  if (status != PL_OK)
    return pl_fail(maker->error, status, 0, -1, -1, "no memory for an array");
  array->length = (int64_t)column->length;
  if (type->form == PL_ARROW_NOTHING) {
    array->null_count = array->length;
  } else if (is_bytes) {
    array->buffers[1] = offsets;
    array->buffers[2] = column->data;
  } else {
    status = convert(maker, type, column, converted, field->first_leaf, &array->buffers[1]);
  }
  return status;
}

static pl_status make_leaf(const maker *maker, uint32_t at, struct ArrowArray *array) {
  const pl_arrow_field *field = &maker->fields->fields[at];
  pl_arrow_leaf *leaf = leaf_of(maker, field->first_leaf);
  const pl_column *column = &leaf->column;
  pl_status status;
  if ((column->dictionary != NULL) != field->keeps_dictionary || column->n_levels != 0 ||
      (column->large_offsets != NULL) != field->type.has_large_offsets)
    return pl_fail(maker->error, PL_BAD_ARGUMENT, 0, -1, maker->fields->leaves[field->first_leaf],
                   "a column's builder has other flags than it should");
  if (field->keeps_dictionary) {
    status = allocate(maker->allocator, maker->owner, 0, 2, array);
    if (status != PL_OK)
      return pl_fail(maker->error, status, 0, -1, -1, "no memory for an array");
    array->length = (int64_t)column->length;
    array->buffers[1] = column->values;
    array->dictionary = &((array_block *)array->private_data)->dictionary;
    status = make_values(maker, field, column->dictionary, &leaf->dictionary_values, array->dictionary);
  } else {
    status = make_values(maker, field, column, &leaf->values, array);
  }
  /* a leaf without nulls of its own has those of the groups right above it */
  if (status == PL_OK && field->nullable && field->type.form != PL_ARROW_NOTHING) {
    array->null_count = (int64_t)column->null_count;
    array->buffers[0] = column->validity;
  }
  return status;
}

static pl_status make_array(const maker *maker, uint32_t at, struct ArrowArray *array);

static pl_status make_children(const maker *maker, uint32_t at, struct ArrowArray *array) {
  pl_status status = PL_OK;
  uint32_t child = at + 1;
  for (int64_t i = 0; status == PL_OK && i < array->n_children; i++) {
    status = make_array(maker, child, array->children[i]);
    child = maker->fields->fields[child].end;
  }
  return status;
}

static pl_status make_group(const maker *maker, uint32_t at, struct ArrowArray *array) {
  static const int32_t no_offsets[1] = {0};
  const pl_arrow_field *field = &maker->fields->fields[at];
  const pl_column *column = &leaf_of(maker, field->first_leaf)->column;
  const bool is_list = field->list_level != 0;
  pl_status status = allocate(maker->allocator, maker->owner, field->n_children, is_list ? 2 : 1, array);
  if (status != PL_OK)
    return pl_fail(maker->error, status, 0, -1, -1, "no memory for an array");
  status = check_children(maker, at);
  if (status == PL_OK)
    status = make_children(maker, at, array);
  if (status != PL_OK)
    return status;
  int64_t child_length = array->children[0]->length;
  array->length = child_length;
  if (field->nullable) {
    const pl_parent own = level_of(column, field->level);
    array->length = (int64_t)own.length;
    array->null_count = (int64_t)own.null_count;
    array->buffers[0] = own.validity;
  }
  if (is_list) {
    const pl_parent list = level_of(column, field->list_level);
    const int32_t *offsets = list.offsets != NULL ? list.offsets : no_offsets;
    array->buffers[1] = offsets;
    if (field->nullable && list.length != (uint64_t)array->length)
      return contradiction(maker, field->first_leaf);
    array->length = (int64_t)list.length;
    return offsets[list.length] == child_length ? PL_OK : contradiction(maker, field->first_leaf);
  }
  for (int64_t i = 0; i < array->n_children; i++)
    if (array->children[i]->length != array->length)
      return contradiction(maker, field->first_leaf);
  return PL_OK;
}

static pl_status make_array(const maker *maker, uint32_t at, struct ArrowArray *array) {
  array->release = NULL;
  const bool is_leaf = maker->fields->fields[at].shape == PL_ARROW_LEAF;
  const pl_status status = is_leaf ? make_leaf(maker, at, array) : make_group(maker, at, array);
  if (status != PL_OK && array->release != NULL)
    release_array(array);
  return status;
}

pl_status pl_arrow_array_make(const pl_arrow_fields *fields, const pl_allocator *allocator,
                              pl_arrow_owner *const *owners, uint64_t n_rows, struct ArrowArray *array,
                              pl_error *error) {
  array->release = NULL;
  pl_status status = allocate(allocator, NULL, fields->n_top, 1, array);
  if (status != PL_OK)
    return pl_fail(error, status, 0, -1, -1, "no memory for an array");
  array->length = (int64_t)n_rows;
  uint32_t at = 0;
  for (uint32_t i = 0; status == PL_OK && i < fields->n_top; i++) {
    maker maker = {fields, allocator, owners[i], fields->fields[at].first_leaf, error};
    for (uint32_t k = 0; status == PL_OK && k < owners[i]->n_leaves; k++) {
      pl_arrow_leaf *leaf = &owners[i]->leaves[k];
      status = pl_column_builder_length(leaf->builder) == n_rows
                   ? pl_column_builder_take(leaf->builder, n_rows, &leaf->column)
                   : contradiction(&maker, maker.first_leaf + k);
    }
    if (status == PL_OK)
      status = make_array(&maker, at, array->children[i]);
    if (status == PL_OK && array->children[i]->length != array->length)
      status = contradiction(&maker, maker.first_leaf);
    at = fields->fields[at].end;
  }
  if (status != PL_OK)
    release_array(array);
  return status;
}
