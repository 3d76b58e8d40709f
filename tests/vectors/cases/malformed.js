/**
 * Chunks that are wrong in one place, with the status that they must get. The rule: TRUNCATED where the input ends before
 * what it announces, CORRUPT where a number or a bit contradicts the format or another number.
 */
import { Random } from '../../reference/random.js'
import { concatBytes, fromHex } from '../../reference/bytes.js'
import { encodeDelta } from '../../reference/delta.js'
import { encodeGzip } from '../../reference/gzip.js'
import { ENCODINGS, PAGE_TYPES } from '../../reference/names.js'
import { encodePageHeader } from '../../reference/page_header.js'
import { encodePage, encodePages, withLength } from '../../reference/page.js'
import { encodeSnappy, encodeSnappyElements } from '../../reference/snappy.js'
import { raw, T } from '../../reference/thrift.js'
import { encodeZstd } from '../../reference/zstd.js'

/** @typedef {import('../../reference/page.js').Column} Column */
/** @typedef {import('../../reference/page.js').PageSpec} PageSpec */
/** @typedef {import('../../reference/page.js').DataSpec} DataSpec */
/** @typedef {import('../../reference/page_header.js').PageHeader} PageHeader */
/** @typedef {'TRUNCATED' | 'CORRUPT' | 'UNSUPPORTED' | 'LIMIT'} Status */

/** @type {Column} */
const INT32 = { type: 'INT32' }
/** @type {Column} */
const OPTIONAL = { type: 'INT32', maxDefinitionLevel: 1 }

/** @param {import('../suite.js').Suite} suite */
export function malformedCases(suite) {
  cutCases(suite)
  headerCases(suite)
  levelCases(suite)
  plainCases(suite)
  deltaCases(suite)
  dictionaryCases(suite)
  codecCases(suite)
}

/**
 * Writes cases of one group: a good page before the bad one, so that the error comes after rows were kept.
 * @param {import('../suite.js').Suite} suite
 * @param {string} group
 */
function grouped(suite, group) {
  /**
   * @param {string} name
   * @param {Column} column
   * @param {PageSpec | PageSpec[] | Uint8Array} page
   * @param {Status} status
   * @param {string} [note]
   */
  return (name, column, page, status, note) => {
    const chunk = page instanceof Uint8Array ? page : encodePages(column, Array.isArray(page) ? page : [page])
    suite.page({ name: `malformed/${group}/${name}`, column, chunk, status, note })
  }
}

/**
 * Every prefix of a chunk of three pages. Where a page ends, the rest of the chunk is simply not there.
 * @param {import('../suite.js').Suite} suite
 */
function cutCases(suite) {
  /** @type {PageSpec[]} */
  const pages = [{ dictionary: [7, 8, 9] }, { encoding: 'RLE_DICTIONARY', indices: [0, null, 2, 1, null, 2] },
    { version: 2, encoding: 'DELTA_BINARY_PACKED', values: [null, 5, 6, null, 9] }]
  const chunk = encodePages(OPTIONAL, pages)
  const ends = pages.map((_, i) => encodePages(OPTIONAL, pages.slice(0, i + 1)).length)
  for (let size = 0; size < chunk.length; size++) {
    suite.page({
      name: `malformed/cut/at-${size}`, column: OPTIONAL, chunk: chunk.slice(0, size),
      status: size === 0 || ends.includes(size) ? 'OK' : 'TRUNCATED'
    })
  }
}

