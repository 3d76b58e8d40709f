/** Values as text for people and for other programs: exact, where get() gives what is handy. */
import { int96Nanoseconds } from './values.js'

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
 * A value of a column: null, boolean, number, bigint or text. Bytes become hex digits, dates and timestamps ISO 8601 with
 * every digit of their unit, without a zone where they are of no zone.
 * @param {Column} column
 * @param {number} i
 * @returns {null | boolean | number | bigint | string}
 */
export function plainValue(column, i) {
  if (column.indices !== undefined && column.dictionary !== undefined) {
    return column.get(i) === null ? null : plainValue(column.dictionary, column.indices[i])
  }
  const value = column.get(i)
  if (value instanceof Uint8Array) return hex(value)
  const { type } = column
  if (value instanceof Date) {
    if (type.kind === 'date') return value.toISOString().replace(/T.*$/, '')
    if (type.kind === 'timestamp')
      return timestampText(value, column.values[i], type.unit, type.isAdjustedToUTC)
    const nanoseconds = int96Nanoseconds(column.values.subarray(12 * i, 12 * i + 12))
    return timestampText(value, nanoseconds, 'ns', false)
  }
  if (typeof value === 'object' && value !== null) {
    return `P${value.months}M${value.days}DT${(value.milliseconds / 1000).toFixed(3)}S`
  }
  return value
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
 * @returns {string} timestamp(us), decimal(9, 2), fixed_size_binary(16)
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
    default:
      return type.kind
  }
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
