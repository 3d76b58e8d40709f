/* BYTE_STREAM_SPLIT (Encodings.md, "Byte Stream Split"): byte k of value i stands at i in stream k, and goes to
 * byte k of value i in the output. For 4 streams of one register each:
 *
 *   streams   a0 a1 ...   b0 b1 ...   c0 c1 ...   d0 d1 ...
 *   zip a c, b d    a0 c0 a1 c1 ...   b0 d0 b1 d1 ...
 *   zip both        a0 b0 c0 d0 a1 b1 c1 d1 ...
 *
 * So log2(width) rounds that zip the first half of the registers with the second make whole values. Other widths
 * are put together from groups of 8, 4 or 2 streams, the last group shifted back over the one before. */
#ifndef PAGELANE_KERNELS_BYTE_STREAM_SPLIT_H
#define PAGELANE_KERNELS_BYTE_STREAM_SPLIT_H

#include "kernels/kernels.h"
#include "simd/simd.h"

#include <string.h>

/* Byte by byte, in blocks whose output stays in the cache while every stream passes over it. */
PL_NOINLINE void join_bytes(const uint8_t *in, size_t stride, uint32_t width, uint8_t *out, size_t n) {
  enum { BLOCK = 64 };
  for (size_t done = 0; done < n; done += BLOCK) {
    const size_t n_here = n - done < BLOCK ? n - done : BLOCK;
    for (size_t k = 0; k < width; k++)
      for (size_t i = done; i < done + n_here; i++)
        out[i * width + k] = in[k * stride + i];
  }
}

#if V_BYTES

/* V_BYTES values of 2, 4, 8 or 16 bytes. `width` is a constant where this is inlined. */
PL_INLINE void join_registers(const uint8_t *in, size_t stride, int width, uint8_t *out) {
  vec streams[16], zipped[16];
  const int half = width / 2;
  PL_UNROLL for (int k = 0; k < width; k++) streams[k] = v_load(in + (size_t)k * stride);
  PL_UNROLL for (int round = 1; round < width; round *= 2) {
    PL_UNROLL for (int k = 0; k < half; k++)
        v_zip8(streams[k], streams[k + half], &zipped[2 * k], &zipped[2 * k + 1]);
    PL_UNROLL for (int k = 0; k < width; k++) streams[k] = zipped[k];
  }
#if V_BYTES == 32
  PL_UNROLL for (int k = 0; k < half; k++)
      v_part_rows(streams[2 * k], streams[2 * k + 1], &zipped[k], &zipped[half + k]);
  PL_UNROLL for (int k = 0; k < width; k++) streams[k] = zipped[k];
#elif V_BYTES == 64
  if (width == 2) {
    v_zip_rows(streams[0], streams[1], &zipped[0], &zipped[1]);
    PL_UNROLL for (int k = 0; k < 2; k++) streams[k] = zipped[k];
  } else {
    PL_UNROLL for (int k = 0; k < width; k += 4) v_transpose_rows(streams + k);
    PL_UNROLL for (int k = 0; k < width; k++) zipped[k % 4 * (width / 4) + k / 4] = streams[k];
    PL_UNROLL for (int k = 0; k < width; k++) streams[k] = zipped[k];
  }
#endif
  PL_UNROLL for (int k = 0; k < width; k++) v_store(out + V_BYTES * k, streams[k]);
}

/* The step after that at i, `most` (up to V_BYTES) values on. The last one takes some of the step before again. */
PL_INLINE size_t join_next(size_t i, size_t most, size_t n) {
  return i + most + V_BYTES <= n ? i + most : n - V_BYTES;
}

/* n >= V_BYTES values of `width` (2, 4, 8 or 16) bytes, one after another. Where the output begins at a multiple of
 * the width, stores are aligned from the second step on: those that cross cache lines take a quarter longer. */
PL_INLINE void join_dense(const uint8_t *in, size_t stride, int width, uint8_t *out, size_t n) {
  size_t most = V_BYTES - (uintptr_t)out % V_BYTES / (size_t)width;
  for (size_t i = 0;; i = join_next(i, most, n), most = V_BYTES) {
    join_registers(in + i, stride, width, out + i * (size_t)width);
    if (i + V_BYTES == n)
      return;
  }
}

/* n >= V_BYTES values of `width` bytes, in groups of 2, 4 or 8 streams. */
PL_INLINE void join_groups(const uint8_t *in, size_t stride, int group, uint8_t *out, uint32_t width,
                           size_t n) {
  const uint32_t step = (uint32_t)group, last = width - step;
  uint8_t block[8 * V_BYTES];
  for (size_t i = 0;; i = join_next(i, V_BYTES, n)) {
    for (uint32_t k = 0;; k = k + step <= last ? k + step : last) {
      uint8_t *to = out + i * width + k;
      join_registers(in + k * stride + i, stride, group, block);
      for (size_t v = 0; v < V_BYTES; v++, to += width)
        memcpy(to, block + v * step, step);
      if (k == last)
        break;
    }
    if (i + V_BYTES == n)
      return;
  }
}

PL_INLINE void join_steps(const uint8_t *in, size_t stride, uint32_t width, uint8_t *out, size_t n) {
  switch (width) {
  case 2:
    join_dense(in, stride, 2, out, n);
    break;
  case 4:
    join_dense(in, stride, 4, out, n);
    break;
  case 8:
    join_dense(in, stride, 8, out, n);
    break;
  case 16:
    join_dense(in, stride, 16, out, n);
    break;
  case 3:
    join_groups(in, stride, 2, out, width, n);
    break;
  case 5:
  case 6:
  case 7:
    join_groups(in, stride, 4, out, width, n);
    break;
  default:
    join_groups(in, stride, 8, out, width, n);
  }
}

#endif

static void byte_stream_join(const uint8_t *in, size_t stride, uint32_t width, uint8_t *out, size_t n) {
  if (width == 1) {
    memcpy(out, in, n);
    return;
  }
#if V_BYTES
  if (PL_LIKELY(n >= V_BYTES)) {
    join_steps(in, stride, width, out, n);
    return;
  }
#endif
  join_bytes(in, stride, width, out, n);
}

#endif
