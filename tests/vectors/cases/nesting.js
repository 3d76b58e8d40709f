/**
 * Nested columns: every shape, type of leaf and encoding, rows and lists of every size, depths up to the limit.
 */
import { arrowParents, randomRecords, shred } from '../../reference/nesting.js'
import { encodePages } from '../../reference/page.js'
import { Random } from '../../reference/random.js'
import { TYPES, valuesOf } from './columns.js'
import { nestedColumn, nestedPages, SHAPES, shapeOf, sizesOfRows, withRandomRuns } from './nested_columns.js'

/** @typedef {import('../../reference/nesting.js').Field} Field */
/** @typedef {import('../../reference/nesting.js').Shape} Shape */
/** @typedef {import('../../reference/page.js').Column} Column */
/** @typedef {import('../../reference/page.js').DataSpec} DataSpec */
/** @typedef {import('../../reference/page.js').PageSpec} PageSpec */
/** @typedef {import('../../reference/plain.js').Value} Value */
/** @typedef {import('../suite.js').Suite} Suite */

/** @param {Suite} suite */
export function nestingCases(suite) {
  shapeCases(suite)
  leafCases(suite)
  dictionaryCases(suite)
  lengthCases(suite)
  depthCases(suite)
  emptyCases(suite)
}

/**
 * Values that differ: 0, 1, 2 ...
 * @returns {() => bigint}
 */
export function counting() {
  let next = 0n
  return () => next++
}

/**
 * @param {Suite} suite
 * @param {string} name
 * @param {Column} column
 * @param {Field[]} records
 * @param {number[]} sizes entries of each page
 * @param {(i: number) => DataSpec} spec
 */
function add(suite, name, column, records, sizes, spec) {
  const pages = nestedPages(column, shred(column.shape ?? [], records), sizes, spec)
  suite.page({ name: `nesting/${name}`, column, records, chunk: encodePages(column, pages) })
}

/** @param {Suite} suite */
function shapeCases(suite) {
  const random = new Random(700)
  for (const [name, letters] of Object.entries(SHAPES)) {
    const column = nestedColumn('INT32', shapeOf(letters))
    for (const [kind, odds] of Object.entries({
      mixed: {},
      sparse: { nulls: 2, full: 2 },
      full: { nulls: 1e9, full: 1e9, most: 2 },
    })) {
      const records = randomRecords(column.shape ?? [], 120, random, counting(), odds)
      const leveled = shred(column.shape ?? [], records)
      const rows = sizesOfRows(leveled, [3, 0, 1, 40, 17])
      for (const version of /** @type {const} */ ([1, 2])) {
        const pages = nestedPages(column, leveled, rows, () => ({ version }))
        suite.page({
          name: `nesting/shape/${name}/${kind}-v${version}`,
          column,
          records,
          chunk: encodePages(
            column,
            pages.map((page) => withRandomRuns(page, random))
          ),
        })
      }
    }
  }
}

/** @param {Suite} suite */
function leafCases(suite) {
  const random = new Random(701)
  for (const { label, type, typeLength } of TYPES) {
    const encodings =
      type === 'BOOLEAN'
        ? ['PLAIN', 'RLE']
        : type === 'INT32' || type === 'INT64'
          ? ['PLAIN', 'DELTA_BINARY_PACKED']
          : ['PLAIN']
    for (const encoding of encodings) {
      for (const letters of ['oro', 'rr', 'oo']) {
        const shape = shapeOf(letters)
        const values = valuesOf(type, typeLength ?? 0, 400, random)
        let next = 0
        const records = randomRecords(shape, 70, random, () => values[next++])
        const name = `leaf/${label}/${encoding.toLowerCase().replaceAll('_', '-')}/${letters}`
        add(suite, name, nestedColumn(type, shape, { typeLength }), records, [31, 1, 40], (i) => ({
          version: i % 2 ? 2 : 1,
          encoding,
        }))
      }
    }
  }
}

/**
 * Dictionary-encoded leaves, as values and as indices with their dictionary.
 * @param {Suite} suite
 */
function dictionaryCases(suite) {
  const random = new Random(702)
  for (const { label, type, typeLength } of TYPES.filter(({ type }) => type !== 'BOOLEAN')) {
    for (const letters of ['oro', 'ror', 'oroo']) {
      const shape = shapeOf(letters)
      const column = nestedColumn(type, shape, { typeLength })
      const dictionary = valuesOf(type, typeLength ?? 0, 9, random)
      const records = randomRecords(shape, 80, random, () => random.below(9))
      const leveled = shred(shape, records)
      const pages = nestedPages(column, leveled, [50, 3, 64], (i) => ({
        version: i % 2 ? 1 : 2,
        encoding: 'RLE_DICTIONARY',
      })).map((page) => ({ ...page, values: undefined, indices: /** @type {number[]} */ (page.values) }))
      const chunk = encodePages(column, [{ dictionary }, ...pages])
      const indices = /** @type {(number | null)[]} */ (arrowParents(shape, records).entries)
      suite.page({ name: `nesting/dictionary/${label}/${letters}`, column, chunk })
      suite.page({
        name: `nesting/dictionary/${label}/${letters}-kept`,
        column,
        chunk,
        keep: { dictionary, indices },
      })
    }
  }
}

