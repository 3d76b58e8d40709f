/** Physical types, encodings, pages and codecs, each in a column `x` of seven rows. */
import { brotliCompressSync, constants } from 'node:zlib'
import { concatBytes } from '../../reference/bytes.js'
import { encodeDelta } from '../../reference/delta.js'
import { encodeGzip } from '../../reference/gzip.js'
import { bytesOf, int96Of, textOf } from '../plain.js'
import { treeFile } from '../tree_file.js'

/** @typedef {import('../../reference/page.js').PageSpec} PageSpec */
/** @typedef {import('../../reference/nesting.js').Leveled} Leveled */
/**
 * @typedef {object} Feature
 * @property {string} name
 * @property {Uint8Array} bytes of the file
 * @property {any[]} values of its column, in the form of plain.js
 * @property {any[][]} [others] what counts as equal too
 */

const utf8 = new TextEncoder()
/** Microseconds after 1970. @param {number} i */
const int96 = (i) => Uint8Array.from([(1000 * i) & 255, (1000 * i) >> 8, 0, 0, 0, 0, 0, 0, 0x8c, 0x3d, 0x25, 0])
const fixed = (/** @type {number} */ i) => Uint8Array.of(200 + i, 1, 255, 7, i)

/** Values of each type as the model takes them. @type {Record<string, any[]>} */
const VALUES = {
  BOOLEAN: [true, false, false, true, true],
  INT32: [1n, -5n, 2147483647n, -2147483648n, 7n],
  INT64: [1n, -5n, 9223372036854775807n, -9223372036854775808n, 7n],
  INT96: [1, 2, 3, 4, 5].map(int96),
  FLOAT: [1.5, -0.25, 3.5, 1024, -0],
  DOUBLE: [1.1, -0.1, 1e300, 12.34, -0],
  BYTE_ARRAY: ['prefix', 'prefixes', '', 'préfixe', 'prefixes'],
  FIXED_LEN_BYTE_ARRAY: [1, 2, 3, 4, 5].map(fixed),
}

/** As the readers give them. @param {string} type @returns {any[]} */
function plain(type) {
  if (type === 'INT96') return VALUES[type].map(int96Of)
  if (type === 'BYTE_ARRAY') return VALUES[type].map(textOf)
  return type.startsWith('FIXED') ? VALUES[type].map(bytesOf) : VALUES[type]
}

/** Nulls among them. @param {any[]} values */
const spread = ([a, b, c, d, e]) => [a, null, b, c, null, d, e]

/**
 * @typedef {object} Making
 * @property {string} [codec]
 * @property {'OPTIONAL' | 'REQUIRED'} [repetition]
 * @property {(leveled: Leveled) => PageSpec[]} [pages]
 */

/**
 * @param {string} name
 * @param {string} type
 * @param {Making} [making]
 * @returns {Feature}
 */
function feature(name, type, { codec, repetition = 'OPTIONAL', pages } = {}) {
  const arrange = repetition === 'OPTIONAL' ? spread : (/** @type {any[]} */ values) => values
  const node = {
    name: 'x',
    repetition,
    type: /** @type {any} */ (type),
    typeLength: type.startsWith('FIXED') ? 5 : undefined,
  }
  const records = arrange(VALUES[type]).map((x) => ({ x }))
  const annotated = type === 'BYTE_ARRAY' ? { ...node, convertedType: 0 } : node
  return { name, bytes: treeFile([annotated], records, { codec, pages }), values: arrange(plain(type)) }
}

/**
 * One page of an encoding.
 * @param {string} encoding
 * @param {Partial<import('../../reference/page.js').DataSpec>} [more]
 * @returns {(leveled: Leveled) => PageSpec[]}
 */
const page =
  (encoding, more = {}) =>
  ({ stored, ...levels }) => [{ ...levels, values: stored, encoding, ...more }]

/**
 * @param {string} encoding
 * @param {Partial<import('../../reference/page.js').DataSpec>} [more]
 * @returns {(leveled: Leveled) => PageSpec[]}
 */
const dictionary =
  (encoding, more = {}) =>
  ({ stored, ...levels }) => [
    { dictionary: stored, encoding: encoding === 'PLAIN_DICTIONARY' ? encoding : 'PLAIN' },
    { ...levels, indices: stored.map((_, i) => i), encoding, ...more },
  ]

/** @param {Uint8Array[]} values */
function deltaLengths(values) {
  return concatBytes(
    encodeDelta(
      values.map(({ length }) => BigInt(length)),
      32
    ),
    ...values
  )
}

/** @param {any[]} stored */
const bytes = (stored) => stored.map((value) => (typeof value === 'string' ? utf8.encode(value) : value))

/** @param {Uint8Array[]} values */
function deltaStrings(values) {
  const prefixes = values.map((value, i) => {
    let same = 0
    while (i > 0 && same < value.length && value[same] === values[i - 1][same]) same++
    return same
  })
  const suffixes = values.map((value, i) => value.subarray(prefixes[i]))
  return concatBytes(encodeDelta(prefixes.map(BigInt), 32), deltaLengths(suffixes))
}

/** @param {string} encoding @param {(values: Uint8Array[]) => Uint8Array} encode */
const strings =
  (encoding, encode) =>
  (/** @type {Leveled} */ { stored, ...levels }) => [
    { ...levels, values: stored, encoding, section: encode(bytes(stored)) },
  ]

/** A block of LZ4 with literals alone. @param {Uint8Array} input */
function lz4Block(input) {
  const more = input.length - 15
  const lengths = more < 0 ? [] : [...Array(Math.floor(more / 255)).fill(255), more % 255]
  return concatBytes([Math.min(input.length, 15) << 4], lengths, input)
}

