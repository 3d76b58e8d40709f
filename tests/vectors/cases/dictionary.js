/**
 * Chunks with a dictionary: every type, dictionaries of 1 to 65537 entries, index widths, fallback to other encodings,
 * several chunks with dictionaries of their own, and dictionaries that are kept.
 */

import { fromHex } from '../../reference/bytes.js'
import { encodePages } from '../../reference/page.js'
import { Random } from '../../reference/random.js'
import { randomRuns } from '../../reference/rle.js'
import { cut, NULL_PATTERNS, TYPES, valuesOf, withNulls } from './columns.js'

/** @typedef {import('../../reference/page.js').Column} Column */
/** @typedef {import('../../reference/page.js').DataSpec} DataSpec */
/** @typedef {import('../../reference/page.js').PageSpec} PageSpec */
/** @typedef {import('../../reference/plain.js').Value} Value */

/**
 * @param {Value[]} dictionary
 * @param {(number | null)[]} indices
 * @returns {(Value | null)[]}
 */
const look = (dictionary, indices) => indices.map((index) => (index === null ? null : dictionary[index]))

/** @param {(number | null)[]} indices */
const stored = (indices) => /** @type {number[]} */ (indices.filter((index) => index !== null))

/** @param {import('../suite.js').Suite} suite */
export function dictionaryCases(suite) {
  for (const { label, type, typeLength } of TYPES.filter(({ type }) => type !== 'BOOLEAN')) {
    const random = new Random(200)
    const dictionary = valuesOf(type, typeLength ?? 0, 11, random)
    const indices = Array.from({ length: 150 }, (_, i) => (i > 60 && i < 90 ? 3 : random.below(11)))
    for (const version of /** @type {const} */ ([1, 2])) {
      for (const pattern of ['required', ...Object.keys(NULL_PATTERNS)]) {
        const column = { type, typeLength, maxDefinitionLevel: pattern === 'required' ? 0 : 1 }
        const entries = pattern === 'required' ? indices : withNulls(indices, pattern, new Random(8))
        /** @type {PageSpec[]} */
        const pages = cut(entries).map((part, i) => ({
          version,
          indices: part,
          encoding: i % 3 === 2 ? 'PLAIN_DICTIONARY' : 'RLE_DICTIONARY',
          indexWidth: 4,
          runs: i % 2 ? randomRuns(stored(part), random) : undefined,
        }))
        suite.page({
          name: `dictionary/${label}/v${version}/${pattern === 'required' ? '' : 'nulls-'}${pattern}`,
          column,
          entries: look(dictionary, entries),
          chunk: encodePages(column, [
            { dictionary, encoding: version === 1 ? 'PLAIN_DICTIONARY' : 'PLAIN' },
            ...pages,
          ]),
        })
      }
    }
  }
  sizeCases(suite)
  widthCases(suite)
  fallbackCases(suite)
  keptCases(suite)
  edgeCases(suite)
}

/** @param {import('../suite.js').Suite} suite */
function sizeCases(suite) {
  const random = new Random(201)
  for (const size of [1, 2, 257, 65537]) {
    for (const { label, type, typeLength } of TYPES.filter(({ label }) =>
      ['int32', 'int64', 'byte-array', 'fixed-5'].includes(label)
    )) {
      if (size === 65537 && type !== 'INT32') continue
      const column = { type, typeLength, maxDefinitionLevel: 1, codec: 'SNAPPY' }
      const pattern = valuesOf(type, typeLength ?? 0, 1021, random)
      const dictionary = Array.from({ length: size }, (_, i) => pattern[i % 1021])
      const indices = Array.from({ length: 400 }, (_, i) =>
        i > 100 && i < 150 ? size - 1 : random.below(size)
      )
      const entries = withNulls(indices, 'random', random)
      const pages = cut(entries, [9, 200]).map((part, i) => ({
        encoding: 'RLE_DICTIONARY',
        indices: part,
        version: /** @type {1 | 2} */ (1 + (i % 2)),
        indexWidth: (size - 1).toString(2).length * Number(size > 1),
        runs: i === 1 ? randomRuns(stored(part), random) : undefined,
      }))
      suite.page({
        name: `dictionary-size/${size}/${label}`,
        column,
        entries: look(dictionary, entries),
        chunk: encodePages(column, [{ dictionary }, ...pages]),
      })
    }
  }
}

