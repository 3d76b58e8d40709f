/**
 * ALP (encoding 10), value by value. Floating-point numbers are bigints with their bits here, so that no NaN loses its
 * payload.
 *
 *   section := mode integer_encoding log_vector_size count(4) offset(4)* vector*
 *   vector  := exponent factor exceptions(2) frame(s) width packed position(2)* value(s)*
 */
import { packBits, unpackBits } from './bitpack.js'
import { ByteReader, ByteWriter, concatBytes, FormatError } from './bytes.js'

/** @typedef {32 | 64} Bits of the type: FLOAT or DOUBLE */
/**
 * @typedef {object} AlpOptions
 * @property {number} [logVectorSize] 10 unless given
 * @property {(vector: number) => [number, number]} [scale] exponent and factor; 4 and 2 unless given
 * @property {(vector: number, i: number) => boolean} [exception] makes a value one that could do without
 * @property {(vector: number, width: number) => number} [width] chooses a larger width
 * @property {(vector: number, frame: bigint) => bigint} [frame] chooses a lower frame
 * @property {boolean} [descending] exceptions from the last to the first
 */

const HEADER_SIZE = 7

/** @param {Bits} bits */
const maxExponent = (bits) => (bits === 32 ? 10 : 18)

/**
 * A number rounded to the type.
 * @param {Bits} bits
 * @param {number} x
 */
const rounded = (bits, x) => (bits === 32 ? Math.fround(x) : x)

/**
 * @param {Bits} bits
 * @param {number} x
 * @returns {bigint}
 */
function bitsOf(bits, x) {
  const view = new DataView(new ArrayBuffer(8))
  if (bits === 64) view.setFloat64(0, x)
  else view.setFloat32(0, x)
  return bits === 64 ? view.getBigUint64(0) : BigInt(view.getUint32(0))
}

/**
 * @param {Bits} bits
 * @param {bigint} pattern
 * @returns {number}
 */
function numberOf(bits, pattern) {
  const view = new DataView(new ArrayBuffer(8))
  if (bits === 64) view.setBigUint64(0, pattern)
  else view.setUint32(0, Number(pattern))
  return bits === 64 ? view.getFloat64(0) : view.getFloat32(0)
}

/**
 * The value that an integer stands for. The product of two numbers of 24 bits has 48, so that binary32 is rounded once.
 * @param {Bits} bits
 * @param {bigint} integer signed
 * @param {number} exponent
 * @param {number} factor
 * @returns {bigint} its bits
 */
export function scaleInteger(bits, integer, exponent, factor) {
  const number = rounded(bits, Number(integer))
  const up = rounded(bits, number * rounded(bits, Number(`1e${factor}`)))
  return bitsOf(bits, rounded(bits, up * rounded(bits, Number(`1e-${exponent}`))))
}

/**
 * The integer for a value; undefined when none gives it back bit for bit.
 * @param {Bits} bits
 * @param {bigint} pattern
 * @param {number} exponent
 * @param {number} factor
 * @returns {bigint | undefined}
 */
function integerFor(bits, pattern, exponent, factor) {
  const scaled = Math.round(numberOf(bits, pattern) * 10 ** exponent * 10 ** -factor)
  if (!Number.isFinite(scaled)) return undefined
  const integer = BigInt(scaled)
  if (BigInt.asIntN(bits, integer) !== integer) return undefined
  return scaleInteger(bits, integer, exponent, factor) === pattern ? integer : undefined
}

/**
 * What a vector consists of.
 * @typedef {object} AlpVector
 * @property {number} exponent
 * @property {number} factor
 * @property {bigint} frame
 * @property {number} width
 * @property {bigint[]} residuals
 * @property {[position: number, pattern: bigint][]} exceptions
 */

/**
 * @param {Bits} bits
 * @param {bigint[]} patterns
 * @param {number} number of the vector
 * @param {AlpOptions} options
 * @returns {AlpVector}
 */
function makeVector(bits, patterns, number, options) {
  const [exponent, factor] = options.scale?.(number) ?? [4, 2]
  const integers = patterns.map((pattern, i) =>
    options.exception?.(number, i) ? undefined : integerFor(bits, pattern, exponent, factor)
  )
  const known = integers.filter((integer) => integer !== undefined)
  let smallest = known[0] ?? 0n
  for (const integer of known) if (integer < smallest) smallest = integer
  const frame = options.frame?.(number, smallest) ?? smallest
  const residuals = integers.map((integer) => BigInt.asUintN(bits, (integer ?? known[0] ?? frame) - frame))
  let needed = 0
  for (const residual of residuals) while (residual >> BigInt(needed)) needed++
  /** @type {[number, bigint][]} */
  const exceptions = integers.flatMap((integer, i) => (integer === undefined ? [[i, patterns[i]]] : []))
  if (options.descending) exceptions.reverse()
  return {
    exponent,
    factor,
    frame,
    width: options.width?.(number, needed) ?? needed,
    residuals,
    exceptions,
  }
}

/**
 * @param {AlpVector[]} vectors
 * @param {Bits} bits
 * @param {number} [log] of the vector size
 * @returns {Uint8Array}
 */
