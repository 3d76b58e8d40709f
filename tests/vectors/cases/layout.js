/**
 * What may stand in and around pages and must not disturb: pages of other types, fields nobody knows, large statistics,
 * checksums, codecs' details; and columns read with their levels.
 */

import { concatBytes } from '../../reference/bytes.js'
import { encodeGzip } from '../../reference/gzip.js'
import { PAGE_TYPES } from '../../reference/names.js'
import { encodePage, encodePages } from '../../reference/page.js'
import { encodePageHeader } from '../../reference/page_header.js'
import { encodePlain } from '../../reference/plain.js'
import { Random } from '../../reference/random.js'
import { randomRuns } from '../../reference/rle.js'
import { encodeSnappyElements } from '../../reference/snappy.js'
import * as thrift from '../../reference/thrift.js'
import { encodeZstd } from '../../reference/zstd.js'
import { cut, valuesOf } from './columns.js'

/** @typedef {import('../../reference/page.js').Column} Column */
/** @typedef {import('../../reference/page.js').DataSpec} DataSpec */

/** @type {Column} */
const INT32 = { type: 'INT32' }
/** @type {Column} */
const OPTIONAL = { type: 'INT32', maxDefinitionLevel: 1 }

/** @param {import('../suite.js').Suite} suite */
export function layoutCases(suite) {
  headerCases(suite)
  sectionCases(suite)
  codecCases(suite)
  levelCases(suite)
}

/** @param {import('../suite.js').Suite} suite */
function headerCases(suite) {
  const page = encodePage(INT32, { values: [1, 2, 3] })
  /**
   * @param {string} name
   * @param {DataSpec} spec
   * @param {string} [note]
   */
  const one = (name, spec, note) =>
    suite.page({
      name: `header/${name}`,
      column: INT32,
      entries: [1, 2, 3, ...(spec.values ?? []), 1, 2, 3],
      note,
      chunk: concatBytes(page, encodePage(INT32, spec), page),
    })
  suite.page({
    name: 'header/no-pages',
    column: INT32,
    entries: [],
    chunk: new Uint8Array(0),
    note: 'a chunk of no bytes',
  })
  for (const version of /** @type {const} */ ([1, 2])) {
    const v = `v${version}`
    one(`empty-page-${v}`, { version, values: [] }, 'a page of no values between others')
    one(`checksum-${v}`, { version, values: [4, 5], crc: true })
    one(
      `wrong-checksum-${v}`,
      {
        version,
        values: [4, 5],
        edit: (header) => {
          header.crc = -77
        },
      },
      'looked at only where that is asked for'
    )
    one(`large-statistics-${v}`, {
      version,
      values: [4, 5],
      statistics: [
        [5, thrift.binary(new Uint8Array(9000).fill(65))],
        [6, thrift.binary(new Uint8Array(3000))],
        [7, thrift.bool(true)],
      ],
    })
    one(`unknown-fields-${v}`, {
      version,
      values: [4, 5],
      edit: (header) => {
        header.before = header.after = unknownFields(version)
      },
    })
  }
  one('compressed-flag', { version: 2, values: [4, 5], isCompressed: true }, 'without a codec it says nothing')
  one('uncompressed-flag', { version: 2, values: [4, 5], isCompressed: false })
  one(
    'wrong-num-nulls',
    {
      version: 2,
      values: [4, 5],
      edit: (header) => {
        if (header.dataV2) header.dataV2.numNulls = 1
      },
    },
    'the levels decide'
  )
  one(
    'bit-packed-levels-of-none',
    { values: [4, 5], levelEncoding: 'BIT_PACKED' },
    'no levels: their encoding says nothing'
  )
  const index = encodePageHeader({
    type: PAGE_TYPES.INDEX_PAGE,
    uncompressedSize: 5,
    compressedSize: 5,
    after: [[6, thrift.struct([])]],
  })
  const unknown = encodePageHeader({
    type: 9,
    uncompressedSize: 7,
    compressedSize: 3,
    after: [[99, thrift.i32(1)]],
  })
  suite.page({
    name: 'header/other-page-types',
    column: INT32,
    entries: [1, 2, 3, 1, 2, 3],
    note: 'passed by their size',
    chunk: concatBytes(page, index, [1, 2, 3, 4, 5], unknown, [1, 2, 3], page),
  })
}

