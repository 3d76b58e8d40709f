/**
 * pyarrow, one of the peers that tests compare with, in a virtual environment of its own: build/python, with the version that
 * tests/peers/requirements.txt names. Tests go on without it; PAGELANE_PYTHON names a Python that has it already.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onPath } from './setup.js'
import { StepError, step } from './step.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'build/python')
const requirements = join(root, 'tests/peers/requirements.txt')
/** A copy of the requirements that were installed. */
const installed = join(folder, 'installed.txt')

/** @returns {Promise<string | null>} why there is none; null: it is there */
export async function setupPyarrow() {
  if (process.env.PAGELANE_PYTHON) return null
  const wanted = readFileSync(requirements, 'utf8')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return null
  if (!onPath('python3')) return 'python3 is not installed'
  if (spawnSync('python3', ['-c', 'import venv, ensurepip']).status !== 0)
    return 'python3-venv is not installed'
  rmSync(folder, { recursive: true, force: true })
  try {
    await step('set-up: Python environment', 'python3', ['-m', 'venv', folder])
    const pip = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--requirement',
      requirements,
    ]
    await step('set-up: pyarrow', join(folder, 'bin/python'), pip)
    writeFileSync(installed, wanted)
    return null
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    return error instanceof StepError
      ? `it cannot be installed: ${error.message.split('\n').at(-1)}`
      : String(error)
  }
}
