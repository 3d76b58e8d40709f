/** What DuckDB reads, in the form of plain.js. */
import * as duckdb from '@duckdb/node-api'
import {
  bytesOf,
  dateOf,
  decimalOf,
  intervalOf,
  Pairs,
  structOf,
  textOf,
  timeOf,
  timestampOf,
  uuidOf,
} from './plain.js'

/** @type {Promise<import('@duckdb/node-api').DuckDBConnection> | undefined} */
let connecting

/** One database in memory for all files. */
export function connect() {
  connecting ??= duckdb.DuckDBInstance.create(':memory:', { threads: '1' }).then((instance) =>
    instance.connect()
  )
  return connecting
}

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "''")}'`

/**
 * @param {string} path
 * @param {string[]} [columns]
 * @returns {Promise<import('./plain.js').PlainColumn[]>}
 */
export async function columnsOfDuckdb(path, columns) {
  const connection = await connect()
  const names = columns ? columns.map((name) => `"${name.replaceAll('"', '""')}"`).join() : '*'
  const result = await connection.run(`SELECT ${names} FROM read_parquet(${quoted(path)})`)
  const types = result.columnTypes()
  const values = await result.getColumns()
  return result.columnNames().map((name, i) => ({
    name,
    values: (values[i] ?? []).map((value) => plain(value, types[i])),
  }))
}

/**
 * @param {any} value
 * @param {any} type of DuckDB
 * @returns {any}
 */
function plain(value, type) {
  if (value === null || value === undefined) return null
  switch (type.typeId) {
    case duckdb.DuckDBTypeId.FLOAT:
    case duckdb.DuckDBTypeId.DOUBLE:
      return value
    case duckdb.DuckDBTypeId.LIST:
    case duckdb.DuckDBTypeId.ARRAY:
      return value.items.map((/** @type {any} */ item) => plain(item, type.valueType))
    case duckdb.DuckDBTypeId.MAP:
      return new Pairs(
        value.entries.map((/** @type {any} */ entry) => [
          plain(entry.key, type.keyType),
          plain(entry.value, type.valueType),
        ])
      )
    case duckdb.DuckDBTypeId.STRUCT: {
      const names = type.entryNames
      return structOf(
        names,
        names.map((/** @type {string} */ name, /** @type {number} */ i) =>
          plain(value.entries[name], type.entryTypes[i])
        )
      )
    }
    case duckdb.DuckDBTypeId.VARIANT:
      return plain(value.value, value.type)
    default:
      return plainLeaf(value)
  }
}

/** @param {any} value @returns {any} */
function plainLeaf(value) {
  if (typeof value === 'boolean' || typeof value === 'bigint') return value
  if (typeof value === 'number') return BigInt(value)
  if (typeof value === 'string') return textOf(value)
  if (value instanceof duckdb.DuckDBBlobValue || value instanceof duckdb.DuckDBGeometryValue)
    return bytesOf(value.bytes)
  if (value instanceof duckdb.DuckDBDecimalValue) return decimalOf(value.value, value.scale)
  if (value instanceof duckdb.DuckDBDateValue) return dateOf(value.days)
  if (value instanceof duckdb.DuckDBUUIDValue) return uuidOf(value.toString())
  if (value instanceof duckdb.DuckDBIntervalValue)
    return intervalOf(value.months, value.days, value.micros / 1000n)
  if (value instanceof duckdb.DuckDBTimeNSValue) return timeOf(value.nanos, 'ns')
  if (value instanceof duckdb.DuckDBTimeValue || value instanceof duckdb.DuckDBTimeTZValue) {
    return timeOf(value.micros, 'us')
  }
  if ('micros' in value) return timestampOf(value.micros, 'us')
  if ('millis' in value) return timestampOf(value.millis, 'ms')
  if ('nanos' in value) return timestampOf(value.nanos, 'ns')
  if ('seconds' in value) return timestampOf(value.seconds, 's')
  throw new Error(`no way to compare DuckDB's ${value.constructor?.name}`)
}
