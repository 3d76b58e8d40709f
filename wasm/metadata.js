/**
 * The metadata image seen as JavaScript objects. The image is one block of bytes, copied out of wasm memory: it needs no
 * instance any more. An object is made when it is first asked for; structures and lists inside it wait until they are.
 */
/** @typedef {import('./tables.js').Tables} Tables */
/** @typedef {import('./tables.js').Field} Field */
/** @typedef {import('./tables.js').Struct} Struct */

/** A structure. Fields that hold structures are made when they are first read, and then are properties like any other. */
class View {
  #image
  #at

  /**
   * @param {Image} image
   * @param {number} at
   * @param {Field[]} fields
   */
  constructor(image, at, fields) {
    this.#image = image
    this.#at = at
    const present = image.view.getUint32(at, true)
    for (const field of fields) {
      if (((present >>> field.id) & 1) === 0) continue
      const { name } = field
      if (field.isNested) Object.defineProperty(this, name, (field.lazy ??= View.#lazy(field)))
      else Reflect.set(this, name, field.read(image, at + field.offset, field.detail))
    }
  }

  /** For Node's console, which shows no values of getters. */
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return { ...this }
  }

  /**
   * @param {Field} field
   * @returns {PropertyDescriptor & ThisType<View>}
   */
  static #lazy({ name, offset, detail, read }) {
    return {
      configurable: true,
      enumerable: true,
      get() {
        const value = read(this.#image, this.#at + offset, detail)
        Object.defineProperty(this, name, { configurable: true, enumerable: true, writable: true, value })
        return value
      },
    }
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
  }

  /**
   * @param {Struct} struct
   * @param {number} at
   * @returns {any}
   */
  struct({ fields }, at) {
    return new View(this, at, fields)
  }

  /**
   * @param {number} at of a reference
   * @returns {{ offset: number, count: number }}
   */
  reference(at) {
    return { offset: this.view.getUint32(at, true), count: this.view.getUint32(at + 4, true) }
  }

  /**
   * @param {number} at of a reference
   * @returns {Uint8Array} a view of the bytes it refers to
   */
  bytesAt(at) {
    const { offset, count } = this.reference(at)
    return this.bytes.subarray(offset, offset + count)
  }
}

/**
 * @param {Struct} struct
 * @param {string} name
 * @returns {Field}
 */
function fieldOf({ fields }, name) {
  return /** @type {Field} */ (fields.find((field) => field.name === name))
}

/** The metadata of a file. */
export class Metadata {
  #image
  #schema
  #rowGroups
  #columns
  #nodes
  /** @type {string[][] | undefined} */
  #paths
  /** @type {Map<string, number[]> | undefined} */
  #leavesByName

  /**
   * @param {Tables} tables
   * @param {Uint8Array} bytes the image
   */
  constructor(tables, bytes) {
    const image = new Image(tables, bytes)
    const { file_metadata, schema_element, row_group, column_descriptor, schema_node } = tables.structsByName
    this.bytes = bytes
    this.#image = image
    /** @type {import('./index.d.ts').FileMetaData} */
    this.file = image.struct(file_metadata, tables.fileOffset)
    const list = (/** @type {Struct} */ struct, /** @type {number} */ at) => ({
      struct,
      ...image.reference(at),
    })
    this.#schema = list(schema_element, tables.fileOffset + fieldOf(file_metadata, 'schema').offset)
    this.#rowGroups = list(row_group, tables.fileOffset + fieldOf(file_metadata, 'rowGroups').offset)
    this.#columns = list(column_descriptor, tables.columnsOffset)
    this.#nodes = list(schema_node, tables.nodesOffset)
    this.numColumns = this.#columns.count
    this.numRowGroups = this.#rowGroups.count
  }

  /**
   * @param {number} index
   * @returns {{ schemaIndex: number, rootIndex: number, depth: number, maxDefinitionLevel: number, maxRepetitionLevel: number }}
   */
  leaf(index) {
    return this.#element(this.#columns, index)
  }

