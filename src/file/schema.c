#include "file/schema.h"

#include "base/memory.h"

/* A group that the walk is inside of. */
typedef struct open_group {
  uint32_t children_left;
  uint16_t max_definition_level, max_repetition_level;
} open_group;

static pl_status fail(pl_thrift_reader *reader, pl_status status, int64_t number, const char *message) {
  reader->number = number;
  reader->message = message;
  return status;
}

static const pl_schema_element *schema_of(const pl_thrift_reader *reader, uint32_t *n_elements) {
  const pl_metadata *metadata = PL_AT(pl_metadata, reader->image.bytes, 0);
  *n_elements = metadata->file.schema.count;
  return PL_AT(pl_schema_element, reader->image.bytes, metadata->file.schema.offset);
}

/* One element below the root: checks it and gives its levels. */
static pl_status check_element(pl_thrift_reader *reader, const pl_schema_element *element, uint32_t n_after,
                               open_group *levels) {
  if (element->num_children < 0 || pl_schema_n_children(element) > n_after)
    return fail(reader, PL_CORRUPT, element->num_children, "num_children does not fit the schema");
  if (!PL_HAS(schema_element, element, repetition_type))
    return fail(reader, PL_CORRUPT, -1, "schema element without repetition_type");
  switch (element->repetition_type) {
  case PL_REPETITION_REQUIRED:
    break;
  case PL_REPETITION_REPEATED:
    levels->max_repetition_level++;
    levels->max_definition_level++;
    break;
  case PL_REPETITION_OPTIONAL:
    levels->max_definition_level++;
    break;
  default:
    return fail(reader, PL_CORRUPT, element->repetition_type, "unknown repetition_type");
  }
  if (!pl_schema_is_leaf(element))
    return PL_OK;
  if (pl_type_name(element->type) == NULL)
    return fail(reader, PL_CORRUPT, element->type, "unknown physical type");
  if (element->type == PL_TYPE_FIXED_LEN_BYTE_ARRAY && element->type_length <= 0)
    return fail(reader, PL_CORRUPT, element->type_length, "fixed length that is not positive");
  return PL_OK;
}

static pl_column_descriptor describe(const pl_schema_element *element, const open_group *levels) {
  pl_column_descriptor column = {
      .type = element->type,
      .max_definition_level = levels->max_definition_level,
      .max_repetition_level = levels->max_repetition_level,
  };
  if (element->type == PL_TYPE_FIXED_LEN_BYTE_ARRAY)
    column.type_length = element->type_length;
  if (element->type == PL_TYPE_INT96)
    column.type_length = 12;
#define ALWAYS_PRESENT(S, id, kind, name, detail) column.present |= 1u << (id);
  PL_COLUMN_DESCRIPTOR_FIELDS(ALWAYS_PRESENT, column_descriptor)
#undef ALWAYS_PRESENT
  return column;
}

/* Walks the tree with a stack of the groups it is inside of; groups[0] is the root's. */
static pl_status walk(pl_thrift_reader *reader, pl_column_descriptor *columns, open_group *groups,
                      uint32_t max_depth) {
  uint32_t n_elements, depth = 0, root_index = 0, n_columns = 0;
  const pl_schema_element *schema = schema_of(reader, &n_elements);
  groups[0] = (open_group){pl_schema_n_children(&schema[0]), 0, 0};
  for (uint32_t i = 1; i < n_elements; i++) {
    while (groups[depth].children_left == 0) {
      if (depth == 0)
        return fail(reader, PL_CORRUPT, n_elements - i, "schema elements that no group counts as its child");
      depth--;
    }
    groups[depth].children_left--;
    if (depth == max_depth)
      return fail(reader, PL_LIMIT, depth, "schema is nested too deeply");
    if (depth == 0)
      root_index = i;
    open_group levels = groups[depth];
    const pl_status status = check_element(reader, &schema[i], n_elements - 1 - i, &levels);
    if (status != PL_OK)
      return status;
    if (pl_schema_is_leaf(&schema[i])) {
      pl_column_descriptor *column = &columns[n_columns++];
      *column = describe(&schema[i], &levels);
      column->schema_index = (int32_t)i;
      column->root_index = (int32_t)root_index;
      column->depth = (int32_t)depth + 1;
    } else {
      levels.children_left = pl_schema_n_children(&schema[i]);
      groups[++depth] = levels;
    }
  }
  for (;; depth--) {
    if (groups[depth].children_left != 0)
      return fail(reader, PL_CORRUPT, groups[depth].children_left, "num_children past the end of the schema");
    if (depth == 0)
      return PL_OK;
  }
}

pl_status pl_schema_finish(pl_thrift_reader *reader) {
  uint32_t n_elements, n_columns = 0;
  const pl_schema_element *schema = schema_of(reader, &n_elements);
  if (n_elements == 0)
    return fail(reader, PL_CORRUPT, -1, "schema without a root");
  if (schema[0].num_children < 0 || pl_schema_n_children(&schema[0]) > n_elements - 1)
    return fail(reader, PL_CORRUPT, schema[0].num_children, "num_children does not fit the schema");
  for (uint32_t i = 1; i < n_elements; i++)
    n_columns += pl_schema_is_leaf(&schema[i]);

  uint64_t columns_at = 0;
  pl_status status = pl_thrift_reserve(reader, (uint64_t)n_columns * sizeof(pl_column_descriptor), &columns_at);
  if (status != PL_OK)
    return status;
  pl_metadata *metadata = reader->image.bytes;
  metadata->columns = (pl_ref){(uint32_t)columns_at, n_columns};

  const uint32_t max_depth = pl_depth_limit(reader->limits);
  const uint64_t groups_size = (uint64_t)(max_depth + 1) * sizeof(open_group);
  open_group *groups = NULL;
  status = pl_memory_resize(reader->limits, &groups, 0, groups_size);
  if (status != PL_OK)
    return fail(reader, status, -1, "metadata does not fit the memory allowed");
  status = walk(reader, (pl_column_descriptor *)(void *)pl_thrift_at(reader, columns_at), groups, max_depth);
  pl_memory_free(reader->limits, &groups, groups_size);
  return status;
}
