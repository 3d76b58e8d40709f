/**
 * Nested columns in pages: pages that begin in the middle of a row, lists over many pages, chunks one after another, levels in
 * runs of every kind; and shapes, types and pages by chance.
 */
import { arrowParents, randomRecords, shred } from '../../reference/nesting.js'
import { encodePages } from '../../reference/page.js'
import { Random } from '../../reference/random.js'
import { TYPES, valuesOf } from './columns.js'
import { nestedColumn, nestedPages, shapeOf, withRandomRuns } from './nested_columns.js'
import { counting } from './nesting.js'

/** @typedef {import('../../reference/nesting.js').Field} Field */
/** @typedef {import('../../reference/nesting.js').Shape} Shape */
/** @typedef {import('../../reference/page.js').Column} Column */
/** @typedef {import('../../reference/page.js').DataSpec} DataSpec */
/** @typedef {import('../suite.js').Suite} Suite */

/** @param {Suite} suite */
export function nestingPageCases(suite) {
  cutCases(suite)
  longListCases(suite)
  chunkCases(suite)
  runCases(suite)
  codecCases(suite)
  randomCases(suite)
}

/**
 * Where pages end: after every so many entries, whatever row that is in.
 * @param {Suite} suite
 */
function cutCases(suite) {
  const random = new Random(710)
  for (const letters of ['r', 'oro', 'ororo', 'rrr']) {
    const shape = shapeOf(letters)
    const column = nestedColumn('INT32', shape)
    const records = randomRecords(shape, 40, random, counting(), { most: 5 })
    const leveled = shred(shape, records)
    const n = leveled.definitionLevels.length
    for (const [name, sizes] of Object.entries({
      'every-entry': new Array(n).fill(1),
      'every-2': new Array(Math.floor(n / 2)).fill(2),
      'every-3-and-none': Array.from({ length: n / 2 }, (_, i) => (i % 2 ? 3 : 0)),
      'every-7': new Array(Math.floor(n / 7)).fill(7),
    })) {
      for (const version of /** @type {const} */ ([1, 2])) {
        const pages = nestedPages(column, leveled, sizes, () => ({ version }))
        suite.page({
          name: `nesting/pages/${letters}/${name}-v${version}`,
          column,
          records,
          chunk: encodePages(column, pages),
          note: version === 2 ? 'V2 pages that begin inside a row, as some writers make them' : undefined,
        })
      }
    }
  }
}

/**
 * Lists longer than the pieces that levels are read in, and than pages.
 * @param {Suite} suite
 */
function longListCases(suite) {
  const value = counting()
  /** @type {(n: number) => Field[]} */
  const elements = (n) => Array.from({ length: n }, (_, i) => (i % 100 < 90 ? { some: value() } : null))
  /** @type {Record<string, [string, Field[]]>} */
  const lists = {
    one: ['oro', [{ some: elements(20000) }]],
    between: [
      'oro',
      [null, { some: elements(4095) }, { some: [] }, { some: elements(9000) }, { some: elements(2) }],
    ],
    inner: [
      'ororo',
      [
        { some: [{ some: elements(3) }, { some: elements(10000) }, null, { some: elements(64) }] },
        { some: [{ some: elements(5000) }] },
        null,
      ],
    ],
    outer: [
      'orr',
      [{ some: Array.from({ length: 6000 }, (_, i) => (i % 3 ? [value()] : [])) }, null, { some: [] }],
    ],
  }
  for (const [name, [letters, records]] of Object.entries(lists)) {
    const column = nestedColumn('INT32', shapeOf(letters))
    const leveled = shred(shapeOf(letters), records)
    for (const [cuts, sizes] of Object.entries({
      'one-page': [],
      pages: [5000, 1, 4096, 0, 4097],
      'many-pages': new Array(40).fill(101),
    })) {
      const pages = nestedPages(column, leveled, sizes, (i) => ({
        version: i % 2 ? 2 : 1,
        encoding: 'DELTA_BINARY_PACKED',
      }))
      suite.page({ name: `nesting/long/${name}/${cuts}`, column, records, chunk: encodePages(column, pages) })
    }
  }
}

/**
 * Chunks into one builder: the row groups of a file.
 * @param {Suite} suite
 */
