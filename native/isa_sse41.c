/* The kernels with SSE4.1; nothing on other machines. The count of bits and carry-less products came with the next
 * processor generations and are worth asking for: without the one compilers call a library, without the other
 * checksums take ten times as long. */
#include "base/reader.h"
#include "kernels/tables.h"

#if defined(__x86_64__)
#define PL_SIMD_SSE41
#define PL_TABLE pl_kernels_sse41
#define PL_TABLE_NAME "sse41"
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("sse4.1,popcnt,pclmul"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("sse4.1,popcnt,pclmul")
#endif
#include "kernels/all.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
