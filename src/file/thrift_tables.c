/* The rows of constants that the lists of metadata.h and types.h become. */
#include "file/thrift.h"

#include "pagelane/file.h"

/* detail -> number, by kind; kinds without a detail have an empty one */
#define DETAIL_BOOL(detail) 0
#define DETAIL_I8(detail) 0
#define DETAIL_I16(detail) 0
#define DETAIL_I32(detail) 0
#define DETAIL_ENUM(detail) PL_ENUM_##detail
#define DETAIL_I64(detail) 0
#define DETAIL_DOUBLE(detail) 0
#define DETAIL_BINARY(detail) 0
#define DETAIL_STRING(detail) 0
#define DETAIL_EMPTY(detail) 0
#define DETAIL_STRUCT(detail) PL_STRUCT_##detail
#define DETAIL_STRUCT_AT(detail) PL_STRUCT_##detail
#define DETAIL_LIST_ENUM(detail) PL_ENUM_##detail
#define DETAIL_LIST_I32(detail) 0
#define DETAIL_LIST_I64(detail) 0
#define DETAIL_LIST_STRING(detail) 0
#define DETAIL_LIST_STRUCT(detail) PL_STRUCT_##detail

#define FIELD(S, id, kind, name, detail)                                                                       \
  {#name, offsetof(pl_##S, name), DETAIL_##kind(detail), (id), PL_THRIFT_##kind},
#define FIELDS(NAME, name) static const pl_thrift_field name##_fields[] = {PL_##NAME##_FIELDS(FIELD, name)};
PL_STRUCT_LIST(FIELDS)

#define STRUCT(NAME, name)                                                                                     \
  {#name, name##_fields, sizeof(pl_##name), sizeof name##_fields / sizeof name##_fields[0]},
static const pl_thrift_struct structs[] = {PL_STRUCT_LIST(STRUCT)};

/* A field's bit in `present` is its id; offsets and sizes are kept in 16 bits. */
#define FIELD_FITS(S, id, kind, name, detail) _Static_assert((id) > 0 && (id) < 32, "field id");
#define STRUCT_FITS(NAME, name)                                                                                \
  PL_##NAME##_FIELDS(FIELD_FITS, name) _Static_assert(sizeof(pl_##name) < 65536, "size of a structure");
PL_STRUCT_LIST(STRUCT_FITS)

/* The layout that thrift.h promises for wasm. */
_Static_assert(sizeof(void *) != 4 || sizeof(pl_thrift_field) == 12, "layout");
_Static_assert(sizeof(void *) != 4 || sizeof(pl_thrift_struct) == 12, "layout");
_Static_assert(sizeof(void *) != 4 || sizeof(pl_thrift_enum) == 12, "layout");
_Static_assert(sizeof(void *) != 4 || sizeof(pl_thrift_tables) == 28, "layout");

#define VALUE(name, value) {#name, (value)},
#define KIND_VALUE(name, value, wire, size, element) VALUE(name, value)
#define PL_THRIFT_KIND_VALUES(X) PL_THRIFT_KIND_LIST(KIND_VALUE)
static const pl_thrift_enum_value type_values[] = {PL_TYPE_LIST(VALUE)};
static const pl_thrift_enum_value encoding_values[] = {PL_ENCODING_LIST(VALUE)};
static const pl_thrift_enum_value codec_values[] = {PL_CODEC_LIST(VALUE)};
static const pl_thrift_enum_value page_type_values[] = {PL_PAGE_TYPE_LIST(VALUE)};
static const pl_thrift_enum_value repetition_values[] = {PL_REPETITION_LIST(VALUE)};
static const pl_thrift_enum_value converted_type_values[] = {PL_CONVERTED_TYPE_LIST(VALUE)};
static const pl_thrift_enum_value edge_algorithm_values[] = {PL_EDGE_ALGORITHM_LIST(VALUE)};
static const pl_thrift_enum_value node_kind_values[] = {PL_NODE_KIND_LIST(VALUE)};
static const pl_thrift_enum_value status_values[] = {PL_STATUS_LIST(VALUE)};
static const pl_thrift_enum_value step_values[] = {PL_STEP_LIST(VALUE)};
static const pl_thrift_enum_value kind_values[] = {PL_THRIFT_KIND_VALUES(VALUE)};

#define ENUM_ROW(NAME, name) {#name, name##_values, sizeof name##_values / sizeof name##_values[0]},
static const pl_thrift_enum enums[] = {PL_THRIFT_ENUM_LIST(ENUM_ROW)};

static const pl_thrift_tables tables = {
    structs,
    PL_N_STRUCTS,
    enums,
    PL_N_ENUMS,
    offsetof(pl_metadata, file),
    offsetof(pl_metadata, columns),
    offsetof(pl_metadata, nodes),
};

const pl_thrift_tables *pl_thrift_tables_get(void) {
  return &tables;
}
