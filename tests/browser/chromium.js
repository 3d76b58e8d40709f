/**
 * Chromium for tests: the one of the system, through playwright-core, which brings none of its own.
 */
import { existsSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { createFileServer } from '../../web/serve.js'

/** @typedef {import('playwright-core').Page} Page */

const root = fileURLToPath(new URL('../..', import.meta.url))
const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = [process.env.CHROMIUM ?? '', ...PATHS].find((path) => path !== '' && existsSync(path))

/** Why there is no browser, or false. */
const skip = executablePath === undefined && 'Chromium is not installed (CHROMIUM names its program)'

/** Path below /data/ on the server of startBrowser. */
export const FLIGHTS = 'flights-3m.parquet'

/**
 * @typedef {object} Running
 * @property {string} origin of a server for web/, wasm/, tests/, build/ and the flights file
 * @property {(options?: import('playwright-core').BrowserContextOptions) => Promise<Watched>} newPage
 * @property {() => Promise<void>} stop
 */
/**
 * A page, and what went wrong on it.
 * @typedef {object} Watched
 * @property {Page} page
 * @property {string[]} complaints errors on the console, and those nobody caught
 */

/**
 * Tests that share a browser; without one, each of them is skipped with the reason.
 * @param {string} title
 * @param {(running: Running, test: (name: string, run: (t: import('node:test').TestContext) => Promise<void>) => void) => void} define
 */
export function describeInChromium(title, define) {
  describe(title, () => {
    /** filled before the first test */
    const running = /** @type {Running} */ ({})
    before(async () => {
      if (!skip) Object.assign(running, await startBrowser())
    })
    after(() => running.stop?.())
    define(running, (name, run) => {
      test(name, { skip }, run)
    })
  })
}

/** @returns {Promise<Running>} */
async function startBrowser() {
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
      '--no-first-run',
    ],
  })
  const server = createFileServer({
    folders: {
      '/tests/': `${root}tests`,
      '/build/': `${root}build`,
      '/data/': `${root}node_modules/vega-datasets/data`,
    },
    // pages of other origins read from it, too
    headers: { 'Access-Control-Allow-Origin': '*' },
  })
  const origin = await listen(server)
  return {
    origin,
    async newPage(options) {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      /** @type {string[]} */
      const complaints = []
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)))
      return { page, complaints }
    },
    async stop() {
      await browser.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * @param {import('node:http').Server} server
 * @returns {Promise<string>} its origin, on a free port
 */
export async function listen(server) {
  await new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(undefined))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}

/**
 * What a page fetches from below a path: one entry a response.
 * @param {Page} page
 * @param {string} path
 * @returns {{ status: number, size: number }[]} filled as responses come; `size` is what the server announced
 */
export function recordResponses(page, path) {
  /** @type {{ status: number, size: number }[]} */
  const responses = []
  page.on('response', (response) => {
    if (!new URL(response.url()).pathname.startsWith(path)) return
    responses.push({ status: response.status(), size: Number(response.headers()['content-length']) })
  })
  return responses
}
