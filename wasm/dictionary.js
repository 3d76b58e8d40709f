/** Dictionaries of several column chunks as one. */
import { hexOf } from './values.js'

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
  const only = dictionaries.length === 1 ? dictionaries[0] : undefined
  if (only !== undefined) return { length: entriesOf(only, layout), arrays: only }
  /** @type {Map<unknown, number>} */
  const known = new Map()
  /** @type {{ dictionary: Arrays, entry: number }[]} */
  const entries = []
  let row = 0
  dictionaries.forEach((dictionary, chunk) => {
    const key = keyGetter(dictionary, layout)
    const numbers = new Int32Array(entriesOf(dictionary, layout))
    for (let entry = 0; entry < numbers.length; entry++) {
      const name = key(entry)
      let number = known.get(name)
      if (number === undefined) {
        number = entries.length
        known.set(name, number)
        entries.push({ dictionary, entry })
      }
      numbers[entry] = number
    }
    if (numbers.length > 0) for (; row < ends[chunk]; row++) indices[row] = numbers[indices[row]]
    row = ends[chunk]
  })
  return { length: entries.length, arrays: gather(entries, layout) }
}

/**
 * @param {Arrays} dictionary
 * @param {ColumnLayout} layout
 * @returns {number}
 */
function entriesOf({ offsets, values }, layout) {
  return offsets !== undefined ? offsets.length - 1 : values.length / layout.perEntry
}

/**
 * What tells entries apart: their bytes.
 * @param {Arrays} dictionary
 * @param {ColumnLayout} layout
 * @returns {(entry: number) => unknown}
 */
function keyGetter({ values, offsets, data }, layout) {
  if (offsets !== undefined && data !== undefined) return (i) => hexOf(data.subarray(offsets[i], offsets[i + 1]))
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  const width = layout.byteWidth
  return (i) => hexOf(bytes.subarray(i * width, i * width + width))
}

/**
 * @param {{ dictionary: Arrays, entry: number }[]} entries
 * @param {ColumnLayout} layout
 * @returns {Arrays}
 */
function gather(entries, layout) {
  if (layout.form !== 'bytes') {
    const values = new layout.ArrayType(entries.length * layout.perEntry)
    entries.forEach(({ dictionary, entry }, i) => {
      const from = entry * layout.perEntry
      values.set(dictionary.values.subarray(from, from + layout.perEntry), i * layout.perEntry)
    })
    return { values, validity: null, nullCount: 0 }
  }
  const offsets = new Int32Array(entries.length + 1)
  entries.forEach(({ dictionary, entry }, i) => {
    const from = /** @type {Int32Array} */ (dictionary.offsets)
    offsets[i + 1] = offsets[i] + from[entry + 1] - from[entry]
  })
  const data = new Uint8Array(offsets[entries.length])
  entries.forEach(({ dictionary, entry }, i) => {
    const from = /** @type {Int32Array} */ (dictionary.offsets)
    const bytes = /** @type {Uint8Array} */ (dictionary.data)
    data.set(bytes.subarray(from[entry], from[entry + 1]), offsets[i])
  })
  return { offsets, data, validity: null, nullCount: 0 }
}
