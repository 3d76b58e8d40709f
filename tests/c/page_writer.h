/* Pages by hand, for tests of what reads them: Thrift page headers in the compact protocol (field ids of
 * parquet.thrift), and bodies as the test gives them. Independent of the core. */
#ifndef TESTS_PAGE_WRITER_H
#define TESTS_PAGE_WRITER_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

typedef struct bytes {
  uint8_t at[1 << 16];
  size_t size;
} bytes;

static inline void put(bytes *out, const void *from, size_t size) {
  assert(out->size + size <= sizeof out->at);
  if (size != 0)
    memcpy(out->at + out->size, from, size);
  out->size += size;
}

static inline void put_byte(bytes *out, unsigned byte) {
  put(out, &(uint8_t){(uint8_t)byte}, 1);
}

static inline void put_u32(bytes *out, uint32_t x) {
  for (int i = 0; i < 4; i++)
    put_byte(out, x >> (8 * i) & 255);
}

static inline void put_uleb(bytes *out, uint64_t x) {
  for (; x >= 128; x >>= 7)
    put_byte(out, (unsigned)(x & 127) | 128);
  put_byte(out, (unsigned)x);
}

/* an i32 field whose id is one above the field before it (type nibble 5) */
static inline void put_i32_field(bytes *out, unsigned delta, int32_t x) {
  put_byte(out, delta << 4 | 5);
  put_uleb(out, (uint32_t)x << 1 ^ (uint32_t)(x >> 31));
}

/* PageHeader {1: type, 2: uncompressed size, 3: compressed size, sub-header} up to the sub-header's first field
 */
static inline void put_header_start(bytes *out, int type, size_t uncompressed, size_t compressed,
                                    unsigned sub_id) {
  put_i32_field(out, 1, type);
  put_i32_field(out, 1, (int32_t)uncompressed);
  put_i32_field(out, 1, (int32_t)compressed);
  put_byte(out, (sub_id - 3) << 4 | 12);
}

/* A V1 data page (type 0) with RLE levels. The body is what stands in the file; `uncompressed` its decompressed
 * size. */
static inline void put_data_page(bytes *out, int n_values, int encoding, const bytes *body,
                                 size_t uncompressed) {
  put_header_start(out, 0, uncompressed, body->size, 5);
  put_i32_field(out, 1, n_values);
  put_i32_field(out, 1, encoding);
  put_i32_field(out, 1, 3);
  put_i32_field(out, 1, 3);
  put_byte(out, 0);
  put_byte(out, 0);
  put(out, body->at, body->size);
}

static inline void put_repeated_page_v2(bytes *out, int n_values, int n_nulls, int n_rows, int encoding,
                                        size_t repetition_size, size_t definition_size, const bytes *body) {
  put_header_start(out, 3, body->size, body->size, 8);
  put_i32_field(out, 1, n_values);
  put_i32_field(out, 1, n_nulls);
  put_i32_field(out, 1, n_rows);
  put_i32_field(out, 1, encoding);
  put_i32_field(out, 1, (int32_t)definition_size);
  put_i32_field(out, 1, (int32_t)repetition_size);
  put_byte(out, 0);
  put_byte(out, 0);
  put(out, body->at, body->size);
}

static inline void put_data_page_v2(bytes *out, int n_values, int n_nulls, int n_rows, int encoding,
                                    size_t definition_size, const bytes *body) {
  put_repeated_page_v2(out, n_values, n_nulls, n_rows, encoding, 0, definition_size, body);
}

static inline void put_dictionary_header(bytes *out, int n_values, size_t body_size) {
  put_header_start(out, 2, body_size, body_size, 7);
  put_i32_field(out, 1, n_values);
  put_i32_field(out, 1, 0);
  put_byte(out, 0);
  put_byte(out, 0);
}

static inline void put_dictionary_page(bytes *out, int n_values, const bytes *body) {
  put_dictionary_header(out, n_values, body->size);
  put(out, body->at, body->size);
}

#endif
