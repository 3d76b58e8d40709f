/**
 * Peak memory of a process that reads a whole file into arrays and keeps them, above a process that does nothing. Each
 * library is used as its documentation shows: pagelane and hyparquet get the path, parquet-wasm the bytes.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { benchFile } from '../bench_files.js'
import { resultOf } from '../results.js'

const LIBRARIES = ['none', 'pagelane', 'parquet-wasm', 'hyparquet']

/** Peaks hardly vary, and a round takes seconds. */
const MAX_ROUNDS = 3

/**
 * @param {string} name
 * @param {number} rounds
 * @returns {Promise<import('../results.js').Result[]>}
 */
export async function run(name, rounds) {
  const path = await benchFile(name)
  const script = fileURLToPath(new URL('../read_once.js', import.meta.url))
  /** @type {Record<string, number[]>} */
  const peaks = Object.fromEntries(LIBRARIES.map((library) => [library, []]))
  for (let round = 0; round < Math.min(rounds, MAX_ROUNDS); round++) {
    for (const library of LIBRARIES) {
      const { peakBytes } = JSON.parse(
        execFileSync(process.execPath, [script, library, path], { encoding: 'utf8' })
      )
      peaks[library].push(library === 'none' ? peakBytes : peakBytes - peaks.none[round])
    }
  }
  return LIBRARIES.slice(2).map((baseline) =>
    resultOf(
      { bench: 'memory', case: name, host: 'node', isa: 'simd128', output: 'owned', baseline, unit: 'bytes' },
      peaks.pagelane,
      peaks[baseline]
    )
  )
}