  /**
   * @param {number} leaf
   * @returns {import('./index.d.ts').SchemaElement}
   */
  schemaElement(leaf) {
    return this.element(this.leaf(leaf).schemaIndex)
  }

  /**
   * @param {number} index in the schema
   * @returns {import('./index.d.ts').SchemaElement}
   */
  element(index) {
    return this.#element(this.#schema, index)
  }

  /**
   * @param {number} index in the schema
   * @returns {{ kind: string, maxDefinitionLevel: number, firstColumn: number, endIndex: number, endColumn: number }}
   */
  node(index) {
    return this.#element(this.#nodes, index)
  }

  /**
   * @param {number} index in the schema
   * @returns {number[]} indices of the elements right below
   */
  children(index) {
    const end = (/** @type {number} */ i) => this.#field(this.#nodes, i, 'endIndex')
    const children = []
    for (let child = index + 1, last = end(index); child < last; child = end(child)) children.push(child)
    return children
  }

  /**
   * @param {number} rowGroup
   * @returns {number} its rows
   */
  rowsOf(rowGroup) {
    return this.#field(this.#rowGroups, rowGroup, 'numRows')
  }

  /**
   * One chunk, without making objects for all the others.
   * @param {number} rowGroup
   * @param {number} column
   * @returns {import('./index.d.ts').ColumnChunk}
   */
  chunk(rowGroup, column) {
    const { struct, offset } = this.#rowGroups
    const { column_chunk } = this.#image.tables.structsByName
    const chunks = this.#image.reference(offset + rowGroup * struct.size + fieldOf(struct, 'columns').offset)
    return this.#image.struct(column_chunk, chunks.offset + column * column_chunk.size)
  }

  /**
   * Names from the root's child down to the leaf.
   * @param {number} leaf
   * @returns {string[]}
   */
  path(leaf) {
    this.#paths ??= this.#makePaths()
    return this.#paths[leaf]
  }

  /**
   * @param {string} name dotted path
   * @returns {readonly number[]} the leaves that bear it
   */
  find(name) {
    let all = this.#leavesByName
    if (all === undefined) {
      this.#leavesByName = all = new Map()
      for (let leaf = 0; leaf < this.numColumns; leaf++) {
        const key = this.path(leaf).join('.')
        const leaves = all.get(key) ?? []
        leaves.push(leaf)
        all.set(key, leaves)
      }
    }
    return all.get(name) ?? []
  }

  /**
   * @param {string} name dotted path
   * @returns {number[]} the leaves below the groups that bear it
   */
  findBelow(name) {
    const leaves = Array.from({ length: this.numColumns }, (_, leaf) => leaf)
    return leaves.filter((leaf) => this.path(leaf).join('.').startsWith(`${name}.`))
  }

  /**
   * @param {{ struct: Struct, offset: number }} list
   * @param {number} index
   * @returns {any}
   */
  #element({ struct, offset }, index) {
    return this.#image.struct(struct, offset + index * struct.size)
  }

  /**
   * One field, without an object for the structure. Of one that is absent all bytes are zero.
   * @param {{ struct: Struct, offset: number }} list
   * @param {number} index
   * @param {string} name
   * @returns {any}
   */
  #field({ struct, offset }, index, name) {
    const field = fieldOf(struct, name)
    return field.read(this.#image, offset + index * struct.size + field.offset, field.detail)
  }

  /** @returns {string[][]} */
  #makePaths() {
    /** @type {string[][]} */
    const paths = []
    /** @type {(index: number, above: string[]) => void} */
    const walk = (index, above) => {
      for (const child of this.children(index)) {
        const path = [...above, this.#field(this.#schema, child, 'name')]
        if (this.#field(this.#nodes, child, 'kind') === 'LEAF') paths.push(path)
        else walk(child, path)
      }
    }
    walk(0, [])
    return paths
  }
}