/**
 * Every kind of thrift value, under ids that no structure has.
 * @param {number} version
 * @returns {import('../../reference/thrift.js').Fields}
 */
function unknownFields(version) {
  const id = 100 * version
  return [
    [id, thrift.double(1.5)],
    [
      id + 1,
      thrift.map([
        ['a', 'b'],
        ['', 'c'],
      ]),
    ],
    [id + 2, thrift.list(thrift.T.TRUE, [thrift.bool(true), thrift.bool(false)])],
    [
      id + 3,
      thrift.list(thrift.T.STRUCT, [
        thrift.struct([
          [1, thrift.i64(-5n)],
          [40, thrift.binary('x')],
        ]),
      ]),
    ],
    [id + 20, thrift.bool(false)],
    [id + 21, thrift.i8(-3)],
    [id + 22, thrift.i16(-300)],
    [id + 23, thrift.map([])],
    [
      id + 24,
      thrift.list(
        thrift.T.I32,
        Array.from({ length: 20 }, (_, i) => thrift.i32(i))
      ),
    ],
  ]
}

/** @param {import('../suite.js').Suite} suite */
function sectionCases(suite) {
  /**
   * @param {string} name
   * @param {Column} column
   * @param {DataSpec} spec
   * @param {string} [note]
   */
  const one = (name, column, spec, note) =>
    suite.page({
      name: `section/${name}`,
      column,
      entries: spec.values,
      note,
      chunk: encodePage(column, spec),
    })
  const nulls = [null, null, null, null, null]
  const none = new Uint8Array(0)
  for (const version of /** @type {const} */ ([1, 2])) {
    const v = `v${version}`
    for (const type of /** @type {const} */ (['BOOLEAN', 'INT64', 'BYTE_ARRAY'])) {
      one(
        `no-values-plain-${type.toLowerCase().replace('_', '-')}-${v}`,
        { type, maxDefinitionLevel: 1 },
        { version, values: nulls }
      )
    }
    one(
      `no-values-rle-${v}`,
      { type: 'BOOLEAN', maxDefinitionLevel: 1 },
      { version, values: nulls, encoding: 'RLE', section: none }
    )
    one(
      `no-values-delta-${v}`,
      { type: 'INT64', maxDefinitionLevel: 1 },
      { version, values: nulls, encoding: 'DELTA_BINARY_PACKED' },
      'a stream of count 0'
    )
    one(
      `no-values-delta-empty-${v}`,
      { type: 'INT64', maxDefinitionLevel: 1 },
      { version, values: nulls, encoding: 'DELTA_BINARY_PACKED', section: none },
      'no stream at all'
    )
    one(
      `bytes-after-values-${v}`,
      INT32,
      { version, values: [1, 2], section: Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0, 9, 9) },
      'PLAIN has no count of its own: what follows the values needed is not looked at'
    )
    one(`one-null-${v}`, OPTIONAL, { version, values: [null] })
    one(`one-value-${v}`, OPTIONAL, { version, values: [-1] })
    one(
      `empty-strings-${v}`,
      { type: 'BYTE_ARRAY', maxDefinitionLevel: 1 },
      { version, values: ['', null, '', 'a', '', null] }
    )
    one(`long-string-${v}`, { type: 'BYTE_ARRAY' }, { version, values: ['', new Random(5).bytes(700), 'b'] })
  }
  one(
    'rle-length-shorter-than-section',
    { type: 'BOOLEAN' },
    { values: [true, true, true], encoding: 'RLE', section: Uint8Array.of(2, 0, 0, 0, 6, 1, 9, 9) }
  )
}

