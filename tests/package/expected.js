/** What other readers say about the file that the package tests read, and helpers to run programs. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** zstd, dictionaries; columns date, delay, distance, origin, destination. */
export const flights = join(root, 'node_modules/vega-datasets/data/flights-3m.parquet')

/** @param {number} n @returns {Promise<Record<string, any>[]>} the first rows of flights, by hyparquet */
export function firstFlights(n) {
  const bytes = readFileSync(flights)
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  return parquetReadObjects({ file, compressors, rowStart: 0, rowEnd: n })
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 * @returns {string} what it printed to stdout; a failure fails the test with all that it printed
 */
export function run(command, args, options = {}) {
  const env = { ...process.env, ...options.env }
  const result = spawnSync(command, args, { cwd: options.cwd, env, encoding: 'utf8', maxBuffer: 1 << 26 })
  const said = `${result.error ?? ''}\n${result.stdout}\n${result.stderr}`
  assert.equal(result.status, 0, `${command} ${args.join(' ')}\n${said}`)
  return result.stdout
}

/**
 * @param {import('node:test').TestContext} t at whose end the folder goes away
 * @returns {string} an empty folder
 */
export function emptyFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), 'pagelane-package-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
