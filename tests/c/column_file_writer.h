/* Parquet files of one column with one PLAIN page, made by hand, for tests of what annotations mean. */
#ifndef PAGELANE_TESTS_COLUMN_FILE_WRITER_H
#define PAGELANE_TESTS_COLUMN_FILE_WRITER_H

#include "page_writer.h"
#include "pagelane/types.h"
#include "thrift_writer.h"

/* A leaf: physical type, and one annotation. Ids of LogicalType's fields as in parquet.thrift. */
typedef struct leaf_spec {
  int32_t type, type_length;
  int32_t converted; /* -1: none */
  int32_t precision, scale;
  int32_t logical;         /* 0: none */
  int32_t unit, bit_width; /* 1 MILLIS, 2 MICROS, 3 NANOS */
  bool is_flagged;         /* is_adjusted_to_UTC, is_signed */
  const char *crs;
  int32_t algorithm; /* and 1; 0: none */
} leaf_spec;

#define NOTHING .converted = -1

enum {
  STRING = 1,
  ENUM = 4,
  DECIMAL = 5,
  DATE,
  TIME,
  TIMESTAMP,
  INTEGER = 10,
  UNKNOWN,
  JSON,
  BSON,
  UUID,
  FLOAT16,
  GEOMETRY = 17,
  GEOGRAPHY
};

static inline void write_logical(thrift_writer *w, const leaf_spec *leaf) {
  tw_struct(w, 10);
  tw_struct(w, leaf->logical);
  if (leaf->logical == DECIMAL) {
    tw_i32(w, 1, leaf->scale);
    tw_i32(w, 2, leaf->precision);
  } else if (leaf->logical == TIME || leaf->logical == TIMESTAMP) {
    tw_bool(w, 1, leaf->is_flagged);
    tw_struct(w, 2);
    tw_struct(w, leaf->unit);
    tw_close(w);
    tw_close(w);
  } else if (leaf->logical == INTEGER) {
    tw_field(w, 1, TW_I8);
    tw_byte(w, (unsigned)leaf->bit_width);
    tw_bool(w, 2, leaf->is_flagged);
  } else if (leaf->crs != NULL) {
    tw_string(w, 1, leaf->crs);
  }
  if (leaf->algorithm != 0)
    tw_i32(w, 2, leaf->algorithm - 1);
  tw_close(w);
  tw_close(w);
}

static inline void write_leaf(thrift_writer *w, const leaf_spec *leaf) {
  tw_open(w);
  tw_i32(w, 1, leaf->type);
  if (leaf->type_length > 0)
    tw_i32(w, 2, leaf->type_length);
  tw_i32(w, 3, PL_REPETITION_REQUIRED);
  tw_string(w, 4, "it");
  if (leaf->converted >= 0)
    tw_i32(w, 6, leaf->converted);
  if (leaf->precision != 0) {
    tw_i32(w, 7, leaf->scale);
    tw_i32(w, 8, leaf->precision);
  }
  if (leaf->logical != 0)
    write_logical(w, leaf);
  tw_close(w);
}

static inline void write_footer(thrift_writer *w, const leaf_spec *leaf, int n_values, size_t page_size) {
  tw_reset(w);
  tw_i32(w, 1, 2);
  tw_list(w, 2, TW_STRUCT, 2);
  tw_open(w);
  tw_string(w, 4, "root");
  tw_i32(w, 5, 1);
  tw_close(w);
  write_leaf(w, leaf);
  tw_i64(w, 3, n_values);
  tw_list(w, 4, TW_STRUCT, 1);
  tw_open(w);
  tw_list(w, 1, TW_STRUCT, 1);
  tw_open(w);
  tw_i64(w, 2, 0);
  tw_struct(w, 3);
  tw_i32(w, 1, leaf->type);
  tw_list(w, 2, TW_I32, 1);
  tw_zigzag(w, PL_ENCODING_PLAIN);
  tw_list(w, 3, TW_BINARY, 1);
  tw_text(w, "it");
  tw_i32(w, 4, PL_CODEC_UNCOMPRESSED);
  tw_i64(w, 5, n_values);
  tw_i64(w, 6, (int64_t)page_size);
  tw_i64(w, 7, (int64_t)page_size);
  tw_i64(w, 9, 4);
  tw_close(w);
  tw_close(w);
  tw_i64(w, 2, (int64_t)page_size);
  tw_i64(w, 3, n_values);
  tw_close(w);
  tw_close(w);
}

/* The file of one column whose only page holds these PLAIN bytes. */
static inline void write_file(bytes *file, const leaf_spec *leaf, int n_values, const void *values,
                              size_t size) {
  static bytes body;
  thrift_writer footer = {0};
  file->size = body.size = 0;
  put(&body, values, size);
  put(file, "PAR1", 4);
  put_data_page(file, n_values, PL_ENCODING_PLAIN, &body, size);
  write_footer(&footer, leaf, n_values, file->size - 4);
  put(file, footer.bytes, footer.size);
  put_u32(file, (uint32_t)footer.size);
  put(file, "PAR1", 4);
  tw_free(&footer);
}

#endif
