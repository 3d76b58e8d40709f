/**
 * `npm run size`: what a page pays for `import { open } from 'pagelane'`: esbuild's minified bundle with the wasm module
 * inside, as it is and compressed; the same with the module that lacks zstd and gzip; and how long a fresh Node process takes
 * from the import to the first decoded file.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { buildCore, buildScalar, buildWasm, root } from './build.js'
import { setup } from './setup.js'
import { StepError } from './step.js'

const KB = 1000
const limits = { bundle: 70 * KB, 'bundle without zstd and gzip': 32 * KB }
const START_LIMIT_MS = 20

/**
 * @param {boolean} core with the module that lacks zstd and gzip
 * @returns {Promise<{ code: Uint8Array, withoutModule: Uint8Array }>}
 */
async function bundle(core) {
  /** @param {string} module source of the wasm module as JavaScript @returns {Promise<Uint8Array>} */
  const build = async (module) => {
    const { outputFiles } = await esbuild.build({
      stdin: { contents: "export { open } from './wasm/index.js'", resolveDir: root },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      write: false,
      logLevel: 'error',
      plugins: [
        {
          name: 'wasm-module',
          setup({ onLoad }) {
            onLoad({ filter: /pagelane\.wasm\.js$/ }, () => ({ contents: module }))
          },
        },
      ],
    })
    return outputFiles[0].contents
  }
  const name = core ? 'pagelane-core.wasm.js' : 'pagelane.wasm.js'
  return {
    code: await build(readFileSync(join(root, 'wasm/dist', name), 'utf8')),
    withoutModule: await build('export function wasmBytes() { return new Uint8Array(0) }'),
  }
}

/** @param {string} title @param {Uint8Array} bytes @param {number} [limit] of the brotli size @returns {boolean} */
function print(title, bytes, limit) {
  const brotli = brotliCompressSync(bytes).length
  const sizes = [bytes.length, gzipSync(bytes, { level: 9 }).length, brotli]
  const text = sizes.map((size) => `${(size / KB).toFixed(1)} KB`.padStart(10)).join('')
  const kept = limit === undefined || brotli <= limit
  console.log(`${title.padEnd(32)}${text}${limit ? `   ${kept ? 'within' : 'OVER'} ${limit / KB} KB` : ''}`)
  return kept
}

/**
 * @returns {{ first: number, empty: number }} milliseconds from import to the first decoded file, and those that the import
 *   of an empty module takes on this machine: medians of 11 fresh processes, in turns
 */
function startTimes() {
  const folder = mkdtempSync(join(tmpdir(), 'pagelane-start-'))
  const file = join(folder, 'small.parquet')
  const empty = join(folder, 'empty.mjs')
  const columnData = [
    { name: 'number', data: Array.from({ length: 100 }, (_, i) => i) },
    { name: 'text', data: Array.from({ length: 100 }, (_, i) => `row ${i}`) },
  ]
  writeFileSync(file, new Uint8Array(parquetWriteBuffer({ columnData })))
  writeFileSync(empty, '')
  const clock = (/** @type {string} */ work) =>
    `const start = performance.now()\n${work}\nconsole.log(performance.now() - start)`
  const read = clock(`const { open } = await import('pagelane')
const table = await (await open(process.argv[1])).read()
if (table.column('number').length !== 100) throw new Error('not 100 rows')`)
  const load = clock('await import(process.argv[1])')
  /** @type {number[][]} */
  const times = [[], []]
  for (let round = 0; round < 11; round++) {
    for (const [i, script, argument] of /** @type {[number, string, string][]} */ ([
      [0, read, file],
      [1, load, empty],
    ])) {
      const args = ['--input-type=module', '-e', script, argument]
      const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
      if (!stdout) throw new StepError(`size: start of a fresh process failed:\n${stderr}`)
      times[i].push(Number(stdout))
    }
  }
  rmSync(folder, { recursive: true })
  const [first, none] = times.map((list) => list.sort((a, b) => a - b)[5])
  return { first, empty: none }
}

try {
  const missing = await setup(['wasm'])
  if (missing.length > 0) throw new StepError('size: the wasm module cannot be built without these')
  await buildWasm()
  await buildCore()
  await buildScalar()
  console.log(`${''.padEnd(32)}${['raw', 'gzip', 'brotli'].map((name) => name.padStart(10)).join('')}`)
  const full = await bundle(false)
  const core = await bundle(true)
  const kept = [
    print('bundle', full.code, limits.bundle),
    print('bundle without zstd and gzip', core.code, limits['bundle without zstd and gzip']),
  ]
  print('  of that, JavaScript', full.withoutModule)
  for (const name of ['pagelane.wasm', 'pagelane-core.wasm', 'pagelane-scalar.wasm']) {
    print(name, readFileSync(join(root, 'wasm/dist', name)))
  }
  const { first, empty } = startTimes()
  kept.push(first <= START_LIMIT_MS)
  console.log(
    `from import to the first decoded file in a fresh Node process: ${first.toFixed(1)} ms (limit ${START_LIMIT_MS} ms); the import of an empty module: ${empty.toFixed(1)} ms`
  )
  process.exitCode = kept.every(Boolean) ? 0 : 1
} catch (error) {
  console.error(error instanceof StepError ? error.message : error)
  process.exitCode = 1
}
