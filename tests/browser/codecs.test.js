/**
 * Codecs in Chromium: Brotli comes in a file of its own, when a file needs it; gzip pages of several members.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describeInChromium } from './chromium.js'

const VALUES = Array.from({ length: 4000 }, (_, i) => i % 50)
const BLANK = '/tests/browser/pages/blank.html'

/**
 * @param {string} codec
 * @param {(input: Uint8Array) => Uint8Array} compress
 * @returns {Buffer}
 */
function fileOf(codec, compress) {
  const columnData = /** @type {any} */ ([{ name: 'x', data: VALUES, type: 'INT32', encoding: 'PLAIN' }])
  const options = { columnData, codec: /** @type {any} */ (codec), compressors: { [codec]: compress } }
  return Buffer.from(parquetWriteBuffer(options))
}

const brotli = fileOf('BROTLI', (input) => brotliCompressSync(input))
const broken = fileOf('BROTLI', (input) => brotliCompressSync(input).subarray(0, -3))
const gzip = fileOf('GZIP', (input) =>
  Buffer.concat([gzipSync(input.subarray(0, 999)), gzipSync(input.subarray(999))])
)

/**
 * Reads /x.parquet twice with the library at an address: the values, or the error.
 * @param {string} library
 * @returns {Promise<{ values: unknown[], again: unknown[] } | { code: string, message: string }>}
 */
async function read(library) {
  const { open } = await import(library)
  const file = await open('/x.parquet')
  try {
    const table = await file.read({ columns: ['x'] })
    const again = await file.read({ columns: ['x'] })
    return { values: [...table.column('x')], again: [...again.column('x')] }
  } catch (error) {
    const { code, message } = /** @type {any} */ (error)
    return { code, message }
  }
}

describeInChromium('codecs in Chromium', (running, test) => {
  /** @param {Buffer} body of /x.parquet */
  async function pageWith(body) {
    const { page, complaints } = await running.newPage()
    /** @type {string[]} */
    const requests = []
    page.on('request', (request) => {
      if (/brotli/.test(request.url())) requests.push(new URL(request.url()).pathname)
    })
    await page.route('**/x.parquet', (route) => {
      const [, from, to] = /bytes=(\d+)-(\d+)/.exec(route.request().headers().range ?? '') ?? [
        0,
        0,
        body.length - 1,
      ]
      const part = body.subarray(Number(from), Number(to) + 1)
      return route.fulfill({
        status: 206,
        headers: { 'Content-Range': `bytes ${from}-${Number(from) + part.length - 1}/${body.length}` },
        body: part,
      })
    })
    await page.goto(running.origin + BLANK)
    return { page, complaints, requests }
  }

  for (const entry of ['dist/index.js', 'dist/url.js', 'index.js']) {
    test(`Brotli is fetched once, by wasm/${entry}`, async () => {
      const { page, complaints, requests } = await pageWith(brotli)
      assert.deepEqual(await page.evaluate(read, `/wasm/${entry}`), { values: VALUES, again: VALUES })
      assert.deepEqual(
        requests.filter((path) => path.endsWith('/dist/brotli.js')),
        ['/wasm/dist/brotli.js']
      )
      assert.deepEqual(complaints, [])
    })
  }

  test('Brotli that is cut is CORRUPT', async () => {
    const { page } = await pageWith(broken)
    const result = await page.evaluate(read, '/wasm/dist/index.js')
    assert.equal('code' in result && result.code, 'CORRUPT')
  })

  test('a gzip page of two members; nothing is fetched for it', async () => {
    const { page, complaints, requests } = await pageWith(gzip)
    assert.deepEqual(await page.evaluate(read, '/wasm/dist/index.js'), { values: VALUES, again: VALUES })
    assert.deepEqual(requests, [])
    assert.deepEqual(complaints, [])
  })

  test('decodePage has Brotli after loadCodec', async () => {
    const { page } = await pageWith(brotli)
    const result = await page.evaluate(async (library) => {
      const { decodePage, loadCodec, open } = await import(library)
      const bytes = new Uint8Array(await (await fetch('/x.parquet')).arrayBuffer())
      const file = await open(bytes)
      const { value: first } = await file.pages('x').next()
      const { maxDefinitionLevel } = file.columns[0]
      const page = bytes.subarray(first.offset, first.offset + first.size)
      const decode = () => [...decodePage(page, { type: 'INT32', maxDefinitionLevel, codec: 'BROTLI' }).column]
      let message = ''
      try {
        decode()
      } catch (error) {
        message = String(error)
      }
      await loadCodec('BROTLI')
      return { message, values: decode() }
    }, '/wasm/dist/index.js')
    assert.match(result.message, /codec BROTLI is not in this build.*loadCodec\('BROTLI'\)/)
    assert.deepEqual(result.values, VALUES.slice(0, 1000)) // the first of two pages
  })

  test('a bundle does not carry it; without the file beside the error says what to do, and loadCodec does it', async () => {
    const { outputFiles, warnings } = await build({
      stdin: {
        contents: `export { open, loadCodec } from 'pagelane'`,
        resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      logLevel: 'silent',
    })
    assert.deepEqual(warnings, [])
    const decoder = readFileSync(new URL('../../wasm/dist/brotli.js', import.meta.url))
    assert.ok(
      outputFiles[0].contents.length <
        readFileSync(new URL('../../wasm/dist/index.js', import.meta.url)).length * 1.1
    )
    const { page } = await pageWith(brotli)
    const contentType = 'text/javascript'
    await page.route('**/app/app.js', (route) => route.fulfill({ body: outputFiles[0].text, contentType }))
    await page.route('**/app/decoder.js', (route) => route.fulfill({ body: decoder, contentType }))
    const result = await page.evaluate(read, '/app/app.js')
    assert.equal('code' in result && result.code, 'UNSUPPORTED')
    assert.match(
      'message' in result ? result.message : '',
      /brotli\.js is not beside.*loadCodec\('BROTLI'.*pagelane\/brotli/
    )
    await page.evaluate(async () => {
      const { loadCodec } = await import(/** @type {any} */ ('/app/app.js'))
      const decoder = /** @type {any} */ ('/app/decoder.js')
      await loadCodec('BROTLI', async (/** @type {Uint8Array} */ input, /** @type {number} */ size) =>
        (await import(decoder)).decompressBrotli(input, size)
      )
    })
    assert.deepEqual(await page.evaluate(read, '/app/app.js'), { values: VALUES, again: VALUES })
  })
})
