/**
 * BYTE_STREAM_SPLIT in every width, alone and in pages, well-formed and not.
 */
import { splitStreams } from '../../reference/byte_stream_split.js'
import { concatBytes, fromHex } from '../../reference/bytes.js'
import { ENCODINGS } from '../../reference/names.js'
import { encodePages } from '../../reference/page.js'
import { encodePlain } from '../../reference/plain.js'
import { Random } from '../../reference/random.js'
import { cut, valuesOf, withNulls } from './columns.js'
import { grouped } from './malformed.js'
import { two } from './values.js'

/** @typedef {import('../../reference/page.js').Column} Column */

/** Every width that kernels may treat apart, and some beyond. */
const WIDTHS = [...Array.from({ length: 33 }, (_, i) => i + 1), 64, 100, 257]

/** @param {import('../suite.js').Suite} suite */
export function splitValueCases(suite) {
  const random = new Random(500)
  /**
   * @param {string} name
   * @param {number} width
   * @param {number} count
   * @param {Uint8Array} bytes
   * @param {Uint8Array | string} result the values, or a status
   * @param {string} [note]
   */
  const one = (name, width, count, bytes, result, note) =>
    suite.value({
      name: `byte-stream-split/${name}`,
      function: 'byte_stream_split',
      width,
      count,
      bytes,
      note,
      ...(typeof result === 'string' ? { status: result } : { plain: result }),
    })
  for (const width of WIDTHS) {
    for (const n of width > 33 ? [3, 37] : [1, 16, 33, 107]) {
      const plain = random.bytes(n * width)
      one(`width-${two(width)}/n-${n}`, width, n, splitStreams(plain, width), plain)
    }
    const bytes = random.bytes(9 * width)
    one(`width-${two(width)}/one-fewer`, width, 10, bytes, 'TRUNCATED')
    one(`width-${two(width)}/one-more`, width, 8, bytes, 'CORRUPT')
    if (width > 1)
      one(`width-${two(width)}/cut`, width, 9, bytes.subarray(0, -1), 'CORRUPT', 'a part of a value')
  }
  const known = encodePlain('FLOAT', [1, 2])
  one('format-text', 4, 2, fromHex('00 00 | 00 00 | 80 00 | 3F 40'), known, '1.0 and 2.0 as floats')
  one('none', 4, 0, new Uint8Array(0), new Uint8Array(0))
  one('none-of-some', 4, 1, new Uint8Array(0), 'TRUNCATED')
  one('width-0', 0, 4, new Uint8Array(4), 'BAD_ARGUMENT')
}

/** @param {import('../suite.js').Suite} suite */
export function splitPageCases(suite) {
  const random = new Random(501)
  for (const typeLength of WIDTHS) {
    /** @type {Column} */
    const column = { type: 'FIXED_LEN_BYTE_ARRAY', typeLength, maxDefinitionLevel: 1 }
    const n = typeLength > 33 ? 40 : 100
    const entries = withNulls(valuesOf(column.type, typeLength, n, random), 'random', random)
    suite.page({
      name: `page/fixed-${typeLength}/byte-stream-split/mixed`,
      column,
      entries,
      chunk: encodePages(
        column,
        cut(entries, [1, 34]).map((values, i) => ({
          version: i % 2 ? 2 : 1,
          encoding: i === 1 ? 'PLAIN' : 'BYTE_STREAM_SPLIT',
          values,
        }))
      ),
    })
  }
  for (const type of /** @type {const} */ (['FLOAT', 'DOUBLE', 'INT32', 'INT64', 'FIXED_LEN_BYTE_ARRAY'])) {
    const typeLength = type === 'FIXED_LEN_BYTE_ARRAY' ? 16 : undefined
    const values = valuesOf(type, typeLength ?? 0, 70, random)
    const long = Array.from({ length: 1500 }, (_, i) => values[(i * 11) % 70])
    for (const pattern of ['none', 'random']) {
      const entries = withNulls(long, pattern, random)
      /** @type {Column} */
      const column = {
        type,
        typeLength,
        maxDefinitionLevel: pattern === 'none' ? 0 : 1,
        codec: typeLength ? 'SNAPPY' : 'ZSTD',
      }
      suite.page({
        name: `large/${type.toLowerCase().replaceAll('_', '-')}-byte-stream-split-${pattern}`,
        column,
        entries,
        chunk: encodePages(
          column,
          cut(entries, [771, 1]).map((part, i) => ({
            version: i % 2 ? 2 : 1,
            encoding: 'BYTE_STREAM_SPLIT',
            values: part,
          }))
        ),
      })
    }
  }
}

/** @param {import('../suite.js').Suite} suite */
export function malformedSplitCases(suite) {
  const bad = grouped(suite, 'byte-stream-split')
  const random = new Random(502)
  for (const [type, typeLength] of /** @type {[import('../../reference/plain.js').Type, number?][]} */ ([
    ['INT32'],
    ['DOUBLE'],
    ['FIXED_LEN_BYTE_ARRAY', 5],
  ])) {
    const column = { type, typeLength, maxDefinitionLevel: 1 }
    const width = typeLength ?? (type === 'INT32' ? 4 : 8)
    const values = valuesOf(type, typeLength ?? 0, 50, random)
    const plain = encodePlain(type, values)
    const section = splitStreams(plain, width)
    const name = type.toLowerCase().replaceAll('_', '-')
    for (const version of /** @type {const} */ ([1, 2])) {
      /**
       * @param {string} what
       * @param {Uint8Array} bytes
       * @param {import('./malformed.js').Status} status
       * @param {string} [note]
       */
      const one = (what, bytes, status, note) =>
        bad(
          `${name}-${what}-v${version}`,
          column,
          { version, encoding: 'BYTE_STREAM_SPLIT', values: [null, ...values, null], section: bytes },
          status,
          note
        )
      one('cut', section.subarray(0, -1), 'CORRUPT', 'no whole number of values')
      one('byte-after', concatBytes(section, [0]), 'CORRUPT')
      one('none', section.subarray(0, 0), 'TRUNCATED')
      one('one-value-fewer', splitStreams(plain.subarray(width), width), 'TRUNCATED')
      one('one-value-more', splitStreams(concatBytes(plain, random.bytes(width)), width), 'CORRUPT')
      one('more-than-entries', random.bytes(53 * width), 'CORRUPT', '53 values in a page of 52 entries')
    }
    bad(
      `${name}-values-for-nulls`,
      column,
      { encoding: 'BYTE_STREAM_SPLIT', values: [null, null], section: random.bytes(width) },
      'CORRUPT',
      'a value, and no entry that wants it'
    )
  }
  for (const type of /** @type {const} */ (['BOOLEAN', 'INT96', 'BYTE_ARRAY'])) {
    bad(
      `of-${type.toLowerCase().replaceAll('_', '-')}`,
      { type },
      {
        values: type === 'BOOLEAN' ? [true] : [new Uint8Array(12)],
        edit: (header) => {
          if (header.data) header.data.encoding = ENCODINGS.BYTE_STREAM_SPLIT
        },
      },
      'UNSUPPORTED',
      'a type that BYTE_STREAM_SPLIT is not for'
    )
  }
}
