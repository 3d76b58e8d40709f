/* The vector layer: a few dozen operations that the kernels are written over, one header an instruction set.
 * Intrinsics live in this folder alone. A unit names its instruction set before it includes this file:
 *
 *   PL_SIMD_SCALAR    no registers: V_BYTES is 0 and kernels take their value-at-a-time paths
 *   PL_SIMD_SSE41     128 bits, x86
 *   PL_SIMD_AVX2      256 bits, x86
 *   PL_SIMD_AVX512    512 bits, x86
 *   PL_SIMD_AVX512VBMI   the same, with VBMI and VBMI2
 *   PL_SIMD_NEON      128 bits, 64-bit ARM
 *   PL_SIMD_SIMD128   128 bits, WebAssembly
 *
 * A `vec` is a register of V_BYTES bytes and has no lane type of its own; the operation's name says the lanes.
 * All lanes are unsigned and wrap. A 128-bit part of a register is called a row: constants for bit widths are
 * rows of 16 bytes that serve every part, since 8 values of w bits are w bytes.
 *
 * A backend defines every name below. Where a name has a condition in brackets, only the backends that meet it
 * do, and kernels use it under `#if` of that condition. Whoever adds an operation adds it to every backend.
 *
 * Properties
 *   V_BYTES           16, 32, 64
 *   V_FLIGHT          registers worth keeping in flight between two stages; V_FLIGHT_LANES where they do
 *                     not come in pairs
 *   V_ALIGN_BY_MUL    1: lanes cannot shift by amounts of their own, so v_align32 multiplies by 2^(7 - shift)
 *                     and shifts by 7; it keeps 25 bits of a window
 *   V_HAS_SHIFT64     1: 64-bit lanes can shift by amounts of their own
 *   V_HAS_LOOKUP_FULL 1: bytes can be looked up in a whole register
 *   V_HAS_EXPAND      1: lanes can be spread to where a mask has ones
 *   V_COMPRESS64(x, m) an instruction for the bits of x that m has ones for, moved together; may be missing
 *   V_COMPACT         1: code size counts more than the last 5 to 10 %; loops stay loops
 *   V_STAGES32        stages of a scan over 32-bit lanes
 *   V_STAGES64        stages of a scan over 64-bit lanes [V_HAS_SHIFT64]
 *
 * Memory (any address; v_load_u8 and v_load_u16 read no more than they say, the others V_BYTES)
 *   v_load(p), v_store(p, x)
 *   v_load_dup16(p)         16 bytes in every row
 *   v_load_dup32(p)         32 bytes in every two rows [V_BYTES > 16]
 *   v_load_spread(p, s)     row k from p + k * s
 *   v_load_spread4(p, h, s) row k from p + (k & 1) * h + (k >> 1) * s [V_BYTES > 16]
 *   v_load_two(p, q)        rows from p and q [V_BYTES = 32]
 *   v_load_u8(p)            V_BYTES / 4 bytes, each widened to a 32-bit lane
 *   v_load_u16(p)           V_BYTES / 4 16-bit numbers, each widened to a 32-bit lane
 *
 * Constants and single lanes
 *   v_zero(), v_splat8(x), v_splat32(x), v_splat64(x)
 *   v_first64(x)            the lowest 64 bits
 *   v_last32(x)             the highest lane in all lanes
 *   v_last64(x)             the same for 64-bit lanes [V_HAS_SHIFT64]
 *   v_last32to64(x)         the highest 32-bit lane, widened, in all 64-bit lanes
 *
 * Bytes within a row
 *   v_lookup(x, i)          byte k is byte i[k] of x's row; 0 where i[k] >= 128, and nothing to rely on from 16
 *                           to 127
 *   v_lookup_full(x, i)     byte k is byte i[k] % 64 of x [V_HAS_LOOKUP_FULL]
 *   v_lookup_full2(x, y, i) byte k is byte i[k] % 128 of x and y [V_HAS_LOOKUP_FULL]
 *   v_zip8(a, b, &x, &y)    a0 b0 a1 b1 ... of a's row and b's row: x is the first half, y the second
 *
 * Lanes
 *   v_and, v_or, v_add8, v_add32, v_sub32, v_mul32, v_min32, v_max32, v_add64, v_sub64
 *   v_shl32_16(x)           left by 16 bits [V_ALIGN_BY_MUL]
 *   v_align32(x, s)         right by the lane of s: a shift of 0 to 7, or the multiplier 2^(7 - shift) where
 *                           V_ALIGN_BY_MUL
 *   v_align64(x, s)         right by the lane of s, 0 to 7 [V_HAS_SHIFT64]
 *   v_funnel32(lo, hi, s)   the low half of hi:lo right by s, 0 to 7 [not V_ALIGN_BY_MUL]
 *   v_funnel64(lo, hi, s)   the same for 64-bit lanes [V_HAS_SHIFT64]
 *   v_scale_f32(x, u, d)    signed 32-bit lanes to binary32, times u, times d (lanes of binary32), each step
 *                           rounded to nearest
 *   v_scale_f64(x, u, d)    the same from signed 64-bit lanes to binary64
 *
 * Across lanes
 *   v_scan32_term(x, stage) what to add to x in one stage of an inclusive scan: for stage = 0 ... V_STAGES32 - 1,
 *                           x += v_scan32_term(x, stage). Only the whole sequence has a meaning
 *   v_scan64_term(x, stage) the same for 64-bit lanes and V_STAGES64 [V_HAS_SHIFT64]
 *   v_zip32(a, b, &x, &y)   a0 b0 a1 b1 ...: x is the first half, y the second
 *   v_part_rows(a, b, &x, &y)   x: the low rows of a and b, y: the high rows [V_BYTES = 32]
 *   v_zip_rows(a, b, &x, &y) a0 b0 a1 b1 ... of rows: x is the first half, y the second [V_BYTES = 64]
 *   v_transpose_rows(x[4])  row i of register k and row k of register i change places [V_BYTES = 64]
 *   v_expand32(x, bits)     the lowest lanes in order to where bits are set, 0 elsewhere [V_HAS_EXPAND]
 *   v_expand64(x, bits)     the same for 64-bit lanes [V_HAS_EXPAND]
 *   v_widen32(a, &x, &y)    32-bit lanes to 64 bits in order
 *   v_narrow32(a, b)        32-bit lanes below 65,536 to 16 bits, a before b
 *   v_narrow16(a, b)        16-bit lanes below 128 to 8 bits, a before b
 *   v_mask_least8(a, b)     bit k of a number of 64 bits: byte k of a is byte k of b or more
 *
 * For checksums
 *   V_ROW, v_row            16; a single row [V_HAS_CLMUL]
 *   v_row_load(p), v_row_store(p, x), v_row_of32(x) (the others 0), v_row_xor(a, b)
 *   v_row_fold(x, f, next)  carry-less: x's low half times f's, and x's high half times f's, and next; all added
 *   v_rows4, v_rows4_load(p), v_rows4_store(p, x), v_rows4_dup(p: a row), v_rows4_fold(x, f, next)   four rows, in functions
 *                           marked V_ROWS4_FUNCTION and only when v_rows4_are_there() [V_HAS_ROWS4]
 *   v_crc32_u64(s, x), v_crc32_u8(s, x)   the state of a CRC-32 after 8 bytes or one [V_HAS_CRC32] */
