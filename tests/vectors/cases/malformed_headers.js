/**
 * Chunks cut at every byte, and page headers that are wrong in one place.
 */
import { concatBytes, fromHex } from '../../reference/bytes.js'
import { ENCODINGS, PAGE_TYPES } from '../../reference/names.js'
import { encodePages } from '../../reference/page.js'
import { encodePageHeader } from '../../reference/page_header.js'
import { raw, T } from '../../reference/thrift.js'
import { grouped } from './malformed.js'

/** @typedef {import('../../reference/page.js').Column} Column */
/** @typedef {import('../../reference/page.js').PageSpec} PageSpec */
/** @typedef {import('../../reference/page_header.js').PageHeader} PageHeader */
/** @typedef {import('./malformed.js').Status} Status */

/** @type {Column} */
const INT32 = { type: 'INT32' }
/** @type {Column} */
const OPTIONAL = { type: 'INT32', maxDefinitionLevel: 1 }

/**
 * Every prefix of a chunk of three pages. Where a page ends, the rest of the chunk is simply not there.
 * @param {import('../suite.js').Suite} suite
 */
export function cutCases(suite) {
  /** @type {PageSpec[]} */
  const pages = [
    { dictionary: [7, 8, 9] },
    { encoding: 'RLE_DICTIONARY', indices: [0, null, 2, 1, null, 2] },
    { version: 2, encoding: 'DELTA_BINARY_PACKED', values: [null, 5, 6, null, 9] },
  ]
  const chunk = encodePages(OPTIONAL, pages)
  const ends = pages.map((_, i) => encodePages(OPTIONAL, pages.slice(0, i + 1)).length)
  for (let size = 0; size < chunk.length; size++) {
    suite.page({
      name: `malformed/cut/at-${size}`,
      column: OPTIONAL,
      chunk: chunk.slice(0, size),
      status: size === 0 || ends.includes(size) ? 'OK' : 'TRUNCATED',
    })
  }
}

