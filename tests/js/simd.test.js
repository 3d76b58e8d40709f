/** Engines without SIMD: which module each entry point takes, and that it reads. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { afterEach, test } from 'node:test'
import { Runtime } from '../../wasm/core.js'
import { hasSimd } from '../../wasm/simd.js'

const file = new URL('../../node_modules/vega-datasets/data/flights-3m.parquet', import.meta.url).pathname
const original = {
  validate: WebAssembly.validate,
  Module: WebAssembly.Module,
  fetch,
  readFileSync: fs.readFileSync,
}

afterEach(() => {
  WebAssembly.validate = original.validate
  WebAssembly.Module = original.Module
  globalThis.fetch = original.fetch
  fs.readFileSync = original.readFileSync
})

/**
 * An entry point of its own, with nothing loaded yet.
 * @param {'node' | 'url'} name
 * @param {boolean} simd
 * @returns {Promise<typeof import('../../wasm/url.js')>}
 */
const entry = (name, simd) => import(`../../wasm/${name}.js?simd=${simd}`)

/**
 * @param {boolean} simd what WebAssembly.validate says
 * @returns {string[]} the modules asked for from now on
 */
function watch(simd) {
  /** @type {string[]} */
  const asked = []
  WebAssembly.validate = () => simd
  const note = (/** @type {unknown} */ path) => {
    if (String(path).endsWith('.wasm')) asked.push(String(path).split('/').at(-1) ?? '')
  }
  fs.readFileSync = /** @type {any} */ (
    (/** @type {any[]} */ ...args) => {
      note(args[0])
      return /** @type {any} */ (original.readFileSync)(...args)
    }
  )
  globalThis.fetch = async (url) => {
    note(url)
    const bytes = original.readFileSync(/** @type {URL} */ (url))
    return new Response(bytes, { headers: { 'Content-Type': 'application/wasm' } })
  }
  return asked
}

for (const name of /** @type {const} */ (['node', 'url'])) {
  for (const simd of [true, false]) {
    test(`pagelane${name === 'url' ? '/url' : ' in Node'} ${simd ? 'with' : 'without'} SIMD`, async () => {
      const asked = watch(simd)
      const { open } = await entry(name, simd)
      const table = await (await open(new Uint8Array(original.readFileSync(file)))).read({
        columns: ['origin'],
        rows: [0, 3],
      })
      assert.deepEqual([...table.column('origin')], ['LAS', 'ATL', 'MCI'])
      assert.deepEqual(asked, [simd ? 'pagelane.wasm' : 'pagelane-scalar.wasm'])
    })
  }
}

/** @param {boolean} simd */
async function refused(simd) {
  const error = new WebAssembly.CompileError('refused')
  WebAssembly.Module = /** @type {any} */ (
    class {
      constructor() {
        throw error
      }
    }
  )
  WebAssembly.validate = () => simd
  const runtime = new Runtime({ wasm: () => new Uint8Array(8) })
  return { error, rejection: await runtime.load().catch((reason) => reason) }
}

test('a module inside a script that needs SIMD: the error names the other entry', async () => {
  const { error, rejection } = await refused(false)
  assert.equal(rejection.name, 'PagelaneError')
  assert.equal(rejection.code, 'UNSUPPORTED')
  assert.match(rejection.message, /SIMD.*pagelane\/url/)
  assert.equal(rejection.cause, error)
})

test('a module that is refused for another reason: the engine says why', async () => {
  const { error, rejection } = await refused(true)
  assert.equal(rejection, error)
})

// V8 needs SSE4.1 for SIMD and can be told that it has none.
const WITHOUT_SIMD = '--no-enable-sse4-1'
const options = { skip: process.arch === 'x64' ? false : 'V8 can be told to go without SIMD on x86 alone' }

/** @param {string} script @returns {string} what it printed */
function runWithoutSimd(script) {
  const args = [WITHOUT_SIMD, '--input-type=module', '-e', script, file]
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    cwd: new URL('.', import.meta.url),
  })
  return stdout + stderr
}

test('an engine without SIMD reads the same in Node', options, async () => {
  const read = `
const file = await open(process.argv[1])
const table = await file.read({ rows: [0, 5000] })
console.log(JSON.stringify([...table.rows()], (key, value) => typeof value === 'bigint' ? String(value) : value))`
  assert.equal(hasSimd(), true)
  const { open } = await import('../../wasm/node.js')
  const table = await (await open(file)).read({ rows: [0, 5000] })
  const rows = JSON.stringify([...table.rows()], (_, value) =>
    typeof value === 'bigint' ? String(value) : value
  )
  assert.equal(runWithoutSimd(`import { open } from '../../wasm/node.js'\n${read}`), `${rows}\n`)
})

test('an engine without SIMD and the module inside the script', options, () => {
  const script = `
import { open } from '../../wasm/index.js'
await open(new Uint8Array(100)).catch((error) => console.log(error.code, error.message))`
  assert.match(runWithoutSimd(script), /^UNSUPPORTED .*pagelane\/url$/m)
})
