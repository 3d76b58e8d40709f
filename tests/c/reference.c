#include "reference.h"

#include <string.h>

/* Marsaglia's xorshift with a multiplication (xorshift64*). */
uint64_t ref_next(ref_random *random) {
  uint64_t x = random->state;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  random->state = x;
  return x * 2685821657736338717u;
}

uint64_t ref_below(ref_random *random, uint64_t n) {
  return (ref_next(random) >> 8) % n;
}

uint64_t ref_bits(ref_random *random, unsigned bits) {
  return bits == 0 ? 0 : ref_next(random) >> (64 - bits);
}

uint64_t ref_get(const uint8_t *bytes, uint64_t at, unsigned width) {
  uint64_t value = 0;
  for (unsigned k = 0; k < width; k++)
    value |= (uint64_t)(bytes[(at + k) / 8] >> ((at + k) % 8) & 1) << k;
  return value;
}

void ref_put(uint8_t *bytes, uint64_t at, unsigned width, uint64_t value) {
  for (unsigned k = 0; k < width; k++) {
    const uint8_t bit = (uint8_t)(1u << ((at + k) % 8));
    if (value >> k & 1)
      bytes[(at + k) / 8] |= bit;
    else
      bytes[(at + k) / 8] &= (uint8_t)~bit;
  }
}

uint8_t *ref_put_uleb(uint8_t *p, uint64_t value) {
  for (; value >= 128; value >>= 7)
    *p++ = (uint8_t)(value | 128);
  *p++ = (uint8_t)value;
  return p;
}

/* ULEB128 of at most `bits` bits at in[*at]. */
static pl_status get_uleb(const uint8_t *in, size_t in_size, size_t *at, unsigned bits, uint64_t *out) {
  const unsigned max_bytes = bits == 64 ? 10 : 5;
  uint64_t value = 0;
  for (unsigned n = 0; n < max_bytes; n++) {
    if (*at == in_size)
      return PL_TRUNCATED;
    const uint8_t byte = in[(*at)++];
    for (unsigned k = 0; k < 7; k++) {
      if ((byte >> k & 1) == 0)
        continue;
      if (7 * n + k >= bits)
        return PL_CORRUPT;
      value |= 1ull << (7 * n + k);
    }
    if (byte < 128) {
      *out = value;
      return PL_OK;
    }
  }
  return PL_CORRUPT;
}

static uint64_t from_zigzag(uint64_t z) {
  return z % 2 == 0 ? z / 2 : ~(z / 2);
}

static uint64_t to_zigzag(int64_t x) {
  return x >= 0 ? 2 * (uint64_t)x : 2 * ~(uint64_t)x + 1;
}

pl_status ref_rle(const uint8_t *in, size_t in_size, unsigned width, uint32_t *out, size_t n, size_t *n_values,
                  size_t *used) {
  size_t at = 0;
  *n_values = 0;
  while (*n_values < n) {
    uint64_t header;
    const pl_status status = get_uleb(in, in_size, &at, 32, &header);
    if (status != PL_OK)
      return status;
    const uint64_t count = header / 2;
    if (count == 0 || (header % 2 == 1 && count * 8 > INT32_MAX))
      return PL_CORRUPT;
    if (header % 2 == 1) {
      for (uint64_t i = 0; i < 8 * count && *n_values < n; i++) {
        if ((i + 1) * width > 8 * (uint64_t)(in_size - at))
          return PL_TRUNCATED;
        out[(*n_values)++] = (uint32_t)ref_get(in + at, i * width, width);
      }
      at = count * width > in_size - at ? in_size : at + (size_t)(count * width);
      continue;
    }
    uint64_t value = 0;
    for (unsigned k = 0; k < (width + 7) / 8; k++) {
      if (at == in_size)
        return PL_TRUNCATED;
      value += (uint64_t)in[at++] << (8 * k);
    }
    if (value >= 1ull << width)
      return PL_CORRUPT;
    for (uint64_t i = 0; i < count && *n_values < n; i++)
      out[(*n_values)++] = (uint32_t)value;
  }
  *used = at;
  return PL_OK;
}

static uint32_t random_value(ref_random *random, uint32_t most) {
  return (uint32_t)ref_below(random, (uint64_t)most + 1);
}

size_t ref_write_rle(ref_random *random, unsigned width, uint32_t most, size_t n, uint32_t *values,
                     uint8_t *out) {
  uint8_t *p = out;
  const unsigned style =
      (unsigned)ref_below(random, 4); /* short runs, all sorts, long packed ones, long equal ones */
  for (size_t i = 0; i < n;) {
    const size_t longest = style == 0 ? 20 : style == 1 ? 100 : 1000;
    size_t count = 1 + (size_t)ref_below(random, longest);
    const bool packed = style == 2 || (style != 3 && ref_next(random) >> 63);
    if (count > n - i)
      count = n - i;
    if (packed) {
      const size_t n_groups = (count + 7) / 8;
      p = ref_put_uleb(p, 2 * n_groups + 1);
      /* only the section's last run may hold values beyond n */
      for (size_t k = 0; k < 8 * n_groups; k++) {
        const uint32_t value = random_value(random, most);
        if (i + k < n + 8)
          values[i + k] = value;
        ref_put(p, k * width, width, value);
      }
      p += n_groups * width;
      i += 8 * n_groups;
    } else {
      const uint32_t value = random_value(random, most);
      p = ref_put_uleb(p, 2 * count);
      for (unsigned k = 0; k < (width + 7) / 8; k++)
        *p++ = (uint8_t)(value >> (8 * k));
      for (size_t k = 0; k < count; k++)
        values[i++] = value;
    }
  }
  return (size_t)(p - out);
}

