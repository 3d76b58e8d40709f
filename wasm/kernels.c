/* A wasm module is built for one instruction set: there is nothing to detect. */
#include "kernels/tables.h"
#include "pagelane/encoding.h"

const pl_kernels *pl_kernels_get(void) {
#if defined(__wasm_simd128__)
  return &pl_kernels_simd128;
#else
  return &pl_kernels_scalar;
#endif
}

size_t pl_kernels_list(const pl_kernels *tables[8]) {
  size_t n = 0;
  tables[n++] = &pl_kernels_scalar;
#if defined(__wasm_simd128__)
  tables[n++] = &pl_kernels_simd128;
#endif
  return n;
}

const char *pl_kernels_name(void) {
  return pl_kernels_get()->name;
}
