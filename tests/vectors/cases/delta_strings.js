/**
 * Pages of DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY: any prefixes, strings and values of one width, well-formed and not.
 */
import { concatBytes, fromHex } from '../../reference/bytes.js'
import { encodeDelta } from '../../reference/delta.js'
import { encodePages, encodeSection } from '../../reference/page.js'
import { Random } from '../../reference/random.js'
import { cut, NULL_PATTERNS, withNulls } from './columns.js'
import { grouped } from './malformed.js'
import { two } from './values.js'

/** @typedef {import('../../reference/page.js').Column} Column */
/** @typedef {import('../../reference/page.js').DataSpec} DataSpec */

const LENGTHS = 'DELTA_LENGTH_BYTE_ARRAY'
const STRINGS = 'DELTA_BYTE_ARRAY'
/** @type {Column} */
const REQUIRED = { type: 'BYTE_ARRAY' }
/** @type {Column} */
const OPTIONAL = { type: 'BYTE_ARRAY', maxDefinitionLevel: 1 }

const encoder = new TextEncoder()
const text = (/** @type {string} */ string) => encoder.encode(string)

/**
 * How values follow one another.
 * @type {Record<string, (random: Random, n: number) => Uint8Array[]>}
 */
const STRING_PATTERNS = {
  random: (random, n) => Array.from({ length: n }, () => random.bytes(random.below(20))),
  prefixed: (random, n) => follow(random, n, (last) => [random.below(last + 1), random.below(24)]),
  long: (random, n) =>
    follow(random, n, (last) => [random.below(last + 1), random.below(random.below(12) ? 70 : 700)]),
  growing: (random, n) => follow(random, n, (last) => [last > 90 ? 3 : last, random.below(3)]),
  'growing-and-cut': (random, n) =>
    follow(random, n, (last, i) => [i % 5 ? last : last >> 1, i % 5 ? i % 4 : 0]),
  equal: (_random, n) =>
    Array.from({ length: n }, () => text('the same value, longer than a register of 32 bytes')),
  'equal-short': (_random, n) => Array.from({ length: n }, () => text('same')),
  'mostly-empty': (random, n) => Array.from({ length: n }, () => random.bytes(random.below(3) ? 0 : 5)),
  empty: (_random, n) => Array.from({ length: n }, () => new Uint8Array(0)),
  descending: (_random, n) => Array.from({ length: n }, (_, i) => text(`key ${String(99999 - i * 7)}`)),
  ascending: (_random, n) =>
    Array.from({ length: n }, (_, i) => text(`https://example.org/item/${i}?from=list`)),
}

/** Patterns of which there are also more values than a step of the decoder takes. */
const MORE_THAN_A_STEP = ['prefixed', 'growing-and-cut', 'mostly-empty']

/**
 * @param {Random} random
 * @param {number} n
 * @param {(last: number, i: number) => [number, number]} next bytes that stay of the last value, bytes that come
 */
function follow(random, n, next) {
  /** @type {Uint8Array} */
  let last = new Uint8Array(0)
  return Array.from({ length: n }, (_, i) => {
    const [prefix, suffix] = next(last.length, i)
    last = concatBytes(last.subarray(0, prefix), random.bytes(suffix))
    return last
  })
}

/** @type {DataSpec['delta'][]} */
const GEOMETRIES = [
  undefined,
  { blockSize: 256 },
  { blockSize: 128, miniblocks: 1, paddingOnes: true },
  { blockSize: 1024, miniblocks: 4, unneededWidth: 0xff },
]

