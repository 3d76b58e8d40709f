/**
 * The files that the benchmark reads. They are written on first use, from seeded values, by a writer that is not ours
 * (arrow-rs through parquet-wasm), and kept in a cache folder whose name changes with this text and the writer's version.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Random } from '../reference/random.js'
import { versionOf } from './environment.js'

const N_ROWS = 1_000_000
const FLIGHTS = new URL('../../node_modules/vega-datasets/data/flights-3m.parquet', import.meta.url)

/**
 * @typedef {object} BenchFile
 * @property {() => import('apache-arrow').Vector | Record<string, import('apache-arrow').Vector>} make the column `v`, or several
 * @property {import('parquet-wasm').Encoding | null} encoding null: dictionary
 * @property {string} codec
 * @property {string} says the encoding's name that the footer of the written file must show
 */

/**
 * @param {typeof import('apache-arrow')} arrow
 * @param {typeof import('parquet-wasm')} parquet
 * @returns {Record<string, BenchFile>}
 */
function definitions(arrow, { Encoding }) {
  const { Float64, Int64, Utf8, makeData, makeVector, vectorFromArray } = arrow
  const delta = { encoding: Encoding.DELTA_BINARY_PACKED, codec: 'UNCOMPRESSED', says: 'DELTA_BINARY_PACKED' }
  const plain = { encoding: Encoding.PLAIN, codec: 'UNCOMPRESSED', says: 'PLAIN' }
  const split = { encoding: Encoding.BYTE_STREAM_SPLIT, codec: 'UNCOMPRESSED', says: 'BYTE_STREAM_SPLIT' }
  const lengthFirst = {
    encoding: Encoding.DELTA_LENGTH_BYTE_ARRAY,
    codec: 'UNCOMPRESSED',
    says: 'DELTA_LENGTH_BYTE_ARRAY',
  }
  const prefixed = { encoding: Encoding.DELTA_BYTE_ARRAY, codec: 'UNCOMPRESSED', says: 'DELTA_BYTE_ARRAY' }
  const dictionary = { encoding: null, codec: 'UNCOMPRESSED', says: 'RLE_DICTIONARY' }
  return {
    // event times in microseconds, 900 to 2947 apart
    'i64-delta-11bit': {
      ...delta,
      make: () => makeVector(int64s(4, (random, last) => last + 900 + random.below(2048), 1.7e15)),
    },
    // dense keys, 1 to 5 apart
    'i32-delta-3bit': {
      ...delta,
      make: () => makeVector(int32s(1, (random, last) => last + 1 + random.below(5), 1)),
    },
    'i32-dict-50': { ...dictionary, make: () => makeVector(int32s(3, (random) => 1 + random.below(50))) },
    'i64-plain': { ...plain, make: () => makeVector(wideInt64s()) },
    'i64-plain-null20': {
      ...plain,
      make: () =>
        makeVector(makeData({ type: new Int64(), length: N_ROWS, data: wideInt64s(), ...nulls(20, 0.2) })),
    },
    'f32-bss': { ...split, make: () => makeVector(Float32Array.from(measurements(6))) },
    'f64-bss': { ...split, make: () => makeVector(measurements(7)) },
    'f64-bss-null20': {
      ...split,
      make: () =>
        makeVector(makeData({ type: new Float64(), length: N_ROWS, data: measurements(8), ...nulls(21, 0.2) })),
    },
    'i32-bss': { ...split, make: () => makeVector(int32s(9, (random) => random.below(2 ** 31))) },
    'i64-bss': { ...split, make: () => makeVector(wideInt64s()) },
    // words of 2 to 24 letters, one in nine with an accent
    'words-delta-length': { ...lengthFirst, make: () => strings(arrow, words(30)) },
    'words-delta': { ...prefixed, make: () => strings(arrow, words(30)) },
    // keys in order: most of an address is that of the one before
    'urls-delta': { ...prefixed, make: () => strings(arrow, urls(31)) },
    'urls-delta-length': { ...lengthFirst, make: () => strings(arrow, urls(31)) },
    // a million numbers in lists of 0 to 10, and lists of such lists
    'list-i32': { ...plain, make: () => makeVector(listData(arrow, lengths(21, 200_000), int32Data(arrow))) },
    'list-i32-null10': {
      ...plain,
      make: () => makeVector(listData(arrow, lengths(21, 200_000), int32Data(arrow, nulls(23, 0.1)), 0.1)),
    },
    'list-list-i32': {
      ...plain,
      make: () => {
        const inner = listData(arrow, lengths(21, 200_000), int32Data(arrow))
        return makeVector(listData(arrow, lengths(22, 40_000), inner))
      },
    },
    // what a first read in a fresh process meets: three columns of 1,000 rows
    small: {
      ...dictionary,
      codec: 'SNAPPY',
      make: () => ({
        id: makeVector(BigInt64Array.from({ length: 1000 }, (_, i) => BigInt(i))),
        price: makeVector(Float64Array.from({ length: 1000 }, (_, i) => (i % 97) / 4)),
        name: vectorFromArray(
          Array.from({ length: 1000 }, (_, i) => `item ${i % 31}`),
          new Utf8()
        ),
      }),
    },
  }
}