/** @param {import('../suite.js').Suite} suite */
function headerCases(suite) {
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
  edited('negative-compressed-size', 1, header => { header.compressedSize = -1 }, 'CORRUPT')
  edited('negative-uncompressed-size', 1, header => { header.uncompressedSize = -1 }, 'CORRUPT')
  edited('lowest-compressed-size', 2, header => { header.compressedSize = -(2 ** 31) }, 'CORRUPT')
  edited('body-beyond-chunk', 1, header => { header.compressedSize = header.uncompressedSize = 2000 }, 'TRUNCATED')
  edited('body-of-2-gib', 1, header => { header.compressedSize = header.uncompressedSize = 2 ** 31 - 1 }, 'TRUNCATED')
  edited('sizes-differ', 1, header => { header.uncompressedSize++ }, 'CORRUPT', 'an uncompressed page')
  edited('sizes-differ-v2', 2, header => { header.uncompressedSize += 4 }, 'CORRUPT')
  edited('data-page-without-its-header', 1, header => { delete header.data }, 'CORRUPT')
  edited('data-page-v2-without-its-header', 2, header => { delete header.dataV2 }, 'CORRUPT')
  edited('header-of-another-type', 1, header => { header.type = PAGE_TYPES.DATA_PAGE_V2 }, 'CORRUPT')
  edited('negative-num-values', 1, header => { if (header.data) header.data.numValues = -1 }, 'CORRUPT')
  edited('negative-num-values-v2', 2, header => { if (header.dataV2) header.dataV2.numValues = -1 }, 'CORRUPT')
  edited('negative-definition-size', 2, header => { if (header.dataV2) header.dataV2.definitionSize = -1 }, 'CORRUPT')
  edited('negative-repetition-size', 2, header => { if (header.dataV2) header.dataV2.repetitionSize = -4 }, 'CORRUPT')
  edited('levels-larger-than-page', 2, header => { if (header.dataV2) header.dataV2.definitionSize = 100 }, 'CORRUPT')
  edited('levels-sum-of-2-32', 2, header => {
    if (header.dataV2) header.dataV2.definitionSize = header.dataV2.repetitionSize = 2 ** 31 - 1
  }, 'CORRUPT')
  edited('num-rows-too-few', 2, header => { if (header.dataV2) header.dataV2.numRows = 2 }, 'CORRUPT')
  edited('num-rows-too-many', 2, header => { if (header.dataV2) header.dataV2.numRows = 4 }, 'CORRUPT')
  edited('unknown-encoding', 1, header => { if (header.data) header.data.encoding = 42 }, 'UNSUPPORTED')
  edited('negative-encoding', 1, header => { if (header.data) header.data.encoding = -1 }, 'UNSUPPORTED')
  edited('rle-of-int32', 1, header => { if (header.data) header.data.encoding = ENCODINGS.RLE }, 'UNSUPPORTED', 'RLE is for booleans')
  edited('unknown-level-encoding', 1, header => { if (header.data) header.data.definitionEncoding = 42 }, 'UNSUPPORTED')
  bad('delta-of-double', { type: 'DOUBLE' }, { values: [1.5], edit: header => { if (header.data) header.data.encoding = ENCODINGS.DELTA_BINARY_PACKED } },
    'UNSUPPORTED', 'DELTA_BINARY_PACKED is for whole numbers')
  const body = [1, 0, 0, 0]
  const header = { type: 0, uncompressedSize: 4, compressedSize: 4, data: { numValues: 1, encoding: 0, definitionEncoding: 3, repetitionEncoding: 3 } }
  bad('varint-of-6-bytes', INT32, concatBytes(fromHex('15 80 80 80 80 80 00'), encodePageHeader(header).subarray(2), body), 'CORRUPT')
  bad('binary-longer-than-input', INT32, concatBytes(encodePageHeader({ ...header, before: [[90, raw(T.BINARY, fromHex('E8 07'))]] }), body), 'TRUNCATED')
  bad('list-longer-than-input', INT32, concatBytes(encodePageHeader({ ...header, before: [[90, raw(T.LIST, fromHex('F5 E8 07'))]] }), body), 'TRUNCATED')
  bad('unknown-thrift-type', INT32, concatBytes(encodePageHeader({ ...header, before: [[90, raw(14, [])]] }), body), 'CORRUPT')
}

