/* Bytes put together for codecs, and a run of a codec over them. */
#ifndef PAGELANE_TESTS_CODEC_RUN_H
#define PAGELANE_TESTS_CODEC_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compression/compression.h"

typedef struct bytes {
  uint8_t data[1 << 17];
  size_t size;
} bytes;

static inline void put(bytes *b, const void *data, size_t size) {
  assert_true(b->size + size <= sizeof b->data);
  memcpy(b->data + b->size, data, size);
  b->size += size;
}

static inline void put_byte(bytes *b, unsigned byte) {
  const uint8_t x = (uint8_t)byte;
  put(b, &x, 1);
}

static inline void put_uleb(bytes *b, uint64_t x) {
  for (; x >= 128; x >>= 7)
    put_byte(b, (unsigned)(x & 127) | 128);
  put_byte(b, (unsigned)x);
}

static uint64_t random_state = 1;

static inline uint32_t random_below(uint32_t n) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(random_state >> 33) % n;
}

/* Decompresses with both buffers of exactly their sizes, so that a sanitizer sees every access past an end. The
 * output, where `expected` is given, must be that. Nothing stays charged. */
static inline pl_status run(pl_decompress *decompress, const uint8_t *in, size_t in_size, size_t out_size,
                            const uint8_t *expected) {
  uint8_t *in_copy = malloc(in_size + (in_size == 0)), *out = malloc(out_size + (out_size == 0));
  assert_non_null(in_copy);
  assert_non_null(out);
  memcpy(in_copy, in, in_size);
  memset(out, 0xA5, out_size);
  pl_limits limits;
  pl_limits_init(&limits);
  const pl_status status = decompress(in_copy, in_size, out, out_size, &limits);
  assert_int_equal(limits.used_bytes, 0);
  if (status == PL_OK && expected != NULL)
    assert_memory_equal(out, expected, out_size);
  free(in_copy);
  free(out);
  return status;
}

#endif
