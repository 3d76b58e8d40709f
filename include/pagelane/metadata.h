/* The structures of parquet.thrift as pagelane lays them out in memory. Each structure is listed once, as
 * X(structure, thrift field id, kind, name, detail); the C struct, the parser's table (src/file/thrift_tables.c) and the JavaScript
 * view are all made from that list.
 *
 * A footer becomes one flat block, the metadata image: it starts with a `pl_metadata`, every reference in it is an offset
 * from its first byte, so it can be copied, kept or sent elsewhere as bytes. In page headers, which are parsed into a
 * struct of the caller's, binary fields are offsets into the bytes of the header itself.
 *
 * `present` has the bit of a field's id where the field was there: PL_HAS(statistics, s, null_count). Absent fields are 0 (and 0
 * alone may mean nothing: test the bit). Structures kept by PL_KIND_STRUCT_AT have offset 0 when absent. */
#ifndef PAGELANE_METADATA_H
#define PAGELANE_METADATA_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes, or the elements of a list: `count` of them at `offset`. */
typedef struct pl_ref {
  uint32_t offset, count;
} pl_ref;

/* kind of a field -> its C member; `detail` is the structure's or the enumeration's name */
#define PL_MEMBER_BOOL(name, detail) uint8_t name;
#define PL_MEMBER_I8(name, detail) int8_t name;
#define PL_MEMBER_I16(name, detail) int16_t name;
#define PL_MEMBER_I32(name, detail) int32_t name;
#define PL_MEMBER_ENUM(name, detail) int32_t name;
#define PL_MEMBER_I64(name, detail) int64_t name;
#define PL_MEMBER_DOUBLE(name, detail) double name;
#define PL_MEMBER_BINARY(name, detail) pl_ref name;
#define PL_MEMBER_STRING(name, detail) pl_ref name;
#define PL_MEMBER_EMPTY(name, detail) uint8_t name; /* a structure without fields: 1 when there */
#define PL_MEMBER_STRUCT(name, detail) pl_##detail name;
#define PL_MEMBER_STRUCT_AT(name, detail) uint32_t name;
#define PL_MEMBER_LIST_ENUM(name, detail) pl_ref name;   /* of int32_t */
#define PL_MEMBER_LIST_I32(name, detail) pl_ref name;    /* of int32_t */
#define PL_MEMBER_LIST_I64(name, detail) pl_ref name;    /* of int64_t */
#define PL_MEMBER_LIST_STRING(name, detail) pl_ref name; /* of pl_ref */
#define PL_MEMBER_LIST_STRUCT(name, detail) pl_ref name; /* of pl_<detail> */

/* clang-format off */
#define PL_STATISTICS_FIELDS(X, S)                                                                           \
  X(S, 1, BINARY, max, ) X(S, 2, BINARY, min, ) X(S, 3, I64, null_count, ) X(S, 4, I64, distinct_count, )    \
  X(S, 5, BINARY, max_value, ) X(S, 6, BINARY, min_value, ) X(S, 7, BOOL, is_max_value_exact, )              \
  X(S, 8, BOOL, is_min_value_exact, ) X(S, 9, I64, nan_count, )
#define PL_SIZE_STATISTICS_FIELDS(X, S)                                                                      \
  X(S, 1, I64, unencoded_byte_array_data_bytes, ) X(S, 2, LIST_I64, repetition_level_histogram, )            \
  X(S, 3, LIST_I64, definition_level_histogram, )
#define PL_BOUNDING_BOX_FIELDS(X, S)                                                                         \
  X(S, 1, DOUBLE, xmin, ) X(S, 2, DOUBLE, xmax, ) X(S, 3, DOUBLE, ymin, ) X(S, 4, DOUBLE, ymax, )            \
  X(S, 5, DOUBLE, zmin, ) X(S, 6, DOUBLE, zmax, ) X(S, 7, DOUBLE, mmin, ) X(S, 8, DOUBLE, mmax, )
#define PL_GEOSPATIAL_STATISTICS_FIELDS(X, S)                                                                \
  X(S, 1, STRUCT, bbox, bounding_box) X(S, 2, LIST_I32, geospatial_types, )

