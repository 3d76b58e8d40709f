/* Handing on to Arrow: columns through the C Data Interface, whole files through the C Stream Interface. Nothing of Arrow's
 * own libraries is needed, neither here nor by the program.
 *
 *   pl_arrow_stream source = ... ;   struct ArrowArrayStream stream;
 *   pl_arrow_stream_open(&source, &options, &stream, &error);
 *   stream.get_next(&stream, &array) ... until array.release is NULL; each: array.release(&array)
 *   stream.release(&stream)
 *
 * Types are Arrow's own for the annotations of the schema (LogicalTypes.md), with these choices:
 *   JSON, UUID, VARIANT, GEOMETRY   Utf8, FixedSizeBinary(16), Struct, Binary with the extension types arrow.json, arrow.uuid,
 *                                   arrow.parquet.variant (whole variants), geoarrow.wkb; not on dictionaries
 *   DECIMAL                         128 bits up to 38 digits, 256 up to 76; with more digits as stored
 *   INTERVAL                        months, days, nanoseconds; a count above INT32_MAX is PL_UNSUPPORTED
 *   INT96                           see pl_arrow_int96
 *   a map without values, or whose keys are declared OPTIONAL: a list of its entries
 *
 * Who owns what: an array owns its memory, whole and alone. Buffers are those that the pages were decoded into (values that
 * Arrow lays out in another way are converted once), and the release callback gives them back; nothing refers to the
 * file, the stream or the metadata. Children may be moved out of a struct array, as the specification says; each top-level
 * column stays as long as any array of its tree. Release callbacks may run in any thread, so the allocator must be one that
 * may be called from there (the default is).
 *
 * Source: Arrow, "The Arrow C data interface", "The Arrow C stream interface". */
#ifndef PAGELANE_ARROW_H
#define PAGELANE_ARROW_H

#include "file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The structures of the two specifications, under the guards that they ask for. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif

/* What becomes of INT96 (nanoseconds of a day and a Julian day), whose range no 64-bit timestamp has. A value outside the
 * range of the unit is PL_UNSUPPORTED. */
typedef enum pl_arrow_int96 {
  PL_ARROW_INT96_NANOSECONDS = 0, /* timestamp, years 1677 to 2262 */
  PL_ARROW_INT96_MICROSECONDS,    /* timestamp, rounded down */
  PL_ARROW_INT96_MILLISECONDS,    /* timestamp, rounded down */
  PL_ARROW_INT96_BYTES,           /* FixedSizeBinary(12), as stored */
} pl_arrow_int96;

typedef struct pl_arrow_options {
  size_t struct_size;      /* sizeof(pl_arrow_options) */
  const uint32_t *columns; /* leaves, in any order; NULL: all. Fields come in the order of the schema */
  uint32_t n_columns;
  pl_arrow_int96 int96;
  /* Columns stay dictionary-encoded (int32 indices) where the metadata of every row group says that all their pages are. */
  bool keep_dictionaries;
  /* Strings and binaries have 64-bit offsets (Arrow's large types), so that a batch may hold 2 GiB of them and more. */
  bool large_offsets;
  const pl_limits
      *limits; /* allocator and limits, copied; max_bytes is that of one batch. NULL: the defaults */
} pl_arrow_options;

/* ---- Whole files ---- */

/* Where the bytes of a file come from: `bytes`, or, when that is NULL, `read`. */
typedef struct pl_arrow_source {
  size_t struct_size;   /* sizeof(pl_arrow_source) */
  uint64_t file_size;   /* bytes */
  const uint8_t *bytes; /* the file; must stay until the stream is released */
  /* Fills out[0 ... size - 1] with the bytes of the file from `offset` on; 0, or an errno number. Ranges lie in the file. */
  int (*read)(void *context, uint64_t offset, uint64_t size, uint8_t *out);
  void (*release)(void *context); /* with the stream, or when opening fails; may be NULL */
  void *context;
} pl_arrow_source;

/* Reads the footer, and makes a stream of the file's rows: a struct array a row group, in their order. `options` may be NULL.
 * The stream's callbacks return 0 or an errno number: ENOMEM for PL_NO_MEMORY and PL_LIMIT, ENOTSUP for PL_UNSUPPORTED,
 * EINVAL where the file is wrong, and what `read` returned. get_last_error then names column, row group, byte and reason.
 * After an error in a row group the next call tries the same one again. */
PL_API pl_status pl_arrow_stream_open(const pl_arrow_source *source, const pl_arrow_options *options,
                                      struct ArrowArrayStream *stream, pl_error *error);

/* ---- For programs that read the chunks themselves ---- */

/* The schema of the chosen columns as a struct. It owns its memory and needs `metadata` no more. PL_BAD_ARGUMENT: a column out
 * of range. */
PL_API pl_status pl_arrow_schema_export(const pl_metadata *metadata, const pl_arrow_options *options,
                                        struct ArrowSchema *schema, pl_error *error);

/* Is that column to be read with PL_BUILDER_KEEP_DICTIONARY, with these options? */
PL_API bool pl_arrow_keeps_dictionary(const pl_metadata *metadata, const pl_arrow_options *options,
                                      uint32_t column);

/* Everything that builders hold as one struct array with that schema. builders[i] belongs to the i-th of the chosen columns in
 * the order of the schema, has the flags 0 or PL_BUILDER_KEEP_DICTIONARY as pl_arrow_keeps_dictionary says, and n_rows whole
 * rows, none of them taken. On PL_OK the builders belong to the array: its release destroys them, so their ledger must live
 * until then, and be used by one thread at a time. After a failure they are still the caller's, and only good for
 * pl_column_builder_destroy. PL_CORRUPT: columns of one group that contradict each other; a decimal with more digits than its
 * type has. */
PL_API pl_status pl_arrow_array_export(const pl_metadata *metadata, const pl_arrow_options *options,
                                       pl_column_builder *const *builders, uint64_t n_rows,
                                       struct ArrowArray *array, pl_error *error);

#ifdef __cplusplus
}
#endif
#endif
