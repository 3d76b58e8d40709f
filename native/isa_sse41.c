/* The kernels with SSE4.1; nothing on other machines. The count of bits came one processor generation later and
 * is worth asking for: without it compilers call a library. */
#include "base/reader.h"
#include "kernels/tables.h"

#if defined(__x86_64__)
#define PL_SIMD_SSE41
#define PL_TABLE pl_kernels_sse41
#define PL_TABLE_NAME "sse41"
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("sse4.1,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("sse4.1,popcnt")
#endif
#include "kernels/all.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