/**
 * @param {number} seed
 * @param {(random: Random, last: number) => number} next
 * @param {number} [first]
 * @returns {Int32Array}
 */
function int32s(seed, next, first = 0) {
  const random = new Random(seed)
  let last = first
  return Int32Array.from({ length: N_ROWS }, () => (last = next(random, last)))
}

/**
 * @param {typeof import('apache-arrow')} arrow
 * @param {string[]} values
 * @returns {import('apache-arrow').Vector}
 */
function strings({ Utf8, makeData, makeVector }, values) {
  const parts = values.map((value) => Buffer.from(value))
  const valueOffsets = new Int32Array(parts.length + 1)
  for (const [i, part] of parts.entries()) valueOffsets[i + 1] = valueOffsets[i] + part.length
  const data = new Uint8Array(Buffer.concat(parts))
  return makeVector(makeData({ type: new Utf8(), length: parts.length, valueOffsets, data }))
}

/**
 * @param {number} seed
 * @returns {string[]}
 */
function words(seed) {
  const random = new Random(seed)
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  return Array.from({ length: N_ROWS }, (_, i) => {
    let word = i % 9 ? '' : 'é'
    for (let n = 2 + random.below(23) - word.length; n > 0; n--) word += letters[random.below(26)]
    return word
  })
}

/**
 * 400,000 addresses: their bytes stay below 32 MB, above which malloc gives every array fresh pages, and mapping those
 * takes longer than decoding.
 * @param {number} seed
 * @returns {string[]} in order
 */
function urls(seed) {
  const random = new Random(seed)
  let item = 4_000_000
  return Array.from({ length: 400_000 }, () => {
    item += 1 + random.below(20)
    return `https://shop.example/item/${item}?ref=${random.below(500)}`
  })
}

/**
 * @param {number} seed
 * @param {(random: Random, last: number) => number} next
 * @param {number} [first]
 * @returns {BigInt64Array}
 */
function int64s(seed, next, first = 0) {
  const random = new Random(seed)
  let last = first
  return BigInt64Array.from({ length: N_ROWS }, () => BigInt((last = next(random, last))))
}

/**
 * @param {number} seed
 * @returns {Float64Array} a random walk
 */
function measurements(seed) {
  const random = new Random(seed)
  let last = 20
  return Float64Array.from({ length: N_ROWS }, () => (last += (random.below(2001) - 1000) / 700))
}

/**
 * @param {typeof import('apache-arrow')} arrow
 * @param {object} [nulls] of the numbers
 * @returns {import('apache-arrow').Data}
 */
function int32Data({ Int32, makeData }, nulls = {}) {
  const data = int32s(20, (random) => random.below(1_000_000))
  return makeData({ type: new Int32(), length: N_ROWS, data, ...nulls })
}

/**
 * @param {number} seed
 * @param {number} n lists
 * @returns {Int32Array} of 0 to 10 elements each: where they begin, and where the last ends
 */
function lengths(seed, n) {
  const random = new Random(seed)
  const offsets = new Int32Array(n + 1)
  for (let i = 0; i < n; i++) offsets[i + 1] = offsets[i] + random.below(11)
  return offsets
}

/**
 * Lists of the first elements of a column.
 * @param {typeof import('apache-arrow')} arrow
 * @param {Int32Array} valueOffsets
 * @param {import('apache-arrow').Data} child
 * @param {number} [share] of the lists that are null
 * @returns {import('apache-arrow').Data}
 */
