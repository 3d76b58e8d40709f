/* Thrift's compact protocol, read by tables. What parquet.thrift defines stands once, in the lists of
 * metadata.h; src/file/thrift_tables.c makes rows of constants from them, one function reads every
 * structure by its rows, and JavaScript reads the rows themselves to find its way in a metadata image.
 *
 * Layout of the tables in wasm memory (32-bit pointers, little-endian; pl_thrift_tables() gives the address of
 * the first). Names are bytes with a zero at the end, spelled as in parquet.thrift.
 *
 *   pl_thrift_tables        structs u32 @0, n_structs u32 @4, enums u32 @8, n_enums u32 @12,
 *     (28 bytes)            file_offset u32 @16, columns_offset u32 @20, nodes_offset u32 @24
 *   pl_thrift_struct        name u32 @0, fields u32 @4, size u16 @8, n_fields u16 @10
 *     (12 bytes)
 *   pl_thrift_field         name u32 @0, offset u16 @4, detail u16 @6, id u8 @8, kind u8 @9
 *     (12 bytes)
 *   pl_thrift_enum          name u32 @0, values u32 @4, n_values u32 @8
 *     (12 bytes)
 *   pl_thrift_enum_value    name u32 @0, value i32 @4
 *     (8 bytes)
 *
 * A structure of an image starts with `present` (u32): bit `id` is set when that field was there. Field values
 * stand at `offset` from the structure's first byte, by their kind (numbers and sizes: PL_THRIFT_KIND_LIST;
 * the enumeration named "kind" has them too). A reference is offset u32, count u32, the offset counted from
 * the image's first byte; elements of a list follow each other without gaps, `size` bytes of their structure
 * or of their kind each. STRUCT is the structure itself, in place; STRUCT_AT is its u32 offset, 0 when absent.
 */
#ifndef PAGELANE_FILE_THRIFT_H
#define PAGELANE_FILE_THRIFT_H

#include "base/memory.h"
#include "base/reader.h"
#include "pagelane/metadata.h"

/* X(kind, number, wire type in a field, bytes in the structure, kind of a list's elements) */
#define PL_THRIFT_KIND_LIST(X)                                                                                 \
  X(BOOL, 0, 2, 1, BOOL)                                                                                       \
  X(I8, 1, 3, 1, I8)                                                                                           \
  X(I16, 2, 4, 2, I16)                                                                                         \
  X(I32, 3, 5, 4, I32)                                                                                         \
  X(ENUM, 4, 5, 4, ENUM)                                                                                       \
  X(I64, 5, 6, 8, I64)                                                                                         \
  X(DOUBLE, 6, 7, 8, DOUBLE)                                                                                   \
  X(BINARY, 7, 8, 8, BINARY)                                                                                   \
  X(STRING, 8, 8, 8, STRING)                                                                                   \
  X(EMPTY, 9, 12, 1, EMPTY)                                                                                    \
  X(STRUCT, 10, 12, 0, STRUCT)                                                                                 \
  X(STRUCT_AT, 11, 12, 4, STRUCT_AT)                                                                           \
  X(LIST_ENUM, 12, 9, 8, ENUM)                                                                                 \
  X(LIST_I32, 13, 9, 8, I32)                                                                                   \
  X(LIST_I64, 14, 9, 8, I64)                                                                                   \
  X(LIST_STRING, 15, 9, 8, STRING)                                                                             \
  X(LIST_STRUCT, 16, 9, 8, STRUCT)

#define PL_THRIFT_KIND_ENUM(kind, number, wire, size, element) PL_THRIFT_##kind = (number),
typedef enum pl_thrift_kind { PL_THRIFT_KIND_LIST(PL_THRIFT_KIND_ENUM) } pl_thrift_kind;
#undef PL_THRIFT_KIND_ENUM

/* Numbers of the structures: PL_STRUCT_file_metadata is its index in the table. */
#define PL_THRIFT_STRUCT_ENUM(NAME, name) PL_STRUCT_##name,
typedef enum pl_struct_id { PL_STRUCT_LIST(PL_THRIFT_STRUCT_ENUM) PL_N_STRUCTS } pl_struct_id;
#undef PL_THRIFT_STRUCT_ENUM

/* Numbers of the enumerations, by the name that `detail` has in the lists of metadata.h. The last three belong
 * to no thrift field; they are there for JavaScript. */