/** @param {import('../suite.js').Suite} suite */
function levelCases(suite) {
  const bad = grouped(suite, 'levels')
  const values = [1, 2, 3, 4, 5, 6, 7, 8, 9]
  for (const version of /** @type {const} */ ([1, 2])) {
    /**
     * @param {string} name
     * @param {string} hex of the runs
     * @param {Status} status
     * @param {string} [note]
     */
    const runs = (name, hex, status, note) => bad(`${name}-v${version}`, OPTIONAL, {
      version, values, definitionSection: version === 1 ? withLength(fromHex(hex)) : fromHex(hex)
    }, status, note)
    runs('too-few-rle', '10 01', 'TRUNCATED', '8 levels for 9 entries')
    runs('too-few-packed', '03 FF', 'TRUNCATED')
    runs('none', '', 'TRUNCATED')
    runs('run-cut', '12', 'TRUNCATED')
    runs('empty-run', '02 01 00 01 10 01', 'CORRUPT')
    runs('empty-packed-run', '02 01 01 10 01', 'CORRUPT')
    runs('above-maximum-1', '12 02', 'CORRUPT', 'a run of level 2')
    runs('above-maximum-later', '02 01 10 FF', 'CORRUPT')
    for (const maximum of [2, 5]) {
      const width = maximum.toString(2).length
      const column = { type: /** @type {const} */ ('INT32'), maxDefinitionLevel: maximum }
      const packed = width === 2 ? fromHex('02 02 03 AA EA') : fromHex('02 05 03 6D DB FE')
      const run = Uint8Array.of(2, maximum, 16, maximum + 1)
      for (const [kind, section] of Object.entries({ packed, run })) {
        bad(`above-maximum-${maximum}-${kind}-v${version}`, column, { version, values, definitionSection: version === 1 ? withLength(section) : section }, 'CORRUPT')
      }
    }
  }
  bad('length-beyond-page', OPTIONAL, { values, definitionSection: withLength(fromHex('12 01'), 1000) }, 'TRUNCATED')
  bad('length-of-4-gib', OPTIONAL, { values, definitionSection: withLength(fromHex('12 01'), 2 ** 32 - 1) }, 'TRUNCATED')
  bad('length-cut', OPTIONAL, { values: new Array(9).fill(null), definitionSection: fromHex('02 00 00') }, 'TRUNCATED')
  bad('length-0', OPTIONAL, { values, definitionSection: withLength(fromHex('')) }, 'TRUNCATED', 'a length of 0 is a length')
  bad('length-shorter-than-levels', OPTIONAL, { values, definitionSection: withLength(fromHex('12 01'), 1) }, 'TRUNCATED')
}

