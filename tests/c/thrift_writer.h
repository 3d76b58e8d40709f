/* Writes thrift's compact protocol into a fixed array, for tests that make footers and page headers by hand. It
 * checks nothing: wrong structures can be written too. */
#ifndef PAGELANE_TESTS_THRIFT_WRITER_H
#define PAGELANE_TESTS_THRIFT_WRITER_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TW_TRUE = 1, TW_FALSE, TW_I8, TW_I16, TW_I32, TW_I64, TW_DOUBLE, TW_BINARY };
enum { TW_LIST = 9, TW_SET, TW_MAP, TW_STRUCT, TW_UUID };

typedef struct thrift_writer {
  uint8_t *bytes;
  size_t size, capacity;
  int last_id[64]; /* by depth */
  int depth;
} thrift_writer;

static inline void tw_reset(thrift_writer *w) {
  w->size = 0;
  w->depth = 0;
  w->last_id[0] = 0;
}

static inline void tw_free(thrift_writer *w) {
  free(w->bytes);
  memset(w, 0, sizeof *w);
}

static inline void tw_byte(thrift_writer *w, unsigned byte) {
  if (w->size == w->capacity) {
    w->capacity = w->capacity * 2 + 64;
    w->bytes = realloc(w->bytes, w->capacity);
    if (w->bytes == NULL)
      abort();
  }
  w->bytes[w->size++] = (uint8_t)byte;
}

static inline void tw_varint(thrift_writer *w, uint64_t x) {
  for (; x >= 128; x >>= 7)
    tw_byte(w, (unsigned)(x & 127) | 128);
  tw_byte(w, (unsigned)x);
}

static inline void tw_zigzag(thrift_writer *w, int64_t x) {
  tw_varint(w, ((uint64_t)x << 1) ^ (x < 0 ? UINT64_MAX : 0));
}

static inline void tw_field(thrift_writer *w, int id, unsigned wire) {
  const int delta = id - w->last_id[w->depth];
  if (delta > 0 && delta < 16) {
    tw_byte(w, (unsigned)delta << 4 | wire);
  } else {
    tw_byte(w, wire);
    tw_zigzag(w, id);
  }
  w->last_id[w->depth] = id;
}

static inline void tw_i16(thrift_writer *w, int id, int64_t x) {
  tw_field(w, id, TW_I16);
  tw_zigzag(w, x);
}

static inline void tw_i32(thrift_writer *w, int id, int64_t x) {
  tw_field(w, id, TW_I32);
  tw_zigzag(w, x);
}

static inline void tw_i64(thrift_writer *w, int id, int64_t x) {
  tw_field(w, id, TW_I64);
  tw_zigzag(w, x);
}

static inline void tw_bool(thrift_writer *w, int id, int x) {
  tw_field(w, id, x ? TW_TRUE : TW_FALSE);
}

static inline void tw_raw(thrift_writer *w, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    tw_byte(w, ((const uint8_t *)bytes)[i]);
}

static inline void tw_text(thrift_writer *w, const char *text) {
  tw_varint(w, strlen(text));
  tw_raw(w, text, strlen(text));
}

static inline void tw_string(thrift_writer *w, int id, const char *text) {
  tw_field(w, id, TW_BINARY);
  tw_text(w, text);
}

/* The elements follow: tw_open and tw_close around each structure, tw_zigzag or tw_text for the rest. */
static inline void tw_list(thrift_writer *w, int id, unsigned wire, uint64_t n) {
  tw_field(w, id, TW_LIST);
  tw_byte(w, (unsigned)(n < 15 ? n : 15) << 4 | wire);
  if (n >= 15)
    tw_varint(w, n);
}

static inline void tw_open(thrift_writer *w) {
  w->last_id[++w->depth] = 0;
}

static inline void tw_struct(thrift_writer *w, int id) {
  tw_field(w, id, TW_STRUCT);
  tw_open(w);
}

/* The end of a structure; of the outermost one too. */
static inline void tw_close(thrift_writer *w) {
  tw_byte(w, 0);
  if (w->depth > 0)
    w->depth--;
}

#endif