pl_status ref_delta(const uint8_t *in, size_t in_size, unsigned bits, uint64_t *out, size_t n, size_t *n_values,
                    size_t *used) {
  size_t at = 0;
  uint64_t block_size, n_miniblocks, count, first;
  pl_status status;
  if ((status = get_uleb(in, in_size, &at, 32, &block_size)) != PL_OK ||
      (status = get_uleb(in, in_size, &at, 32, &n_miniblocks)) != PL_OK ||
      (status = get_uleb(in, in_size, &at, 32, &count)) != PL_OK ||
      (status = get_uleb(in, in_size, &at, bits, &first)) != PL_OK)
    return status;
  if (block_size == 0 || block_size % 128 != 0 || block_size > INT32_MAX || n_miniblocks == 0 ||
      block_size % n_miniblocks != 0 || block_size / n_miniblocks % 32 != 0)
    return PL_CORRUPT;
  const uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1, miniblock_size = block_size / n_miniblocks;
  uint64_t value = from_zigzag(first) & mask, min_delta = 0, body = 0;
  *n_values = (size_t)count;
  if (n > count)
    n = (size_t)count;
  const uint8_t *widths = NULL;
  for (uint64_t i = 0; i < n; i++) {
    out[i] = value;
    if (i + 1 == count)
      break;
    const uint64_t in_block = i % block_size, in_miniblock = in_block % miniblock_size;
    if (in_block == 0) {
      if ((status = get_uleb(in, in_size, &at, bits, &min_delta)) != PL_OK)
        return status;
      min_delta = from_zigzag(min_delta);
      if (in_size - at < n_miniblocks)
        return PL_TRUNCATED;
      widths = in + at;
      at += (size_t)n_miniblocks;
      uint64_t bytes = 0;
      for (uint64_t m = 0; m < n_miniblocks && i + m * miniblock_size < count - 1; m++) {
        if (widths[m] > bits)
          return PL_CORRUPT;
        bytes += widths[m] * miniblock_size / 8;
      }
      if (in_size - at < bytes)
        return PL_TRUNCATED;
      body = at;
      at += (size_t)bytes;
    } else if (in_miniblock == 0) {
      body += widths[in_block / miniblock_size - 1] * miniblock_size / 8;
    }
    const unsigned width = widths[in_block / miniblock_size];
    value = (value + min_delta + ref_get(in + body, in_miniblock * width, width)) & mask;
  }
  *used = at;
  return PL_OK;
}

/* The difference b - a as the signed number it is in the type. */
static int64_t difference(uint64_t a, uint64_t b, unsigned bits) {
  const uint64_t d = b - a;
  return bits == 64 ? (int64_t)d : (int64_t)(int32_t)(uint32_t)d;
}

size_t ref_write_delta(ref_random *random, const uint64_t *values, size_t n, unsigned bits, unsigned block_size,
                       unsigned n_miniblocks, bool junk, uint8_t *out) {
  const unsigned miniblock_size = block_size / n_miniblocks;
  const uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
  uint8_t *p = ref_put_uleb(out, block_size);
  p = ref_put_uleb(p, n_miniblocks);
  p = ref_put_uleb(p, n);
  p = ref_put_uleb(p, to_zigzag(n == 0 ? 0 : difference(0, values[0], bits)));
  for (size_t at = 1; at < n; at += block_size) {
    const size_t n_here = n - at < block_size ? n - at : block_size;
    int64_t min_delta = INT64_MAX;
    for (size_t i = at; i < at + n_here; i++) {
      const int64_t d = difference(values[i - 1], values[i], bits);
      min_delta = d < min_delta ? d : min_delta;
    }
    p = ref_put_uleb(p, to_zigzag(min_delta));
    uint8_t *widths = p;
    p += n_miniblocks;
    for (unsigned m = 0; m < n_miniblocks; m++) {
      const size_t begin = at + (size_t)m * miniblock_size;
      widths[m] = junk ? (uint8_t)ref_next(random) : 0;
      if (begin >= at + n_here)
        continue;
      unsigned width = 0;
      for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < miniblock_size; k++) {
          uint64_t residual = junk ? ref_bits(random, width) : 0;
          if (begin + k < at + n_here)
            residual =
                ((uint64_t)difference(values[begin + k - 1], values[begin + k], bits) - (uint64_t)min_delta) &
                mask;
          if (pass == 0)
            while (width < 64 && residual >> width != 0)
              width++;
          else
            ref_put(p, k * width, width, residual);
        }
      }
      widths[m] = (uint8_t)width;
      p += miniblock_size * width / 8;
    }
  }
  return (size_t)(p - out);
}
