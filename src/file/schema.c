#include "file/schema.h"

#include "base/memory.h"
#include "file/node_kinds.h"

/* Definition levels that a leaf may have: its descriptor has a bit for each, and levels fit a signed byte. */
enum { MAX_LEVELS = 127 };

/* A group that the walk is inside of. */
typedef struct open_group {
  uint32_t index, children_left;
  uint16_t max_definition_level, max_repetition_level;
  uint64_t repeated_levels[2];
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
    levels->repeated_levels[levels->max_definition_level / 64] |= 1ull << levels->max_definition_level % 64;
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
      .repeated_levels = (int64_t)levels->repeated_levels[0],
      .repeated_levels_high = (int64_t)levels->repeated_levels[1],
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

static pl_schema_node node_of(const pl_schema_element *element, const open_group *levels, uint32_t column) {
  pl_schema_node node = {
      .kind = pl_schema_is_leaf(element) ? PL_NODE_LEAF : PL_NODE_STRUCT,
      .max_definition_level = levels->max_definition_level,
      .max_repetition_level = levels->max_repetition_level,
      .first_column = (int32_t)column,
  };
#define ALWAYS_PRESENT(S, id, kind, name, detail) node.present |= 1u << (id);
  PL_SCHEMA_NODE_FIELDS(ALWAYS_PRESENT, schema_node)
#undef ALWAYS_PRESENT
  return node;
}

/* Where the walk stands. */
typedef struct schema_walk {
  pl_thrift_reader *reader;
  const pl_schema_element *schema;
  uint32_t n_elements, n_columns;
  pl_column_descriptor *columns;
  pl_schema_node *nodes;
  open_group *groups; /* those it is inside of; [0] is the root's */
  uint32_t depth, max_depth;
} schema_walk;

/* Leaves the groups that have no more children. */
static pl_status close_groups(schema_walk *walk, uint32_t index) {
  while (walk->groups[walk->depth].children_left == 0) {
    pl_schema_node *node = &walk->nodes[walk->groups[walk->depth].index];
    node->end_index = (int32_t)index;
    node->end_column = (int32_t)walk->n_columns;
    if (walk->depth == 0)
      return index == walk->n_elements ? PL_OK
                                       : fail(walk->reader, PL_CORRUPT, walk->n_elements - index,
                                              "schema elements that no group counts as its child");
    walk->depth--;
  }
  if (index == walk->n_elements)
    return fail(walk->reader, PL_CORRUPT, walk->groups[walk->depth].children_left,
                "num_children past the end of the schema");
  return PL_OK;
}

static pl_status visit(schema_walk *walk, uint32_t index) {
  const pl_schema_element *element = &walk->schema[index];
  open_group levels = walk->groups[walk->depth];
  walk->groups[walk->depth].children_left--;
  if (walk->depth == walk->max_depth || levels.max_definition_level == MAX_LEVELS)
    return fail(walk->reader, PL_LIMIT, walk->depth, "schema is nested too deeply");
  const pl_status status = check_element(walk->reader, element, walk->n_elements - 1 - index, &levels);
  if (status != PL_OK)
    return status;
  walk->nodes[index] = node_of(element, &levels, walk->n_columns);
  if (pl_schema_is_leaf(element)) {
    pl_column_descriptor *column = &walk->columns[walk->n_columns++];
    *column = describe(element, &levels);
    column->schema_index = (int32_t)index;
    column->root_index = walk->depth == 0 ? (int32_t)index : (int32_t)walk->groups[1].index;
    column->depth = (int32_t)walk->depth + 1;
    walk->nodes[index].end_index = (int32_t)index + 1;
    walk->nodes[index].end_column = (int32_t)walk->n_columns;
    return PL_OK;
  }
  levels.index = index;
  levels.children_left = pl_schema_n_children(element);
  walk->groups[++walk->depth] = levels;
  return PL_OK;
}

static pl_status walk_tree(schema_walk *walk) {
  walk->nodes[0] = node_of(&walk->schema[0], &(open_group){0}, 0);
  walk->groups[0] = (open_group){.children_left = pl_schema_n_children(&walk->schema[0])};
  pl_status status = close_groups(walk, 1);
  for (uint32_t i = 1; i < walk->n_elements && status == PL_OK; i++) {
    status = visit(walk, i);
    if (status == PL_OK)
      status = close_groups(walk, i + 1);
  }
  return status;
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

  uint64_t columns_at = 0, nodes_at = 0;
  pl_status status = pl_thrift_reserve(reader, (uint64_t)n_columns * sizeof(pl_column_descriptor), &columns_at);
  if (status == PL_OK)
    status = pl_thrift_reserve(reader, (uint64_t)n_elements * sizeof(pl_schema_node), &nodes_at);
  if (status != PL_OK)
    return status;
  pl_metadata *metadata = reader->image.bytes;
  metadata->columns = (pl_ref){(uint32_t)columns_at, n_columns};
  metadata->nodes = (pl_ref){(uint32_t)nodes_at, n_elements};

  schema_walk walk = {
      .reader = reader,
      .schema = schema_of(reader, &n_elements),
      .n_elements = n_elements,
      .columns = (pl_column_descriptor *)(void *)pl_thrift_at(reader, columns_at),
      .nodes = (pl_schema_node *)(void *)pl_thrift_at(reader, nodes_at),
      .max_depth = pl_depth_limit(reader->limits),
  };
  const uint64_t groups_size = (uint64_t)(walk.max_depth + 1) * sizeof(open_group);
  status = pl_memory_resize(reader->limits, &walk.groups, 0, groups_size);
  if (status != PL_OK)
    return fail(reader, status, -1, "metadata does not fit the memory allowed");
  status = walk_tree(&walk);
  if (status == PL_OK)
    pl_schema_name_kinds(metadata, walk.nodes);
  pl_memory_free(reader->limits, &walk.groups, groups_size);
  return status;
}
