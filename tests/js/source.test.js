/* Where bytes come from: buffers, slices, files, and servers of every temper. */
import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { FileSource } from '../../wasm/node_source.js'
import { createSource, joinRanges } from '../../wasm/source.js'

/** @type {any} younger than the types in use */
const ResizableBuffer = ArrayBuffer
const SIZE = 1 << 20
const BYTES = Uint8Array.from({ length: SIZE }, (_, i) => (i * 7 + (i >> 8)) & 255)

/**
 * @param {string} code
 * @param {RegExp} [pattern] of the message
 */
const failsWith =
  (code, pattern = undefined) =>
  (/** @type {any} */ error) => {
    assert.equal(error.name, 'PagelaneError', String(error))
    assert.equal(error.code, code, String(error))
    if (pattern !== undefined) assert.match(error.message, pattern)
    return true
  }

/** Reads a tail and two ranges and compares them with the bytes that are there. */
async function checkSource(source, bytes = BYTES) {
  const tail = await source.readTail(1000)
  assert.equal(source.byteLength, bytes.length)
  assert.deepEqual(Buffer.from(tail), Buffer.from(bytes.subarray(-1000)))
  assert.deepEqual(Buffer.from(await source.read(5, 70005)), Buffer.from(bytes.subarray(5, 70005)))
  assert.deepEqual(Buffer.from(await source.read(0, bytes.length)), Buffer.from(bytes))
  assert.equal((await source.read(9, 9)).length, 0)
  if (source.readInto !== undefined) {
    const target = new Uint8Array(300)
    source.readInto(44, target)
    assert.deepEqual(Buffer.from(target), Buffer.from(bytes.subarray(44, 344)))
  }
}

