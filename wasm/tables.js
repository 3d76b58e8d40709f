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
/** @typedef {{ name: string, size: number, fields: Field[] }} Struct */
/**
 * @typedef {object} Enum
 * @property {string[]} names by number; holes where there is none
 * @property {Record<string, number>} numbers by name; a null prototype, so that only names are found
 */
/**
 * @typedef {object} Tables
 * @property {Struct[]} structs
 * @property {Record<string, Struct>} structsByName
 * @property {Enum[]} enumList
 * @property {Record<string, Enum>} enums
 * @property {number} fileOffset of the FileMetaData in an image
 * @property {number} columnsOffset of the reference to the column descriptors in an image
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

/**
 * @param {Core} core
 * @returns {Tables}
 */
export function readTables(core) {
  const at = core.call.thrift_tables()
  const view = new DataView(core.memory.buffer)
  const u32 = (/** @type {number} */ address) => view.getUint32(address, true)
  const u16 = (/** @type {number} */ address) => view.getUint16(address, true)

  /** @type {Tables} */
  const tables = {
    structs: [],
    structsByName: Object.create(null),
    enumList: [],
    enums: Object.create(null),
    fileOffset: u32(at + 16),
    columnsOffset: u32(at + 20),
  }
  for (let i = 0, list = u32(at + 8); i < u32(at + 12); i++, list += 12) {
    /** @type {Enum} */
    const made = { names: [], numbers: Object.create(null) }
    for (let v = 0, value = u32(list + 4); v < u32(list + 8); v++, value += 8) {
      const name = core.textAt(u32(value))
      const number = view.getInt32(value + 4, true)
      made.names[number] = name
      made.numbers[name] = number
    }
    tables.enumList.push(made)
    tables.enums[core.textAt(u32(list))] = made
  }
  for (let i = 0, struct = u32(at); i < u32(at + 4); i++, struct += 12) {
    const name = core.textAt(u32(struct))
    /** @type {Field[]} */
    const fields = []
    for (let f = 0, field = u32(struct + 4); f < u16(struct + 10); f++, field += 12) {
      const kind = tables.enums.kind.names[view.getUint8(field + 9)]
      fields.push({
        name: camelCase(core.textAt(u32(field))),
        offset: u16(field + 4),
        detail: u16(field + 6),
        id: view.getUint8(field + 8),
        read: readerOf(kind),
        isNested: kind.includes('STRUCT'),
      })
    }
    tables.structsByName[name] = tables.structs[i] = { name, size: u16(struct + 8), fields }
  }
  return tables
}
