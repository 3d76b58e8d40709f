/** The plan of a read: which byte ranges hold the rows of the columns wanted. The core makes it. */
import { badArgument } from './errors.js'

/** @typedef {import('./ledger.js').Ledger} Ledger */
/** @typedef {import('./metadata.js').Metadata} Metadata */
/**
 * One column chunk.
 * @typedef {object} PlanRange
 * @property {number} rowGroup
 * @property {number} column
 * @property {number} offset of its pages in the file
 * @property {number} size
 * @property {number} firstRow of the rows wanted, in the row group
 * @property {number} numRows
 * @property {number} groupRows rows of the row group
 */
/** @typedef {{ ranges: PlanRange[], numRows: number }} Plan */

/* Numbers of a range as the core gives it. */
const RANGE_NUMBERS = 7

/**
 * @param {Ledger} ledger
 * @param {Metadata} metadata
 * @param {object} choice
 * @param {number} choice.image address of the metadata image
 * @param {number[]} choice.leaves ascending
 * @param {number[]} choice.rowGroups ascending
 * @param {[number, number]} [choice.rows]
 * @returns {Plan} ranges in the order of row groups, then columns
 */
export function makePlan(ledger, metadata, { image, leaves, rowGroups, rows }) {
  const total = rowGroups.reduce((sum, group) => sum + metadata.rowsOf(group), 0)
  const [first, end] = rows ?? [0, total]
  if (first > total) throw badArgument('options.rows', `starts at ${first}, past the last of ${total} rows`)
  const numRows = Math.min(end, total) - first
  if (leaves.length === 0 || numRows === 0) return { ranges: [], numRows }
  const { core } = ledger
  const words = Uint32Array.from([...leaves, ...rowGroups])
  const address = ledger.allocate(words.byteLength)
  core.u8.set(new Uint8Array(words.buffer), address)
  const groupsAt = address + 4 * leaves.length
  const { handle } = ledger
  const status = core.call.plan(
    image,
    address,
    leaves.length,
    groupsAt,
    rowGroups.length,
    first,
    numRows,
    handle
  )
  ledger.free(address, words.byteLength)
  core.check(status, {})
  const count = core.result('size')
  const at = core.result('pointer')
  const numbers = new Float64Array(core.memory.buffer, at, RANGE_NUMBERS * count).slice()
  ledger.free(at, numbers.byteLength)
  const ranges = Array.from({ length: count }, (_, i) => {
    const range = numbers.subarray(RANGE_NUMBERS * i, RANGE_NUMBERS * (i + 1))
    const [rowGroup, column, offset, size, firstRow, wanted, groupRows] = range
    return { rowGroup, column, offset, size, firstRow, numRows: wanted, groupRows }
  })
  return { ranges, numRows }
}

/**
 * The bytes of a chunk that are sure to be needed. Of a chunk of which few rows are wanted only its pages will tell.
 * @param {PlanRange} range
 * @returns {{ start: number, end: number }}
 */
export function rangeToFetch({ offset, size, firstRow, numRows, groupRows }) {
  return { start: offset, end: 2 * (firstRow + numRows) >= groupRows ? offset + size : offset }
}
