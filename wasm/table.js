/** What a read gives: columns in Arrow's layout, and values and rows made of them on demand. */
import { arrowIPC } from './arrow_ipc.js'
import { badArgument, describe, mustBe, notThere } from './errors.js'
import { checkChoice, checkOptions } from './options.js'
import { valueGetter } from './values.js'
import { variantGetter } from './variant.js'

/** @typedef {import('./index.d.ts').ColumnType} ColumnType */

/**
 * The shape is described in index.d.ts, where the types of the arrays depend on `kind`.
 * @implements {Iterable<any>}
 */
export class Column {
  /** @type {((i: number) => any) | undefined} */
  #getter

  /**
   * @param {string} name
   * @param {ColumnType} type
   * @param {number} length
   * @param {object} arrays
   * @param {any} [arrays.values]
   * @param {Int32Array} [arrays.offsets]
   * @param {Uint8Array} [arrays.data]
   * @param {Int32Array} [arrays.indices]
   * @param {Column} [arrays.dictionary]
   * @param {Uint16Array} [arrays.repetitionLevels]
   * @param {Uint16Array} [arrays.definitionLevels]
   * @param {Column[]} [arrays.children] of a nested column
   * @param {Uint8Array | null} arrays.validity
   * @param {number} arrays.nullCount
   * @param {boolean} [arrays.nullable]
   */
  constructor(name, type, length, arrays) {
    this.name = name
    this.kind = type.kind
    this.type = type
    this.length = length
    this.nullable = arrays.nullable ?? arrays.nullCount > 0
    this.nullCount = arrays.nullCount
    this.validity = arrays.validity
    if (arrays.values !== undefined) this.values = arrays.values
    if (arrays.offsets !== undefined) this.offsets = arrays.offsets
    if (arrays.data !== undefined) this.data = arrays.data
    if (arrays.indices !== undefined) this.indices = arrays.indices
    if (arrays.dictionary !== undefined) {
      /** @type {Column | undefined} */
      this.dictionary = arrays.dictionary
    }
    if (arrays.children !== undefined) {
      /** @type {Column[] | undefined} */
      this.children = arrays.children
    }
    if (arrays.repetitionLevels !== undefined) this.repetitionLevels = arrays.repetitionLevels
    if (arrays.definitionLevels !== undefined) this.definitionLevels = arrays.definitionLevels
  }

  /**
   * @param {number} index
   * @returns {any}
   */
  get(index) {
    if (!Number.isInteger(index) || index < 0 || index >= this.length) {
      throw badArgument('index', `is ${describe(index)}; the column has ${this.length} entries, counted from 0`)
    }
    return this.#get(index)
  }

  *[Symbol.iterator]() {
    for (let i = 0; i < this.length; i++) yield this.#get(i)
  }

  /** @param {number} i */
  #get(i) {
    const { validity } = this
    if (validity !== null && ((validity[i >> 3] >> (i & 7)) & 1) === 0) return null
    this.#getter ??= this.#makeGetter()
    return this.#getter(i)
  }

  /** @returns {(i: number) => any} */
  #makeGetter() {
    const { type, values, offsets, data, indices, dictionary, children } = this
    if (indices !== undefined && dictionary !== undefined) return (i) => dictionary.#get(indices[i])
    if (children === undefined) return valueGetter({ type, values, offsets, data })
    if (type.kind === 'variant') return variantGetter(this)
    if (offsets === undefined) return structGetter(children, (column, i) => column.#get(i))
    /** @type {<T>(i: number, get: (k: number) => T) => T[]} */
    const elements = (i, get) =>
      Array.from({ length: offsets[i + 1] - offsets[i] }, (_, k) => get(offsets[i] + k))
    const [element] = children
    if (type.kind === 'list') return (i) => elements(i, (k) => element.#get(k))
    const [keys, items] = /** @type {Column[]} */ (element.children)
    return (i) => new Map(elements(i, (k) => [keys.#get(k), items === undefined ? null : items.#get(k)]))
  }
}

/**
 * @param {Column[]} columns
 * @param {(column: Column, i: number) => any} get
 * @returns {(i: number) => Record<string, any>}
 */
function structGetter(columns, get) {
  const names = uniqueNames(columns.map((column) => column.name))
  return (i) => {
    /** @type {Record<string, any>} */
    const object = {}
    columns.forEach((column, k) => {
      setProperty(object, names[k], get(column, i))
    })
    return object
  }
}

export class Table {
  /**
   * @param {number} numRows
   * @param {Column[]} columns
   * @param {{ name: string, error: import('./errors.js').PagelaneError }[]} unsupported
   */
  constructor(numRows, columns, unsupported) {
    this.numRows = numRows
    this.columns = columns
    this.unsupported = unsupported
  }

  /**
   * @param {string | number} name
   * @returns {Column}
   */
  column(name) {
    const { columns } = this
    const found = typeof name === 'number' ? columns[name] : columns.find((column) => column.name === name)
    if (found !== undefined) return found
    if (typeof name !== 'string' && typeof name !== 'number') {
      throw mustBe('name', 'the name or position of a column', name)
    }
    const left = this.unsupported.find((column) => column.name === name)
    if (left !== undefined) throw left.error
    throw notThere(
      'name',
      name,
      "the table's columns",
      columns.map((column) => column.name)
    )
  }

  /**
   * @param {number} [start]
   * @param {number} [end]
   * @returns {IterableIterator<Record<string, any>>}
   */
  rows(start = 0, end = this.numRows) {
    if (!Number.isInteger(start) || start < 0) throw mustBe('start', 'a row number', start)
    if ((!Number.isInteger(end) && end !== Infinity) || end < start) {
      throw mustBe('end', 'a row number, not below start', end)
    }
    return this.#rows(start, Math.min(end, this.numRows))
  }

  /**
   * @param {unknown} [options]
   * @returns {Uint8Array}
   */
  toArrowIPC(options) {
    const { format } = checkOptions(options, ['format'])
    const isFile = checkChoice('options.format', format, ['stream', 'file']) === 'file'
    return arrowIPC(this.numRows, this.columns, isFile)
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  *#rows(start, end) {
    const { columns } = this
    const rowOf = structGetter(columns, (column, row) => column.get(row))
    for (let row = start; row < end; row++) yield rowOf(row)
  }
}

/**
 * `object.__proto__ = …` would set the prototype, not a property.
 * @param {Record<string, any>} object
 * @param {string} name
 * @param {unknown} value
 */
function setProperty(object, name, value) {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { configurable: true, enumerable: true, writable: true, value })
}

/**
 * @param {string[]} names
 * @returns {string[]} a, a, b -> a, a_1, b
 */
export function uniqueNames(names) {
  const taken = new Set(names)
  const used = new Set()
  return names.map((name) => {
    let unique = name
    for (let i = 1; used.has(unique) || (unique !== name && taken.has(unique)); i++) unique = `${name}_${i}`
    used.add(unique)
    return unique
  })
}
