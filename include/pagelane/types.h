/* The words of parquet.thrift (types, encodings, codecs, page types), and the limits of all reading. Each list stands
 * here once; names and numbers reach every other place, JavaScript included, from it. */
#ifndef PAGELANE_TYPES_H
#define PAGELANE_TYPES_H

#include "status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
/* parquet.thrift `Type` */
#define PL_TYPE_LIST(X)                                                                                      \
  X(BOOLEAN, 0) X(INT32, 1) X(INT64, 2) X(INT96, 3) X(FLOAT, 4) X(DOUBLE, 5) X(BYTE_ARRAY, 6)                \
  X(FIXED_LEN_BYTE_ARRAY, 7)

/* parquet.thrift `Encoding`, and the two of the preview encodings that have a number of their own */
#define PL_ENCODING_LIST(X)                                                                                  \
  X(PLAIN, 0) X(PLAIN_DICTIONARY, 2) X(RLE, 3) X(BIT_PACKED, 4) X(DELTA_BINARY_PACKED, 5)                    \
  X(DELTA_LENGTH_BYTE_ARRAY, 6) X(DELTA_BYTE_ARRAY, 7) X(RLE_DICTIONARY, 8) X(BYTE_STREAM_SPLIT, 9)          \
  X(ALP, 10) X(PFOR, 11)

/* parquet.thrift `CompressionCodec` */
#define PL_CODEC_LIST(X)                                                                                     \
  X(UNCOMPRESSED, 0) X(SNAPPY, 1) X(GZIP, 2) X(LZO, 3) X(BROTLI, 4) X(LZ4, 5) X(ZSTD, 6) X(LZ4_RAW, 7)

/* parquet.thrift `PageType` */
#define PL_PAGE_TYPE_LIST(X) X(DATA_PAGE, 0) X(INDEX_PAGE, 1) X(DICTIONARY_PAGE, 2) X(DATA_PAGE_V2, 3)

/* parquet.thrift `FieldRepetitionType` */
#define PL_REPETITION_LIST(X) X(REQUIRED, 0) X(OPTIONAL, 1) X(REPEATED, 2)

/* parquet.thrift `ConvertedType` */
#define PL_CONVERTED_TYPE_LIST(X)                                                                            \
  X(UTF8, 0) X(MAP, 1) X(MAP_KEY_VALUE, 2) X(LIST, 3) X(ENUM, 4) X(DECIMAL, 5) X(DATE, 6) X(TIME_MILLIS, 7)  \
  X(TIME_MICROS, 8) X(TIMESTAMP_MILLIS, 9) X(TIMESTAMP_MICROS, 10) X(UINT_8, 11) X(UINT_16, 12)              \
  X(UINT_32, 13) X(UINT_64, 14) X(INT_8, 15) X(INT_16, 16) X(INT_32, 17) X(INT_64, 18) X(JSON, 19)           \
  X(BSON, 20) X(INTERVAL, 21)

/* parquet.thrift `EdgeInterpolationAlgorithm`, of GEOGRAPHY */
#define PL_EDGE_ALGORITHM_LIST(X) X(SPHERICAL, 0) X(VINCENTY, 1) X(THOMAS, 2) X(ANDOYER, 3) X(KARNEY, 4)

/* clang-format on */

