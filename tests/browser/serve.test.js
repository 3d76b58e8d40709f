/**
 * The server of the page: ranges, and nothing outside its folders.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createFileServer } from '../../web/serve.js'
import { listen } from './chromium.js'

describe('web/serve.js', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pagelane-serve-'))
  const server = createFileServer({ folders: { '/files/': folder } })
  let origin = ''
  before(async () => {
    writeFileSync(join(folder, 'ten.bin'), '0123456789')
    writeFileSync(join(folder, 'empty.bin'), '')
    origin = await listen(server)
  })
  after(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })

  /**
   * @param {string} path sent as it is: fetch would tidy it up
   * @param {{ range?: string, method?: string }} [options]
   * @returns {Promise<[status: number, body: string, contentRange: string | undefined]>}
   */
  const get = (path, { range, method = 'GET' } = {}) =>
    new Promise((resolve, reject) => {
      const headers = range === undefined ? {} : { Range: range }
      const { hostname, port } = new URL(origin)
      request({ hostname, port, path, method, headers }, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (text) => (body += text))
        response.on('end', () => resolve([response.statusCode ?? 0, body, response.headers['content-range']]))
      })
        .on('error', reject)
        .end()
    })

  test('ranges', async () => {
    /** @type {[range: string, status: number, body: string, contentRange: string | undefined][]} */
    const expected = [
      ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
      ['bytes=7-', 206, '789', 'bytes 7-9/10'],
      ['bytes=8-100', 206, '89', 'bytes 8-9/10'],
      ['bytes=-3', 206, '789', 'bytes 7-9/10'],
      ['bytes=-100', 206, '0123456789', 'bytes 0-9/10'],
      ['bytes=10-', 416, '', 'bytes */10'],
      ['bytes=-0', 416, '', 'bytes */10'],
      ['bytes=4-2', 200, '0123456789', undefined],
      ['bytes=0-1,4-5', 200, '0123456789', undefined],
      ['lines=1-2', 200, '0123456789', undefined],
    ]
    for (const [range, ...answer] of expected) {
      assert.deepEqual(await get('/files/ten.bin', { range }), answer, range)
    }
    assert.deepEqual(await get('/files/empty.bin'), [200, '', undefined])
    assert.deepEqual(await get('/files/empty.bin', { range: 'bytes=0-' }), [416, '', 'bytes */0'])
    assert.deepEqual(await get('/files/ten.bin', { range: 'bytes=2-4', method: 'HEAD' }), [
      206,
      '',
      'bytes 2-4/10',
    ])
  })

  test('nothing outside the folders, and nothing but reading', async () => {
    for (const path of [
      '/package.json',
      '/web/../package.json',
      '/web/..%2fpackage.json',
      '/web/%2e%2e/package.json',
      '/files/../../etc/passwd',
      '/files//etc/passwd',
      '/files/%00',
      '/%',
      '/files/none',
      '//',
    ]) {
      assert.equal((await get(path))[0], 404, path)
    }
    assert.equal((await get('/files/ten.bin', { method: 'POST' }))[0], 405)
    assert.equal((await get('/'))[0], 302)
    assert.equal((await get('/web/'))[0], 200)
  })
})
