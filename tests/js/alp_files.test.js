/**
 * ALP files of other writers, bit for bit: parquet-testing (PARQUET_TEST_DATA) has files `alp*.parquet` and, for each or for
 * all that hold the same numbers, an `alp*_expect.csv` with as many digits as a number needs. Copies of it that have none are
 * passed.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { open } from '../../wasm/node.js'

const folder = process.env.PARQUET_TEST_DATA ?? ''
const names = existsSync(folder) ? readdirSync(folder) : []
/** @param {string} name */
const expectedOf = (name) => name.replace('alp_java_', 'alp_').replace('.parquet', '_expect.csv')
const files = names.filter((name) => /^alp.*\.parquet$/.test(name) && names.includes(expectedOf(name)))

describe('ALP files', { skip: files.length === 0 && 'there are none in PARQUET_TEST_DATA' }, () => {
  for (const name of files) {
    test(name, async () => {
      const [header, ...lines] = readFileSync(join(folder, expectedOf(name)), 'utf8')
        .trim()
        .split(/\r?\n/)
      const rows = lines.map((line) => line.split(',').map(Number))
      const file = await open(readFileSync(join(folder, name)))
      const { columns, unsupported } = await file.read()
      assert.deepEqual([unsupported, columns.map((column) => column.name)], [[], header.split(',')])
      for (const [i, { values }] of columns.entries()) {
        assert.ok(values instanceof Float64Array || values instanceof Float32Array)
        const numbers = rows.map((row) => row[i])
        const expected =
          values instanceof Float32Array ? Float32Array.from(numbers) : Float64Array.from(numbers)
        assert.ok(Buffer.from(values.buffer).equals(Buffer.from(expected.buffer)), columns[i].name)
      }
    })
  }
})
