/* The kernels with NEON, which every 64-bit ARM machine has; nothing on other machines. */
#include "base/reader.h"
#include "kernels/tables.h"

#if defined(__aarch64__)
#define PL_SIMD_NEON
#define PL_TABLE pl_kernels_neon
#define PL_TABLE_NAME "neon"
#include "kernels/all.h"
#endif
