/* The table of encodings, and what decodes the value section of one page. A decoder is a small struct that
 * stands between two values and resumes there: n values, any n, cheapest in thousands. It allocates nothing. */
#ifndef PAGELANE_ENCODINGS_ENCODING_H
#define PAGELANE_ENCODINGS_ENCODING_H

#include "kernels/kernels.h"
#include "pagelane/types.h"

/* Most values that one call of read_offsets takes: their offsets and bytes are made in two calls. */
enum { PL_OFFSETS_STEP = 1024 };

/* A decoded dictionary page. Fixed-width entries lie one after another, aligned for 8 bytes. */
typedef struct pl_dictionary_values {
  uint32_t n_entries;
  const uint8_t *values;  /* fixed width: the entries. BOOLEAN: one byte each. BYTE_ARRAY: the data */
  const int32_t *offsets; /* BYTE_ARRAY: n_entries + 1 */
} pl_dictionary_values;

/* Memory for the value that the next one begins with, where a decoder has to keep it from call to call: what
 * owns the page allocates, decoders do not. */
typedef struct pl_kept_value {
  uint8_t *bytes;
  /* so many bytes at least; what is there stays. PL_LIMIT, PL_NO_MEMORY */
  pl_status (*reserve)(struct pl_kept_value *kept, uint64_t size);
} pl_kept_value;

typedef struct pl_value_section {
  pl_type type;
  uint32_t value_width; /* bytes of a fixed-width value; 0 for BOOLEAN and BYTE_ARRAY */
  const uint8_t *bytes;
  size_t size;
  uint64_t n_entries;                     /* entries of the page: no more values than this */
  const pl_dictionary_values *dictionary; /* NULL: none was seen */
  pl_kept_value *kept; /* NULL: the output of a call stays where it is until the next, and nothing is skipped */
} pl_value_section;

/* ALP: stands between two values; the vector that `index` lies in is opened when a value of it is read. */
typedef struct pl_alp_reader {
  const uint8_t *offsets; /* of the vectors, 4 bytes each, counted from here */
  uint64_t n_values, index;
  uint32_t n_vectors, log_vector_size;
  uint32_t n_opened;    /* 1 + the number of the open vector; 0: none */
  uint32_t vector_size; /* values of the open one */
  pl_alp_vector vector;
  uint32_t n_exceptions;
  const uint8_t *positions, *exceptions; /* 2 bytes each, a value each */
} pl_alp_reader;

typedef struct pl_value_decoder {
  const struct pl_encoding_entry *encoding;
  const pl_kernels *kernels;
  pl_value_section section;
  union {
    struct {
      const uint8_t *next, *end; /* PLAIN */
      const uint8_t *step;       /* PLAIN BYTE_ARRAY: the first value of the last read_offsets */
      uint64_t bit;              /* PLAIN BOOLEAN */
    } plain;
    struct {
      pl_rle_reader reader;           /* RLE (BOOLEAN), RLE_DICTIONARY */
      uint32_t step[PL_OFFSETS_STEP]; /* indices of the last read_offsets */
    } rle;
    struct {
      pl_delta_reader reader;
      bool is_wide; /* INT32 from a stream of 64 bits */
    } delta;
    struct {
      size_t n_values, index; /* BYTE_STREAM_SPLIT: values of the section, the next one */
    } streams;
    pl_alp_reader alp;
    struct {
      pl_delta_reader sizes;
      const uint8_t *next; /* DELTA_LENGTH_BYTE_ARRAY: the bytes of the next value */
      const uint8_t *step; /* those of the last read_offsets */
    } delta_length;
    struct {
      pl_delta_reader prefixes, suffixes; /* DELTA_BYTE_ARRAY: sizes */
      const uint8_t *next;                /* the suffix of the next value */
      const uint8_t *last; /* the value before it, in section.kept or in the last call's output */
      uint32_t last_size;
      uint32_t step[PL_OFFSETS_STEP]; /* prefixes of the last read_offsets */
      uint64_t step_bytes;            /* bytes of its suffixes */
    } delta_strings;
  } state;
} pl_value_decoder;

/* One row of the table. Functions that an encoding does not have for any of its types are NULL. */
typedef struct pl_encoding_entry {
  pl_encoding id;
  uint32_t types;  /* bit (1 << pl_type) for each type it decodes */
  bool dictionary; /* its values are indices */
  pl_status (*open)(pl_value_decoder *decoder);
  /* fixed width: n values, value_width bytes each */
  pl_status (*read)(pl_value_decoder *decoder, uint8_t *out, size_t n);
  /* BOOLEAN: n bits from first_bit on; bits before stay, bits after the last in its byte become 0 */
  pl_status (*read_bits)(pl_value_decoder *decoder, uint8_t *bitmap, uint64_t first_bit, size_t n);
  /* BYTE_ARRAY, n <= PL_OFFSETS_STEP: offsets[0] is given, offsets[1 .. n] are set. PL_LIMIT past 2^31 - 1 */
  pl_status (*read_offsets)(pl_value_decoder *decoder, int32_t *offsets, size_t n);
  /* the bytes of the values of the last read_offsets, offsets as that call left them */
  pl_status (*read_data)(pl_value_decoder *decoder, const int32_t *offsets, uint8_t *data, size_t n);
  /* dictionary encodings: the indices, plus base */
  pl_status (*read_indices)(pl_value_decoder *decoder, uint32_t base, uint32_t *out, size_t n);
  pl_status (*skip)(pl_value_decoder *decoder, uint64_t n);
  /* after the page's last value: PL_CORRUPT when the section holds more values (NULL: nothing to check) */
  pl_status (*finish)(pl_value_decoder *decoder);
} pl_encoding_entry;

/* PL_UNSUPPORTED: not in the table, or not for this type. */
pl_status pl_value_decoder_open(pl_value_decoder *decoder, int32_t encoding, const pl_value_section *section);
/* NULL: not in the table. */
const pl_encoding_entry *pl_encoding_find(int32_t encoding);

#endif
