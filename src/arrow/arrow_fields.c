#include "arrow/arrow_fields.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

static bool is_dictionary_encoding(int32_t encoding) {
  return encoding == PL_ENCODING_PLAIN_DICTIONARY || encoding == PL_ENCODING_RLE_DICTIONARY;
}

/* Does the metadata name the encoding of every data page of the chunk, and each is a dictionary's? */
static bool is_all_dictionary(const pl_metadata *metadata, const pl_column_chunk *chunk) {
  const pl_column_metadata *column = &chunk->meta_data;
  if (!PL_HAS(column_chunk, chunk, meta_data) || !PL_HAS(column_metadata, column, encoding_stats))
    return false;
  const pl_page_encoding_stats *stats = PL_AT(pl_page_encoding_stats, metadata, column->encoding_stats.offset);
  uint32_t n_data = 0;
  for (uint32_t i = 0; i < column->encoding_stats.count; i++) {
    if (stats[i].page_type != PL_PAGE_TYPE_DATA_PAGE && stats[i].page_type != PL_PAGE_TYPE_DATA_PAGE_V2)
      continue;
    n_data++;
    if (stats[i].count != 0 && !is_dictionary_encoding(stats[i].encoding))
      return false;
  }
  return n_data > 0;
}

bool pl_arrow_keeps_dictionary(const pl_metadata *metadata, const pl_arrow_options *options, uint32_t column) {
  const uint32_t n_row_groups = pl_metadata_n_row_groups(metadata);
  const pl_column_descriptor *descriptor = pl_metadata_column(metadata, column);
  if (options == NULL || !options->keep_dictionaries || descriptor == NULL || n_row_groups == 0)
    return false;
  pl_arrow_type type;
  pl_arrow_type_of(metadata, pl_metadata_schema_element(metadata, (uint32_t)descriptor->schema_index),
                   options->int96, &type);
  if (descriptor->type == PL_TYPE_BOOLEAN || type.form == PL_ARROW_NOTHING)
    return false;
  for (uint32_t i = 0; i < n_row_groups; i++)
    if (!is_all_dictionary(metadata, pl_metadata_chunk(metadata, i, column)))
      return false;
  return true;
}