/** @param {import('../suite.js').Suite} suite */
export function deltaStringCases(suite) {
  const random = new Random(600)
  let turn = 0
  for (const [pattern, make] of Object.entries(STRING_PATTERNS)) {
    for (const n of MORE_THAN_A_STEP.includes(pattern) ? [1, 2, 40, 129, 1100] : [1, 2, 40, 129]) {
      for (const encoding of [LENGTHS, STRINGS]) {
        const values = make(random, n)
        /** @type {DataSpec} */
        const page = { version: turn % 2 ? 2 : 1, encoding, values, delta: GEOMETRIES[turn++ % 4] }
        good(suite, `${label(encoding)}/${pattern}/n-${n}`, REQUIRED, [page])
      }
    }
  }
  for (const pattern of Object.keys(NULL_PATTERNS)) {
    for (const encoding of [LENGTHS, STRINGS]) {
      const entries = withNulls(STRING_PATTERNS.prefixed(random, 160), pattern, random)
      good(
        suite,
        `${label(encoding)}/nulls-${pattern}`,
        OPTIONAL,
        cut(entries).map((values, i) => ({
          version: i % 2 ? 2 : 1,
          encoding,
          values,
          delta: GEOMETRIES[i % 4],
        }))
      )
    }
  }
  for (const shorter of [1, 4, 1000]) {
    const values = STRING_PATTERNS.ascending(random, 200)
    good(suite, `strings/shorter-prefixes-${shorter}`, REQUIRED, [
      { encoding: STRINGS, values, prefix: (_i, common) => Math.max(0, common - shorter) },
    ])
  }
  good(suite, 'strings/any-prefixes', REQUIRED, [
    {
      encoding: STRINGS,
      values: STRING_PATTERNS.equal(random, 200),
      prefix: (_i, common) => random.below(common + 1),
    },
  ])
  good(suite, 'strings/no-section', OPTIONAL, [
    { encoding: STRINGS, values: [null, null], section: new Uint8Array(0) },
    { encoding: LENGTHS, values: [null, null, null], section: new Uint8Array(0) },
    { version: 2, encoding: STRINGS, values: [null] },
  ])
  formatText(suite)
  fixedCases(suite, random)
}

/** @param {string} encoding */
const label = (encoding) => (encoding === STRINGS ? 'strings' : 'lengths')

/**
 * @param {import('../suite.js').Suite} suite
 * @param {string} name
 * @param {Column} column
 * @param {DataSpec[]} pages
 */
function good(suite, name, column, pages) {
  suite.page({
    name: `delta-strings/${name}`,
    column,
    chunk: encodePages(column, pages),
    entries: pages.flatMap(({ values }) => values ?? []),
  })
}

/** @param {import('../suite.js').Suite} suite */
function formatText(suite) {
  /**
   * @param {string} name
   * @param {Column} column
   * @param {string} encoding
   * @param {string} hex
   * @param {import('../../reference/plain.js').Value[]} values
   */
  const example = (name, column, encoding, hex, values) =>
    good(suite, `format-text/${name}`, column, [{ encoding, section: fromHex(hex), values }])
  const hello =
    '80 01 04 04 0A 00 01 00 00 00 02 00 00 00 48 65 6C 6C 6F 57 6F 72 6C 64 46 6F 6F 62 61 72 41 42 43 44 45 46'
  example('lengths', REQUIRED, LENGTHS, hello, ['Hello', 'World', 'Foobar', 'ABCDEF'])
  const prefixes = '80 01 04 04 00 03 03 00 00 00 44 01 00 00 00 00 00 00 00 00 00 00'
  const suffixes = '80 01 04 04 08 03 03 00 00 00 70 00 00 00 00 00 00 00 00 00 00 00'
  const bytes = '61 78 69 73 6C 65 62 61 62 62 6C 65 79 68 6F 6F 64'
  example('strings', REQUIRED, STRINGS, `${prefixes} ${suffixes} ${bytes}`, [
    'axis',
    'axle',
    'babble',
    'babyhood',
  ])
  const fixed = { type: /** @type {const} */ ('FIXED_LEN_BYTE_ARRAY'), typeLength: 2 }
  example('fixed', fixed, STRINGS, '80 01 04 03 00 02 00 00 00 00 80 01 04 03 04 01 00 00 00 00 00 01 02', [
    Uint8Array.of(0, 1),
    Uint8Array.of(0, 2),
    Uint8Array.of(0, 2),
  ])
}

/**
 * @param {import('../suite.js').Suite} suite
 * @param {Random} random
 */
function fixedCases(suite, random) {
  for (const width of [...Array.from({ length: 34 }, (_, i) => i + 1), 47, 48, 64, 100, 300]) {
    /** @type {Column} */
    const column = { type: 'FIXED_LEN_BYTE_ARRAY', typeLength: width, maxDefinitionLevel: 1 }
    for (const n of width > 34 ? [70] : [1, 17, 150]) {
      const values = fixedValues(random, width, n)
      good(suite, `fixed-${two(width)}/n-${n}`, { ...column, maxDefinitionLevel: 0 }, [
        { version: width % 2 ? 2 : 1, encoding: STRINGS, values, delta: GEOMETRIES[width % 4] },
      ])
    }
    const pattern = Object.keys(NULL_PATTERNS)[width % 7]
    const entries = withNulls(fixedValues(random, width, 150), pattern, random)
    good(
      suite,
      `fixed-${two(width)}/nulls-${pattern}`,
      column,
      cut(entries).map((values, i) => ({ version: i % 2 ? 2 : 1, encoding: STRINGS, values }))
    )
  }
  const column = { type: /** @type {const} */ ('FIXED_LEN_BYTE_ARRAY'), typeLength: 16 }
  const values = fixedValues(random, 16, 1300)
  good(suite, 'fixed-16/n-1300', column, [{ encoding: STRINGS, values }])
  good(suite, 'fixed-16/no-prefixes', column, [{ encoding: STRINGS, values, prefix: () => 0 }])
}