/** @param {import('../suite.js').Suite} suite */
function widthCases(suite) {
  const random = new Random(202)
  for (let width = 3; width <= 32; width++) {
    const [type, typeLength] = /** @type {[import('../../reference/plain.js').Type, number?][]} */ ([
      ['INT32'],
      ['INT64'],
      ['BYTE_ARRAY'],
      ['FIXED_LEN_BYTE_ARRAY', 3],
    ])[width % 4]
    const column = { type, typeLength }
    const dictionary = valuesOf(type, typeLength ?? 0, 5, random)
    const indices = Array.from({ length: 90 }, (_, i) => (i > 40 && i < 60 ? 4 : random.below(5)))
    const entries = look(dictionary, indices)
    suite.page({
      name: `dictionary-width/${String(width).padStart(2, '0')}`,
      column,
      entries: [...entries, ...entries],
      chunk: encodePages(column, [
        { dictionary },
        { encoding: 'RLE_DICTIONARY', indices, indexWidth: width, runs: randomRuns(indices, random) },
        { encoding: 'RLE_DICTIONARY', indices, indexWidth: width },
      ]),
      note: 'indices wider than the dictionary needs',
    })
  }
}

/** @param {import('../suite.js').Suite} suite */
function fallbackCases(suite) {
  const random = new Random(203)
  for (const { label, type, typeLength } of TYPES.filter(({ type }) => type !== 'BOOLEAN')) {
    for (const codec of ['UNCOMPRESSED', 'SNAPPY']) {
      const column = { type, typeLength, maxDefinitionLevel: 1, codec }
      const dictionary = valuesOf(type, typeLength ?? 0, 6, random)
      const indices = withNulls(
        Array.from({ length: 70 }, () => random.below(6)),
        'random',
        random
      )
      const rest = withNulls(valuesOf(type, typeLength ?? 0, 80, random), 'random', random)
      const other = type === 'INT32' || type === 'INT64' ? 'DELTA_BINARY_PACKED' : 'PLAIN'
      suite.page({
        name: `fallback/${label}/${codec.toLowerCase()}`,
        column,
        entries: [...look(dictionary, indices), ...rest, ...look(dictionary, indices)],
        chunk: encodePages(column, [
          { dictionary },
          { encoding: 'RLE_DICTIONARY', indices },
          { values: rest.slice(0, 33) },
          { version: 2, encoding: other, values: rest.slice(33) },
          { version: 2, encoding: 'RLE_DICTIONARY', indices },
        ]),
      })
    }
  }
}

/** @param {import('../suite.js').Suite} suite */
function keptCases(suite) {
  const random = new Random(204)
  for (const { label, type, typeLength } of TYPES.filter(({ type }) => type !== 'BOOLEAN')) {
    const column = { type, typeLength, maxDefinitionLevel: 1 }
    const dictionary = valuesOf(type, typeLength ?? 0, 9, random)
    const indices = withNulls(
      Array.from({ length: 150 }, (_, i) => (i > 50 && i < 80 ? 8 : random.below(9))),
      'random',
      random
    )
    const pages = cut(indices).map((part, i) => ({
      encoding: 'RLE_DICTIONARY',
      indices: part,
      version: /** @type {1 | 2} */ (1 + (i % 2)),
    }))
    suite.page({
      name: `kept/${label}`,
      column,
      entries: look(dictionary, indices),
      keep: { dictionary, indices },
      chunk: encodePages(column, [{ dictionary }, ...pages]),
    })
    const second = valuesOf(type, typeLength ?? 0, 3, random)
    const more = withNulls(
      Array.from({ length: 77 }, () => random.below(3)),
      'runs',
      random
    )
    const chunk = encodePages(column, [{ dictionary: second }, { encoding: 'RLE_DICTIONARY', indices: more }])
    const first = encodePages(column, [{ dictionary }, ...pages])
    suite.page({
      name: `kept/${label}/two-chunks`,
      column,
      entries: [...look(dictionary, indices), ...look(second, more)],
      chunk: [first, chunk],
      keep: {
        dictionary: [...dictionary, ...second],
        indices: [...indices, ...more.map((index) => (index === null ? null : index + 9))],
      },
      note: 'the second dictionary goes on behind the first',
    })
    suite.page({
      name: `dictionary/${label}/two-chunks`,
      column,
      entries: [...look(dictionary, indices), ...look(second, more)],
      chunk: [first, chunk],
    })
  }
  const column = { type: /** @type {const} */ ('INT32'), maxDefinitionLevel: 1 }
  suite.page({
    name: 'kept/fallback',
    column,
    keep: { dictionary: [], indices: [] },
    status: 'UNSUPPORTED',
    outside: true,
    chunk: encodePages(column, [
      { dictionary: [1, 2] },
      { encoding: 'RLE_DICTIONARY', indices: [0, 1, null] },
      { values: [5, 6] },
    ]),
    note: 'a page of plain values has no indices',
  })
}