describe('bytes in memory', () => {
  const shared = new SharedArrayBuffer(SIZE)
  new Uint8Array(shared).set(BYTES)
  const resizable = new ResizableBuffer(SIZE, { maxByteLength: 2 * SIZE })
  new Uint8Array(resizable).set(BYTES)
  const larger = new Uint8Array(SIZE + 16)
  larger.set(BYTES, 8)
  const inputs = {
    ArrayBuffer: BYTES.slice().buffer,
    SharedArrayBuffer: shared,
    'resizable ArrayBuffer': resizable,
    Uint8Array: larger.subarray(8, 8 + SIZE),
    BigInt64Array: new BigInt64Array(larger.buffer, 8, SIZE / 8),
    'Uint16Array on shared memory': new Uint16Array(shared),
    DataView: new DataView(larger.buffer, 8, SIZE),
    Buffer: Buffer.from(BYTES),
    Blob: new Blob([BYTES]),
    File: new File([BYTES], 'x.parquet'),
    'AsyncBuffer with promises': {
      byteLength: SIZE,
      slice: async (start, end) => BYTES.slice(start, end).buffer,
    },
    'AsyncBuffer at once, typed arrays': {
      byteLength: SIZE,
      slice: (start, end) => BYTES.subarray(start, end),
    },
  }
  for (const [name, input] of Object.entries(inputs)) test(name, () => checkSource(createSource(input, {})))

  test('no bytes at all', async () => {
    const source = createSource(new Uint8Array(0), {})
    assert.equal((await source.readTail(8)).length, 0)
    assert.equal(source.byteLength, 0)
  })

  test('a detached buffer is a wrong argument', () => {
    const buffer = new ArrayBuffer(64)
    const views = [buffer, new Uint8Array(buffer, 8, 8), new DataView(buffer), new Float64Array(buffer)]
    structuredClone(buffer, { transfer: [buffer] })
    for (const view of views)
      assert.throws(() => createSource(view, {}), failsWith('BAD_ARGUMENT', /^source .*detached/))
  })

  test('a buffer that is detached or shrinks later is a changed source', async () => {
    const buffer = BYTES.slice().buffer
    const source = createSource(buffer, {})
    await source.readTail(8)
    structuredClone(buffer, { transfer: [buffer] })
    assert.throws(() => source.read(0, 100), failsWith('SOURCE'))
    const shrinking = new ResizableBuffer(100, { maxByteLength: 200 })
    const other = createSource(shrinking, {})
    shrinking.resize(50)
    assert.throws(() => other.read(0, 100), failsWith('SOURCE'))
  })

  test('what cannot be a source is a wrong argument that says what can', () => {
    for (const input of [undefined, null, 5, true, {}, [], () => {}, Promise.resolve(), { byteLength: 3 }]) {
      assert.throws(() => createSource(input, {}), failsWith('BAD_ARGUMENT', /^source must be .*URL/))
    }
    const slice = () => new ArrayBuffer(0)
    for (const byteLength of [-1, 1.5, NaN, '12', undefined, 2 ** 60]) {
      assert.throws(
        () => createSource({ byteLength, slice }, {}),
        failsWith('BAD_ARGUMENT', /^source\.byteLength/)
      )
    }
    assert.throws(() => createSource('', {}), failsWith('BAD_ARGUMENT'))
    assert.throws(() => createSource('http://', {}), failsWith('BAD_ARGUMENT', /URL/))
    assert.throws(() => createSource('ftp://example.org/x', {}), failsWith('BAD_ARGUMENT', /ftp/))
  })

  test('slices that fail, or have another length, or are no bytes', async () => {
    const of = (slice) => createSource({ byteLength: 100, slice }, {})
    await assert.rejects(async () => of(() => new ArrayBuffer(3)).read(0, 10), failsWith('SOURCE', /3 bytes/))
    await assert.rejects(async () => of(() => 'text').read(0, 10), failsWith('BAD_ARGUMENT', /^source\.slice/))
    const cause = new Error('disk on fire')
    await assert.rejects(
      async () =>
        of(() => {
          throw cause
        }).read(0, 10),
      (/** @type {any} */ error) => {
        assert.equal(error.cause, cause)
        return failsWith('SOURCE', /disk on fire/)(error)
      }
    )
    await assert.rejects(
      async () =>
        of(async () => {
          throw cause
        }).read(0, 10),
      failsWith('SOURCE', /disk on fire/)
    )
  })

  test('a read is cancelled while a slice is waited for', async () => {
    const controller = new AbortController()
    const source = createSource({ byteLength: 100, slice: () => new Promise(() => {}) }, {})
    const read = source.read(0, 10, controller.signal)
    controller.abort()
    await assert.rejects(async () => read, { name: 'AbortError' })
    await assert.rejects(async () => source.read(0, 10, AbortSignal.abort()), { name: 'AbortError' })
  })
})

describe('files of Node', () => {
  const openPath = (location) => new FileSource(location)
  let folder
  let path
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'pagelane-'))
    path = join(folder, 'a b#%.bin')
    writeFileSync(path, BYTES)
  })
  after(() => rmSync(folder, { recursive: true }))

  test('by path and by URL', async () => {
    await checkSource(createSource(path, { openPath }))
    await checkSource(createSource(pathToFileURL(path), { openPath }))
    await checkSource(createSource(pathToFileURL(path).href, { openPath }))
  })

  test('what is not there, is a folder, or is no path', () => {
    assert.throws(() => createSource(join(folder, 'no'), { openPath }), failsWith('SOURCE', /ENOENT/))
    assert.throws(() => createSource(folder, { openPath }), failsWith('SOURCE', /directory/))
    assert.throws(() => createSource('a\0b', { openPath }), failsWith('BAD_ARGUMENT', /NUL/))
  })

  test('a file that grows, and one that is closed', async () => {
    const changing = join(folder, 'changing')
    writeFileSync(changing, BYTES)
    const source = createSource(changing, { openPath })
    source.read(0, 10)
    appendFileSync(changing, 'x')
    assert.throws(() => source.read(0, 10), failsWith('SOURCE', /changed/))
    source.close()
    source.close()
    assert.throws(() => source.read(0, 10), failsWith('SOURCE', /closed/))
  })
})

