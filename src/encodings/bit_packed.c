/* Bit packing alone, least significant bit first: what bit-packed runs and miniblocks consist of. */
#include "kernels/kernels.h"
#include "pagelane/encoding.h"

/* Does the input hold n values of bit_width bits? */
static bool holds(size_t in_size, uint32_t bit_width, size_t n) {
  return bit_width == 0 || n <= (uint64_t)in_size * 8 / bit_width;
}

pl_status pl_bit_unpack_u32(const uint8_t *in, size_t in_size, uint32_t bit_width, uint32_t *out, size_t n) {
  if (bit_width > 32)
    return PL_BAD_ARGUMENT;
  if (!holds(in_size, bit_width, n))
    return PL_TRUNCATED;
  pl_kernels_get()->bit_unpack_32(in, in_size, bit_width, out, n);
  return PL_OK;
}

pl_status pl_bit_unpack_u64(const uint8_t *in, size_t in_size, uint32_t bit_width, uint64_t *out, size_t n) {
  if (bit_width > 64)
    return PL_BAD_ARGUMENT;
  if (!holds(in_size, bit_width, n))
    return PL_TRUNCATED;
  pl_kernels_get()->bit_unpack_64(in, in_size, bit_width, out, n);
  return PL_OK;
}
