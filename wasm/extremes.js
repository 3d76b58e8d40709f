/** The smallest and the largest entry of a column, by the order that the Parquet format gives its type. */

import { int96Nanoseconds } from './values.js'

/** @typedef {import('./table.js').Column} Column */
/** @typedef {{ min: number, max: number }} Extremes numbers of the entries */

/**
 * @param {Column} column
 * @returns {Extremes | undefined} undefined where no entry has a place in an order: all null, NaN, or of a type without order
 */
export function extremes(column) {
  const { validity, length } = column
  const compare = comparison(column)
  if (compare === undefined) return undefined
  let min = -1
  let max = -1
  for (let i = 0; i < length; i++) {
    if (validity !== null && ((validity[i >> 3] >> (i & 7)) & 1) === 0) continue
    // a NaN is not even equal to itself
    if (compare(i, i) !== 0) continue
    if (min < 0) min = max = i
    else if (compare(i, min) < 0) min = i
    else if (compare(i, max) > 0) max = i
  }
  return min < 0 ? undefined : { min, max }
}

/**
 * @param {Column} column
 * @returns {((a: number, b: number) => number) | undefined}
 */
function comparison(column) {
  const { kind, values, offsets, data, type } = column
  switch (kind) {
    case 'interval':
    case 'list':
    case 'struct':
    case 'map':
    case 'variant':
    case 'null':
    case 'geometry':
    case 'geography':
      return undefined
    case 'int96':
      return (a, b) => order(int96At(column, a), int96At(column, b))
    case 'bool':
    case 'float16':
      return (a, b) => order(Number(column.get(a)), Number(column.get(b)))
    case 'decimal':
      if (data === undefined && !('byteWidth' in type)) break
      return (a, b) => order(digits(column.get(a)), digits(column.get(b)))
  }
  if (offsets !== undefined && data !== undefined) {
    return (a, b) => compareBytes(data, offsets[a], offsets[a + 1], offsets[b], offsets[b + 1])
  }
  if ('byteWidth' in type && type.byteWidth !== undefined) {
    const width = type.byteWidth
    return (a, b) => compareBytes(values, a * width, (a + 1) * width, b * width, (b + 1) * width)
  }
  return (a, b) => order(values[a], values[b])
}

/**
 * @param {Column} column
 * @param {number} i
 * @returns {bigint} nanoseconds
 */
function int96At({ values, indices, dictionary }, i) {
  if (dictionary !== undefined) return int96At(dictionary, /** @type {Int32Array} */ (indices)[i])
  return int96Nanoseconds(values.subarray(12 * i, 12 * i + 12))
}

/**
 * @template {number | bigint} T
 * @param {T} a
 * @param {T} b
 * @returns {number} NaN where the two are in no order
 */
function order(a, b) {
  if (a < b) return -1
  if (a > b) return 1
  return a === b ? 0 : NaN
}

/**
 * @param {string} decimal all of one scale
 * @returns {bigint}
 */
function digits(decimal) {
  return BigInt(decimal.replace('.', ''))
}

/**
 * Bytes as unsigned numbers; a beginning comes before the whole.
 * @param {Uint8Array} bytes
 * @param {number} a
 * @param {number} aEnd
 * @param {number} b
 * @param {number} bEnd
 * @returns {number}
 */
function compareBytes(bytes, a, aEnd, b, bEnd) {
  const n = Math.min(aEnd - a, bEnd - b)
  for (let i = 0; i < n; i++) {
    const difference = bytes[a + i] - bytes[b + i]
    if (difference !== 0) return difference
  }
  return aEnd - a - (bEnd - b)
}
