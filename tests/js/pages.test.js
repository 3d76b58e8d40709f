/** Pages: walking over them, decoding one of a file, decoding one from its bytes alone. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodePage, loadCodec, open } from '../../wasm/node.js'
import { EXPECTED, failsWith, fileOf, NUM_ROWS, writtenFile } from './written.js'

const bytes = writtenFile()
/** @type {Record<string, any[]>} */
const expected = EXPECTED

/** Sources that answer at once and later. */
const sources = {
  'bytes in memory': bytes,
  'slices that come later': {
    byteLength: bytes.length,
    slice: async (from, to) => bytes.slice(from, to).buffer,
  },
}

for (const [kind, source] of Object.entries(sources)) {
  describe(`file.pages, ${kind}`, () => {
    test('gives every page in order, and decodes it', async () => {
      const file = await open(source)
      for (const { name } of file.columns) {
        /** @type {any[]} */
        const values = []
        let previous = { rowGroup: -1, page: -1, end: 0 }
        for await (const page of file.pages(name)) {
          assert.equal(page.page, page.rowGroup === previous.rowGroup ? previous.page + 1 : 0)
          if (page.page > 0) assert.equal(page.offset, previous.end)
          assert.equal(page.size, page.headerSize + Number(page.header.compressedPageSize))
          assert.equal(page.codec, 'SNAPPY')
          previous = { ...page, end: page.offset + page.size }
          if (page.header.type === 'DICTIONARY_PAGE') continue
          const column = await page.decode()
          assert.equal(column.length, page.header.dataPageHeaderV2?.numValues)
          values.push(...column)
        }
        assert.deepEqual(values, expected[name], name)
      }
    })

    test('some row groups, and headers alone', async () => {
      const file = await open(source)
      const pages = []
      for await (const page of file.pages('text', { rowGroups: [1] })) pages.push(page)
      assert.ok(pages.length > 5)
      assert.ok(pages.every(({ rowGroup }) => rowGroup === 1))
      assert.equal(
        pages.reduce((sum, { header }) => sum + (header.dataPageHeaderV2?.numRows ?? 0), 0),
        1000
      )
      // long after the walk a page can still be decoded
      const texts = EXPECTED.text.slice(1000)
      assert.equal((await pages[0].decode()).get(0), texts[0])
      assert.equal((await pages[0].decode()).get(1), texts[1])
    })

    test('views hold until the next call', async () => {
      const file = await open(source)
      for (const name of ['int', 'flag', 'text', 'maybeInt', 'word']) {
        /** @type {any[]} */
        const values = []
        for await (const page of file.pages(name)) {
          if (page.header.type === 'DICTIONARY_PAGE') continue
          const column = await page.decode({ view: true })
          assert.ok((column.values ?? column.data)?.buffer.byteLength > 1e5, 'memory of the decoder')
          values.push(...column)
        }
        assert.deepEqual(values, expected[name], name)
      }
    })

    test('decodes pages in any order, several at a time, during a walk and after it', async () => {
      const file = await open(source)
      for (const name of ['word', 'maybeText', 'flag']) {
        /** @type {any[]} */
        const pages = []
        /** @type {Promise<any>[]} */
        const early = []
        for await (const page of file.pages(name, { rowGroups: [0] })) {
          pages.push(page)
          if (pages.length % 3 === 0) early.push(page.decode(), pages[0].decode())
        }
        const first = pages.findIndex(({ header }) => header.type !== 'DICTIONARY_PAGE')
        const late = pages.slice(first).reverse()
        const columns = (await Promise.all(late.map((page) => page.decode()))).reverse()
        assert.deepEqual(
          columns.flatMap((column) => [...column]),
          expected[name].slice(0, 1000),
          name
        )
        await Promise.all(early)
        if (first === 1) {
          const dictionary = await pages[0].decode({ view: true })
          const values = new Set(expected[name].slice(0, 1000).filter((value) => value !== null))
          assert.deepEqual([...dictionary].sort(), [...values].sort())
        }
      }
    })

    test('a walk that is left while a page is decoded', async () => {
      const file = await open(source)
      let decoding
      for await (const page of file.pages('text')) {
        decoding = page.decode()
        break
      }
      assert.equal((await decoding)?.get(0), EXPECTED.text[0])
    })

    test('a walk that is left in the middle gives its memory back', async () => {
      const file = await open(source, { maxBytes: 300000 })
      for (let i = 0; i < 50; i++) {
        for await (const page of file.pages('text')) if (page.page === 2) break
      }
    })
  })
}

test('arguments of file.pages and page.decode', async () => {
  const file = await open(bytes)
  assert.throws(() => file.pages('nope'), failsWith('BAD_ARGUMENT', /^column is "nope"/))
  assert.throws(() => file.pages('int', { rowGroups: [9] }), failsWith('BAD_ARGUMENT', /^options\.rowGroups/))
  const { value } = await file.pages('int').next()
  const page = /** @type {any} */ (value)
  await assert.rejects(page.decode({ views: true }), failsWith('BAD_ARGUMENT', /views/))
  const cancelled = file.pages('int', { signal: AbortSignal.abort() })
  await assert.rejects(cancelled.next(), { name: 'AbortError' })
})

