/**
 * Nested columns with levels that no record has, or that do not fit the page; and levels that look like it and are legal.
 */
import { fromHex } from '../../reference/bytes.js'
import { encodePages, withLength } from '../../reference/page.js'
import { nestedColumn, shapeOf } from './nested_columns.js'

/** @typedef {import('../../reference/page.js').DataSpec} DataSpec */
/** @typedef {import('../../reference/page.js').PageSpec} PageSpec */
/** @typedef {import('../suite.js').Suite} Suite */
/** @typedef {import('./malformed.js').Status} Status */

/** @param {Suite} suite */
export function nestingCases(suite) {
  recordCases(suite)
  levelCases(suite)
  rowCountCases(suite)
  valueCases(suite)
  argumentCases(suite)
}

/**
 * A page of entries.
 * @param {number} maximum
 * @param {number[][]} entries repetition and definition level
 * @param {DataSpec} [more]
 * @returns {DataSpec}
 */
const pageOf = (maximum, entries, more) => ({
  repetitionLevels: entries.map(([repetition]) => repetition),
  definitionLevels: entries.map(([, definition]) => definition),
  values: entries.filter(([, definition]) => definition === maximum).map((_, i) => BigInt(i)),
  ...more,
})

/** @param {string} text "repetition:definition" of each entry */
const entriesOf = (text) => text.split(' ').map((entry) => entry.split(':').map(Number))

/** Two entries, of which the second cannot follow the first, or cannot be. */
const IMPOSSIBLE = {
  r: { 'after-empty': '0:0 1:1', 'is-no-element': '0:1 1:0' },
  oro: {
    'after-null': '0:0 1:3',
    'after-empty': '0:1 1:3',
    'is-no-element': '0:3 1:1',
    'is-null-list': '0:2 1:0',
  },
  rr: {
    'inner-after-empty-inner': '0:1 2:2',
    'inner-after-empty-outer': '0:0 2:2',
    'outer-after-empty-outer': '0:0 1:2',
    'inner-is-no-element': '0:2 2:1',
    'inner-is-empty-outer': '0:2 2:0',
    'outer-is-empty-outer': '0:2 1:0',
  },
  ororo: {
    'inner-after-null-inner': '0:2 2:5',
    'inner-after-empty-inner': '0:3 2:4',
    'inner-after-empty-outer': '0:1 2:5',
    'inner-after-null-outer': '0:0 2:5',
    'outer-after-empty-outer': '0:1 1:5',
    'outer-after-null-outer': '0:0 1:2',
    'inner-is-empty-inner': '0:5 2:3',
    'inner-is-null-inner': '0:4 2:2',
    'inner-is-empty-outer': '0:5 2:1',
    'outer-is-empty-outer': '0:5 1:1',
    'outer-is-null-outer': '0:2 1:0',
  },
}

/** The same with two that can. */
const POSSIBLE = {
  r: ['0:0 0:1', '0:1 1:1'],
  oro: ['0:2 1:3', '0:3 1:2', '0:0 0:1'],
  rr: ['0:1 1:2', '0:1 1:1', '0:2 1:1', '0:2 2:2'],
  ororo: ['0:2 1:5', '0:3 1:3', '0:5 1:2', '0:4 2:4', '0:2 1:3'],
}

/**
 * The pair behind so many rows of one value, at the edges of masks and pieces; the second entry in the same page or first in
 * the next.
 * @param {number} maximum
 * @param {string} pair
 * @param {number} n
 * @param {1 | 2} version
 * @returns {Record<string, PageSpec[]>}
 */
function placed(maximum, pair, n, version) {
  const rows = Array.from({ length: n }, () => [0, maximum])
  const [first, second] = entriesOf(pair)
  const after = [
    [0, maximum],
    [0, maximum],
  ]
  const encoding = n ? 'DELTA_BINARY_PACKED' : 'PLAIN'
  return {
    'same-page': [pageOf(maximum, [...rows, first, second, ...after], { version, encoding })],
    'next-page': [
      pageOf(maximum, [...rows, first], { version, encoding }),
      pageOf(maximum, [second, ...after], { version: version === 1 ? 2 : 1 }),
    ],
  }
}

