/** Random tables by arrow-rs, which parquet-wasm is. */
import * as parquetWasm from 'parquet-wasm/node'
import { arrowStream } from './arrow_table.js'
import { INTEGERS, pick } from './types.js'

/** @typedef {import('./arrow_table.js').RandomColumn} RandomColumn */
/** @typedef {import('./types.js').Abilities} Abilities */

const TIME_UNITS = /** @type {const} */ (['ms', 'us', 'ns'])

/** What Arrow has types for. @type {Abilities} */
export const ARROW_ABILITIES = {
  leaves: [
    { kind: 'bool' },
    ...INTEGERS,
    { kind: 'float', bits: 16 },
    { kind: 'float', bits: 32 },
    { kind: 'float', bits: 64 },
    { kind: 'text' },
    { kind: 'text' },
    { kind: 'bytes' },
    ...[1, 5, 16].map((size) => ({ kind: /** @type {const} */ ('fixed'), size })),
    ...[
      [4, 2],
      [9, 0],
      [18, 6],
      [38, 10],
    ].map(([precision, scale]) => ({ kind: /** @type {const} */ ('decimal'), precision, scale })),
    { kind: 'date' },
    ...TIME_UNITS.map((unit) => ({ kind: /** @type {const} */ ('time'), unit })),
    ...TIME_UNITS.flatMap((unit) =>
      [true, false].map((utc) => ({ kind: /** @type {const} */ ('timestamp'), unit, utc }))
    ),
    { kind: 'null' },
  ],
  nested: ['list', 'struct', 'map'],
  required: true,
}

/** Encodings beside PLAIN that a column can be told to have. @param {import('./types.js').Type} type */
export function encodingsOf({ kind, bits, precision = 0 }) {
  if (kind === 'int' || kind === 'date' || kind === 'time' || kind === 'timestamp')
    return ['DELTA_BINARY_PACKED', 'BYTE_STREAM_SPLIT']
  if (kind === 'float' && bits !== 16) return ['BYTE_STREAM_SPLIT']
  if (kind === 'text' || kind === 'bytes') return ['DELTA_LENGTH_BYTE_ARRAY', 'DELTA_BYTE_ARRAY']
  if (kind === 'fixed' || kind === 'float') return ['BYTE_STREAM_SPLIT', 'DELTA_BYTE_ARRAY']
  if (kind === 'decimal') return precision > 18 ? ['BYTE_STREAM_SPLIT', 'DELTA_BYTE_ARRAY'] : []
  return kind === 'bool' ? ['RLE'] : []
}

/**
 * @param {import('../../reference/random.js').Random} random
 * @param {RandomColumn[]} columns
 * @returns {{ bytes: Uint8Array, how: string }}
 */
export function writeArrowRs(random, columns) {
  const { Compression, Encoding, WriterPropertiesBuilder, WriterVersion } = parquetWasm
  const version = pick(random, /** @type {const} */ (['V1', 'V2']))
  const codec = pick(
    random,
    /** @type {const} */ (['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'LZ4', 'ZSTD', 'LZ4_RAW'])
  )
  const dictionary = random.below(2) === 1
  const pageSize = pick(random, [64, 500, 4000, 1 << 20])
  const groupRows = pick(random, [7, 100, 1000, 1 << 20])
  let builder = new WriterPropertiesBuilder()
    .setWriterVersion(WriterVersion[version])
    .setCompression(Compression[codec])
    .setDictionaryEnabled(dictionary)
    .setDataPageSizeLimit(pageSize)
    .setWriteBatchSize(pick(random, [1, 20, 1024]))
    .setMaxRowGroupSize(groupRows)
    .setDictionaryPageSizeLimit(pick(random, [50, 5000, 1 << 20]))
  const encodings = []
  for (const { name, type } of columns) {
    const known = encodingsOf(type)
    if (known.length === 0 || random.below(3) === 0) continue
    const encoding = pick(random, known)
    builder = builder
      .setColumnDictionaryEnabled(name, random.below(4) === 0)
      .setColumnEncoding(name, Encoding[/** @type {'PLAIN'} */ (encoding)])
    encodings.push(`${name} ${encoding}`)
  }
  const table = parquetWasm.Table.fromIPCStream(arrowStream(columns))
  const bytes = Uint8Array.from(parquetWasm.writeParquet(table, builder.build()))
  return {
    bytes,
    how: `${version} ${codec} dictionary ${dictionary} page ${pageSize} group ${groupRows} ${encodings}`,
  }
}
