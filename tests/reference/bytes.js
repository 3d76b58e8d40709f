/**
 * Bytes in and out for the reference model: one byte at a time, little-endian, nothing clever. Numbers of the format are
 * BigInt wherever they can have more than 32 bits.
 */

/**
 * What the model throws for bad input. `status` is the status that pagelane must give for the same bytes.
 */
export class FormatError extends Error {
  /**
   * @param {'TRUNCATED' | 'CORRUPT' | 'UNSUPPORTED' | 'NO_SPACE' | 'BAD_ARGUMENT' | 'LIMIT'} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/** A growing row of bytes. */
export class ByteWriter {
  constructor() {
    this.buffer = new Uint8Array(64)
    this.size = 0
  }

  /** @param {number | bigint} byte */
  u8(byte) {
    if (this.size === this.buffer.length) {
      const larger = new Uint8Array(this.buffer.length * 2)
      larger.set(this.buffer)
      this.buffer = larger
    }
    this.buffer[this.size++] = Number(byte) & 255
    return this
  }

  /** @param {Iterable<number>} bytes */
  bytes(bytes) {
    for (const byte of bytes) this.u8(byte)
    return this
  }

  /**
   * The low `size` bytes of a number, lowest first.
   * @param {number | bigint} value
   * @param {number} size
   */
  le(value, size) {
    let rest = BigInt.asUintN(8 * size, BigInt(value))
    for (let i = 0; i < size; i++) {
      this.u8(rest & 255n)
      rest >>= 8n
    }
    return this
  }

  /**
   * Unsigned LEB128.
   * @param {number | bigint} value 0 or more
   */
  uleb(value) {
    let rest = BigInt(value)
    if (rest < 0n) throw new RangeError('uleb of a negative number')
    while (rest > 127n) {
      this.u8((rest & 127n) | 128n)
      rest >>= 7n
    }
    return this.u8(rest)
  }

  /**
   * Zigzag LEB128: 0 -1 1 -2 2 ... as 0 1 2 3 4 ...
   * @param {number | bigint} value
   */
  zigzag(value) {
    const n = BigInt(value)
    return this.uleb(n >= 0n ? 2n * n : -2n * n - 1n)
  }

  /** A copy of what was written. */
  finish() {
    return this.buffer.slice(0, this.size)
  }
}

/** Reads bytes one after another and throws a FormatError where they end. */
export class ByteReader {
  /**
   * @param {Uint8Array} bytes
   * @param {number} [position]
   */
  constructor(bytes, position = 0) {
    this.bytes = bytes
    this.position = position
  }

  left() {
    return this.bytes.length - this.position
  }

  /** @returns {number} */
  u8() {
    if (this.position >= this.bytes.length) throw new FormatError('TRUNCATED', 'the bytes end')
    return this.bytes[this.position++]
  }

  /**
   * @param {number} size
   * @returns {Uint8Array}
   */
  take(size) {
    if (size > this.left()) throw new FormatError('TRUNCATED', `${size} bytes wanted, ${this.left()} left`)
    this.position += size
    return this.bytes.subarray(this.position - size, this.position)
  }

  /**
   * An unsigned number of `size` bytes, lowest first.
   * @param {number} size
   * @returns {bigint}
   */
  le(size) {
    const bytes = this.take(size)
    let value = 0n
    for (let i = size - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i])
    return value
  }

  /**
   * Unsigned LEB128 of at most `bits` bits: at most 5 bytes for 32 bits, 10 for 64. Redundant zero groups are fine.
   * @param {number} bits
   * @returns {bigint}
   */
  uleb(bits) {
    let value = 0n
    for (let i = 0; i < Math.ceil(bits / 7); i++) {
      const byte = this.u8()
      value |= BigInt(byte & 127) << BigInt(7 * i)
      if (value >> BigInt(bits) !== 0n) throw new FormatError('CORRUPT', `LEB128 wider than ${bits} bits`)
      if (byte < 128) return value
    }
    throw new FormatError('CORRUPT', `LEB128 too long for ${bits} bits`)
  }

  /**
   * @param {number} bits
   * @returns {bigint}
   */
  zigzag(bits) {
    const z = this.uleb(bits)
    return z & 1n ? -(z + 1n) / 2n : z / 2n
  }
}

/**
 * @param {...(Uint8Array | number[])} parts
 * @returns {Uint8Array}
 */
export function concatBytes(...parts) {
  const out = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let position = 0
  for (const part of parts) {
    out.set(part, position)
    position += part.length
  }
  return out
}

/**
 * Bytes written as hex digits; blanks and "|" between them are for the eye.
 * @param {string} text
 * @returns {Uint8Array}
 */
export function fromHex(text) {
  const digits = text.replace(/[\s|]/g, '')
  if (digits.length % 2 || /[^0-9a-f]/i.test(digits)) throw new RangeError(`not hex: ${text}`)
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16))
}

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
