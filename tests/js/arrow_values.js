/**
 * Values as Arrow's readers give them, in one form: numbers and bigints as they are, text, bytes as hexadecimal text, dates and
 * times as their stored integers, decimals as text, lists as arrays, structs as arrays of [name, value], maps as arrays of
 * pairs. `ours` brings a column of pagelane to the same form through its get(), and its raw integers where get() rounds.
 */
import { Type } from '@uwdata/flechette'
import { DataType, TimeUnit } from 'apache-arrow'
import { decimalText } from '../../wasm/values.js'

/** @typedef {import('../../wasm/table.js').Column} Column */

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
const hex = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

/**
 * @param {ArrayLike<number>} words of 32 bits, least significant first, two's complement
 * @returns {bigint}
 */
function signed(words) {
  let value = 0n
  for (let i = words.length - 1; i >= 0; i--) value = (value << 32n) | BigInt(words[i] >>> 0)
  return BigInt.asIntN(32 * words.length, value)
}

/**
 * @param {any} vector of apache-arrow
 * @param {number} i
 * @returns {any}
 */
export function fromArrow(vector, i) {
  const { type } = vector
  if (!vector.isValid(i) || DataType.isNull(type)) return null
  if (DataType.isDictionary(type)) return fromArrow(vector.data[0].dictionary, vector.data[0].values[i])
  const [{ values }] = vector.data
  if (DataType.isBinary(type) || DataType.isFixedSizeBinary(type)) return hex(vector.get(i))
  if (DataType.isDecimal(type)) {
    const words = type.bitWidth / 32
    return decimalText(signed(values.subarray(words * i, words * i + words)), type.scale)
  }
  if (DataType.isDate(type) || DataType.isTime(type) || DataType.isTimestamp(type)) return values[i]
  if (DataType.isInterval(type)) return intervalOf(values.subarray(4 * i, 4 * i + 4))
  if (DataType.isList(type)) return elements(vector, i, (child, k) => fromArrow(child, k))
  if (DataType.isMap(type)) {
    return elements(vector, i, (entries, k) => [0, 1].map((c) => fromArrow(entries.getChildAt(c), k)))
  }
  if (DataType.isStruct(type)) {
    return type.children.map(({ name }, c) => [name, fromArrow(vector.getChildAt(c), i)])
  }
  return vector.get(i)
}

/**
 * @param {Int32Array} words
 * @returns {number[]} months, days, nanoseconds
 */
function intervalOf(words) {
  return [words[0], words[1], Number(signed(words.subarray(2)))]
}

/**
 * @param {any} vector
 * @param {number} i
 * @param {(child: any, k: number) => any} get
 */
function elements(vector, i, get) {
  const [{ valueOffsets }] = vector.data
  const child = vector.getChildAt(0)
  const found = []
  for (let k = valueOffsets[i]; k < valueOffsets[i + 1]; k++) found.push(get(child, k))
  return found
}

const EPOCH = 2440588n

/**
 * @param {Column} column
 * @param {number} i
 * @param {any} [type] what Arrow made of it, where that depends on values
 * @returns {any}
 */
export function ours(column, i, type) {
  const { kind, validity, dictionary, indices, values, offsets, children = [] } = /** @type {any} */ (column)
  if (kind === 'null' || (validity && ((validity[i >> 3] >> (i & 7)) & 1) === 0)) return null
  if (dictionary !== undefined) return ours(dictionary, indices[i], type?.dictionary)
  const integer = (/** @type {any} */ value) =>
    column.type.physicalType === 'INT64' ? BigInt(value) : Number(value)
  switch (kind) {
    case 'date':
    case 'time':
    case 'timestamp':
      return integer(values[i])
    case 'int64':
    case 'uint64':
      return BigInt(values[i])
    case 'float16':
      return column.get(i)
    case 'uuid':
      return column.get(i).replaceAll('-', '')
    case 'interval': {
      if (type && DataType.isFixedSizeBinary(type)) return hex(values.subarray(12 * i, 12 * i + 12))
      const { months, days, milliseconds } = column.get(i)
      return [months, days, milliseconds * 1e6]
    }
    case 'int96': {
      if (type && DataType.isFixedSizeBinary(type)) return hex(values.subarray(12 * i, 12 * i + 12))
      const view = new DataView(values.buffer, values.byteOffset + 12 * i, 12)
      const unit = type?.unit ?? TimeUnit.NANOSECOND
      const per = 10n ** BigInt(3 * (TimeUnit.NANOSECOND - unit))
      return ((BigInt(view.getInt32(8, true)) - EPOCH) * 86400000000000n + view.getBigInt64(0, true)) / per
    }
    case 'list':
    case 'map': {
      const found = []
      for (let k = offsets[i]; k < offsets[i + 1]; k++) found.push(ours(children[0], k, type?.children[0].type))
      return kind === 'map' && type && DataType.isMap(type)
        ? found.map((entry) => entry.map(([, v]) => v))
        : found
    }
    case 'struct':
    case 'variant':
      return children.map((/** @type {Column} */ child, /** @type {number} */ c) => [
        child.name,
        ours(child, i, type?.children[c].type),
      ])
  }
  const value = column.get(i)
  return value instanceof Uint8Array ? hex(value) : value
}

/** Options of flechette's tableFromIPC under which it gives values that `fromFlechette` knows. */
export const FLECHETTE = { useBigInt: true, useBigIntTimestamp: true, useDecimalInt: true }

/**
 * @param {any} type
 * @param {any} value as flechette gives it
 * @returns {any}
 */
export function fromFlechette(type, value) {
  if (value === null || value === undefined) return null
  switch (type.typeId) {
    case Type.Dictionary:
      return fromFlechette(type.dictionary, value)
    case Type.Binary:
    case Type.FixedSizeBinary:
      return hex(value)
    case Type.Decimal:
      return decimalText(value, type.scale)
    case Type.Date:
      return value / 86400000
    case Type.Interval:
      return [...value]
    case Type.List:
      return Array.from(value, (each) => fromFlechette(type.children[0].type, each))
    case Type.Map: {
      const pair = type.children[0].type.children
      return Array.from(value, (entry) => pair.map((field, c) => fromFlechette(field.type, entry[c])))
    }
    case Type.Struct:
      return type.children.map((field) => [field.name, fromFlechette(field.type, value[field.name])])
  }
  return value
}
