#!/usr/bin/env node
/**
 * Writes peers.txt and peers.bin: pages as other programs write them. Each file is read by another program than its
 * writer, and what that one says is what the case expects. Files of pyarrow are made only where a Python that has it is
 * named: import_peers.js [--python PATH].
 *
 * What comes out depends on the versions of the peers, so it is committed, and not part of generate.js --check.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import * as arrow from 'apache-arrow'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { parquetWriteBuffer } from 'hyparquet-writer'
import * as parquetWasm from 'parquet-wasm/node'
import { Suite } from './suite.js'

/** @typedef {import('../reference/plain.js').Value} Value */
/** @typedef {{ name: string, writer: string, reader: 'hyparquet' | 'parquet-wasm', bytes: Uint8Array }} PeerFile */

/** Encodings of data pages that the suite covers. */
const ENCODINGS = [
  'PLAIN',
  'PLAIN_DICTIONARY',
  'RLE_DICTIONARY',
  'RLE',
  'BIT_PACKED',
  'DELTA_BINARY_PACKED',
  'BYTE_STREAM_SPLIT',
  'DELTA_LENGTH_BYTE_ARRAY',
  'DELTA_BYTE_ARRAY',
]

/** @param {string} name */
const versionOf = (name) => {
  const path = fileURLToPath(new URL(`../../node_modules/${name}/package.json`, import.meta.url))
  return `${name} ${createRequire(import.meta.url)(path).version}`
}

const N = 310
const numbers = Array.from({ length: N }, (_, i) => i)

/** Columns that every peer can write, as plain arrays. */
const columns = {
  i32: numbers.map((i) => ((i * 7919) % 100003) - 50000),
  i32_null: numbers.map((i) => (i % 7 === 3 ? null : (i * i) % 23)),
  i64: numbers.map((i) => BigInt(i) * 1234567890123n - 5n),
  i64_null: numbers.map((i) => (i > 60 && i < 130 ? null : BigInt(i * i))),
  f32: numbers.map((i) => i / 4 - 3),
  f64_null: numbers.map((i) => (i % 2 ? null : i / 8)),
  flag: numbers.map((i) => i % 3 === 0),
  flag_null: numbers.map((i) => (i % 11 === 0 ? null : i % 40 < 30)),
  word: numbers.map((i) => `word ${i % 17}`),
  text_null: numbers.map((i) => (i % 13 === 0 ? null : i % 5 === 0 ? '' : `line ${i} ${'x'.repeat(i % 9)}`)),
  nothing: numbers.map(() => null),
}

/** @type {Record<keyof typeof columns, 'INT32' | 'INT64' | 'FLOAT' | 'DOUBLE' | 'BOOLEAN' | 'STRING'>} */
const types = {
  i32: 'INT32',
  i32_null: 'INT32',
  i64: 'INT64',
  i64_null: 'INT64',
  f32: 'FLOAT',
  f64_null: 'DOUBLE',
  flag: 'BOOLEAN',
  flag_null: 'BOOLEAN',
  word: 'STRING',
  text_null: 'STRING',
  nothing: 'INT32',
}
const names = /** @type {(keyof typeof columns)[]} */ (Object.keys(columns))

/** @returns {PeerFile[]} */
function hyparquetFiles() {
  const writer = versionOf('hyparquet-writer')
  const delta = new Set(['i32', 'i32_null', 'i64', 'i64_null'])
  return /** @type {const} */ (['SNAPPY', 'UNCOMPRESSED']).flatMap((codec) =>
    [false, true].map((encoded) => ({
      name: `hyparquet-writer/${encoded ? 'delta' : 'usual'}-${codec.toLowerCase()}`,
      writer,
      reader: /** @type {const} */ ('parquet-wasm'),
      bytes: new Uint8Array(
        parquetWriteBuffer({
          columnData: names.map((name) => ({
            name,
            data: columns[name],
            type: types[name],
            nullable: name.endsWith('null') || name === 'nothing',
            encoding:
              encoded && delta.has(name)
                ? 'DELTA_BINARY_PACKED'
                : encoded && name.startsWith('flag')
                  ? 'RLE'
                  : undefined,
          })),
          codec,
          rowGroupSize: 200,
          pageSize: 700,
        })
      ),
    }))
  )
}

