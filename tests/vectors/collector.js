/**
 * What a case gave: the batches that a host hands over, joined. Nothing of Node in it.
 */

/** @typedef {import('./run.js').Batch} Batch */
/** @typedef {import('./run.js').BatchParent} BatchParent */

export const SECTIONS = [
  'values',
  'validity',
  'offsets',
  'data',
  'repetition_levels',
  'definition_levels',
  'dictionary_values',
  'dictionary_offsets',
  'dictionary_data',
]
export const NUMBERS = ['length', 'null_count', 'in_used', 'n_levels', 'dictionary_length']

/**
 * A list or OPTIONAL field above the entries, as pl_parent has it.
 * @typedef {{ level: number, isList: boolean, length: number, nullCount: number, validity: Uint8Array, offsets: Uint8Array }} Parent
 */
/**
 * Numbers and sections under the manifest's names.
 * @typedef {object} Result
 * @property {string} status
 * @property {Record<string, number>} numbers
 * @property {Record<string, Uint8Array>} sections
 * @property {Parent[]} parents
 */

/** Bytes or bits that grow. */
export class Growing {
  constructor() {
    this.bytes = new Uint8Array(64)
    this.size = 0
  }

  /** @param {number} size */
  reserve(size) {
    if (size > this.bytes.length) {
      const larger = new Uint8Array(2 * size)
      larger.set(this.bytes)
      this.bytes = larger
    }
  }

  /** @param {Uint8Array} bytes */
  add(bytes) {
    this.reserve(this.size + bytes.length)
    this.bytes.set(bytes, this.size)
    this.size += bytes.length
  }

  /** @param {bigint | number} value 8 bytes, little-endian */
  addNumber(value) {
    this.add(new Uint8Array(BigUint64Array.of(BigInt(value)).buffer))
  }

  /**
   * @param {number} before bits that are there
   * @param {Uint8Array | null | undefined} bits none: ones
   * @param {number} first the bit that they begin at
   * @param {number} n
   */
  addBits(before, bits, first, n) {
    this.size = Math.ceil((before + n) / 8)
    this.reserve(this.size)
    for (let i = 0; i < n; i++) {
      const at = first + i
      if (!bits || (bits[at >> 3] >> (at & 7)) & 1) this.bytes[(before + i) >> 3] |= 1 << ((before + i) & 7)
    }
  }

  /**
   * @param {Int32Array} offsets those of a batch
   * @param {number} before where its first element comes to stand
   */
  addOffsets(offsets, before) {
    if (this.size === 0) this.add(new Uint8Array(4))
    this.add(asBytes(offsets.slice(1).map((offset) => offset - offsets[0] + before)))
  }

  finish() {
    return this.bytes.slice(0, this.size)
  }
}

/**
 * @param {ArrayBufferView | undefined} view
 * @returns {Uint8Array}
 */
export function asBytes(view) {
  return view ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : new Uint8Array(0)
}

/** One list or OPTIONAL field. */
class ParentCollector {
  /** @param {BatchParent} parent */
  constructor(parent) {
    this.level = parent.level
    this.isList = parent.isList
    this.length = 0
    this.nullCount = 0
    this.nElements = 0
    this.validity = new Growing()
    this.offsets = new Growing()
  }

  /**
   * @param {BatchParent} parent
   * @param {boolean} isRunning
   */
  add(parent, isRunning) {
    const { offsets, validity, length } = parent
    if (offsets) {
      this.offsets.addOffsets(offsets, this.nElements)
      this.nElements += offsets[length] - offsets[0]
    } else {
      this.validity.addBits(this.length, validity, isRunning ? this.length % 8 : 0, length)
    }
    this.length += length
    this.nullCount += parent.nullCount
  }

  /** @returns {Parent} */
  finish() {
    const { level, isList, length, nullCount } = this
    const validity = nullCount ? this.validity.finish() : new Uint8Array(0)
    return { level, isList, length, nullCount, validity, offsets: this.offsets.finish() }
  }
}

/** The batches of a case, joined. */
export class Collector {
  /** @param {boolean} isBoolean */
  constructor(isBoolean) {
    this.isBoolean = isBoolean
    /** @type {Record<string, number>} */
    this.numbers = Object.fromEntries(NUMBERS.map((name) => [name, 0]))
    /** @type {Record<string, Growing>} */
    this.sections = Object.fromEntries(SECTIONS.map((name) => [name, new Growing()]))
    /** @type {ParentCollector[]} */
    this.parents = []
  }

  /** @param {Batch} batch */
  add(batch) {
    const { numbers, sections } = this
    const isRunning = batch.isRunning ?? false
    const first = isRunning ? numbers.length % 8 : 0
    sections.validity.addBits(numbers.length, batch.validity, first, batch.length)
    if (this.isBoolean) sections.values.addBits(numbers.length, batch.values, first, batch.length)
    else this.addValues('', batch)
    numbers.length += batch.length
    numbers.null_count += batch.nullCount
    numbers.n_levels += batch.nLevels ?? 0
    sections.repetition_levels.add(asBytes(batch.repetitionLevels))
    sections.definition_levels.add(asBytes(batch.definitionLevels))
    if (batch.dictionary) {
      for (const name of SECTIONS.filter((name) => name.startsWith('dictionary')))
        sections[name] = new Growing()
      numbers.dictionary_length = batch.dictionary.length
      this.addValues('dictionary_', batch.dictionary)
    }
    batch.parents?.forEach((parent, i) => {
      this.parents[i] ??= new ParentCollector(parent)
      this.parents[i].add(parent, isRunning)
    })
  }

  /**
   * @param {string} prefix
   * @param {Batch} batch
   */
  addValues(prefix, batch) {
    const data = this.sections[`${prefix}data`]
    if (!batch.offsets) return this.sections[`${prefix}values`].add(asBytes(batch.values))
    this.sections[`${prefix}offsets`].addOffsets(batch.offsets, data.size)
    data.add(asBytes(batch.data).subarray(0, batch.offsets[batch.length] - batch.offsets[0]))
  }

  /** @returns {Omit<Result, 'status'>} */
  finish() {
    if (this.numbers.null_count === 0) this.sections.validity = new Growing()
    return {
      numbers: this.numbers,
      sections: Object.fromEntries(SECTIONS.map((name) => [name, this.sections[name].finish()])),
      parents: this.parents.map((parent) => parent.finish()),
    }
  }
}
