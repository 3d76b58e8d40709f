/** table.toArrowIPC, read back by apache-arrow, flechette and, where Python has it, pyarrow. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { tableFromIPC as flechetteTable } from '@uwdata/flechette'
import { tableFromIPC } from 'apache-arrow'
import { open, PagelaneError } from '../../wasm/node.js'
import { FLECHETTE, fromArrow, fromFlechette, ours } from './arrow_values.js'
import { writtenFile } from './written.js'

const { PARQUET_TEST_DATA: data } = process.env
/** More rows than these are compared in part: at both ends. */
const MANY = 3000

/**
 * @param {number} length
 * @returns {number[]} rows to compare
 */
const chosen = (length) =>
  Array.from({ length }, (_, i) => i).filter((i) => i < MANY / 2 || i >= length - MANY / 2)

/**
 * Every value, as each reader finds it, against what pagelane's own column says.
 * @param {import('../../wasm/table.js').Table} table
 * @param {'stream' | 'file'} format
 */
function check(table, format) {
  const bytes = table.toArrowIPC({ format })
  const theirs = tableFromIPC(bytes)
  const flat = flechetteTable(bytes, FLECHETTE)
  assert.equal(theirs.numCols, table.columns.length)
  if (table.columns.length > 0) assert.equal(theirs.numRows, table.numRows)
  const rows = chosen(table.numRows)
  for (const [c, column] of table.columns.entries()) {
    const vector = theirs.getChildAt(c)
    const { name, type, nullable } = theirs.schema.fields[c]
    assert.deepEqual([name, nullable], [column.name, column.nullable ?? true])
    assert.equal(vector?.nullCount, column.kind === 'null' ? column.length : column.nullCount)
    const expected = rows.map((i) => ours(column, i, type))
    const where = `${name} (${column.kind}, ${type}), ${format}`
    assert.deepEqual(
      rows.map((i) => fromArrow(vector, i)),
      expected,
      `apache-arrow: ${where}`
    )
    const other = flat.getChildAt(c)
    assert.deepEqual(
      rows.map((i) => fromFlechette(other.type, other.at(i))),
      expected,
      `flechette: ${where}`
    )
  }
}

describe('toArrowIPC of the files of parquet-testing', {
  skip: data === undefined && 'PARQUET_TEST_DATA is not set',
}, () => {
  const folder = data ?? ''
  const names = data === undefined ? [] : readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const name of names.filter((each) => /\.parquet$/.test(each))) {
    test(name, async (t) => {
      const file = await open(readFileSync(join(folder, name)))
      for (const options of /** @type {const} */ ([{}, { dictionary: 'keep' }, { int64: 'number' }])) {
        try {
          const table = await file.read(options)
          for (const format of /** @type {const} */ (['stream', 'file'])) check(table, format)
        } catch (error) {
          // broken files, and 64-bit integers that are no numbers, have their tests elsewhere
          if (!(error instanceof PagelaneError)) throw error
          t.diagnostic(error.message)
        }
      }
    })
  }
})

test('a file of several row groups and pages', async () => {
  const file = await open(writtenFile())
  for (const options of /** @type {const} */ ([
    {},
    { dictionary: 'keep' },
    { rows: [3, 2200] },
    { rows: [5, 5] },
  ])) {
    const table = await file.read(options)
    for (const format of /** @type {const} */ (['stream', 'file'])) check(table, format)
  }
})
