/**
 * Random tables, written by arrow-rs, DuckDB, pyarrow and hyparquet-writer, read in Node and in C, and compared with the values that they
 * were made of. PAGELANE_TABLES: how many of each writer. PAGELANE_SEED: the first seed; what fails says its own.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { open } from '../../wasm/node.js'
import { digestsByC, digestsOfColumn } from './digest.js'
import { firstDifference, show } from './plain.js'
import { closePyarrow } from './pyarrow.js'
import { toGiven } from './random/given.js'
import { randomTable, writers } from './random/tables.js'
import { toPlain } from './random/types.js'
import { closePyarrowWriter } from './random/write_pyarrow.js'
import { plainValues } from './read_pagelane.js'
import { peers, readAll } from './readers.js'

const TABLES = Number(process.env.PAGELANE_TABLES ?? 12)
const FIRST = Number(process.env.PAGELANE_SEED ?? 1)
/** Rows whose get(i) is compared. */
const GIVEN = 100

/** @typedef {Awaited<ReturnType<typeof randomTable>>} RandomTable */

/**
 * @param {string} path
 * @param {RandomTable} table
 * @returns {Promise<string[]>} the digests of its leaves
 */
async function check(path, { columns }) {
  const file = await open(path)
  const table = await file.read()
  file.close()
  assert.deepEqual(
    table.unsupported.map(({ name, error }) => `${name}: ${error.message}`),
    []
  )
  assert.equal(table.columns.length, columns.length)
  for (const [c, { name, type, values }] of columns.entries()) {
    const column = table.columns[c]
    assert.equal(column.name, name)
    const expected = values.map((value) => toPlain(type, value))
    const found = plainValues(column)
    const row = firstDifference(expected, found)
    assert.ok(
      row < 0,
      `${name}, row ${row} of ${values.length} is ${show(found[row])}, not ${show(expected[row])}`
    )
    for (let i = 0; i < Math.min(values.length, GIVEN); i++) {
      assert.deepStrictEqual(column.get(i), toGiven(type, values[i]), `${name}, get(${i})`)
    }
  }
  return table.columns.flatMap((column) => digestsOfColumn(column))
}

/** Who of the other readers finds the values that were written? @param {string} path @param {RandomTable} table */
async function others(path, { columns }) {
  const lines = []
  for (const reader of peers.filter(({ version }) => version !== null)) {
    const read = await readAll(
      reader,
      path,
      columns.map(({ name }) => name)
    )
    const same = columns.map(({ type, values }, c) => {
      const expected = values.map((value) => toPlain(type, value))
      return typeof read[c] === 'string'
        ? read[c]
        : firstDifference(expected, read[c]) < 0
          ? 'equal'
          : 'differs'
    })
    lines.push(`${reader.name}: ${same.join(', ')}`)
  }
  return lines.join('\n')
}

describe('random tables', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pagelane-tables-'))
  after(() => {
    closePyarrow()
    closePyarrowWriter()
    rmSync(folder, { recursive: true })
  })

  for (const writer of writers) {
    test(`${TABLES} of ${writer.name}`, { skip: writer.missing }, async () => {
      /** @type {Map<string, { seed: number, digests: string[] }>} */
      const files = new Map()
      for (let seed = FIRST; seed < FIRST + TABLES; seed++) {
        const path = join(folder, `${writer.name}-${seed}.parquet`)
        const table = await randomTable(writer, seed, join(folder, 'in-work.parquet'))
        writeFileSync(path, table.bytes)
        try {
          files.set(path, { seed, digests: await check(path, table) })
        } catch (/** @type {any} */ error) {
          const found = `${error.message}\nwritten with ${table.how}\n${await others(path, table)}`
          throw new Error(`seed ${seed} of ${writer.name}: ${found}`, { cause: error })
        }
      }
      const byC = await digestsByC([...files.keys()])
      for (const [path, { seed, digests }] of files) {
        assert.deepEqual(byC.get(path), digests, `seed ${seed} of ${writer.name}, in C`)
        rmSync(path)
      }
    })
  }
})
