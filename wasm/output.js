/**
 * Where a column's batches go: one exact allocation an array, filled piece by piece while a piece is hot in the cache.
 * Batches are described by the column slots of the core (wasm/exports.c), and come in the order of the rows.
 */
import { copyBits, setBits } from './bits.js'
import { badArgument, describe, PagelaneError } from './errors.js'
import { elementsFor } from './layout.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./ledger.js').Ledger} Ledger */
/** @typedef {import('./layout.js').ColumnLayout} ColumnLayout */
/**
 * @typedef {object} OutputOptions
 * @property {string} name
 * @property {ColumnLayout} layout
 * @property {number} numRows
 * @property {Ledger} ledger charged for everything made here
 * @property {(size: number) => ArrayBuffer} [allocate] memory that need not be zero
 * @property {import('./index.d.ts').TypedArray} [into]
 * @property {number} [dataSize] bytes of all strings, where something tells them
 */
/**
 * @typedef {object} Arrays
 * @property {any} [values]
 * @property {Int32Array} [offsets]
 * @property {Uint8Array} [data]
 * @property {Uint8Array | null} validity
 * @property {number} nullCount
 */

/* 64-bit integers from -2^53 up to 2^53 - 1 pass as numbers: what their upper half may be. */
const EXACT_HIGH = 2 ** 21
const MAX_OFFSET = 2 ** 31 - 1
const MIN_DATA = 4096

/** A column that grows by batches. */
export class ColumnOutput {
  /** @param {OutputOptions} options */
  constructor(options) {
    this.name = options.name
    this.layout = options.layout
    this.numRows = options.numRows
    this.ledger = options.ledger
    this.allocate = options.allocate
    this.charged = 0
    this.row = 0
    this.nullCount = 0
    /** @type {Uint8Array | null} */
    this.validity = null
    this.dataSize = 0
    /** @type {Uint8Array} */
    this.data = new Uint8Array(0)
    const { form, ArrayType } = this.layout
    if (options.into !== undefined) {
      this.values = /** @type {any} */ (options.into)
      if (form === 'bits') this.values.fill(0)
    } else if (form === 'bytes') {
      this.values = this.#make(Int32Array, this.numRows + 1)
      this.values[0] = 0
      this.data = this.#make(Uint8Array, options.dataSize ?? 0)
    } else {
      this.values = this.#make(ArrayType, elementsFor(this.layout, this.numRows), form === 'bits')
    }
    const { buffer, byteOffset, byteLength } = this.values
    this.bytes = new Uint8Array(buffer, byteOffset, byteLength)
  }

  /**
   * Takes the batch that the column slots describe.
   * @param {Core} core
   */
  put(core) {
    const n = core.result('length')
    if (n > this.numRows - this.row) {
      throw new PagelaneError('CORRUPT', `column ${JSON.stringify(this.name)} has more values than rows`)
    }
    if (n === 0) return
    this.#putValidity(core, n)
    const values = core.result('values')
    if (this.layout.form === 'bits') copyBits(this.bytes, this.row, core.u8, values, n)
    else if (this.layout.form === 'bytes') this.#putBytes(core, n)
    else if (this.layout.toNumber !== undefined) this.#putNumbers(core, values, n)
    else {
      const width = this.layout.byteWidth
      this.bytes.set(core.u8.subarray(values, values + n * width), this.row * width)
    }
    this.row += n
  }

  /** @returns {Arrays} the finished arrays; what was charged for them is the caller's from now on */
  finish() {
    this.ledger.release(this.charged)
    this.charged = 0
    const { validity, nullCount } = this
    if (this.layout.form !== 'bytes') return { values: this.values, validity, nullCount }
    const wasted = this.data.length - this.dataSize
    const data =
      wasted > this.data.length / 8 ? this.data.slice(0, this.dataSize) : this.data.subarray(0, this.dataSize)
    return { offsets: this.values, data, validity, nullCount }
  }

  /** Gives back what a failed read was charged. */
  drop() {
    this.ledger.release(this.charged)
    this.charged = 0
  }

