/**
 * What `.ci/run` does after `npm test`: the C tests built by clang, for 64-bit ARM too, and by both compilers with address and
 * undefined-behaviour sanitizers. Warnings are errors in each. Ends with a line of counts.
 */

import { addCounts, noCounts } from '../tests/results.js'
import { buildArm, cmakeBuild } from './build.js'
import { runCtest } from './ctest.js'
import { setup } from './setup.js'
import { StepError } from './step.js'

const sanitized = {
  CMAKE_BUILD_TYPE: 'None',
  CMAKE_C_FLAGS: '-O1',
  PAGELANE_SANITIZE: 'address,undefined',
}

/**
 * @param {string} name @param {string} compiler @param {Record<string, string>} options
 * @returns {() => Promise<string>} builds and says where
 */
const native = (name, compiler, options) => () =>
  cmakeBuild(name, { ...options, CMAKE_C_COMPILER: compiler, PAGELANE_TESTS: 'ON', PAGELANE_WERROR: 'ON' })

/** @type {{ name: string, needs: string[], build: () => Promise<string> }[]} needs: Debian packages */
const builds = [
  {
    name: 'clang',
    needs: ['clang-19'],
    build: native('clang', 'clang-19', { CMAKE_BUILD_TYPE: 'Release' }),
  },
  { name: 'sanitize-gcc', needs: ['gcc'], build: native('sanitize-gcc', 'gcc', sanitized) },
  {
    name: 'sanitize-clang',
    needs: ['clang-19'],
    build: native('sanitize-clang', 'clang-19', sanitized),
  },
]
if (process.arch !== 'arm64') {
  const needs = ['clang-19', 'gcc-aarch64-linux-gnu', 'libc6-dev-arm64-cross', 'qemu-user']
  builds.push({ name: 'arm-clang', needs, build: () => buildArm('clang') })
}

const total = noCounts()

/** @param {unknown} error @returns {import('../tests/results.js').Counts} */
function failure(error) {
  console.error(error instanceof StepError ? error.message : error)
  return { ...noCounts(), failed: 1 }
}

/** @type {string[]} */
const missing = await setup(['build', 'test', 'arm']).catch((error) => {
  addCounts(total, failure(error))
  return []
})
const lines = []
for (const build of builds) {
  const absent = build.needs.filter((name) => missing.includes(name))
  const counts =
    absent.length > 0
      ? { ...noCounts(), skipped: 1, reasons: [`C, ${build.name}: not installed: ${absent.join(' ')}`] }
      : await build
          .build()
          .then((folder) => runCtest(`C, ${build.name}`, folder))
          .catch(failure)
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
