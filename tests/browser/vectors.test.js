/**
 * The shared vector suite against the wasm modules in Chromium: the same cases, and the digest that Node gets. And the entry
 * that fetches its module, in a browser that says it has no SIMD.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Core } from '../../wasm/core.js'
import { MANIFESTS, runSuite } from '../vectors/run.js'
import { wasmHost } from '../vectors/wasm_host.js'
import { describeInChromium, FLIGHTS } from './chromium.js'

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
 * @param {string} wasm name of the module
 * @returns {Promise<{ cases: number, failures: { name: string, message: string }[], digest: string }>}
 */
function runInPage(page, wasm) {
  return page.evaluate(
    async ({ core, run, host, wasm }) => {
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
      const module = await WebAssembly.compile(await get(`/wasm/dist/${wasm}`))
      return runSuite(manifests, wasmHost(new Core(module)))
    },
    { core: '/wasm/core.js', run: '/tests/vectors/run.js', host: '/tests/vectors/wasm_host.js', wasm }
  )
}

describeInChromium('vectors in Chromium', (running, test) => {
  for (const wasm of ['pagelane.wasm', 'pagelane-scalar.wasm']) {
    test(`${wasm}: every case, and the digest that Node gets`, async (t) => {
      const { page, complaints } = await running.newPage()
      // digests need a secure context, which 127.0.0.1 is
      await page.goto(`${running.origin}/tests/browser/pages/blank.html`)
      const { cases, failures, digest } = await runInPage(page, wasm)
      assert.deepEqual(failures, [])
      assert.ok(cases > 0)
      assert.equal(digest, await digestInNode())
      assert.deepEqual(complaints, [])
      t.diagnostic(`${cases} cases, digest: ${digest}`)
    })
  }

  for (const simd of [true, false]) {
    test(`pagelane/url in a browser ${simd ? 'with' : 'without'} SIMD`, async () => {
      const { page, complaints } = await running.newPage()
      /** @type {string[]} */
      const modules = []
      page.on('request', (request) => {
        if (request.url().endsWith('.wasm')) modules.push(new URL(request.url()).pathname)
      })
      await page.goto(`${running.origin}/tests/browser/pages/blank.html`)
      const origins = await page.evaluate(
        async ({ library, data, simd }) => {
          if (!simd) WebAssembly.validate = () => false
          const { open } = await import(library)
          const table = await (await open(data)).read({ columns: ['origin'], rows: [0, 3] })
          return [...table.column('origin')]
        },
        { library: '/wasm/dist/url.js', data: `${running.origin}/data/${FLIGHTS}`, simd }
      )
      assert.deepEqual(origins, ['LAS', 'ATL', 'MCI'])
      assert.deepEqual(modules, [`/wasm/dist/pagelane${simd ? '' : '-scalar'}.wasm`])
      assert.deepEqual(complaints, [])
    })
  }
})
