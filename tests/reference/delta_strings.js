/**
 * DELTA_LENGTH_BYTE_ARRAY (encoding 6) and DELTA_BYTE_ARRAY (encoding 7), value by value.
 *
 *   DELTA_LENGTH_BYTE_ARRAY := delta(lengths) bytes*
 *   DELTA_BYTE_ARRAY        := delta(prefix lengths) DELTA_LENGTH_BYTE_ARRAY of the suffixes
 *
 * A value is the front of the value before, as long as its prefix length says, and its suffix. Lengths are INT32.
 */
import { concatBytes, FormatError } from './bytes.js'
import { decodeDelta, encodeDelta } from './delta.js'

/** @typedef {import('./delta.js').DeltaOptions} DeltaOptions */
/**
 * @callback ChoosePrefix
 * @param {number} i number of the value
 * @param {number} common bytes that it shares with the one before
 * @returns {number} its prefix length
 */

/**
 * @param {Uint8Array[]} values
 * @param {DeltaOptions} [options]
 * @returns {Uint8Array}
 */
export function encodeLengths(values, options) {
  const lengths = values.map((value) => value.length)
  return concatBytes(encodeDelta(lengths, 32, options), ...values)
}

/**
 * @param {Uint8Array[]} values
 * @param {DeltaOptions} [options] of both streams
 * @param {ChoosePrefix} [choose] all that two values share, unless given
 * @returns {Uint8Array}
 */
export function encodeStrings(values, options, choose = (_i, common) => common) {
  const prefixes = values.map((value, i) => choose(i, i === 0 ? 0 : commonLength(values[i - 1], value)))
  const suffixes = values.map((value, i) => value.subarray(prefixes[i]))
  return concatBytes(encodeDelta(prefixes, 32, options), encodeLengths(suffixes, options))
}

/**
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 * @returns {number}
 */
function commonLength(a, b) {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

/**
 * @param {Uint8Array} section
 * @param {number} most values that there may be
 * @returns {{ lengths: number[], used: number }}
 */
function readLengths(section, most) {
  const { values, used } = decodeDelta(section, 32, most, 'CORRUPT', 32)
  return { lengths: values.map(Number), used }
}

/**
 * @param {number} length
 * @param {Uint8Array} bytes what is left
 */
function checkLength(length, bytes) {
  if (length < 0) throw new FormatError('CORRUPT', `a length of ${length}`)
  if (length > bytes.length) throw new FormatError('TRUNCATED', 'a value that ends behind the section')
}

/**
 * @param {Uint8Array} section
 * @param {number} n values that there must be
 * @param {number} most values that there may be at most, whatever n is
 * @returns {Uint8Array[]}
 */
export function decodeLengths(section, n, most) {
  if (section.length === 0 && n === 0) return []
  const { lengths, used } = readLengths(section, most)
  return takeValues(section.subarray(used), lengths.slice(0, n), lengths.length - n, () => new Uint8Array(0))
}

/**
 * @param {Uint8Array} section
 * @param {number} n values that there must be
 * @param {number} most values that there may be at most, whatever n is
 * @param {number} [width] of every value; any unless given
 * @returns {Uint8Array[]}
 */
export function decodeStrings(section, n, most, width) {
  if (section.length === 0 && n === 0) return []
  const prefixes = readLengths(section, most)
  const rest = section.subarray(prefixes.used)
  const suffixes = readLengths(rest, most)
  if (prefixes.lengths.length !== suffixes.lengths.length) throw new FormatError('CORRUPT', 'two counts')
  /** @type {Uint8Array} */
  let last = new Uint8Array(0)
  const front = (/** @type {number} */ i) => {
    const prefix = prefixes.lengths[i]
    if (prefix < 0 || prefix > last.length) throw new FormatError('CORRUPT', `a prefix of ${prefix} bytes`)
    if (width !== undefined && prefix + suffixes.lengths[i] !== width) {
      throw new FormatError('CORRUPT', `a value of ${prefix + suffixes.lengths[i]} bytes, not ${width}`)
    }
    return last.subarray(0, prefix)
  }
  const lengths = suffixes.lengths.slice(0, n)
  return takeValues(rest.subarray(suffixes.used), lengths, suffixes.lengths.length - n, front, (value) => {
    last = value
  })
}

/**
 * @param {Uint8Array} bytes of the values, and nothing behind them
 * @param {number[]} lengths of those that are wanted
 * @param {number} left values that are there besides; below 0: that are missing
 * @param {(i: number) => Uint8Array} front
 * @param {(value: Uint8Array) => void} [made]
 * @returns {Uint8Array[]}
 */
function takeValues(bytes, lengths, left, front, made) {
  /** @type {Uint8Array} */
  let rest = bytes
  const values = lengths.map((length, i) => {
    if (length < 0) throw new FormatError('CORRUPT', `a length of ${length}`)
    const before = front(i)
    checkLength(length, rest)
    const value = concatBytes(before, rest.subarray(0, length))
    rest = rest.subarray(length)
    made?.(value)
    return value
  })
  if (left !== 0) throw new FormatError('CORRUPT', 'another count than the page has values')
  if (rest.length !== 0) throw new FormatError('CORRUPT', 'bytes after the last value')
  return values
}
