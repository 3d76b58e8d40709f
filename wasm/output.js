/**
 * Where a column's batches go: one exact allocation an array, filled piece by piece while a piece is hot in the cache.
 * Batches are described by the column slots of the core (wasm/exports.c) and come in the order of the rows; their bitmaps and
 * offsets go on where those before ended (PL_BUILDER_RUNNING).
 */
import { badArgument, mustBe, PagelaneError } from './errors.js'
import { elementsFor } from './layout.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./ledger.js').Ledger} Ledger */
/** @typedef {import('./layout.js').ColumnLayout} ColumnLayout */
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
  /** rows that are there */
  row = 0
  /** bytes of their strings */
  dataSize = 0
  #charged = 0
  #nullCount = 0
  /** @type {Uint8Array | null} */
  #validity = null
  #data = new Uint8Array(0)
  /** @type {any} */
  #values

  /**
   * @param {Ledger} ledger charged for everything made here
   * @param {string} name
   * @param {ColumnLayout} layout
   * @param {number} capacity entries there is room for
   * @param {object} [options]
   * @param {boolean} [options.grows] when there are more; else they are an error
   * @param {(size: number) => ArrayBuffer} [options.allocate] memory that need not be zero
   * @param {unknown} [options.into] the caller's array
   * @param {string} [options.argument] its name
   * @param {number} [options.dataSize] bytes of all strings, where something tells them
   */
  constructor(ledger, name, layout, capacity, options = {}) {
    const { grows = false, allocate, into, argument = 'options.into', dataSize = 0 } = options
    this.ledger = ledger
    this.name = name
    this.layout = layout
    this.capacity = capacity
    this.grows = grows
    this.allocate = allocate
    const { form, ArrayType } = layout
    if (into !== undefined) this.#values = checkInto(argument, into, layout, capacity)
    else this.#values = this.#make(ArrayType, elementsFor(layout, capacity))
    if (form === 'bytes' || form === 'offsets') this.#values[0] = 0
    if (form === 'bytes') this.#data = this.#make(Uint8Array, dataSize)
  }

  /**
   * Takes the batch that the column slots describe.
   * @param {Core} core
   */
  put(core) {
    const n = core.result('length')
    const { row, layout } = this
    const { form, perEntry, ArrayType } = layout
    if (n > this.capacity - row) this.#grow(row + n)
    if (n === 0) return
    this.#putValidity(core, n)
    const at = core.result('values')
    if (form === 'bits') putBits(core, at, n, this.#values, row)
    else if (form === 'bytes') this.#putBytes(core, n)
    else if (form === 'offsets') this.#putOffsets(core, n)
    else if (layout.toNumber) this.#putNumbers(core, at, n)
    else if (form === 'fixed')
      this.#values.set(new ArrayType(core.memory.buffer, at, n * perEntry), row * perEntry)
    this.row += n
  }

  /** @returns {Arrays} the finished arrays; what was charged for them is the caller's from now on */
  finish() {
    this.drop()
    const { form } = this.layout
    const validity = this.#validity && trim(this.#validity, Math.ceil(this.row / 8))
    const nulls = { validity, nullCount: this.#nullCount }
    if (form === 'none') return nulls
    const values = trim(this.#values, elementsFor(this.layout, this.row))
    if (form === 'offsets') return { offsets: values, ...nulls }
    if (form !== 'bytes') return { values, ...nulls }
    return { offsets: values, data: trim(this.#data, this.dataSize), ...nulls }
  }

  /** Gives back what was charged. */
  drop() {
    this.ledger.release(this.#charged)
    this.#charged = 0
  }

  /**
   * @param {any} ArrayType
   * @param {number} length
   * @returns {any}
   */
  #make(ArrayType, length) {
    const size = length * ArrayType.BYTES_PER_ELEMENT
    this.ledger.charge(size)
    this.#charged += size
    try {
      return new ArrayType(this.allocate?.(size) ?? length)
    } catch (cause) {
      const message = `no memory for column ${JSON.stringify(this.name)} (${size} bytes)`
      throw new PagelaneError('NO_MEMORY', message, { cause })
    }
  }

  /**
   * The bitmap is made when the first null comes: most columns have none.
   * @param {Core} core
   * @param {number} n
   */
  #putValidity(core, n) {
    const nulls = core.result('nullCount')
    if (nulls !== 0 && this.#validity === null) {
      const bits = this.#make(Uint8Array, Math.ceil(this.capacity / 8))
      putBits(core, 0, this.row, bits, 0)
      this.#validity = bits
    }
    if (this.#validity === null) return
    putBits(core, nulls === 0 ? 0 : core.result('validity'), n, this.#validity, this.row)
    this.#nullCount += nulls
  }

  /**
   * @param {Core} core
   * @param {number} n
   */
  #putBytes(core, n) {
    const from = core.result('data')
    const size = core.result('dataSize')
    const base = this.dataSize
    if (base + size > this.#data.length) this.#growData(base + size, this.row + n)
    this.#data.set(core.u8.subarray(from, from + size), base)
    this.#putOffsets(core, n)
    this.dataSize = base + size
  }

  /**
   * They run on from batch to batch.
   * @param {Core} core
   * @param {number} n
   */
  #putOffsets(core, n) {
    this.#values.set(new Int32Array(core.memory.buffer, core.result('offsets') + 4, n), this.row + 1)
  }

  /**
   * Room for so many entries, and for some more.
   * @param {number} needed
   */
  #grow(needed) {
    if (!this.grows) {
      throw new PagelaneError('CORRUPT', `column ${JSON.stringify(this.name)} has more values than rows`)
    }
    const { layout } = this
    const generous = Math.max(needed, Math.ceil(this.capacity * 1.5), 64)
    const size = elementsFor(layout, generous) * layout.ArrayType.BYTES_PER_ELEMENT
    this.capacity = this.ledger.fits(2 * size) ? generous : needed
    this.#values = this.#moved(this.#values, elementsFor(layout, this.capacity))
    if (this.#validity) this.#validity = this.#moved(this.#validity, Math.ceil(this.capacity / 8))
  }

  /**
   * @param {any} old
   * @param {number} length
   * @returns {any} a longer array
   */
  #moved(old, length) {
    const moved = this.#make(old.constructor, length)
    moved.set(old)
    this.ledger.release(old.byteLength)
    this.#charged -= old.byteLength
    return moved
  }

  /**
   * Room for the strings of so many rows, and for what the others are likely to need if they are like those.
   * @param {number} needed
   * @param {number} rows
   */
  #growData(needed, rows) {
    const old = this.#data
    const likely = Math.ceil((needed / rows) * this.capacity * 1.02) + MIN_DATA
    const size = Math.min(MAX_OFFSET, Math.max(needed, likely, Math.ceil(old.length * 1.25)))
    this.#data = this.#make(Uint8Array, this.ledger.fits(size) ? size : needed)
    this.#data.set(old.subarray(0, this.dataSize))
    this.ledger.release(old.length)
    this.#charged -= old.length
  }

  /**
   * @param {Core} core
   * @param {number} address
   * @param {number} n
   */
  #putNumbers(core, address, n) {
    const words = new Int32Array(core.memory.buffer, address, 2 * n)
    const unsigned = this.layout.toNumber === 'unsigned'
    const lowest = unsigned ? 0 : -EXACT_HIGH
    for (let i = 0, k = this.row; i < n; i++, k++) {
      const high = words[2 * i + 1]
      if (high >= EXACT_HIGH || high < lowest) {
        const value = new (unsigned ? BigUint64Array : BigInt64Array)(core.memory.buffer, address + 8 * i, 1)[0]
        const where = `row ${k} of column ${JSON.stringify(this.name)}`
        throw badArgument(
          'options.int64',
          `is 'number', but ${value} in ${where} is not exact as one: use 'bigint'`
        )
      }
      this.#values[k] = high * 4294967296 + (words[2 * i] >>> 0)
    }
  }
}

/**
 * Bits of a batch to a bitmap. The batch's first bit stands where it goes in the byte, behind zeros; those behind the last
 * become zero.
 * @param {Core} core
 * @param {number} address 0: all are set
 * @param {number} n
 * @param {Uint8Array} bitmap
 * @param {number} row
 */
function putBits(core, address, n, bitmap, row) {
  const start = row >> 3
  const phase = row & 7
  const end = row + n
  const size = Math.ceil((phase + n) / 8)
  const before = phase === 0 ? 0 : bitmap[start]
  if (address === 0) bitmap.fill(255, start, start + size)
  else bitmap.set(core.u8.subarray(address, address + size), start)
  if (phase !== 0) bitmap[start] = (bitmap[start] & (255 << phase)) | before
  if (end % 8 !== 0) bitmap[start + size - 1] &= (1 << (end % 8)) - 1
}

/**
 * @template {import('./index.d.ts').TypedArray} A
 * @param {A} array
 * @param {number} length
 * @returns {A} a view of its front; a copy where a view would keep much that is not used
 */
function trim(array, length) {
  if (array.length === length) return array
  const isWasteful = array.length - length > array.length / 8
  return /** @type {A} */ (isWasteful ? array.slice(0, length) : array.subarray(0, length))
}

/**
 * The caller's array for a column, cut to what is needed.
 * @param {string} argument
 * @param {unknown} array
 * @param {ColumnLayout} layout
 * @param {number} numRows
 * @returns {import('./index.d.ts').TypedArray}
 */
function checkInto(argument, array, layout, numRows) {
  const { form, ArrayType } = layout
  if (form === 'bytes') throw badArgument(argument, 'cannot be filled: only columns of fixed-width values can')
  const tag = ArrayBuffer.isView(array) && Object.prototype.toString.call(array)
  if (tag !== `[object ${ArrayType.name}]`) {
    throw mustBe(argument, `a ${ArrayType.name}`, array)
  }
  const typed = /** @type {import('./index.d.ts').TypedArray} */ (array)
  const needed = elementsFor(layout, numRows)
  if (typed.length < needed) {
    throw badArgument(argument, `must have ${needed} elements or more, not ${typed.length}`)
  }
  return typed.subarray(0, needed)
}