#define PL_DECIMAL_TYPE_FIELDS(X, S) X(S, 1, I32, scale, ) X(S, 2, I32, precision, )
#define PL_TIME_UNIT_FIELDS(X, S) X(S, 1, EMPTY, MILLIS, ) X(S, 2, EMPTY, MICROS, ) X(S, 3, EMPTY, NANOS, )
#define PL_TIME_TYPE_FIELDS(X, S) X(S, 1, BOOL, is_adjusted_to_UTC, ) X(S, 2, STRUCT, unit, time_unit)
#define PL_TIMESTAMP_TYPE_FIELDS(X, S) X(S, 1, BOOL, is_adjusted_to_UTC, ) X(S, 2, STRUCT, unit, time_unit)
#define PL_INT_TYPE_FIELDS(X, S) X(S, 1, I8, bit_width, ) X(S, 2, BOOL, is_signed, )
#define PL_VARIANT_TYPE_FIELDS(X, S) X(S, 1, I8, specification_version, )
#define PL_GEOMETRY_TYPE_FIELDS(X, S) X(S, 1, STRING, crs, )
#define PL_GEOGRAPHY_TYPE_FIELDS(X, S) X(S, 1, STRING, crs, ) X(S, 2, ENUM, algorithm, edge_algorithm)
/* parquet.thrift `LogicalType`, a union: at most one field is present */
#define PL_LOGICAL_TYPE_FIELDS(X, S)                                                                         \
  X(S, 1, EMPTY, STRING, ) X(S, 2, EMPTY, MAP, ) X(S, 3, EMPTY, LIST, ) X(S, 4, EMPTY, ENUM, )               \
  X(S, 5, STRUCT, DECIMAL, decimal_type) X(S, 6, EMPTY, DATE, ) X(S, 7, STRUCT, TIME, time_type)             \
  X(S, 8, STRUCT, TIMESTAMP, timestamp_type) X(S, 10, STRUCT, INTEGER, int_type)                             \
  X(S, 11, EMPTY, UNKNOWN, ) X(S, 12, EMPTY, JSON, ) X(S, 13, EMPTY, BSON, ) X(S, 14, EMPTY, UUID, )         \
  X(S, 15, EMPTY, FLOAT16, ) X(S, 16, STRUCT, VARIANT, variant_type)                                         \
  X(S, 17, STRUCT, GEOMETRY, geometry_type) X(S, 18, STRUCT, GEOGRAPHY, geography_type)                      \
  X(S, 19, EMPTY, FILE, )

#define PL_SCHEMA_ELEMENT_FIELDS(X, S)                                                                       \
  X(S, 1, ENUM, type, type) X(S, 2, I32, type_length, ) X(S, 3, ENUM, repetition_type, repetition)           \
  X(S, 4, STRING, name, ) X(S, 5, I32, num_children, ) X(S, 6, ENUM, converted_type, converted_type)         \
  X(S, 7, I32, scale, ) X(S, 8, I32, precision, ) X(S, 9, I32, field_id, )                                   \
  X(S, 10, STRUCT_AT, logical_type, logical_type)

#define PL_KEY_VALUE_FIELDS(X, S) X(S, 1, STRING, key, ) X(S, 2, STRING, value, )
#define PL_SORTING_COLUMN_FIELDS(X, S)                                                                       \
  X(S, 1, I32, column_idx, ) X(S, 2, BOOL, descending, ) X(S, 3, BOOL, nulls_first, )
#define PL_PAGE_ENCODING_STATS_FIELDS(X, S)                                                                  \
  X(S, 1, ENUM, page_type, page_type) X(S, 2, ENUM, encoding, encoding) X(S, 3, I32, count, )
