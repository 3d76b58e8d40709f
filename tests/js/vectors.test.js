/** The shared suite against the wasm module in Node, in several splits into batches. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Core } from '../../wasm/core.js'
import { outdated } from '../vectors/generate.js'
import { MANIFESTS, runSuite } from '../vectors/run.js'
import { wasmHost } from '../vectors/wasm_host.js'

/** @param {string} name */
const vectorFile = (name) => readFileSync(new URL(`../vectors/${name}`, import.meta.url))

const manifests = MANIFESTS.map((name) => ({
  text: vectorFile(`${name}.txt`).toString(),
  bytes: Uint8Array.from(vectorFile(`${name}.bin`)),
}))
const module = new WebAssembly.Module(readFileSync(new URL('../../wasm/dist/pagelane.wasm', import.meta.url)))

/** @type {string | undefined} */
let digest

for (const split of [
  {},
  { take: 1 },
  { take: 7, append: 5 },
  { take: 1000, append: 64 },
  { append: 1, take: 13 },
]) {
  test(`vectors: batches ${JSON.stringify(split)}`, async (t) => {
    const result = await runSuite(manifests, wasmHost(new Core(module), split))
    assert.deepEqual(result.failures, [])
    digest ??= result.digest
    assert.equal(result.digest, digest, 'the same results however they are cut')
    t.diagnostic(`${result.cases} cases, digest: ${result.digest}`)
  })
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
