/* A footer made by hand from a description, which a test takes as it is or breaks in one place. */
#ifndef PAGELANE_TESTS_FOOTER_WRITER_H
#define PAGELANE_TESTS_FOOTER_WRITER_H

#include "pagelane/file.h"
#include "thrift_writer.h"

enum { ABSENT = INT32_MIN, MOST_ELEMENTS = 8, MOST_GROUPS = 3, MOST_CHUNKS = 5 };
#define FILE_SIZE UINT64_C(100000)

typedef struct element_spec {
  const char *name;
  int64_t type, type_length, repetition, num_children; /* ABSENT: not written */
} element_spec;

typedef struct chunk_spec {
  int64_t type, num_values, data_offset, dictionary_offset, compressed_size, uncompressed_size;
  bool no_meta_data, encrypted;
  const char *file_path;
} chunk_spec;

typedef struct footer_spec {
  element_spec elements[MOST_ELEMENTS];
  int n_elements;
  int64_t file_rows, group_rows[MOST_GROUPS];
  int n_groups, n_chunks[MOST_GROUPS];
  chunk_spec chunks[MOST_GROUPS][MOST_CHUNKS];
  const char *created_by; /* NULL: the usual one */
  int extra_bytes;        /* after the structure */
} footer_spec;

/* root { required int64 a; optional group b { repeated fixed(5) c; optional binary a (STRING); }; optional
 * int96 "d.x" } and three row groups of 10, 0 and 5 rows. */
static inline footer_spec good_footer(void) {
  footer_spec spec = {
      .elements =
          {
              {"", ABSENT, ABSENT, ABSENT, 3},
              {"a", PL_TYPE_INT64, ABSENT, PL_REPETITION_REQUIRED, ABSENT},
              {"b", ABSENT, ABSENT, PL_REPETITION_OPTIONAL, 2},
              {"c", PL_TYPE_FIXED_LEN_BYTE_ARRAY, 5, PL_REPETITION_REPEATED, ABSENT},
              {"a", PL_TYPE_BYTE_ARRAY, ABSENT, PL_REPETITION_OPTIONAL, 0},
              {"d.x", PL_TYPE_INT96, ABSENT, PL_REPETITION_OPTIONAL, ABSENT},
          },
      .n_elements = 6,
      .file_rows = 15,
      .group_rows = {10, 0, 5},
      .n_groups = 3,
      .n_chunks = {4, 4, 4},
  };
  static const int64_t types[] = {PL_TYPE_INT64, PL_TYPE_FIXED_LEN_BYTE_ARRAY, PL_TYPE_BYTE_ARRAY,
                                  PL_TYPE_INT96};
  for (int g = 0; g < 3; g++)
    for (int c = 0; c < 4; c++)
      spec.chunks[g][c] = (chunk_spec){
          types[c], spec.group_rows[g], 1000 * g + 100 * c + 50, 1000 * g + 100 * c + 4, 90, 200, false, false,
          NULL};
  return spec;
}

static inline void write_element(thrift_writer *w, const element_spec *e) {
  tw_open(w);
  if (e->type != ABSENT)
    tw_i32(w, 1, e->type);
  if (e->type_length != ABSENT)
    tw_i32(w, 2, e->type_length);
  if (e->repetition != ABSENT)
    tw_i32(w, 3, e->repetition);
  tw_string(w, 4, e->name);
  if (e->num_children != ABSENT)
    tw_i32(w, 5, e->num_children);
  if (e->type == PL_TYPE_BYTE_ARRAY) {
    tw_i32(w, 6, PL_CONVERTED_TYPE_UTF8);
    tw_struct(w, 10); /* LogicalType STRING */
    tw_struct(w, 1);
    tw_close(w);
    tw_close(w);
  }
  tw_close(w);
}

