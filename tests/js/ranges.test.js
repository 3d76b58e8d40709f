/**
 * Any rows of any leaves are what reading all of the file and slicing gives, however the file is cut into pages.
 * PAGELANE_RANGES: how many cases. PAGELANE_SEED: that of the first file; what fails says its own.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open } from '../../wasm/node.js'
import { leafStreams } from '../peers/leaf_streams.js'
import { randomTable, writers } from '../peers/random/tables.js'
import { MODEL_ABILITIES, writeModel } from '../peers/random/write_model.js'
import { Random } from '../reference/random.js'

const CASES = Number(process.env.PAGELANE_RANGES ?? 600)
const FIRST = Number(process.env.PAGELANE_SEED ?? 1)
const CASES_A_FILE = 40

/** They need no program of their own. */
const makers = [
  { name: 'model', abilities: MODEL_ABILITIES, write: writeModel },
  ...writers.filter(({ name }) => name === 'arrow-rs' || name === 'hyparquet-writer'),
]

/**
 * @typedef {object} Case
 * @property {number[]} [rowGroups]
 * @property {[number, number]} rows
 * @property {number[][]} leaves chosen, by top-level column, in the order wanted
 * @property {(string | number)[]} columns the same, as they are asked for
 * @property {'decode' | 'keep'} dictionary
 */

/**
 * @template T
 * @param {Random} random
 * @param {T[]} list
 * @param {number} [most]
 * @returns {T[]} some of them, at least one
 */
function some(random, list, most = list.length) {
  const chosen = list.filter(() => random.below(list.length) < most && random.below(2) === 1)
  return chosen.length > 0 ? chosen : [list[random.below(list.length)]]
}

/** @param {Awaited<ReturnType<typeof open>>} file @returns {number[]} */
const rowsOfGroups = (file) => (file.metadata.rowGroups ?? []).map(({ numRows }) => numRows ?? 0)

/**
 * @param {Random} random
 * @param {Awaited<ReturnType<typeof open>>} file
 * @returns {Case}
 */
function randomCase(random, file) {
  const groupRows = rowsOfGroups(file)
  const groups = groupRows.map((_, i) => i)
  const rowGroups = groups.length > 1 && random.below(3) === 0 ? some(random, groups) : undefined
  const numRows = (rowGroups ?? groups).reduce((sum, g) => sum + groupRows[g], 0)
  const start = random.below(numRows + 1)
  const length = random.below(2)
    ? random.below(numRows - start + 1)
    : random.below(Math.min(20, numRows - start + 1))
  /** @type {Map<string, number[]>} */
  const byRoot = new Map()
  for (const { index, path } of file.columns) byRoot.set(path[0], [...(byRoot.get(path[0]) ?? []), index])
  const roots = some(random, [...byRoot])
  if (random.below(2)) roots.reverse()
  const chosen = roots.map(([name, all]) => ({
    name,
    all,
    leaves: random.below(2) ? all : keptLeaves(file, some(random, all), all),
  }))
  return {
    rowGroups,
    rows: [start, start + length],
    leaves: chosen.map(({ leaves }) => leaves),
    columns: chosen.flatMap(
      /** @returns {(string | number)[]} */ ({ name, all, leaves }) =>
        leaves.length === all.length && random.below(2) ? [name] : leaves
    ),
    dictionary: random.below(4) === 0 ? 'keep' : 'decode',
  }
}

/**
 * A map is read with its keys.
 * @param {Awaited<ReturnType<typeof open>>} file
 * @param {number[]} leaves
 * @param {number[]} all
 */
function keptLeaves(file, leaves, all) {
  const maps = leaves.flatMap((leaf) => {
    const { path } = file.columns[leaf]
    return path.flatMap((name, i) => (name === 'key_value' ? [[...path.slice(0, i + 1), 'key'].join('.')] : []))
  })
  return all.filter((leaf) => leaves.includes(leaf) || maps.includes(file.columns[leaf].name))
}

/**
 * Rows of the whole file, from rows counted over some of its row groups.
 * @param {Awaited<ReturnType<typeof open>>} file
 * @param {Case} wanted
 * @returns {[number, number][]}
 */
function rangesOf(file, { rowGroups, rows: [start, end] }) {
  /** @type {[number, number][]} */
  const ranges = []
  let inFile = 0
  let counted = 0
  rowsOfGroups(file).forEach((numRows, g) => {
    if (rowGroups === undefined || rowGroups.includes(g)) {
      const first = Math.max(start, counted)
      const last = Math.min(end, counted + numRows)
      if (first < last) ranges.push([inFile + first - counted, inFile + last - counted])
      counted += numRows
    }
    inFile += numRows
  })
  return ranges
}

/**
 * Streams of all leaves, of some rows.
 * @param {any} table
 * @param {[number, number][]} ranges
 * @returns {Buffer[][]}
 */
function streamsOf(table, ranges) {
  return table.columns.flatMap((/** @type {any} */ column) => {
    const parts = [leafStreams(column, 0, 0), ...ranges.map(([start, end]) => leafStreams(column, start, end))]
    return parts[0].map((_, leaf) =>
      parts[0][leaf].streams.map((__, s) => Buffer.concat(parts.map((part) => part[leaf].streams[s])))
    )
  })
}

test(`${CASES} random row ranges and projections`, async () => {
  let left = CASES
  for (let seed = FIRST; left > 0; seed++) {
    const maker = makers[seed % makers.length]
    const { bytes, how } = await randomTable(maker, seed, '')
    const file = await open(bytes)
    const whole = await file.read()
    assert.deepEqual(whole.unsupported, [])
    const random = new Random(seed + 1e6)
    for (let i = 0; i < CASES_A_FILE && left > 0; i++, left--) {
      const wanted = randomCase(random, file)
      const { rowGroups, rows, columns, dictionary } = wanted
      const table = await file.read({ rowGroups, rows, columns, dictionary })
      const place = `seed ${seed}, case ${i}: ${JSON.stringify({ rowGroups, rows, columns, dictionary })} of ${maker.name}, ${how}`
      const ranges = rangesOf(file, wanted)
      assert.equal(table.numRows, rows[1] - rows[0], place)
      const expected = streamsOf(whole, ranges)
      const found = streamsOf(table, [[0, table.numRows]])
      const leaves = wanted.leaves.flat()
      assert.equal(found.length, leaves.length, place)
      leaves.forEach((leaf, at) => {
        expected[leaf].forEach((stream, s) => {
          assert.ok(found[at][s]?.equals(stream), `${place}: ${file.columns[leaf].name}, stream ${s}`)
        })
      })
    }
    file.close()
  }
})