/**
 * @param {Random} random
 * @param {number} width
 * @param {number} n
 * @returns {Uint8Array[]}
 */
function fixedValues(random, width, n) {
  return follow(random, n, (last) => {
    const prefix = random.below(4) ? random.below(last + 1) : random.below(2) * last
    return [prefix, width - prefix]
  })
}

/** @param {import('../suite.js').Suite} suite */
export function malformedStringCases(suite) {
  const bad = grouped(suite, 'delta-strings')
  const values = ['axis', 'axle', 'babble', 'babyhood', '', 'zebra'].map(text)
  const streams = (/** @type {number[][]} */ ...lists) =>
    concatBytes(...lists.map((list) => encodeDelta(list, 32)))
  /**
   * @param {string} name
   * @param {string} encoding
   * @param {Uint8Array} section
   * @param {import('./malformed.js').Status} status
   * @param {number} [n] values that the page says it has
   * @param {number} [typeLength]
   */
  const one = (name, encoding, section, status, n = 3, typeLength) => {
    /** @type {Column} */
    const column = typeLength ? { type: 'FIXED_LEN_BYTE_ARRAY', typeLength } : REQUIRED
    const fill = new Array(n).fill(new Uint8Array(typeLength ?? 0))
    const before = typeLength ? [random.bytes(typeLength)] : values
    bad(
      name,
      column,
      [
        { encoding, values: before },
        { encoding, section, values: fill },
      ],
      status
    )
  }
  const random = new Random(601)
  const abc = text('abcdefghijklmnop')
  one('lengths/negative', LENGTHS, concatBytes(streams([2, -1, 2]), abc), 'CORRUPT')
  one('lengths/negative-first', LENGTHS, concatBytes(streams([-(2 ** 31), 1, 2]), abc), 'CORRUPT')
  one('lengths/past-section', LENGTHS, concatBytes(streams([2, 15, 2]), abc), 'TRUNCATED')
  one('lengths/past-section-then-negative', LENGTHS, concatBytes(streams([2, 15, -2]), abc), 'TRUNCATED')
  one('lengths/negative-then-past-section', LENGTHS, concatBytes(streams([2, -1, 99]), abc), 'CORRUPT')
  one('lengths/huge', LENGTHS, concatBytes(streams([2 ** 31 - 1, 2 ** 31 - 1, 2]), abc), 'TRUNCATED')
  const mebibytes = concatBytes(streams(new Array(4096).fill(2 ** 20)), abc)
  one('lengths/sum-wraps', LENGTHS, mebibytes, 'TRUNCATED', 4096)
  one('lengths/bytes-left', LENGTHS, concatBytes(streams([2, 3, 4]), abc), 'CORRUPT')
  one('lengths/fewer', LENGTHS, concatBytes(streams([8, 8]), abc), 'CORRUPT')
  one('lengths/more', LENGTHS, concatBytes(streams([4, 4, 4, 4]), abc), 'CORRUPT')
  one('lengths/more-than-entries', LENGTHS, concatBytes(streams([4, 4, 4, 4, 0]), abc), 'CORRUPT')
  one('lengths/no-section', LENGTHS, new Uint8Array(0), 'TRUNCATED')
  one('lengths/no-bytes', LENGTHS, streams([2, 3, 4]), 'TRUNCATED')
  one('lengths/none-of-none-but-bytes', LENGTHS, concatBytes(streams([]), abc), 'CORRUPT', 0)
  one('lengths/block-cut', LENGTHS, streams([2, 3, 4]).subarray(0, 9), 'TRUNCATED')
  one(
    'lengths/wide-miniblock',
    LENGTHS,
    concatBytes(fromHex('80 01 04 03 04 00 21 00 00 00'), new Uint8Array(132)),
    'CORRUPT'
  )

  one(
    'strings/first-prefix',
    STRINGS,
    concatBytes(streams([1, 0, 0], [3, 3, 3]), abc.subarray(0, 9)),
    'CORRUPT'
  )
  one(
    'strings/prefix-too-long',
    STRINGS,
    concatBytes(streams([0, 4, 0], [3, 3, 3]), abc.subarray(0, 9)),
    'CORRUPT'
  )
  one(
    'strings/prefix-negative',
    STRINGS,
    concatBytes(streams([0, -1, 0], [3, 3, 3]), abc.subarray(0, 9)),
    'CORRUPT'
  )
  one(
    'strings/prefix-lowest',
    STRINGS,
    concatBytes(streams([0, -(2 ** 31), 0], [3, 3, 3]), abc.subarray(0, 9)),
    'CORRUPT'
  )
  one(
    'strings/suffix-negative',
    STRINGS,
    concatBytes(streams([0, 2, 0], [3, -1, 3]), abc.subarray(0, 9)),
    'CORRUPT'
  )
  one('strings/suffix-past-section', STRINGS, concatBytes(streams([0, 2, 0], [3, 14, 3]), abc), 'TRUNCATED')
  one(
    'strings/suffix-huge',
    STRINGS,
    concatBytes(streams([0, 3, 3], [3, 2 ** 31 - 1, 2 ** 31 - 1]), abc),
    'TRUNCATED'
  )
  one(
    'strings/suffix-past-then-prefix',
    STRINGS,
    concatBytes(streams([0, 2, 99], [3, 14, 3]), abc),
    'TRUNCATED'
  )
  one('strings/prefix-then-suffix-past', STRINGS, concatBytes(streams([0, 4, 0], [3, 3, 99]), abc), 'CORRUPT')
  one('strings/counts-differ', STRINGS, concatBytes(streams([0, 0, 0], [3, 3, 3, 3]), abc), 'CORRUPT')
  one('strings/counts-differ-fewer', STRINGS, concatBytes(streams([0, 0, 0], [8, 8]), abc), 'CORRUPT')
  one('strings/fewer', STRINGS, concatBytes(streams([0, 0], [8, 8]), abc), 'CORRUPT')
  one('strings/more', STRINGS, concatBytes(streams([0, 0, 0, 0], [4, 4, 4, 4]), abc), 'CORRUPT')
  one('strings/bytes-left', STRINGS, concatBytes(streams([0, 0, 0], [4, 4, 4]), abc), 'CORRUPT')
  one('strings/no-section', STRINGS, new Uint8Array(0), 'TRUNCATED')
  one('strings/no-suffixes', STRINGS, streams([0, 0, 0]), 'TRUNCATED')
  one(
    'strings/sum-wraps',
    STRINGS,
    concatBytes(streams(new Array(4096).fill(0), new Array(4096).fill(2 ** 20)), abc),
    'TRUNCATED',
    4096
  )
  one(
    'fixed/too-short',
    STRINGS,
    concatBytes(streams([0, 2, 0], [4, 1, 4]), abc.subarray(0, 9)),
    'CORRUPT',
    3,
    4
  )
  one(
    'fixed/too-long',
    STRINGS,
    concatBytes(streams([0, 2, 0], [4, 3, 4]), abc.subarray(0, 11)),
    'CORRUPT',
    3,
    4
  )
  one(
    'fixed/all-of-another-width',
    STRINGS,
    concatBytes(streams([0, 2, 0], [5, 3, 5]), abc.subarray(0, 13)),
    'CORRUPT',
    3,
    4
  )
  one(
    'fixed/sums-to-the-width',
    STRINGS,
    concatBytes(streams([0, -1, 0], [4, 5, 4]), abc.subarray(0, 13)),
    'CORRUPT',
    3,
    4
  )
  one(
    'fixed/first-prefix',
    STRINGS,
    concatBytes(streams([4, 4, 0], [0, 0, 4]), abc.subarray(0, 4)),
    'CORRUPT',
    3,
    4
  )
  one('fixed/past-section', STRINGS, concatBytes(streams([0, 0, 0], [16, 16, 16]), abc), 'TRUNCATED', 3, 16)
  cutPages(bad, values)
}

/**
 * A section cut everywhere.
 * @param {ReturnType<typeof grouped>} bad
 * @param {Uint8Array[]} values
 */
function cutPages(bad, values) {
  for (const encoding of [LENGTHS, STRINGS]) {
    const section = encodeSection(REQUIRED, { encoding, values })
    for (let size = 0; size < section.length; size += size < 26 ? 1 : 5) {
      bad(
        `${label(encoding)}/cut-at-${size}`,
        REQUIRED,
        [{ encoding, values, section: section.subarray(0, size) }],
        'TRUNCATED'
      )
    }
  }
}