  /**
   * @param {any} ArrayType
   * @param {number} length
   * @param {boolean} [zeroed]
   * @returns {any}
   */
  #make(ArrayType, length, zeroed = false) {
    const size = length * ArrayType.BYTES_PER_ELEMENT
    this.ledger.charge(size)
    this.charged += size
    try {
      return zeroed || this.allocate === undefined ? new ArrayType(length) : new ArrayType(this.allocate(size))
    } catch (cause) {
      throw new PagelaneError(
        'NO_MEMORY',
        `no memory for column ${JSON.stringify(this.name)} (${size} bytes)`,
        {
          cause,
        }
      )
    }
  }

  /**
   * The bitmap is made when the first null comes: most columns have none.
   * @param {Core} core
   * @param {number} n
   */
  #putValidity(core, n) {
    const nulls = core.result('nullCount')
    if (nulls === 0) {
      if (this.validity !== null) setBits(this.validity, this.row, n)
      return
    }
    if (this.validity === null) {
      this.validity = /** @type {Uint8Array} */ (this.#make(Uint8Array, Math.ceil(this.numRows / 8), true))
      setBits(this.validity, 0, this.row)
    }
    copyBits(this.validity, this.row, core.u8, core.result('validity'), n)
    this.nullCount += nulls
  }

  /**
   * @param {Core} core
   * @param {number} n
   */
  #putBytes(core, n) {
    const at = core.result('offsets')
    const data = core.result('data')
    const size = core.result('dataSize')
    const base = this.dataSize
    if (base + size > MAX_OFFSET) {
      throw new PagelaneError(
        'LIMIT',
        `column ${JSON.stringify(this.name)} holds more than 2^31 - 1 bytes of strings`
      )
    }
    if (base + size > this.data.length) this.#growData(base + size, this.row + n)
    this.data.set(core.u8.subarray(data, data + size), base)
    const from = new Int32Array(core.memory.buffer, at, n + 1)
    if (base === 0) {
      this.values.set(from.subarray(1), this.row + 1)
    } else {
      const to = this.values
      for (let i = 1, k = this.row + 1; i <= n; i++, k++) to[k] = base + from[i]
    }
    this.dataSize = base + size
  }

  /**
   * Room for the strings of so many rows, and for what the others are likely to need if they are like those.
   * @param {number} needed
   * @param {number} rows
   */
  #growData(needed, rows) {
    const likely = Math.ceil((needed / rows) * this.numRows * 1.02) + MIN_DATA
    const size = Math.min(MAX_OFFSET, Math.max(needed, likely, Math.ceil(this.data.length * 1.25)))
    const grown = /** @type {Uint8Array} */ (this.#make(Uint8Array, this.ledger.fits(size) ? size : needed))
    grown.set(this.data.subarray(0, this.dataSize))
    this.ledger.release(this.data.length)
    this.charged -= this.data.length
    this.data = grown
  }

  /**
   * @param {Core} core
   * @param {number} address
   * @param {number} n
   */
  #putNumbers(core, address, n) {
    const words = new Int32Array(core.memory.buffer, address, 2 * n)
    const to = this.values
    const unsigned = this.layout.toNumber === 'unsigned'
    for (let i = 0, k = this.row; i < n; i++, k++) {
      const high = words[2 * i + 1]
      if (high >= EXACT_HIGH || high < (unsigned ? 0 : -EXACT_HIGH)) throw this.#inexact(core, address, i)
      to[k] = high * 4294967296 + (words[2 * i] >>> 0)
    }
  }

  /**
   * @param {Core} core
   * @param {number} address
   * @param {number} i
   * @returns {Error}
   */
  #inexact(core, address, i) {
    const ArrayType = this.layout.toNumber === 'unsigned' ? BigUint64Array : BigInt64Array
    const value = new ArrayType(core.memory.buffer, address, i + 1)[i]
    const where = `row ${this.row + i} of column ${JSON.stringify(this.name)}`
    return badArgument(
      'options.int64',
      `is 'number', but ${value} in ${where} is not exact as one: use 'bigint'`
    )
  }
}

/**
 * The caller's array for a column, cut to what is needed.
 * @param {string} argument
 * @param {unknown} array
 * @param {ColumnLayout} layout
 * @param {number} numRows
 * @returns {import('./index.d.ts').TypedArray}
 */
export function checkInto(argument, array, layout, numRows) {
  const { form, ArrayType } = layout
  if (form === 'bytes') throw badArgument(argument, 'cannot be filled: only columns of fixed-width values can')
  const tag = ArrayBuffer.isView(array) && Object.prototype.toString.call(array)
  if (tag !== `[object ${ArrayType.name}]`) {
    throw badArgument(argument, `must be a ${ArrayType.name}, not ${describe(array)}`)
  }
  const typed = /** @type {import('./index.d.ts').TypedArray} */ (array)
  const needed = elementsFor(layout, numRows)
  if (typed.length < needed) {
    throw badArgument(argument, `must have ${needed} elements or more, not ${typed.length}`)
  }
  return typed.subarray(0, needed)
}
