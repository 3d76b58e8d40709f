/* CRC-32 with what the machine has for it: carry-less products, or instructions for the CRC itself.
 *
 * Products ("Fast CRC Computation for Generic Polynomials Using PCLMULQDQ", Gopal and others, Intel 2009): 16 bytes
 * that D bits follow are, as far as the remainder goes, the same as their two halves times x^(D + 32) and x^(D - 32)
 * modulo the polynomial, D bits further on. So a register moves over the input and takes in what stands there; four of
 * them hide the time a product takes. What is left in the end is 16 bytes with the same remainder as the whole. */
#ifndef PAGELANE_KERNELS_CRC32_H
#define PAGELANE_KERNELS_CRC32_H

#include "base/reader.h"
#include "kernels/kernels.h"
#include "simd/simd.h"

#if V_HAS_CLMUL

/* x^(D + 32) and x^(D - 32) for distances of 256, 64 and 16 bytes; bits reflected, as the format has them, and up by
 * one */
static const uint64_t crc32_over_64[2] = {0x154442bd4, 0x1c6e41596};
static const uint64_t crc32_over_16[2] = {0x1751997d0, 0x0ccaa009e};

enum { CRC32_ROWS = 4, CRC32_STEP = CRC32_ROWS * V_ROW };

#if V_HAS_ROWS4
static const uint64_t crc32_over_256[2] = {0x11542778a, 0x1322d1430};

enum { CRC32_WIDE_STEP = 4 * CRC32_STEP };

/* Moves the four rows of `state` on over whole steps of the input; gives the bytes that it took in. */
V_ROWS4_FUNCTION static size_t crc32_move_wide(uint8_t *state, const uint8_t *in, size_t size) {
  const uint8_t *const start = in;
  v_rows4 a = v_rows4_load(state), b = v_rows4_load(in), c = v_rows4_load(in + CRC32_STEP);
  v_rows4 d = v_rows4_load(in + 2 * CRC32_STEP), factors = v_rows4_dup(crc32_over_256);
  in += 3 * CRC32_STEP;
  for (size -= 3 * CRC32_STEP; size >= CRC32_WIDE_STEP; in += CRC32_WIDE_STEP, size -= CRC32_WIDE_STEP) {
    a = v_rows4_fold(a, factors, v_rows4_load(in));
    b = v_rows4_fold(b, factors, v_rows4_load(in + CRC32_STEP));
    c = v_rows4_fold(c, factors, v_rows4_load(in + 2 * CRC32_STEP));
    d = v_rows4_fold(d, factors, v_rows4_load(in + 3 * CRC32_STEP));
  }
  factors = v_rows4_dup(crc32_over_64);
  v_rows4_store(state, v_rows4_fold(v_rows4_fold(v_rows4_fold(a, factors, b), factors, c), factors, d));
  return (size_t)(in - start);
}
#endif

/* The same for whole steps of one set of rows, and then into one row. */
static size_t crc32_move(uint8_t *state, const uint8_t *in, size_t size) {
  const uint8_t *const start = in;
  v_row a = v_row_load(state), b = v_row_load(state + V_ROW);
  v_row c = v_row_load(state + 2 * V_ROW), d = v_row_load(state + 3 * V_ROW);
  v_row factors = v_row_load(crc32_over_64);
  for (; size >= CRC32_STEP; in += CRC32_STEP, size -= CRC32_STEP) {
    a = v_row_fold(a, factors, v_row_load(in));
    b = v_row_fold(b, factors, v_row_load(in + V_ROW));
    c = v_row_fold(c, factors, v_row_load(in + 2 * V_ROW));
    d = v_row_fold(d, factors, v_row_load(in + 3 * V_ROW));
  }
  factors = v_row_load(crc32_over_16);
  a = v_row_fold(v_row_fold(v_row_fold(a, factors, b), factors, c), factors, d);
  for (; size >= V_ROW; in += V_ROW, size -= V_ROW)
    a = v_row_fold(a, factors, v_row_load(in));
  v_row_store(state, a);
  return (size_t)(in - start);
}

static uint32_t crc32(uint32_t crc, const uint8_t *in, size_t size) {
  if (size < CRC32_STEP)
    return pl_crc32_by_tables(crc, in, size);
  uint8_t state[CRC32_STEP];
  memcpy(state, in, sizeof state);
  v_row_store(state, v_row_xor(v_row_load(state), v_row_of32(~crc)));
  in += sizeof state;
  size -= sizeof state;
#if V_HAS_ROWS4
  if (size >= 2 * CRC32_WIDE_STEP && v_rows4_are_there()) {
    const size_t moved = crc32_move_wide(state, in, size);
    in += moved;
    size -= moved;
  }
#endif
  const size_t moved = crc32_move(state, in, size);
  /* UINT32_MAX: that of nothing, with no bits flipped before */
  return pl_crc32_by_tables(pl_crc32_by_tables(UINT32_MAX, state, V_ROW), in + moved, size - moved);
}

#elif V_HAS_CRC32

static uint32_t crc32(uint32_t crc, const uint8_t *in, size_t size) {
  uint32_t state = ~crc;
  for (; size >= 8; in += 8, size -= 8)
    state = v_crc32_u64(state, pl_load_u64(in));
  for (; size > 0; size--)
    state = v_crc32_u8(state, *in++);
  return ~state;
}

#else

static uint32_t crc32(uint32_t crc, const uint8_t *in, size_t size) {
  return pl_crc32_by_tables(crc, in, size);
}

#endif
#endif
