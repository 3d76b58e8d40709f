/**
 * The benchmark: node tests/bench/run.js [--json] [--filter a,b] [--rounds 11]
 *
 * Every case runs in a process of its own, because whether fresh memory costs page faults depends on what the process did
 * before. --filter takes parts of "group/case"; --json prints one object a line, the machine and the versions first.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { setupAndBuildWasm } from '../../.ci/build.js'
import { environment } from './environment.js'
import { groups } from './groups.js'
import { environmentText, tableText } from './results.js'

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    filter: { type: 'string', default: '' },
    rounds: { type: 'string', default: '11' },
  },
})
const rounds = Number(options.rounds)
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds must be a whole number from 1, not ${options.rounds}`)

const filters = options.filter.split(',').filter((part) => part !== '')
const chosen = Object.entries(groups)
  .flatMap(([group, { cases }]) => cases.map((name) => ({ group, name })))
  .filter(
    ({ group, name }) => filters.length === 0 || filters.some((part) => `${group}/${name}`.includes(part))
  )
if (chosen.length === 0) throw new Error(`no case matches --filter ${options.filter}`)

await setupAndBuildWasm()
process.stdout.write(options.json ? `${JSON.stringify(environment())}\n` : environmentText(environment()))
for (const [number, { group, name }] of chosen.entries()) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K[${number + 1}/${chosen.length}] ${group}/${name} … `)
  const lines = await runCase(group, name)
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  if (lines === undefined) {
    process.stderr.write(`${group}/${name} failed\n`)
    process.exitCode = 1
  } else {
    process.stdout.write(
      options.json
        ? lines
        : tableText(
            lines
              .trimEnd()
              .split('\n')
              .map((line) => JSON.parse(line))
          )
    )
  }
}

/**
 * @param {string} group
 * @param {string} name
 * @returns {Promise<string | undefined>} JSON lines; undefined when the case failed
 */
function runCase(group, name) {
  const script = fileURLToPath(new URL('run_case.js', import.meta.url))
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--no-flush-bytecode', script, group, name, String(rounds)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    }
  )
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code === 0 ? output : undefined))
  })
}
