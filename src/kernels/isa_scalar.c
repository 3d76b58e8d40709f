/* The kernels value by value: for machines that have none of the instruction sets, and as the measure of the
 * others. */
#include "base/reader.h"
#include "kernels/tables.h"

#define PL_SIMD_SCALAR
#define PL_TABLE pl_kernels_scalar
#define PL_TABLE_NAME "scalar"
#include "kernels/all.h"
