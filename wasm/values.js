/**
 * From stored values to what a person expects. The arrays of a column always hold what the file holds; get(i), iteration
 * and rows() convert:
 *
 *   string enum json   text; invalid UTF-8 becomes U+FFFD. JSON stays text: it cannot fail, keeps every digit, and tells
 *                      the JSON null from a null entry. Longer than the engine's strings: an error with the code LIMIT
 *   bson binary        bytes
 *   geometry geography bytes, well-known binary
 *   uuid               text, lower case
 *   int* uint*         number, for 64 bits bigint; the sign is the annotation's
 *   date               Date, midnight UTC                        out of Date's range: the number of days
 *   timestamp          Date, rounded down to its milliseconds    out of Date's range: the integer
 *   time               text 'HH:MM:SS.fff', 3, 6 or 9 digits     outside a day: the integer
 *   decimal            text with exactly `scale` digits after the point; LIMIT above 64 KB of digits
 *   float16            number
 *   int96              Date                                      out of Date's range: nanoseconds since 1970, bigint
 *   interval           { months, days, milliseconds }
 *
 * Where get(i) cannot give a value it fails or gives the integer, never another value; the arrays have what the file has.
 */
import { PagelaneError } from './errors.js'

/**
 * @typedef {import('./index.d.ts').ColumnType} ColumnType
 * @typedef {import('./index.d.ts').TimeUnit} TimeUnit
 */
/**
 * The arrays of a column, in Arrow's layout.
 * @typedef {object} Layout
 * @property {ColumnType} type
 * @property {any} [values]
 * @property {Int32Array} [offsets]
 * @property {Uint8Array} [data]
 */
/** @typedef {(i: number) => any} Getter the value of entry i, which is not null */

const MS_PER_DAY = 86400000
const MAX_DATE_MS = 8.64e15
/* Julian day of 1970-01-01 */
const JULIAN_EPOCH = 2440588n
/* Turning so many into decimal digits takes 0.1 s. */
const MAX_DECIMAL_BYTES = 65536

/**
 * How get(i) makes a value of entry i. The getter reads the arrays given here, so it belongs to one column.
 * @param {Layout} layout
 * @returns {Getter}
 */
export function valueGetter(layout) {
  const { type, values } = layout
  switch (type.kind) {
    case 'int8':
      return (i) => (values[i] << 24) >> 24
    case 'int16':
      return (i) => (values[i] << 16) >> 16
    case 'uint8':
      return (i) => values[i] & 0xff
    case 'uint16':
      return (i) => values[i] & 0xffff
    case 'uint32':
      return (i) => values[i] >>> 0
    case 'float16':
      return (i) => float16(values[i])
    case 'string':
    case 'enum':
    case 'json':
      return textGetter(bytesGetter(layout))
    case 'uuid':
      return mapped(bytesGetter(layout), uuidText)
    case 'interval':
      return mapped(bytesGetter(layout), intervalValue)
    case 'int96':
      return mapped(bytesGetter(layout), int96Value)
    case 'date':
      return (i) => dateValue(values[i] * MS_PER_DAY, values[i])
    case 'timestamp':
      return timestampGetter(values, type.unit)
    case 'time':
      return (i) => timeText(values[i], type.unit)
    case 'decimal':
      return decimalGetter(layout, type.scale)
    default:
      if (type.physicalType === 'BOOLEAN') return (i) => ((values[i >> 3] >> (i & 7)) & 1) === 1
      return isBytes(type) ? bytesGetter(layout) : (i) => values[i]
  }
}

/**
 * Do the values of this type stand as bytes, in `values` at a fixed width or in `data` between offsets?
 * @param {ColumnType} type
 * @returns {boolean}
 */
function isBytes({ kind, physicalType }) {
  if (kind === 'float16') return false
  return physicalType === 'BYTE_ARRAY' || physicalType === 'FIXED_LEN_BYTE_ARRAY' || physicalType === 'INT96'
}

/**
 * @template T
 * @param {(i: number) => Uint8Array} bytes
 * @param {(bytes: Uint8Array) => T} convert
 * @returns {(i: number) => T}
 */
function mapped(bytes, convert) {
  return (i) => convert(bytes(i))
}

/**
 * @param {Layout} layout
 * @returns {(i: number) => Uint8Array} a view of the column's own bytes
 */
function bytesGetter({ type, values, offsets, data }) {
  if (offsets !== undefined && data !== undefined) return (i) => data.subarray(offsets[i], offsets[i + 1])
  const width = 'byteWidth' in type && type.byteWidth !== undefined ? type.byteWidth : 0
  return (i) => values.subarray(i * width, i * width + width)
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Most strings are short and ASCII, and then a loop is several times faster than a call of the decoder.
 * @param {(i: number) => Uint8Array} bytes
 * @returns {(i: number) => string}
 */
function textGetter(bytes) {
  return (i) => text(bytes(i))
}

/**
 * @param {Uint8Array} bytes
 * @returns {string} invalid sequences as U+FFFD
 */
export function text(bytes) {
  if (bytes.length <= 24) {
    let short = ''
    for (let i = 0; ; i++) {
      if (i === bytes.length) return short
      if (bytes[i] > 127) break
      short += String.fromCharCode(bytes[i])
    }
  }
  try {
    // decoders refuse memory that another thread may write to
    return utf8.decode(bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice())
  } catch (cause) {
    throw new PagelaneError('LIMIT', `text of ${bytes.length} bytes does not fit a string`, { cause })
  }
}

/**
 * @param {number} bits
 * @returns {number}
 */
export function float16(bits) {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25)
}