/** @param {Uint8Array} input */
function hadoopFrame(input) {
  const block = lz4Block(input)
  const header = new DataView(new ArrayBuffer(8))
  header.setUint32(0, input.length)
  header.setUint32(4, block.length)
  return concatBytes(new Uint8Array(header.buffer), block)
}

/** @param {Uint8Array} input */
const brotli = (input) =>
  new Uint8Array(brotliCompressSync(input, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }))
/** @param {Uint8Array} input */
const members = (input) => concatBytes(encodeGzip(input.subarray(0, 9)), encodeGzip(input.subarray(9)))

/** @param {string} name @param {string} codec @param {(bytes: Uint8Array) => Uint8Array} compress */
const compressed = (name, codec, compress) =>
  feature(name, 'INT64', { codec, pages: page('PLAIN', { compress }) })

/** Halves of the rows as pages of their own. @param {Leveled} leveled @returns {PageSpec[]} */
function twoPages({ stored, definitionLevels, repetitionLevels }) {
  const first = definitionLevels.slice(0, 4).filter((level) => level === 1).length
  return [
    {
      values: stored.slice(0, first),
      definitionLevels: definitionLevels.slice(0, 4),
      repetitionLevels: repetitionLevels.slice(0, 4),
    },
    { values: [], definitionLevels: [], repetitionLevels: [] },
    {
      values: stored.slice(first),
      definitionLevels: definitionLevels.slice(4),
      repetitionLevels: repetitionLevels.slice(4),
      version: 2,
    },
  ]
}

const TYPES = Object.keys(VALUES)
const WIDE = ['INT32', 'INT64', 'FLOAT', 'DOUBLE', 'FIXED_LEN_BYTE_ARRAY']

/** @type {[string, () => Feature[]][]} */
export const PAGE_FEATURES = [
  ['Physical types, PLAIN', () => TYPES.map((type) => feature(type, type))],
  [
    'Encodings',
    () => [
      ...TYPES.filter((type) => type !== 'BOOLEAN').map((type) =>
        feature(`RLE_DICTIONARY, ${type}`, type, { pages: dictionary('RLE_DICTIONARY') })
      ),
      feature('PLAIN_DICTIONARY', 'BYTE_ARRAY', { pages: dictionary('PLAIN_DICTIONARY') }),
      feature('dictionary, then PLAIN', 'INT32', {
        pages: (leveled) => {
          const [values, indices] = dictionary('RLE_DICTIONARY')(leveled)
          const half = { definitionLevels: [1, 0], repetitionLevels: [0, 0] }
          return [
            values,
            { ...indices, ...half, indices: [0] },
            {
              values: leveled.stored.slice(1),
              definitionLevels: [1, 1, 0, 1, 1],
              repetitionLevels: [0, 0, 0, 0, 0],
            },
          ]
        },
      }),
      feature('RLE, BOOLEAN', 'BOOLEAN', { pages: page('RLE') }),
      feature('DELTA_BINARY_PACKED, INT32', 'INT32', { pages: page('DELTA_BINARY_PACKED') }),
      feature('DELTA_BINARY_PACKED, INT64', 'INT64', { pages: page('DELTA_BINARY_PACKED') }),
      feature('DELTA_LENGTH_BYTE_ARRAY', 'BYTE_ARRAY', {
        pages: strings('DELTA_LENGTH_BYTE_ARRAY', deltaLengths),
      }),
      feature('DELTA_BYTE_ARRAY, BYTE_ARRAY', 'BYTE_ARRAY', {
        pages: strings('DELTA_BYTE_ARRAY', deltaStrings),
      }),
      feature('DELTA_BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY', {
        pages: strings('DELTA_BYTE_ARRAY', deltaStrings),
      }),
      ...WIDE.map((type) => feature(`BYTE_STREAM_SPLIT, ${type}`, type, { pages: page('BYTE_STREAM_SPLIT') })),
      feature('ALP, FLOAT', 'FLOAT', { pages: page('ALP') }),
      feature('ALP, DOUBLE', 'DOUBLE', { pages: page('ALP') }),
    ],
  ],
  [
    'Pages',
    () => [
      feature('V1, REQUIRED', 'INT32', { repetition: 'REQUIRED' }),
      feature('V1, levels BIT_PACKED', 'INT32', { pages: page('PLAIN', { levelEncoding: 'BIT_PACKED' }) }),
      feature('V2', 'INT32', { pages: page('PLAIN', { version: 2 }) }),
      feature('V2, compressed', 'INT32', {
        codec: 'SNAPPY',
        pages: page('PLAIN', { version: 2, isCompressed: true }),
      }),
      feature('V2, not compressed in a chunk that is', 'INT32', {
        codec: 'SNAPPY',
        pages: page('PLAIN', { version: 2, isCompressed: false }),
      }),
      feature('V1 and V2 in one chunk, a page of no values between', 'INT32', { pages: twoPages }),
      feature('with checksum', 'INT32', { pages: page('PLAIN', { crc: true }) }),
      feature('indices wider than the dictionary needs', 'INT32', {
        pages: dictionary('RLE_DICTIONARY', { indexWidth: 9 }),
      }),
    ],
  ],
  [
    'Codecs',
    () => [
      ...['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD'].map((codec) => feature(codec, 'INT64', { codec })),
      compressed('GZIP, several members', 'GZIP', members),
      compressed('BROTLI', 'BROTLI', brotli),
      compressed('LZ4_RAW', 'LZ4_RAW', lz4Block),
      compressed('LZ4, frames of Hadoop', 'LZ4', hadoopFrame),
      compressed('LZ4, a bare block', 'LZ4', lz4Block),
      compressed('LZO', 'LZO', (input) => input),
    ],
  ],
]