static inline void write_meta_data(thrift_writer *w, const chunk_spec *c) {
  tw_struct(w, 3);
  tw_i32(w, 1, c->type);
  tw_list(w, 2, TW_I32, 2);
  tw_zigzag(w, PL_ENCODING_RLE_DICTIONARY);
  tw_zigzag(w, 99); /* an encoding of the future */
  tw_list(w, 3, TW_BINARY, 2);
  tw_text(w, "some");
  tw_text(w, "path");
  tw_i32(w, 4, PL_CODEC_ZSTD);
  tw_i64(w, 5, c->num_values);
  tw_i64(w, 6, c->uncompressed_size);
  tw_i64(w, 7, c->compressed_size);
  tw_i64(w, 9, c->data_offset);
  if (c->dictionary_offset != ABSENT)
    tw_i64(w, 11, c->dictionary_offset);
  tw_struct(w, 12);
  tw_i64(w, 3, 1);
  tw_string(w, 5, "max");
  tw_string(w, 6, "min");
  tw_close(w);
  tw_list(w, 13, TW_STRUCT, 1);
  tw_open(w);
  tw_i32(w, 1, PL_PAGE_TYPE_DATA_PAGE);
  tw_i32(w, 2, PL_ENCODING_RLE_DICTIONARY);
  tw_i32(w, 3, 7);
  tw_close(w);
  tw_struct(w, 16);
  tw_i64(w, 1, INT64_MAX);
  tw_list(w, 3, TW_I64, 2);
  tw_zigzag(w, INT64_MIN);
  tw_zigzag(w, 12);
  tw_close(w);
  tw_close(w);
}

static inline void write_chunk(thrift_writer *w, const chunk_spec *c) {
  tw_open(w);
  if (c->file_path != NULL)
    tw_string(w, 1, c->file_path);
  tw_i64(w, 2, -12345); /* file_offset: nobody looks at it */
  if (!c->no_meta_data)
    write_meta_data(w, c);
  if (c->encrypted) {
    tw_struct(w, 8);
    tw_struct(w, 2); /* ENCRYPTION_WITH_COLUMN_KEY */
    tw_list(w, 1, TW_BINARY, 1);
    tw_text(w, "a");
    tw_close(w);
    tw_close(w);
  }
  tw_close(w);
}

static inline void write_footer(thrift_writer *w, const footer_spec *spec) {
  tw_reset(w);
  tw_i32(w, 1, 2);
  tw_list(w, 2, TW_STRUCT, (uint64_t)spec->n_elements);
  for (int i = 0; i < spec->n_elements; i++)
    write_element(w, &spec->elements[i]);
  tw_i64(w, 3, spec->file_rows);
  tw_list(w, 4, TW_STRUCT, (uint64_t)spec->n_groups);
  for (int g = 0; g < spec->n_groups; g++) {
    tw_open(w);
    tw_list(w, 1, TW_STRUCT, (uint64_t)spec->n_chunks[g]);
    for (int c = 0; c < spec->n_chunks[g]; c++)
      write_chunk(w, &spec->chunks[g][c]);
    tw_i64(w, 2, 800);
    tw_i64(w, 3, spec->group_rows[g]);
    tw_i16(w, 7, g);
    tw_close(w);
  }
  tw_list(w, 5, TW_STRUCT, 1);
  tw_open(w);
  tw_string(w, 1, "key");
  tw_string(w, 2, "a value");
  tw_close(w);
  tw_string(w, 6, spec->created_by == NULL ? "made by hand" : spec->created_by);
  tw_list(w, 7, TW_STRUCT, 1);
  tw_open(w);
  tw_struct(w, 1);
  tw_close(w);
  tw_close(w);
  tw_close(w);
  for (int i = 0; i < spec->extra_bytes; i++)
    tw_byte(w, 0xEE);
}

/* Parses a copy of exactly `size` bytes, so that a sanitizer sees every read past the end. */
static inline pl_status parse_footer(const uint8_t *bytes, size_t size, pl_limits *limits,
                                     pl_metadata **metadata, pl_error *error) {
  uint8_t *copy = malloc(size + (size == 0));
  if (copy == NULL)
    abort();
  memcpy(copy, bytes, size);
  const pl_status status = pl_metadata_parse(copy, size, FILE_SIZE, limits, metadata, error);
  free(copy);
  return status;
}

#endif
