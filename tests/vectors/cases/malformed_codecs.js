/**
 * Compressed bodies and announced sizes that are wrong in one place.
 */
import { concatBytes, fromHex } from '../../reference/bytes.js'
import { encodeGzip } from '../../reference/gzip.js'
import { encodePage } from '../../reference/page.js'
import { encodePageHeader } from '../../reference/page_header.js'
import { encodeSnappy, encodeSnappyElements } from '../../reference/snappy.js'
import { raw, T } from '../../reference/thrift.js'
import { encodeZstd } from '../../reference/zstd.js'
import { grouped } from './malformed.js'

/** @typedef {import('../../reference/page.js').Column} Column */
/** @typedef {import('../../reference/page.js').PageSpec} PageSpec */
/** @typedef {import('../../reference/page_header.js').PageHeader} PageHeader */
/** @typedef {import('./malformed.js').Status} Status */

/** @type {Column} */
const INT32 = { type: 'INT32' }

/** @param {import('../suite.js').Suite} suite */
export function codecCases(suite) {
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
      bad(
        `${codec.toLowerCase()}-${name}-v${version}`,
        { type: 'INT32', codec },
        { version, values, compress },
        status,
        note
      )
    }
  }
  const n = 4 * values.length
  one('cut', 'SNAPPY', (bytes) => encodeSnappy(bytes).subarray(0, -1), 'TRUNCATED')
  one(
    'literal-cut',
    'SNAPPY',
    (bytes) => encodeSnappyElements(bytes, [{ literal: n }]).subarray(0, 100),
    'TRUNCATED'
  )
  one('nothing', 'SNAPPY', () => new Uint8Array(0), 'CORRUPT', 'the sizes of the header contradict each other')
  one(
    'longer',
    'SNAPPY',
    (bytes) => encodeSnappy(concatBytes(bytes, [1])),
    'CORRUPT',
    'another length than the header has'
  )
  one('shorter', 'SNAPPY', (bytes) => encodeSnappy(bytes.subarray(1)), 'CORRUPT')
  one(
    'length-of-6-bytes',
    'SNAPPY',
    (bytes) => concatBytes(fromHex('F0 81 80 80 80 00'), encodeSnappy(bytes).subarray(2)),
    'CORRUPT'
  )
  one('elements-short', 'SNAPPY', (bytes) => encodeSnappyElements(bytes, [{ literal: n - 1 }], n), 'TRUNCATED')
  one(
    'literal-too-long',
    'SNAPPY',
    (bytes) => encodeSnappyElements(concatBytes(bytes, [1]), [{ literal: n + 1 }], n),
    'CORRUPT'
  )
  one(
    'copy-too-long',
    'SNAPPY',
    (bytes) => encodeSnappyElements(bytes, [{ literal: n - 4 }, { copy: 5, offset: 4 }], n),
    'CORRUPT'
  )
  one(
    'offset-0',
    'SNAPPY',
    (bytes) => encodeSnappyElements(bytes, [{ literal: n - 60 }, { copy: 60, offset: 0, tag: 2 }], n),
    'CORRUPT'
  )
  one(
    'offset-beyond',
    'SNAPPY',
    (bytes) => encodeSnappyElements(bytes, [{ literal: 20 }, { copy: 60, offset: 21 }, { literal: n - 80 }], n),
    'CORRUPT'
  )
  one(
    'offset-of-32-bits',
    'SNAPPY',
    (bytes) => encodeSnappyElements(bytes, [{ literal: n - 60 }, { copy: 60, offset: 2 ** 32 - 1, tag: 3 }], n),
    'CORRUPT'
  )
  one('bytes-after', 'SNAPPY', (bytes) => concatBytes(encodeSnappy(bytes), [0, 1]), 'CORRUPT')
  one('cut', 'GZIP', (bytes) => encodeGzip(bytes).subarray(0, -12), 'TRUNCATED')
  one('trailer-cut', 'GZIP', (bytes) => encodeGzip(bytes).subarray(0, -3), 'TRUNCATED')
  one('nothing', 'GZIP', () => new Uint8Array(0), 'CORRUPT', 'the sizes of the header contradict each other')
  one('no-gzip', 'GZIP', (bytes) => bytes, 'CORRUPT')
  one('wrong-crc', 'GZIP', (bytes) => encodeGzip(bytes, { crc: 1 }), 'CORRUPT')
  const gzipColumn = { type: /** @type {const} */ ('INT32'), codec: 'GZIP' }
  suite.page({
    name: 'malformed/codec/gzip-bytes-after',
    column: gzipColumn,
    status: 'CORRUPT',
    outside: true,
    chunk: encodePage(gzipColumn, { values, compress: (bytes) => concatBytes(encodeGzip(bytes), [1, 2, 3]) }),
  })
  suite.page({
    name: 'malformed/codec/gzip-zeros-after',
    column: gzipColumn,
    entries: values,
    outside: true,
    note: 'padding',
    chunk: encodePage(gzipColumn, {
      values,
      compress: (bytes) => concatBytes(encodeGzip(bytes), new Uint8Array(20)),
    }),
  })
  one('longer', 'GZIP', (bytes) => encodeGzip(concatBytes(bytes, [1])), 'CORRUPT')
  one('shorter', 'GZIP', (bytes) => encodeGzip(bytes.subarray(1)), 'CORRUPT')
  one('cut', 'ZSTD', (bytes) => encodeZstd(bytes).subarray(0, -1), 'TRUNCATED')
  one('nothing', 'ZSTD', () => new Uint8Array(0), 'CORRUPT', 'the sizes of the header contradict each other')
  one('no-zstd', 'ZSTD', (bytes) => bytes, 'CORRUPT')
  one('longer', 'ZSTD', (bytes) => encodeZstd(concatBytes(bytes, [1])), 'CORRUPT')
  one('shorter', 'ZSTD', (bytes) => encodeZstd(bytes.subarray(1)), 'CORRUPT')
  one('bytes-after', 'ZSTD', (bytes) => concatBytes(encodeZstd(bytes), [1, 2, 3, 4]), 'CORRUPT')
  sizeCases(suite)
  const header = encodePageHeader({
    type: 0,
    uncompressedSize: 4,
    compressedSize: 3,
    data: { numValues: 1, encoding: 0, definitionEncoding: 3, repetitionEncoding: 3 },
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
    const chunk = encodePage(column, {
      values: [1],
      edit: (header) => {
        header.uncompressedSize = size
      },
    })
    suite.page({ name: `malformed/size/${name}`, column, chunk, maxBytes: 100000, status, outside: true, note })
  }
  sized('limit', 'ZSTD', 500000, 'LIMIT', '500000 bytes, and 100000 are allowed')
  for (const codec of ['LZ4', 'LZ4_RAW']) {
    sized(
      `${codec.toLowerCase()}-2-gib`,
      codec,
      2 ** 31 - 1,
      'CORRUPT',
      'a body of a few bytes cannot give 2 GiB'
    )
  }
  sized('snappy-2-gib', 'SNAPPY', 2 ** 31 - 1, 'CORRUPT', 'a body of a few bytes cannot give 2 GiB')
  const header = encodePageHeader({
    type: 0,
    uncompressedSize: 4,
    compressedSize: 4,
    before: [[90, raw(T.BINARY, fromHex('FF FF FF FF 07'))]],
    data: { numValues: 1, encoding: 0, definitionEncoding: 3, repetitionEncoding: 3 },
  })
  suite.page({
    name: 'malformed/size/page-header',
    column: INT32,
    chunk: concatBytes(header, [1, 0, 0, 0]),
    status: 'LIMIT',
    outside: true,
    note: '2 GiB of one field: longer than page headers may be',
  })
}
