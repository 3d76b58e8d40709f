/**
 * What the cases of nested columns are made of: shapes, and pages that are cut anywhere.
 */
import { randomRuns } from '../../reference/rle.js'

/** @typedef {import('../../reference/nesting.js').Shape} Shape */
/** @typedef {import('../../reference/nesting.js').Leveled} Leveled */
/** @typedef {import('../../reference/page.js').Column} Column */
/** @typedef {import('../../reference/page.js').DataSpec} DataSpec */

const NAMES = /** @type {const} */ ({ o: 'optional', r: 'repeated' })

/**
 * @param {string} letters o for OPTIONAL, r for REPEATED, from the outermost in
 * @returns {Shape}
 */
export const shapeOf = (letters) => [...letters].map((letter) => NAMES[/** @type {'o' | 'r'} */ (letter)])

/** Schemas, and the shapes of their leaves. REQUIRED fields are not seen in levels. */
export const SHAPES = {
  'required-list-of-required': 'r',
  'required-list-of-optional': 'ro',
  'optional-list-of-required': 'or',
  'optional-list-of-optional': 'oro',
  'list-in-optional-struct': 'ooro',
  'required-list-in-optional-structs': 'oor',
  'optional-struct-in-list': 'oroo',
  'structs-in-required-list': 'rooo',
  'struct-in-struct': 'oo',
  'struct-in-struct-in-struct': 'ooo',
  'map-of-lists': 'ororo',
  'list-of-maps-in-struct': 'oororoo',
  'repeated-in-repeated': 'rr',
  'lists-of-required-lists': 'orr',
  'list-of-optional-lists': 'ror',
  'three-required-lists': 'rrr',
  'three-lists': 'orororo',
  'three-lists-of-required': 'ororor',
  'struct-between-lists': 'oroooro',
}

/**
 * @param {import('../../reference/plain.js').Type} type
 * @param {Shape} shape
 * @param {Partial<Column>} [more]
 * @returns {Column}
 */
export function nestedColumn(type, shape, more = {}) {
  const maxRepetitionLevel = shape.filter((level) => level === 'repeated').length
  return { type, shape, maxDefinitionLevel: shape.length, maxRepetitionLevel, ...more }
}

/**
 * Pages of so many entries each; the last takes what is left.
 * @param {Column} column
 * @param {Leveled} leveled
 * @param {number[]} sizes
 * @param {(i: number) => DataSpec} spec of page i, but for its levels and values
 * @returns {DataSpec[]}
 */
export function nestedPages(column, leveled, sizes, spec) {
  const { repetitionLevels, definitionLevels, stored } = leveled
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const all = total < definitionLevels.length ? [...sizes, definitionLevels.length - total] : sizes
  let at = 0
  let value = 0
  return all.map((size, i) => {
    const definition = definitionLevels.slice(at, at + size)
    const repetition = repetitionLevels.slice(at, at + size)
    const n = definition.filter((level) => level === column.maxDefinitionLevel).length
    const values = stored.slice(value, value + n)
    at += size
    value += n
    return { values, definitionLevels: definition, repetitionLevels: repetition, ...spec(i) }
  })
}

/**
 * Sizes of pages that end with rows, `rows` rows each.
 * @param {Leveled} leveled
 * @param {number[]} rows
 * @returns {number[]}
 */
export function sizesOfRows({ repetitionLevels }, rows) {
  const starts = repetitionLevels.flatMap((level, i) => (level === 0 ? [i] : []))
  let row = 0
  return rows.map((n) => {
    const first = starts[row] ?? repetitionLevels.length
    row += n
    return (starts[row] ?? repetitionLevels.length) - first
  })
}

/**
 * The levels of a page in runs of any kind, by chance.
 * @param {DataSpec} page
 * @param {import('../../reference/random.js').Random} random
 * @returns {DataSpec}
 */
export function withRandomRuns(page, random) {
  return {
    ...page,
    definitionRuns: randomRuns(page.definitionLevels ?? [], random),
    repetitionRuns: randomRuns(page.repetitionLevels ?? [], random),
  }
}
