/* Value-at-a-time models of what the kernels do, written from the format text and sharing no code with them,
 * and writers of streams to try both on. Slow and plain: every bit is fetched on its own, every bound is looked
 * at where it is met. */
#ifndef PAGELANE_TESTS_REFERENCE_H
#define PAGELANE_TESTS_REFERENCE_H

#include "pagelane/status.h"

#include <stdbool.h>

/* A generator with a seed of its own: the same numbers in every run. */
typedef struct ref_random {
  uint64_t state;
} ref_random;

uint64_t ref_next(ref_random *random);
/* 0 ... n - 1 */
uint64_t ref_below(ref_random *random, uint64_t n);
/* `bits` random bits (0 to 64) */
uint64_t ref_bits(ref_random *random, unsigned bits);

/* `width` bits (0 to 64) from bit `at` on, least significant first. */
uint64_t ref_get(const uint8_t *bytes, uint64_t at, unsigned width);
void ref_put(uint8_t *bytes, uint64_t at, unsigned width, uint64_t value);
uint8_t *ref_put_uleb(uint8_t *p, uint64_t value);

/* The first n values of an RLE / bit-packed hybrid. *n_values: how many there are before the status. *used: the
 * bytes of the runs that hold them. */
pl_status ref_rle(const uint8_t *in, size_t in_size, unsigned width, uint32_t *out, size_t n, size_t *n_values,
                  size_t *used);

/* A hybrid of random runs holding n values or a few more, all at most `most`; the values to `values` (n + 8 of
 * them). Returns its size; room: 8 bytes a value and 64. */
size_t ref_write_rle(ref_random *random, unsigned width, uint32_t most, size_t n, uint32_t *values,
                     uint8_t *out);

/* A DELTA_BINARY_PACKED stream, header included: the first `n` values (n <= the count announced), or all with n
 * = SIZE_MAX. *n_values: the count announced; *used: bytes read, the whole stream when all values are. */
pl_status ref_delta(const uint8_t *in, size_t in_size, unsigned bits, uint64_t *out, size_t n, size_t *n_values,
                    size_t *used);

/* Writes the stream of n values. junk: noise in padding values and in the widths of miniblocks that are not
 * needed. Returns its size; room: 9 bytes a value and two blocks. */
size_t ref_write_delta(ref_random *random, const uint64_t *values, size_t n, unsigned bits, unsigned block_size,
                       unsigned n_miniblocks, bool junk, uint8_t *out);

#endif
