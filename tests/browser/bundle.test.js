/**
 * An application that is bundled by esbuild and served with a strict Content-Security-Policy.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describeInChromium, FLIGHTS, listen } from './chromium.js'

const HTML =
  '<!doctype html><title>bundled</title><link rel="icon" href="icon.svg"><p id="output"></p><script type="module" src="app.js"></script>'
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src *; img-src 'self'"

/** @returns {Promise<string>} */
async function bundle() {
  const { outputFiles, warnings } = await build({
    entryPoints: [fileURLToPath(new URL('pages/bundled.js', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  })
  assert.deepEqual(warnings, [])
  return outputFiles[0].text
}

describeInChromium('a bundled page', (running, test) => {
  /** @type {import('node:http').Server} */
  let server
  let origin = ''
  let script = ''
  let policy = POLICY
  before(async () => {
    script = await bundle()
    server = createServer((request, response) => {
      response.setHeader('Content-Security-Policy', policy)
      if (request.url === '/') response.setHeader('Content-Type', 'text/html; charset=utf-8').end(HTML)
      else if (request.url === '/app.js')
        response.setHeader('Content-Type', 'text/javascript; charset=utf-8').end(script)
      else response.setHeader('Content-Type', 'image/svg+xml').end('<svg xmlns="http://www.w3.org/2000/svg"/>')
    })
    origin = await listen(server)
  })
  after(() => server.close())

  test("runs under script-src 'self' 'wasm-unsafe-eval'", async () => {
    const { page, complaints } = await running.newPage()
    await page.goto(`${origin}/#${running.origin}/data/${FLIGHTS}`)
    await page.waitForFunction(() => document.getElementById('output')?.textContent !== '')
    assert.deepEqual(JSON.parse((await page.textContent('#output')) ?? ''), [
      { delay: 33, origin: 'LAS' },
      { delay: 19, origin: 'ATL' },
      { delay: 14, origin: 'MCI' },
    ])
    assert.deepEqual(complaints, [])
  })

  test('without wasm-unsafe-eval the error says that the module was refused', async () => {
    const { page } = await running.newPage()
    policy = POLICY.replace(" 'wasm-unsafe-eval'", '')
    await page.goto(`${origin}/#${running.origin}/data/${FLIGHTS}`)
    await page.waitForFunction(() => document.getElementById('output')?.textContent !== '')
    policy = POLICY
    assert.match((await page.textContent('#output')) ?? '', /wasm-unsafe-eval|Content.Security.Policy/i)
  })
})
