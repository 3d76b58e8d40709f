/**
 * PLAIN (encoding 0) for every physical type, and BOOLEAN values with encoding RLE.
 *
 * A value of the model is: BOOLEAN a boolean; INT32 and INT64 a bigint (a number will do); FLOAT and DOUBLE a number, or
 * a bigint with the bits of one (which keeps the payload of a NaN); INT96, BYTE_ARRAY and FIXED_LEN_BYTE_ARRAY a
 * Uint8Array (a string will do for BYTE_ARRAY).
 */

import { packBits, unpackBits } from './bitpack.js'
import { ByteReader, ByteWriter } from './bytes.js'
import { decodeHybrid, encodeHybrid } from './rle.js'

/** @typedef {boolean | number | bigint | string | Uint8Array} Value */
/** @typedef {'BOOLEAN' | 'INT32' | 'INT64' | 'INT96' | 'FLOAT' | 'DOUBLE' | 'BYTE_ARRAY' | 'FIXED_LEN_BYTE_ARRAY'} Type */

/** @type {Record<string, number>} */
const WIDTHS = { INT32: 4, INT64: 8, INT96: 12, FLOAT: 4, DOUBLE: 8 }

/**
 * Bytes of a value; 0 for BOOLEAN and BYTE_ARRAY.
 * @param {Type} type
 * @param {number} [typeLength]
 * @returns {number}
 */
export function widthOfType(type, typeLength = 0) {
  return type === 'FIXED_LEN_BYTE_ARRAY' ? typeLength : (WIDTHS[type] ?? 0)
}

/**
 * The bytes of one value that is no BOOLEAN, without a length.
 * @param {Type} type
 * @param {Value} value
 * @returns {Uint8Array}
 */
export function valueBytes(type, value) {
  if (value instanceof Uint8Array) return value
  if (typeof value === 'string') return new TextEncoder().encode(value)
  if (typeof value === 'number' && (type === 'FLOAT' || type === 'DOUBLE')) {
    const view = new DataView(new ArrayBuffer(WIDTHS[type]))
    if (type === 'FLOAT') view.setFloat32(0, value, true)
    else view.setFloat64(0, value, true)
    return new Uint8Array(view.buffer)
  }
  if (typeof value === 'boolean') throw new TypeError('a boolean has no bytes')
  return new ByteWriter().le(value, WIDTHS[type]).finish()
}

/**
 * @param {Type} type
 * @param {Value[]} values
 * @returns {Uint8Array}
 */
export function encodePlain(type, values) {
  if (type === 'BOOLEAN')
    return packBits(
      values.map((value) => (value ? 1 : 0)),
      1
    )
  const out = new ByteWriter()
  for (const value of values) {
    const bytes = valueBytes(type, value)
    if (type === 'BYTE_ARRAY') out.le(bytes.length, 4)
    out.bytes(bytes)
  }
  return out.finish()
}

/**
 * The first n values; bytes after them are not looked at. FLOAT and DOUBLE come back as bits.
 * @param {Type} type
 * @param {number} typeLength
 * @param {Uint8Array} bytes
 * @param {number} n
 * @returns {Value[]}
 */
export function decodePlain(type, typeLength, bytes, n) {
  if (type === 'BOOLEAN') return unpackBits(bytes, 1, n).map((bit) => bit === 1n)
  const reader = new ByteReader(bytes)
  const width = widthOfType(type, typeLength)
  const bits = 8 * width
  /** @type {Value[]} */
  const values = []
  for (let i = 0; i < n; i++) {
    if (type === 'BYTE_ARRAY') values.push(reader.take(Number(reader.le(4))))
    else if (type === 'INT32' || type === 'INT64') values.push(BigInt.asIntN(bits, reader.le(width)))
    else if (type === 'FLOAT' || type === 'DOUBLE') values.push(reader.le(width))
    else values.push(reader.take(width))
  }
  return values
}

/**
 * BOOLEAN values as RLE: 4 bytes of length, then the hybrid at width 1.
 * @param {Value[]} values
 * @param {import('./rle.js').Run[]} [runs]
 * @returns {Uint8Array}
 */
export function encodeBooleanRle(values, runs) {
  const body = encodeHybrid(
    values.map((value) => (value ? 1 : 0)),
    1,
    runs
  )
  return new ByteWriter().le(body.length, 4).bytes(body).finish()
}

/**
 * @param {Uint8Array} bytes
 * @param {number} n
 * @returns {boolean[]}
 */
export function decodeBooleanRle(bytes, n) {
  if (n === 0 && bytes.length === 0) return []
  const reader = new ByteReader(bytes)
  const body = reader.take(Number(reader.le(4)))
  return decodeHybrid(body, 1, n).values.map((value) => value === 1)
}
