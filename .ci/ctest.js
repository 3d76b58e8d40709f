/** Runs the C tests of a build. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { countCtest, noCounts } from '../tests/results.js'
import { step } from './step.js'

/**
 * @param {string} title
 * @param {string} folder of the build
 * @returns {Promise<import('../tests/results.js').Counts>} what failed has been printed
 */
export async function runCtest(title, folder) {
  const log = join(folder, 'Testing/Temporary/LastTest.log')
  rmSync(log, { force: true })
  const jobs = `-j${availableParallelism()}`
  const args = ['--test-dir', folder, '--output-on-failure', jobs, '--timeout', '600', '--no-tests=error']
  const { code, output } = await step(`test: ${title}`, 'ctest', args, { allowFailure: true })
  if (code !== 0) console.error(output)
  const counts = existsSync(log) ? countCtest(readFileSync(log, 'utf8')) : noCounts()
  if (code !== 0 && counts.failed === 0) counts.failed = 1
  return counts
}
