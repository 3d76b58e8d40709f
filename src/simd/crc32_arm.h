/* The CRC32 instructions of 64-bit ARM. Operations: simd/simd.h. */
#ifndef PAGELANE_SIMD_CRC32_ARM_H
#define PAGELANE_SIMD_CRC32_ARM_H

#include <arm_acle.h>

#define V_HAS_CRC32 1

PL_INLINE uint32_t v_crc32_u64(uint32_t state, uint64_t x) {
  return __crc32d(state, x);
}

PL_INLINE uint32_t v_crc32_u8(uint32_t state, uint8_t x) {
  return __crc32b(state, x);
}

#endif
