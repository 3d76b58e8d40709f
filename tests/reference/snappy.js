/**
 * Snappy's raw format (format_description.txt of google/snappy): a ULEB128 length, then literals and copies. The tag's low two
 * bits say which: 0 literal, 1 copy with 11-bit offset and length 4-11, 2 copy with 16-bit offset, 3 with 32-bit offset.
 */
import { ByteReader, ByteWriter, FormatError } from './bytes.js'

/**
 * @typedef {{ literal: number } | { copy: number, offset: number, tag?: 1 | 2 | 3 }} SnappyElement
 */

/**
 * Writes exactly the elements given; a literal takes its bytes from `input` at the position reached.
 * @param {Uint8Array} input
 * @param {SnappyElement[]} elements
 * @param {number} [announced] the length written first
 * @returns {Uint8Array}
 */
export function encodeSnappyElements(input, elements, announced = input.length) {
  const out = new ByteWriter().uleb(announced)
  let at = 0
  for (const element of elements) {
    if ('literal' in element) {
      const n = element.literal - 1
      if (n < 60) out.u8(n << 2)
      else {
        const size = n < 256 ? 1 : n < 65536 ? 2 : 3
        out.u8((59 + size) << 2).le(n, size)
      }
      out.bytes(input.subarray(at, at + element.literal))
      at += element.literal
    } else {
      const { copy, offset } = element
      const tag = element.tag ?? (copy >= 4 && copy <= 11 && offset < 2048 ? 1 : offset < 65536 ? 2 : 3)
      if (tag === 1) out.u8(1 | ((copy - 4) << 2) | ((offset >> 8) << 5)).u8(offset)
      else if (tag === 2) out.u8(2 | ((copy - 1) << 2)).le(offset, 2)
      else out.u8(3 | ((copy - 1) << 2)).le(offset, 4)
      at += copy
    }
  }
  return out.finish()
}

/**
 * Literals and copies by a greedy search over the last place each 4 bytes were seen.
 * @param {Uint8Array} input
 * @returns {Uint8Array}
 */
export function encodeSnappy(input) {
  /** @type {SnappyElement[]} */
  const elements = []
  /** @type {Map<number, number>} */
  const seen = new Map()
  let literal = 0
  for (let at = 0; at < input.length; ) {
    let length = 0
    let offset = 0
    if (at + 4 <= input.length) {
      const key = input[at] | (input[at + 1] << 8) | (input[at + 2] << 16) | (input[at + 3] << 24)
      const from = seen.get(key)
      seen.set(key, at)
      if (from !== undefined && at - from < 65536) {
        offset = at - from
        while (length < 64 && at + length < input.length && input[from + length] === input[at + length])
          length++
      }
    }
    if (length < 4) {
      literal++
      at++
      continue
    }
    if (literal) elements.push({ literal })
    literal = 0
    elements.push({ copy: length, offset })
    at += length
  }
  if (literal) elements.push({ literal })
  return encodeSnappyElements(input, elements)
}

/**
 * @param {Uint8Array} bytes
 * @param {number} size of the output, as the page header announces it
 * @returns {Uint8Array}
 */
export function decodeSnappy(bytes, size) {
  const reader = new ByteReader(bytes)
  if (Number(reader.uleb(32)) !== size) throw new FormatError('CORRUPT', 'another length than the header has')
  const out = new Uint8Array(size)
  let at = 0
  while (reader.left()) {
    const tag = reader.u8()
    const high = tag >> 2
    if ((tag & 3) === 0) {
      const n = 1 + (high < 60 ? high : Number(reader.le(high - 59)))
      const literal = reader.take(n)
      if (n > size - at) throw new FormatError('CORRUPT', 'more bytes than announced')
      out.set(literal, at)
      at += n
    } else {
      const near = (tag & 3) === 1
      const n = near ? 4 + (high & 7) : 1 + high
      const offset = near ? (tag >> 5) * 256 + reader.u8() : Number(reader.le((tag & 3) === 2 ? 2 : 4))
      if (offset === 0 || offset > at) throw new FormatError('CORRUPT', 'a copy from before the start')
      if (n > size - at) throw new FormatError('CORRUPT', 'more bytes than announced')
      for (let i = 0; i < n; i++, at++) out[at] = out[at - offset]
    }
  }
  if (at !== size) throw new FormatError('TRUNCATED', 'fewer bytes than announced')
  return out
}
