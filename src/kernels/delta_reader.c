/* The header of a DELTA_BINARY_PACKED stream (Encodings.md, "Delta Encoding"):
 * block size, miniblocks a block, count of values (ULEB128 each), first value (zigzag). */
#define PL_SIMD_SCALAR
#include "kernels/delta_block.h"

pl_status pl_delta_reader_open(pl_delta_reader *reader, const uint8_t *in, size_t in_size, unsigned bits) {
  pl_reader header = {in, in + in_size};
  uint64_t block_size, n_miniblocks, n_values, first;
  pl_status status = pl_read_uleb(&header, 32, &block_size);
  if (status == PL_OK)
    status = pl_read_uleb(&header, 32, &n_miniblocks);
  if (status == PL_OK)
    status = pl_read_uleb(&header, 32, &n_values);
  if (status == PL_OK)
    status = pl_read_zigzag(&header, bits, &first);
  if (status != PL_OK)
    return status;
  /* the remainder is tested, not the quotient alone: 39 miniblocks of 1280 values would pass as 32 each */
  if (block_size == 0 || block_size % 128 != 0 || block_size > INT32_MAX || n_miniblocks == 0 ||
      block_size % n_miniblocks != 0 || block_size / n_miniblocks % 32 != 0)
    return PL_CORRUPT;
  reader->next = header.next;
  reader->end = header.end;
  reader->n_left = n_values;
  reader->block_size = block_size;
  reader->n_miniblocks = (uint32_t)n_miniblocks;
  reader->miniblock_groups = (uint32_t)(block_size / n_miniblocks / 32);
  reader->last = first;
  reader->min_delta = 0;
  reader->width = NULL;
  reader->miniblock_left = 0;
  reader->block_groups_left = 0;
  reader->pending_start = reader->pending_end = 0;
  return PL_OK;
}

pl_status pl_delta_reader_find_end(const pl_delta_reader *reader, unsigned bits, const uint8_t **end) {
  delta_cursor cursor = {.next = reader->next};
  const uint64_t n_differences = reader->n_left == 0 ? 0 : reader->n_left - 1;
  for (uint64_t passed = 0; passed < n_differences; passed += reader->block_size) {
    uint64_t width_sum;
    const pl_status status = delta_open_block(&cursor, reader, n_differences - passed, bits, &width_sum);
    if (status != PL_OK)
      return status;
    cursor.next += (size_t)(width_sum * reader->miniblock_groups * (DELTA_GROUP / 8));
  }
  *end = cursor.next;
  return PL_OK;
}