/* How many chosen leaves stand before a column. */
static uint32_t leaves_before(const pl_arrow_fields *fields, uint32_t column) {
  uint32_t low = 0, high = fields->n_leaves;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (fields->leaves[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static uint32_t chosen_in(const pl_arrow_fields *fields, const pl_schema_node *node) {
  return leaves_before(fields, (uint32_t)node->end_column) -
         leaves_before(fields, (uint32_t)node->first_column);
}

static void add_field(pl_arrow_fields *fields, const pl_arrow_options *options, uint32_t index,
                      bool is_element);

/* The children of a group of which a leaf was chosen. *is_whole: all of them have one. */
static uint32_t add_children(pl_arrow_fields *fields, const pl_arrow_options *options, uint32_t index,
                             bool *is_whole) {
  const uint32_t end = (uint32_t)pl_metadata_schema_node(fields->metadata, index)->end_index;
  uint32_t n_children = 0;
  *is_whole = true;
  for (uint32_t child = index + 1; child < end;) {
    const pl_schema_node *node = pl_metadata_schema_node(fields->metadata, child);
    const bool is_chosen = chosen_in(fields, node) > 0;
    if (is_chosen) {
      add_field(fields, options, child, false);
      n_children++;
    }
    *is_whole &= is_chosen;
    child = (uint32_t)node->end_index;
  }
  return n_children;
}

static bool is_required(const pl_metadata *metadata, uint32_t index) {
  return pl_metadata_schema_element(metadata, index)->repetition_type == PL_REPETITION_REQUIRED;
}

/* A LIST or MAP: its one child is the REPEATED one. */
static void add_items(pl_arrow_fields *fields, const pl_arrow_options *options, uint32_t at, uint32_t index) {
  const pl_metadata *metadata = fields->metadata;
  const pl_schema_node *items = pl_metadata_schema_node(metadata, index + 1);
  pl_arrow_field *field = &fields->fields[at];
  field->shape = PL_ARROW_LIST;
  field->list_level = (uint32_t)items->max_definition_level;
  if (items->kind == PL_NODE_LIST_ITEMS)
    add_field(fields, options, index + 2, false);
  else
    add_field(fields, options, index + 1, true);
  const pl_arrow_field *entries = &fields->fields[at + 1];
  if (items->kind == PL_NODE_MAP_ENTRIES && entries->n_children == 2 &&
      is_required(metadata, fields->fields[at + 2].schema_index))
    field->shape = PL_ARROW_MAP;
  field->n_children = 1;
}

/* is_element: the element is REPEATED and the list that it makes is there already. */
static void add_field(pl_arrow_fields *fields, const pl_arrow_options *options, uint32_t index,
                      bool is_element) {
  const pl_metadata *metadata = fields->metadata;
  const pl_schema_element *element = pl_metadata_schema_element(metadata, index);
  const pl_schema_node *node = pl_metadata_schema_node(metadata, index);
  const uint32_t at = fields->n_fields++;
  const uint32_t level = (uint32_t)node->max_definition_level;
  pl_arrow_field *field = &fields->fields[at];
  memset(field, 0, sizeof *field);
  field->schema_index = index;
  field->first_leaf = leaves_before(fields, (uint32_t)node->first_column);
  field->shared_level = level;
  if (element->repetition_type == PL_REPETITION_REPEATED && !is_element) {
    field->shape = PL_ARROW_LIST;
    field->list_level = level;
    field->n_children = 1;
    add_field(fields, options, index, true);
  } else {
    field->nullable = element->repetition_type == PL_REPETITION_OPTIONAL;
    field->level = field->nullable ? level : 0;
    if (node->kind == PL_NODE_LEAF) {
      pl_arrow_type_of(metadata, element, options == NULL ? PL_ARROW_INT96_NANOSECONDS : options->int96,
                       &field->type);
      field->keeps_dictionary = pl_arrow_keeps_dictionary(metadata, options, (uint32_t)node->first_column);
      if (options != NULL && options->large_offsets && !field->keeps_dictionary)
        pl_arrow_type_enlarge(&field->type);
    } else if (node->kind == PL_NODE_LIST || node->kind == PL_NODE_MAP) {
      add_items(fields, options, at, index);
    } else {
      bool is_whole;
      field->shape = PL_ARROW_STRUCT;
      field->n_children = add_children(fields, options, index, &is_whole);
      field->is_variant = node->kind == PL_NODE_VARIANT && is_whole;
    }
  }
  field->end = fields->n_fields;
}

/* Marks the chosen leaves, then lists them: each once, in the order of the schema. */
static pl_status choose_leaves(pl_arrow_fields *fields, const pl_arrow_options *options, pl_error *error) {
  const uint32_t n_columns = pl_metadata_n_columns(fields->metadata);
  const bool is_all = options == NULL || options->columns == NULL;
  fields->leaves_size = (uint64_t)(n_columns + 1) * sizeof *fields->leaves;
  const pl_status status = pl_memory_resize(fields->limits, &fields->leaves, 0, fields->leaves_size);
  if (status != PL_OK)
    return pl_fail(error, status, 0, -1, -1, "no memory for a list of columns");
  for (uint32_t i = 0; i < n_columns; i++)
    fields->leaves[i] = is_all;
  for (uint32_t i = 0; !is_all && i < options->n_columns; i++) {
    if (options->columns[i] >= n_columns)
      return pl_fail(error, PL_BAD_ARGUMENT, 0, -1, options->columns[i], "no such column");
    fields->leaves[options->columns[i]] = 1;
  }
  for (uint32_t i = 0; i < n_columns; i++)
    if (fields->leaves[i] != 0)
      fields->leaves[fields->n_leaves++] = i;
  return PL_OK;
}

pl_status pl_arrow_fields_make(const pl_metadata *metadata, const pl_arrow_options *options, pl_limits *limits,
                               pl_arrow_fields *fields, pl_error *error) {
  *fields = (pl_arrow_fields){.limits = limits, .metadata = metadata};
  pl_status status = choose_leaves(fields, options, error);
  if (status == PL_OK) {
    /* an element makes a field, and one more where it stands for a list too */
    fields->fields_size = pl_size_mul(2 * (uint64_t)metadata->nodes.count, sizeof *fields->fields);
    status = pl_memory_resize(limits, &fields->fields, 0, fields->fields_size);
    if (status != PL_OK)
      pl_fail(error, status, 0, -1, -1, "no memory for the fields of a schema");
  }
  if (status != PL_OK) {
    pl_arrow_fields_free(fields);
    return status;
  }
  bool is_whole;
  fields->n_top = add_children(fields, options, 0, &is_whole);
  return PL_OK;
}

void pl_arrow_fields_free(pl_arrow_fields *fields) {
  pl_memory_free(fields->limits, &fields->leaves, fields->leaves_size);
  pl_memory_free(fields->limits, &fields->fields, fields->fields_size);
}

pl_limits pl_arrow_limits(const pl_arrow_options *options) {
  pl_limits limits;
  pl_limits_init(&limits);
  if (options != NULL && options->limits != NULL)
    limits = *options->limits;
  limits.used_bytes = limits.peak_bytes = 0;
  return limits;
}
