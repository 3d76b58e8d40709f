/**
 * DELTA_BINARY_PACKED (encoding 5), value by value.
 *
 *   stream := block_size miniblocks total_count zigzag(first) block*
 *   block  := zigzag(min_delta) width[miniblocks] body*
 *
 * Differences wrap in the physical type; a body holds (difference - min_delta) as unsigned numbers.
 */

import { packBits, unpackBits } from './bitpack.js'
import { ByteReader, ByteWriter, FormatError } from './bytes.js'

/**
 * @typedef {object} DeltaOptions
 * @property {number} [blockSize] values a block, 128 unless given
 * @property {number} [miniblocks] miniblocks a block, 4 unless given
 * @property {number} [unneededWidth] width bytes of miniblocks without a body, 0 unless given
 * @property {(block: number, miniblock: number, width: number) => number} [width] chooses a larger width
 * @property {(block: number, minimum: bigint) => bigint} [minDelta] chooses a lower min_delta
 * @property {boolean} [paddingOnes] fills the last body with one bits instead of zero bits
 */

/**
 * @param {bigint[]} numbers
 * @returns {bigint}
 */
function smallestOf(numbers) {
  let smallest = numbers[0]
  for (const number of numbers) if (number < smallest) smallest = number
  return smallest
}

/**
 * The bits that the largest of the numbers needs.
 * @param {bigint[]} numbers 0 or more
 * @returns {number}
 */
function bitsOf(numbers) {
  let bits = 0
  for (const number of numbers) while (number >> BigInt(bits)) bits++
  return bits
}

/**
 * @param {(number | bigint)[]} values
 * @param {32 | 64} bits of the physical type
 * @param {DeltaOptions} [options]
 * @returns {Uint8Array}
 */
export function encodeDelta(values, bits, options = {}) {
  const { blockSize = 128, miniblocks = 4, unneededWidth = 0 } = options
  const list = values.map(BigInt)
  const perMiniblock = blockSize / miniblocks
  const out = new ByteWriter()
  out
    .uleb(blockSize)
    .uleb(miniblocks)
    .uleb(list.length)
    .zigzag(list[0] ?? 0n)
  const differences = list.slice(1).map((value, i) => BigInt.asIntN(bits, value - list[i]))
  for (let start = 0, block = 0; start < differences.length; start += blockSize, block++) {
    const inBlock = differences.slice(start, start + blockSize)
    const smallest = smallestOf(inBlock)
    const minimum = options.minDelta ? options.minDelta(block, smallest) : smallest
    const residuals = inBlock.map((difference) => BigInt.asUintN(bits, difference - minimum))
    /** @type {Uint8Array[]} */
    const bodies = []
    out.zigzag(minimum)
    for (let m = 0; m < miniblocks; m++) {
      const part = residuals.slice(m * perMiniblock, (m + 1) * perMiniblock)
      if (part.length === 0) {
        out.u8(unneededWidth)
        continue
      }
      const needed = bitsOf(part)
      const width = options.width ? options.width(block, m, needed) : needed
      const padding = options.paddingOnes ? (1n << BigInt(width)) - 1n : 0n
      while (part.length < perMiniblock) part.push(padding)
      out.u8(width)
      bodies.push(packBits(part, width))
    }
    for (const body of bodies) out.bytes(body)
  }
  return out.finish()
}

/**
 * @param {ByteReader} reader
 */
function readHeader(reader) {
  const blockSize = Number(reader.uleb(32))
  const miniblocks = Number(reader.uleb(32))
  const total = Number(reader.uleb(32))
  if (blockSize === 0 || blockSize % 128 || blockSize > 2 ** 31 - 1) {
    throw new FormatError('CORRUPT', `block size ${blockSize}`)
  }
  if (miniblocks === 0 || blockSize % miniblocks || (blockSize / miniblocks) % 32) {
    throw new FormatError('CORRUPT', `${miniblocks} miniblocks in a block of ${blockSize}`)
  }
  return { blockSize, miniblocks, total }
}

/**
 * A whole stream. `used` counts the padding of the last body.
 * @param {Uint8Array} bytes
 * @param {32 | 64} bits
 * @param {number} [capacity] most values that fit
 * @param {'NO_SPACE' | 'CORRUPT'} [whenFull] what it is when more are announced
 * @param {number} [widest] bits of differences; 32 are enough for INT32, since they wrap, but DuckDB writes 33
 * @returns {{ values: bigint[], used: number }}
 */
export function decodeDelta(bytes, bits, capacity = Infinity, whenFull = 'NO_SPACE', widest = 64) {
  const reader = new ByteReader(bytes)
  const { blockSize, miniblocks, total } = readHeader(reader)
  let last = reader.zigzag(bits)
  if (total > capacity) throw new FormatError(whenFull, `${total} values announced`)
  const values = total > 0 ? [last] : []
  const perMiniblock = blockSize / miniblocks
  while (values.length < total) {
    const minimum = reader.zigzag(widest)
    const widths = reader.take(miniblocks)
    for (let m = 0; m < miniblocks && values.length < total; m++) {
      if (widths[m] > widest) throw new FormatError('CORRUPT', `width ${widths[m]} of a miniblock`)
      const body = reader.take((perMiniblock * widths[m]) / 8)
      const here = Math.min(perMiniblock, total - values.length)
      for (const residual of unpackBits(body, widths[m], here)) {
        last = BigInt.asIntN(bits, last + minimum + residual)
        values.push(last)
      }
    }
  }
  return { values, used: reader.position }
}