const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'))

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
function hexOf(bytes) {
  let digits = ''
  for (const byte of bytes) digits += HEX[byte]
  return digits
}

/**
 * @param {Uint8Array} bytes 16 of them, in the order of the text
 * @returns {string}
 */
function uuidText(bytes) {
  const h = hexOf(bytes)
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20)}`
}

/**
 * @param {Uint8Array} bytes
 * @returns {{ months: number, days: number, milliseconds: number }}
 */
function intervalValue(bytes) {
  const view = viewOf(bytes)
  return {
    months: view.getUint32(0, true),
    days: view.getUint32(4, true),
    milliseconds: view.getUint32(8, true),
  }
}

/**
 * Nanoseconds within the day (signed, and not always within the day), then the Julian day. Exact: the year 9999 in
 * nanoseconds does not fit 64 bits.
 * @param {Uint8Array} bytes
 * @returns {bigint} nanoseconds since 1970
 */
export function int96Nanoseconds(bytes) {
  return int96At(viewOf(bytes), 0)
}

/**
 * @param {DataView} view
 * @param {number} at
 * @returns {bigint} nanoseconds since 1970
 */
export function int96At(view, at) {
  const days = BigInt(view.getInt32(at + 8, true)) - JULIAN_EPOCH
  return days * 86400000000000n + view.getBigInt64(at, true)
}

/**
 * @param {Uint8Array} bytes
 * @returns {Date | bigint}
 */
function int96Value(bytes) {
  const nanoseconds = int96Nanoseconds(bytes)
  return dateValue(Number(floorDiv(nanoseconds, 1000000n)), nanoseconds)
}

/**
 * @param {Uint8Array} bytes
 * @returns {DataView}
 */
export function viewOf(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/**
 * @template T
 * @param {number} milliseconds
 * @param {T} raw
 * @returns {Date | T} the raw value where a Date cannot hold it
 */
function dateValue(milliseconds, raw) {
  return Math.abs(milliseconds) <= MAX_DATE_MS ? new Date(milliseconds) : raw
}

/** @type {Record<TimeUnit, { perMs: bigint, perSecond: bigint, digits: number }>} */
const UNITS = {
  ms: { perMs: 1n, perSecond: 1000n, digits: 3 },
  us: { perMs: 1000n, perSecond: 1000000n, digits: 6 },
  ns: { perMs: 1000000n, perSecond: 1000000000n, digits: 9 },
}

/**
 * @param {BigInt64Array | Float64Array} values
 * @param {TimeUnit} unit
 * @returns {Getter}
 */
function timestampGetter(values, unit) {
  const { perMs } = UNITS[unit]
  if (values instanceof Float64Array) {
    const divisor = Number(perMs)
    return (i) => dateValue(Math.floor(values[i] / divisor), values[i])
  }
  return (i) => dateValue(Number(floorDiv(values[i], perMs)), values[i])
}

/**
 * @param {bigint} a
 * @param {bigint} b above 0
 * @returns {bigint} rounded down, not towards 0
 */
function floorDiv(a, b) {
  const quotient = a / b
  return a < 0n && quotient * b !== a ? quotient - 1n : quotient
}

/**
 * @template {number | bigint} T
 * @param {T} value
 * @param {TimeUnit} unit
 * @returns {string | T}
 */
function timeText(value, unit) {
  const { perSecond, digits } = UNITS[unit]
  const count = BigInt(value)
  if (count < 0n || count >= 86400n * perSecond) return value
  const seconds = Number(count / perSecond)
  const clock = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part) =>
    String(Math.floor(part)).padStart(2, '0')
  )
  return `${clock.join(':')}.${String(count % perSecond).padStart(digits, '0')}`
}

/**
 * @param {Layout} layout
 * @param {number} scale
 * @returns {Getter}
 */
function decimalGetter(layout, scale) {
  if (!isBytes(layout.type)) return (i) => decimalText(BigInt(layout.values[i]), scale)
  const bytes = bytesGetter(layout)
  return (i) => decimalText(signedBigEndian(bytes(i)), scale)
}

/**
 * @param {Uint8Array} bytes two's complement, most significant byte first, any length; none is 0
 * @returns {bigint}
 */
function signedBigEndian(bytes) {
  if (bytes.length > MAX_DECIMAL_BYTES) throw new PagelaneError('LIMIT', `decimal of ${bytes.length} bytes`)
  return bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${hexOf(bytes)}`))
}

/**
 * @param {bigint} unscaled
 * @param {number} scale
 * @returns {string} no exponent, no thousands, `scale` digits after the point
 */
export function decimalText(unscaled, scale) {
  if (scale === 0) return String(unscaled)
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
