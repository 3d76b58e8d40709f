/* SHA-256 (FIPS 180-4), for tests that must not need more than libc. */
#ifndef PAGELANE_TESTS_SHA256_H
#define PAGELANE_TESTS_SHA256_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct sha256 {
  uint32_t state[8];
  uint64_t size; /* bytes so far */
  uint8_t block[64];
} sha256;

static inline uint32_t sha256_rotate(uint32_t x, unsigned n) {
  return x >> n | x << (32 - n);
}

static inline void sha256_block(sha256 *s, const uint8_t *p) {
  static const uint32_t k[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
      0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
      0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
      0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
      0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
      0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
      0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  uint32_t w[64];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    const uint32_t x = w[i - 15], y = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (sha256_rotate(x, 7) ^ sha256_rotate(x, 18) ^ x >> 3) +
           (sha256_rotate(y, 17) ^ sha256_rotate(y, 19) ^ y >> 10);
  }
  uint32_t a = s->state[0], b = s->state[1], c = s->state[2], d = s->state[3];
  uint32_t e = s->state[4], f = s->state[5], g = s->state[6], h = s->state[7];
  for (int i = 0; i < 64; i++) {
    const uint32_t t1 = h + (sha256_rotate(e, 6) ^ sha256_rotate(e, 11) ^ sha256_rotate(e, 25)) +
                        ((e & f) ^ (~e & g)) + k[i] + w[i];
    const uint32_t t2 =
        (sha256_rotate(a, 2) ^ sha256_rotate(a, 13) ^ sha256_rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const uint32_t sums[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; i++)
    s->state[i] += sums[i];
}

static inline void sha256_start(sha256 *s) {
  static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(s->state, first, sizeof first);
  s->size = 0;
}

static inline void sha256_add(sha256 *s, const void *bytes, size_t size) {
  const uint8_t *p = bytes;
  while (size != 0) {
    const size_t at = s->size % 64;
    const size_t n = size < 64 - at ? size : 64 - at;
    if (n == 64)
      sha256_block(s, p);
    else
      memcpy(s->block + at, p, n);
    s->size += n;
    if (n != 64 && at + n == 64)
      sha256_block(s, s->block);
    p += n;
    size -= n;
  }
}

static inline void sha256_finish(sha256 *s, uint8_t digest[32]) {
  const uint64_t bits = 8 * s->size;
  const uint8_t one = 0x80, zero = 0;
  sha256_add(s, &one, 1);
  while (s->size % 64 != 56)
    sha256_add(s, &zero, 1);
  for (int i = 7; i >= 0; i--) {
    const uint8_t byte = (uint8_t)(bits >> 8 * i);
    sha256_add(s, &byte, 1);
  }
  for (int i = 0; i < 32; i++)
    digest[i] = (uint8_t)(s->state[i / 4] >> (24 - 8 * (i % 4)));
}

#endif