/** @param {Suite} suite */
function recordCases(suite) {
  for (const [letters, pairs] of Object.entries(IMPOSSIBLE)) {
    const column = nestedColumn('INT32', shapeOf(letters))
    for (const [what, pair] of Object.entries(pairs)) {
      for (const n of [0, 62, 63, 64, 4095]) {
        for (const [where, pages] of Object.entries(placed(letters.length, pair, n, n % 2 ? 2 : 1))) {
          suite.page({
            name: `malformed/nesting/${letters}/${what}-${n}-${where}`,
            column,
            chunk: encodePages(column, pages),
            status: 'CORRUPT',
            note: what.includes('after')
              ? 'the entry goes on with a list in which the one before it is no element'
              : 'the entry goes on with a list and is no element of it',
          })
        }
      }
    }
    for (const repetition of letters === 'rr' || letters === 'ororo' ? [1, 2] : [1]) {
      for (const version of /** @type {const} */ ([1, 2])) {
        const page = pageOf(
          letters.length,
          [
            [repetition, letters.length],
            [0, letters.length],
          ],
          { version }
        )
        suite.page({
          name: `malformed/nesting/${letters}/begins-with-repetition-${repetition}-v${version}`,
          column,
          chunk: encodePages(column, [page]),
          status: 'CORRUPT',
        })
      }
    }
  }
  for (const [letters, pairs] of Object.entries(POSSIBLE)) {
    const column = nestedColumn('INT32', shapeOf(letters))
    for (const [i, pair] of pairs.entries()) {
      for (const n of [0, 63, 4095]) {
        for (const [where, pages] of Object.entries(placed(letters.length, pair, n, n ? 2 : 1))) {
          const name = `nesting/possible/${letters}-${i}-${n}-${where}`
          suite.page({ name, column, chunk: encodePages(column, pages) })
        }
      }
    }
  }
}

/** @param {Suite} suite */
function levelCases(suite) {
  const good = pageOf(5, entriesOf('0:5 2:5 1:3 0:0 0:4'))
  const column = nestedColumn('INT32', shapeOf('ororo'))
  /**
   * @param {string} name
   * @param {DataSpec} page
   * @param {Status} status
   */
  const bad = (name, page, status) =>
    suite.page({
      name: `malformed/nesting/levels/${name}`,
      column,
      chunk: encodePages(column, [good, page]),
      status,
    })
  for (const version of /** @type {const} */ ([1, 2])) {
    const section = (/** @type {string} */ hex) => (version === 1 ? withLength(fromHex(hex)) : fromHex(hex))
    for (const [what, entries] of Object.entries({
      'repetition-3-of-2': '0:5 2:5 3:5',
      'definition-6-of-5': '0:5 2:6 0:5',
      'definition-7-of-5': '0:7',
    })) {
      bad(`${what}-packed-v${version}`, pageOf(5, entriesOf(entries), { version }), 'CORRUPT')
      const runs = entriesOf(entries).map(() => ({ rle: 1 }))
      const inRuns = { version, definitionRuns: runs, repetitionRuns: runs }
      bad(`${what}-runs-v${version}`, pageOf(5, entriesOf(entries), inRuns), 'CORRUPT')
    }
    const page = { ...good, version }
    bad(`few-repetition-v${version}`, { ...page, repetitionSection: section('02 00 02 02') }, 'TRUNCATED')
    bad(`few-definition-v${version}`, { ...page, definitionSection: section('04 05 02 03') }, 'TRUNCATED')
    bad(`no-repetition-v${version}`, { ...page, repetitionSection: section('') }, 'TRUNCATED')
    bad(`no-definition-v${version}`, { ...page, definitionSection: section('') }, 'TRUNCATED')
    bad(`empty-run-v${version}`, { ...page, repetitionSection: section('02 00 00 00 08 00') }, 'CORRUPT')
  }
}

