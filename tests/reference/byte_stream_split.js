/**
 * BYTE_STREAM_SPLIT (encoding 9): n values of K bytes as K streams of n bytes, byte k of every value in stream k.
 */
import { FormatError } from './bytes.js'

/**
 * @param {Uint8Array} plain values, one after another
 * @param {number} width bytes of a value
 * @returns {Uint8Array}
 */
export function splitStreams(plain, width) {
  const n = plain.length / width
  const out = new Uint8Array(plain.length)
  for (let i = 0; i < n; i++) for (let k = 0; k < width; k++) out[k * n + i] = plain[i * width + k]
  return out
}

/**
 * @param {Uint8Array} section
 * @param {number} width
 * @param {number} n values that there must be
 * @param {number} [most] values that there may be at most, whatever n is
 * @returns {Uint8Array} the values, one after another
 */
export function joinStreams(section, width, n, most = Infinity) {
  if (width === 0) throw new FormatError('BAD_ARGUMENT', 'values of no bytes')
  if (section.length % width) throw new FormatError('CORRUPT', `${section.length} bytes are no whole values`)
  const there = section.length / width
  if (there > most) throw new FormatError('CORRUPT', 'more values than entries')
  if (there < n) throw new FormatError('TRUNCATED', `${n} values wanted, ${there} there`)
  if (there > n) throw new FormatError('CORRUPT', 'values left over')
  const out = new Uint8Array(section.length)
  for (let i = 0; i < n; i++) for (let k = 0; k < width; k++) out[i * width + k] = section[k * n + i]
  return out
}
