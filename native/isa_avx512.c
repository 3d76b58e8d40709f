/* The kernels with AVX-512; nothing on other machines. */
#include "base/reader.h"
#include "kernels/tables.h"

#if defined(__x86_64__)
#define PL_SIMD_AVX512
#define PL_TABLE pl_kernels_avx512
#define PL_TABLE_NAME "avx512"
#if defined(__clang__)
#pragma clang attribute push(                                                                                  \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,lzcnt,popcnt,pclmul"))),                \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,lzcnt,popcnt,pclmul")
#endif
#include "kernels/all.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