/** @param {import('../suite.js').Suite} suite */
function plainCases(suite) {
  const bad = grouped(suite, 'plain')
  const random = new Random(400)
  for (const [type, size, typeLength] of /** @type {[import('../../reference/plain.js').Type, number, number?][]} */ ([
    ['INT32', 4], ['INT64', 8], ['INT96', 12], ['FLOAT', 4], ['DOUBLE', 8], ['FIXED_LEN_BYTE_ARRAY', 5, 5]])) {
    const name = type.toLowerCase().replaceAll('_', '-')
    const column = { type, typeLength }
    const values = Array.from({ length: 100 }, () => random.bytes(size))
    const section = concatBytes(...values)
    bad(`${name}-cut`, column, { values, section: section.subarray(0, -1) }, 'TRUNCATED')
    bad(`${name}-none`, column, { values, section: section.subarray(0, 0) }, 'TRUNCATED')
    bad(`${name}-huge-count`, column, { values, edit: header => { if (header.data) header.data.numValues = 2 ** 31 - 1 } }, 'TRUNCATED', '2^31 - 1 values announced')
    bad(`${name}-nulls-cut-v2`, { ...column, maxDefinitionLevel: 1 }, { version: 2, values: [...values, null], section: section.subarray(0, -1) }, 'TRUNCATED')
  }
  const booleans = new Array(100).fill(true)
  bad('boolean-cut', { type: 'BOOLEAN' }, { values: booleans, section: new Uint8Array(12) }, 'TRUNCATED')
  bad('boolean-huge-count', { type: 'BOOLEAN' }, { values: booleans, edit: header => { if (header.data) header.data.numValues = 2 ** 31 - 1 } }, 'TRUNCATED')
  const strings = { type: /** @type {const} */ ('BYTE_ARRAY') }
  bad('byte-array-none', strings, { values: ['a'], section: fromHex('') }, 'TRUNCATED')
  bad('byte-array-length-cut', strings, { values: ['a', 'b'], section: fromHex('01000000 61 0100') }, 'TRUNCATED')
  bad('byte-array-bytes-cut', strings, { values: ['a', 'bcd'], section: fromHex('01000000 61 03000000 62') }, 'TRUNCATED')
  bad('byte-array-length-beyond', strings, { values: ['a', 'b'], section: fromHex('01000000 61 02000000 62') }, 'TRUNCATED')
  bad('byte-array-length-negative', strings, { values: ['a', 'b'], section: fromHex('FFFFFFFF 61 01000000 62') }, 'TRUNCATED', 'read as signed it would be -1')
  bad('byte-array-lowest-length', strings, { values: ['a', 'b'], section: fromHex('00000080 61 01000000 62') }, 'TRUNCATED')
  bad('byte-array-huge-count', strings, { values: ['', ''], edit: header => { if (header.data) header.data.numValues = 2 ** 31 - 1 } }, 'TRUNCATED')
  for (const version of /** @type {const} */ ([1, 2])) {
    const rle = (/** @type {string} */ name, /** @type {Uint8Array} */ section, /** @type {Status} */ status) =>
      bad(`boolean-rle-${name}-v${version}`, { type: 'BOOLEAN' }, { version, encoding: 'RLE', values: new Array(9).fill(true), section }, status)
    rle('none', fromHex(''), 'TRUNCATED')
    rle('length-cut', fromHex('02 00'), 'TRUNCATED')
    rle('length-beyond', withLength(fromHex('12 01'), 3), 'TRUNCATED')
    rle('length-of-4-gib', withLength(fromHex('12 01'), 2 ** 32 - 1), 'TRUNCATED')
    rle('length-too-short', withLength(fromHex('12 01'), 1), 'TRUNCATED')
    rle('too-few', withLength(fromHex('10 01')), 'TRUNCATED')
    rle('empty-run', withLength(fromHex('10 01 00 01')), 'CORRUPT')
    rle('value-2', withLength(fromHex('12 02')), 'CORRUPT')
  }
}

/** @param {import('../suite.js').Suite} suite */
function deltaCases(suite) {
  const bad = grouped(suite, 'delta')
  const values = Array.from({ length: 70 }, (_, i) => BigInt(i * i % 51))
  const nulls = [null, ...values, null]
  for (const type of /** @type {const} */ (['INT32', 'INT64'])) {
    const bits = type === 'INT32' ? 32 : 64
    const name = type.toLowerCase()
    const stream = encodeDelta(values, bits)
    const column = { type, maxDefinitionLevel: 1 }
    const section = (/** @type {string} */ what, /** @type {Uint8Array} */ bytes, /** @type {Status} */ status, /** @type {string} */ note = '') =>
      bad(`${name}-${what}`, column, { version: 2, encoding: 'DELTA_BINARY_PACKED', values: nulls, section: bytes }, status, note || undefined)
    section('body-cut', stream.subarray(0, -1), 'TRUNCATED')
    section('body-cut-to-its-values', stream.subarray(0, -20), 'TRUNCATED', 'the padding of the last body is missing')
    section('none', stream.subarray(0, 0), 'TRUNCATED')
    section('header-cut', stream.subarray(0, 4), 'TRUNCATED')
    section('widths-cut', stream.subarray(0, 8), 'TRUNCATED')
    section('bytes-after', concatBytes(stream, [0]), 'CORRUPT', 'the stream is the whole section')
    section('one-value-fewer', encodeDelta(values.slice(1), bits), 'CORRUPT', 'the count of the stream against the levels')
    section('one-value-more', encodeDelta([...values, 1n], bits), 'CORRUPT')
    section('more-than-entries', encodeDelta([...values, 1n, 2n, 3n], bits), 'CORRUPT')
    section('huge-count', concatBytes(fromHex('80 01 04 FF FF FF FF 07 00'), new Uint8Array(400)), 'CORRUPT')
    section('no-values', encodeDelta([], bits), 'CORRUPT')
    section('geometry', fromHex('80 01 08 46 00 00 00 00 00 00 00 00 00 00'), 'CORRUPT')
    const wide = stream.slice()
    wide[6] = bits + 1
    section('width', concatBytes(wide, new Uint8Array(300)), 'CORRUPT')
    bad(`${name}-values-for-nulls`, column, { encoding: 'DELTA_BINARY_PACKED', values: [null, null], section: encodeDelta([5n], bits) }, 'CORRUPT', 'a value, and no entry that wants it')
  }
}

