/** Bounds of statistics as values of their column's type. */
import { layoutOf } from './layout.js'
import { Column } from './table.js'

/** @typedef {import('./index.d.ts').ColumnType} ColumnType */
/** @typedef {import('./index.d.ts').Statistics} Statistics */

/**
 * The newer min_value and max_value; the older min and max only where their order was the same from the beginning:
 * signed numbers.
 * @param {string} name
 * @param {ColumnType} type
 * @param {Statistics | undefined} statistics
 * @returns {{ min?: Column, max?: Column } | undefined} columns of one entry
 */
export function statisticsBounds(name, type, statistics) {
  if (statistics === undefined || /^(int96|interval|null|geometry|geography)$/.test(type.kind)) return undefined
  const signed = type.physicalType !== 'BYTE_ARRAY' && type.physicalType !== 'FIXED_LEN_BYTE_ARRAY'
  const isOldUsable = signed && !type.kind.startsWith('uint')
  const min = statistics.minValue ?? (isOldUsable ? statistics.min : undefined)
  const max = statistics.maxValue ?? (isOldUsable ? statistics.max : undefined)
  return { min: oneValue(name, type, min), max: oneValue(name, type, max) }
}

/**
 * A value in PLAIN encoding, without the length that byte arrays have before them.
 * @param {string} name
 * @param {ColumnType} type
 * @param {Uint8Array | undefined} bytes
 * @returns {Column | undefined} undefined for a bound of the wrong size
 */
function oneValue(name, type, bytes) {
  if (bytes === undefined) return undefined
  const { form, ArrayType, byteWidth } = layoutOf(type, 'bigint')
  const arrays = { validity: null, nullCount: 0 }
  if (form === 'bytes')
    return new Column(name, type, 1, { ...arrays, offsets: Int32Array.of(0, bytes.length), data: bytes })
  if (bytes.length !== (form === 'bits' ? 1 : byteWidth)) return undefined
  return new Column(name, type, 1, { ...arrays, values: new ArrayType(bytes.slice().buffer) })
}