#ifndef PAGELANE_SIMD_H
#define PAGELANE_SIMD_H

#include <stddef.h>
#include <stdint.h>

#define PL_INLINE static inline __attribute__((always_inline))
#define PL_NOINLINE static __attribute__((noinline))
#define PL_LIKELY(x) __builtin_expect(!!(x), 1)
#define PL_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Before a loop over an array of registers: it has to disappear, or the array lives in memory. */
#if defined(__clang__)
#define PL_UNROLL _Pragma("clang loop unroll(full)")
#else
#define PL_UNROLL _Pragma("GCC unroll 16")
#endif
#if defined(PL_SIMD_SCALAR)
#define V_BYTES 0
#elif defined(PL_SIMD_SSE41)
#include "simd/sse41.h"
#elif defined(PL_SIMD_AVX2)
#include "simd/avx2.h"
#elif defined(PL_SIMD_AVX512) || defined(PL_SIMD_AVX512VBMI)
#include "simd/avx512.h"
#elif defined(PL_SIMD_NEON)
#include "simd/neon.h"
#elif defined(PL_SIMD_SIMD128)
#include "simd/simd128.h"
#else
#error "the unit names no instruction set"
#endif

#if defined(PL_SIMD_SSE41) || defined(PL_SIMD_AVX2) || V_BYTES == 64
#include "simd/clmul.h"
#elif defined(PL_SIMD_NEON)
#include "simd/crc32_arm.h"
#endif

/* Before a loop that is to stay one. */
#if defined(__clang__)
#define PL_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define PL_ROLLED _Pragma("GCC unroll 1")
#endif

/* Before a loop around unrolled ones: unrolled too it is faster by up to a quarter for wide values, and longer.
 */
#if V_BYTES && !V_COMPACT
#define PL_UNROLL_OUTER PL_UNROLL
#else
#define PL_UNROLL_OUTER PL_ROLLED
#endif

#endif