/**
 * As many elements as are given, in one list.
 * @param {number} n
 * @param {() => Value} value
 * @returns {Field}
 */
const listOf = (n, value) => ({
  some: Array.from({ length: n }, (_, i) => (i % 5 === 3 ? null : { some: value() })),
})

/**
 * Numbers of entries, of elements and of rows around 64, the bits of a mask, and 4,096, the entries of a piece.
 * @param {Suite} suite
 */
function lengthCases(suite) {
  const column = nestedColumn('INT32', shapeOf('oro'))
  const delta = { encoding: 'DELTA_BINARY_PACKED' }
  for (const n of [1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129, 4095, 4096, 4097, 8192, 8193]) {
    const lists = Array.from({ length: n }, (_, i) => (i % 3 ? listOf(1, () => BigInt(i)) : null))
    add(suite, `length/${n}-rows`, column, lists, [], () => delta)
    add(suite, `length/${n}-elements`, column, [listOf(n, counting())], [], () => delta)
    const value = counting()
    const between = [listOf(n - 1, value), null, listOf(n, value), listOf(n + 1, value), { some: [] }]
    add(suite, `length/${n}-and-others`, column, [...between, listOf(3, value)], [], (i) => ({
      ...delta,
      version: i % 2 ? 1 : 2,
    }))
  }
  for (const n of [64, 4096]) {
    const groups = Array.from({ length: 2 * n + 1 }, (_, i) =>
      i % n < 9 ? null : { some: { some: BigInt(i) } }
    )
    add(suite, `length/${n}-structs`, nestedColumn('INT32', shapeOf('oo')), groups, [n, n - 1], () => delta)
  }
}

/** @param {Suite} suite */
function depthCases(suite) {
  const random = new Random(703)
  const deep = /** @type {[string, string, object][]} */ ([
    ['lists-20', 'r'.repeat(20), { full: 4, most: 2 }],
    ['lists-32', 'r'.repeat(32), { full: 4, most: 2 }],
    ['optional-lists-16', 'or'.repeat(16), { nulls: 20, full: 5, most: 2 }],
    ['structs-in-lists-20', 'oro'.repeat(7), { nulls: 20, full: 20, most: 2 }],
    ['structs-20', 'o'.repeat(20), { nulls: 12 }],
    ['structs-64', 'o'.repeat(64), { nulls: 40 }],
    ['structs-65', 'o'.repeat(65), { nulls: 40 }],
    ['structs-127', 'o'.repeat(127), { nulls: 90 }],
    ['list-in-structs-127', `${'o'.repeat(31)}r${'o'.repeat(95)}`, { nulls: 90, full: 9 }],
  ])
  for (const [name, letters, odds] of deep) {
    const shape = shapeOf(letters)
    const records = randomRecords(shape, 12, random, counting(), odds)
    for (const version of /** @type {const} */ ([1, 2])) {
      add(suite, `depth/${name}-v${version}`, nestedColumn('INT32', shape), records, [7, 20], () => ({
        version,
      }))
    }
  }
  const column = nestedColumn('INT32', shapeOf('o'.repeat(128)))
  const pages = nestedPages(column, shred(column.shape ?? [], [null]), [], () => ({}))
  suite.page({
    name: 'nesting/depth/structs-128',
    column,
    chunk: encodePages(column, pages),
    status: 'BAD_ARGUMENT',
    outside: true,
    note: 'more levels than a signed byte counts',
  })
}

/**
 * Nulls and empty lists and nothing else, at each level of three lists; and no rows at all.
 * @param {Suite} suite
 */
function emptyCases(suite) {
  const shape = shapeOf('orororo')
  const column = nestedColumn('INT64', shape)
  /** @type {Record<string, Field>} */
  const ends = {
    'null-list': null,
    'empty-list': { some: [] },
    'null-in-list': { some: [null, null] },
    'empty-in-list': { some: [{ some: [] }, { some: [] }] },
    'null-in-second': { some: [{ some: [null] }] },
    'empty-in-second': { some: [{ some: [{ some: [] }] }] },
    'null-in-third': { some: [{ some: [{ some: [null, null, null] }] }] },
    value: { some: [{ some: [{ some: [{ some: 5n }] }] }] },
  }
  for (const [name, record] of Object.entries(ends)) {
    for (const n of [1, 70]) {
      add(suite, `only/${name}-${n}`, column, new Array(n).fill(record), [3, 64], (i) => ({
        version: i % 2 ? 1 : 2,
      }))
    }
    const others = Object.values(ends)
    add(
      suite,
      `only/${name}-then-others`,
      column,
      [record, ...others, record, record, ...others],
      [],
      () => ({})
    )
  }
  for (const [name, pages] of /** @type {[string, PageSpec[]][]} */ ([
    ['no-pages', []],
    ['empty-pages', [{ values: [] }, { values: [], version: 2 }]],
  ])) {
    for (const letters of ['r', 'oro', 'oo']) {
      const column = nestedColumn('BYTE_ARRAY', shapeOf(letters))
      const chunk = encodePages(column, pages)
      suite.page({ name: `nesting/only/${name}-${letters}`, column, chunk, records: [] })
    }
  }
}
