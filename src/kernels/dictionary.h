/* RLE_DICTIONARY values (Encodings.md, "Dictionary Encoding"): indices in blocks on the stack, one maximum a
 * block instead of a comparison a value, then one load an entry. Gathers are no faster than such loads, so
 * there are none. */
#ifndef PAGELANE_KERNELS_DICTIONARY_H
#define PAGELANE_KERNELS_DICTIONARY_H

#include "kernels/rle.h"

PL_INLINE uint32_t max_32(const uint32_t *values, size_t n) {
  uint32_t max = 0;
  size_t i = 0;
#if V_BYTES
  vec most = v_zero();
  for (; i + 2 * LANES32 <= n; i += 2 * LANES32)
    most = v_max32(most, v_max32(v_load(values + i), v_load(values + i + LANES32)));
  uint32_t lanes[LANES32];
  v_store(lanes, most);
  for (int k = 0; k < LANES32; k++)
    max = lanes[k] > max ? lanes[k] : max;
#endif
  for (; i < n; i++)
    max = values[i] > max ? values[i] : max;
  return max;
}

/* n entries (n <= RLE_BLOCK) by index. */
PL_INLINE void take_entries(const void *entries, const uint32_t *indices, void *out, size_t n, bool wide) {
  const uint32_t *entries32 = entries;
  const uint64_t *entries64 = entries;
  uint32_t *out32 = out;
  uint64_t *out64 = out;
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    PL_UNROLL for (size_t k = i; k < i + 8; k++) {
      if (wide)
        out64[k] = entries64[indices[k]];
      else
        out32[k] = entries32[indices[k]];
    }
  }
  for (; i < n; i++) {
    if (wide)
      out64[i] = entries64[indices[i]];
    else
      out32[i] = entries32[indices[i]];
  }
}

/* One body for both widths: wide says whether entries and out are of 8 bytes. */
PL_INLINE pl_status dictionary_read(pl_rle_reader *reader, const void *entries, uint32_t n_entries, void *out,
                                    size_t n, bool wide) {
  uint32_t block[RLE_BLOCK];
  const uint32_t *entries32 = entries;
  const uint64_t *entries64 = entries;
  const size_t size = wide ? 8 : 4;
  size_t done = 0;
  while (done < n) {
    const pl_status status = rle_open_run(reader);
    if (status != PL_OK)
      return status;
    size_t piece = rle_piece(reader, n - done);
    if (reader->packed != NULL) {
      if (piece > RLE_BLOCK)
        piece = RLE_BLOCK;
      rle_take_packed(reader, block, piece);
      if (max_32(block, piece) >= n_entries)
        return PL_CORRUPT;
      take_entries(entries, block, (uint8_t *)out + done * size, piece, wide);
    } else {
      if (reader->value >= n_entries)
        return PL_CORRUPT;
      if (wide)
        fill_64((uint64_t *)out + done, entries64[reader->value], piece, n - done);
      else
        fill_32((uint32_t *)out + done, entries32[reader->value], piece, n - done);
      reader->run_left -= piece;
    }
    done += piece;
  }
  return PL_OK;
}

static pl_status dictionary_read_32(pl_rle_reader *reader, const uint32_t *entries, uint32_t n_entries,
                                    uint32_t *out, size_t n) {
  return dictionary_read(reader, entries, n_entries, out, n, false);
}

static pl_status dictionary_read_64(pl_rle_reader *reader, const uint64_t *entries, uint32_t n_entries,
                                    uint64_t *out, size_t n) {
  return dictionary_read(reader, entries, n_entries, out, n, true);
}

static pl_status dictionary_read_indices(pl_rle_reader *reader, uint32_t n_entries, uint32_t base,
                                         uint32_t *out, size_t n) {
  while (n != 0) {
    const pl_status status = rle_open_run(reader);
    if (status != PL_OK)
      return status;
    size_t piece = rle_piece(reader, n);
    if (reader->packed != NULL) {
      if (piece > RLE_BLOCK)
        piece = RLE_BLOCK; /* so that the second pass over them finds them near */
      rle_take_packed(reader, out, piece);
      if (max_32(out, piece) >= n_entries)
        return PL_CORRUPT;
      if (base != 0) {
        for (size_t i = 0; i < piece; i++)
          out[i] += base;
      }
    } else {
      if (reader->value >= n_entries)
        return PL_CORRUPT;
      fill_32(out, reader->value + base, piece, n);
      reader->run_left -= piece;
    }
    out += piece, n -= piece;
  }
  return PL_OK;
}

#endif