/**
 * The bytes of a column's pages, cut out of the file.
 * @param {Uint8Array} data
 * @param {string} name
 */
async function cutPages(data, name) {
  const file = await open(data)
  const pages = []
  for await (const page of file.pages(name)) pages.push(data.slice(page.offset, page.offset + page.size))
  return pages
}

describe('decodePage', () => {
  test('a required, an optional and a dictionary-encoded column', async () => {
    const [int] = await cutPages(bytes, 'int')
    const plain = decodePage(int, { type: 'INT32', codec: 'SNAPPY' })
    assert.equal(plain.bytesRead, int.length)
    assert.equal(plain.header.type, 'DATA_PAGE_V2')
    assert.deepEqual([...plain.column], EXPECTED.int.slice(0, plain.column.length))
    assert.ok(plain.column.values instanceof Int32Array)

    const [maybe] = await cutPages(bytes, 'maybeInt')
    const optional = decodePage(maybe, { type: 'INT32', maxDefinitionLevel: 1, codec: 'SNAPPY' })
    assert.deepEqual([...optional.column], EXPECTED.maybeInt.slice(0, optional.column.length))

    const [first, second] = await cutPages(bytes, 'word')
    const dictionary = decodePage(first, { type: 'BYTE_ARRAY', logicalType: 'STRING', codec: 'SNAPPY' })
    assert.equal(dictionary.header.type, 'DICTIONARY_PAGE')
    assert.deepEqual([...dictionary.column].sort(), [...new Set(EXPECTED.word)].sort())
    const words = decodePage(second, {
      type: 'BYTE_ARRAY',
      logicalType: { STRING: {} },
      codec: 'SNAPPY',
      dictionary: dictionary.column,
    })
    assert.deepEqual([...words.column], EXPECTED.word.slice(0, words.column.length))
    assert.throws(() => decodePage(second, { type: 'BYTE_ARRAY', codec: 'SNAPPY' }), failsWith('CORRUPT'))
  })

  test('what follows the page is not looked at', async () => {
    for (const name of ['int', 'word']) {
      const [page] = await cutPages(bytes, name)
      const type = name === 'int' ? 'INT32' : 'BYTE_ARRAY'
      const alone = decodePage(page, { type, codec: 'SNAPPY' })
      for (const tail of [[0], [255, 255, 255], [...page], Array(2000).fill(21)]) {
        const { bytesRead, column } = decodePage(Uint8Array.from([...page, ...tail]), { type, codec: 'SNAPPY' })
        assert.equal(bytesRead, page.length)
        assert.deepEqual([...column], [...alone.column])
      }
    }
  })

  test('numbers, arrays of the caller, shared memory', async () => {
    const [page] = await cutPages(bytes, 'delta')
    const shared = new Uint8Array(new SharedArrayBuffer(page.length))
    shared.set(page)
    const numbers = decodePage(shared, { type: 'INT64', codec: 'SNAPPY', int64: 'number' }).column
    assert.deepEqual([...numbers], EXPECTED.delta.slice(0, numbers.length).map(Number))
    const into = new BigInt64Array(NUM_ROWS)
    const { column } = decodePage(page, { type: 'INT64', codec: 'SNAPPY', into })
    assert.equal(/** @type {any} */ (column.values).buffer, into.buffer)
    assert.deepEqual([...column], EXPECTED.delta.slice(0, column.length))
    assert.throws(
      () => decodePage(page, { type: 'INT64', codec: 'SNAPPY', into: new BigInt64Array(3) }),
      failsWith('BAD_ARGUMENT', /^options\.into must have/)
    )
  })

  test('a dictionary of numbers', () => {
    const data = fileOf({ x: Array.from({ length: 1000 }, (_, i) => BigInt(i % 9)) }, { codec: 'UNCOMPRESSED' })
    return cutPages(data, 'x').then(([first, second]) => {
      for (const int64 of /** @type {const} */ (['bigint', 'number'])) {
        const dictionary = decodePage(first, { type: 'INT64', int64 }).column
        const { column } = decodePage(second, { type: 'INT64', int64, dictionary })
        assert.deepEqual(
          [...column].map(Number),
          Array.from({ length: 1000 }, (_, i) => i % 9)
        )
      }
    })
  })

  test('every prefix of a page is an error', async () => {
    for (const [name, options] of /** @type {[string, any][]} */ ([
      ['int', { type: 'INT32' }],
      ['maybeText', { type: 'BYTE_ARRAY', maxDefinitionLevel: 1 }],
    ])) {
      const [page] = await cutPages(bytes, name)
      for (let n = 0; n < page.length; n++) {
        assert.throws(
          () => decodePage(page.subarray(0, n), { ...options, codec: 'SNAPPY' }),
          failsWith('TRUNCATED'),
          `${n}`
        )
      }
    }
  })

  test('wrong arguments name themselves', async () => {
    const [page] = await cutPages(bytes, 'int')
    const wrong = /** @type {[any, any, RegExp][]} */ ([
      [undefined, { type: 'INT32' }, /^bytes must be/],
      ['text', { type: 'INT32' }, /^bytes must be/],
      [page, undefined, /^options\.type must be one of BOOLEAN/],
      [page, { type: 'INT33' }, /^options\.type must be one of .*"INT33"/],
      [page, { type: 'FIXED_LEN_BYTE_ARRAY' }, /^options\.typeLength/],
      [page, { type: 'INT32', codec: 'SNAPY' }, /^options\.codec must be one of/],
      [page, { type: 'INT32', maxDefinitionLevel: -1 }, /^options\.maxDefinitionLevel/],
      [page, { type: 'INT32', maxRepetitionLevel: 1e9 }, /^options\.maxRepetitionLevel/],
      [page, { type: 'INT32', dictionary: [] }, /^options\.dictionary/],
      [page, { type: 'INT32', typ: 1 }, /^options\.typ is no option/],
      [page, { type: 'INT32', maxBytes: -5 }, /^options\.maxBytes/],
    ])
    for (const [input, options, message] of wrong) {
      assert.throws(() => decodePage(input, options), failsWith('BAD_ARGUMENT', message))
    }
    assert.throws(() => decodePage(page, { type: 'INT32', codec: 'SNAPPY', maxBytes: 500 }), failsWith('LIMIT'))
  })
})