function chunkCases(suite) {
  const random = new Random(711)
  for (const letters of ['r', 'oro', 'oo', 'ororo']) {
    const shape = shapeOf(letters)
    const column = nestedColumn('BYTE_ARRAY', shape)
    const values = valuesOf('BYTE_ARRAY', 0, 200, random)
    let next = 0
    const groups = [25, 0, 1, 30].map((n) => randomRecords(shape, n, random, () => values[next++ % 200]))
    suite.page({
      name: `nesting/chunks/${letters}`,
      column,
      records: groups.flat(),
      chunk: groups.map((records, i) =>
        encodePages(
          column,
          nestedPages(column, shred(shape, records), [9, 4], (page) => ({ version: (i + page) % 2 ? 2 : 1 }))
        )
      ),
    })
  }
  const shape = shapeOf('oro')
  const column = nestedColumn('BYTE_ARRAY', shape)
  const dictionaries = [valuesOf('BYTE_ARRAY', 0, 5, random), valuesOf('BYTE_ARRAY', 0, 3, random)]
  const groups = dictionaries.map((dictionary) =>
    randomRecords(shape, 20, random, () => random.below(dictionary.length))
  )
  const chunk = groups.map((records, i) =>
    encodePages(column, [
      { dictionary: dictionaries[i] },
      ...nestedPages(column, shred(shape, records), [9], () => ({ encoding: 'RLE_DICTIONARY' })).map(
        (page) => ({
          ...page,
          values: undefined,
          indices: /** @type {number[]} */ (page.values),
        })
      ),
    ])
  )
  const indices = groups
    .map((records) => arrowEntries(shape, records))
    .flatMap((entries, i) => entries.map((index) => (index === null || i === 0 ? index : index + 5)))
  suite.page({
    name: 'nesting/chunks/dictionaries-kept',
    column,
    chunk,
    keep: { dictionary: dictionaries.flat(), indices },
    note: 'the entries of both dictionaries, one after the other',
  })
}

/**
 * @param {Shape} shape
 * @param {Field[]} records of numbers
 * @returns {(number | null)[]}
 */
function arrowEntries(shape, records) {
  return /** @type {(number | null)[]} */ (arrowParents(shape, records).entries)
}

/**
 * How levels are written: one run for each, groups of eight, all by chance, BIT_PACKED.
 * @param {Suite} suite
 */
function runCases(suite) {
  const random = new Random(712)
  /** @type {Record<string, (page: DataSpec) => DataSpec>} */
  const ways = {
    'single-runs': (page) => ({
      ...page,
      definitionRuns: page.definitionLevels?.map(() => ({ rle: 1 })),
      repetitionRuns: page.repetitionLevels?.map(() => ({ rle: 1 })),
    }),
    packed: (page) => ({
      ...page,
      definitionRuns: [{ packed: page.definitionLevels?.length ?? 0, padding: 1 }],
      repetitionRuns: [{ packed: page.repetitionLevels?.length ?? 0, padding: 1 }],
    }),
    usual: (page) => page,
    random: (page) => withRandomRuns(page, random),
    'bit-packed': (page) => ({ ...page, version: 1, levelEncoding: 'BIT_PACKED' }),
  }
  for (const letters of ['r', 'oro', 'rrr', 'ororo', 'o'.repeat(9), 'orororororororo']) {
    const shape = shapeOf(letters)
    const column = nestedColumn('INT32', shape)
    const records = randomRecords(shape, 90, random, counting(), { nulls: 6, full: 6 })
    for (const [name, way] of Object.entries(ways)) {
      const pages = nestedPages(column, shred(shape, records), [40, 3, 8, 90], (i) => ({
        version: i % 2 ? 2 : 1,
      }))
      const chunk = encodePages(column, pages.map(way))
      suite.page({ name: `nesting/runs/${letters}/${name}`, column, records, chunk })
    }
  }
}

/** @param {Suite} suite */
function codecCases(suite) {
  const random = new Random(713)
  for (const codec of ['SNAPPY', 'GZIP', 'ZSTD']) {
    const shape = shapeOf('oroo')
    const column = nestedColumn('DOUBLE', shape, { codec })
    const records = randomRecords(shape, 100, random, () => random.below(1000) / 8)
    const pages = nestedPages(column, shred(shape, records), [70, 50], (i) => ({
      version: i % 2 ? 2 : 1,
      isCompressed: i === 1 ? false : undefined,
    }))
    suite.page({
      name: `nesting/codec/${codec.toLowerCase()}`,
      column,
      records,
      chunk: encodePages(column, pages),
    })
  }
}

/** @param {Suite} suite */
function randomCases(suite) {
  for (let seed = 0; seed < 80; seed++) {
    const random = new Random(7200 + seed)
    const shape = shapeOf(
      Array.from({ length: 1 + random.below(9) }, () => (random.below(5) < 3 ? 'o' : 'r')).join('')
    )
    if (shape.join() === 'optional') continue
    const { type, typeLength } = TYPES[random.below(TYPES.length)]
    const column = nestedColumn(type, shape, { typeLength, codec: random.below(3) ? 'UNCOMPRESSED' : 'SNAPPY' })
    const values = valuesOf(type, typeLength ?? 0, 100, random)
    const odds = { nulls: 2 + random.below(9), full: 2 + random.below(9), most: 1 + random.below(3) }
    const records = randomRecords(shape, 1 + random.below(60), random, () => values[random.below(100)], odds)
    const sizes = Array.from({ length: random.below(6) }, () => random.below(100))
    const leveled = shred(shape, records)
    const n = leveled.definitionLevels.length
    const pages = nestedPages(
      column,
      leveled,
      sizes.map((size, i) => Math.min(size, Math.max(0, n - sizes.slice(0, i).reduce((a, b) => a + b, 0)))),
      () => ({ version: random.below(2) ? 1 : 2 })
    ).map((page) => withRandomRuns(page, random))
    suite.page({ name: `nesting/random/${seed}`, column, records, chunk: encodePages(column, pages) })
  }
}
