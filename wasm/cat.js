/** `pagelane cat`: rows as CSV or as JSON, one object a line. */
import { jsonText, plainText, plainValue, printable, printableJson } from './format.js'
import { uniqueNames } from './table.js'

/** @typedef {import('./file.js').ParquetFile} ParquetFile */
/** @typedef {import('./table.js').Table} Table */
/** @typedef {import('./format.js').Plain} Plain */

/* Values held at once. */
const MAX_VALUES = 1 << 20
const MAX_ROWS = 1 << 17

/**
 * @typedef {object} CatOptions
 * @property {string[]} [columns]
 * @property {[number, number]} [rows]
 * @property {'csv' | 'jsonl'} format
 * @property {boolean} terminal control characters become escapes
 * @property {(message: string) => void} warn
 */

/**
 * @param {ParquetFile} file
 * @param {CatOptions} options
 * @returns {AsyncGenerator<string>} pieces of the output
 */
export async function* catText(file, { columns, rows, format, terminal, warn }) {
  const head = await file.read({ columns, rows: [0, 0] })
  for (const { name, error } of head.unsupported)
    warn(`column ${printable(name)} is left out: ${printable(error.message)}`)
  if (head.columns.length === 0) return
  const names = uniqueNames(head.columns.map(({ name }) => name))
  const clean = terminal ? printable : (/** @type {string} */ text) => text
  if (format === 'csv') yield `${names.map((name) => clean(csvText(name))).join(',')}\n`
  const line = format === 'csv' ? csvLine(clean) : jsonLine(names, terminal)
  for (const range of pieces(file, rows, head.columns.length)) {
    const table = await file.read({ columns: columns ?? readableColumns(file, head), rows: range })
    yield* tableText(table, line)
  }
}

/**
 * The leaves of the first read by number, so that names that repeat do no harm, and none is tried again that cannot
 * be read.
 * @param {ParquetFile} file
 * @param {Table} head
 * @returns {number[]}
 */
function readableColumns(file, head) {
  const left = new Set(head.unsupported.map(({ name }) => name))
  return file.columns.filter(({ path }) => !left.has(path[0])).map(({ index }) => index)
}

/**
 * Rows [start, end) in pieces that fit the memory and end where row groups do.
 * @param {ParquetFile} file
 * @param {[number, number] | undefined} rows
 * @param {number} numColumns
 * @returns {Generator<[number, number]>}
 */
function* pieces(file, rows, numColumns) {
  const [start, end] = rows ?? [0, file.numRows]
  const step = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_VALUES / numColumns)))
  let groupStart = 0
  for (const { numRows = 0 } of file.metadata.rowGroups ?? []) {
    const last = Math.min(end, groupStart + numRows)
    for (let row = Math.max(start, groupStart); row < last; row += step) yield [row, Math.min(row + step, last)]
    groupStart += numRows
  }
}

/**
 * @param {Table} table
 * @param {(values: Plain[]) => string} line
 * @returns {Generator<string>}
 */
function* tableText({ columns, numRows }, line) {
  let text = ''
  for (let row = 0; row < numRows; row++) {
    text += `${line(columns.map((column) => plainValue(column, row)))}\n`
    if (text.length < 65536) continue
    yield text
    text = ''
  }
  yield text
}

/**
 * RFC 4180. A null is an empty field, an empty text is ""; arrays, objects and Maps are JSON.
 * @param {(text: string) => string} clean
 * @returns {(values: Plain[]) => string}
 */
function csvLine(clean) {
  return (values) => values.map((value) => (value === null ? '' : clean(csvText(plainText(value))))).join(',')
}

/**
 * @param {string} text
 * @returns {string}
 */
function csvText(text) {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * @param {string[]} names
 * @param {boolean} terminal
 * @returns {(values: Plain[]) => string}
 */
function jsonLine(names, terminal) {
  const clean = terminal ? printableJson : (/** @type {string} */ json) => json
  const keys = names.map((name) => clean(JSON.stringify(name)))
  return (values) => `{${values.map((value, i) => `${keys[i]}:${clean(jsonText(value))}`).join(',')}}`
}