describe('codecs that are not compiled in', () => {
  /** A file that says BROTLI, whose pages are bytes xor 255. */
  const toggled = (/** @type {Uint8Array} */ input) => input.map((byte) => byte ^ 255)
  const data = fileOf(
    { x: Array.from({ length: 500 }, (_, i) => i * i), y: Array.from({ length: 500 }, (_, i) => `${i}`) },
    { codec: 'LZO', compressors: { LZO: toggled } }
  )
  const check = async (/** @type {any} */ file) => {
    const table = await file.read()
    assert.deepEqual(
      [...table.column('x')],
      Array.from({ length: 500 }, (_, i) => i * i)
    )
    assert.deepEqual(
      [...table.column('y')],
      Array.from({ length: 500 }, (_, i) => `${i}`)
    )
  }

  test('are UNSUPPORTED by name', async () => {
    const file = await open(data)
    const { columns, unsupported } = await file.read()
    assert.deepEqual(columns, [])
    assert.ok(unsupported.every(({ error }) => error.code === 'UNSUPPORTED' && /LZO/.test(error.message)))
    await assert.rejects(file.read({ columns: ['x'] }), failsWith('UNSUPPORTED', /LZO.*"x"/))
    const [page] = await cutPages(data, 'x')
    assert.throws(() => decodePage(page, { type: 'INT32', codec: 'LZO' }), failsWith('UNSUPPORTED', /LZO/))
    await assert.rejects(loadCodec('LZO'), failsWith('UNSUPPORTED', /LZO/))
    await assert.rejects(loadCodec(/** @type {any} */ ('FOO')), failsWith('BAD_ARGUMENT', /^codec /))
    await loadCodec('BROTLI')
    await loadCodec('SNAPPY')
  })

  test('come from the caller, at once or later', async () => {
    await check(await open(data, { codecs: { LZO: toggled } }))
    await check(await open(data, { codecs: { LZO: async (input) => toggled(input) } }))
    const file = await open(data, { codecs: { LZO: async (input) => toggled(input) } })
    for await (const page of file.pages('x')) assert.ok((await page.decode()).length > 0)
  })

  test('that fail or give the wrong size are CORRUPT', async () => {
    const cause = new Error('not my stream')
    const fails = async () => {
      throw cause
    }
    const file = await open(data, { codecs: { LZO: fails } })
    await assert.rejects(file.read(), (/** @type {any} */ error) => {
      assert.equal(error.cause, cause)
      assert.equal(error.column, 'x')
      return failsWith('CORRUPT', /LZO.*not my stream/)(error)
    })
    for (const wrong of [
      () => new Uint8Array(3),
      () => /** @type {any} */ ('text'),
      async () => new Uint8Array(0),
    ]) {
      await assert.rejects(
        (await open(data, { codecs: { LZO: wrong } })).read(),
        failsWith('CORRUPT', /LZO.* gave/)
      )
    }
  })

  test('are made known by loadCodec, for decodePage too', async () => {
    const [page] = await cutPages(data, 'x')
    await loadCodec('LZO', async (input) => toggled(input))
    assert.throws(() => decodePage(page, { type: 'INT32', codec: 'LZO' }), failsWith('UNSUPPORTED', /promise/))
    await loadCodec('LZO', toggled)
    assert.equal(decodePage(page, { type: 'INT32', codec: 'LZO' }).column.get(9), 81)
    await check(await open(data))
  })
})
