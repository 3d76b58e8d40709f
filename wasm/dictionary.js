/** Dictionaries of several column chunks as one. */

/** @typedef {import('./output.js').Arrays} Arrays */
/** @typedef {import('./layout.js').ColumnLayout} ColumnLayout */

/**
 * Every chunk has a dictionary of its own. Equal entries become one, and the indices are changed to match.
 * @param {Int32Array} indices changed in place
 * @param {Arrays[]} dictionaries one a chunk
 * @param {number[]} ends the row that each chunk ends before
 * @param {ColumnLayout} layout of the dictionaries
 * @returns {{ length: number, arrays: Arrays }}
 */
export function mergeDictionaries(indices, dictionaries, ends, layout) {
  const parts = dictionaries.map((dictionary) => bytesOf(dictionary, layout))
  if (parts.length === 1) return { length: parts[0].length, arrays: dictionaries[0] }
  const merged = new EntrySet(parts)
  let row = 0
  parts.forEach((part, chunk) => {
    const numbers = Int32Array.from({ length: part.length }, (_, entry) => merged.add(chunk, entry))
    if (part.length > 0) for (; row < ends[chunk]; row++) indices[row] = numbers[indices[row]]
    row = ends[chunk]
  })
  return { length: merged.length, arrays: merged.gather(layout) }
}

/**
 * The bytes of a dictionary's entries: entry i is bytes[starts[i]] up to bytes[starts[i + 1]].
 * @typedef {object} EntryBytes
 * @property {number} length
 * @property {Uint8Array} bytes
 * @property {Int32Array} starts
 */

/**
 * @param {Arrays} dictionary
 * @param {ColumnLayout} layout
 * @returns {EntryBytes}
 */
function bytesOf({ values, offsets, data }, layout) {
  if (offsets !== undefined && data !== undefined)
    return { length: offsets.length - 1, bytes: data, starts: offsets }
  const length = values.length / layout.perEntry
  const starts = Int32Array.from({ length: length + 1 }, (_, i) => i * layout.byteWidth)
  return { length, bytes: new Uint8Array(values.buffer, values.byteOffset, values.byteLength), starts }
}

/** Distinct entries, numbered as they come: a hash table over their bytes. */
class EntrySet {
  /** @param {EntryBytes[]} parts */
  constructor(parts) {
    this.parts = parts
    const most = parts.reduce((sum, { length }) => sum + length, 0)
    this.length = 0
    this.chunks = new Int32Array(most)
    this.entries = new Int32Array(most)
    this.hashes = new Int32Array(most)
    // numbers + 1; twice as many places as there can be entries, a power of two
    this.table = new Int32Array(2 ** Math.ceil(Math.log2(2 * most + 2)))
  }

  /**
   * @param {number} chunk
   * @param {number} entry
   * @returns {number} of the entry, or of the one that equals it
   */
  add(chunk, entry) {
    const hash = this.#hash(chunk, entry)
    const mask = this.table.length - 1
    let place = hash & mask
    for (; this.table[place] !== 0; place = (place + 1) & mask) {
      const number = this.table[place] - 1
      if (this.hashes[number] === hash && this.#equals(number, chunk, entry)) return number
    }
    const number = this.length++
    this.chunks[number] = chunk
    this.entries[number] = entry
    this.hashes[number] = hash
    this.table[place] = number + 1
    return number
  }

  /**
   * @param {ColumnLayout} layout
   * @returns {Arrays}
   */
  gather(layout) {
    const offsets = new Int32Array(this.length + 1)
    for (let i = 0; i < this.length; i++) {
      const { starts } = this.parts[this.chunks[i]]
      offsets[i + 1] = offsets[i] + starts[this.entries[i] + 1] - starts[this.entries[i]]
    }
    const data = new Uint8Array(offsets[this.length])
    for (let i = 0; i < this.length; i++) {
      const { bytes, starts } = this.parts[this.chunks[i]]
      const start = starts[this.entries[i]]
      const end = starts[this.entries[i] + 1]
      for (let from = start, to = offsets[i]; from < end; from++, to++) data[to] = bytes[from]
    }
    if (layout.form === 'bytes') return { offsets, data, validity: null, nullCount: 0 }
    return { values: new layout.ArrayType(data.buffer), validity: null, nullCount: 0 }
  }

  /**
   * FNV-1a, 32 bits, with the high bits brought down.
   * @param {number} chunk
   * @param {number} entry
   * @returns {number}
   */
  #hash(chunk, entry) {
    const { bytes, starts } = this.parts[chunk]
    const end = starts[entry + 1]
    let hash = 0x811c9dc5
    for (let i = starts[entry]; i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193)
    return hash ^ (hash >>> 15)
  }

  /**
   * @param {number} number
   * @param {number} chunk
   * @param {number} entry
   * @returns {boolean}
   */
  #equals(number, chunk, entry) {
    const a = this.parts[this.chunks[number]]
    const b = this.parts[chunk]
    let from = a.starts[this.entries[number]]
    const end = a.starts[this.entries[number] + 1]
    let at = b.starts[entry]
    if (end - from !== b.starts[entry + 1] - at) return false
    for (; from < end; from++, at++) if (a.bytes[from] !== b.bytes[at]) return false
    return true
  }
}
