/**
 * Whole files in memory to columns: every way pagelane hands them over, against parquet-wasm and hyparquet.
 */
import { readFileSync } from 'node:fs'
import { benchFile } from '../bench_files.js'
import { hyparquetArm } from '../readers/hyparquet.js'
import { pagelaneArms } from '../readers/pagelane.js'
import { parquetWasmArms } from '../readers/parquet_wasm.js'
import { resultsOf } from '../results.js'
import { checkSameResults, runRounds } from '../rounds.js'

/**
 * @param {string} name
 * @param {number} rounds
 * @returns {Promise<import('../results.js').Result[]>}
 */
export const run = (name, rounds) => runFile('files', name, rounds)

/**
 * @param {string} bench the group's name
 * @param {string} name
 * @param {number} rounds
 * @returns {Promise<import('../results.js').Result[]>}
 */
export async function runFile(bench, name, rounds) {
  // a buffer of its own: what readFileSync gives for a small file is a piece of a shared pool
  const bytes = new Uint8Array(readFileSync(await benchFile(name)))
  const arms = [...(await pagelaneArms(bytes)), ...parquetWasmArms(bytes), hyparquetArm(bytes)]
  await checkSameResults(arms)
  return resultsOf({ bench, case: name, host: 'node', isa: 'simd128' }, await runRounds(arms, rounds))
}
