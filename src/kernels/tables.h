/* The tables a build may have; one unit each (isa_*.c). Everybody but the choosers calls pl_kernels_get. */
#ifndef PAGELANE_KERNELS_TABLES_H
#define PAGELANE_KERNELS_TABLES_H

#include "kernels/kernels.h"

extern const pl_kernels pl_kernels_scalar;
extern const pl_kernels pl_kernels_sse41;
extern const pl_kernels pl_kernels_avx2;
extern const pl_kernels pl_kernels_avx512;
extern const pl_kernels pl_kernels_avx512vbmi;
extern const pl_kernels pl_kernels_neon;
extern const pl_kernels pl_kernels_simd128;

#endif
