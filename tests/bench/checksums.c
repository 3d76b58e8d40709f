/* What page checksums cost: the pages of an uncompressed column chunk, decoded with and without, in turn; from memory,
 * and from a file that the system has in memory, page by page.
 *
 *   cc -O3 -std=c11 -Iinclude -Isrc tests/bench/checksums.c $(cat src/sources.txt native/sources.txt) -o checksums
 *
 * Prints for each encoding: bytes of a page, GB/s of pages without and with checksums, and what the checksums add in
 * percent of the processor's time. Each is the median of the rounds' speeds or ratios. */
#define _POSIX_C_SOURCE 200809L
#include "kernels/kernels.h"
#include "pagelane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK = 16 << 20, MAX_PAGE = 2 << 20, ROUNDS = 61, N_ENTRIES = 1024 };

typedef struct bytes {
  uint8_t *at;
  size_t size;
} bytes;

static uint64_t random_state = 1;

static uint32_t random_u32(void) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(random_state >> 32);
}

static void put_byte(bytes *out, unsigned byte) {
  out->at[out->size++] = (uint8_t)byte;
}

static void put_random(bytes *out, size_t size) {
  for (size_t i = 0; i < size; i++)
    put_byte(out, random_u32() & 255);
}

static void put_uleb(bytes *out, uint64_t x) {
  for (; x >= 128; x >>= 7)
    put_byte(out, (unsigned)(x & 127) | 128);
  put_byte(out, (unsigned)x);
}

static void put_field(bytes *out, unsigned delta, int32_t x) {
  put_byte(out, delta << 4 | 5);
  put_uleb(out, (uint32_t)x << 1 ^ (uint32_t)(x >> 31));
}

/* Header with a CRC, and body, of a V1 data page (type 0) or a dictionary page (type 2). */
static void put_page(bytes *out, int type, int n_values, int encoding, const bytes *body) {
  put_field(out, 1, type);
  put_field(out, 1, (int32_t)body->size);
  put_field(out, 1, (int32_t)body->size);
  put_field(out, 1, (int32_t)pl_crc32_by_tables(0, body->at, body->size));
  put_byte(out, (type == 0 ? 1 : 3) << 4 | 12);
  put_field(out, 1, n_values);
  put_field(out, 1, encoding);
  if (type == 0) {
    put_field(out, 1, PL_ENCODING_RLE);
    put_field(out, 1, PL_ENCODING_RLE);
  }
  put_byte(out, 0);
  put_byte(out, 0);
  memcpy(out->at + out->size, body->at, body->size);
  out->size += body->size;
}

/* ---- bodies of n values ---- */

static void put_plain(bytes *body, size_t n) {
  put_random(body, 8 * n);
}

static void put_strings(bytes *body, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const uint32_t size = 8 + random_u32() % 9;
    put_byte(body, size);
    for (int zeros = 0; zeros < 3; zeros++)
      put_byte(body, 0);
    put_random(body, size);
  }
}

/* indices of 10 bits, in one bit-packed run */
static void put_indices(bytes *body, size_t n) {
  put_byte(body, 10);
  put_uleb(body, n / 8 << 1 | 1);
  put_random(body, n / 8 * 10);
}

/* blocks of four miniblocks of 20 bits */
static void put_deltas(bytes *body, size_t n) {
  put_uleb(body, 128);
  put_uleb(body, 4);
  put_uleb(body, n);
  put_uleb(body, 0);
  for (size_t i = 1; i < n; i += 128) {
    put_byte(body, 0);
    for (int miniblock = 0; miniblock < 4; miniblock++)
      put_byte(body, 20);
    put_random(body, 128 * 20 / 8);
  }
}

typedef struct encoding_case {
  const char *name;
  pl_type type;
  pl_encoding encoding;
  void (*put)(bytes *body, size_t n);
  size_t n_small, n_large; /* values of a page */
} encoding_case;

/* ---- the measurement ---- */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(pl_status status, const char *what) {
  if (status != PL_OK) {
    fprintf(stderr, "%s: %s\n", what, pl_status_name(status));
    exit(1);
  }
}

/* Answers a NEED_RANGE step: of a file, the bytes asked for come into `window` first. */
static void provide(pl_chunk_reader *reader, const pl_step *step, const bytes *chunk, int file,
                    uint8_t *window) {
  const uint8_t *at = chunk->at + step->offset;
  size_t size = (size_t)step->size_limit;
  if (file >= 0) {
    size = (size_t)step->size + 8192 < size ? (size_t)step->size + 8192 : size;
    if (pread(file, window, size, (off_t)step->offset) != (ssize_t)size)
      must(PL_TRUNCATED, "pread");
    at = window;
  }
  must(pl_chunk_reader_provide_range(reader, step->offset, at, size, NULL), "range");
}

