/** What pagelane's columns hold, in the form of plain.js: from the arrays, not by way of get(i). */
import { Buffer } from 'node:buffer'
import {
  bigEndian,
  bytesOf,
  dateOf,
  decimalOf,
  halfOf,
  int96Of,
  intervalOf,
  Pairs,
  structOf,
  timeOf,
  timestampOf,
} from './plain.js'

/**
 * @param {any} column of a table
 * @returns {any[]}
 */
export function plainValues(column) {
  const value = getterOf(column)
  const { validity } = column
  return Array.from({ length: column.length }, (_, i) =>
    validity !== null && ((validity[i >> 3] >> (i & 7)) & 1) === 0 ? null : value(i)
  )
}

/**
 * @param {any} column
 * @returns {(i: number) => any} value of an entry that is not null
 */
function getterOf(column) {
  switch (column.kind) {
    case 'list': {
      const items = plainValues(column.children[0])
      return (i) => items.slice(column.offsets[i], column.offsets[i + 1])
    }
    case 'map': {
      const [entries] = column.children
      const [keys, values = []] = entries.children.map(plainValues)
      return (i) => new Pairs(range(column.offsets, i).map((at) => [keys[at], values[at] ?? null]))
    }
    case 'struct':
    case 'variant': {
      const names = column.children.map((child) => child.name)
      const fields = column.children.map(plainValues)
      return (i) =>
        structOf(
          names,
          fields.map((field) => field[i])
        )
    }
    default:
      return leafValue(column)
  }
}

/** @param {Int32Array} offsets @param {number} i */
function range(offsets, i) {
  return Array.from({ length: offsets[i + 1] - offsets[i] }, (_, at) => offsets[i] + at)
}

/**
 * @param {any} column
 * @returns {(i: number) => Uint8Array} the bytes of an entry of BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY or INT96
 */
function entryBytes({ type, offsets, data, values }) {
  if (offsets !== undefined) return (i) => data.subarray(offsets[i], offsets[i + 1])
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  const width = type.byteWidth
  return (i) => bytes.subarray(i * width, (i + 1) * width)
}

/**
 * @param {any} column
 * @returns {(i: number) => any}
 */
function leafValue(column) {
  const { kind, type, values } = column
  switch (kind) {
    case 'null':
      return () => 'a null that is not null'
    case 'bool':
      return (i) => ((values[i >> 3] >> (i & 7)) & 1) === 1
    case 'float32':
    case 'float64':
      return (i) => values[i]
    case 'float16':
      return (i) => halfOf(values[i])
    case 'date':
      return (i) => dateOf(values[i])
    case 'time':
      return (i) => timeOf(values[i], type.unit)
    case 'timestamp':
      return (i) => timestampOf(values[i], type.unit)
    case 'decimal': {
      if (type.physicalType === 'INT32' || type.physicalType === 'INT64') {
        return (i) => decimalOf(BigInt(values[i]), type.scale)
      }
      const bytes = entryBytes(column)
      return (i) => decimalOf(bigEndian(bytes(i)), type.scale)
    }
    default:
  }
  if (type.signed !== undefined) {
    return type.signed
      ? (i) => BigInt.asIntN(type.bitWidth, BigInt(values[i]))
      : (i) => BigInt.asUintN(type.bitWidth, BigInt(values[i]))
  }
  const bytes = entryBytes(column)
  if (kind === 'int96') return (i) => int96Of(bytes(i).slice())
  if (kind === 'interval') {
    return (i) => {
      const view = Buffer.from(bytes(i))
      return intervalOf(view.readUInt32LE(0), view.readUInt32LE(4), view.readUInt32LE(8))
    }
  }
  return (i) => bytesOf(bytes(i))
}
