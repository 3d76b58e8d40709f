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
   * A field alone, by name.
   * @param {string} struct
   * @param {string} name
   * @returns {Field}
   */
  field(struct, name) {
    const { fields } = this.tables.structs[this.tables.structNumbers[struct]]
    return /** @type {Field} */ (fields.find((field) => field.name === name))
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
        return this.#binary(at).slice()
      case kinds.STRING:
        return text(this.#binary(at))
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
        return this.#list(at, 8, (item) => text(this.#binary(item)))
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
   * @param {number} at
   * @returns {Uint8Array}
   */
  #binary(at) {
    const { offset, count } = this.reference(at)
    return this.bytes.subarray(offset, offset + count)
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
   * @param {Uint8Array} image
   */
  constructor(tables, image) {
    this.image = new Image(tables, image)
    this.bytes = image
    /** @type {import('./index.d.ts').FileMetaData} */
    this.file = this.image.struct('file_metadata', tables.fileOffset)
    const columns = this.image.reference(tables.columnsOffset)
    this.columnsAt = columns.offset
    this.numColumns = columns.count
    this.numRowGroups = this.#fileList('rowGroups').count
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
    const { structs, structNumbers } = this.image.tables
    const at = this.columnsAt + index * structs[structNumbers.column_descriptor].size
    const { schemaIndex, depth, maxDefinitionLevel, maxRepetitionLevel } = this.image.struct(
      'column_descriptor',
      at
    )
    return { index, schemaIndex, depth, maxDefinitionLevel, maxRepetitionLevel }
  }

  /**
   * @param {number} index
   * @returns {import('./index.d.ts').SchemaElement}
   */
  schemaElement(index) {
    return this.#item('schema', 'schema_element', index)
  }

  /**
   * @param {number} rowGroup
   * @returns {import('./index.d.ts').RowGroup}
   */
  rowGroup(rowGroup) {
    return this.#item('rowGroups', 'row_group', rowGroup)
  }

  /**
   * One chunk, without making objects for all the others.
   * @param {number} rowGroup
   * @param {number} column
   * @returns {import('./index.d.ts').ColumnChunk}
   */
  chunk(rowGroup, column) {
    const { structs, structNumbers } = this.image.tables
    const groups = this.#fileList('rowGroups')
    const group = groups.offset + rowGroup * structs[structNumbers.row_group].size
    const chunks = this.image.reference(group + this.image.field('row_group', 'columns').offset)
    return this.image.struct('column_chunk', chunks.offset + column * structs[structNumbers.column_chunk].size)
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
   * The schema is a tree in depth-first order; which of its elements are leaves the descriptors say.
   * @returns {string[][]}
   */
  #makePaths() {
    /** @type {string[][]} */
    const paths = []
    /** @type {{ name: string, left: number }[]} */
    const open = [{ name: '', left: this.schemaElement(0).numChildren ?? 0 }]
    for (let i = 1, leaf = 0; leaf < this.numColumns; i++) {
      while (open[open.length - 1].left === 0) open.pop()
      open[open.length - 1].left--
      const { name = '', numChildren = 0 } = this.schemaElement(i)
      if (this.leaf(leaf).schemaIndex === i) {
        paths.push([...open.slice(1).map((group) => group.name), name])
        leaf++
      } else {
        open.push({ name, left: numChildren })
      }
    }
    return paths
  }

  /**
   * @param {string} field
   * @returns {{ offset: number, count: number }}
   */
  #fileList(field) {
    const { offset } = this.image.field('file_metadata', field)
    return this.image.reference(this.image.tables.fileOffset + offset)
  }

  /**
   * @param {string} field
   * @param {string} struct
   * @param {number} index
   * @returns {any}
   */
  #item(field, struct, index) {
    const { structs, structNumbers } = this.image.tables
    return this.image.struct(struct, this.#fileList(field).offset + index * structs[structNumbers[struct]].size)
  }
}
