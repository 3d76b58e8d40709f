/** The report of `npm start`: what is in a file, read column by column, with the time each took, and its first rows. */
import { extremes } from './extremes.js'
import { byteCount, count, plainText, plainValue, printable, tableLines, typeText } from './format.js'
import { open, PagelaneError } from './node.js'
import { Column } from './table.js'

/** @typedef {import('./file.js').ParquetFile} ParquetFile */
/** @typedef {import('./index.d.ts').ColumnInfo} ColumnInfo */
/** @typedef {import('./table.js').Table} Table */

const MAX_COLUMNS = 100
const FIRST_ROWS = 10

/**
 * @param {import('./index.d.ts').FileInput} source
 * @param {object} [streams]
 * @param {NodeJS.WriteStream} [streams.stdout]
 * @param {NodeJS.WriteStream} [streams.stderr] shows progress when it is a terminal
 */
export async function report(source, { stdout = process.stdout, stderr = process.stderr } = {}) {
  const print = (/** @type {string[]} */ lines) => stdout.write(`${lines.join('\n')}\n`)
  const file = await open(source)
  try {
    print(fileLines(file))
    const shown = file.columns.slice(0, MAX_COLUMNS)
    const readable = []
    const rows = []
    let milliseconds = 0
    for (const column of shown) {
      if (stderr.isTTY) stderr.write(`\r\x1b[Kreading column ${column.index + 1} of ${shown.length}`)
      const row = await columnRow(file, column)
      rows.push(row.cells)
      if (row.milliseconds === undefined) continue
      milliseconds += row.milliseconds
      readable.push(column)
    }
    if (stderr.isTTY) stderr.write('\r\x1b[K')
    const head = ['column', 'type', 'encodings', 'codec', 'bytes', 'nulls', 'min', 'max', 'time']
    print(tableLines({ head, rows, right: [false, false, false, false, true, true, false, false, true] }, 32))
    if (shown.length < file.columns.length)
      print([`… and ${count(file.columns.length - shown.length)} columns more`])
    print(['', `${count(file.numRows)} rows, read in ${milliseconds.toFixed(0)} ms`, ''])
    const first = await file.read({
      columns: readable.length === file.columns.length ? undefined : readable.map(({ index }) => index),
      rows: [0, FIRST_ROWS],
    })
    print(rowLines(first, stdout.columns ?? 120))
  } finally {
    file.close()
  }
}

/**
 * @param {ParquetFile} file
 * @returns {string[]}
 */
function fileLines({ metadata, numRows, byteLength, columns }) {
  const groups = metadata.rowGroups?.length ?? 0
  return [
    `${byteCount(byteLength)}, ${count(numRows)} rows, ${count(columns.length)} columns, ${count(groups)} row group${groups === 1 ? '' : 's'}`,
    `written by ${printable(metadata.createdBy ?? 'an unnamed writer')}`,
    '',
  ]
}

/**
 * @param {ParquetFile} file
 * @param {ColumnInfo} info
 * @returns {Promise<{ cells: string[], milliseconds?: number }>} no time for a column that cannot be read
 */
async function columnRow(file, { index, name, type }) {
  const chunks = (file.metadata.rowGroups ?? []).map(({ columns }) => columns?.[index]?.metaData ?? {})
  const encodings = new Set(chunks.flatMap((chunk) => chunk.encodings ?? []))
  const codecs = new Set(chunks.map((chunk) => String(chunk.codec)))
  const size = chunks.reduce((sum, chunk) => sum + (chunk.totalCompressedSize ?? 0), 0)
  const cells = [name, typeText(type), [...encodings].join(' '), [...codecs].join(' '), byteCount(size)]
  const start = performance.now()
  try {
    const table = await file.read({ columns: [index] })
    const milliseconds = performance.now() - start
    const column = leafOf(table.columns[0])
    const ends = extremes(column)
    const bounds =
      ends === undefined
        ? ['', '']
        : [plainValue(column, ends.min), plainValue(column, ends.max)].map(plainText)
    return {
      cells: [...cells, count(column.nullCount), ...bounds, `${milliseconds.toFixed(1)} ms`],
      milliseconds,
    }
  } catch (error) {
    if (!(error instanceof PagelaneError) || error.code !== 'UNSUPPORTED') throw error
    return { cells: [...cells, '', 'UNSUPPORTED', error.message.replace(/ \[.*/, ''), ''] }
  }
}

/**
 * @param {Column} column with one leaf
 * @param {Uint8Array | null} [above] in which entries the groups above are there
 * @returns {Column} the leaf; an entry is null too where a group above it is
 */
function leafOf(column, above = null) {
  const { name, type, length } = column
  const validity = both(column.validity, above)
  const [child] = column.children ?? []
  // a list that is null has no entries below
  if (child !== undefined) return leafOf(child, column.offsets === undefined ? validity : null)
  return new Column(name, type, length, { ...column, validity, nullCount: length - countSet(validity, length) })
}

/**
 * @param {Uint8Array | null} a bitmap
 * @param {Uint8Array | null} b
 * @returns {Uint8Array | null} bits that are set in both
 */
function both(a, b) {
  if (a === null || b === null) return a ?? b
  return a.map((bits, i) => bits & b[i])
}

/**
 * @param {Uint8Array | null} validity
 * @param {number} length
 * @returns {number}
 */
function countSet(validity, length) {
  if (validity === null) return length
  let n = 0
  for (let i = 0; i < length; i++) n += (validity[i >> 3] >> (i & 7)) & 1
  return n
}

/**
 * @param {Table} table
 * @param {number} width of the terminal
 * @returns {string[]} as many columns as fit
 */
export function rowLines(table, width) {
  const { columns, numRows } = table
  if (columns.length === 0 || numRows === 0) return [numRows === 0 ? 'no rows' : 'no column that can be shown']
  const head = columns.map(({ name }) => name)
  const rows = Array.from({ length: numRows }, (_, i) =>
    columns.map((column) => plainText(plainValue(column, i)))
  )
  const right = columns.map(({ kind }) => /^u?int|^float|^decimal/.test(kind))
  for (let n = columns.length; ; n--) {
    const lines = tableLines({ head: head.slice(0, n), rows: rows.map((row) => row.slice(0, n)), right }, 28)
    if (n > 1 && [...lines[1]].length > width) continue
    return n === columns.length ? lines : [...lines, `… and ${count(columns.length - n)} columns more`]
  }
}
