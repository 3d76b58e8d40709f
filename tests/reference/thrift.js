/**
 * Thrift compact protocol, as far as Parquet uses it. Structures are given as lists of fields with their ids, not by
 * name: [[1, i32(5)], [2, binary('x')]]. Nothing is checked against a schema, so tests can write anything.
 */
import { ByteReader, ByteWriter, FormatError } from './bytes.js'

/**
 * A value with its compact type.
 * @typedef {{ type: number, write: (out: ByteWriter) => void, bool?: boolean }} ThriftValue
 */
/** @typedef {[number, ThriftValue][]} Fields */

/** Compact type numbers. */
export const T = {
  TRUE: 1,
  FALSE: 2,
  I8: 3,
  I16: 4,
  I32: 5,
  I64: 6,
  DOUBLE: 7,
  BINARY: 8,
  LIST: 9,
  SET: 10,
  MAP: 11,
  STRUCT: 12,
}

/**
 * In a field the value is the type; in a list it is a byte.
 * @param {boolean} value
 * @returns {ThriftValue}
 */
export const bool = (value) => ({ type: value ? T.TRUE : T.FALSE, bool: value, write: () => {} })
/** @param {number} value @returns {ThriftValue} */
export const i8 = (value) => ({
  type: T.I8,
  write: (out) => {
    out.u8(value)
  },
})
/** @param {number} value @returns {ThriftValue} */
export const i16 = (value) => ({
  type: T.I16,
  write: (out) => {
    out.zigzag(value)
  },
})
/** @param {number} value @returns {ThriftValue} */
export const i32 = (value) => ({
  type: T.I32,
  write: (out) => {
    out.zigzag(value)
  },
})
/** @param {number | bigint} value @returns {ThriftValue} */
export const i64 = (value) => ({
  type: T.I64,
  write: (out) => {
    out.zigzag(value)
  },
})
/** @param {number} value @returns {ThriftValue} */
export const double = (value) => ({
  type: T.DOUBLE,
  write: (out) => {
    out.bytes(new Uint8Array(Float64Array.of(value).buffer))
  },
})
/** @param {string | Uint8Array} value @returns {ThriftValue} */
export const binary = (value) => {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
  return {
    type: T.BINARY,
    write: (out) => {
      out.uleb(bytes.length).bytes(bytes)
    },
  }
}
/** @param {Fields} fields @returns {ThriftValue} */
export const struct = (fields) => ({ type: T.STRUCT, write: (out) => writeStruct(out, fields) })
/**
 * @param {number} type of the elements (T.TRUE for booleans)
 * @param {ThriftValue[]} values
 * @returns {ThriftValue}
 */
export const list = (type, values) => ({
  type: T.LIST,
  write: (out) => {
    if (values.length < 15) out.u8((values.length << 4) | type)
    else out.u8(0xf0 | type).uleb(values.length)
    for (const value of values) {
      if (value.bool === undefined) value.write(out)
      else out.u8(value.bool ? 1 : 2)
    }
  },
})
/**
 * A map with binary keys and values.
 * @param {[string, string][]} entries
 * @returns {ThriftValue}
 */
export const map = (entries) => ({
  type: T.MAP,
  write: (out) => {
    out.uleb(entries.length)
    if (entries.length) out.u8((T.BINARY << 4) | T.BINARY)
    for (const text of entries.flat()) binary(text).write(out)
  },
})
/**
 * Bytes as they are, under a type: for values that are written the wrong way.
 * @param {number} type
 * @param {Iterable<number>} bytes
 * @returns {ThriftValue}
 */
export const raw = (type, bytes) => ({
  type,
  write: (out) => {
    out.bytes(bytes)
  },
})

/**
 * @param {ByteWriter} out
 * @param {Fields} fields
 */
function writeStruct(out, fields) {
  let last = 0
  for (const [id, value] of fields) {
    const step = id - last
    if (step > 0 && step < 16) out.u8((step << 4) | value.type)
    else out.u8(value.type).zigzag(id)
    value.write(out)
    last = id
  }
  out.u8(0)
}

/**
 * @param {Fields} fields
 * @returns {Uint8Array}
 */
export function encodeStruct(fields) {
  const out = new ByteWriter()
  writeStruct(out, fields)
  return out.finish()
}

/**
 * What a reader gives: structures as Map from field id, lists as arrays, binary as Uint8Array, I64 as bigint, booleans,
 * the rest as numbers.
 * @typedef {boolean | number | bigint | Uint8Array | ThriftResult[] | Map<number, ThriftResult>} ThriftResult
 */

/**
 * @param {ByteReader} reader
 * @returns {Map<number, any>}
 */
export function readStruct(reader) {
  /** @type {Map<number, any>} */
  const fields = new Map()
  for (let last = 0; ; ) {
    const byte = reader.u8()
    if (byte === 0) return fields
    const type = byte & 15
    const id = byte >> 4 ? last + (byte >> 4) : Number(reader.zigzag(32))
    fields.set(id, type === T.TRUE ? true : type === T.FALSE ? false : readValue(reader, type))
    last = id
  }
}

/**
 * @param {ByteReader} reader
 * @param {number} type
 * @returns {ThriftResult}
 */
function readValue(reader, type) {
  switch (type) {
    case T.TRUE:
    case T.FALSE:
      return reader.u8() === 1
    case T.I8:
      return (reader.u8() << 24) >> 24
    case T.I16:
    case T.I32:
      return Number(reader.zigzag(32))
    case T.I64:
      return reader.zigzag(64)
    case T.DOUBLE:
      return new Float64Array(reader.take(8).slice().buffer)[0]
    case T.BINARY:
      return reader.take(Number(reader.uleb(32)))
    case T.STRUCT:
      return readStruct(reader)
    case T.LIST:
    case T.SET: {
      const byte = reader.u8()
      const count = byte >> 4 === 15 ? Number(reader.uleb(32)) : byte >> 4
      if (count > reader.left()) throw new FormatError('TRUNCATED', 'a list longer than the bytes')
      return Array.from({ length: count }, () => readValue(reader, byte & 15))
    }
    case T.MAP: {
      const count = Number(reader.uleb(32))
      if (count === 0) return []
      const types = reader.u8()
      if (count > reader.left()) throw new FormatError('TRUNCATED', 'a map longer than the bytes')
      return Array.from({ length: count }, () => [readValue(reader, types >> 4), readValue(reader, types & 15)])
    }
    default:
      throw new FormatError('CORRUPT', `thrift type ${type}`)
  }
}
