#include "arrow/arrow_convert.h"

#include "base/load.h"

/* Julian day of 1970-01-01 */
#define JULIAN_EPOCH 2440588

static bool is_null(const pl_column *column, uint64_t i) {
  return column->validity != NULL && (column->validity[i / 8] >> i % 8 & 1) == 0;
}

static void narrow(const pl_column *column, uint32_t width, uint8_t *out) {
  for (uint64_t i = 0; i < column->length; i++)
    memcpy(out + i * width, column->values + i * sizeof(int32_t), width);
}

/* Integers of 4 or 8 bytes, sign-extended to `width`. */
static void extend(const pl_column *column, uint32_t width, uint8_t *out) {
  const uint32_t stored = column->value_width;
  for (uint64_t i = 0; i < column->length; i++, out += width) {
    const uint8_t *value = column->values + i * stored;
    memcpy(out, value, stored);
    memset(out + stored, value[stored - 1] & 0x80 ? 0xff : 0, width - stored);
  }
}

/* A signed integer, most significant byte first, the other way round and at another width. False: it does not fit. */
static bool reverse(const uint8_t *in, size_t in_size, uint8_t *out, size_t width) {
  const uint8_t sign = in_size > 0 && (in[0] & 0x80) != 0 ? 0xff : 0;
  const size_t n = in_size < width ? in_size : width;
  for (size_t i = 0; i < n; i++)
    out[i] = in[in_size - 1 - i];
  memset(out + n, sign, width - n);
  uint8_t rest = in_size > width ? (out[width - 1] ^ sign) & 0x80 : 0;
  for (size_t i = 0; i + width < in_size; i++)
    rest |= in[i] ^ sign;
  return rest == 0;
}

static pl_status convert_decimals(const pl_column *column, uint32_t width, uint8_t *out) {
  if (column->type == PL_TYPE_INT32 || column->type == PL_TYPE_INT64) {
    extend(column, width, out);
    return PL_OK;
  }
  for (uint64_t i = 0; i < column->length; i++, out += width) {
    const uint8_t *in = out; /* of none there is nothing to read */
    size_t in_size = column->value_width;
    if (column->offsets == NULL) {
      in = column->values + i * in_size;
    } else {
      in_size = (size_t)(column->offsets[i + 1] - column->offsets[i]);
      if (in_size != 0)
        in = column->data + (column->offsets[i] - column->offsets[0]);
    }
    if (!reverse(in, in_size, out, width))
      return PL_CORRUPT;
  }
  return PL_OK;
}

static pl_status convert_intervals(const pl_column *column, uint8_t *out) {
  for (uint64_t i = 0; i < column->length; i++, out += 16) {
    const uint8_t *in = column->values + 12 * i;
    if (pl_load_u32(in) > INT32_MAX || pl_load_u32(in + 4) > INT32_MAX)
      return PL_UNSUPPORTED;
    memcpy(out, in, 8);
    pl_store_u64(out + 8, (uint64_t)pl_load_u32(in + 8) * 1000000);
  }
  return PL_OK;
}

/* *ticks: units of `nanoseconds` since 1970, rounded down. The day is brought a day nearer to 1970 first, so that the
 * first day of the range, which begins before it, is right too. */
static bool int96_ticks(const uint8_t *in, int64_t nanoseconds, int64_t *ticks) {
  const int64_t of_day = (int64_t)pl_load_u64(in);
  const int64_t per_day = 86400000000000 / nanoseconds;
  int64_t days = (int32_t)pl_load_u32(in + 8) - (int64_t)JULIAN_EPOCH;
  int64_t rest = of_day / nanoseconds - (of_day % nanoseconds < 0);
  if (days < 0) {
    if (rest < INT64_MIN + per_day)
      return false;
    days++;
    rest -= per_day;
  }
  if (days > INT64_MAX / per_day || days < INT64_MIN / per_day)
    return false;
  const int64_t start = days * per_day;
  if (rest > 0 ? start > INT64_MAX - rest : start < INT64_MIN - rest)
    return false;
  *ticks = start + rest;
  return true;
}

static pl_status convert_int96(const pl_column *column, int64_t nanoseconds, uint8_t *out) {
  for (uint64_t i = 0; i < column->length; i++) {
    int64_t ticks = 0;
    if (!is_null(column, i) && !int96_ticks(column->values + 12 * i, nanoseconds, &ticks))
      return PL_UNSUPPORTED;
    pl_store_u64(out + 8 * i, (uint64_t)ticks);
  }
  return PL_OK;
}

pl_status pl_arrow_convert(const pl_arrow_type *type, const pl_column *column, uint8_t *out) {
  switch (type->form) {
  case PL_ARROW_NARROWED:
    narrow(column, type->width, out);
    return PL_OK;
  case PL_ARROW_DECIMAL:
    return convert_decimals(column, type->width, out);
  case PL_ARROW_INTERVAL:
    return convert_intervals(column, out);
  case PL_ARROW_INT96:
    return convert_int96(column, type->nanoseconds, out);
  case PL_ARROW_AS_STORED:
  case PL_ARROW_NOTHING:
    break;
  }
  return PL_OK;
}
