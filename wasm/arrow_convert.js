/**
 * Values that Arrow lays out in another way than Parquet:
 *
 *   int8 int16 uint8 uint16    narrowed
 *   int64: 'number'            64-bit integers again
 *   decimal                    little-endian, 128 bits up to 38 digits, 256 up to 76; with more digits as stored
 *   interval                   months, days, nanoseconds
 *   int96                      timestamp, in the finest of ns, us, ms that holds every value of the column exactly
 *
 * An interval or int96 column with a value that Arrow's type cannot hold stays as its bytes are stored.
 */
import { PagelaneError } from './errors.js'
import { int96At, viewOf } from './values.js'

/** @typedef {import('./table.js').Column} Column */
/**
 * A buffer that can be written anywhere.
 * @typedef {object} Part
 * @property {any} ArrayType
 * @property {number} length elements
 * @property {(out: any) => void} fill
 */

/**
 * @param {any} ArrayType
 * @param {number} length
 * @param {(out: any) => void} fill
 * @returns {Part}
 */
export const part = (ArrayType, length, fill) => ({ ArrayType, length, fill })

/**
 * @param {any} array
 * @returns {Part} its bytes
 */
export function copyOf({ buffer, byteOffset, byteLength }) {
  return part(Uint8Array, byteLength, (out) => out.set(new Uint8Array(buffer, byteOffset, byteLength)))
}

/**
 * @param {any} values 64-bit integers, or numbers in their place
 * @returns {Part}
 */
export const int64Part = (values) => part(Int32Array, 2 * values.length, (out) => out.set(halves(values)))

/**
 * @param {any} values integers of 32 or 64 bits, or numbers in place of these
 * @returns {Int32Array} lower and upper half of each as 64 bits
 */
function halves(values) {
  const { buffer, byteOffset, length } = values
  if (!/Int32|Float/.test(values.constructor.name)) return new Int32Array(buffer, byteOffset, 2 * length)
  const out = new Int32Array(2 * length)
  for (let i = 0; i < length; i++) putHalves(out, 2 * i, values[i])
  return out
}

/**
 * @param {Int32Array} out
 * @param {number} at
 * @param {number} value an integer
 */
function putHalves(out, at, value) {
  out[at] = value
  out[at + 1] = Math.floor(value / 2 ** 32)
}

/**
 * @param {Column} column
 * @param {number} width bytes
 * @returns {Part}
 */
export function decimalPart({ name, type, length, values, offsets, data }, width) {
  if (/INT/.test(String(type.physicalType))) {
    const step = width / 4
    return part(Int32Array, length * step, (out) => {
      const words = halves(values)
      for (let i = 0, at = 0; i < length; i++, at += step) {
        out[at] = words[2 * i]
        out[at + 1] = words[2 * i + 1]
        for (let k = 2; k < step; k++) out[at + k] = words[2 * i + 1] >> 31
      }
    })
  }
  const bytes = data ?? values
  const stored = 'byteWidth' in type ? Number(type.byteWidth) : 0
  return part(Uint8Array, length * width, (out) => {
    for (let i = 0; i < length; i++) {
      const start = offsets ? offsets[i] : i * stored
      const end = offsets ? offsets[i + 1] : start + stored
      if (!reverse(bytes, start, end, out, i * width, width)) {
        const message = `row ${i} of column ${JSON.stringify(name)} has more digits than its precision`
        throw new PagelaneError('CORRUPT', message, { column: name })
      }
    }
  })
}

/**
 * A signed integer, most significant byte first, the other way round and at another width.
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @param {Uint8Array} out
 * @param {number} at
 * @param {number} width
 * @returns {boolean} does it fit?
 */
function reverse(bytes, start, end, out, at, width) {
  const sign = start < end && bytes[start] > 127 ? 255 : 0
  for (let k = 0, from = end - 1; k < width; k++, from--) out[at + k] = from >= start ? bytes[from] : sign
  let rest = end - start > width ? (out[at + width - 1] ^ sign) & 128 : 0
  for (let k = end - width - 1; k >= start; k--) rest |= bytes[k] ^ sign
  return rest === 0
}

/**
 * @param {Column} column
 * @returns {Part | undefined}
 */
export function intervalPart({ length, values }) {
  const view = viewOf(/** @type {Uint8Array} */ (values))
  for (let i = 0; i < length; i++) {
    if (view.getInt32(12 * i, true) < 0 || view.getInt32(12 * i + 4, true) < 0) return undefined
  }
  return part(Int32Array, 4 * length, (out) => {
    for (let i = 0; i < length; i++) {
      out[4 * i] = view.getInt32(12 * i, true)
      out[4 * i + 1] = view.getInt32(12 * i + 4, true)
      putHalves(out, 4 * i + 2, view.getUint32(12 * i + 8, true) * 1e6)
    }
  })
}

/**
 * @param {Column} column
 * @returns {{ unit: string, part: Part } | undefined}
 */
export function timestamp96({ length, values, validity }) {
  const view = viewOf(/** @type {Uint8Array} */ (values))
  const nanoseconds = (/** @type {number} */ i) =>
    validity && !((validity[i >> 3] >> (i & 7)) & 1) ? 0n : int96At(view, 12 * i)
  const units = { ns: 1n, us: 1000n, ms: 1000000n }
  for (const [unit, size] of Object.entries(units)) {
    const fits = (/** @type {bigint} */ v) => v % size === 0n && BigInt.asIntN(64, v / size) === v / size
    let row = 0
    while (row < length && fits(nanoseconds(row))) row++
    if (row < length) continue
    const fill = (/** @type {BigInt64Array} */ out) => {
      for (let i = 0; i < length; i++) out[i] = nanoseconds(i) / size
    }
    return { unit, part: part(BigInt64Array, length, fill) }
  }
}
