/** Random tables by DuckDB. */
import { readFileSync, rmSync } from 'node:fs'
import * as duckdb from '@duckdb/node-api'
import { connect } from '../read_duckdb.js'
import { INTEGERS, pick } from './types.js'

/** @typedef {import('./arrow_table.js').RandomColumn} RandomColumn */
/** @typedef {import('./types.js').Type} Type */

/** Every column can be null there. @type {import('./types.js').Abilities} */
export const DUCKDB_ABILITIES = {
  leaves: [
    { kind: 'bool' },
    ...INTEGERS,
    { kind: 'float', bits: 32, oneZero: true },
    { kind: 'float', bits: 64, oneZero: true },
    { kind: 'text' },
    { kind: 'text' },
    { kind: 'bytes' },
    { kind: 'uuid' },
    ...[
      [4, 2],
      [9, 0],
      [18, 6],
      [38, 10],
    ].map(([precision, scale]) => ({ kind: /** @type {const} */ ('decimal'), precision, scale })),
    { kind: 'date' },
    { kind: 'time', unit: 'us' },
    ...['s', 'ms', 'us', 'ns'].map((unit) => ({
      kind: /** @type {const} */ ('timestamp'),
      unit: /** @type {'s'} */ (unit),
      utc: false,
    })),
    { kind: 'timestamp', unit: 'us', utc: true },
    { kind: 'interval' },
  ],
  nested: ['list', 'struct', 'map'],
  required: false,
}

/** @param {Type} type @returns {string} as SQL has it */
function sqlType(type) {
  const { kind, bits = 0, unit = 'us' } = type
  switch (kind) {
    case 'int':
      return `${type.signed ? '' : 'U'}${{ 8: 'TINYINT', 16: 'SMALLINT', 32: 'INTEGER', 64: 'BIGINT' }[bits]}`
    case 'float':
      return bits === 32 ? 'FLOAT' : 'DOUBLE'
    case 'decimal':
      return `DECIMAL(${type.precision}, ${type.scale})`
    case 'timestamp':
      return type.utc
        ? 'TIMESTAMPTZ'
        : { s: 'TIMESTAMP_S', ms: 'TIMESTAMP_MS', us: 'TIMESTAMP', ns: 'TIMESTAMP_NS' }[unit]
    case 'list':
      return `${sqlType(/** @type {Type} */ (type.element))}[]`
    case 'map':
      return `MAP(${sqlType(/** @type {Type} */ (type.key))}, ${sqlType(/** @type {Type} */ (type.value))})`
    case 'struct':
      return `STRUCT(${(type.fields ?? []).map((field) => `${field.name} ${sqlType(field.type)}`).join()})`
    default:
      return {
        bool: 'BOOLEAN',
        text: 'VARCHAR',
        bytes: 'BLOB',
        uuid: 'UUID',
        date: 'DATE',
        time: 'TIME',
        interval: 'INTERVAL',
      }[kind]
  }
}

/** @param {Type} type @param {any} value @returns {any} as the appender wants it */
function duckdbValue(type, value) {
  if (value === null) return null
  switch (type.kind) {
    case 'int':
      return type.bits === 64 ? value : Number(value)
    case 'bytes':
      return new duckdb.DuckDBBlobValue(value)
    case 'uuid':
      return duckdb.DuckDBUUIDValue.fromUint128(BigInt(`0x${Buffer.from(value).toString('hex')}`))
    case 'decimal':
      return new duckdb.DuckDBDecimalValue(value, type.precision ?? 1, type.scale ?? 0)
    case 'date':
      return new duckdb.DuckDBDateValue(Number(value))
    case 'time':
      return new duckdb.DuckDBTimeValue(value)
    case 'timestamp':
      return timestampValue(type, value)
    case 'interval':
      return new duckdb.DuckDBIntervalValue(value[0], value[1], BigInt(value[2]) * 1000n)
    case 'list':
      return new duckdb.DuckDBListValue(
        value.map((/** @type {any} */ item) => duckdbValue(/** @type {Type} */ (type.element), item))
      )
    case 'map':
      return new duckdb.DuckDBMapValue(
        value.map((/** @type {[any, any]} */ [key, item]) => ({
          key: duckdbValue(/** @type {Type} */ (type.key), key),
          value: duckdbValue(/** @type {Type} */ (type.value), item),
        }))
      )
    case 'struct':
      return new duckdb.DuckDBStructValue(
        Object.fromEntries(
          (type.fields ?? []).map((field) => [field.name, duckdbValue(field.type, value[field.name])])
        )
      )
    default:
      return value
  }
}

/** @param {Type} type @param {bigint} value */
function timestampValue({ utc, unit = 'us' }, value) {
  if (utc) return new duckdb.DuckDBTimestampTZValue(value)
  const classes = {
    s: duckdb.DuckDBTimestampSecondsValue,
    ms: duckdb.DuckDBTimestampMillisecondsValue,
    us: duckdb.DuckDBTimestampValue,
    ns: duckdb.DuckDBTimestampNanosecondsValue,
  }
  return new classes[unit](value)
}

/** Entries of a chunk at most. */
const CHUNK = 2048

/**
 * @param {import('../../reference/random.js').Random} random
 * @param {RandomColumn[]} columns
 * @param {string} path of a file for it to write
 * @returns {Promise<{ bytes: Uint8Array, how: string }>}
 */
export async function writeDuckdb(random, columns, path) {
  const connection = await connect()
  await connection.run(
    `CREATE OR REPLACE TABLE random (${columns.map(({ name, type }) => `${name} ${sqlType(type)}`)})`
  )
  const appender = await connection.createAppender('random')
  const types = columns.map((_, i) => appender.columnType(i))
  const n = columns[0].values.length
  for (let at = 0; at < n; at += CHUNK) {
    const chunk = duckdb.DuckDBDataChunk.create(types)
    chunk.setColumns(
      columns.map(({ type, values }) => values.slice(at, at + CHUNK).map((value) => duckdbValue(type, value)))
    )
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
  const options = [
    `PARQUET_VERSION ${pick(random, ['V1', 'V2'])}`,
    `COMPRESSION ${pick(random, ['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw'])}`,
    `ROW_GROUP_SIZE ${pick(random, [2048, 4096, 100_000])}`,
    `DICTIONARY_SIZE_LIMIT ${pick(random, [1, 20, 100_000])}`,
  ].join()
  await connection.run(`COPY random TO '${path}' (FORMAT parquet, ${options})`)
  const bytes = readFileSync(path)
  rmSync(path)
  return { bytes, how: options }
}
