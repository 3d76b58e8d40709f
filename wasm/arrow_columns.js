/**
 * A column as Arrow describes it: its type and its buffers. Most buffers are the column's own arrays; where Arrow lays values
 * out in another way they are converted as they are written (see arrow_convert.js).
 * Source: Arrow, format/Schema.fbs and "Canonical Extension Types"; GeoArrow, "Extension Types".
 */
import { copyOf, decimalPart, int64Part, intervalPart, part, timestamp96 } from './arrow_convert.js'

/** @typedef {import('./table.js').Column} Column */
/**
 * @typedef {object} ArrowColumn
 * @property {(number | boolean | string | undefined)[]} type member of the union `Type`, then the fields of its table
 * @property {import('./arrow_convert.js').Part[]} parts the buffers behind the validity
 */

/* Members of the union `Type` */
export const NULL = 1
const INT = 2
const FLOATING_POINT = 3
const BINARY = 4
const UTF8 = 5
const BOOL = 6
const DECIMAL = 7
const DATE = 8
const TIME = 9
const TIMESTAMP = 10
const INTERVAL = 11
const LIST = 12
const STRUCT = 13
const FIXED_SIZE_BINARY = 15
export const MAP = 17

const FLOATS = ['float16', 'float32', 'float64']
const MONTH_DAY_NANO = 2
/** @type {Record<string, number>} */
const UNITS = { ms: 1, us: 2, ns: 3 }
/** @type {Record<string, any>} */
const NARROW = { int8: Int8Array, int16: Int16Array, uint8: Uint8Array, uint16: Uint16Array }
/** @type {Record<string, string>} */
const EXTENSIONS = {
  json: 'arrow.json',
  uuid: 'arrow.uuid',
  variant: 'arrow.parquet.variant',
  geometry: 'geoarrow.wkb',
  geography: 'geoarrow.wkb',
}

/**
 * @param {Column} column not one of indices
 * @returns {ArrowColumn}
 */
export function arrowColumn(column) {
  const { kind, length, values } = column
  const type = /** @type {any} */ (column.type)
  const parts = [column.offsets, column.data].filter(Boolean).map(copyOf)
  if (NARROW[kind]) parts.push(part(NARROW[kind], length, (out) => out.set(values)))
  else if (type.physicalType === 'INT64') parts.push(int64Part(values))
  else if (values) parts.push(copyOf(values))
  const as = (/** @type {any[]} */ ...type) => ({ type, parts })
  switch (kind) {
    case 'null':
      return { type: [NULL], parts: [] }
    case 'bool':
      return as(BOOL)
    case 'float16':
    case 'float32':
    case 'float64':
      return as(FLOATING_POINT, FLOATS.indexOf(kind))
    case 'string':
    case 'enum':
    case 'json':
      return as(UTF8)
    case 'date':
      return as(DATE, 0)
    case 'time':
      return as(TIME, UNITS[type.unit], type.unit === 'ms' ? 32 : 64)
    case 'timestamp':
      return as(TIMESTAMP, UNITS[type.unit], type.isAdjustedToUTC ? 'UTC' : undefined)
    case 'list':
      return as(LIST)
    case 'map':
      return as(isMap(column) ? MAP : LIST)
    case 'struct':
    case 'variant':
      return as(STRUCT)
  }
  return converted(column) ?? as(...storedType(column))
}

/**
 * @param {Column} column
 * @returns {ArrowColumn | undefined} undefined: Arrow has no type that can hold its values
 */
function converted(column) {
  const { precision, scale } = /** @type {any} */ (column.type)
  if (column.kind === 'decimal' && precision <= 76) {
    const width = precision > 38 ? 32 : 16
    return { type: [DECIMAL, precision, scale, 8 * width], parts: [decimalPart(column, width)] }
  }
  if (column.kind === 'interval') {
    const intervals = intervalPart(column)
    return intervals && { type: [INTERVAL, MONTH_DAY_NANO], parts: [intervals] }
  }
  if (column.kind === 'int96') {
    const timestamps = timestamp96(column)
    return timestamps && { type: [TIMESTAMP, UNITS[timestamps.unit]], parts: [timestamps.part] }
  }
}

/**
 * Integers, and bytes without a meaning that Arrow knows.
 * @param {Column} column
 * @returns {(number | boolean)[]}
 */
function storedType({ type, values, offsets }) {
  const { byteWidth, bitWidth = 8 * values?.BYTES_PER_ELEMENT, signed = true } = /** @type {any} */ (type)
  if (offsets) return [BINARY]
  return byteWidth === undefined ? [INT, bitWidth, signed] : [FIXED_SIZE_BINARY, byteWidth]
}

/**
 * Arrow's map has entries of exactly two, the first without nulls.
 * @param {any} column
 * @returns {boolean}
 */
const isMap = ({ children: [{ children: pair }] }) => pair.length === 2 && pair[0].nullCount === 0

/**
 * @param {Column} column
 * @returns {string[][]} keys and values that tell an extension type
 */
export function extensionOf({ kind, type }) {
  const name = EXTENSIONS[kind]
  if (name === undefined) return []
  const metadata = 'crs' in type ? geoMetadata(type) : ''
  return [
    ['ARROW:extension:name', name],
    ['ARROW:extension:metadata', metadata],
  ]
}

/**
 * Parquet names the reference system by an identifier, "srid:" and a number, or PROJJSON; GeoArrow has PROJJSON as an object.
 * @param {{ crs?: string, algorithm?: string | number }} type
 * @returns {string}
 */
function geoMetadata({ crs = '', algorithm }) {
  const [, srid] = /^srid:(.*)/.exec(crs) ?? []
  const edges = algorithm === undefined ? undefined : String(algorithm).toLowerCase()
  return JSON.stringify({ crs: srid ?? jsonObject(crs) ?? crs, crs_type: srid && 'srid', edges })
}

/**
 * @param {string} text
 * @returns {object | undefined}
 */
function jsonObject(text) {
  try {
    return /^\s*\{/.test(text) ? JSON.parse(text) : undefined
  } catch {
    // then it is text
  }
}
