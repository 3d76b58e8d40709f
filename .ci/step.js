/**
 * Runs a long command as one step: its title and time are shown, its output only when it fails. On a terminal the line
 * moves on with what the command printed last; elsewhere a line every 20 seconds says that it is still at work.
 */
import { spawn } from 'node:child_process'

const terminal = process.stderr.isTTY
const HEARTBEAT_MS = terminal ? 200 : 20_000

/** @param {number} start milliseconds */
const seconds = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`

export class StepError extends Error {}

/**
 * @param {string} title
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quick?: boolean, allowFailure?: boolean }} [options]
 *   quick: say nothing unless it takes more than a second
 * @returns {Promise<{ code: number, output: string }>} rejects with StepError when the command fails
 */
export function step(title, command, args, options = {}) {
  const start = performance.now()
  const { promise, resolve, reject } = withResolvers()
  let output = ''
  let lastLine = ''
  let shown = false

  function show() {
    if (options.quick && performance.now() - start < 1000) return
    if (terminal) {
      const width = (process.stderr.columns || 80) - 1
      process.stderr.write(`\r\x1b[K${`${title} … ${seconds(start)}  ${lastLine}`.slice(0, width)}`)
    } else {
      process.stderr.write(shown ? `${title}: at work for ${seconds(start)}\n` : `${title} …\n`)
    }
    if (!shown) {
      clearInterval(timer)
      timer = setInterval(show, HEARTBEAT_MS)
    }
    shown = true
  }

  /** @param {string} mark */
  function finish(mark) {
    clearInterval(timer)
    if (!shown && options.quick) return
    process.stderr.write(`${terminal ? '\r\x1b[K' : ''}${mark} ${title} (${seconds(start)})\n`)
  }

  let timer = setInterval(show, 1000)
  if (!options.quick) show()
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (/** @type {string} */ text) => {
      output += text
      lastLine = text.trimEnd().split('\n').at(-1)?.trim() ?? ''
    })
  }
  child.on('error', (error) => {
    finish('✘')
    reject(new StepError(`${title}: ${command}: ${error.message}`))
  })
  child.on('close', (code, signal) => {
    if (code === 0) {
      finish('✔')
      resolve({ code, output })
    } else if (options.allowFailure) {
      finish('✘')
      resolve({ code: code ?? 1, output })
    } else {
      finish('✘')
      const how = signal ? `ended by ${signal}` : `exit code ${code}`
      reject(new StepError(`${output.trimEnd()}\n${title} failed: ${command} ${args.join(' ')}: ${how}`))
    }
  })
  return promise
}

/** @returns {{ promise: Promise<any>, resolve: (value: any) => void, reject: (error: Error) => void }} */
function withResolvers() {
  let resolve = /** @type {(value: any) => void} */ (() => {})
  let reject = /** @type {(error: Error) => void} */ (() => {})
  const promise = new Promise((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