/** @returns {arrow.Table} */
function arrowTable() {
  const arrowTypes = {
    INT32: new arrow.Int32(),
    INT64: new arrow.Int64(),
    FLOAT: new arrow.Float32(),
    DOUBLE: new arrow.Float64(),
    BOOLEAN: new arrow.Bool(),
    STRING: new arrow.Utf8(),
  }
  return new arrow.Table(
    Object.fromEntries(
      names.map((name) => [
        name,
        arrow.vectorFromArray(/** @type {any[]} */ (columns[name]), arrowTypes[types[name]]),
      ])
    )
  )
}

/** @returns {PeerFile[]} */
function parquetWasmFiles() {
  const { Compression, Encoding, WriterPropertiesBuilder, WriterVersion } = parquetWasm
  const ipc = arrow.tableToIPC(arrowTable(), 'stream')
  const writer = versionOf('parquet-wasm')
  return /** @type {const} */ ([
    ['v1-dictionary-snappy', WriterVersion.V1, true, Compression.SNAPPY],
    ['v2-dictionary-zstd', WriterVersion.V2, true, Compression.ZSTD],
    ['v1-delta-gzip', WriterVersion.V1, false, Compression.GZIP],
    ['v2-delta', WriterVersion.V2, false, Compression.UNCOMPRESSED],
    ['v1-split-snappy', WriterVersion.V1, false, Compression.SNAPPY],
    ['v2-split', WriterVersion.V2, false, Compression.UNCOMPRESSED],
  ]).map(([name, version, dictionary, codec]) => {
    const split = name.includes('split')
    let builder = new WriterPropertiesBuilder()
      .setWriterVersion(version)
      .setCompression(codec)
      .setDictionaryEnabled(dictionary)
      .setDataPageSizeLimit(600)
      .setWriteBatchSize(60)
      .setMaxRowGroupSize(200)
      .setDictionaryPageSizeLimit(900)
    for (const column of names) {
      if (split && /^[if]\d/.test(column))
        builder = builder.setColumnEncoding(column, Encoding.BYTE_STREAM_SPLIT)
      else if (!dictionary && /^i/.test(column))
        builder = builder.setColumnEncoding(column, Encoding.DELTA_BINARY_PACKED)
      if (!dictionary && types[column] === 'STRING') {
        const delta = column === 'word' ? Encoding.DELTA_BYTE_ARRAY : Encoding.DELTA_LENGTH_BYTE_ARRAY
        builder = builder.setColumnEncoding(column, split ? Encoding.PLAIN : delta)
      }
    }
    const table = parquetWasm.Table.fromIPCStream(ipc)
    const bytes = parquetWasm.writeParquet(table, builder.build())
    return {
      name: `parquet-wasm/${name}`,
      writer,
      reader: /** @type {const} */ ('hyparquet'),
      bytes: Uint8Array.from(bytes),
    }
  })
}

/**
 * @param {string} folder for the files
 * @returns {Promise<PeerFile[]>}
 */
async function duckdbFiles(folder) {
  const connection = await (await DuckDBInstance.create()).connect()
  const writer = versionOf('@duckdb/node-api')
  const select = `SELECT (i * 7919 % 100003 - 50000)::INTEGER AS i32, CASE WHEN i % 7 != 3 THEN (i * i % 23)::INTEGER END AS i32_null,
    CASE WHEN i <= 60 OR i >= 130 THEN (i * i)::BIGINT END AS i64_null, (i / 4.0 - 3)::FLOAT AS f32,
    CASE WHEN i % 2 = 0 THEN i / 8.0 END::DOUBLE AS f64_null, i % 3 = 0 AS flag, 'word ' || (i % 17) AS word,
    NULL::INTEGER AS nothing FROM range(${N}) r(i)`
  /** @type {PeerFile[]} */
  const files = []
  for (const [name, options] of [
    ['v1-snappy', "PARQUET_VERSION V1, CODEC 'snappy'"],
    ['v2-zstd', "PARQUET_VERSION V2, CODEC 'zstd'"],
    ['v2', "PARQUET_VERSION V2, CODEC 'uncompressed', DICTIONARY_SIZE_LIMIT 1"],
  ]) {
    const path = join(folder, `${name}.parquet`)
    await connection.run(`COPY (${select}) TO '${path}' (FORMAT PARQUET, ${options})`)
    files.push({
      name: `duckdb/${name}`,
      writer,
      reader: 'hyparquet',
      bytes: Uint8Array.from(readFileSync(path)),
    })
  }
  connection.closeSync()
  return files
}

