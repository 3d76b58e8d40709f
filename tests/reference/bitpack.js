/**
 * Bit-packed values: bit k of value i is bit i * width + k of the whole; bit j of the whole is bit j % 8 of byte j / 8,
 * counted from the least significant bit (parquet-format, Encodings.md, "RLE / bit-packing hybrid"). The deprecated
 * BIT_PACKED level encoding counts from the most significant bit instead.
 */
import { FormatError } from './bytes.js'

/**
 * @param {Iterable<number | bigint>} values
 * @param {number} width 0 to 64
 * @returns {Uint8Array} ceil(n * width / 8) bytes
 */
export function packBits(values, width) {
  const list = Array.from(values, BigInt)
  const out = new Uint8Array(Math.ceil((list.length * width) / 8))
  list.forEach((value, i) => {
    if (value < 0n || value >> BigInt(width)) throw new RangeError(`${value} has more than ${width} bits`)
    for (let k = 0; k < width; k++) {
      const bit = i * width + k
      if ((value >> BigInt(k)) & 1n) out[bit >> 3] |= 1 << (bit % 8)
    }
  })
  return out
}

/**
 * @param {Uint8Array} bytes
 * @param {number} width
 * @param {number} n values
 * @returns {bigint[]}
 */
export function unpackBits(bytes, width, n) {
  if (n * width > bytes.length * 8) throw new FormatError('TRUNCATED', 'fewer packed values than needed')
  return Array.from({ length: n }, (_, i) => {
    let value = 0n
    for (let k = 0; k < width; k++) {
      const bit = i * width + k
      if ((bytes[bit >> 3] >> (bit % 8)) & 1) value |= 1n << BigInt(k)
    }
    return value
  })
}

/**
 * BIT_PACKED (encoding 4): most significant bit first.
 * @param {number[]} values
 * @param {number} width
 * @returns {Uint8Array}
 */
export function packBitsBigEndian(values, width) {
  const out = new Uint8Array(Math.ceil((values.length * width) / 8))
  values.forEach((value, i) => {
    for (let k = 0; k < width; k++) {
      const bit = i * width + k
      if ((value >> (width - 1 - k)) & 1) out[bit >> 3] |= 128 >> (bit % 8)
    }
  })
  return out
}

/**
 * @param {Uint8Array} bytes
 * @param {number} width
 * @param {number} n
 * @returns {number[]}
 */
export function unpackBitsBigEndian(bytes, width, n) {
  if (n * width > bytes.length * 8) throw new FormatError('TRUNCATED', 'fewer levels than entries')
  return Array.from({ length: n }, (_, i) => {
    let value = 0
    for (let k = 0; k < width; k++) {
      const bit = i * width + k
      value = value * 2 + ((bytes[bit >> 3] >> (7 - (bit % 8))) & 1)
    }
    return value
  })
}
