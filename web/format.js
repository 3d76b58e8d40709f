/**
 * How numbers, types and values are written on the page. Everything here gives plain text.
 */

/** @typedef {import('../wasm/index.js').ColumnType} ColumnType */
/** @typedef {import('../wasm/index.js').SchemaElement} SchemaElement */

const counts = new Intl.NumberFormat('en')
const MAX_TEXT = 500
const MAX_BYTES = 24
const MAX_ITEMS = 100
/** @type {Record<string, string>} */
const UNITS = { ms: 'ms', us: 'µs', ns: 'ns' }

/**
 * @param {number} count
 * @returns {string}
 */
export function countText(count) {
  return counts.format(count)
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 * @returns {string}
 */
export function plural(count, one, many = `${one}s`) {
  return `${countText(count)} ${count === 1 ? one : many}`
}

/**
 * Three digits and a decimal unit: 13.5 MB.
 * @param {number} size in bytes
 * @returns {string}
 */
export function sizeText(size) {
  if (size < 1000) return plural(size, 'byte')
  const units = ['kB', 'MB', 'GB', 'TB', 'PB']
  let value = size / 1000
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${value < 9.995 ? value.toFixed(2) : value < 99.95 ? value.toFixed(1) : value.toFixed(0)} ${units[unit]}`
}

/**
 * What the values of a leaf mean.
 * @param {ColumnType} type
 * @returns {string}
 */
export function typeText(type) {
  switch (type.kind) {
    case 'timestamp':
    case 'time':
      return `${type.kind}, ${UNITS[type.unit]}, ${type.isAdjustedToUTC ? 'UTC' : 'local'}`
    case 'decimal':
      return `decimal(${type.precision}, ${type.scale})`
    case 'fixed_size_binary':
      return `binary(${type.byteWidth})`
    case 'null':
      return 'always null'
    default:
      return type.kind
  }
}

/**
 * @param {SchemaElement} element a leaf
 * @returns {string}
 */
export function physicalTypeText({ type, typeLength }) {
  return typeLength !== undefined && type === 'FIXED_LEN_BYTE_ARRAY' ? `${type}(${typeLength})` : String(type)
}

/**
 * @param {SchemaElement} element a group
 * @returns {string}
 */
export function groupText({ logicalType, convertedType }) {
  if (logicalType?.LIST !== undefined || convertedType === 'LIST') return 'list'
  if (logicalType?.MAP !== undefined || convertedType === 'MAP' || convertedType === 'MAP_KEY_VALUE')
    return 'map'
  if (logicalType?.VARIANT !== undefined) return 'variant'
  return 'group'
}

/**
 * A value as a column's get() gives it.
 * @param {unknown} value not null
 * @param {ColumnType} type
 * @returns {string}
 */
export function valueText(value, type) {
  if (value instanceof Date) return dateText(value, type)
  if (value instanceof Uint8Array) return bytesText(value)
  if (typeof value === 'string') return shortened(value)
  if (typeof value === 'object' && value !== null) {
    return type.kind === 'interval' ? intervalText(value) : shortened(nestedText(value))
  }
  if (typeof value === 'number' && type.kind === 'float32') return float32Text(value)
  return String(value)
}

/**
 * @param {Date} date
 * @param {ColumnType} type
 * @returns {string} 2001-01-13, or 2001-01-13 14:56:00.25Z
 */
function dateText(date, type) {
  const [day, time] = date.toISOString().split('T')
  if (type.kind === 'date') return day
  const zone = type.kind === 'timestamp' && !type.isAdjustedToUTC ? '' : 'Z'
  return `${day} ${time.replace(/(\.000)?Z$/, '')}${zone}`
}

/**
 * The shortest digits that mean this float and no other: 1.1, not 1.100000023841858.
 * @param {number} value
 * @returns {string}
 */
function float32Text(value) {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return String(short)
  }
  return String(value)
}

/**
 * @param {Uint8Array} bytes
 * @returns {string} "text" where every byte is a printable character of ASCII, else 0x00ff
 */
function bytesText(bytes) {
  if (bytes.length > 0 && bytes.every((byte) => byte >= 0x20 && byte < 0x7f)) {
    const text = String.fromCharCode(...bytes.subarray(0, MAX_TEXT))
    return bytes.length > MAX_TEXT ? `"${text}…` : `"${text}"`
  }
  const digits = Array.from(bytes.subarray(0, MAX_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return bytes.length > MAX_BYTES ? `0x${digits}… (${plural(bytes.length, 'byte')})` : `0x${digits}`
}

/**
 * @param {object} parts months, days, milliseconds
 * @returns {string}
 */
function intervalText(parts) {
  const shown = Object.entries(parts).filter(([, amount]) => amount !== 0)
  return shown.length === 0 ? '0' : shown.map(([unit, amount]) => `${amount} ${unit}`).join(', ')
}

/**
 * @param {string} text
 * @returns {string}
 */
function shortened(text) {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

/**
 * What is in a list, struct, map or variant: much as JSON has it, and of long lists the beginning.
 * @param {unknown} value
 * @returns {string}
 */
function nestedText(value) {
  if (typeof value === 'string') return JSON.stringify(shortened(value))
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return bytesText(value)
  if (Array.isArray(value)) return `[${beginning(value, nestedText)}]`
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  return `{${beginning(entries, ([key, each]) => `${typeof key === 'string' ? key : nestedText(key)}: ${nestedText(each)}`)}}`
}

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => string} text
 * @returns {string}
 */
function beginning(items, text) {
  const parts = items.slice(0, MAX_ITEMS).map(text)
  return (items.length > MAX_ITEMS ? [...parts, '…'] : parts).join(', ')
}

/**
 * @param {ColumnType} type
 * @returns {boolean} whether values are easier to read with their right ends in line
 */
export function isNumeric({ kind }) {
  return /^(u?int(8|16|32|64)|float|decimal)/.test(kind)
}