export function encodeAlpVectors(vectors, bits, log = 10) {
  const s = bits / 8
  const parts = vectors.map(({ exponent, factor, frame, width, residuals, exceptions }) => {
    const out = new ByteWriter().u8(exponent).u8(factor).le(exceptions.length, 2).le(frame, s).u8(width)
    out.bytes(packBits(residuals, width))
    for (const [position] of exceptions) out.le(position, 2)
    for (const [, pattern] of exceptions) out.le(pattern, s)
    return out.finish()
  })
  const count = vectors.reduce((n, vector) => n + vector.residuals.length, 0)
  const header = new ByteWriter().u8(0).u8(0).u8(log).le(count, 4)
  let offset = 4 * parts.length
  for (const part of parts) {
    header.le(offset, 4)
    offset += part.length
  }
  return concatBytes(header.finish(), ...parts)
}

/**
 * @param {bigint[]} patterns
 * @param {Bits} bits
 * @param {AlpOptions} [options]
 * @returns {Uint8Array}
 */
export function encodeAlp(patterns, bits, options = {}) {
  const log = options.logVectorSize ?? 10
  /** @type {AlpVector[]} */
  const vectors = []
  for (let at = 0; at < patterns.length; at += 1 << log) {
    vectors.push(makeVector(bits, patterns.slice(at, at + (1 << log)), vectors.length, options))
  }
  return encodeAlpVectors(vectors, bits, log)
}

/**
 * @param {Uint8Array} bytes of the vector, to the next one or to the end
 * @param {Bits} bits
 * @param {number} n values
 * @param {boolean} isLast
 * @returns {bigint[]}
 */
function decodeVector(bytes, bits, n, isLast) {
  const reader = new ByteReader(bytes)
  const s = bits / 8
  try {
    const [exponent, factor] = reader.take(2)
    const count = Number(reader.le(2))
    const frame = reader.le(s)
    const width = reader.u8()
    if (exponent > maxExponent(bits) || factor > exponent) {
      throw new FormatError('CORRUPT', `exponent ${exponent}, factor ${factor}`)
    }
    if (width > bits) throw new FormatError('CORRUPT', `residuals of ${width} bits`)
    if (count > n) throw new FormatError('CORRUPT', `${count} exceptions of ${n} values`)
    const residuals = unpackBits(reader.take(Math.ceil((n * width) / 8)), width, n)
    const positions = Array.from({ length: count }, () => Number(reader.le(2)))
    const exceptions = positions.map(() => reader.le(s))
    if (reader.left()) throw new FormatError('CORRUPT', 'bytes after a vector')
    if (positions.some((position) => position >= n)) {
      throw new FormatError('CORRUPT', 'an exception outside its vector')
    }
    const values = residuals.map((residual) =>
      scaleInteger(bits, BigInt.asIntN(bits, frame + residual), exponent, factor)
    )
    positions.forEach((position, i) => {
      values[position] = exceptions[i]
    })
    return values
  } catch (error) {
    if (error instanceof FormatError && error.status === 'TRUNCATED' && !isLast) {
      throw new FormatError('CORRUPT', 'a vector that reaches into the next one')
    }
    throw error
  }
}

/**
 * A whole section.
 * @param {Uint8Array} section
 * @param {Bits} bits
 * @param {number} [capacity] most values that fit
 * @param {'NO_SPACE' | 'CORRUPT'} [whenFull] what it is when more are announced
 * @returns {bigint[]}
 */
export function decodeAlp(section, bits, capacity = Infinity, whenFull = 'NO_SPACE') {
  if (section.length === 0) return []
  const reader = new ByteReader(section)
  const [mode, integerEncoding, log] = reader.take(3)
  const n = Number(BigInt.asIntN(32, reader.le(4)))
  if (mode !== 0 || integerEncoding !== 0) throw new FormatError('UNSUPPORTED', 'a reserved layout')
  if (log < 3 || log > 15) throw new FormatError('CORRUPT', `vectors of 2^${log} values`)
  if (n < 0) throw new FormatError('CORRUPT', `${n} values`)
  if (n > capacity) throw new FormatError(whenFull, `${n} values announced`)
  const count = Math.ceil(n / (1 << log))
  const offsets = new ByteReader(reader.take(4 * count))
  const starts = Array.from({ length: count }, () => Number(offsets.le(4)))
  starts.forEach((start, i) => {
    if (i === 0 ? start !== 4 * count : start <= starts[i - 1])
      throw new FormatError('CORRUPT', `offset ${start}`)
    if (HEADER_SIZE + start >= section.length) throw new FormatError('TRUNCATED', 'a vector outside')
  })
  if (count === 0 && reader.left()) throw new FormatError('CORRUPT', 'bytes after no values')
  return starts.flatMap((start, i) => {
    const isLast = i + 1 === count
    const end = isLast ? section.length : HEADER_SIZE + starts[i + 1]
    const size = isLast ? n - (i << log) : 1 << log
    return decodeVector(section.subarray(HEADER_SIZE + start, end), bits, size, isLast)
  })
}
