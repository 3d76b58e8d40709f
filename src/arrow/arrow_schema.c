/* Fields as ArrowSchema structures. Each structure has one block of memory for everything that it points to, its children's
 * structures included, so that a child can be moved out of it. */
#include "arrow/arrow_fields.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

typedef struct schema_block {
  pl_allocator allocator;
  size_t size;
  struct ArrowSchema dictionary;
} schema_block;

static void release_schema(struct ArrowSchema *schema) {
  schema_block *block = schema->private_data;
  for (int64_t i = 0; i < schema->n_children; i++)
    if (schema->children[i]->release != NULL)
      schema->children[i]->release(schema->children[i]);
  if (schema->dictionary != NULL && schema->dictionary->release != NULL)
    schema->dictionary->release(schema->dictionary);
  schema->release = NULL;
  block->allocator.resize(block->allocator.context, block, block->size, 0);
}

/* Where a block's parts are. */
typedef struct places {
  struct ArrowSchema **pointers;
  struct ArrowSchema *children;
  char *text;
} places;

static pl_status allocate(const pl_allocator *allocator, uint32_t n_children, size_t text_size,
                          struct ArrowSchema *schema, places *places) {
  const uint64_t per_child = sizeof(struct ArrowSchema) + sizeof(struct ArrowSchema *);
  const uint64_t size = sizeof(schema_block) + n_children * per_child + text_size;
  if (size > SIZE_MAX)
    return PL_NO_MEMORY;
  schema_block *block = allocator->resize(allocator->context, NULL, 0, (size_t)size);
  if (block == NULL)
    return PL_NO_MEMORY;
  memset(block, 0, (size_t)size);
  block->allocator = *allocator;
  block->size = (size_t)size;
  places->children = (struct ArrowSchema *)(void *)(block + 1);
  places->pointers = (struct ArrowSchema **)(void *)(places->children + n_children);
  places->text = (char *)(places->pointers + n_children);
  for (uint32_t i = 0; i < n_children; i++)
    places->pointers[i] = &places->children[i];
  *schema = (struct ArrowSchema){.n_children = n_children,
                                 .children = n_children == 0 ? NULL : places->pointers,
                                 .release = release_schema,
                                 .private_data = block};
  return PL_OK;
}

static char *put_text(char **at, const char *bytes, size_t size) {
  char *start = *at;
  if (size != 0)
    memcpy(start, bytes, size);
  start[size] = 0;
  *at += size + 1;
  return start;
}

static void put_int32(char **at, size_t value) {
  const int32_t narrow = (int32_t)value;
  memcpy(*at, &narrow, sizeof narrow);
  *at += sizeof narrow;
}

static void put_sized(char **at, const char *text) {
  put_int32(at, strlen(text));
  memcpy(*at, text, strlen(text));
  *at += strlen(text);
}

static const char name_key[] = "ARROW:extension:name", metadata_key[] = "ARROW:extension:metadata";
static const char variant_name[] = "arrow.parquet.variant";

/* Two pairs of key and value, each behind its size. */
static size_t extension_size(const char *extension, size_t metadata_size) {
  return 5 * sizeof(int32_t) + sizeof name_key - 1 + strlen(extension) + sizeof metadata_key - 1 +
         metadata_size;
}

static const char *put_extension(char **at, const char *extension, const pl_arrow_type *type,
                                 size_t metadata_size) {
  const char *start = *at;
  put_int32(at, 2);
  put_sized(at, name_key);
  put_sized(at, extension);
  put_sized(at, metadata_key);
  put_int32(at, metadata_size);
  if (metadata_size != 0)
    pl_arrow_geo_metadata(type, *at, metadata_size);
  *at += metadata_size;
  return start;
}

static const char *format_of(const pl_arrow_field *field) {
  switch (field->shape) {
  case PL_ARROW_STRUCT:
    return "+s";
  case PL_ARROW_LIST:
    return "+l";
  case PL_ARROW_MAP:
    return "+m";
  case PL_ARROW_LEAF:
    break;
  }
  return field->keeps_dictionary ? "i" : field->type.format;
}