#define PL_COLUMN_METADATA_FIELDS(X, S)                                                                      \
  X(S, 1, ENUM, type, type) X(S, 2, LIST_ENUM, encodings, encoding) X(S, 3, LIST_STRING, path_in_schema, )   \
  X(S, 4, ENUM, codec, codec) X(S, 5, I64, num_values, ) X(S, 6, I64, total_uncompressed_size, )             \
  X(S, 7, I64, total_compressed_size, ) X(S, 8, LIST_STRUCT, key_value_metadata, key_value)                  \
  X(S, 9, I64, data_page_offset, ) X(S, 10, I64, index_page_offset, )                                        \
  X(S, 11, I64, dictionary_page_offset, ) X(S, 12, STRUCT_AT, statistics, statistics)                        \
  X(S, 13, LIST_STRUCT, encoding_stats, page_encoding_stats) X(S, 14, I64, bloom_filter_offset, )            \
  X(S, 15, I32, bloom_filter_length, ) X(S, 16, STRUCT_AT, size_statistics, size_statistics)                 \
  X(S, 17, STRUCT_AT, geospatial_statistics, geospatial_statistics)
#define PL_COLUMN_KEY_FIELDS(X, S) X(S, 1, LIST_STRING, path_in_schema, ) X(S, 2, BINARY, key_metadata, )
#define PL_COLUMN_CRYPTO_METADATA_FIELDS(X, S)                                                               \
  X(S, 1, EMPTY, ENCRYPTION_WITH_FOOTER_KEY, ) X(S, 2, STRUCT, ENCRYPTION_WITH_COLUMN_KEY, column_key)
#define PL_COLUMN_CHUNK_FIELDS(X, S)                                                                         \
  X(S, 1, STRING, file_path, ) X(S, 2, I64, file_offset, ) X(S, 3, STRUCT, meta_data, column_metadata)       \
  X(S, 4, I64, offset_index_offset, ) X(S, 5, I32, offset_index_length, )                                    \
  X(S, 6, I64, column_index_offset, ) X(S, 7, I32, column_index_length, )                                    \
  X(S, 8, STRUCT_AT, crypto_metadata, column_crypto_metadata) X(S, 9, BINARY, encrypted_column_metadata, )
#define PL_ROW_GROUP_FIELDS(X, S)                                                                            \
  X(S, 1, LIST_STRUCT, columns, column_chunk) X(S, 2, I64, total_byte_size, ) X(S, 3, I64, num_rows, )       \
  X(S, 4, LIST_STRUCT, sorting_columns, sorting_column) X(S, 5, I64, file_offset, )                          \
  X(S, 6, I64, total_compressed_size, ) X(S, 7, I16, ordinal, )
#define PL_COLUMN_ORDER_FIELDS(X, S) X(S, 1, EMPTY, TYPE_ORDER, ) X(S, 2, EMPTY, IEEE_754_TOTAL_ORDER, )
#define PL_AES_GCM_FIELDS(X, S)                                                                              \
  X(S, 1, BINARY, aad_prefix, ) X(S, 2, BINARY, aad_file_unique, ) X(S, 3, BOOL, supply_aad_prefix, )
#define PL_ENCRYPTION_ALGORITHM_FIELDS(X, S)                                                                 \
  X(S, 1, STRUCT, AES_GCM_V1, aes_gcm) X(S, 2, STRUCT, AES_GCM_CTR_V1, aes_gcm)
#define PL_FILE_METADATA_FIELDS(X, S)                                                                        \
  X(S, 1, I32, version, ) X(S, 2, LIST_STRUCT, schema, schema_element) X(S, 3, I64, num_rows, )              \
  X(S, 4, LIST_STRUCT, row_groups, row_group) X(S, 5, LIST_STRUCT, key_value_metadata, key_value)            \
  X(S, 6, STRING, created_by, ) X(S, 7, LIST_STRUCT, column_orders, column_order)                            \
  X(S, 8, STRUCT, encryption_algorithm, encryption_algorithm)                                                \
  X(S, 9, BINARY, footer_signing_key_metadata, )

#define PL_DATA_PAGE_HEADER_FIELDS(X, S)                                                                     \
  X(S, 1, I32, num_values, ) X(S, 2, ENUM, encoding, encoding)                                               \
  X(S, 3, ENUM, definition_level_encoding, encoding) X(S, 4, ENUM, repetition_level_encoding, encoding)      \
  X(S, 5, STRUCT, statistics, statistics)
