/* The kernel table: loops over values, one implementation an instruction set. A kernel takes the state of a
 * reader and moves it on; it allocates nothing, keeps nothing, reads nothing past the state's end and writes
 * nothing past n values. */
#ifndef PAGELANE_KERNELS_H
#define PAGELANE_KERNELS_H

#include "pagelane/status.h"

#include <stdbool.h>

/* RLE / bit-packed hybrid (Encodings.md, "RLE"): stands between two values. */
typedef struct pl_rle_reader {
  const uint8_t *next, *end; /* the run header after the current run; end of the section */
  uint64_t run_left;         /* values left of the current run */
  const uint8_t *packed;     /* bit-packed run: its first byte; NULL: an RLE run of `value` */
  uint64_t packed_index;     /* values of that run already passed */
  uint32_t value;
  uint32_t bit_width; /* 0 to 32 */
  /* the only run is one of BIT_PACKED levels (Encodings.md, "Bit-packed (Deprecated)"): most significant bit first */
  bool msb_first;
} pl_rle_reader;

enum { PL_MAX_MASKS = 127 }; /* levels that can be told apart in bytes */

enum { PL_DELTA_STEP = 128 }; /* values a step of the delta kernels makes */

/* DELTA_BINARY_PACKED (Encodings.md, "Delta Encoding"): a stream after its header, between two values. Steps of
 * PL_DELTA_STEP differences are decoded whole; of a step that is not wanted whole the rest waits in `pending`.
 * A group is 32 differences, the least that a miniblock's size is a multiple of. When n_left is 0, `next` is
 * the end of the stream. */
typedef struct pl_delta_reader {
  const uint8_t *next, *end;  /* the byte to read next: a block header, or the body of a group */
  uint64_t n_left;            /* values not yet handed out, the pending ones included */
  uint64_t block_size;        /* differences a block */
  uint32_t n_miniblocks;      /* miniblocks a block */
  uint32_t miniblock_groups;  /* groups a miniblock */
  uint64_t last;              /* the next value to hand out after the pending ones (exclusive scan) */
  uint64_t min_delta;         /* of the current block */
  const uint8_t *width;       /* the bit width of the miniblock that the next group is in */
  uint32_t miniblock_left;    /* groups left of that miniblock */
  uint32_t block_groups_left; /* groups left of the current block that have a body; 0: a block header is next */
  uint32_t pending_start, pending_end;
  uint64_t pending[PL_DELTA_STEP]; /* as uint32_t or uint64_t values */
} pl_delta_reader;

/* Reads the header of a stream of values of 32 or 64 bits; n_left is then the count it announces. Whether that
 * is a count to believe is the caller's to say. PL_TRUNCATED, PL_CORRUPT. */
pl_status pl_delta_reader_open(pl_delta_reader *reader, const uint8_t *in, size_t in_size, unsigned bits);

/* The end of a stream that was opened and not yet read, for what stands behind it: from block header to block
 * header, no value is decoded. All blocks are then known to be good. PL_TRUNCATED, PL_CORRUPT. */
pl_status pl_delta_reader_find_end(const pl_delta_reader *reader, unsigned bits, const uint8_t **end);

/* A number of one of the two types, and its bits. */
typedef union pl_float_bits {
  uint32_t bits32;
  uint64_t bits64;
  float f32;
  double f64;
} pl_float_bits;

/* ALP (AlpEncoding.md): a vector after its header. */
typedef struct pl_alp_vector {
  const uint8_t *packed, *end; /* the residuals; the end of what may be read, not before theirs */
  uint64_t frame;              /* frame of reference, as uint32_t or uint64_t */
  uint32_t bit_width;          /* of a residual: 0 to 32 or 64 */
  pl_float_bits up, down;      /* 10^factor, 10^-exponent in the column's type */
} pl_alp_vector;

/* An ancestor of a nested leaf while it grows: its bits from bit `end` on, or its offsets, offsets[end] being there. */
typedef struct pl_ancestor_slots {
  bool is_list;
  uint32_t depth;            /* lists around it */
  uint32_t definition_level; /* of entries in which it is there; for a list: in which it has an element */
  uint8_t *bits;
  int32_t *offsets;
  uint64_t end;
} pl_ancestor_slots;

/* What grows when levels are assembled. There is room everywhere for as many slots as entries. */
typedef struct pl_assembly {
  uint32_t max_repetition_level, max_definition_level;
  uint32_t n_ancestors;
  pl_ancestor_slots *ancestors; /* from the outermost in */
  uint8_t *can_continue;        /* [repetition level - 1]: was the last entry in such a list? */
  uint8_t *validity;            /* of the leaf's entries, from first_bit on; NULL: none of them can be null */
  uint64_t first_bit;
  size_t n_slots, n_values; /* entries of the leaf, and those that are not null: added to */
} pl_assembly;

