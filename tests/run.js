/**
 * `npm test`: set-up, every build, every test; `npm test -- c js` runs only those groups. The closing lines say what ran in
 * each host and what was skipped and why; each group's own output is shown when something in it fails.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildArm, buildCore, buildEmcc, buildNative, buildScalar, buildWasm } from '../.ci/build.js'
import { runCtest } from '../.ci/ctest.js'
import { lint } from '../.ci/lint.js'
import { setupPyarrow } from '../.ci/python.js'
import { missingPackages, setup } from '../.ci/setup.js'
import { StepError, step } from '../.ci/step.js'
import { addCounts, countTap, noCounts } from './results.js'

/** @typedef {import('./results.js').Counts} Counts */

const root = fileURLToPath(new URL('..', import.meta.url))

/** @param {string} why @returns {Counts} */
const failure = (why) => {
  console.error(why)
  return { ...noCounts(), failed: 1 }
}

/** @returns {Promise<Counts>} */
async function runC() {
  return runCtest('C', await buildNative({ tests: true }))
}

/**
 * The C tests with the NEON kernels, where the tools are there; a machine that is one itself has run them.
 * @returns {Promise<Counts>}
 */
async function runArm() {
  const missing = missingPackages(['arm'])
  if (missing.length > 0) {
    return { ...noCounts(), skipped: 1, reasons: [`C with NEON: not installed: ${missing.join(' ')}`] }
  }
  if (process.arch === 'arm64') return noCounts()
  return runCtest('C for 64-bit ARM', await buildArm('gcc'))
}

/**
 * @param {string} folder below tests/
 * @param {string} title
 * @returns {Promise<Counts>}
 */
async function runNode(folder, title) {
  const path = join(root, 'tests', folder)
  const names = existsSync(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : []
  const files = names.filter((name) => name.endsWith('.test.js')).map((name) => join(path, name))
  if (files.length === 0) return failure(`tests/${folder}: no test files`)
  const reports = mkdtempSync(join(tmpdir(), 'pagelane-test-'))
  const tap = join(reports, 'tap')
  const args = ['--test', '--test-reporter=spec', '--test-reporter-destination=stdout']
  args.push('--test-reporter=tap', `--test-reporter-destination=${tap}`, ...files.sort())
  const { code, output } = await step(`test: ${title}`, process.execPath, args, {
    cwd: root,
    allowFailure: true,
  })
  if (code !== 0) console.error(failuresOf(output))
  const counts = existsSync(tap) ? countTap(readFileSync(tap, 'utf8')) : noCounts()
  rmSync(reports, { recursive: true })
  if (code !== 0 && counts.failed === 0) counts.failed = 1
  return counts
}

/** Several of them run a program that the C tests come with. @returns {Promise<Counts>} */
async function runPeers() {
  await buildNative({ tests: true })
  return await runNode('peers', 'peers')
}

/** @param {string} output of Node's spec reporter, which repeats the failures at its end */
function failuresOf(output) {
  const at = output.indexOf('failing tests:')
  return at < 0 ? output : output.slice(output.lastIndexOf('\n', at) + 1)
}

/** @returns {Promise<Counts>} */
async function runLint() {
  const counts = noCounts()
  for (const { name, passed, skipped, output } of await lint()) {
    if (skipped) {
      counts.skipped++
      counts.reasons.push(`${name}: ${skipped}`)
    } else if (passed) {
      counts.passed++
    } else {
      counts.failed++
      console.error(
        `${output.split('\n').slice(0, 60).join('\n')}\n✘ ${name}: npm run format puts right what a tool can`
      )
    }
  }
  return counts
}

/** @type {Record<string, { title: string, run: () => Promise<Counts> }>} in this order */
const groups = {
  c: { title: 'C', run: runC },
  arm: { title: 'C, 64-bit ARM', run: runArm },
  js: { title: `Node ${process.versions.node}`, run: () => runNode('js', 'Node') },
  peers: { title: 'Peers', run: runPeers },
  browser: { title: 'Chromium', run: () => runNode('browser', 'Chromium') },
  package: { title: 'Packages', run: () => runNode('package', 'packages and builds') },
  lint: { title: 'Lint', run: runLint },
}

/**
 * @param {string[]} names of groups
 * @returns {Promise<number>} how many tests failed
 */
async function main(names) {
  for (const name of names)
    if (!groups[name]) throw new StepError(`no such group: ${name} (${Object.keys(groups).join(', ')})`)
  const missing = await setup(['build', 'test'])
  const noPyarrow = await setupPyarrow()
  if (noPyarrow) missing.push(`pyarrow (${noPyarrow})`)
  const total = noCounts()
  /** @type {Map<string, Counts>} */
  const byTitle = new Map()
  try {
    await buildWasm()
    await buildCore()
    await buildScalar()
    if (missingPackages(['emcc']).length === 0) await buildEmcc()
  } catch (error) {
    byTitle.set('Build of wasm', failure(error instanceof StepError ? error.message : String(error)))
    total.failed++
  }
  for (const name of names) {
    const counts = await groups[name]
      .run()
      .catch((error) => failure(error instanceof StepError ? error.message : String(error)))
    byTitle.set(groups[name].title, counts)
    addCounts(total, counts)
  }
  return summarize(byTitle, total, missing)
}

/**
 * The closing lines.
 * @param {Map<string, Counts>} byTitle
 * @param {Counts} total of these
 * @param {string[]} missing what could not be installed
 * @returns {number} how many tests failed
 */
function summarize(byTitle, total, missing) {
  const digests = [...new Set(total.digests)]
  if (digests.length > 1) {
    total.failed++
    for (const [title, counts] of byTitle)
      for (const digest of new Set(counts.digests)) console.error(`${title}: ${digest}`)
    console.error('✘ the vector suite gives different digests in different hosts')
  }

  console.log('')
  for (const [title, { passed, failed, skipped }] of byTitle) {
    console.log(`${title.padEnd(16)} ${passed} passed, ${failed} failed, ${skipped} skipped`)
  }
  if (missing.length > 0) console.log(`not installed: ${missing.join(' ')}`)
  for (const reason of new Set(total.reasons)) {
    const times = total.reasons.filter((other) => other === reason).length
    console.log(`skipped: ${reason}${times > 1 ? ` (${times} times)` : ''}`)
  }
  for (const digest of digests) console.log(`digest: ${digest}`)
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
  return total.failed
}

try {
  const names = process.argv.slice(2)
  process.exitCode = (await main(names.length > 0 ? names : Object.keys(groups))) > 0 ? 1 : 0
} catch (error) {
  console.error(error instanceof StepError ? error.message : error)
  console.log('0 passed, 1 failed, 0 skipped')
  process.exitCode = 1
}
