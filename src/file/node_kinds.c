#include "file/node_kinds.h"

#include "file/schema.h"

#include <string.h>

static bool is_named(const pl_metadata *metadata, const pl_schema_element *element, const char *name,
                     size_t size) {
  return element->name.count == size && memcmp(PL_AT(char, metadata, element->name.offset), name, size) == 0;
}

/* The name of the list, then "_tuple". */
static bool is_tuple_of(const pl_metadata *metadata, const pl_schema_element *items,
                        const pl_schema_element *list) {
  static const char suffix[] = "_tuple";
  const size_t size = list->name.count, suffix_size = sizeof suffix - 1;
  const char *name = PL_AT(char, metadata, items->name.offset);
  return items->name.count == size + suffix_size &&
         memcmp(name, PL_AT(char, metadata, list->name.offset), size) == 0 &&
         memcmp(name + size, suffix, suffix_size) == 0;
}

static const pl_logical_type *logical_type(const pl_metadata *metadata, const pl_schema_element *element) {
  static const pl_logical_type none;
  return PL_HAS(schema_element, element, logical_type) ? PL_AT(pl_logical_type, metadata, element->logical_type)
                                                       : &none;
}

static bool has_converted(const pl_schema_element *element, int32_t type) {
  return PL_HAS(schema_element, element, converted_type) && element->converted_type == type;
}

static bool is_list(const pl_metadata *metadata, const pl_schema_element *element) {
  return PL_HAS(logical_type, logical_type(metadata, element), LIST) ||
         has_converted(element, PL_CONVERTED_TYPE_LIST);
}

static bool is_map(const pl_metadata *metadata, const pl_schema_element *element) {
  return PL_HAS(logical_type, logical_type(metadata, element), MAP) ||
         has_converted(element, PL_CONVERTED_TYPE_MAP) ||
         has_converted(element, PL_CONVERTED_TYPE_MAP_KEY_VALUE);
}

/* The rules that tell the level between a list and its element from an element that is a group itself. */
static bool is_list_items(const pl_metadata *metadata, const pl_schema_element *list) {
  const pl_schema_element *items = list + 1;
  if (pl_schema_n_children(items) != 1 || is_list(metadata, items) || is_map(metadata, items))
    return false;
  return !is_named(metadata, items, "array", 5) && !is_tuple_of(metadata, items, list) &&
         items[1].repetition_type != PL_REPETITION_REPEATED;
}

void pl_schema_name_kinds(const pl_metadata *metadata, pl_schema_node *nodes) {
  const pl_schema_element *schema = PL_AT(pl_schema_element, metadata, metadata->file.schema.offset);
  for (uint32_t i = 1; i < metadata->nodes.count; i++) {
    const pl_schema_element *element = &schema[i];
    const bool has_one =
        pl_schema_n_children(element) == 1 && element[1].repetition_type == PL_REPETITION_REPEATED;
    if (nodes[i].kind != PL_NODE_STRUCT)
      continue;
    if (PL_HAS(logical_type, logical_type(metadata, element), VARIANT)) {
      nodes[i].kind = PL_NODE_VARIANT;
    } else if (has_one && is_list(metadata, element)) {
      nodes[i].kind = PL_NODE_LIST;
      if (is_list_items(metadata, element))
        nodes[i + 1].kind = PL_NODE_LIST_ITEMS;
    } else if (has_one && is_map(metadata, element) && pl_schema_n_children(element + 1) - 1 < 2) {
      nodes[i].kind = PL_NODE_MAP;
      nodes[i + 1].kind = PL_NODE_MAP_ENTRIES;
    }
  }
}
