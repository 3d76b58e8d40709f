/**
 * Lists, as arrays of the caller's own: against parquet-wasm, which leaves them in its memory, and hyparquet, which makes
 * JavaScript's arrays.
 */
import { readFileSync } from 'node:fs'
import { benchFile } from '../bench_files.js'
import { hyparquetArm } from '../readers/hyparquet.js'
import { ownedArm } from '../readers/pagelane.js'
import { parquetWasmArms } from '../readers/parquet_wasm.js'
import { resultsOf } from '../results.js'
import { checkSameResults, runRounds } from '../rounds.js'

/**
 * @param {string} name
 * @param {number} rounds
 * @returns {Promise<import('../results.js').Result[]>}
 */
export async function run(name, rounds) {
  const bytes = new Uint8Array(readFileSync(await benchFile(name)))
  const arms = [ownedArm(bytes), ...parquetWasmArms(bytes), hyparquetArm(bytes)]
  await checkSameResults(arms.map(comparable))
  return resultsOf({ bench: 'nested', case: name, host: 'node', isa: 'simd128' }, await runRounds(arms, rounds))
}

/**
 * @param {import('../rounds.js').Arm} arm
 * @returns {import('../rounds.js').Arm} with text for lists, so that equal ones are the same
 */
function comparable(arm) {
  const { columns } = arm
  if (columns === undefined) return arm
  return {
    ...arm,
    columns: async () =>
      Object.fromEntries(
        Object.entries(await columns()).map(([name, { length, at }]) => [
          name,
          { length, at: (i) => JSON.stringify(at(i)) },
        ])
      ),
  }
}
