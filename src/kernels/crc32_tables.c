/* CRC-32 (RFC 1952, section 8) by tables, 16 bytes a step: entry i of table k is the remainder of the byte i that k
 * more bytes follow, and the remainders of 16 bytes add up. Making the tables takes a few microseconds and happens
 * once. Threads that come at the same time all store the same numbers. */
#include "base/load.h"
#include "kernels/kernels.h"

#include <stdatomic.h>

enum { STEP = 16 };
#define REFLECTED_POLYNOMIAL UINT32_C(0xEDB88320)

static _Atomic uint32_t tables[STEP][256];
static atomic_bool made;

static inline uint32_t entry(unsigned table, uint32_t index) {
  return atomic_load_explicit(&tables[table][index & 255], memory_order_relaxed);
}

static void make_tables(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t remainder = i;
    for (int bit = 0; bit < 8; bit++)
      remainder = remainder >> 1 ^ (REFLECTED_POLYNOMIAL & (0 - (remainder & 1)));
    atomic_store_explicit(&tables[0][i], remainder, memory_order_relaxed);
  }
  for (unsigned k = 1; k < STEP; k++) {
    for (uint32_t i = 0; i < 256; i++) {
      const uint32_t before = entry(k - 1, i);
      atomic_store_explicit(&tables[k][i], before >> 8 ^ entry(0, before), memory_order_relaxed);
    }
  }
  atomic_store_explicit(&made, true, memory_order_release);
}

/* Of four bytes that `after` bytes follow. */
static inline uint32_t remainder_of(uint32_t bytes, unsigned after) {
  return entry(after + 3, bytes) ^ entry(after + 2, bytes >> 8) ^ entry(after + 1, bytes >> 16) ^
         entry(after, bytes >> 24);
}

uint32_t pl_crc32_by_tables(uint32_t crc, const uint8_t *in, size_t size) {
  if (!atomic_load_explicit(&made, memory_order_acquire))
    make_tables();
  uint32_t state = ~crc;
  for (; size >= STEP; size -= STEP, in += STEP)
    state = remainder_of(pl_load_u32(in) ^ state, 12) ^ remainder_of(pl_load_u32(in + 4), 8) ^
            remainder_of(pl_load_u32(in + 8), 4) ^ remainder_of(pl_load_u32(in + 12), 0);
  for (; size > 0; size--)
    state = state >> 8 ^ entry(0, state ^ *in++);
  return ~state;
}