/** @param {import('../suite.js').Suite} suite */
function codecCases(suite) {
  const random = new Random(300)
  const values = Array.from({ length: 200 }, (_, i) => BigInt(i % 50 < 30 ? 7 : random.below(1 << 20)))
  const plain = encodePlain('INT32', values)
  /**
   * @param {string} name
   * @param {string} codec
   * @param {(bytes: Uint8Array) => Uint8Array} compress
   * @param {string} [note]
   */
  const one = (name, codec, compress, note) =>
    suite.page({
      name: `codec/${name}`,
      column: { type: 'INT32', codec },
      entries: [...values, ...values],
      note,
      chunk: encodePages({ type: 'INT32', codec }, [
        { values, compress },
        { version: 2, values, compress },
      ]),
    })
  one('snappy-literals', 'SNAPPY', (bytes) =>
    encodeSnappyElements(bytes, [
      { literal: 1 },
      { literal: 60 },
      { literal: 61 },
      { literal: 256 },
      { literal: 257 },
      { literal: bytes.length - 635 },
    ])
  )
  const repeated = new Uint8Array(plain.length).fill(7)
  for (const tag of /** @type {const} */ ([1, 2, 3])) {
    for (const offset of [1, 2, 3, 5, 8, 13, 16, 31]) {
      const input = repeated.map((_, i) => (i % offset) * 3)
      const n = tag === 1 ? 11 : 64
      const copies = Array.from({ length: Math.floor((input.length - offset) / n) }, () => ({
        copy: n,
        offset,
        tag,
      }))
      const rest = input.length - offset - copies.length * n
      const elements = [{ literal: offset }, ...copies, ...(rest ? [{ literal: rest }] : [])]
      suite.page({
        name: `codec/snappy-copies-${tag}-offset-${offset}`,
        column: { type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 1, codec: 'SNAPPY' },
        entries: Array.from(input, (byte) => Uint8Array.of(byte)),
        chunk: encodePage(
          { type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 1, codec: 'SNAPPY' },
          {
            values: Array.from(input, (byte) => Uint8Array.of(byte)),
            compress: (bytes) => encodeSnappyElements(bytes, elements),
          }
        ),
      })
    }
  }
  one('gzip-stored', 'GZIP', (bytes) => encodeGzip(bytes, { stored: true }))
  one(
    'gzip-members',
    'GZIP',
    (bytes) =>
      concatBytes(
        encodeGzip(bytes.subarray(0, 100)),
        encodeGzip(bytes.subarray(100, 100)),
        encodeGzip(bytes.subarray(100))
      ),
    'several members'
  )
  one('zstd-small-blocks', 'ZSTD', (bytes) => encodeZstd(bytes, 7))
  for (const codec of ['SNAPPY', 'GZIP', 'ZSTD']) {
    const column = { type: /** @type {const} */ ('INT64'), maxDefinitionLevel: 1, codec }
    const entries = [null, null, null]
    suite.page({
      name: `codec/${codec.toLowerCase()}-nothing-to-decompress`,
      column,
      entries,
      note: 'no values: the codec is not asked',
      chunk: encodePage(column, { version: 2, values: entries }),
    })
  }
}

/**
 * Stored values with their levels: what a repeated leaf is read as.
 * @param {import('../suite.js').Suite} suite
 */
function levelCases(suite) {
  const random = new Random(301)
  const shapes = [
    [1, 1],
    [2, 1],
    [3, 1],
    [3, 2],
    [8, 3],
    [1, 0],
    [0, 0],
  ]
  for (const [maxDefinitionLevel, maxRepetitionLevel] of shapes) {
    for (const type of /** @type {const} */ (['INT32', 'BYTE_ARRAY', 'BOOLEAN'])) {
      const column = { type, maxDefinitionLevel, maxRepetitionLevel }
      const definition = Array.from({ length: 160 }, () =>
        random.below(3) ? maxDefinitionLevel : random.below(maxDefinitionLevel + 1)
      )
      /* an entry goes on with a list only where it has an element of it */
      const repetition = definition.map((level, i) =>
        i && maxRepetitionLevel && level === maxDefinitionLevel ? random.below(maxRepetitionLevel + 1) : 0
      )
      const values = valuesOf(type, 0, 160, random)
      const pages = cut(
        definition.map((_, i) => i),
        [30, 1, 80]
      ).map((part, i) => ({
        version: /** @type {1 | 2} */ (1 + (i % 2)),
        definitionLevels: part.map((at) => definition[at]),
        repetitionLevels: part.map((at) => repetition[at]),
        values: part.filter((at) => definition[at] === maxDefinitionLevel).map((at) => values[at]),
        repetitionRuns: randomRuns(
          part.map((at) => repetition[at]),
          random
        ),
      }))
      suite.page({
        name: `kept-levels/${type.toLowerCase().replace('_', '-')}/definition-${maxDefinitionLevel}-repetition-${maxRepetitionLevel}`,
        column,
        keep: 'levels',
        chunk: encodePages(column, pages),
      })
    }
  }
}
