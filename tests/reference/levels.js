/**
 * Definition and repetition levels of one page. V1: each section has 4 bytes of length before it (or is BIT_PACKED, without
 * any); V2: the header has the lengths.
 */

import { packBitsBigEndian, unpackBitsBigEndian } from './bitpack.js'
import { ByteReader, ByteWriter, FormatError } from './bytes.js'
import { decodeHybrid, encodeHybrid, widthOf } from './rle.js'

/** @typedef {'RLE' | 'BIT_PACKED'} LevelEncoding */

/**
 * The section of a V1 page; no bytes when the maximum is 0.
 * @param {number[]} levels
 * @param {number} maximum
 * @param {import('./rle.js').Run[]} [runs]
 * @param {LevelEncoding} [encoding]
 * @returns {Uint8Array}
 */
export function encodeLevelsV1(levels, maximum, runs, encoding = 'RLE') {
  if (maximum === 0) return new Uint8Array(0)
  if (encoding === 'BIT_PACKED') return packBitsBigEndian(levels, widthOf(maximum))
  const body = encodeHybrid(levels, widthOf(maximum), runs)
  return new ByteWriter().le(body.length, 4).bytes(body).finish()
}

/**
 * @param {number[]} levels
 * @param {number} maximum
 * @param {import('./rle.js').Run[]} [runs]
 * @returns {Uint8Array}
 */
export function encodeLevelsV2(levels, maximum, runs) {
  return maximum === 0 ? new Uint8Array(0) : encodeHybrid(levels, widthOf(maximum), runs)
}

/**
 * @param {Uint8Array} bytes the section without length
 * @param {number} maximum
 * @param {number} n
 * @returns {number[] | undefined} undefined when the maximum is 0: then every level is 0
 */
export function decodeLevels(bytes, maximum, n) {
  if (maximum === 0) return undefined
  const { values } = decodeHybrid(bytes, widthOf(maximum), n)
  if (values.some((level) => level > maximum)) throw new FormatError('CORRUPT', 'a level above its maximum')
  return values
}

/**
 * The section at the reader's position in a V1 body.
 * @param {ByteReader} reader
 * @param {number} maximum
 * @param {number} n
 * @param {string} encoding
 * @returns {number[] | undefined} undefined when the maximum is 0
 */
export function readLevelsV1(reader, maximum, n, encoding) {
  if (maximum === 0) return undefined
  if (encoding === 'BIT_PACKED') {
    const width = widthOf(maximum)
    const levels = unpackBitsBigEndian(reader.take(Math.ceil((n * width) / 8)), width, n)
    if (levels.some((level) => level > maximum)) throw new FormatError('CORRUPT', 'a level above its maximum')
    return levels
  }
  if (encoding !== 'RLE') throw new FormatError('UNSUPPORTED', `levels encoded as ${encoding}`)
  return decodeLevels(reader.take(Number(reader.le(4))), maximum, n)
}
