/** Values as text for people and for other programs: exact, where get() gives what is handy. */
import { uniqueNames } from './table.js'
import { int96Nanoseconds } from './values.js'
import { variantGetter } from './variant.js'

/** @typedef {import('./index.d.ts').ColumnType} ColumnType */
/** @typedef {import('./table.js').Column} Column */

const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'))
const DIGITS = { ms: 3, us: 6, ns: 9 }

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function hex(bytes) {
  let digits = ''
  for (const byte of bytes) digits += HEX[byte]
  return digits
}

/**
 * What JSON says, but that integers keep all their digits and that a Map has keys of any kind.
 * @typedef {null | boolean | number | bigint | string | any[] | Map<any, any> | { [name: string]: any }} Plain
 */

/** @type {WeakMap<Column, (i: number) => Plain>} */
const readers = new WeakMap()

/**
 * A value of a column. Bytes become hex digits, intervals, dates and timestamps ISO 8601 with every digit of their unit,
 * without a zone where they are of no zone.
 * @param {Column} column
 * @param {number} i
 * @returns {Plain}
 */
export function plainValue(column, i) {
  const { validity } = column
  if (validity && ((validity[i >> 3] >> (i & 7)) & 1) === 0) return null
  let read = readers.get(column)
  if (read === undefined) readers.set(column, (read = plainReader(column)))
  return read(i)
}

/**
 * @param {Column} column
 * @returns {(i: number) => Plain} of an entry that is not null
 */
function plainReader(column) {
  const { kind, type, values, offsets = [], indices, dictionary, children = [] } = column
  const entries = (/** @type {number} */ i) =>
    Array.from({ length: offsets[i + 1] - offsets[i] }, (_, k) => offsets[i] + k)
  switch (kind) {
    case 'list':
      return (i) => entries(i).map((at) => plainValue(children[0], at))
    case 'map': {
      const [key, value] = children[0].children ?? []
      const pair = (/** @type {number} */ at) => [plainValue(key, at), value ? plainValue(value, at) : null]
      return (i) => new Map(entries(i).map((at) => /** @type {[Plain, Plain]} */ (pair(at))))
    }
    case 'struct': {
      const names = uniqueNames(children.map(({ name }) => name))
      return (i) => Object.fromEntries(children.map((child, k) => [names[k], plainValue(child, i)]))
    }
    case 'variant':
      return variantGetter(column, plainValue)
  }
  if (indices !== undefined && dictionary !== undefined) return (i) => plainValue(dictionary, indices[i])
  return (i) => {
    const value = column.get(i)
    if (value instanceof Uint8Array) return hex(value)
    if (value instanceof Date) {
      if (type.kind === 'date') return value.toISOString().replace(/T.*$/, '')
      if (type.kind === 'timestamp') return timestampText(value, values[i], type.unit, type.isAdjustedToUTC)
      return timestampText(value, int96Nanoseconds(values.subarray(12 * i, 12 * i + 12)), 'ns', false)
    }
    if (type.kind === 'interval')
      return `P${value.months}M${value.days}DT${(value.milliseconds / 1000).toFixed(3)}S`
    return value
  }
}

/**
 * 64-bit integers are numbers with all their digits; what JSON has no number for (NaN, Infinity) is text. A Map is an
 * object, and a key that is no text stands as its JSON does.
 * @param {Plain} value
 * @returns {string}
 */
export function jsonText(value) {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return `"${value}"`
  if (Object.is(value, -0)) return '-0.0'
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  const entries = value instanceof Map ? value.entries() : Object.entries(value)
  const members = Array.from(entries, ([key, each]) => {
    const name = typeof key === 'string' ? key : jsonText(key)
    return `${JSON.stringify(name)}:${jsonText(each)}`
  })
  return `{${members.join(',')}}`
}

/**
 * @param {Plain} value
 * @returns {string} for a cell: arrays, objects and Maps as JSON
 */
export function plainText(value) {
  return typeof value === 'object' && value !== null ? jsonText(value) : String(value)
}

/**
 * @param {Date} date
 * @param {bigint | number} raw
 * @param {import('./index.d.ts').TimeUnit} unit
 * @param {boolean} isAdjustedToUTC
 * @returns {string}
 */
function timestampText(date, raw, unit, isAdjustedToUTC) {
  const digits = DIGITS[unit]
  const perSecond = 10 ** digits
  const rest = typeof raw === 'bigint' ? Number(raw % BigInt(perSecond)) : raw % perSecond
  const fraction = String(rest < 0 ? rest + perSecond : rest).padStart(digits, '0')
  // the Date's own text ends in three digits and Z
  return `${date.toISOString().slice(0, -4)}${fraction}${isAdjustedToUTC ? 'Z' : ''}`
}

/**
 * Text from a file is never to steer a terminal.
 * @param {string} text
 * @returns {string} control characters, and those that turn the direction of text, as escapes
 */
export function printable(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    const code = /** @type {number} */ (character.codePointAt(0))
    if (character === '\n') return '\\n'
    if (character === '\t') return '\\t'
    return code < 256 ? `\\x${HEX[code]}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/**
 * The same for text that is JSON already, which itself escapes the first 32 characters only.
 * @param {string} json
 * @returns {string}
 */
export function printableJson(json) {
  return json.replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}

/**
 * @param {ColumnType} type
 * @returns {string} timestamp(us), decimal(9, 2), fixed_size_binary(16), geometry(OGC:CRS84)
 */
export function typeText(type) {
  switch (type.kind) {
    case 'timestamp':
    case 'time':
      return `${type.kind}(${type.unit}${type.isAdjustedToUTC ? ', UTC' : ''})`
    case 'decimal':
      return `decimal(${type.precision}, ${type.scale})`
    case 'fixed_size_binary':
      return `fixed_size_binary(${type.byteWidth})`
    case 'geometry':
      return `geometry(${crsText(type.crs)})`
    case 'geography':
      return `geography(${crsText(type.crs)}, ${type.algorithm})`
    default:
      return type.kind
  }
}

/**
 * @param {string} crs which may be a whole document
 * @returns {string}
 */
function crsText(crs) {
  return shorten(printable(crs), 24)
}

/**
 * @param {number} n
 * @returns {string} 3,000,000
 */
export function count(n) {
  return n.toLocaleString('en-US')
}

/**
 * @param {number} bytes
 * @returns {string} in units of 1000
 */
export function byteCount(bytes) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let unit = 0
  let size = bytes
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  return `${unit === 0 ? size : size.toPrecision(3)} ${units[unit]}`
}

/**
 * @typedef {object} TextTable
 * @property {string[]} head
 * @property {string[][]} rows
 * @property {boolean[]} [right] columns that stand at the right edge
 */

/**
 * @param {TextTable} table
 * @param {number} [maxCell] characters of a cell, at most
 * @returns {string[]} lines
 */
export function tableLines({ head, rows, right = [] }, maxCell = 40) {
  const cells = [head, ...rows].map((row) => row.map((cell) => shorten(printable(cell), maxCell)))
  const widths = head.map((_, i) => Math.max(...cells.map((row) => [...row[i]].length)))
  const line = (/** @type {string[]} */ row) =>
    row
      .map((cell, i) => {
        const space = ' '.repeat(widths[i] - [...cell].length)
        return right[i] ? space + cell : cell + space
      })
      .join('  ')
      .trimEnd()
  const [first, ...others] = cells.map(line)
  return [first, widths.map((width) => '-'.repeat(width)).join('  '), ...others]
}

/**
 * @param {string} text
 * @param {number} max
 * @returns {string}
 */
function shorten(text, max) {
  const characters = [...text]
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`
}
