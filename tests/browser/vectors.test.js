/**
 * The shared vector suite against the wasm module in Chromium: the same cases, and the digest that Node gets.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Core } from '../../wasm/core.js'
import { MANIFESTS, runSuite } from '../vectors/run.js'
import { wasmHost } from '../vectors/wasm_host.js'
import { describeInChromium } from './chromium.js'

/**
 * The suite in Node.
 * @returns {Promise<string>} its digest
 */
async function digestInNode() {
  const read = (/** @type {string} */ path) => new Uint8Array(readFileSync(new URL(path, import.meta.url)))
  const manifests = MANIFESTS.map((name) => ({
    text: Buffer.from(read(`../vectors/${name}.txt`)).toString(),
    bytes: read(`../vectors/${name}.bin`),
  }))
  const module = new WebAssembly.Module(read('../../wasm/dist/pagelane.wasm'))
  return (await runSuite(manifests, wasmHost(new Core(module)))).digest
}

/**
 * The suite in a page, which imports its parts from the server.
 * @param {import('./chromium.js').Page} page
 * @returns {Promise<{ cases: number, failures: { name: string, message: string }[], digest: string }>}
 */
function runInPage(page) {
  return page.evaluate(
    async ({ core, run, host }) => {
      const [{ Core }, { MANIFESTS, runSuite }, { wasmHost }] = await Promise.all([
        import(core),
        import(run),
        import(host),
      ])
      const get = async (/** @type {string} */ path) => new Uint8Array(await (await fetch(path)).arrayBuffer())
      const manifests = []
      for (const name of MANIFESTS) {
        const text = new TextDecoder().decode(await get(`/tests/vectors/${name}.txt`))
        manifests.push({ text, bytes: await get(`/tests/vectors/${name}.bin`) })
      }
      const module = await WebAssembly.compile(await get('/wasm/dist/pagelane.wasm'))
      return runSuite(manifests, wasmHost(new Core(module)))
    },
    { core: '/wasm/core.js', run: '/tests/vectors/run.js', host: '/tests/vectors/wasm_host.js' }
  )
}

describeInChromium('vectors in Chromium', (running, test) => {
  test('every case, and the digest that Node gets', async (t) => {
    const { page, complaints } = await running.newPage()
    // digests need a secure context, which 127.0.0.1 is
    await page.goto(`${running.origin}/tests/browser/pages/blank.html`)
    const { cases, failures, digest } = await runInPage(page)
    assert.deepEqual(failures, [])
    assert.ok(cases > 0)
    assert.equal(digest, await digestInNode())
    assert.deepEqual(complaints, [])
    t.diagnostic(`${cases} cases, digest: ${digest}`)
  })
})
