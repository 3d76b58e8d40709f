/** Files of Apache Spark, which parquet-java wrote: version 1 with Spark's older lists and INT96, version 2 with delta encodings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { open } from '../../wasm/node.js'
import { digestsByC, digestsOfFile } from './digest.js'
import {
  bytesOf,
  dateOf,
  decimalOf,
  firstDifference,
  Pairs,
  show,
  structOf,
  textOf,
  timestampOf,
} from './plain.js'
import { plainValues } from './read_pagelane.js'

const N = 300
const MIDNIGHT = BigInt(Date.UTC(2001, 1, 3)) * 1000n

/** @param {number} n @returns {any[]} */
const count = (n) => Array.from({ length: n }, (_, k) => k)
/** @param {number} n */
const struct = (n) =>
  n % 5 === 4 ? null : structOf(['a', 'b'], [n % 3 === 2 ? null : BigInt(n), textOf(`b${n}`)])

/** Columns as spark_write.py makes them; some are null in every seventh row. @type {Record<string, (i: number) => any>} */
const SOMETIMES = {
  flag: (i) => i % 3 === 0,
  byte: (i) => BigInt((i % 256) - 128),
  short: (i) => BigInt(i * 100 - 15000),
  long: (i) => BigInt(i) ** 5n * (i % 2 ? -1n : 1n),
  float: (i) => i / 4,
  double: (i) => (0 - i) / 8,
  text: (i) => `text ${i % 11}`,
  bytes: (i) => bytesOf(Uint8Array.of(i, 0, 255)),
  small: (i) => decimalOf(BigInt(i * 12345 - 999), 2),
  large: (i) => decimalOf(BigInt(i) ** 8n * 10n ** 10n + BigInt(i), 10),
  date: (i) => dateOf(i * 100 - 9000),
  time: (i) => timestampOf(MIDNIGHT + BigInt(i) * 3_600_000_001n, 'us'),
  list: (i) => count(i % 5).map((k) => (k % 4 === 3 ? null : BigInt(i + k))),
  lists: (i) => count(i % 4).map((k) => (k === 1 ? null : count(k).map((j) => 'x'.repeat(j)))),
  map: (i) => new Pairs(count(i % 4).map((k) => [`k${k}`, k === 2 ? null : BigInt(i * k)])),
  structs: (i) => count(i % 3).map((k) => struct(i + k)),
}
/** @type {Record<string, (i: number) => any>} */
const ALWAYS = { int: (i) => BigInt(i * i), struct }

for (const name of ['v1', 'v2']) {
  test(`${name}, in Node and in C`, async () => {
    const path = fileURLToPath(new URL(`spark/${name}.parquet`, import.meta.url))
    const file = await open(path)
    const table = await file.read()
    file.close()
    assert.deepEqual(table.unsupported, [])
    assert.equal(table.columns.length, 18)
    for (const column of table.columns) {
      const value = ALWAYS[column.name] ?? ((i) => (i % 7 === 3 ? null : SOMETIMES[column.name](i)))
      const expected = count(N).map(value)
      const found = plainValues(column)
      const row = firstDifference(expected, found)
      assert.ok(row < 0, `${column.name}, row ${row}: ${show(found[row])}, not ${show(expected[row])}`)
    }
    assert.deepEqual((await digestsByC([path])).get(path), await digestsOfFile(path))
  })
}
