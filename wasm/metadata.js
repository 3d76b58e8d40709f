/**
 * The metadata image seen as JavaScript objects. The image is one block of bytes, copied out of wasm memory: it needs no
 * instance any more. An object is made when it is first asked for; structures and lists inside it wait until they are.
 */
import { text } from './values.js'

/** @typedef {import('./tables.js').Tables} Tables */
/** @typedef {import('./tables.js').Field} Field */

/** Prototype of the objects: nothing but a way for Node's console to show them without asking for a getter each. */
class View {
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return { ...this }
  }
}

/** Reads structures out of an image, or out of the bytes of a page header with the header in front. */
export class Image {
  /**
   * @param {Tables} tables
   * @param {Uint8Array} bytes what references count from
   */
  constructor(tables, bytes) {
    this.tables = tables
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.kinds = tables.enums.kind.numbers
  }

  /**
   * @param {string} name of the structure
   * @param {number} at
   * @returns {any}
   */
  struct(name, at) {
    return this.structAt(this.tables.structNumbers[name], at)
  }

  /**
   * @param {number} number of the structure
   * @param {number} at
   * @returns {any}
   */
  structAt(number, at) {
    const present = this.view.getUint32(at, true)
    const object = /** @type {any} */ (new View())
    for (const field of this.tables.structs[number].fields) {
      if (((present >>> field.id) & 1) === 0) continue
      if (this.#isNested(field)) define(object, field.name, () => this.#value(field, at + field.offset))
      else object[field.name] = this.#value(field, at + field.offset)
    }
    return object
  }

  /**
   * @param {number} at of a reference
   * @returns {{ offset: number, count: number }}
   */
  reference(at) {
    return { offset: this.view.getUint32(at, true), count: this.view.getUint32(at + 4, true) }
  }

  /**
   * Where a field stands in a structure.
   * @param {string} struct
   * @param {string} name
   * @returns {number}
   */
  offsetOf(struct, name) {
    const { fields } = this.tables.structs[this.tables.structNumbers[struct]]
    return /** @type {Field} */ (fields.find((field) => field.name === name)).offset
  }

  /**
   * @param {string} struct
   * @returns {number} bytes of the structure
   */
  sizeOf(struct) {
    return this.tables.structs[this.tables.structNumbers[struct]].size
  }

  /**
   * @param {number} at of a reference
   * @returns {Uint8Array} a view of the bytes it refers to
   */
  bytesAt(at) {
    const { offset, count } = this.reference(at)
    return this.bytes.subarray(offset, offset + count)
  }

  /**
   * @param {Field} field
   * @returns {boolean}
   */
  #isNested({ kind }) {
    return kind === this.kinds.STRUCT || kind === this.kinds.STRUCT_AT || kind === this.kinds.LIST_STRUCT
  }

  /**
   * @param {Field} field
   * @param {number} at
   * @returns {unknown}
   */
  #value({ kind, detail }, at) {
    const { view, kinds } = this
    switch (kind) {
      case kinds.BOOL:
        return view.getUint8(at) !== 0
      case kinds.I8:
        return view.getInt8(at)
      case kinds.I16:
        return view.getInt16(at, true)
      case kinds.I32:
        return view.getInt32(at, true)
      case kinds.ENUM:
        return this.#enumName(detail, at)
      case kinds.I64:
        return Number(view.getBigInt64(at, true))
      case kinds.DOUBLE:
        return view.getFloat64(at, true)
      case kinds.BINARY:
        return this.bytesAt(at).slice()
      case kinds.STRING:
        return text(this.bytesAt(at))
      case kinds.EMPTY:
        return {}
      case kinds.STRUCT:
        return this.structAt(detail, at)
      case kinds.STRUCT_AT:
        return this.structAt(detail, view.getUint32(at, true))
      case kinds.LIST_ENUM:
        return this.#list(at, 4, (item) => this.#enumName(detail, item))
      case kinds.LIST_I32:
        return this.#list(at, 4, (item) => view.getInt32(item, true))
      case kinds.LIST_I64:
        return this.#list(at, 8, (item) => Number(view.getBigInt64(item, true)))
      case kinds.LIST_STRING:
        return this.#list(at, 8, (item) => text(this.bytesAt(item)))
      default:
        return this.#list(at, this.tables.structs[detail].size, (item) => this.structAt(detail, item))
    }
  }

  /**
   * @param {number} number
   * @param {number} at
   * @returns {string | number} the number itself where there is no name
   */
  #enumName(number, at) {
    const value = this.view.getInt32(at, true)
    return this.tables.enumList[number].names[value] ?? value
  }

  /**
   * @template T
   * @param {number} at
   * @param {number} size of an element
   * @param {(at: number) => T} make
   * @returns {T[]}
   */
  #list(at, size, make) {
    const { offset, count } = this.reference(at)
    const items = []
    for (let i = 0; i < count; i++) items.push(make(offset + i * size))
    return items
  }
}

/**
 * A property that is made when it is first read, and then is one like any other.
 * @param {object} object
 * @param {string} name
 * @param {() => unknown} make
 */
function define(object, name, make) {
  Object.defineProperty(object, name, {
    configurable: true,
    enumerable: true,
    get() {
      const value = make()
      Object.defineProperty(object, name, { configurable: true, enumerable: true, writable: true, value })
      return value
    },
  })
}