/** @param {import('../suite.js').Suite} suite */
function dictionaryCases(suite) {
  const bad = grouped(suite, 'dictionary')
  const types = /** @type {[string, Column, import('../../reference/plain.js').Value[]][]} */ ([
    ['int32', { type: 'INT32' }, [70, 71, 72]], ['int64', { type: 'INT64' }, [70, 71, 72]], ['byte-array', { type: 'BYTE_ARRAY' }, ['a', '', 'ccc']],
    ['int96', { type: 'INT96' }, [70, 71, 72].map(byte => new Uint8Array(12).fill(byte))]
  ])
  const indices = new Array(100).fill(0)
  for (const [name, column, dictionary] of types) {
    const section = (/** @type {string} */ what, /** @type {string} */ hex, /** @type {Status} */ status, /** @type {string} */ note = '') =>
      bad(`${name}-${what}`, column, [{ dictionary }, { encoding: 'RLE_DICTIONARY', indices, section: fromHex(hex) }], status, note || undefined)
    section('index-in-run', '02 C0 01 00 08 03', 'CORRUPT', 'entry 3 of 3')
    section('index-in-first-run', '02 C8 01 03', 'CORRUPT')
    section('index-in-packed', '02 1B' + '00'.repeat(24) + '30 00', 'CORRUPT')
    section('index-in-packed-end', '02 1B' + '00'.repeat(24) + 'C0 00', 'CORRUPT')
    section('packed-cut', '02 1B' + '00'.repeat(24), 'TRUNCATED', '96 of 100 indices')
    section('index-of-32-bits', '20 C8 01 FF FF FF FF', 'CORRUPT')
    section('width-33', '21 C8 01 00 00 00 00 00', 'CORRUPT')
    section('width-255', 'FF C8 01 00', 'CORRUPT')
    section('empty-body', '', 'TRUNCATED')
    section('width-alone', '02', 'TRUNCATED')
    section('too-few', '02 C6 01 00', 'TRUNCATED')
    section('empty-run', '02 C6 01 00 00 00 08 00', 'CORRUPT')
    bad(`${name}-none`, column, { encoding: 'RLE_DICTIONARY', indices: [0, 0] }, 'CORRUPT', 'no dictionary page before')
    bad(`${name}-no-entries`, column, [{ dictionary: [] }, { encoding: 'RLE_DICTIONARY', indices: [0, 0] }], 'CORRUPT')
    bad(`${name}-second`, column, [{ dictionary }, { encoding: 'RLE_DICTIONARY', indices: [1, 0] }, { dictionary }], 'CORRUPT', 'a second dictionary page')
    bad(`${name}-late`, column, [{ values: dictionary }, { dictionary }, { encoding: 'RLE_DICTIONARY', indices: [1, 0] }], 'CORRUPT', 'a dictionary page after a data page')
    const count = (/** @type {string} */ what, /** @type {number} */ n, /** @type {Status} */ status) => bad(`${name}-${what}`, column,
      [{ dictionary, edit: header => { if (header.dictionary) header.dictionary.numValues = n } }, { encoding: 'RLE_DICTIONARY', indices: [1, 0] }], status)
    count('entries-missing', 4, 'TRUNCATED')
    count('entries-negative', -1, 'CORRUPT')
    count('entries-huge', 2 ** 31 - 1, 'TRUNCATED')
  }
  bad('page-without-its-header', INT32, [{ dictionary: [1], edit: header => { delete header.dictionary } }], 'CORRUPT')
  bad('page-in-another-encoding', INT32, [{ dictionary: [1], encoding: 'RLE' }, { encoding: 'RLE_DICTIONARY', indices: [0, 0] }], 'UNSUPPORTED')
  bad('last-index-of-65537', INT32, [{ dictionary: [7, 8] }, { encoding: 'RLE_DICTIONARY', indices: [0, 1, 65536], indexWidth: 17 }], 'CORRUPT', 'its low 16 bits are 0')
}

