/**
 * The readers that are compared. Each gives the top-level columns of a file in the form of plain.js, or throws; what a
 * message says is cut to what does not depend on the place.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as parquetWasm from 'parquet-wasm/node'
import { open } from '../../wasm/node.js'
import { columnsOfPyarrow, pyarrowVersion } from './pyarrow.js'
import { columnsOfArrow } from './read_arrow.js'
import { columnsOfDuckdb } from './read_duckdb.js'
import { columnsOfHyparquet } from './read_hyparquet.js'
import { plainValues } from './read_pagelane.js'

/** @typedef {import('./plain.js').PlainColumn} PlainColumn */
/**
 * @typedef {object} Reader
 * @property {string} name
 * @property {string | null} version null: it is not here
 * @property {(path: string, columns?: string[]) => Promise<PlainColumn[]>} read top-level columns, all unless named
 */

/** @param {string} folder of the package */
const versionOf = (folder) => createRequire(import.meta.url)(`../../${folder}/package.json`).version

/** @param {string} path @param {string[]} [columns] */
async function columnsOfPagelane(path, columns) {
  const file = await open(path)
  try {
    const table = await file.read(columns && { columns: leavesOf(file, columns) })
    if (table.unsupported.length > 0) throw table.unsupported[0].error
    return table.columns.map((column) => ({ name: column.name, values: plainValues(column) }))
  } finally {
    file.close()
  }
}

/** @param {import('../../wasm/file.js').ParquetFile} file @param {string[]} names of top-level columns */
function leavesOf(file, names) {
  return file.columns.filter(({ path }) => names.includes(path[0])).map(({ index }) => index)
}

/** @param {string} path @param {string[]} [columns] */
async function columnsOfParquetWasm(path, columns) {
  const table = parquetWasm.readParquet(new Uint8Array(readFileSync(path)), columns && { columns })
  return columnsOfArrow(table.intoIPCStream())
}

/** @type {Reader} */
export const pagelane = { name: 'pagelane', version: versionOf('.'), read: columnsOfPagelane }

/** @type {Reader[]} */
export const peers = [
  { name: 'pyarrow', version: pyarrowVersion, read: columnsOfPyarrow },
  { name: 'DuckDB', version: versionOf('node_modules/@duckdb/node-api'), read: columnsOfDuckdb },
  { name: 'parquet-wasm', version: versionOf('node_modules/parquet-wasm'), read: columnsOfParquetWasm },
  {
    name: 'hyparquet',
    version: versionOf('node_modules/hyparquet'),
    read: (path, columns) => columnsOfHyparquet(readFileSync(path), columns),
  },
]

/** Names of the top-level columns, by pagelane's footer. @param {string} path */
export async function topLevelNames(path) {
  const file = await open(path)
  const names = [...new Map(file.columns.map(({ path: [name] }) => [name, 0])).keys()]
  file.close()
  return names
}

/**
 * A column each: its values, or what the reader says.
 * @param {Reader} reader
 * @param {string} path
 * @param {string[]} names of the columns
 * @returns {Promise<(any[] | string)[]>}
 */
export async function readAll(reader, path, names) {
  try {
    const columns = await reader.read(path)
    if (columns.length !== names.length) return names.map(() => `${columns.length} columns`)
    return columns.map(({ values }) => values)
  } catch (error) {
    if (names.length === 1) return [messageClass(reader, error)]
  }
  const results = []
  for (const name of names) {
    try {
      const columns = await reader.read(path, [name])
      results.push(columns[0]?.values ?? 'no such column')
    } catch (error) {
      results.push(messageClass(reader, error))
    }
  }
  return results
}

/**
 * @param {Reader} reader
 * @param {any} error
 * @returns {string} the kind of message, without numbers, names of files and what comes after its first sentence
 */
function messageClass(reader, error) {
  if (error?.name === 'PagelaneError') return `${error.code}: ${cut(error.message.replace(/ \[.*/, ''))}`
  return cut(String(error?.message ?? error)) || reader.name
}

/** @param {string} message */
function cut(message) {
  const [first] = message.split('\n')
  const general = first
    .replaceAll(/(?:[\w.-]*\/)+[\w.-]+/g, 'FILE')
    .replaceAll(/\b(0x[0-9a-f]+|\d+)\b/gi, 'N')
    .replaceAll('|', '/')
    .replace('Failed to read file "FILE": ', '')
  return general.length > 80 ? `${general.slice(0, 80)}…` : general
}