function listData({ Field, List, makeData }, valueOffsets, child, share = 0) {
  const n = valueOffsets.length - 1
  const fitting = valueOffsets.findIndex((offset) => offset > child.length)
  const length = fitting < 0 ? n : fitting - 1
  const type = new List(new Field('element', child.type, child.nullCount > 0))
  const some = share > 0 ? nulls(24, share, length) : {}
  return makeData({ type, length, valueOffsets: valueOffsets.subarray(0, length + 1), child, ...some })
}

/** @returns {BigInt64Array} values of 52 random bits */
function wideInt64s() {
  const random = new Random(5)
  return BigInt64Array.from({ length: N_ROWS }, () => random.bits(52))
}

/**
 * @param {number} seed
 * @param {number} share of the rows that are null
 * @param {number} [n] rows
 * @returns {{ nullBitmap: Uint8Array, nullCount: number }}
 */
function nulls(seed, share, n = N_ROWS) {
  const random = new Random(seed)
  const nullBitmap = new Uint8Array(Math.ceil(n / 8))
  let nullCount = 0
  for (let i = 0; i < n; i++) {
    if (random.below(1000) < share * 1000) nullCount++
    else nullBitmap[i >> 3] |= 1 << (i & 7)
  }
  return { nullBitmap, nullCount }
}

/**
 * Path of a benchmark file, which is written if it is not there yet.
 * @param {string} name
 * @returns {Promise<string>}
 */
export async function benchFile(name) {
  if (name === 'flights-3m') return fileURLToPath(FLIGHTS)
  const path = join(cacheFolder(), `${name}.parquet`)
  if (!existsSync(path)) {
    const partial = `${path}.${process.pid}`
    writeFileSync(partial, await makeFile(name))
    renameSync(partial, path)
  }
  return path
}

/** @returns {string} */
function cacheFolder() {
  const text = readFileSync(fileURLToPath(import.meta.url))
  const key = createHash('sha256').update(text).update(versionOf('parquet-wasm')).digest('hex').slice(0, 16)
  const folder = join('pagelane-bench', key)
  for (const place of [fileURLToPath(new URL('../../node_modules/.cache', import.meta.url)), tmpdir()]) {
    try {
      mkdirSync(join(place, folder), { recursive: true })
      return join(place, folder)
    } catch {
      // a read-only installation: the next place
    }
  }
  throw new Error('no folder for the benchmark files can be made')
}

/**
 * @param {string} name
 * @returns {Promise<Uint8Array>}
 */
async function makeFile(name) {
  const arrow = await import('apache-arrow')
  const parquet = await import('parquet-wasm')
  const definition = definitions(arrow, parquet)[name]
  if (definition === undefined) throw new Error(`there is no benchmark file named ${name}`)
  const made = definition.make()
  const table = new arrow.Table(made instanceof arrow.Vector ? { v: made } : made)
  let properties = new parquet.WriterPropertiesBuilder() // every call uses the builder up and gives the next one
    .setCompression(parquet.Compression[/** @type {keyof typeof parquet.Compression} */ (definition.codec)])
    .setMaxRowGroupSize(N_ROWS)
    .setDictionaryEnabled(definition.encoding === null)
  if (definition.encoding !== null) properties = properties.setEncoding(definition.encoding)
  const bytes = parquet.writeParquet(
    parquet.Table.fromIPCStream(arrow.tableToIPC(table, 'stream')),
    properties.build()
  )
  await checkEncoding(name, bytes, definition.says)
  return bytes
}

/**
 * A writer may fall back to another encoding without a word, and the benchmark would then measure something else.
 * @param {string} name
 * @param {Uint8Array} bytes
 * @param {string} encoding
 */
async function checkEncoding(name, bytes, encoding) {
  const { parquetMetadata } = await import('hyparquet')
  const { buffer } = new Uint8Array(bytes)
  for (const column of parquetMetadata(buffer).row_groups.flatMap((group) => group.columns)) {
    if (!column.meta_data?.encodings.some((each) => each === encoding)) {
      throw new Error(`${name}: written without ${encoding}: ${column.meta_data?.encodings}`)
    }
  }
}
