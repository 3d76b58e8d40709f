/**
 * Zstandard frames (RFC 8878) made of raw and RLE blocks only: legal, and the same on every machine. Frames with compressed
 * blocks come from other writers.
 */
import { ByteReader, ByteWriter, concatBytes, FormatError } from './bytes.js'

const MAGIC = 0xfd2fb528

/**
 * @param {Uint8Array} input
 * @param {number} [blockSize] most bytes of a raw block
 * @returns {Uint8Array} one frame, its content size in the header
 */
export function encodeZstd(input, blockSize = 1000) {
  const out = new ByteWriter().le(MAGIC, 4).u8(0xa0).le(input.length, 4)
  let at = 0
  do {
    let run = 1
    while (at + run < input.length && run < 100000 && input[at + run] === input[at]) run++
    const rle = run >= 16
    const size = rle ? run : Math.min(blockSize, input.length - at)
    const last = at + size >= input.length ? 1 : 0
    out.le(last | (rle ? 2 : 0) | (size << 3), 3)
    out.bytes(rle ? [input[at]] : input.subarray(at, at + size))
    at += size
  } while (at < input.length)
  return out.finish()
}

/**
 * Reads what encodeZstd writes; UNSUPPORTED for a compressed block.
 * @param {Uint8Array} bytes
 * @param {number} size
 * @returns {Uint8Array}
 */
export function decodeZstd(bytes, size) {
  const reader = new ByteReader(bytes)
  if (Number(reader.le(4)) !== MAGIC) throw new FormatError('CORRUPT', 'no zstd frame')
  if (reader.u8() !== 0xa0) throw new FormatError('UNSUPPORTED', 'a zstd frame of another kind')
  const announced = Number(reader.le(4))
  /** @type {Uint8Array[]} */
  const parts = []
  for (let last = false; !last; ) {
    const header = Number(reader.le(3))
    const n = header >> 3
    last = (header & 1) === 1
    if (((header >> 1) & 3) === 0) parts.push(reader.take(n))
    else if (((header >> 1) & 3) === 1) parts.push(new Uint8Array(n).fill(reader.u8()))
    else throw new FormatError('UNSUPPORTED', 'a compressed zstd block')
  }
  const out = concatBytes(...parts)
  if (out.length !== size || announced !== size)
    throw new FormatError('CORRUPT', 'another length than announced')
  if (reader.left()) throw new FormatError('CORRUPT', 'bytes after the frame')
  return out
}
