/**
 * Nested leaves: records out of levels and levels out of records, one value at a time (Dremel's record shredding and
 * assembly), and the Arrow layout read off the records.
 *
 * A leaf's shape says what each of its definition levels comes from, from the outermost in: an OPTIONAL field or a REPEATED one.
 * REQUIRED fields leave no trace in levels. A record is nested the same way: an OPTIONAL field is null or `{ some }`, a
 * REPEATED one the array of its elements, and innermost stands the value.
 */

import { packBits } from './bitpack.js'
import { ByteWriter, FormatError } from './bytes.js'

/** @typedef {import('./plain.js').Value} Value */
/** @typedef {('optional' | 'repeated')[]} Shape */
/** @typedef {Value | null | { some: Field } | Field[]} Field */
/**
 * An entry of a leaf has one of each; `stored` has a value for each entry that reaches the highest definition level.
 * @typedef {{ repetitionLevels: number[], definitionLevels: number[], stored: Value[] }} Leveled
 */
/**
 * One of a leaf's ancestors, or the leaf when it is REPEATED: a slot for each row or, inside of lists, for each element.
 * @typedef {object} Parent
 * @property {number} level the definition level that comes from it
 * @property {boolean} isList
 * @property {number} length slots
 * @property {number} nullCount 0 for lists
 * @property {Uint8Array} validity bits, least significant first; empty for lists and when nothing is null
 * @property {Uint8Array} offsets int32, one more than slots; empty unless it is a list
 */

/**
 * The definition levels of lists, as a number with bit 0 for level 1.
 * @param {Shape} shape
 * @returns {bigint}
 */
export function repeatedLevels(shape) {
  return shape.reduce((bits, level, i) => (level === 'repeated' ? bits | (1n << BigInt(i)) : bits), 0n)
}

/**
 * @param {Shape} shape
 * @param {Field[]} records
 * @returns {Leveled}
 */
export function shred(shape, records) {
  /** @type {Leveled} */
  const out = { repetitionLevels: [], definitionLevels: [], stored: [] }
  /**
   * @param {Field} field what stands at shape[at]
   * @param {number} at
   * @param {number} repetition the level of the next entry
   * @param {number} lists how many the field is inside of
   */
  const visit = (field, at, repetition, lists) => {
    const elements = fieldsIn(shape[at], field)
    if (elements.length === 0 || at === shape.length) {
      out.repetitionLevels.push(repetition)
      out.definitionLevels.push(at)
      if (at === shape.length) out.stored.push(/** @type {Value} */ (field))
      return
    }
    const inner = lists + (shape[at] === 'repeated' ? 1 : 0)
    elements.forEach((element, i) => {
      visit(element, at + 1, i ? inner : repetition, inner)
    })
  }
  for (const record of records) visit(record, 0, 0, 0)
  return out
}

/**
 * What stands directly inside of a field; the value itself at the end of the shape.
 * @param {Shape[0] | undefined} level
 * @param {Field} field
 * @returns {Field[]}
 */
function fieldsIn(level, field) {
  if (level === 'repeated') return /** @type {Field[]} */ (field)
  if (level === undefined) return [field]
  return field === null ? [] : [/** @type {{ some: Field }} */ (field).some]
}

/**
 * The records of whole chunks. CORRUPT: an entry that goes on with a list in which the entry before it has no element, or
 * that has none itself.
 * @param {Shape} shape
 * @param {Leveled} leveled
 * @returns {Field[]}
 */
export function assemble(shape, { repetitionLevels, definitionLevels, stored }) {
  /** @type {Field[]} */
  const records = []
  let next = 0
  /**
   * A field that has this entry alone.
   * @param {number} at
   * @param {number} definition
   * @returns {Field}
   */
  const begin = (at, definition) => {
    if (at === shape.length) return stored[next++]
    const isThere = definition > at
    if (shape[at] === 'repeated') return isThere ? [begin(at + 1, definition)] : []
    return isThere ? { some: begin(at + 1, definition) } : null
  }
  /**
   * @param {Field | undefined} field where the entry before ended
   * @param {number} at
   * @param {number} repetition counted from here in: 1 is the next list
   * @param {number} definition
   */
  const goOn = (field, at, repetition, definition) => {
    const elements = field === undefined ? [] : fieldsIn(shape[at], field)
    const last = elements.at(-1)
    if (last === undefined) throw new FormatError('CORRUPT', 'an entry goes on with a list that has no element')
    if (shape[at] !== 'repeated') goOn(last, at + 1, repetition, definition)
    else if (repetition > 1) goOn(last, at + 1, repetition - 1, definition)
    else if (definition <= at) throw new FormatError('CORRUPT', 'an element that is not there')
    else elements.push(begin(at + 1, definition))
  }
  definitionLevels.forEach((definition, i) => {
    if (repetitionLevels[i] === 0) records.push(begin(0, definition))
    else goOn(records.at(-1), 0, repetitionLevels[i], definition)
  })
  return records
}

/**
 * The Arrow layout of records: what is above the entries of the leaf, and these, null where an OPTIONAL field around
 * them (back to the next list) is. An OPTIONAL field that is the shape's last is the validity of the entries and no parent.
 * @param {Shape} shape
 * @param {Field[]} records
 * @returns {{ parents: Parent[], entries: (Value | null)[] }}
 */
export function arrowParents(shape, records) {
  /** @type {Parent[]} */
  const parents = []
  let slots = records
  shape.forEach((kind, at) => {
    const isList = kind === 'repeated'
    const none = new Uint8Array(0)
    const nullCount = isList ? 0 : slots.filter((slot) => slot === null).length
    const inside = slots.map((slot) => (slot === null ? [] : fieldsIn(kind, slot)))
    if (isList || at < shape.length - 1) {
      parents.push({
        level: at + 1,
        isList,
        length: slots.length,
        nullCount,
        validity: nullCount ? bitsOf(slots.map((slot) => slot !== null)) : none,
        offsets: isList ? offsetsOf(inside.map((elements) => elements.length)) : none,
      })
    }
    slots = isList ? /** @type {Field[]} */ (inside.flat()) : inside.map((elements) => elements[0] ?? null)
  })
  return { parents, entries: /** @type {(Value | null)[]} */ (slots) }
}

/** @param {boolean[]} bits */
function bitsOf(bits) {
  return packBits(bits.map(Number), 1)
}

/** @param {number[]} sizes */
function offsetsOf(sizes) {
  const out = new ByteWriter().le(0, 4)
  let end = 0
  for (const size of sizes) out.le((end += size), 4)
  return out.finish()
}

/**
 * Records by chance.
 * @param {Shape} shape
 * @param {number} n
 * @param {import('./random.js').Random} random
 * @param {() => Value} value
 * @param {{ nulls?: number, most?: number, full?: number }} [odds] one in so many OPTIONAL fields is null (4), one in so
 * many lists is empty (4), the others have up to `most` (3) elements
 * @returns {Field[]}
 */
export function randomRecords(shape, n, random, value, { nulls = 4, full = 4, most = 3 } = {}) {
  /** @type {(at: number) => Field} */
  const make = (at) => {
    if (at === shape.length) return value()
    if (shape[at] === 'optional') return random.below(nulls) === 0 ? null : { some: make(at + 1) }
    if (random.below(full) === 0) return []
    return Array.from({ length: 1 + random.below(most) }, () => make(at + 1))
  }
  return Array.from({ length: n }, () => make(0))
}
