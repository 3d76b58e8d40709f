/* BYTE_STREAM_SPLIT and ALP on every kernel table of this machine, against memcpy of the output in the same rounds.
 *
 *   cc -O3 -std=c11 -Iinclude -Isrc tests/bench/splits.c $(cat src/sources.txt native/sources.txt) -o splits
 *
 * Prints for each width of a value, or of ALP's residuals, what memcpy does in GB/s of output, and for each table GB/s and
 * the ratio of both. The best of the rounds. */
#define _POSIX_C_SOURCE 200809L
#include "kernels/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 65536, MAX_WIDTH = 32, ROUNDS = 60 };

static uint8_t *in, *out;
static const pl_kernels *tables[8];
static size_t n_tables;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* One arm: `kernels` NULL copies `size` bytes; `bits` 0 joins streams of `width` bytes, else it is the type of ALP. */
static double run(const pl_kernels *kernels, unsigned bits, unsigned width, size_t size) {
  const double start = seconds();
  if (kernels == NULL) {
    memcpy(out, in, size);
    __asm__ volatile("" ::"r"(out) : "memory");
  } else if (bits == 0) {
    kernels->byte_stream_join(in, N, width, out, N);
  } else {
    pl_alp_vector vector = {.packed = in, .end = in + N * 8, .frame = 100, .bit_width = width};
    if (bits == 32) {
      vector.up.f32 = 1e2f, vector.down.f32 = 1e-4f;
      kernels->alp_read_32(&vector, 0, (uint32_t *)(void *)out, N);
    } else {
      vector.up.f64 = 1e2, vector.down.f64 = 1e-4;
      kernels->alp_read_64(&vector, 0, (uint64_t *)(void *)out, N);
    }
  }
  return seconds() - start;
}

static void measure(const char *what, unsigned bits, unsigned width) {
  const size_t size = N * (size_t)(bits == 0 ? width : bits / 8);
  double best[9];
  for (size_t t = 0; t <= n_tables; t++)
    best[t] = 1e9;
  for (int round = 0; round < ROUNDS; round++) {
    for (size_t t = 0; t <= n_tables; t++) {
      const double took = run(t == n_tables ? NULL : tables[t], bits, width, size);
      best[t] = took < best[t] ? took : best[t];
    }
  }
  printf("%-18s %2u  memcpy %5.1f", what, width, (double)size / best[n_tables] / 1e9);
  for (size_t t = 0; t < n_tables; t++)
    printf("  %s %5.1f (%.2f)", tables[t]->name, (double)size / best[t] / 1e9, best[n_tables] / best[t]);
  printf("\n");
}

int main(void) {
  static const unsigned widths[] = {2, 3, 4, 5, 8, 12, 16, 20};
  n_tables = pl_kernels_list(tables);
  in = malloc((size_t)N * MAX_WIDTH);
  out = malloc((size_t)N * MAX_WIDTH);
  if (in == NULL || out == NULL)
    return 1;
  for (size_t i = 0; i < (size_t)N * MAX_WIDTH; i++)
    in[i] = (uint8_t)(i * 7 + (i >> 8)), out[i] = 1;
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
    measure("byte stream split", 0, widths[i]);
  for (unsigned width = 0; width <= 30; width += 10)
    measure("alp float", 32, width);
  for (unsigned width = 0; width <= 60; width += 15)
    measure("alp double", 64, width);
  free(in);
  free(out);
  return 0;
}
