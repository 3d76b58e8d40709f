/**
 * DELTA_BYTE_ARRAY, native: fixed-width values and strings, straight to their places or as views (tests/bench/native/flba.c).
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { cmakeBuild } from '../../../.ci/build.js'
import { resultOf } from '../results.js'

/** Each of our arms, its output, and what it is measured against. */
const ARMS = /** @type {const} */ ([
  ['dense', 'into', 'views-then-copy'],
  ['views', 'view', 'views-only'],
])

/**
 * @param {string} name
 * @param {number} rounds
 * @returns {Promise<import('../results.js').Result[]>}
 */
export async function run(name, rounds) {
  const folder = await cmakeBuild('bench', { PAGELANE_BENCH: 'ON' })
  const program = join(folder, 'tests/bench/native/bench_flba')
  const lines = execFileSync(program, [String(rounds), name], { encoding: 'utf8' })
    .trimEnd()
    .split('\n')
  const measured = lines.map((line) => JSON.parse(line))
  const arm = (/** @type {string} */ wanted) => measured.find((each) => each.arm === wanted)
  return ARMS.map(([ours, output, baseline]) =>
    resultOf(
      { bench: 'flba', case: name, host: 'native', isa: arm(ours).isa, output, baseline, unit: 'ns' },
      arm(ours).ns,
      arm(baseline).ns
    )
  )
}