#define PL_DICTIONARY_PAGE_HEADER_FIELDS(X, S)                                                               \
  X(S, 1, I32, num_values, ) X(S, 2, ENUM, encoding, encoding) X(S, 3, BOOL, is_sorted, )
#define PL_DATA_PAGE_HEADER_V2_FIELDS(X, S)                                                                  \
  X(S, 1, I32, num_values, ) X(S, 2, I32, num_nulls, ) X(S, 3, I32, num_rows, )                              \
  X(S, 4, ENUM, encoding, encoding) X(S, 5, I32, definition_levels_byte_length, )                            \
  X(S, 6, I32, repetition_levels_byte_length, ) X(S, 7, BOOL, is_compressed, )                               \
  X(S, 8, STRUCT, statistics, statistics)
#define PL_PAGE_HEADER_FIELDS(X, S)                                                                          \
  X(S, 1, ENUM, type, page_type) X(S, 2, I32, uncompressed_page_size, )                                      \
  X(S, 3, I32, compressed_page_size, ) X(S, 4, I32, crc, )                                                   \
  X(S, 5, STRUCT, data_page_header, data_page_header) X(S, 6, EMPTY, index_page_header, )                    \
  X(S, 7, STRUCT, dictionary_page_header, dictionary_page_header)                                            \
  X(S, 8, STRUCT, data_page_header_v2, data_page_header_v2)

/* A leaf of the schema, derived from it: what decoding a column needs. (Not of parquet.thrift; made by the same lists so
 * that JavaScript sees it too. Field ids are ordinals.) */
#define PL_COLUMN_DESCRIPTOR_FIELDS(X, S)                                                                    \
  X(S, 1, ENUM, type, type) X(S, 2, I32, type_length, ) X(S, 3, I32, max_definition_level, )                 \
  X(S, 4, I32, max_repetition_level, ) X(S, 5, I32, schema_index, ) X(S, 6, I32, root_index, )               \
  X(S, 7, I32, depth, ) X(S, 8, I64, repeated_levels, ) X(S, 9, I64, repeated_levels_high, )
/* max levels: as the schema gives them. schema_index: of the leaf in FileMetaData.schema. root_index: of its ancestor
 * directly below the root. depth: 1 for a top-level leaf. repeated_levels: bit d - 1 is set where definition level d comes
 * from a REPEATED element and not an OPTIONAL one; levels from 65 on in the high half. */

/* What an element of the schema is to a reader of Arrow's types (LogicalTypes.md, "Nested Types", with its rules for older
 * writers). An element that is REPEATED itself and is not the one child of a LIST or MAP is a list of what its kind says.
 *   LEAF         has values
 *   STRUCT       a field a child
 *   LIST         its one child is REPEATED: when that is LIST_ITEMS, the list's element is the child of that, else it is
 *                the child itself, without nulls of its own
 *   LIST_ITEMS   the level between a LIST and its element; nothing of its own
 *   MAP          its one child is MAP_ENTRIES
 *   MAP_ENTRIES  a struct of key and value; the value may be missing
 *   VARIANT      a struct of metadata, value and perhaps typed_value */
#define PL_NODE_KIND_LIST(X)                                                                                 \
  X(LEAF, 0) X(STRUCT, 1) X(LIST, 2) X(LIST_ITEMS, 3) X(MAP, 4) X(MAP_ENTRIES, 5) X(VARIANT, 6)
#define PL_NODE_KIND_ENUM(name, value) PL_NODE_##name = (value),
typedef enum pl_node_kind { PL_NODE_KIND_LIST(PL_NODE_KIND_ENUM) } pl_node_kind;
#undef PL_NODE_KIND_ENUM

/* An element of the schema seen as Arrow sees it, at the same index. (Not of parquet.thrift either.) */
#define PL_SCHEMA_NODE_FIELDS(X, S)                                                                          \
  X(S, 1, ENUM, kind, node_kind) X(S, 2, I32, max_definition_level, ) X(S, 3, I32, max_repetition_level, )   \
  X(S, 4, I32, end_index, ) X(S, 5, I32, first_column, ) X(S, 6, I32, end_column, )