/**
 * What a server does with one request; `range` is [start, end) or undefined.
 * @typedef {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse, range: [number, number] | undefined) => void} Behaviour
 */

describe('servers', () => {
  /** @type {import('node:http').Server} */
  let server
  let base = ''
  /** @type {{ method: string, range: string | undefined }[]} */
  let log = []
  /** @type {Behaviour} */
  let behave = partial
  let sent = 0

  before(async () => {
    server = createServer((request, response) => {
      const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '')
      log.push({ method: request.method ?? '', range: request.headers.range })
      const suffix = range?.[1] === ''
      const start = suffix ? Math.max(0, SIZE - Number(range?.[2])) : Number(range?.[1])
      const end = suffix || range?.[2] === '' ? SIZE : Math.min(SIZE, Number(range?.[2]) + 1)
      behave(request, response, range === null ? undefined : [start, end])
    })
    await new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve(undefined))
    })
    base = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  function serve(behaviour) {
    behave = behaviour
    log = []
    sent = 0
    return createSource(`${base}/file.parquet?token=secret`, {})
  }

  /** @type {Behaviour} */
  function partial(request, response, range) {
    if (range === undefined) return whole(request, response, range)
    const [start, end] = range
    response.writeHead(206, {
      'Content-Range': `bytes ${start}-${end - 1}/${SIZE}`,
      'Content-Length': end - start,
      ETag: '"1"',
    })
    response.end(BYTES.subarray(start, end))
  }

  /**
   * Everything, in pieces, as long as somebody takes it.
   * @param {import('node:http').IncomingMessage} _request
   * @param {import('node:http').ServerResponse} response
   * @param {unknown} [_range]
   * @param {number} [status]
   * @param {import('node:http').OutgoingHttpHeaders} [headers]
   */
  function whole(_request, response, _range, status = 200, headers = { 'Content-Length': SIZE }) {
    response.writeHead(status, headers)
    let at = 0
    const more = () => {
      while (at < SIZE && !response.destroyed) {
        const piece = BYTES.subarray(at, at + 65536)
        at += piece.length
        sent += piece.length
        if (!response.write(piece)) return response.once('drain', more)
      }
      return response.end()
    }
    more()
  }

  /** Runs with a location of another origin, as a page of example.org would see the server. */
  async function fromOtherOrigin(run) {
    assert.equal(globalThis.location, undefined)
    globalThis.location = /** @type {any} */ ({ origin: 'https://example.org', href: 'https://example.org/' })
    try {
      await run()
    } finally {
      delete (/** @type {any} */ (globalThis).location)
    }
  }

  test('one request finds out the size and brings the tail', async () => {
    const source = serve(partial)
    const tail = await source.readTail(1000)
    assert.deepEqual(Buffer.from(tail), Buffer.from(BYTES.subarray(-1000)))
    assert.deepEqual(log, [{ method: 'GET', range: 'bytes=-1000' }])
    await checkSource(source)
  })

  test('a URL object, and headers for every request', async () => {
    const seen = []
    behave = (request, response, range) => {
      seen.push(request.headers.authorization)
      partial(request, response, range)
    }
    await checkSource(createSource(new URL(base), { requestInit: { headers: { Authorization: 'Bearer x' } } }))
    assert.ok(seen.length >= 3 && seen.every((header) => header === 'Bearer x'), String(seen))
  })

  test('a tail longer than the file', async () => {
    const tail = await serve(partial).readTail(2 * SIZE)
    assert.equal(tail.length, SIZE)
  })

  test('another origin that exposes no header: no suffix range, no preflight', () =>
    fromOtherOrigin(async () => {
      const source = serve((_, response, range) => {
        const [start, end] = range ?? [0, SIZE]
        response.writeHead(206, { 'Content-Length': end - start })
        response.end(BYTES.subarray(start, end))
      })
      await checkSource(source)
      assert.ok(
        log.every(({ method, range }) => method === 'GET' && /^bytes=\d+-\d*$/.test(range ?? '')),
        JSON.stringify(log)
      )
      assert.deepEqual(
        log.slice(0, 2).map(({ range }) => range),
        ['bytes=0-', `bytes=${SIZE - 1000}-${SIZE - 1}`]
      )
    }))

  test('another origin that shows not even a length: the file is taken whole, once', () =>
    fromOtherOrigin(async () => {
      const source = serve((request, response) => whole(request, response, undefined, 206, {}))
      await checkSource(source)
      assert.equal(log.length, 1)
    }))

  test('another origin: the body of the first request is not taken', () =>
    fromOtherOrigin(async () => {
      const large = 64 * SIZE
      const source = serve((request, response, range) => {
        const [start] = range ?? [0]
        if (request.headers.range !== 'bytes=0-') {
          response.writeHead(206, { 'Content-Length': 1000 })
          return response.end(new Uint8Array(1000))
        }
        response.writeHead(206, { 'Content-Length': large - start })
        const more = () => {
          while (sent < large && !response.destroyed) {
            sent += SIZE
            if (!response.write(BYTES)) return response.once('drain', more)
          }
          return response.end()
        }
        more()
      })
      await source.readTail(1000)
      assert.equal(source.byteLength, large)
      assert.ok(sent < large / 2, `${sent} bytes were sent`)
    }))

  test('a server that ignores ranges: everything is fetched once and kept', async () => {
    const source = serve(whole)
    await checkSource(source)
    const requests = log.length
    await checkSource(source)
    assert.equal(log.length, requests)
    assert.ok(requests <= 2, JSON.stringify(log))
  })

  test('a server that ignores ranges and tells no length', async () => {
    const source = serve((request, response) => whole(request, response, undefined, 200, {}))
    await checkSource(source)
    assert.equal(log.length, 1)
  })

  test('kept bytes are charged, and a file too large is refused before it is all there', async () => {
    let used = 0
    const budget = {
      charge(size) {
        if (used + size > 300000)
          throw Object.assign(new Error('limit'), { name: 'PagelaneError', code: 'LIMIT' })
        used += size
      },
      release(size) {
        used -= size
      },
    }
    behave = (request, response) => whole(request, response, undefined, 200, {})
    const source = createSource(base, { budget })
    await assert.rejects(async () => source.readTail(8), failsWith('LIMIT'))
    assert.ok(used <= 300000)
    source.close()
    assert.equal(used, 0)
  })

  test('a server that knows only ranges with a start', async () => {
    const source = serve((request, response, range) =>
      request.headers.range?.startsWith('bytes=-')
        ? whole(request, response)
        : partial(request, response, range)
    )
    await checkSource(source)
    assert.deepEqual(
      log.slice(0, 3).map(({ range }) => range?.replace(/\d+-\d+/, 'n-n')),
      ['bytes=-1000', 'bytes=n-n', 'bytes=n-n']
    )
    assert.equal(log.length, 5)
    const refusing = serve((request, response, range) => {
      if (!request.headers.range?.startsWith('bytes=-')) return partial(request, response, range)
      response.writeHead(416)
      return response.end()
    })
    await checkSource(refusing)
  })

  test('a server that ignores ranges from the second request on', async () => {
    const source = serve(partial)
    await source.readTail(1000)
    behave = whole
    const [a, b] = await Promise.all([source.read(0, 100), source.read(200, 300)])
    assert.deepEqual(Buffer.from(a), Buffer.from(BYTES.subarray(0, 100)))
    assert.deepEqual(Buffer.from(b), Buffer.from(BYTES.subarray(200, 300)))
    assert.equal((await source.read(SIZE - 1, SIZE)).length, 1)
    assert.equal(log.length, 3)
  })

  test('an empty file', async () => {
    const source = serve((_, response) => {
      response.writeHead(416, { 'Content-Range': 'bytes */0' })
      response.end()
    })
    assert.equal((await source.readTail(8)).length, 0)
    assert.equal(source.byteLength, 0)
  })

  test('HTTP errors carry the status, and no secrets of the URL', async () => {
    for (const status of [401, 403, 404, 500, 503, 204]) {
      const source = serve((_, response) => {
        response.writeHead(status)
        response.end()
      })
      await assert.rejects(
        async () => source.readTail(8),
        (/** @type {any} */ error) => {
          assert.equal(error.status, status)
          assert.doesNotMatch(error.message, /secret/)
          return failsWith('SOURCE', new RegExp(String(status)))(error)
        }
      )
    }
  })

  test('no server', async () => {
    const source = createSource('http://127.0.0.1:9/x', {})
    await assert.rejects(async () => source.readTail(8), failsWith('SOURCE', /could not be fetched/))
  })

  /** @type {[string, (start: number, end: number) => { headers: object, body: Uint8Array, status?: number }, RegExp][]} */
  const wrong = [
    [
      'a range that begins elsewhere',
      (start, end) => ({
        headers: { 'Content-Range': `bytes ${start + 1}-${end - 1}/${SIZE}` },
        body: BYTES.subarray(start, end),
      }),
      /not 100-199/,
    ],
    [
      'another range than asked for',
      (start, end) => ({
        headers: { 'Content-Range': `bytes ${start + 1}-${end}/${SIZE}` },
        body: BYTES.subarray(start + 1, end + 1),
      }),
      /not 100-199/,
    ],
    [
      'fewer bytes',
      (start, end) => ({ headers: {}, body: BYTES.subarray(start, end - 1) }),
      /99 of the 100 bytes/,
    ],
    ['more bytes', (start) => ({ headers: {}, body: BYTES.subarray(start) }), /more than the 100 bytes/],
    [
      'a compressed range',
      (start, end) => ({ headers: { 'Content-Encoding': 'gzip' }, body: BYTES.subarray(start, end) }),
      /gzip/,
    ],
    [
      'a Content-Range that is none',
      (start, end) => ({ headers: { 'Content-Range': 'pages 1-2' }, body: BYTES.subarray(start, end) }),
      /Content-Range/,
    ],
    [
      'another size',
      (start, end) => ({
        headers: { 'Content-Range': `bytes ${start}-${end - 1}/${SIZE + 1}` },
        body: BYTES.subarray(start, end),
      }),
      /changed.*size/,
    ],
    [
      'another ETag',
      (start, end) => ({ headers: { ETag: '"2"' }, body: BYTES.subarray(start, end) }),
      /changed.*ETag/,
    ],
    ['a file that ends before', () => ({ status: 416, headers: {}, body: BYTES.subarray(0, 0) }), /changed/],
  ]
  for (const [name, answer, pattern] of wrong) {
    test(`a server that sends ${name}`, async () => {
      const source = serve(partial)
      await source.readTail(1000)
      behave = (_, response, range) => {
        const { headers, body, status = 206 } = answer(...(range ?? [0, 0]))
        response.writeHead(status, /** @type {any} */ (headers))
        response.end(body)
      }
      await assert.rejects(async () => source.read(100, 200), failsWith('SOURCE', pattern))
    })
  }

  test('another Last-Modified, where nothing else is shown', async () => {
    let day = 1
    const source = serve((_, response, range) => {
      const [start, end] = range ?? [0, SIZE]
      response.writeHead(206, {
        'Content-Range': `bytes ${start}-${end - 1}/${SIZE}`,
        'Last-Modified': `Mon, 0${day} Jan 2024 00:00:00 GMT`,
      })
      response.end(BYTES.subarray(start, end))
    })
    await source.readTail(1000)
    day = 2
    await assert.rejects(async () => source.read(100, 200), failsWith('SOURCE', /changed.*Last-Modified/))
  })

  test('a file that was replaced by a shorter one on a server that ignores ranges', async () => {
    const source = serve(partial)
    await source.readTail(1000)
    behave = (_, response) => {
      response.writeHead(200, { 'Content-Length': 500 })
      response.end(BYTES.subarray(0, 500))
    }
    await assert.rejects(async () => source.read(100, 200), failsWith('SOURCE', /changed.*size/))
  })

  test('a connection that breaks in the middle of a body', async () => {
    const source = serve(partial)
    await source.readTail(1000)
    behave = (_, response) => {
      response.writeHead(206, { 'Content-Length': 100000 })
      response.write(BYTES.subarray(0, 1000), () => response.destroy())
    }
    await assert.rejects(async () => source.read(0, 100000), failsWith('SOURCE', /broke off/))
  })

  test('cancelling: before, while the server is silent, in the middle of a body', async () => {
    const source = serve(partial)
    await assert.rejects(async () => source.readTail(8, AbortSignal.abort()), { name: 'AbortError' })
    assert.equal(log.length, 0)
    await source.readTail(1000)
    behave = () => {}
    const silent = new AbortController()
    const waiting = source.read(0, 100, silent.signal)
    setTimeout(() => silent.abort(), 20)
    await assert.rejects(async () => waiting, { name: 'AbortError' })
    const middle = new AbortController()
    let closed
    behave = (_, response) => {
      closed = new Promise((resolve) => {
        response.on('close', resolve)
      })
      response.writeHead(206, { 'Content-Length': 100000 })
      response.write(BYTES.subarray(0, 1000), () => setTimeout(() => middle.abort(new Error('enough')), 20))
    }
    await assert.rejects(async () => source.read(0, 100000, middle.signal), /enough/)
    await closed
  })

  test('data: and blob: URLs', async () => {
    await checkSource(
      createSource(`data:application/octet-stream;base64,${Buffer.from(BYTES).toString('base64')}`, {})
    )
    const url = URL.createObjectURL(new Blob([BYTES]))
    await checkSource(createSource(url, {}))
    URL.revokeObjectURL(url)
  })
})