/** @param {import('../suite.js').Suite} suite */
function codecCases(suite) {
  const bad = grouped(suite, 'codec')
  const values = Array.from({ length: 60 }, (_, i) => BigInt(i % 7))
  /**
   * @param {string} name
   * @param {string} codec
   * @param {(bytes: Uint8Array) => Uint8Array} compress
   * @param {Status} status
   * @param {string} [note]
   */
  const one = (name, codec, compress, status, note) => {
    for (const version of /** @type {const} */ ([1, 2])) {
      bad(`${codec.toLowerCase()}-${name}-v${version}`, { type: 'INT32', codec }, { version, values, compress }, status, note)
    }
  }
  const n = 4 * values.length
  one('cut', 'SNAPPY', bytes => encodeSnappy(bytes).subarray(0, -1), 'TRUNCATED')
  one('literal-cut', 'SNAPPY', bytes => encodeSnappyElements(bytes, [{ literal: n }]).subarray(0, 100), 'TRUNCATED')
  one('nothing', 'SNAPPY', () => new Uint8Array(0), 'CORRUPT', 'the sizes of the header contradict each other')
  one('longer', 'SNAPPY', bytes => encodeSnappy(concatBytes(bytes, [1])), 'CORRUPT', 'another length than the header has')
  one('shorter', 'SNAPPY', bytes => encodeSnappy(bytes.subarray(1)), 'CORRUPT')
  one('length-of-6-bytes', 'SNAPPY', bytes => concatBytes(fromHex('F0 81 80 80 80 00'), encodeSnappy(bytes).subarray(2)), 'CORRUPT')
  one('elements-short', 'SNAPPY', bytes => encodeSnappyElements(bytes, [{ literal: n - 1 }], n), 'TRUNCATED')
  one('literal-too-long', 'SNAPPY', bytes => encodeSnappyElements(concatBytes(bytes, [1]), [{ literal: n + 1 }], n), 'CORRUPT')
  one('copy-too-long', 'SNAPPY', bytes => encodeSnappyElements(bytes, [{ literal: n - 4 }, { copy: 5, offset: 4 }], n), 'CORRUPT')
  one('offset-0', 'SNAPPY', bytes => encodeSnappyElements(bytes, [{ literal: n - 60 }, { copy: 60, offset: 0, tag: 2 }], n), 'CORRUPT')
  one('offset-beyond', 'SNAPPY', bytes => encodeSnappyElements(bytes, [{ literal: 20 }, { copy: 60, offset: 21 }, { literal: n - 80 }], n), 'CORRUPT')
  one('offset-of-32-bits', 'SNAPPY', bytes => encodeSnappyElements(bytes, [{ literal: n - 60 }, { copy: 60, offset: 2 ** 32 - 1, tag: 3 }], n), 'CORRUPT')
  one('bytes-after', 'SNAPPY', bytes => concatBytes(encodeSnappy(bytes), [0, 1]), 'CORRUPT')
  one('cut', 'GZIP', bytes => encodeGzip(bytes).subarray(0, -12), 'TRUNCATED')
  one('trailer-cut', 'GZIP', bytes => encodeGzip(bytes).subarray(0, -3), 'TRUNCATED')
  one('nothing', 'GZIP', () => new Uint8Array(0), 'CORRUPT', 'the sizes of the header contradict each other')
  one('no-gzip', 'GZIP', bytes => bytes, 'CORRUPT')
  one('wrong-crc', 'GZIP', bytes => encodeGzip(bytes, { crc: 1 }), 'CORRUPT')
  const gzipColumn = { type: /** @type {const} */ ('INT32'), codec: 'GZIP' }
  suite.page({
    name: 'malformed/codec/gzip-bytes-after', column: gzipColumn, status: 'CORRUPT', outside: true,
    chunk: encodePage(gzipColumn, { values, compress: bytes => concatBytes(encodeGzip(bytes), [1, 2, 3]) })
  })
  suite.page({
    name: 'malformed/codec/gzip-zeros-after', column: gzipColumn, entries: values, outside: true, note: 'padding',
    chunk: encodePage(gzipColumn, { values, compress: bytes => concatBytes(encodeGzip(bytes), new Uint8Array(20)) })
  })
  one('longer', 'GZIP', bytes => encodeGzip(concatBytes(bytes, [1])), 'CORRUPT')
  one('shorter', 'GZIP', bytes => encodeGzip(bytes.subarray(1)), 'CORRUPT')
  one('cut', 'ZSTD', bytes => encodeZstd(bytes).subarray(0, -1), 'TRUNCATED')
  one('nothing', 'ZSTD', () => new Uint8Array(0), 'CORRUPT', 'the sizes of the header contradict each other')
  one('no-zstd', 'ZSTD', bytes => bytes, 'CORRUPT')
  one('longer', 'ZSTD', bytes => encodeZstd(concatBytes(bytes, [1])), 'CORRUPT')
  one('shorter', 'ZSTD', bytes => encodeZstd(bytes.subarray(1)), 'CORRUPT')
  one('bytes-after', 'ZSTD', bytes => concatBytes(encodeZstd(bytes), [1, 2, 3, 4]), 'CORRUPT')
  sizeCases(suite)
  const header = encodePageHeader({
    type: 0, uncompressedSize: 4, compressedSize: 3, data: { numValues: 1, encoding: 0, definitionEncoding: 3, repetitionEncoding: 3 }
  })
  bad('lzo', { type: 'INT32', codec: 'LZO' }, concatBytes(header, [1, 2, 3]), 'UNSUPPORTED')
}

