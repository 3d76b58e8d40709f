/** Which columns and rows a caller asks for. */
import { badArgument, describe, mustBe, notThere } from './errors.js'

/** @typedef {import('./metadata.js').Metadata} Metadata */

/**
 * @param {Metadata} metadata
 * @param {number} leaf
 * @returns {string} dotted path
 */
export function leafName(metadata, leaf) {
  return metadata.path(leaf).join('.')
}

/**
 * @param {Metadata} metadata
 * @param {unknown} columns names and numbers
 * @returns {number[]} leaves
 */
export function chooseColumns(metadata, columns) {
  if (!Array.isArray(columns)) throw mustBe('options.columns', 'an array', columns)
  return columns.flatMap((column, i) => chooseColumn(metadata, column, `options.columns[${i}]`))
}

/**
 * @param {Metadata} metadata
 * @param {unknown} column
 * @param {string} argument
 * @returns {readonly number[]} leaves of that name or number, or of the groups of that name
 */
export function chooseColumn(metadata, column, argument) {
  if (typeof column === 'number') {
    if (Number.isInteger(column) && column >= 0 && column < metadata.numColumns) return [column]
    throw badArgument(argument, `is ${column}; the file has ${metadata.numColumns} columns, counted from 0`)
  }
  if (typeof column !== 'string') {
    throw mustBe(argument, 'the name or number of a column', column)
  }
  const leaves = metadata.find(column)
  if (leaves.length > 0) return leaves
  const below = metadata.findBelow(column)
  if (below.length > 0) return below
  const names = Array.from({ length: metadata.numColumns }, (_, i) => leafName(metadata, i))
  throw notThere(argument, column, "the file's columns", names)
}

/**
 * @param {unknown} rows
 * @returns {[start: number, end: number] | undefined}
 */
export function checkRows(rows) {
  if (rows === undefined) return undefined
  if (!Array.isArray(rows) || rows.length !== 2) {
    throw mustBe('options.rows', '[start, end]', rows)
  }
  const [start, end] = rows
  const isEnd = Number.isSafeInteger(end) || end === Infinity
  if (!Number.isSafeInteger(start) || start < 0 || !isEnd || end < start) {
    const given = `[${rows.map(describe).join(', ')}]`
    throw badArgument('options.rows', `must be [start, end] with 0 <= start <= end, not ${given}`)
  }
  return [start, Math.min(end, Number.MAX_SAFE_INTEGER)]
}

/**
 * The rows of one column chunk that are wanted.
 * @typedef {object} ChunkRange
 * @property {number} rowGroup
 * @property {number} column
 * @property {number} firstRow in the row group
 * @property {number} numRows
 * @property {number} groupRows rows of the row group
 * @property {number} offset of its pages in the file
 * @property {number} size
 */

/**
 * @param {Metadata} metadata
 * @param {number[]} leaves ascending
 * @param {number[]} rowGroups ascending
 * @param {[number, number]} [rows] counted over the row groups
 * @returns {{ ranges: ChunkRange[], numRows: number }} in the order of row groups, then columns; where they stand in the
 *   file is not found out here
 */
export function planRanges(metadata, leaves, rowGroups, rows) {
  const total = rowGroups.reduce((sum, group) => sum + metadata.rowsOf(group), 0)
  const [first, end] = rows ?? [0, total]
  if (first > total) throw badArgument('options.rows', `starts at ${first}, past the last of ${total} rows`)
  const ranges = []
  let before = 0
  for (const rowGroup of rowGroups) {
    const groupRows = metadata.rowsOf(rowGroup)
    const firstRow = Math.max(first - before, 0)
    const numRows = Math.min(end - before, groupRows) - firstRow
    before += groupRows
    if (numRows <= 0) continue
    for (const column of leaves)
      ranges.push({ rowGroup, column, firstRow, numRows, groupRows, offset: 0, size: 0 })
  }
  return { ranges, numRows: Math.min(end, total) - first }
}
