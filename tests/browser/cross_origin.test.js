/**
 * Files on a server of another origin: one that shows only what every server shows, one that ignores ranges, one that does
 * not allow reading.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { after, before } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describeInChromium, FLIGHTS, listen } from './chromium.js'

const bytes = readFileSync(
  fileURLToPath(new URL(`../../node_modules/vega-datasets/data/${FLIGHTS}`, import.meta.url))
)

/**
 * @typedef {object} Asked
 * @property {string} method
 * @property {string | undefined} range
 * @property {number} sent body bytes that went out before the browser had enough
 */

/**
 * @param {Asked[]} asked filled as requests come
 * @returns {import('node:http').Server} the file below three paths: /hides/, /ignores/ and /forbids/
 */
function otherServer(asked) {
  return createServer((request, response) => {
    const entry = { method: request.method ?? '', range: request.headers.range, sent: 0 }
    asked.push(entry)
    const kind = request.url?.split('/')[1]
    if (kind !== 'forbids') response.setHeader('Access-Control-Allow-Origin', '*')
    // no preflight is allowed and no header is exposed: what a plain file server with one CORS line does
    if (request.method !== 'GET') return void response.writeHead(405).end()
    const match = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
    let body = bytes
    if (kind !== 'ignores' && match !== null) {
      const start = Number(match[1])
      const end = match[2] === '' ? bytes.length : Number(match[2]) + 1
      body = bytes.subarray(start, end)
      response.statusCode = 206
      response.setHeader('Content-Range', `bytes ${start}-${end - 1}/${bytes.length}`)
    }
    response.setHeader('Content-Length', body.length)
    response.setHeader('ETag', '"1"')
    sendInPieces(response, body, entry)
  })
}

/**
 * In pieces and at the pace of a network, so that an answer that is cancelled shows as one that was not sent: loopback
 * alone may swallow half the file before the browser's word arrives.
 * @param {import('node:http').ServerResponse} response
 * @param {Buffer} body
 * @param {Asked} entry
 */
function sendInPieces(response, body, entry) {
  pipeline(async function* () {
    for (let at = 0; at < body.length; at += 65536) {
      const piece = body.subarray(at, at + 65536)
      entry.sent += piece.length
      yield piece
      await setTimeout(5)
    }
  }, response).catch(() => {}) // the browser had enough
}

describeInChromium('files of another origin', (running, test) => {
  /** @type {import('node:http').Server} */
  let server
  let origin = ''
  /** @type {Asked[]} */
  const asked = []
  before(async () => {
    server = otherServer(asked)
    origin = await listen(server)
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  /**
   * @param {string} kind
   * @returns {Promise<{ rows?: number, delays?: number[], code?: string, message?: string }>}
   */
  async function readFlights(kind) {
    asked.length = 0
    const { page } = await running.newPage()
    await page.goto(`${running.origin}/tests/browser/pages/blank.html`)
    const result = await page.evaluate(
      async ({ library, url }) => {
        const { open } = await import(library)
        try {
          const file = await open(url)
          const { columns } = await file.read({ columns: ['delay'], rows: [1000, 1003], int64: 'number' })
          return { rows: file.numRows, delays: [...columns[0].values] }
        } catch (error) {
          const { code, message } = /** @type {{ code: string, message: string }} */ (error)
          return { code, message }
        }
      },
      { library: '/wasm/index.js', url: `${origin}/${kind}/${FLIGHTS}` }
    )
    await page.context().close()
    return result
  }

  test('a server that exposes no header is read by ranges, without a preflight', async () => {
    const result = await readFlights('hides')
    assert.equal(result.rows, 3_000_000)
    assert.equal(result.delays?.length, 3)
    assert.deepEqual(
      asked.filter(({ method, range }) => method !== 'GET' || range === undefined),
      []
    )
    const sent = asked.reduce((sum, entry) => sum + entry.sent, 0)
    assert.ok(sent < 6_000_000, `${sent} bytes sent of ${bytes.length}`)
  })

  test('a server that ignores ranges is read once, as a whole', async () => {
    const expected = await readFlights('hides')
    assert.deepEqual(await readFlights('ignores'), expected)
    assert.equal(asked.filter(({ sent }) => sent === bytes.length).length, 1)
  })

  test('a server that does not allow reading is an error with the code SOURCE', async () => {
    const { code, message } = await readFlights('forbids')
    assert.equal(code, 'SOURCE')
    assert.match(message ?? '', /could not be fetched/)
  })
})
