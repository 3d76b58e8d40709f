/**
 * From the import of a library to the first decoded file of 1,000 rows, in fresh Node processes. What Node itself takes to
 * start is not in it.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { benchFile } from '../bench_files.js'
import { resultOf } from '../results.js'

const LIBRARIES = ['pagelane', 'parquet-wasm', 'hyparquet']

/**
 * @param {string} name
 * @param {number} rounds
 * @returns {Promise<import('../results.js').Result[]>}
 */
export async function run(name, rounds) {
  const path = await benchFile(name)
  const script = fileURLToPath(new URL('../read_once.js', import.meta.url))
  /** @type {Record<string, number[]>} */
  const ms = Object.fromEntries(LIBRARIES.map((library) => [library, []]))
  // the first round fills the disk cache
  for (let round = -1; round < rounds; round++) {
    for (const library of LIBRARIES) {
      const { readMs } = JSON.parse(
        execFileSync(process.execPath, [script, library, path], { encoding: 'utf8' })
      )
      if (round >= 0) ms[library].push(readMs)
    }
  }
  return LIBRARIES.slice(1).map((baseline) =>
    resultOf(
      { bench: 'startup', case: name, host: 'node', isa: 'simd128', output: 'owned', baseline, unit: 'ms' },
      ms.pagelane,
      ms[baseline]
    )
  )
}
