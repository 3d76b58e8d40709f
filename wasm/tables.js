/**
 * The tables that describe the core's structures and enumerations, read out of wasm memory: so every name and number of
 * parquet.thrift stands once, in C. Their layout is described in src/file/thrift.h.
 */

import { text } from './values.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./metadata.js').Image} Image */
/**
 * @typedef {object} Field
 * @property {string} name in camelCase
 * @property {number} offset in the structure
 * @property {number} detail number of the structure or enumeration it is of
 * @property {number} id bit in the structure's `present`
 * @property {(image: Image, at: number, detail: number) => unknown} read
 * @property {boolean} isNested holds structures
 * @property {PropertyDescriptor} [lazy] for objects that wait with this field
 */
/**
 * @typedef {object} Tables
 * @property {Struct[]} structs
 * @property {Record<string, Struct>} structsByName
 * @property {Enum[]} enumList
 * @property {Record<string, Enum>} enums
 * @property {number} fileOffset of the FileMetaData in an image
 * @property {number} columnsOffset of the reference to the column descriptors in an image
 * @property {number} nodesOffset of the reference to the schema's nodes in an image
 */

/**
 * What stands in an image, by kind.
 * @type {Record<string, (image: Image, at: number, detail: number) => unknown>}
 */
const READERS = {
  BOOL: ({ view }, at) => view.getUint8(at) !== 0,
  I8: ({ view }, at) => view.getInt8(at),
  I16: ({ view }, at) => view.getInt16(at, true),
  I32: ({ view }, at) => view.getInt32(at, true),
  ENUM: (image, at, detail) => {
    const value = image.view.getInt32(at, true)
    // the number itself where there is no name
    return image.tables.enumList[detail].names[value] ?? value
  },
  I64: ({ view }, at) => Number(view.getBigInt64(at, true)),
  DOUBLE: ({ view }, at) => view.getFloat64(at, true),
  BINARY: (image, at) => image.bytesAt(at).slice(),
  STRING: (image, at) => text(image.bytesAt(at)),
  EMPTY: () => ({}),
  STRUCT: (image, at, detail) => image.struct(image.tables.structs[detail], at),
  STRUCT_AT: (image, at, detail) => image.struct(image.tables.structs[detail], image.view.getUint32(at, true)),
}
const SIZES = /** @type {Record<string, number>} */ ({ ENUM: 4, I32: 4, I64: 8, STRING: 8 })

/**
 * @param {string} kind
 * @returns {(image: Image, at: number, detail: number) => unknown}
 */
function readerOf(kind) {
  if (!kind.startsWith('LIST_')) return READERS[kind]
  const element = kind.slice(5)
  return (image, at, detail) => {
    const { offset, count } = image.reference(at)
    const size = SIZES[element] ?? image.tables.structs[detail].size
    return Array.from({ length: count }, (_, i) => READERS[element](image, offset + i * size, detail))
  }
}

/**
 * parquet.thrift's own spelling: is_adjusted_to_UTC is isAdjustedToUTC there, names of unions (AES_GCM_V1) stay.
 * @param {string} name
 * @returns {string}
 */
function camelCase(name) {
  return /[a-z]/.test(name) ? name.replace(/_([A-Za-z0-9])/g, (_, letter) => letter.toUpperCase()) : name
}

/** A list of names and numbers, read when something first asks for one. */
export class Enum {
  /** @type {string[] | undefined} */
  #names
  /** @type {Record<string, number> | undefined} */
  #numbers
  /** @param {() => [string, number][]} read */
  constructor(read) {
    this.read = read
  }
  /** By number; holes where there is none. */
  get names() {
    if (this.#names === undefined) {
      this.#names = []
      for (const [name, number] of this.read()) this.#names[number] = name
    }
    return this.#names
  }
  /** By name; a null prototype, so that only names are found. */
  get numbers() {
    this.#numbers ??= Object.assign(Object.create(null), Object.fromEntries(this.read()))
    return /** @type {Record<string, number>} */ (this.#numbers)
  }
}

/** A structure; its fields are read when something first asks for them. */
export class Struct {
  /** @type {Field[] | undefined} */
  #fields
  /**
   * @param {string} name
   * @param {number} size
   * @param {() => Field[]} read
   */
  constructor(name, size, read) {
    this.name = name
    this.size = size
    this.read = read
  }
  get fields() {
    this.#fields ??= this.read()
    return this.#fields
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {number} address of bytes that a zero ends
 * @returns {string} names and messages of the core: ASCII
 */
export function textAt(bytes, address) {
  return String.fromCharCode(...bytes.subarray(address, bytes.indexOf(0, address)))
}

/**
 * @param {Core} core
 * @returns {Tables}
 */
export function readTables(core) {
  const at = core.call.thrift_tables()
  // a copy of the core's constants: metadata outlives the instance
  const bytes = core.u8.slice(0, core.call.data_end())
  const view = new DataView(bytes.buffer)
  const u32 = (/** @type {number} */ address) => view.getUint32(address, true)
  const u16 = (/** @type {number} */ address) => view.getUint16(address, true)
  const name = (/** @type {number} */ address) => textAt(bytes, u32(address))
  /** @type {<T>(address: number, count: number, size: number, make: (address: number) => T) => T[]} */
  const list = (address, count, size, make) => Array.from({ length: count }, (_, i) => make(address + i * size))

  const enumOf = (/** @type {number} */ address) =>
    new Enum(() =>
      list(u32(address + 4), u32(address + 8), 8, (value) => [name(value), view.getInt32(value + 4, true)])
    )
  /** @type {(address: number) => Field} */
  const field = (address) => {
    const kind = tables.enums.kind.names[view.getUint8(address + 9)]
    return {
      name: camelCase(name(address)),
      offset: u16(address + 4),
      detail: u16(address + 6),
      id: view.getUint8(address + 8),
      read: readerOf(kind),
      isNested: kind.includes('STRUCT'),
    }
  }
  const struct = (/** @type {number} */ address) =>
    new Struct(name(address), u16(address + 8), () => list(u32(address + 4), u16(address + 10), 12, field))
  const enumNames = list(u32(at + 8), u32(at + 12), 12, (address) => name(address))
  const enumList = list(u32(at + 8), u32(at + 12), 12, enumOf)
  const structs = list(u32(at), u32(at + 4), 12, struct)
  /** @type {Tables} */
  const tables = {
    structs,
    structsByName: Object.assign(Object.create(null), Object.fromEntries(structs.map((s) => [s.name, s]))),
    enumList,
    enums: Object.assign(Object.create(null), Object.fromEntries(enumList.map((e, i) => [enumNames[i], e]))),
    fileOffset: u32(at + 16),
    columnsOffset: u32(at + 20),
    nodesOffset: u32(at + 24),
  }
  return tables
}
