/**
 * What `.ci/run` does after `npm test`: the C tests built by clang, and by both compilers with address and undefined-behaviour
 * sanitizers. Warnings are errors in each. Ends with a line of counts.
 */

import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { addCounts, countCtest, noCounts } from '../tests/results.js'
import { cmakeBuild } from './build.js'
import { setup } from './setup.js'
import { StepError, step } from './step.js'

const sanitized = {
  CMAKE_BUILD_TYPE: 'None',
  CMAKE_C_FLAGS: '-O1',
  PAGELANE_SANITIZE: 'address,undefined',
}
const builds = [
  { name: 'clang', compiler: 'clang-19', options: { CMAKE_BUILD_TYPE: 'Release' } },
  { name: 'sanitize-gcc', compiler: 'gcc', options: sanitized },
  { name: 'sanitize-clang', compiler: 'clang-19', options: sanitized },
]

const total = noCounts()

/** @param {typeof builds[number]} build */
async function buildAndTest({ name, compiler, options }) {
  const folder = await cmakeBuild(name, {
    ...options,
    CMAKE_C_COMPILER: compiler,
    PAGELANE_TESTS: 'ON',
    PAGELANE_WERROR: 'ON',
  })
  const jobs = `-j${availableParallelism()}`
  const args = ['--test-dir', folder, '--output-on-failure', jobs, '--timeout', '600', '--no-tests=error']
  const { code, output } = await step(`test: C, ${name}`, 'ctest', args, { allowFailure: true })
  const counts = countCtest(readFileSync(join(folder, 'Testing/Temporary/LastTest.log'), 'utf8'))
  if (code !== 0 && counts.failed === 0) counts.failed = 1
  if (code !== 0) console.error(output)
  return counts
}

/** @param {unknown} error @returns {import('../tests/results.js').Counts} */
function failure(error) {
  console.error(error instanceof StepError ? error.message : error)
  return { ...noCounts(), failed: 1 }
}

/** @type {string[]} */
const missing = await setup(['build', 'test']).catch((error) => {
  addCounts(total, failure(error))
  return []
})
const lines = []
for (const build of builds) {
  const counts = missing.includes(build.compiler)
    ? { ...noCounts(), skipped: 1, reasons: [`${build.name}: ${build.compiler} is not installed`] }
    : await buildAndTest(build).catch(failure)
  lines.push(
    `${build.name.padEnd(16)} ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
  )
  addCounts(total, counts)
}
const digests = new Set(total.digests)
if (digests.size > 1) {
  total.failed++
  lines.push('✘ the vector suite gives different digests')
}
for (const line of lines) console.log(line)
for (const reason of new Set(total.reasons)) console.log(`skipped: ${reason}`)
for (const digest of digests) console.log(`digest: ${digest}`)
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 ? 1 : 0
