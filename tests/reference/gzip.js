/**
 * GZIP members (RFC 1952) whose bytes are the same on every machine: DEFLATE (RFC 1951) with stored blocks, or with the
 * fixed codes and copies of the byte before. Reading is left to node:zlib.
 */
import { gunzipSync } from 'node:zlib'
import { ByteWriter, concatBytes, FormatError } from './bytes.js'
import { crc32 } from './crc32.js'

/**
 * @param {Uint8Array} input
 * @returns {Uint8Array} DEFLATE with stored blocks of up to 65535 bytes
 */
function deflateStored(input) {
  const out = new ByteWriter()
  let at = 0
  do {
    const size = Math.min(65535, input.length - at)
    out
      .u8(at + size === input.length ? 1 : 0)
      .le(size, 2)
      .le(~size, 2)
      .bytes(input.subarray(at, at + size))
    at += size
  } while (at < input.length)
  return out.finish()
}

/** Bits of a DEFLATE stream: numbers from the least significant bit, codes from the most significant. */
class BitWriter {
  constructor() {
    this.out = new ByteWriter()
    this.byte = 0
    this.count = 0
  }

  /** @param {number} bit */
  bit(bit) {
    this.byte |= bit << this.count++
    if (this.count === 8) this.flush()
  }

  /** @param {number} value @param {number} n */
  number(value, n) {
    for (let i = 0; i < n; i++) this.bit((value >> i) & 1)
  }

  /** @param {number} code @param {number} n */
  code(code, n) {
    for (let i = n - 1; i >= 0; i--) this.bit((code >> i) & 1)
  }

  /** The literal or length symbol `symbol` in the fixed code. @param {number} symbol */
  symbol(symbol) {
    if (symbol < 144) this.code(0x30 + symbol, 8)
    else if (symbol < 256) this.code(0x190 + symbol - 144, 9)
    else if (symbol < 280) this.code(symbol - 256, 7)
    else this.code(0xc0 + symbol - 280, 8)
  }

  flush() {
    if (this.count) this.out.u8(this.byte)
    this.byte = this.count = 0
  }
}

/**
 * One block with the fixed codes; runs of equal bytes become copies from distance 1, of length 3 to 10.
 * @param {Uint8Array} input
 * @returns {Uint8Array}
 */
function deflateFixed(input) {
  const bits = new BitWriter()
  bits.number(1, 1)
  bits.number(1, 2)
  for (let at = 0; at < input.length; ) {
    let run = 0
    while (at > 0 && run < 10 && at + run < input.length && input[at + run] === input[at - 1]) run++
    if (run >= 3) {
      bits.symbol(254 + run)
      bits.code(0, 5)
      at += run
    } else {
      bits.symbol(input[at++])
    }
  }
  bits.symbol(256)
  bits.flush()
  return bits.out.finish()
}

/**
 * @param {Uint8Array} input
 * @param {{ stored?: boolean, crc?: number }} [options]
 * @returns {Uint8Array} one member
 */
export function encodeGzip(input, options = {}) {
  const body = options.stored ? deflateStored(input) : deflateFixed(input)
  const trailer = new ByteWriter()
    .le(options.crc ?? crc32(input), 4)
    .le(input.length, 4)
    .finish()
  return concatBytes([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255], body, trailer)
}

/**
 * @param {Uint8Array} bytes one member or several
 * @param {number} size
 * @returns {Uint8Array}
 */
export function decodeGzip(bytes, size) {
  let out
  try {
    out = gunzipSync(bytes)
  } catch (error) {
    const cut = /** @type {NodeJS.ErrnoException} */ (error).code === 'Z_BUF_ERROR'
    throw new FormatError(cut ? 'TRUNCATED' : 'CORRUPT', String(error))
  }
  if (out.length !== size) throw new FormatError('CORRUPT', 'another length than the header has')
  return Uint8Array.from(out)
}
