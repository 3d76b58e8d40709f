/* Every kernel, and the table of them. A unit names its instruction set (simd/simd.h) and its table (PL_TABLE),
 * opens the compiler's target region, and includes this file once: all functions are static, the table is the
 * only symbol. What needs no instruction set is included before the region. */
#ifndef PAGELANE_KERNELS_ALL_H
#define PAGELANE_KERNELS_ALL_H

#include "kernels/alp.h"
#include "kernels/assembly.h"
#include "kernels/bit_unpack.h"
#include "kernels/byte_stream_split.h"
#include "kernels/crc32.h"
#include "kernels/delta_binary_packed.h"
#include "kernels/dictionary.h"
#include "kernels/level_masks.h"
#include "kernels/levels.h"
#include "kernels/rle.h"
#include "kernels/spread.h"

const pl_kernels PL_TABLE = {
    .name = PL_TABLE_NAME,
    .bit_unpack_32 = bit_unpack_32,
    .bit_unpack_64 = bit_unpack_64,
    .rle_read_32 = rle_read_32,
    .rle_read_levels = rle_read_levels,
    .rle_read_bitmap = rle_read_bitmap,
    .rle_read_masks = rle_read_masks,
    .assemble = assemble,
    .rle_skip = rle_skip,
    .dictionary_read_32 = dictionary_read_32,
    .dictionary_read_64 = dictionary_read_64,
    .dictionary_read_indices = dictionary_read_indices,
    .crc32 = crc32,
    .delta_read_32 = delta_read_32,
    .delta_read_64 = delta_read_64,
    .byte_stream_join = byte_stream_join,
    .alp_read_32 = alp_read_32,
    .alp_read_64 = alp_read_64,
    .spread_32 = spread_32,
    .spread_64 = spread_64,
};

#endif
