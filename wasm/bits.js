/** Bitmaps, least significant bit first, as Arrow has them. Targets start as zeros: bits are only ever set. */

/**
 * Bits [at, at + n) become 1.
 * @param {Uint8Array} bitmap
 * @param {number} at
 * @param {number} n
 */
export function setBits(bitmap, at, n) {
  const end = at + n
  if (n === 0) return
  const first = at >>> 3
  const last = end >>> 3
  const from = (0xff << (at & 7)) & 0xff
  const to = (1 << (end & 7)) - 1
  if (first === last) {
    bitmap[first] |= from & to
    return
  }
  bitmap[first] |= from
  bitmap.fill(0xff, first + 1, last)
  if (to !== 0) bitmap[last] |= to
}

/**
 * n bits from the byte source[start] on, to bit `at` of the target and on.
 * @param {Uint8Array} target
 * @param {number} at
 * @param {Uint8Array} source
 * @param {number} start
 * @param {number} n
 */
export function copyBits(target, at, source, start, n) {
  const whole = n >>> 3
  const rest = n & 7
  const shift = at & 7
  let to = at >>> 3
  if (shift === 0) {
    target.set(source.subarray(start, start + whole), to)
    if (rest !== 0) target[to + whole] |= source[start + whole] & ((1 << rest) - 1)
    return
  }
  for (let i = 0; i < whole; i++, to++) {
    const byte = source[start + i]
    target[to] |= byte << shift
    target[to + 1] |= byte >>> (8 - shift)
  }
  if (rest !== 0) {
    const byte = source[start + whole] & ((1 << rest) - 1)
    target[to] |= byte << shift
    if (shift + rest > 8) target[to + 1] |= byte >>> (8 - shift)
  }
}