/* Seconds to decode all pages into one column. */
static double decode(const encoding_case *c, const bytes *chunk, int file, uint8_t *window, bool checksums) {
  pl_limits limits;
  pl_limits_init(&limits);
  const pl_page_decode_options options = {.struct_size = sizeof options,
                                          .column = {.type = (int32_t)c->type},
                                          .codec = PL_CODEC_UNCOMPRESSED,
                                          .verify_checksums = checksums};
  pl_chunk_reader *reader = NULL;
  pl_column_builder *builder = NULL;
  const double start = now();
  must(pl_column_builder_create(&options.column, NULL, &limits, &builder, NULL), "builder");
  must(pl_chunk_reader_create_page(&options, chunk->size, &limits, &reader, NULL), "reader");
  pl_column column;
  for (pl_step step = {.kind = 0}; step.kind != PL_STEP_DONE;) {
    must(pl_chunk_reader_step(reader, &step, NULL), "step");
    if (step.kind == PL_STEP_NEED_RANGE)
      provide(reader, &step, chunk, file, window);
    else if (step.kind == PL_STEP_VALUES)
      must(pl_column_builder_append(builder, pl_chunk_reader_page(reader), UINT64_MAX, NULL, NULL), "append");
  }
  must(pl_column_builder_take(builder, pl_column_builder_length(builder), &column), "take");
  const double seconds = now() - start;
  pl_chunk_reader_destroy(reader);
  pl_column_builder_destroy(builder);
  return seconds;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values) {
  qsort(values, ROUNDS, sizeof *values, compare);
  return values[ROUNDS / 2];
}

static void measure(const encoding_case *c, size_t n, bytes *chunk, bytes *body) {
  chunk->size = 0;
  if (c->encoding == PL_ENCODING_RLE_DICTIONARY) {
    body->size = 0;
    put_random(body, N_ENTRIES * 8);
    put_page(chunk, 2, N_ENTRIES, PL_ENCODING_PLAIN, body);
  }
  do {
    body->size = 0;
    c->put(body, n);
    put_page(chunk, 0, (int)n, c->encoding, body);
  } while (chunk->size < CHUNK);
  FILE *file = tmpfile();
  if (file == NULL || fwrite(chunk->at, 1, chunk->size, file) != chunk->size || fflush(file) != 0)
    must(PL_TRUNCATED, "tmpfile");
  printf("%-22s %8zu", c->name, body->size);
  for (int source = 0; source < 2; source++) {
    const int descriptor = source == 0 ? -1 : fileno(file);
    double without[ROUNDS], with[ROUNDS], cost[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      without[round] = decode(c, chunk, descriptor, body->at, false);
      with[round] = decode(c, chunk, descriptor, body->at, true);
      cost[round] = 100 * (with[round] / without[round] - 1);
    }
    const double size = (double)chunk->size / 1e9;
    printf(" %8.2f %8.2f %7.1f %%", size / median(without), size / median(with), median(cost));
  }
  printf("\n");
  fclose(file);
}

int main(void) {
  static const encoding_case cases[] = {
      {"PLAIN int64", PL_TYPE_INT64, PL_ENCODING_PLAIN, put_plain, 8 << 10, 128 << 10},
      {"PLAIN strings", PL_TYPE_BYTE_ARRAY, PL_ENCODING_PLAIN, put_strings, 4 << 10, 64 << 10},
      {"RLE_DICTIONARY int64", PL_TYPE_INT64, PL_ENCODING_RLE_DICTIONARY, put_indices, 50 << 10, 800 << 10},
      {"DELTA_BINARY_PACKED", PL_TYPE_INT64, PL_ENCODING_DELTA_BINARY_PACKED, put_deltas, 200 * 128 + 1,
       400000},
  };
  bytes chunk = {.at = malloc(CHUNK + 2 * MAX_PAGE)}, body = {.at = malloc(MAX_PAGE)};
  if (chunk.at == NULL || body.at == NULL)
    return 1;
  printf("kernels: %s\n%-22s %8s %8s %8s %9s %8s %8s %9s\n", pl_kernels_name(), "", "page", "memory", "checked",
         "cost", "file", "checked", "cost");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    measure(&cases[i], cases[i].n_small, &chunk, &body);
    measure(&cases[i], cases[i].n_large, &chunk, &body);
  }
  free(chunk.at);
  free(body.at);
  return 0;
}