describe('joinRanges', () => {
  const of = (pairs, gap, maxSize = Infinity) =>
    joinRanges(
      pairs.map(([start, end]) => ({ start, end })),
      { gap, maxSize }
    ).map(({ start, end, members }) => [start, end, members])

  test('joins what is near, in any order, and says what lies where', () => {
    assert.deepEqual(of([], 10), [])
    assert.deepEqual(
      of(
        [
          [30, 40],
          [0, 10],
          [12, 20],
        ],
        2
      ),
      [
        [0, 20, [1, 2]],
        [30, 40, [0]],
      ]
    )
    assert.deepEqual(
      of(
        [
          [30, 40],
          [0, 10],
          [12, 20],
        ],
        10
      ),
      [[0, 40, [1, 2, 0]]]
    )
    assert.deepEqual(
      of(
        [
          [0, 10],
          [11, 20],
        ],
        0
      ),
      [
        [0, 10, [0]],
        [11, 20, [1]],
      ]
    )
  })

  test('overlapping and equal ranges are fetched once', () => {
    assert.deepEqual(
      of(
        [
          [0, 10],
          [5, 8],
          [0, 10],
          [9, 12],
        ],
        0
      ),
      [[0, 12, [0, 2, 1, 3]]]
    )
  })

  test('no joined range grows past the size, a single one may', () => {
    assert.deepEqual(
      of(
        [
          [0, 10],
          [10, 20],
          [20, 30],
        ],
        0,
        20
      ),
      [
        [0, 20, [0, 1]],
        [20, 30, [2]],
      ]
    )
    assert.deepEqual(
      of(
        [
          [0, 100],
          [100, 110],
        ],
        5,
        20
      ),
      [
        [0, 100, [0]],
        [100, 110, [1]],
      ]
    )
  })
})
