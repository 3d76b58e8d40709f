/** The shared suite against the wasm modules in Node, in several splits into batches. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'
import { Core } from '../../wasm/core.js'
import { textAt } from '../../wasm/tables.js'
import { outdated } from '../vectors/generate.js'
import { MANIFESTS, runSuite } from '../vectors/run.js'
import { wasmHost } from '../vectors/wasm_host.js'

/** @param {string} name */
const vectorFile = (name) => readFileSync(new URL(`../vectors/${name}`, import.meta.url))

const manifests = MANIFESTS.map((name) => ({
  text: vectorFile(`${name}.txt`).toString(),
  bytes: Uint8Array.from(vectorFile(`${name}.bin`)),
}))
/** @param {string} path */
const load = (path) => new WebAssembly.Module(readFileSync(new URL(`../../${path}`, import.meta.url)))
const module = load('wasm/dist/pagelane.wasm')

/** What every module has to give, however the rows are cut. @type {string | undefined} */
let digest

/** @type {{ path: string, kernels: string, splits: import('../vectors/wasm_host.js').Split[] }[]} */
const modules = [
  {
    path: 'wasm/dist/pagelane.wasm',
    kernels: 'simd128',
    splits: [
      {},
      { take: 1 },
      { take: 7, append: 5 },
      { take: 1000, append: 64 },
      { append: 1, take: 13, running: true },
    ],
  },
  { path: 'wasm/dist/pagelane-scalar.wasm', kernels: 'scalar', splits: [{}, { take: 7, append: 5 }] },
  { path: 'build/emcc/pagelane.wasm', kernels: 'simd128', splits: [{}] },
  { path: 'build/emcc-scalar/pagelane.wasm', kernels: 'scalar', splits: [{}] },
]

/** @param {string} path of a module of the Emscripten SDK @returns {string} why it is left out */
function whyNot(path) {
  const url = new URL(`../../${path}`, import.meta.url)
  if (!existsSync(url)) return 'not installed: emscripten'
  const ours = new URL('../../wasm/dist/pagelane.wasm', import.meta.url)
  return statSync(url).mtimeMs < statSync(ours).mtimeMs ? 'older than the others: node .ci/build.js emcc' : ''
}

for (const { path, kernels, splits } of modules) {
  for (const split of splits) {
    test(`vectors: ${path}, batches ${JSON.stringify(split)}`, async (t) => {
      const missing = path.startsWith('build/') && whyNot(path)
      if (missing) return t.skip(`${path}: ${missing}`)
      const built = load(path)
      assert.deepEqual(WebAssembly.Module.imports(built), [])
      const core = new Core(built)
      assert.equal(textAt(core.u8, core.call.kernels_name()), kernels)
      const result = await runSuite(manifests, wasmHost(core, split))
      assert.deepEqual(result.failures, [])
      digest ??= result.digest
      assert.equal(result.digest, digest, 'the same results from every module, however they are cut')
      t.diagnostic(`${result.cases} cases, digest: ${result.digest}`)
    })
  }
}

test('vectors: what a host gets wrong is seen', async () => {
  const good = wasmHost(new Core(module))
  const names = new Set(['page/int32/plain/v1/nulls-random', 'malformed/plain/int32-cut', 'delta/i32/width-07'])
  const { failures } = await runSuite(
    manifests,
    {
      decodePages: (pages, onBatch) => {
        good.decodePages(pages, (batch) =>
          onBatch({ ...batch, values: batch.values?.map((byte, i) => (i === 40 ? byte ^ 1 : byte)) })
        )
        return 'OK'
      },
      decodeValues: (values) => ({ ...good.decodeValues?.(values), status: 'OK', inUsed: 1 }),
    },
    (name) => names.has(name)
  )
  assert.deepEqual(
    failures.map(({ name }) => name),
    ['delta/i32/width-07', 'page/int32/plain/v1/nulls-random', 'malformed/plain/int32-cut']
  )
})

test('vectors: the committed files are what the generator gives', () => {
  assert.deepEqual(outdated(), [])
})