/** @param {import('../suite.js').Suite} suite */
function edgeCases(suite) {
  const column = { type: /** @type {const} */ ('INT32'), maxDefinitionLevel: 1 }
  const required = { type: /** @type {const} */ ('INT32') }
  const dictionary = [70, 71, 72]
  /**
   * @param {string} name
   * @param {Column} of
   * @param {PageSpec[]} pages
   * @param {(Value | null)[]} entries
   * @param {string} [note]
   */
  const edge = (name, of, pages, entries, note) =>
    suite.page({ name: `dictionary-edge/${name}`, column: of, entries, note, chunk: encodePages(of, pages) })
  const nulls = new Array(9).fill(null)
  edge(
    'empty-body',
    column,
    [{ dictionary }, { encoding: 'RLE_DICTIONARY', indices: nulls, section: new Uint8Array(0) }],
    nulls,
    'no values, no index width'
  )
  edge(
    'empty-body-v2',
    column,
    [{ dictionary }, { version: 2, encoding: 'RLE_DICTIONARY', indices: nulls, section: new Uint8Array(0) }],
    nulls
  )
  edge(
    'no-entries',
    column,
    [{ dictionary: [] }, { encoding: 'RLE_DICTIONARY', indices: nulls }],
    nulls,
    'a dictionary of no entries for a page of no values'
  )
  edge(
    'width-0-without-run',
    required,
    [
      { dictionary: [9] },
      { encoding: 'RLE_DICTIONARY', indices: new Array(12).fill(0), section: fromHex('00') },
    ],
    new Array(12).fill(9),
    'the index body is the width byte alone'
  )
  edge(
    'width-0',
    required,
    [
      { dictionary: [9] },
      { encoding: 'RLE_DICTIONARY', indices: new Array(12).fill(0), section: fromHex('00 18') },
    ],
    new Array(12).fill(9)
  )
  edge(
    'bytes-after-entries',
    required,
    [
      { dictionary, section: fromHex('46000000 47000000 48000000 FF FF FF FF') },
      { encoding: 'RLE_DICTIONARY', indices: [2, 1, 0] },
    ],
    [72, 71, 70],
    'bytes left over in a dictionary page'
  )
  edge(
    'bytes-after-indices',
    required,
    [
      { dictionary },
      { encoding: 'RLE_DICTIONARY', indices: [1, 1, 1], section: fromHex('02 06 01 00 00 00 00') },
    ],
    [71, 71, 71],
    'zero bytes behind the values needed'
  )
  edge(
    'bad-index-in-padding',
    required,
    [
      { dictionary },
      { encoding: 'RLE_DICTIONARY', indices: [2, 1, 0], runs: [{ packed: 3, padding: 3 }], indexWidth: 2 },
    ],
    [72, 71, 70],
    'indices without an entry where no value is needed'
  )
  edge(
    'sorted-and-checksums',
    required,
    [
      { dictionary, isSorted: true, crc: true },
      { encoding: 'RLE_DICTIONARY', indices: [2, 1, 0], crc: true },
    ],
    [72, 71, 70]
  )
  edge(
    'nulls-only-without-dictionary',
    column,
    [{ encoding: 'RLE_DICTIONARY', indices: nulls }],
    nulls,
    'no index, no dictionary needed'
  )
}