#define PL_THRIFT_ENUM_LIST(X)                                                                                 \
  X(TYPE, type)                                                                                                \
  X(ENCODING, encoding)                                                                                        \
  X(CODEC, codec)                                                                                              \
  X(PAGE_TYPE, page_type)                                                                                      \
  X(REPETITION, repetition)                                                                                    \
  X(CONVERTED_TYPE, converted_type)                                                                            \
  X(EDGE_ALGORITHM, edge_algorithm)                                                                            \
  X(NODE_KIND, node_kind)                                                                                      \
  X(STATUS, status)                                                                                            \
  X(STEP, step)                                                                                                \
  X(THRIFT_KIND, kind)
#define PL_THRIFT_ENUM_ENUM(NAME, name) PL_ENUM_##name,
typedef enum pl_enum_id { PL_THRIFT_ENUM_LIST(PL_THRIFT_ENUM_ENUM) PL_N_ENUMS } pl_enum_id;
#undef PL_THRIFT_ENUM_ENUM

typedef struct pl_thrift_field {
  const char *name;
  uint16_t offset; /* in the structure */
  uint16_t detail; /* STRUCT, STRUCT_AT, LIST_STRUCT: pl_struct_id. ENUM, LIST_ENUM: pl_enum_id. Else 0 */
  uint8_t id;
  uint8_t kind; /* pl_thrift_kind */
} pl_thrift_field;

typedef struct pl_thrift_struct {
  const char *name;
  const pl_thrift_field *fields; /* ids ascending */
  uint16_t size;                 /* of the structure, and of an element in a list */
  uint16_t n_fields;
} pl_thrift_struct;

typedef struct pl_thrift_enum_value {
  const char *name;
  int32_t value;
} pl_thrift_enum_value;

typedef struct pl_thrift_enum {
  const char *name;
  const pl_thrift_enum_value *values;
  uint32_t n_values;
} pl_thrift_enum;

typedef struct pl_thrift_tables {
  const pl_thrift_struct *structs; /* by pl_struct_id */
  uint32_t n_structs;
  const pl_thrift_enum *enums; /* by pl_enum_id */
  uint32_t n_enums;
  uint32_t file_offset;    /* of pl_metadata.file: a file_metadata stands there in an image */
  uint32_t columns_offset; /* of pl_metadata.columns: a reference to the list of column_descriptor */
  uint32_t nodes_offset;   /* of pl_metadata.nodes: a reference to the list of schema_node */
} pl_thrift_tables;

const pl_thrift_tables *pl_thrift_tables_get(void);

/* Unknown fields may nest; no setting of max_schema_depth lets them go deeper than a small stack bears. */
enum { PL_THRIFT_MAX_DEPTH = 512 };

/* Limit of nesting: max_schema_depth, but at most PL_THRIFT_MAX_DEPTH. */
uint32_t pl_depth_limit(const pl_limits *limits);

/* Reads from `in` into an image. Structures whose fields need memory of their own (lists, STRUCT_AT) put it at
 * the image's end, which grows: only offsets survive. With `limits` NULL the image is the caller's own, as
 * it is; such fields then may not occur. */
typedef struct pl_thrift_reader {
  pl_reader in;
  const uint8_t *start; /* position 0 of the bytes read */
  uint64_t max_size;    /* bytes that may be read, had they been given: PL_LIMIT, not PL_TRUNCATED, past them */
  uint32_t source_offset; /* what a binary's reference adds to its position */
  uint32_t depth_left;
  pl_buffer image;     /* with limits: charged to them */
  uint64_t image_size; /* of it, used */
  pl_limits *limits;
  int64_t number;      /* after a failure: what it was about, or -1 */
  const char *message; /* after a failure; the place is in.next */
} pl_thrift_reader;

/* Where image[at] is until the image grows. */
static inline uint8_t *pl_thrift_at(const pl_thrift_reader *reader, uint64_t at) {
  return (uint8_t *)reader->image.bytes + at;
}

/* Reads one structure to image[at]: zeroes it, then sets every known field that is there and its bit in
 * `present`. Passed like unknown fields, and left absent, are those of another wire type than their kind's, as
 * in readers generated by Thrift: dict-page-offset-zero.parquet of parquet-testing has such a field. A field
 * that occurs twice keeps its last value. PL_CORRUPT: not the compact protocol, or a number that does not fit
 * its type. PL_TRUNCATED: cut. PL_LIMIT: too deep, too long, or no more memory allowed. PL_NO_MEMORY. */
pl_status pl_thrift_read(pl_thrift_reader *reader, pl_struct_id structure, uint64_t at);

/* Room for size bytes at the image's end, aligned for 8-byte values. *at: where. Not zeroed. */
pl_status pl_thrift_reserve(pl_thrift_reader *reader, uint64_t size, uint64_t *at);

#endif