static pl_status make_node(const pl_arrow_fields *fields, uint32_t at, const pl_allocator *allocator,
                           struct ArrowSchema *schema);

static pl_status make_children(const pl_arrow_fields *fields, uint32_t first, const pl_allocator *allocator,
                               struct ArrowSchema *schema) {
  pl_status status = PL_OK;
  uint32_t child = first;
  for (int64_t i = 0; status == PL_OK && i < schema->n_children; i++) {
    status = make_node(fields, child, allocator, schema->children[i]);
    child = fields->fields[child].end;
  }
  return status;
}

static pl_status make_dictionary(const pl_arrow_type *type, const pl_allocator *allocator,
                                 struct ArrowSchema *schema) {
  schema_block *block = schema->private_data;
  places places;
  const pl_status status = allocate(allocator, 0, strlen(type->format) + 2, &block->dictionary, &places);
  if (status != PL_OK)
    return status;
  block->dictionary.format = put_text(&places.text, type->format, strlen(type->format));
  block->dictionary.name = put_text(&places.text, "", 0);
  schema->dictionary = &block->dictionary;
  return PL_OK;
}

static pl_status make_node(const pl_arrow_fields *fields, uint32_t at, const pl_allocator *allocator,
                           struct ArrowSchema *schema) {
  const pl_arrow_field *field = &fields->fields[at];
  const pl_ref name = pl_metadata_schema_element(fields->metadata, field->schema_index)->name;
  const char *format = format_of(field);
  /* extension types are not for indices: most ask for the type of their storage */
  const char *extension = field->keeps_dictionary ? NULL : field->type.extension;
  if (field->is_variant)
    extension = variant_name;
  const size_t metadata_size =
      extension != NULL && field->type.crs != NULL ? pl_arrow_geo_metadata(&field->type, NULL, 0) : 0;
  const size_t text_size =
      strlen(format) + 1 + name.count + 1 + (extension == NULL ? 0 : extension_size(extension, metadata_size));
  places places;
  pl_status status = allocate(allocator, field->n_children, text_size, schema, &places);
  if (status != PL_OK)
    return status;
  if (extension != NULL)
    schema->metadata = put_extension(&places.text, extension, &field->type, metadata_size);
  schema->format = put_text(&places.text, format, strlen(format));
  schema->name = put_text(&places.text, PL_AT(char, fields->metadata, name.offset), name.count);
  schema->flags = field->nullable ? ARROW_FLAG_NULLABLE : 0;
  status = make_children(fields, at + 1, allocator, schema);
  if (status == PL_OK && field->keeps_dictionary)
    status = make_dictionary(&field->type, allocator, schema);
  if (status != PL_OK)
    release_schema(schema);
  return status;
}

pl_status pl_arrow_schema_make(const pl_arrow_fields *fields, const pl_allocator *allocator,
                               struct ArrowSchema *schema) {
  places places;
  schema->release = NULL;
  pl_status status = allocate(allocator, fields->n_top, 4, schema, &places);
  if (status != PL_OK)
    return status;
  schema->format = put_text(&places.text, "+s", 2);
  schema->name = put_text(&places.text, "", 0);
  status = make_children(fields, 0, allocator, schema);
  if (status != PL_OK)
    release_schema(schema);
  return status;
}

pl_status pl_arrow_schema_export(const pl_metadata *metadata, const pl_arrow_options *options,
                                 struct ArrowSchema *schema, pl_error *error) {
  pl_limits limits = pl_arrow_limits(options);
  pl_arrow_fields fields;
  schema->release = NULL;
  pl_status status = pl_arrow_fields_make(metadata, options, &limits, &fields, error);
  if (status != PL_OK)
    return status;
  status = pl_arrow_schema_make(&fields, &limits.allocator, schema);
  if (status != PL_OK)
    pl_fail(error, status, 0, -1, -1, "no memory for a schema");
  pl_arrow_fields_free(&fields);
  return status;
}