/** @param {Suite} suite */
function rowCountCases(suite) {
  const column = nestedColumn('INT32', shapeOf('oro'))
  const inside = pageOf(3, entriesOf('1:3 1:2 0:3 0:0'), { version: 2 })
  const first = pageOf(3, entriesOf('0:3 1:3'), { version: 2 })
  const many = pageOf(
    3,
    Array.from({ length: 4200 }, (_, i) => [i % 4 ? 1 : 0, 3]),
    { version: 2, encoding: 'DELTA_BINARY_PACKED' }
  )
  for (const [name, pages, rows, numRows] of /** @type {[string, DataSpec[], number, number[]][]} */ ([
    ['page', [first], 1, [0, 2]],
    ['page-inside-a-row', [first, inside], 2, [0, 1, 3]],
    ['pieces', [first, many], 1050, [1024, 1049, 1051, 4200]],
  ])) {
    for (const number of numRows) {
      const last = pages.length - 1
      /** @type {DataSpec['edit']} */
      const edit = (header) => {
        if (header.dataV2) header.dataV2.numRows = number
      }
      suite.page({
        name: `malformed/nesting/rows/${name}-${number}-of-${rows}`,
        column,
        chunk: encodePages(column, [...pages.slice(0, last), { ...pages[last], edit }]),
        status: 'CORRUPT',
      })
    }
  }
  const structs = nestedColumn('INT32', shapeOf('oo'))
  suite.page({
    name: 'malformed/nesting/rows/structs',
    column: structs,
    chunk: encodePages(structs, [
      pageOf(2, entriesOf('0:2 0:1 0:0'), {
        version: 2,
        edit: (header) => {
          if (header.dataV2) header.dataV2.numRows = 2
        },
      }),
    ]),
    status: 'CORRUPT',
  })
}

/**
 * Fewer values than the levels ask for, or other ones.
 * @param {Suite} suite
 */
function valueCases(suite) {
  const entries = Array.from({ length: 130 }, (_, i) => (i % 3 ? [1, 2 + (i % 2)] : [0, i % 5 ? 3 : 0]))
  for (const [i, [repetition]] of entries.entries())
    if (repetition && entries[i - 1][1] === 0) entries[i] = [0, 3]
  for (const [name, type, typeLength, size] of /** @type {const} */ ([
    ['int32', 'INT32', undefined, 4],
    ['int64', 'INT64', undefined, 8],
    ['fixed-5', 'FIXED_LEN_BYTE_ARRAY', 5, 5],
    ['byte-array', 'BYTE_ARRAY', undefined, 4],
  ])) {
    const column = nestedColumn(type, shapeOf('oro'), { typeLength })
    const n = entries.filter(([, definition]) => definition === 3).length
    const section = new Uint8Array(n * size)
    for (const version of /** @type {const} */ ([1, 2])) {
      const good = pageOf(3, entries, { version, section })
      suite.page({ name: `nesting/values/${name}-v${version}`, column, chunk: encodePages(column, [good]) })
      for (const [what, missing] of /** @type {const} */ ([
        ['byte', 1],
        ['value', size],
        ['all', n * size],
      ])) {
        const cut = pageOf(3, entries, { version, section: section.subarray(0, n * size - missing) })
        suite.page({
          name: `malformed/nesting/values/${name}-${what}-missing-v${version}`,
          column,
          chunk: encodePages(column, [good, cut]),
          status: 'TRUNCATED',
        })
      }
    }
  }
  const column = nestedColumn('INT32', shapeOf('oro'))
  const indices = { values: undefined, encoding: 'RLE_DICTIONARY', indices: [0, 1, 2] }
  suite.page({
    name: 'malformed/nesting/values/index-without-entry',
    column,
    chunk: encodePages(column, [{ dictionary: [7n, 8n] }, pageOf(3, entriesOf('0:3 1:3 0:0 0:3'), indices)]),
    status: 'CORRUPT',
  })
}

/**
 * What the caller asks for cannot be.
 * @param {Suite} suite
 */
function argumentCases(suite) {
  const page = pageOf(3, entriesOf('0:3 1:2 0:0'))
  const oro = nestedColumn('INT32', shapeOf('oro'))
  for (const [name, letters] of Object.entries({ 'no-list': 'ooo', 'two-lists': 'orr' })) {
    suite.page({
      name: `malformed/nesting/argument/${name}`,
      column: { ...oro, shape: shapeOf(letters) },
      chunk: encodePages(oro, [page]),
      status: 'BAD_ARGUMENT',
      outside: true,
      note: 'one repetition level, and repeated_levels that name another number of lists',
    })
  }
  const long = pageOf(
    3,
    Array.from({ length: 20000 }, (_, i) => [i ? 1 : 0, 3]),
    { encoding: 'DELTA_BINARY_PACKED' }
  )
  suite.page({
    name: 'malformed/nesting/argument/limit',
    column: oro,
    chunk: encodePages(oro, [page, long]),
    maxBytes: 48 << 10,
    status: 'LIMIT',
    outside: true,
    note: 'one row, which no batch can take before it is whole',
  })
}
