#!/usr/bin/env node
/** The `pagelane` command. Data goes to stdout, messages to stderr; 0: done, 1: failed, 2: wrong arguments. */
import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { catText } from './cat.js'
import { Core } from './core.js'
import { badArgument, PagelaneError } from './errors.js'
import { printable, printableJson } from './format.js'
import { inspectJson, inspectLines } from './inspect.js'
import { open } from './node.js'
import { hasSimd } from './simd.js'
import { textAt } from './tables.js'

const USAGE = `Usage:
  pagelane inspect FILE|URL [--json] [--pages]
      What a Parquet file says of itself: schema, row groups, encodings, sizes, bounds; with --pages every page header.
  pagelane cat FILE|URL [--columns a,b] [--rows 0:100] [--format csv|jsonl]
      Its rows. Bytes as hex digits, dates, times and intervals as ISO 8601. csv: a null is an empty field, an empty text
      is "", what is nested stands as JSON.
  pagelane selftest
      Runs the suite of test vectors of the repository and prints its digest.
`

/** Wrong arguments on the command line. */
class UsageError extends Error {}

const OPTIONS = /** @type {const} */ ({
  json: { type: 'boolean', default: false },
  pages: { type: 'boolean', default: false },
  columns: { type: 'string', multiple: true },
  rows: { type: 'string' },
  format: { type: 'string', default: 'csv' },
  help: { type: 'boolean', short: 'h', default: false },
})

/** Options of each command. */
const COMMANDS = new Map([
  ['inspect', ['json', 'pages']],
  ['cat', ['columns', 'rows', 'format']],
  ['selftest', []],
])

// a reader that has seen enough is no failure: pagelane cat … | head
process.stdout.on('error', (error) => {
  if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EPIPE') process.exit(0)
  fail(error)
})

main().catch(fail)

async function main() {
  const { positionals, values } = parse()
  const [command, source] = positionals
  if (values.help || command === 'help') return write(USAGE)
  if (command === 'selftest') return selftest()
  const file = await open(source)
  try {
    if (command === 'cat') await cat(file, values)
    else await inspect(file, values)
  } finally {
    file.close()
  }
}

function parse() {
  let parsed
  try {
    parsed = parseArgs({ options: OPTIONS, allowPositionals: true, tokens: true })
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message)
  }
  const { positionals, values, tokens } = parsed
  const [command] = positionals
  if (values.help || command === 'help') return parsed
  const allowed = COMMANDS.get(command)
  if (allowed === undefined)
    throw new UsageError(command === undefined ? 'no command given' : `no such command: ${command}`)
  for (const token of tokens) {
    if (token.kind === 'option' && !allowed.includes(token.name)) {
      throw new UsageError(`${command} has no option --${token.name}`)
    }
  }
  const expected = command === 'selftest' ? 1 : 2
  if (positionals.length !== expected) {
    throw new UsageError(expected === 1 ? 'selftest takes no file' : `${command} takes one file or URL`)
  }
  return parsed
}

/**
 * @param {import('./file.js').ParquetFile} file
 * @param {{ json?: boolean, pages?: boolean }} options
 */
async function inspect(file, { json = false, pages = false }) {
  if (json) {
    const text = JSON.stringify(await inspectJson(file, { pages }), jsonValue, 2)
    return write(`${process.stdout.isTTY ? printableJson(text) : text}\n`)
  }
  for await (const line of inspectLines(file, { pages })) await write(`${line}\n`)
}

/**
 * What JSON has no form for: exact integers stay so as text, bytes become hex digits.
 * @param {string} _
 * @param {unknown} value
 * @returns {unknown}
 */
function jsonValue(_, value) {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}

/**
 * @param {import('./file.js').ParquetFile} file
 * @param {{ columns?: string[], rows?: string, format?: string }} options
 */
async function cat(file, { columns, rows, format }) {
  if (format !== 'csv' && format !== 'jsonl')
    throw new UsageError(`--format must be csv or jsonl, not ${format}`)
  const text = catText(file, {
    columns: columns?.flatMap((names) => names.split(',')),
    rows: rows === undefined ? undefined : rowRange(rows, file.numRows),
    format,
    terminal: process.stdout.isTTY === true,
    warn: (message) => console.error(`pagelane: ${message}`),
  })
  for await (const piece of text) await write(piece)
}

/**
 * @param {string} text 0:100, :100, 100:
 * @param {number} numRows
 * @returns {[number, number]}
 */
function rowRange(text, numRows) {
  const match = /^(\d*):(\d*)$/.exec(text)
  if (match === null) throw new UsageError(`--rows must be START:END, not ${text}`)
  const start = Number(match[1] || 0)
  const end = match[2] === '' ? numRows : Number(match[2])
  if (start > numRows) throw new UsageError(`--rows starts at ${start}, past the last of ${numRows} rows`)
  if (end < start) throw new UsageError(`--rows must not end before it starts: ${text}`)
  return [start, Math.min(end, numRows)]
}

/**
 * Waits while nobody takes what was written.
 * @param {string} text
 * @returns {Promise<void>}
 */
async function write(text) {
  if (process.stdout.write(text)) return
  await new Promise((resolve) => {
    process.stdout.once('drain', () => resolve(undefined))
  })
}

/** The suite is part of the repository, not of the installed package. */
async function selftest() {
  const folder = ['../tests/vectors/', '../../tests/vectors/']
    .map((path) => new URL(path, import.meta.url))
    .find((url) => existsSync(new URL('run.js', url)))
  const name = hasSimd() ? 'pagelane.wasm' : 'pagelane-scalar.wasm'
  const module = [`./${name}`, `./dist/${name}`]
    .map((path) => new URL(path, import.meta.url))
    .find((url) => existsSync(url))
  if (folder === undefined || module === undefined) {
    throw badArgument('selftest', 'needs the test vectors, which are in the repository: npm run selftest')
  }
  const { MANIFESTS, runSuite } = await import(new URL('run.js', folder).href)
  const { wasmHost } = await import(new URL('wasm_host.js', folder).href)
  const manifests = MANIFESTS.map((/** @type {string} */ name) => ({
    text: readFileSync(new URL(`${name}.txt`, folder), 'utf8'),
    bytes: Uint8Array.from(readFileSync(new URL(`${name}.bin`, folder))),
  }))
  const core = new Core(new WebAssembly.Module(readFileSync(module)))
  const { failures, cases, digest } = await runSuite(manifests, wasmHost(core))
  for (const { name, message } of failures) console.error(`${name}: ${message}`)
  console.error(`${cases} cases on ${textAt(core.u8, core.call.kernels_name())}, ${failures.length} failed`)
  await write(`digest: ${digest}\n`)
  if (failures.length > 0) process.exitCode = 1
}

/** @param {unknown} error */
function fail(error) {
  process.exitCode = 1
  if (error instanceof UsageError) {
    process.exitCode = 2
    console.error(`pagelane: ${printable(error.message)}\n\n${USAGE.trimEnd()}`)
  } else if (error instanceof PagelaneError) {
    console.error(`pagelane: ${error.code}: ${printable(error.message)}`)
  } else {
    console.error(error)
  }
}
