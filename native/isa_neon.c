/* The kernels with NEON, which every 64-bit ARM machine has, and the CRC32 instructions, which only the very first
 * lack; nothing on other machines. */
#include "base/reader.h"
#include "kernels/tables.h"

#if defined(__aarch64__)
#define PL_SIMD_NEON
#define PL_TABLE pl_kernels_neon
#define PL_TABLE_NAME "neon"
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("crc"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("+crc")
#endif
#include "kernels/all.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
