/** `npm run lint` checks the form of every source file; `npm run format` (--write) puts right what a tool can. */
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setupAndBuildWasm } from './build.js'
import { onPath, setup } from './setup.js'
import { StepError, step } from './step.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (/** @type {string} */ name) => join(root, 'node_modules/.bin', name)

/** @returns {string[]} every C file of the project */
function cFiles() {
  return ['include', 'src', 'native', 'wasm', 'tests'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.[ch]$/.test(entry.name))
      .map((entry) => relative(root, join(entry.path, entry.name)))
  )
}

/**
 * @param {{ write?: boolean }} [options]
 * @returns {Promise<{ name: string, passed: boolean, skipped?: string, output: string }[]>} one entry a check
 */
export async function lint({ write = false } = {}) {
  const javascript = ['check', '--config-path=.ci/javascript.json', '--colors=off', '--max-diagnostics=100']
  const checks = [
    {
      name: 'C format',
      command: 'clang-format-19',
      args: [...(write ? ['-i'] : ['--dry-run', '-Werror']), ...cFiles()],
    },
    {
      name: 'JavaScript rules and format',
      command: bin('biome'),
      args: [...javascript, '--error-on-warnings', ...(write ? ['--write'] : [])],
    },
    { name: 'types of the package', command: bin('tsc'), args: ['-p', '.ci/tsconfig.json'] },
    { name: 'types of tests and pages', command: bin('tsc'), args: ['-p', 'tests/tsconfig.json'] },
  ]
  const results = []
  for (const { name, command, args } of checks) {
    if (command === 'clang-format-19' && !onPath(command)) {
      results.push({ name, passed: true, skipped: 'clang-format-19 is not installed', output: '' })
      continue
    }
    const { code, output } = await step(`lint: ${name}`, command, args, { cwd: root, allowFailure: true })
    results.push({ name, passed: code === 0, output })
  }
  return results
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await setup(['test'])
    await setupAndBuildWasm()
    const results = await lint({ write: process.argv.includes('--write') })
    for (const { output } of results.filter(({ passed }) => !passed)) console.log(output.trimEnd())
    for (const { name, skipped } of results) if (skipped) console.log(`${name}: skipped: ${skipped}`)
    process.exitCode = results.every(({ passed }) => passed) ? 0 : 1
  } catch (error) {
    console.error(error instanceof StepError ? error.message : error)
    process.exitCode = 1
  }
}
