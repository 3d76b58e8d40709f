/* RLE (Encodings.md, "Run Length Encoding / Bit-Packing Hybrid") as an encoding of values: BOOLEAN only, behind
 * a 4-byte length, in data pages of both versions. */
#include "base/load.h"
#include "encodings/encodings.h"
#include "pagelane/encoding.h"

static pl_status rle_open(pl_value_decoder *decoder) {
  const uint8_t *bytes = decoder->section.bytes;
  size_t size = 0;
  if (decoder->section.size != 0) { /* an empty section is one of no values */
    if (decoder->section.size < 4)
      return PL_TRUNCATED;
    size = pl_load_u32(bytes);
    bytes += 4;
    if (size > decoder->section.size - 4)
      return PL_TRUNCATED;
  }
  decoder->state.rle.reader = (pl_rle_reader){.next = bytes, .end = bytes + size, .bit_width = 1};
  return PL_OK;
}

static pl_status rle_read_bits(pl_value_decoder *decoder, uint8_t *bitmap, uint64_t first_bit, size_t n) {
  size_t n_set;
  return decoder->kernels->rle_read_bitmap(&decoder->state.rle.reader, bitmap, first_bit, n, &n_set);
}

static pl_status rle_skip(pl_value_decoder *decoder, uint64_t n) {
  uint64_t n_equal;
  return decoder->kernels->rle_skip(&decoder->state.rle.reader, 0, n, &n_equal);
}

const pl_encoding_entry pl_encoding_rle = {
    .id = PL_ENCODING_RLE,
    .types = 1u << PL_TYPE_BOOLEAN,
    .open = rle_open,
    .read_bits = rle_read_bits,
    .skip = rle_skip,
};

pl_status pl_rle_decode_u32(const uint8_t *in, size_t in_size, uint32_t bit_width, uint32_t *out, size_t n,
                            size_t *in_used) {
  if (bit_width > 32)
    return PL_BAD_ARGUMENT;
  pl_rle_reader reader = {.next = in, .end = in + in_size, .bit_width = bit_width};
  const pl_status status = n == 0 ? PL_OK : pl_kernels_get()->rle_read_32(&reader, out, n);
  if (status == PL_OK)
    *in_used = (size_t)(reader.next - in);
  return status;
}
