/* Little-endian loads and stores at any address. */
#ifndef PAGELANE_BASE_LOAD_H
#define PAGELANE_BASE_LOAD_H

#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "pagelane is written for little-endian machines"
#endif

static inline uint32_t pl_load_u32(const uint8_t *p) {
  uint32_t x;
  memcpy(&x, p, sizeof x);
  return x;
}

static inline uint64_t pl_load_u64(const uint8_t *p) {
  uint64_t x;
  memcpy(&x, p, sizeof x);
  return x;
}

static inline void pl_store_u64(uint8_t *p, uint64_t x) {
  memcpy(p, &x, sizeof x);
}

#endif