#define PL_ENUM_TYPE(name, value) PL_TYPE_##name = (value),
#define PL_ENUM_ENCODING(name, value) PL_ENCODING_##name = (value),
#define PL_ENUM_CODEC(name, value) PL_CODEC_##name = (value),
#define PL_ENUM_PAGE_TYPE(name, value) PL_PAGE_TYPE_##name = (value),
#define PL_ENUM_REPETITION(name, value) PL_REPETITION_##name = (value),
#define PL_ENUM_CONVERTED_TYPE(name, value) PL_CONVERTED_TYPE_##name = (value),
#define PL_ENUM_EDGE_ALGORITHM(name, value) PL_EDGE_ALGORITHM_##name = (value),
typedef enum pl_type { PL_TYPE_LIST(PL_ENUM_TYPE) } pl_type;
typedef enum pl_encoding { PL_ENCODING_LIST(PL_ENUM_ENCODING) } pl_encoding;
typedef enum pl_codec { PL_CODEC_LIST(PL_ENUM_CODEC) } pl_codec;
typedef enum pl_page_type { PL_PAGE_TYPE_LIST(PL_ENUM_PAGE_TYPE) } pl_page_type;
typedef enum pl_repetition { PL_REPETITION_LIST(PL_ENUM_REPETITION) } pl_repetition;
typedef enum pl_converted_type { PL_CONVERTED_TYPE_LIST(PL_ENUM_CONVERTED_TYPE) } pl_converted_type;
typedef enum pl_edge_algorithm { PL_EDGE_ALGORITHM_LIST(PL_ENUM_EDGE_ALGORITHM) } pl_edge_algorithm;
#undef PL_ENUM_TYPE
#undef PL_ENUM_ENCODING
#undef PL_ENUM_CODEC
#undef PL_ENUM_PAGE_TYPE
#undef PL_ENUM_REPETITION
#undef PL_ENUM_CONVERTED_TYPE
#undef PL_ENUM_EDGE_ALGORITHM

/* Names as parquet.thrift spells them ("INT64", "RLE_DICTIONARY"); NULL for a number that is not in the list. */
PL_API const char *pl_type_name(int32_t type);
PL_API const char *pl_encoding_name(int32_t encoding);
PL_API const char *pl_codec_name(int32_t codec);
PL_API const char *pl_page_type_name(int32_t page_type);

/* Memory from the caller. `resize(context, NULL, 0, n)` allocates, `resize(context, p, old, 0)` frees and returns NULL,
 * anything else moves; NULL for n > 0 means there is none and leaves p as it was. Results are aligned for 8-byte values. */
typedef struct pl_allocator {
  void *(*resize)(void *context, void *pointer, size_t old_size, size_t new_size);
  void *context;
} pl_allocator;

/* X(name, default, what): every limit with its default, once. Options with 0 mean the default. */
#define PL_LIMITS_LIST(X)                                                                                      \
  X(max_bytes, PL_DEFAULT_MAX_BYTES, "bytes held at once: input windows, pages, dictionaries, outputs")        \
  X(max_page_header_bytes, 16u << 20, "bytes of one page header")                                              \
  X(max_footer_bytes, 256u << 20, "bytes of the footer")                                                       \
  X(max_schema_depth, 100, "depth of the schema, and of any thrift structure")

#ifdef __wasm__
#define PL_DEFAULT_MAX_BYTES (1ull << 30)
#else
#define PL_DEFAULT_MAX_BYTES (4ull << 30)
#endif

/* The ledger that everything which takes memory is charged to. One ledger may serve any number of objects of one
 * thread. A passed limit is PL_LIMIT before anything is allocated. */
typedef struct pl_limits {
  size_t struct_size; /* sizeof(pl_limits), set by pl_limits_init */
#define PL_LIMITS_FIELD(name, default_value, what) uint64_t name;
  PL_LIMITS_LIST(PL_LIMITS_FIELD)
#undef PL_LIMITS_FIELD
  pl_allocator allocator;
  uint64_t used_bytes; /* what is charged now */
  uint64_t peak_bytes; /* the most that ever was */
  uint64_t serial;     /* objects made so far */
} pl_limits;

/* All defaults, the C library's allocator, nothing charged. */
PL_API void pl_limits_init(pl_limits *limits);
/* Counts bytes that the caller holds itself (a fetched range, an output array) against max_bytes. PL_LIMIT when they
 * do not fit; then nothing is charged. */
PL_API pl_status pl_limits_charge(pl_limits *limits, uint64_t size);
PL_API void pl_limits_release(pl_limits *limits, uint64_t size);

#ifdef __cplusplus
}
#endif
#endif
