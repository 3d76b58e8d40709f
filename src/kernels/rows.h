/* Constants for bit widths, one row a width, all constant expressions: which bytes a lane takes, how far it
 * shifts, what it keeps. Value i of a run of width w begins in byte i * w / 8 of the run, at bit i * w % 8 of it:
 *
 *   w = 5     byte 0          byte 1          byte 2
 *             1 1 1 0 0 0 0 0 3 2 2 2 2 2 1 1 4 4 4 4 3 3 3 3      value that each bit is of, highest first
 *
 * A 32-bit lane takes the window of 4 bytes from there on and shifts right by 0 to 7, which leaves 25 good
 * bits; a 64-bit lane takes 8 bytes and has 57. Eight values are w bytes, so value i + 8 has the constants of
 * value i, and one row of 16 bytes serves every row of a register. Widths are reached through a pointer only:
 * where a multiplier is visible as a power of two clang makes shifts of the multiplication, which SIMD128 then
 * does lane by lane. */
#ifndef PAGELANE_KERNELS_ROWS_H
#define PAGELANE_KERNELS_ROWS_H

#include "simd/simd.h"

#if V_BYTES

#define VALUE_BYTE(i, w) (((i) * (w)) >> 3)
#define VALUE_SHIFT(i, w) (((i) * (w)) & 7)
/* the bytes of value i's window, counted from byte `base` of the run; an index past 15 names bits that are
 * masked away */
#define WINDOW4(i, w, base)                                                                                    \
  (uint8_t)(VALUE_BYTE(i, w) - (base)), (uint8_t)(VALUE_BYTE(i, w) - (base) + 1),                              \
      (uint8_t)(VALUE_BYTE(i, w) - (base) + 2), (uint8_t)(VALUE_BYTE(i, w) - (base) + 3)
#define WINDOW8(i, w, base) WINDOW4(i, w, base), WINDOW4(i, w, (base) - 4)

/* what v_align32 wants for value i */
#if V_ALIGN_BY_MUL
#define ALIGN(i, w) (128u >> VALUE_SHIFT(i, w))
#else
#define ALIGN(i, w) VALUE_SHIFT(i, w)
#endif

#define MASK32(w) (uint32_t)((1ull << (w)) - 1)
#define MASK64(w) ((w) == 64 ? ~0ull : (1ull << ((w) & 63)) - 1)
#define FOUR(x) {(x), (x), (x), (x)}

#define WIDTHS_TO_16(X)                                                                                        \
  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16)
#define WIDTHS_TO_25(X) WIDTHS_TO_16(X) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25)
#define WIDTHS_TO_32(X) WIDTHS_TO_25(X) X(26) X(27) X(28) X(29) X(30) X(31) X(32)
#define WIDTHS_TO_64(X)                                                                                        \
  WIDTHS_TO_32(X)                                                                                              \
  X(33)                                                                                                        \
  X(34)                                                                                                        \
  X(35)                                                                                                        \
  X(36)                                                                                                        \
  X(37)                                                                                                        \
  X(38)                                                                                                        \
  X(39)                                                                                                        \
  X(40)                                                                                                        \
  X(41)                                                                                                        \
  X(42)                                                                                                        \
  X(43)                                                                                                        \
  X(44)                                                                                                        \
  X(45)                                                                                                        \
  X(46)                                                                                                        \
  X(47) X(48) X(49) X(50) X(51) X(52) X(53) X(54) X(55) X(56) X(57) X(58) X(59) X(60) X(61) X(62) X(63) X(64)

/* Widths to 16: eight values lie in one load of 16 bytes; the even ones and the odd ones go to a register each. Where
 * bytes can be looked up in whole registers, widths to 25. */
typedef struct pair_row {
  uint8_t even_bytes[16], odd_bytes[16];
  uint32_t even_align[4], odd_align[4];
  uint32_t mask[4];
} pair_row;

#define PAIR_ROW(w)                                                                                            \
  {{WINDOW4(0, w, 0), WINDOW4(2, w, 0), WINDOW4(4, w, 0), WINDOW4(6, w, 0)},                                   \
   {WINDOW4(1, w, 0), WINDOW4(3, w, 0), WINDOW4(5, w, 0), WINDOW4(7, w, 0)},                                   \
   {ALIGN(0, w), ALIGN(2, w), ALIGN(4, w), ALIGN(6, w)},                                                       \
   {ALIGN(1, w), ALIGN(3, w), ALIGN(5, w), ALIGN(7, w)},                                                       \
   FOUR(MASK32(w))},

#if V_HAS_LOOKUP_FULL
static const pair_row pair_rows[26] = {WIDTHS_TO_25(PAIR_ROW)};
#else
static const pair_row pair_rows[17] = {WIDTHS_TO_16(PAIR_ROW)};
#endif