/**
 * What reading needs to know of a leaf.
 * @typedef {object} Leaf
 * @property {number} index
 * @property {number} schemaIndex
 * @property {number} depth 1 below the root
 * @property {number} maxDefinitionLevel
 * @property {number} maxRepetitionLevel
 */

/** The metadata of a file. */
export class Metadata {
  /**
   * @param {Tables} tables
   * @param {Uint8Array} bytes the image
   */
  constructor(tables, bytes) {
    const image = new Image(tables, bytes)
    this.image = image
    this.bytes = bytes
    /** @type {import('./index.d.ts').FileMetaData} */
    this.file = image.struct('file_metadata', tables.fileOffset)
    const fileList = (/** @type {string} */ name) =>
      image.reference(tables.fileOffset + image.offsetOf('file_metadata', name))
    this.schema = fileList('schema')
    this.rowGroups = fileList('rowGroups')
    this.columns = image.reference(tables.columnsOffset)
    this.chunksOffset = image.offsetOf('row_group', 'columns')
    this.numColumns = this.columns.count
    this.numRowGroups = this.rowGroups.count
    /** @type {string[][] | undefined} */
    this.paths = undefined
    /** @type {Map<string, number[]> | undefined} */
    this.leavesByName = undefined
  }

  /**
   * @param {number} index
   * @returns {Leaf}
   */
  leaf(index) {
    const { image, columns } = this
    const at = columns.offset + index * image.sizeOf('column_descriptor')
    const number = (/** @type {string} */ name) =>
      image.view.getInt32(at + image.offsetOf('column_descriptor', name), true)
    return {
      index,
      schemaIndex: number('schemaIndex'),
      depth: number('depth'),
      maxDefinitionLevel: number('maxDefinitionLevel'),
      maxRepetitionLevel: number('maxRepetitionLevel'),
    }
  }

  /**
   * @param {number} leaf
   * @returns {import('./index.d.ts').SchemaElement}
   */
  schemaElement(leaf) {
    const at = this.schema.offset + this.leaf(leaf).schemaIndex * this.image.sizeOf('schema_element')
    return this.image.struct('schema_element', at)
  }

  /**
   * @param {number} rowGroup
   * @returns {number} its rows
   */
  rowsOf(rowGroup) {
    const at = this.#rowGroupAt(rowGroup) + this.image.offsetOf('row_group', 'numRows')
    return Number(this.image.view.getBigInt64(at, true))
  }

  /**
   * One chunk, without making objects for all the others.
   * @param {number} rowGroup
   * @param {number} column
   * @returns {import('./index.d.ts').ColumnChunk}
   */
  chunk(rowGroup, column) {
    const { image } = this
    const chunks = image.reference(this.#rowGroupAt(rowGroup) + this.chunksOffset)
    return image.struct('column_chunk', chunks.offset + column * image.sizeOf('column_chunk'))
  }

  /**
   * Names from the root's child down to the leaf.
   * @param {number} leaf
   * @returns {string[]}
   */
  path(leaf) {
    this.paths ??= this.#makePaths()
    return this.paths[leaf]
  }

  /**
   * @param {string} name dotted path
   * @returns {readonly number[]} the leaves that bear it
   */
  find(name) {
    if (this.leavesByName === undefined) {
      this.leavesByName = new Map()
      for (let leaf = 0; leaf < this.numColumns; leaf++) {
        const key = this.path(leaf).join('.')
        const leaves = this.leavesByName.get(key)
        if (leaves === undefined) this.leavesByName.set(key, [leaf])
        else leaves.push(leaf)
      }
    }
    return this.leavesByName.get(name) ?? []
  }

  /**
   * @param {string} name dotted path
   * @returns {boolean} whether a group with leaves bears it
   */
  isGroup(name) {
    for (let leaf = 0; leaf < this.numColumns; leaf++) {
      if (this.path(leaf).join('.').startsWith(`${name}.`)) return true
    }
    return false
  }

  /**
   * @param {number} rowGroup
   * @returns {number}
   */
  #rowGroupAt(rowGroup) {
    return this.rowGroups.offset + rowGroup * this.image.sizeOf('row_group')
  }

  /**
   * The schema is a tree in depth-first order; which of its elements are leaves the descriptors say.
   * @returns {string[][]}
   */
  #makePaths() {
    const { image, schema } = this
    const size = image.sizeOf('schema_element')
    const nameOffset = image.offsetOf('schema_element', 'name')
    const childrenOffset = image.offsetOf('schema_element', 'numChildren')
    const children = (/** @type {number} */ i) =>
      image.view.getInt32(schema.offset + i * size + childrenOffset, true)
    /** @type {string[][]} */
    const paths = []
    const open = [{ name: '', left: children(0) }]
    for (let i = 1, leaf = 0; leaf < this.numColumns; i++) {
      while (open[open.length - 1].left === 0) open.pop()
      open[open.length - 1].left--
      const name = text(image.bytesAt(schema.offset + i * size + nameOffset))
      if (this.leaf(leaf).schemaIndex === i) {
        paths.push([...open.slice(1).map((group) => group.name), name])
        leaf++
      } else {
        open.push({ name, left: children(i) })
      }
    }
    return paths
  }
}
