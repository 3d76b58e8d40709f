/**
 * LZ4's block format (lz4_Block_format.md) and the frames that Hadoop's stream puts around blocks.
 */
import { ByteReader, ByteWriter, FormatError } from './bytes.js'

/**
 * @typedef {{ literal: number, copy?: number, offset?: number }} Lz4Sequence the last one has no copy
 */

/** @param {ByteWriter} out @param {number} length */
function rest(out, length) {
  if (length < 15) return
  let left = length - 15
  for (; left >= 255; left -= 255) out.u8(255)
  out.u8(left)
}

/**
 * Writes exactly the sequences given; literals are taken from `input` at the position reached.
 * @param {Uint8Array} input
 * @param {Lz4Sequence[]} sequences
 * @returns {Uint8Array}
 */
export function encodeLz4Sequences(input, sequences) {
  const out = new ByteWriter()
  let at = 0
  for (const { literal, copy, offset = 0 } of sequences) {
    const more = copy === undefined ? 0 : copy - 4
    out.u8((Math.min(literal, 15) << 4) | Math.min(more, 15))
    rest(out, literal)
    out.bytes(input.subarray(at, at + literal))
    at += literal
    if (copy === undefined) continue
    out.le(offset, 2)
    rest(out, more)
    at += copy
  }
  return out.finish()
}

/**
 * Copies by a greedy search over the last place each 4 bytes were seen. As the format wants it, the last 5 bytes are
 * literals.
 * @param {Uint8Array} input
 * @returns {Uint8Array}
 */
export function encodeLz4(input) {
  /** @type {Lz4Sequence[]} */
  const sequences = []
  /** @type {Map<number, number>} */
  const seen = new Map()
  const end = input.length - 5
  let literal = 0
  for (let at = 0; at < input.length; ) {
    let copy = 0
    let offset = 0
    if (at + 12 <= input.length) {
      const key = input[at] | (input[at + 1] << 8) | (input[at + 2] << 16) | (input[at + 3] << 24)
      const from = seen.get(key)
      seen.set(key, at)
      if (from !== undefined && at - from < 65536) {
        offset = at - from
        while (at + copy < end && input[from + copy] === input[at + copy]) copy++
      }
    }
    if (copy < 4) {
      literal++
      at++
      continue
    }
    sequences.push({ literal, copy, offset })
    literal = 0
    at += copy
  }
  return encodeLz4Sequences(input, [...sequences, { literal }])
}

/**
 * @param {Uint8Array[][]} frames of chunks, each to become a block
 * @returns {Uint8Array}
 */
export function encodeLz4Frames(frames) {
  const out = new ByteWriter()
  const bigEndian = (/** @type {number} */ x) =>
    out
      .u8(x >>> 24)
      .u8(x >>> 16)
      .u8(x >>> 8)
      .u8(x)
  for (const chunks of frames) {
    bigEndian(chunks.reduce((size, chunk) => size + chunk.length, 0))
    for (const chunk of chunks) {
      const block = encodeLz4(chunk)
      bigEndian(block.length)
      out.bytes(block)
    }
  }
  return out.finish()
}

/**
 * @param {Uint8Array} bytes a whole block
 * @param {number} capacity
 * @returns {Uint8Array} what it holds
 */
function decodeBlock(bytes, capacity) {
  const reader = new ByteReader(bytes)
  /** @type {number[]} */
  const out = []
  const length = (/** @type {number} */ first) => {
    let total = first
    if (first === 15) {
      let byte
      do {
        byte = reader.u8()
        total += byte
      } while (byte === 255)
    }
    return total
  }
  for (;;) {
    const token = reader.u8()
    const literal = length(token >> 4)
    if (literal > capacity - out.length) throw new FormatError('CORRUPT', 'more bytes than announced')
    out.push(...reader.take(literal))
    if (!reader.left()) return Uint8Array.from(out)
    const offset = Number(reader.le(2))
    const copy = length(token & 15) + 4
    if (copy > capacity - out.length) throw new FormatError('CORRUPT', 'more bytes than announced')
    if (offset === 0 || offset > out.length) throw new FormatError('CORRUPT', 'a copy from before the start')
    for (let i = 0; i < copy; i++) out.push(out[out.length - offset])
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {number} size of the output, as the page header announces it
 * @returns {Uint8Array}
 */
export function decodeLz4Raw(bytes, size) {
  const out = decodeBlock(bytes, size)
  if (out.length !== size) throw new FormatError('TRUNCATED', 'fewer bytes than announced')
  return out
}

/**
 * @param {Uint8Array} bytes frames, or a block alone
 * @param {number} size
 * @returns {Uint8Array}
 */
export function decodeLz4(bytes, size) {
  const bigEndian = (/** @type {ByteReader} */ reader) => reader.take(4).reduce((x, byte) => x * 256 + byte, 0)
  const first = bytes.length < 4 ? 0 : bigEndian(new ByteReader(bytes))
  // a block begins with a literal and so, as a size, with 2^28 or more
  if (bytes.length >= 4 && (first === 0 || first > size)) return decodeLz4Raw(bytes, size)
  const reader = new ByteReader(bytes)
  const out = new Uint8Array(size)
  for (let at = 0; at < size; ) {
    const end = at + bigEndian(reader)
    if (end === at || end > size) throw new FormatError('CORRUPT', 'a frame of no size that fits')
    while (at < end) {
      const chunk = decodeBlock(reader.take(bigEndian(reader)), end - at)
      out.set(chunk, at)
      at += chunk.length
    }
  }
  if (reader.left()) throw new FormatError('CORRUPT', 'bytes after the last frame')
  return out
}