/* Widths to 32: values 0 to 3 from a load at the run's first byte, 4 to 7 from one at byte 4 * w / 8. */
typedef struct lane_row {
  uint8_t bytes[32];
  uint32_t align[8];
  uint32_t mask[4];
  uint32_t high_mask[4]; /* of the bits from 16 on */
} lane_row;

#define HALF(w) VALUE_BYTE(4, w)
#define HIGH_MASK(w) (uint32_t)((w) > 16 ? (1u << ((w) > 16 ? (w) - 16 : 0)) - 1 : 0)
#define LANE_ROW(w)                                                                                            \
  {{WINDOW4(0, w, 0), WINDOW4(1, w, 0), WINDOW4(2, w, 0), WINDOW4(3, w, 0), WINDOW4(4, w, HALF(w)),            \
    WINDOW4(5, w, HALF(w)), WINDOW4(6, w, HALF(w)), WINDOW4(7, w, HALF(w))},                                   \
   {ALIGN(0, w), ALIGN(1, w), ALIGN(2, w), ALIGN(3, w), ALIGN(4, w), ALIGN(5, w), ALIGN(6, w), ALIGN(7, w)},   \
   FOUR(MASK32(w)),                                                                                            \
   FOUR(HIGH_MASK(w))},

static const lane_row lane_rows[33] = {WIDTHS_TO_32(LANE_ROW)};

#if V_HAS_LOOKUP_FULL
/* The same bytes counted from the first of a whole register, or of two for the pairs. */
typedef struct full_pair_row {
  uint8_t even_bytes[64], odd_bytes[64];
} full_pair_row;

typedef struct full_lane_row {
  uint8_t bytes[64];
} full_lane_row;

#define EVERY_SECOND(i, w)                                                                                     \
  WINDOW4(i, w, 0), WINDOW4((i) + 2, w, 0), WINDOW4((i) + 4, w, 0), WINDOW4((i) + 6, w, 0)
#define FULL_PAIR_ROW(w)                                                                                       \
  {{EVERY_SECOND(0, w), EVERY_SECOND(8, w), EVERY_SECOND(16, w), EVERY_SECOND(24, w)},                         \
   {EVERY_SECOND(1, w), EVERY_SECOND(9, w), EVERY_SECOND(17, w), EVERY_SECOND(25, w)}},
#define FOUR_IN_ORDER(i, w)                                                                                    \
  WINDOW4(i, w, 0), WINDOW4((i) + 1, w, 0), WINDOW4((i) + 2, w, 0), WINDOW4((i) + 3, w, 0)
#define FULL_LANE_ROW(w)                                                                                       \
  {{FOUR_IN_ORDER(0, w), FOUR_IN_ORDER(4, w), FOUR_IN_ORDER(8, w), FOUR_IN_ORDER(12, w)}},

static const full_pair_row full_pair_rows[26] = {WIDTHS_TO_25(FULL_PAIR_ROW)};
static const full_lane_row full_lane_rows[33] = {WIDTHS_TO_32(FULL_LANE_ROW)};
#endif

#if V_HAS_SHIFT64
/* Widths to 64: values 2k and 2k + 1 from a load of 16 bytes at byte 2k * w / 8; all eight from one load
 * where bytes can be looked up in a whole register. */
typedef struct quad_row {
  uint8_t bytes[64];
  uint64_t shift[8];
  uint64_t mask[2];
} quad_row;

#if V_HAS_LOOKUP_FULL
#define TWO_BASE(i, w) 0
#else
#define TWO_BASE(i, w) VALUE_BYTE((i) & ~1, w)
#endif
#define WINDOW8_OF_TWO(i, w) WINDOW8(i, w, TWO_BASE(i, w))
#define QUAD_ROW(w)                                                                                            \
  {{WINDOW8_OF_TWO(0, w), WINDOW8_OF_TWO(1, w), WINDOW8_OF_TWO(2, w), WINDOW8_OF_TWO(3, w),                    \
    WINDOW8_OF_TWO(4, w), WINDOW8_OF_TWO(5, w), WINDOW8_OF_TWO(6, w), WINDOW8_OF_TWO(7, w)},                   \
   {VALUE_SHIFT(0, w), VALUE_SHIFT(1, w), VALUE_SHIFT(2, w), VALUE_SHIFT(3, w), VALUE_SHIFT(4, w),             \
    VALUE_SHIFT(5, w), VALUE_SHIFT(6, w), VALUE_SHIFT(7, w)},                                                  \
   {MASK64(w), MASK64(w)}},

static const quad_row quad_rows[65] = {WIDTHS_TO_64(QUAD_ROW)};
#endif

/* Lane k of a ramp counts k. */
static const uint32_t lane_numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

#endif
#endif
