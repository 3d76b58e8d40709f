/**
 * pyarrow, where there is a Python that has it: the one that PAGELANE_PYTHON names, or the virtual environment that set-up
 * makes in build/python. One process works through all files.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { columnsOfArrow } from './read_arrow.js'

const python =
  process.env.PAGELANE_PYTHON ?? fileURLToPath(new URL('../../build/python/bin/python', import.meta.url))

/** @returns {string | null} its version */
function findPyarrow() {
  if (!process.env.PAGELANE_PYTHON && !existsSync(python)) return null
  const asked = spawnSync(python, ['-c', 'import pyarrow; print(pyarrow.__version__)'], { encoding: 'utf8' })
  return asked.status === 0 ? asked.stdout.trim() : null
}

/** null: there is none */
export const pyarrowVersion = findPyarrow()

/** A Python program that answers each line of JSON with a line of JSON: [number, null or what went wrong]. */
export class PythonWorker {
  /** @param {string} script beside this file */
  constructor(script) {
    this.folder = mkdtempSync(join(tmpdir(), 'pagelane-pyarrow-'))
    this.script = fileURLToPath(new URL(script, import.meta.url))
    this.count = 0
    /** @type {Map<number, (problem: string | null) => void>} */
    this.waiting = new Map()
  }

  #start() {
    const child = spawn(python, [this.script, this.folder], { stdio: ['pipe', 'pipe', 'inherit'] })
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [number, problem] = JSON.parse(line)
      this.waiting.get(number)?.(problem)
      this.waiting.delete(number)
    })
    child.on('exit', (_, signal) => {
      if (this.child === child) this.child = undefined
      for (const answer of this.waiting.values()) answer(`the process ended${signal ? ` by ${signal}` : ''}`)
      this.waiting.clear()
    })
    return child
  }

  /**
   * @param {any[]} task
   * @returns {Promise<number>} its number, which names the files that it wrote
   */
  async run(...task) {
    this.child ??= this.#start()
    const number = this.count++
    const { stdin } = this.child
    /** @type {string | null} */
    const problem = await new Promise((resolve) => {
      this.waiting.set(number, resolve)
      stdin.write(`${JSON.stringify([number, ...task])}\n`)
    })
    if (problem !== null) throw new Error(problem)
    return number
  }

  close() {
    this.child?.stdin.end()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** @type {PythonWorker | undefined} */
let reader

/**
 * @param {string} path
 * @param {string[]} [columns]
 * @returns {Promise<import('./plain.js').PlainColumn[]>}
 */
export async function columnsOfPyarrow(path, columns) {
  reader ??= new PythonWorker('pyarrow_read.py')
  const number = await reader.run(path, columns ?? null)
  const file = join(reader.folder, `${number}.arrow`)
  try {
    return columnsOfArrow(readFileSync(file))
  } finally {
    rmSync(file)
  }
}

export function closePyarrow() {
  reader?.close()
  reader = undefined
}