/** @param {import('../suite.js').Suite} suite */
export function headerCases(suite) {
  const bad = grouped(suite, 'header')
  /**
   * @param {string} name
   * @param {1 | 2} version
   * @param {(header: PageHeader) => void} edit
   * @param {Status} status
   * @param {string} [note]
   */
  const edited = (name, version, edit, status, note) =>
    bad(name, OPTIONAL, [{ values: [1, null] }, { version, values: [3, null, 5], edit }], status, note)
  edited(
    'negative-compressed-size',
    1,
    (header) => {
      header.compressedSize = -1
    },
    'CORRUPT'
  )
  edited(
    'negative-uncompressed-size',
    1,
    (header) => {
      header.uncompressedSize = -1
    },
    'CORRUPT'
  )
  edited(
    'lowest-compressed-size',
    2,
    (header) => {
      header.compressedSize = -(2 ** 31)
    },
    'CORRUPT'
  )
  edited(
    'body-beyond-chunk',
    1,
    (header) => {
      header.compressedSize = header.uncompressedSize = 2000
    },
    'TRUNCATED'
  )
  edited(
    'body-of-2-gib',
    1,
    (header) => {
      header.compressedSize = header.uncompressedSize = 2 ** 31 - 1
    },
    'TRUNCATED'
  )
  edited(
    'sizes-differ',
    1,
    (header) => {
      header.uncompressedSize++
    },
    'CORRUPT',
    'an uncompressed page'
  )
  edited(
    'sizes-differ-v2',
    2,
    (header) => {
      header.uncompressedSize += 4
    },
    'CORRUPT'
  )
  edited(
    'data-page-without-its-header',
    1,
    (header) => {
      delete header.data
    },
    'CORRUPT'
  )
  edited(
    'data-page-v2-without-its-header',
    2,
    (header) => {
      delete header.dataV2
    },
    'CORRUPT'
  )
  edited(
    'header-of-another-type',
    1,
    (header) => {
      header.type = PAGE_TYPES.DATA_PAGE_V2
    },
    'CORRUPT'
  )
  edited(
    'negative-num-values',
    1,
    (header) => {
      if (header.data) header.data.numValues = -1
    },
    'CORRUPT'
  )
  edited(
    'negative-num-values-v2',
    2,
    (header) => {
      if (header.dataV2) header.dataV2.numValues = -1
    },
    'CORRUPT'
  )
  edited(
    'negative-definition-size',
    2,
    (header) => {
      if (header.dataV2) header.dataV2.definitionSize = -1
    },
    'CORRUPT'
  )
  edited(
    'negative-repetition-size',
    2,
    (header) => {
      if (header.dataV2) header.dataV2.repetitionSize = -4
    },
    'CORRUPT'
  )
  edited(
    'levels-larger-than-page',
    2,
    (header) => {
      if (header.dataV2) header.dataV2.definitionSize = 100
    },
    'CORRUPT'
  )
  edited(
    'levels-sum-of-2-32',
    2,
    (header) => {
      if (header.dataV2) header.dataV2.definitionSize = header.dataV2.repetitionSize = 2 ** 31 - 1
    },
    'CORRUPT'
  )
  edited(
    'num-rows-too-few',
    2,
    (header) => {
      if (header.dataV2) header.dataV2.numRows = 2
    },
    'CORRUPT'
  )
  edited(
    'num-rows-too-many',
    2,
    (header) => {
      if (header.dataV2) header.dataV2.numRows = 4
    },
    'CORRUPT'
  )
  edited(
    'unknown-encoding',
    1,
    (header) => {
      if (header.data) header.data.encoding = 42
    },
    'UNSUPPORTED'
  )
  edited(
    'negative-encoding',
    1,
    (header) => {
      if (header.data) header.data.encoding = -1
    },
    'UNSUPPORTED'
  )
  edited(
    'rle-of-int32',
    1,
    (header) => {
      if (header.data) header.data.encoding = ENCODINGS.RLE
    },
    'UNSUPPORTED',
    'RLE is for booleans'
  )
  edited(
    'unknown-level-encoding',
    1,
    (header) => {
      if (header.data) header.data.definitionEncoding = 42
    },
    'UNSUPPORTED'
  )
  /** @type {Column} */
  const snappy = { ...OPTIONAL, codec: 'SNAPPY' }
  /**
   * @param {string} name
   * @param {(header: PageHeader) => void} edit
   */
  const compressed = (name, edit) => bad(name, snappy, { version: 2, values: [1, null, 3], edit }, 'CORRUPT')
  compressed('levels-larger-than-compressed-page', (header) => {
    header.uncompressedSize = 500
    if (header.dataV2) header.dataV2.definitionSize = header.compressedSize + 1
  })
  compressed('levels-larger-than-uncompressed-page', (header) => {
    if (header.dataV2) header.uncompressedSize = header.dataV2.definitionSize - 1
  })
  bad(
    'plain-levels',
    OPTIONAL,
    {
      values: [3, null, 5],
      edit: (header) => {
        if (header.data) header.data.definitionEncoding = ENCODINGS.PLAIN
      },
    },
    'UNSUPPORTED',
    'an encoding that is not for levels'
  )
  bad(
    'delta-of-double',
    { type: 'DOUBLE' },
    {
      values: [1.5],
      edit: (header) => {
        if (header.data) header.data.encoding = ENCODINGS.DELTA_BINARY_PACKED
      },
    },
    'UNSUPPORTED',
    'DELTA_BINARY_PACKED is for whole numbers'
  )
  const body = [1, 0, 0, 0]
  const header = {
    type: 0,
    uncompressedSize: 4,
    compressedSize: 4,
    data: { numValues: 1, encoding: 0, definitionEncoding: 3, repetitionEncoding: 3 },
  }
  bad(
    'varint-of-6-bytes',
    INT32,
    concatBytes(fromHex('15 80 80 80 80 80 00'), encodePageHeader(header).subarray(2), body),
    'CORRUPT'
  )
  bad(
    'binary-longer-than-input',
    INT32,
    concatBytes(encodePageHeader({ ...header, before: [[90, raw(T.BINARY, fromHex('E8 07'))]] }), body),
    'TRUNCATED'
  )
  bad(
    'list-longer-than-input',
    INT32,
    concatBytes(encodePageHeader({ ...header, before: [[90, raw(T.LIST, fromHex('F5 E8 07'))]] }), body),
    'TRUNCATED'
  )
  bad(
    'unknown-thrift-type',
    INT32,
    concatBytes(encodePageHeader({ ...header, before: [[90, raw(14, [])]] }), body),
    'CORRUPT'
  )
}