/* kind: see PL_NODE_KIND_LIST. max levels: of entries in which the element is there. Its subtree ends before end_index; the
 * leaves in it are columns first_column ... end_column - 1. */

/* Every structure, inner ones first: X(NAME, name) */
#define PL_STRUCT_LIST(X)                                                                                    \
  X(STATISTICS, statistics) X(SIZE_STATISTICS, size_statistics) X(BOUNDING_BOX, bounding_box)                \
  X(GEOSPATIAL_STATISTICS, geospatial_statistics) X(DECIMAL_TYPE, decimal_type) X(TIME_UNIT, time_unit)      \
  X(TIME_TYPE, time_type) X(TIMESTAMP_TYPE, timestamp_type) X(INT_TYPE, int_type)                            \
  X(VARIANT_TYPE, variant_type) X(GEOMETRY_TYPE, geometry_type) X(GEOGRAPHY_TYPE, geography_type)            \
  X(LOGICAL_TYPE, logical_type) X(SCHEMA_ELEMENT, schema_element) X(KEY_VALUE, key_value)                    \
  X(SORTING_COLUMN, sorting_column) X(PAGE_ENCODING_STATS, page_encoding_stats)                              \
  X(COLUMN_METADATA, column_metadata) X(COLUMN_KEY, column_key)                                              \
  X(COLUMN_CRYPTO_METADATA, column_crypto_metadata) X(COLUMN_CHUNK, column_chunk) X(ROW_GROUP, row_group)    \
  X(COLUMN_ORDER, column_order) X(AES_GCM, aes_gcm) X(ENCRYPTION_ALGORITHM, encryption_algorithm)            \
  X(FILE_METADATA, file_metadata) X(DATA_PAGE_HEADER, data_page_header)                                      \
  X(DICTIONARY_PAGE_HEADER, dictionary_page_header) X(DATA_PAGE_HEADER_V2, data_page_header_v2)              \
  X(PAGE_HEADER, page_header) X(COLUMN_DESCRIPTOR, column_descriptor) X(SCHEMA_NODE, schema_node)

/* clang-format on */

#define PL_STRUCT_MEMBER(S, id, kind, name, detail) PL_MEMBER_##kind(name, detail)
#define PL_STRUCT_BIT(S, id, kind, name, detail) PL_BIT_##S##_##name = (id),
#define PL_STRUCT_DEFINE(NAME, name)                                                                           \
  typedef struct pl_##name {                                                                                   \
    uint32_t present;                                                                                          \
    PL_##NAME##_FIELDS(PL_STRUCT_MEMBER, name)                                                                 \
  } pl_##name;                                                                                                 \
  enum { PL_##NAME##_FIELDS(PL_STRUCT_BIT, name) };
PL_STRUCT_LIST(PL_STRUCT_DEFINE)
#undef PL_STRUCT_DEFINE

/* Was the field there? PL_HAS(statistics, s, null_count) */
#define PL_HAS(struct_name, pointer, field) (((pointer)->present >> PL_BIT_##struct_name##_##field & 1u) != 0)

/* The image's first bytes. */
typedef struct pl_metadata {
  uint32_t image_size;  /* bytes of the whole image */
  uint32_t footer_size; /* bytes of the thrift footer it was made from */
  uint64_t file_size;
  pl_file_metadata file;
  pl_ref
      columns; /* of pl_column_descriptor, one a leaf in schema order: column chunk i of a row group is leaf i */
  pl_ref nodes; /* of pl_schema_node, one for each element of file.schema */
} pl_metadata;

/* What a reference points to. `metadata` is the image; no bounds are checked: a finished image holds only good ones. */
#define PL_AT(type, metadata, ref_offset)                                                                      \
  ((const type *)(const void *)((const char *)(metadata) + (ref_offset)))

#ifdef __cplusplus
}
#endif
#endif
