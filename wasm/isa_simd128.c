/* The kernels with SIMD128, in modules built for it. */
#include "base/reader.h"
#include "kernels/tables.h"

#if defined(__wasm_simd128__)
#define PL_SIMD_SIMD128
#define PL_TABLE pl_kernels_simd128
#define PL_TABLE_NAME "simd128"
#include "kernels/all.h"
#endif
