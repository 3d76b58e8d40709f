/**
 * Strings in the delta encodings, to owned arrays. parquet-wasm and hyparquet check (or decode) UTF-8 as they read, so our arm
 * checks it too, as Node's users can: reading itself leaves bytes as they are.
 */
import { isAscii, isUtf8 } from 'node:buffer'
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
  const arms = [checkedArm(bytes), ...parquetWasmArms(bytes), hyparquetArm(bytes)]
  await checkSameResults(arms)
  return resultsOf(
    { bench: 'strings', case: name, host: 'node', isa: 'simd128' },
    await runRounds(arms, rounds)
  )
}

/**
 * @param {Uint8Array} bytes
 * @returns {import('../rounds.js').Arm}
 */
function checkedArm(bytes) {
  const arm = ownedArm(bytes)
  return {
    ...arm,
    name: 'pagelane owned, UTF-8 checked',
    async run() {
      const table = /** @type {import('pagelane').Table} */ (await arm.run())
      for (const column of table.columns) {
        const { offsets, data } = /** @type {{ offsets: Int32Array, data: Uint8Array }} */ (column)
        if (!areUtf8(offsets, data)) throw new Error(`${column.name}: not UTF-8`)
      }
      return table
    },
  }
}

/** Values that are checked at a time: their bytes are looked at twice, and stay in the cache. */
const STEP = 4096

/**
 * The bytes of many values together are UTF-8, and none of these begins inside a character: then each value is.
 * @param {Int32Array} offsets
 * @param {Uint8Array} data
 * @returns {boolean}
 */
function areUtf8(offsets, data) {
  // bytes inside a character are 0x80 to 0xBF, below -64 as signed numbers
  const signed = new Int8Array(data.buffer, data.byteOffset, data.length)
  const n = offsets.length - 1
  let signs = 0
  for (let start = 0; start < n; start += STEP) {
    const end = Math.min(start + STEP, n)
    const bytes = data.subarray(offsets[start], offsets[end])
    if (isAscii(bytes)) continue
    if (!isUtf8(bytes)) return false
    for (let i = start; i < end; i++) signs |= signed[offsets[i]] + 64
  }
  return signs >= 0
}