typedef struct pl_kernels {
  const char *name;

  /* n values of bit_width bits, least significant bit first, from bit 0 of `in`. The caller has checked that
   * ceil(n * bit_width / 8) <= in_size. */
  void (*bit_unpack_32)(const uint8_t *in, size_t in_size, uint32_t bit_width, uint32_t *out, size_t n);
  void (*bit_unpack_64)(const uint8_t *in, size_t in_size, uint32_t bit_width, uint64_t *out, size_t n);

  /* Exactly n values. PL_TRUNCATED, PL_CORRUPT. */
  pl_status (*rle_read_32)(pl_rle_reader *reader, uint32_t *out, size_t n);
  /* Levels: as above, and PL_CORRUPT for a value above max_level. */
  pl_status (*rle_read_levels)(pl_rle_reader *reader, uint32_t max_level, uint16_t *out, size_t n);
  /* Levels of width 1 to bits first_bit ... first_bit + n - 1 of a bitmap; bits before first_bit stay, bits
   * after the last in its byte become 0. *n_set: how many are 1. */
  pl_status (*rle_read_bitmap)(pl_rle_reader *reader, uint8_t *bitmap, uint64_t first_bit, size_t n,
                               size_t *n_set);
  /* Levels to masks of 64, max_level is 1 to PL_MAX_MASKS: bit i of masks[w * max_level + t - 1] is set where level
   * 64 w + i is t or more; bits after the last are 0. PL_CORRUPT for a level above max_level. */
  pl_status (*rle_read_masks)(pl_rle_reader *reader, uint32_t max_level, uint64_t *masks, size_t n);
  /* n entries whose levels are in masks of rle_read_masks. PL_CORRUPT: an entry that goes on with a list which has no
   * element before. PL_LIMIT: a list with 2^31 elements. */
  pl_status (*assemble)(pl_assembly *assembly, const uint64_t *repetition, const uint64_t *definition,
                        size_t n);
  /* Passes n values; *n_equal: how many of them were equal to `value`. */
  pl_status (*rle_skip)(pl_rle_reader *reader, uint32_t value, uint64_t n, uint64_t *n_equal);

  /* n dictionary indices, each replaced by its entry of 4 or 8 bytes. PL_CORRUPT for an index >= n_entries. */
  pl_status (*dictionary_read_32)(pl_rle_reader *reader, const uint32_t *entries, uint32_t n_entries,
                                  uint32_t *out, size_t n);
  pl_status (*dictionary_read_64)(pl_rle_reader *reader, const uint64_t *entries, uint32_t n_entries,
                                  uint64_t *out, size_t n);
  /* The indices themselves, plus `base`. PL_CORRUPT for an index >= n_entries. */
  pl_status (*dictionary_read_indices)(pl_rle_reader *reader, uint32_t n_entries, uint32_t base, uint32_t *out,
                                       size_t n);

  /* The next n values (n <= n_left). PL_TRUNCATED, PL_CORRUPT. */
  pl_status (*delta_read_32)(pl_delta_reader *reader, uint32_t *out, size_t n);
  pl_status (*delta_read_64)(pl_delta_reader *reader, uint64_t *out, size_t n);

  /* BYTE_STREAM_SPLIT: out[i * width + k] = in[k * stride + i] for n values. Reads n bytes of each stream. */
  void (*byte_stream_join)(const uint8_t *in, size_t stride, uint32_t width, uint8_t *out, size_t n);

  /* Values first ... first + n - 1 of a vector as binary32 or binary64 bits, exceptions left as they are packed. The
   * caller has checked that the residuals lie before vector->end. */
  void (*alp_read_32)(const pl_alp_vector *vector, size_t first, uint32_t *out, size_t n);
  void (*alp_read_64)(const pl_alp_vector *vector, size_t first, uint64_t *out, size_t n);

  /* Spreads dense values over the set bits of validity[first_bit ... first_bit + n): out[i] is the next dense
   * value where the bit is set, 0 where it is not. dense holds as many values as bits are set. Not in place. */
  void (*spread_32)(const uint32_t *dense, const uint8_t *validity, uint64_t first_bit, uint32_t *out,
                    size_t n);
  void (*spread_64)(const uint64_t *dense, const uint8_t *validity, uint64_t first_bit, uint64_t *out,
                    size_t n);

  /* The CRC-32 of gzip (RFC 1952, section 8) over what `crc` is the CRC-32 of, 0 for nothing, and then `in`. */
  uint32_t (*crc32)(uint32_t crc, const uint8_t *in, size_t size);
} pl_kernels;

/* The same for machines that have nothing for it, and for short input. */
uint32_t pl_crc32_by_tables(uint32_t crc, const uint8_t *in, size_t size);

/* The table this machine and PAGELANE_CPU allow; chosen at the first call, the same ever after. */
const pl_kernels *pl_kernels_get(void);

/* All tables this build has and this machine can run, best last; for tests and benchmarks. */
size_t pl_kernels_list(const pl_kernels *tables[8]);

#endif
