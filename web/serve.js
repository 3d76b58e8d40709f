/**
 * A static server for the page: `node web/serve.js [--port 8080] [FOLDER]`. Serves the page and, below /files/, the folder
 * given. It answers range requests, listens on this machine alone and needs no package.
 */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @type {Record<string, string>} */
const CONTENT_TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.parquet': 'application/vnd.apache.parquet',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
}

/**
 * @typedef {object} ServerOptions
 * @property {Record<string, string>} [folders] more folders to serve, by path prefix: { '/files/': '/data' }
 * @property {Record<string, string>} [headers] added to every answer
 */

/**
 * @param {ServerOptions} [options]
 * @returns {import('node:http').Server}
 */
export function createFileServer({ folders = {}, headers = {} } = {}) {
  const served = { '/web/': join(root, 'web'), '/wasm/': join(root, 'wasm'), ...folders }
  return createServer((request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end()
    } else if (request.url === '/') {
      response.writeHead(302, { Location: '/web/' }).end()
    } else {
      const path = pathOf(request.url ?? '', served)
      if (path === undefined) response.writeHead(404).end('not found\n')
      else sendFile(request, response, path)
    }
  })
}

/**
 * @param {string} url of the request
 * @param {Record<string, string>} served folders by path prefix
 * @returns {string | undefined} a file that exists, inside the folder that the prefix names
 */
function pathOf(url, served) {
  let pathname
  try {
    // the URL parser takes dots away, decoding may bring some back
    pathname = decodeURIComponent(new URL(url, 'http://localhost').pathname)
  } catch {
    return undefined
  }
  const prefix = Object.keys(served).find((each) => pathname.startsWith(each))
  if (prefix === undefined || pathname.includes('\0')) return undefined
  const folder = resolve(served[prefix])
  let path = resolve(folder, `./${pathname.slice(prefix.length)}`)
  if (path !== folder && !path.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return undefined
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) path = join(path, 'index.html')
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? path : undefined
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {string} path
 */
function sendFile(request, response, path) {
  const { size, mtime, mtimeMs } = statSync(path)
  const tag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
  response.setHeader('Accept-Ranges', 'bytes')
  response.setHeader('Cache-Control', 'no-cache')
  response.setHeader('Content-Type', CONTENT_TYPES[extname(path)] ?? 'application/octet-stream')
  response.setHeader('ETag', tag)
  response.setHeader('Last-Modified', mtime.toUTCString())
  const range = rangeOf(request.headers.range, size)
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end()
    return
  }
  if (range === undefined && request.headers['if-none-match'] === tag) {
    response.writeHead(304).end()
    return
  }
  const { start, end } = range ?? { start: 0, end: size }
  response.setHeader('Content-Length', end - start)
  if (range !== undefined) response.setHeader('Content-Range', `bytes ${start}-${end - 1}/${size}`)
  response.writeHead(range === undefined ? 200 : 206)
  if (request.method === 'HEAD' || start === end) response.end()
  else
    createReadStream(path, { start, end: end - 1 })
      .on('error', () => response.destroy())
      .pipe(response)
}

/**
 * @param {string | undefined} header `bytes=first-last`, `bytes=first-` or `bytes=-size`
 * @param {number} size of the file
 * @returns {{ start: number, end: number } | 'unsatisfiable' | undefined} undefined: the whole file, as for a header that
 *   is not understood or asks for several ranges
 */
function rangeOf(header, size) {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (match === null || (match[1] === '' && match[2] === '')) return undefined
  const [first, last] = [match[1], match[2]].map((digits) => (digits === '' ? undefined : Number(digits)))
  if (first === undefined) {
    const start = Math.max(0, size - Number(last))
    return start < size ? { start, end: size } : 'unsatisfiable'
  }
  if (first >= size) return 'unsatisfiable'
  if (last !== undefined && last < first) return undefined
  return { start: first, end: Math.min(size, (last ?? size) + 1) }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    options: { port: { type: 'string', default: '8080' } },
    allowPositionals: true,
  })
  const folder = positionals[0]
  if (!existsSync(join(root, 'wasm/dist/pagelane.wasm.js'))) {
    console.error('the wasm module is not built yet: npm run build')
  }
  createFileServer({ folders: folder === undefined ? {} : { '/files/': resolve(folder) } })
    .on('error', (error) => {
      console.error(`the server cannot listen on port ${values.port}: ${error.message}`)
      process.exitCode = 1
    })
    .listen(Number(values.port), '127.0.0.1', () => {
      console.log(`http://localhost:${values.port}/web/`)
      if (folder !== undefined) console.log(`${folder} is below http://localhost:${values.port}/files/`)
    })
}
