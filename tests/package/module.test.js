/** The wasm module that is shipped. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { pathToFileURL } from 'node:url'
import { root } from './expected.js'

for (const name of ['pagelane.wasm', 'pagelane-scalar.wasm', 'pagelane-core.wasm']) {
  const path = join(root, 'wasm/dist', name)
  const bytes = readFileSync(path)

  test(`${name} imports nothing and exports a memory that can grow`, () => {
    const module = new WebAssembly.Module(bytes)
    assert.deepEqual(WebAssembly.Module.imports(module), [])
    const { memory } = new WebAssembly.Instance(module).exports
    assert.ok(memory instanceof WebAssembly.Memory)
    assert.ok(memory.grow(1) > 0)
  })

  if (name === 'pagelane-scalar.wasm') continue
  test(`${name}.js gives the same bytes`, async () => {
    const { wasmBytes } = await import(pathToFileURL(`${path}.js`).href)
    assert.ok(Buffer.from(wasmBytes()).equals(bytes))
  })
}