/**
 * Sizes that must be refused before anything is allocated for them.
 * @param {import('../suite.js').Suite} suite
 */
function sizeCases(suite) {
  /**
   * @param {string} name
   * @param {string} codec
   * @param {number} size
   * @param {Status} status
   * @param {string} note
   */
  const sized = (name, codec, size, status, note) => {
    const column = { type: /** @type {const} */ ('INT32'), codec }
    const chunk = encodePage(column, { values: [1], edit: header => { header.uncompressedSize = size } })
    suite.page({ name: `malformed/size/${name}`, column, chunk, maxBytes: 100000, status, outside: true, note })
  }
  sized('limit', 'ZSTD', 500000, 'LIMIT', '500000 bytes, and 100000 are allowed')
  sized('snappy-2-gib', 'SNAPPY', 2 ** 31 - 1, 'CORRUPT', 'a body of a few bytes cannot give 2 GiB')
  const header = encodePageHeader({
    type: 0, uncompressedSize: 4, compressedSize: 4, before: [[90, raw(T.BINARY, fromHex('FF FF FF FF 07'))]],
    data: { numValues: 1, encoding: 0, definitionEncoding: 3, repetitionEncoding: 3 }
  })
  suite.page({
    name: 'malformed/size/page-header', column: INT32, chunk: concatBytes(header, [1, 0, 0, 0]), status: 'LIMIT', outside: true,
    note: '2 GiB of one field: longer than page headers may be'
  })
}