/**
 * @param {string} folder
 * @param {string} python
 * @returns {PeerFile[]}
 */
function pyarrowFiles(folder, python) {
  const script = fileURLToPath(new URL('peers_pyarrow.py', import.meta.url))
  const version = execFileSync(python, [script, folder], { encoding: 'utf8' }).trim()
  return [
    'v1-dictionary-snappy',
    'v2-dictionary-zstd',
    'v1-delta-gzip',
    'v2-delta',
    'v1-fallback',
    'v1-split-zstd',
    'v2-split',
  ].map((name) => ({
    name: `pyarrow/${name}`,
    writer: `pyarrow ${version}`,
    reader: 'hyparquet',
    bytes: Uint8Array.from(readFileSync(join(folder, `${name}.parquet`))),
  }))
}

/**
 * A value as the reader gives it, as the model has it.
 * @param {string} type
 * @param {any} value
 * @returns {Value | null}
 */
function asModel(type, value) {
  if (value === null || value === undefined) return null
  return type === 'INT32' || type === 'INT64' ? BigInt(value) : value
}

/**
 * Rows of a file by another reader than the writer.
 * @param {PeerFile} file
 * @returns {Promise<(column: string) => any[]>}
 */
async function read(file) {
  if (file.reader === 'hyparquet') {
    const buffer = /** @type {ArrayBuffer} */ (file.bytes.buffer)
    const rows = await parquetReadObjects({ file: buffer, compressors, utf8: false })
    return (column) => rows.map((row) => row[column])
  }
  const table = arrow.tableFromIPC(parquetWasm.readParquet(file.bytes).intoIPCStream())
  return (column) => Array.from(/** @type {arrow.Vector} */ (table.getChild(column)))
}

/**
 * The cases of a file: a column each, with the chunks of all row groups.
 * @param {Suite} suite
 * @param {PeerFile} file
 */
async function addFile(suite, file) {
  const metadata = parquetMetadata(/** @type {ArrayBuffer} */ (file.bytes.buffer))
  const column = await read(file)
  metadata.schema.slice(1).forEach((element, i) => {
    const metas = metadata.row_groups.map((group) => group.columns[i].meta_data)
    const encodings = metas.flatMap((meta) => /** @type {string[]} */ (meta?.encodings ?? []))
    if (!encodings.every((encoding) => ENCODINGS.includes(encoding))) return
    const chunk = metas.map((meta) => {
      if (!meta) throw new Error(`${file.name}: a chunk without metadata`)
      const start = Number(meta.dictionary_page_offset || meta.data_page_offset)
      return file.bytes.slice(start, start + Number(meta.total_compressed_size))
    })
    const type = /** @type {import('../reference/plain.js').Type} */ (element.type)
    suite.page({
      name: `peer/${file.name}/${element.name}`,
      writer: file.writer,
      note: `${[...new Set(encodings)].join(' ')}, read by ${file.reader}`,
      column: {
        type,
        typeLength: element.type_length,
        maxDefinitionLevel: element.repetition_type === 'OPTIONAL' ? 1 : 0,
        codec: metas[0]?.codec,
      },
      chunk,
      entries: column(element.name).map((value) => asModel(type, value)),
    })
  })
}

const pythonAt = process.argv.indexOf('--python')
const folder = mkdtempSync(join(tmpdir(), 'pagelane-peers-'))
const suite = new Suite()
try {
  const files = [...hyparquetFiles(), ...parquetWasmFiles(), ...(await duckdbFiles(folder))]
  if (pythonAt >= 0) files.push(...pyarrowFiles(folder, process.argv[pythonAt + 1]))
  for (const file of files) await addFile(suite, file)
} finally {
  rmSync(folder, { recursive: true })
}
const { manifest, bytes } = suite.finish('Written by import_peers.js; README.md describes it.')
writeFileSync(new URL('peers.txt', import.meta.url), manifest)
writeFileSync(new URL('peers.bin', import.meta.url), bytes)
console.log(`peers: ${suite.count} cases, ${manifest.length} + ${bytes.length} bytes`)
