/* What the two delta encodings of strings share. */
#ifndef PAGELANE_ENCODINGS_DELTA_STRINGS_H
#define PAGELANE_ENCODINGS_DELTA_STRINGS_H

#include "encodings/encoding.h"

/* Values whose sizes are decoded at a time, where the caller has no place for them: a multiple of PL_DELTA_STEP. */
enum { PL_SIZES_STEP = 512 };

/* Opens a stream of sizes; *end is where what follows it begins. No more than n_entries values. */
static inline pl_status pl_sizes_open(pl_delta_reader *reader, const uint8_t *in, size_t in_size,
                                      uint64_t n_entries, const uint8_t **end) {
  const pl_status status = pl_delta_reader_open(reader, in, in_size, 32);
  if (status != PL_OK)
    return status;
  if (reader->n_left > n_entries)
    return PL_CORRUPT;
  return pl_delta_reader_find_end(reader, 32, end);
}

/* The header's count against what the levels ask for: fewer is an error, whatever else stands there. */
static inline pl_status pl_sizes_check_count(const pl_value_decoder *decoder, uint64_t n_left, uint64_t n) {
  if (n <= n_left)
    return PL_OK;
  return decoder->section.size == 0 ? PL_TRUNCATED : PL_CORRUPT;
}

/* A section without a page around it. */
static inline pl_status pl_strings_open(pl_value_decoder *decoder, pl_encoding encoding, pl_type type,
                                        uint32_t value_width, const uint8_t *in, size_t in_size) {
  if (in_size == 0)
    return PL_TRUNCATED;
  if (in_size > INT32_MAX) /* no page is that large */
    return PL_LIMIT;
  const pl_value_section section = {
      .type = type, .value_width = value_width, .bytes = in, .size = in_size, .n_entries = UINT32_MAX};
  return pl_value_decoder_open(decoder, encoding, &section);
}

#endif
