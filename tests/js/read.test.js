/** file.read: every option, over a file of known content, from every kind of source. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { open } from '../../wasm/node.js'
import { EXPECTED, failsWith, fileOf, GROUP_ROWS, NUM_ROWS, writtenFile } from './written.js'

const bytes = writtenFile()
const names = Object.keys(EXPECTED)
/** @type {Record<string, any[]>} */
const expected = EXPECTED

/**
 * @param {any} table
 * @param {number} [start]
 * @param {number} [end]
 * @param {string[]} [columns]
 */
function checkTable(table, start = 0, end = NUM_ROWS, columns = names) {
  assert.equal(table.numRows, end - start)
  assert.deepEqual(
    table.columns.map((/** @type {any} */ column) => column.name),
    columns
  )
  for (const name of columns) {
    const column = table.column(name)
    const wanted = expected[name].slice(start, end)
    assert.equal(column.length, wanted.length)
    assert.deepEqual([...column], wanted, name)
    assert.equal(column.nullCount, wanted.filter((value) => value === null).length, name)
    assert.equal(column.validity === null, column.nullCount === 0, name)
  }
}

describe('sources', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pagelane-'))
  const path = join(folder, 'file.parquet')
  writeFileSync(path, bytes)
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const start = first === '' ? Math.max(0, bytes.length - Number(last)) : Number(first)
    const end = first === '' ? bytes.length : Math.min(bytes.length, Number(last) + 1)
    response.writeHead(206, { 'Content-Range': `bytes ${start}-${end - 1}/${bytes.length}` })
    response.end(bytes.subarray(start, end))
  })
  before(() => new Promise((resolve) => void server.listen(0, '127.0.0.1', () => resolve(undefined))))
  after(() => {
    server.close()
    server.closeAllConnections()
    rmSync(folder, { recursive: true })
  })
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
  shared.set(bytes)
  /** @type {Record<string, () => any>} */
  const sources = {
    Uint8Array: () => bytes,
    SharedArrayBuffer: () => shared.buffer,
    Blob: () => new Blob([Uint8Array.from(bytes)]),
    path: () => path,
    AsyncBuffer: () => ({ byteLength: bytes.length, slice: async (from, to) => bytes.slice(from, to).buffer }),
    URL: () => `http://127.0.0.1:${/** @type {any} */ (server.address()).port}/`,
  }
  for (const [name, source] of Object.entries(sources)) {
    test(name, async () => {
      const file = await open(source())
      assert.equal(file.numRows, NUM_ROWS)
      assert.equal(file.byteLength, bytes.length)
      checkTable(await file.read())
      checkTable(await file.read({ rows: [990, 1010] }), 990, 1010)
      file.close()
      await assert.rejects(file.read(), failsWith('BAD_ARGUMENT', /closed/))
    })
  }
  test('a small file comes in two requests', async () => {
    requests = 0
    const file = await open(sources.URL())
    await file.read()
    assert.ok(requests <= 2, `${requests} requests`)
  })
})

test('two reads at a time do not disturb each other', async () => {
  const file = await open({ byteLength: bytes.length, slice: async (from, to) => bytes.slice(from, to) })
  const tables = await Promise.all([
    file.read(),
    file.read({ rows: [5, 1999] }),
    file.read({ columns: ['text'] }),
  ])
  checkTable(tables[0])
  checkTable(tables[1], 5, 1999)
  checkTable(tables[2], 0, NUM_ROWS, ['text'])
})

describe('columns', () => {
  test('by name and number, in the order asked for', async () => {
    const file = await open(bytes)
    checkTable(await file.read({ columns: ['text', 'int'] }), 0, NUM_ROWS, ['text', 'int'])
    checkTable(await file.read({ columns: [names.indexOf('flag'), 'int'] }), 0, NUM_ROWS, ['flag', 'int'])
    checkTable(await file.read({ columns: ['int', 'int'] }), 0, NUM_ROWS, ['int', 'int'])
    const none = await file.read({ columns: [] })
    assert.equal(none.numRows, NUM_ROWS)
    assert.deepEqual(none.columns, [])
  })

  test('unknown names and numbers are errors that name them', async () => {
    const file = await open(bytes)
    const wrong = /** @type {[any, RegExp][]} */ ([
      [['int', 'nope'], /^options\.columns\[1\] is "nope"; the file's columns are "int", .*…$/],
      [[99], /^options\.columns\[0\] is 99/],
      [[-1], /-1/],
      [[1.5], /1\.5/],
      [[null], /null/],
      ['int', /^options\.columns must be an array/],
    ])
    for (const [columns, message] of wrong) {
      await assert.rejects(file.read({ columns }), failsWith('BAD_ARGUMENT', message))
    }
  })

  test('names that JavaScript objects have of their own, names that repeat, names with points', async () => {
    const named = ['__proto__', 'constructor', 'a.b', 'toString']
    const columnData = Object.fromEntries(named.map((name, i) => [name, [i, i + 10]]))
    const data = fileOf(
      { x: [0] },
      {
        columnData: named.map((name) => ({
          name,
          data: Object.getOwnPropertyDescriptor(columnData, name)?.value,
        })),
      }
    )
    const file = await open(data)
    const table = await file.read()
    assert.deepEqual(
      table.columns.map(({ name }) => name),
      named
    )
    for (const [i, name] of named.entries()) {
      assert.deepEqual([...table.column(name)], [i, i + 10])
      assert.deepEqual([...(await file.read({ columns: [name] })).column(name)], [i, i + 10])
    }
    const [first] = table.rows()
    assert.equal(Object.getPrototypeOf(first), Object.prototype)
    assert.deepEqual(Object.entries(first), [
      ['__proto__', 0],
      ['constructor', 1],
      ['a.b', 2],
      ['toString', 3],
    ])
    assert.throws(() => table.column('valueOf'), failsWith('BAD_ARGUMENT', /valueOf/))
    await assert.rejects(
      file.read({ into: { valueOf: new Int32Array(2) } }),
      failsWith('BAD_ARGUMENT', /valueOf/)
    )
  })

  test('two columns of one name', async () => {
    const data = fileOf(
      {},
      {
        columnData: [
          { name: 'a', data: [1, 2] },
          { name: 'b', data: [3, 4] },
          { name: 'a', data: [5, 6] },
        ],
      }
    )
    const file = await open(data)
    const table = await file.read()
    assert.deepEqual(
      [...table.rows()],
      [
        { a: 1, b: 3, a_1: 5 },
        { a: 2, b: 4, a_1: 6 },
      ]
    )
    assert.deepEqual([...table.column(2)], [5, 6])
    assert.deepEqual(
      (await file.read({ columns: ['a'] })).columns.map((column) => column.get(0)),
      [1, 5]
    )
    assert.deepEqual(
      (await file.read({ columns: [2] })).columns.map((column) => column.get(0)),
      [5]
    )
  })
})

describe('rows', () => {
  test('any range, over the edges of pages and row groups', async () => {
    const file = await open(bytes)
    const ranges = [
      [0, 0],
      [0, 1],
      [7, 8],
      [999, 1001],
      [1000, 1001],
      [1, NUM_ROWS],
      [1105, 1106],
      [1690, 1710],
      [NUM_ROWS - 1, NUM_ROWS],
      [NUM_ROWS, NUM_ROWS],
      [300, 2300],
    ]
    for (const [start, end] of ranges) checkTable(await file.read({ rows: [start, end] }), start, end)
    checkTable(await file.read({ rows: [2000, Infinity] }), 2000, NUM_ROWS)
    checkTable(await file.read({ rows: [2000, 1e9] }), 2000, NUM_ROWS)
  })

  test('row groups, and rows counted over them', async () => {
    const file = await open(bytes)
    checkTable(await file.read({ rowGroups: [1] }), GROUP_ROWS, 2 * GROUP_ROWS)
    checkTable(await file.read({ rowGroups: [2], rows: [5, 10] }), 2005, 2010)
    const table = await file.read({ rowGroups: [0, 2], columns: ['text'] })
    assert.deepEqual(
      [...table.column('text')],
      [...EXPECTED.text.slice(0, GROUP_ROWS), ...EXPECTED.text.slice(2 * GROUP_ROWS)]
    )
    assert.equal((await file.read({ rowGroups: [] })).numRows, 0)
  })

  test('wrong ranges and row groups', async () => {
    const file = await open(bytes)
    for (const rows of [[1], [2, 1], [-1, 5], ['0', 5], [0.5, 2], 7, [NUM_ROWS + 1, NUM_ROWS + 2], [0, NaN]]) {
      await assert.rejects(
        file.read({ rows: /** @type {any} */ (rows) }),
        failsWith('BAD_ARGUMENT', /^options\.rows /)
      )
    }
    for (const rowGroups of [[3], [-1], [1, 0], [1, 1], ['0'], 1]) {
      await assert.rejects(
        file.read({ rowGroups: /** @type {any} */ (rowGroups) }),
        failsWith('BAD_ARGUMENT', /^options\.rowGroups/)
      )
    }
  })
})

describe('arrays', () => {
  test('are of the type that the column says, and the caller’s own', async () => {
    const file = await open(bytes)
    const table = await file.read()
    const kinds = {
      int: Int32Array,
      long: BigInt64Array,
      double: Float64Array,
      flag: Uint8Array,
      when: BigInt64Array,
    }
    for (const [name, ArrayType] of Object.entries(kinds)) {
      const { values } = table.column(name)
      assert.ok(values instanceof ArrayType, name)
      const moved = structuredClone(values, { transfer: [/** @type {any} */ (values).buffer] })
      assert.equal(moved.length, name === 'flag' ? Math.ceil(NUM_ROWS / 8) : NUM_ROWS)
    }
    const { offsets, data, values } = table.column('text')
    assert.equal(values, undefined)
    assert.ok(offsets instanceof Int32Array && offsets.length === NUM_ROWS + 1)
    assert.equal(offsets[NUM_ROWS], data?.length)
    checkTable(await file.read())
  })

  test('null entries are zero in values and empty in offsets, bits after the last are zero', async () => {
    const table = await (await open(bytes)).read()
    const { values, validity } = /** @type {any} */ (table.column('maybeInt'))
    EXPECTED.maybeInt.forEach((value, i) => {
      assert.equal(values[i], value ?? 0)
      assert.equal((validity[i >> 3] >> (i & 7)) & 1, value === null ? 0 : 1)
    })
    assert.equal(validity.length, Math.ceil(NUM_ROWS / 8))
    assert.equal(validity.at(-1) >> (NUM_ROWS % 8), 0)
    const { offsets } = /** @type {any} */ (table.column('maybeText'))
    EXPECTED.maybeText.forEach((value, i) => {
      assert.equal(offsets[i + 1] - offsets[i], value === null ? 0 : Buffer.byteLength(value))
    })
  })

  test('get refuses what is not an entry', async () => {
    const column = (await (await open(bytes)).read({ columns: ['int'] })).column('int')
    for (const index of [-1, NUM_ROWS, 0.5, NaN, '0', undefined]) {
      assert.throws(() => column.get(/** @type {any} */ (index)), failsWith('BAD_ARGUMENT', /^index /))
    }
  })
})

describe('int64', () => {
  test('as numbers', async () => {
    const file = await open(bytes)
    const table = await file.read({ columns: ['delta', 'when'], int64: 'number' })
    const { values } = table.column('delta')
    assert.ok(values instanceof Float64Array)
    assert.deepEqual([...values], EXPECTED.delta.map(Number))
    assert.deepEqual([...table.column('when')], EXPECTED.when)
  })

  test('a value that is no exact number is an error that names it', async () => {
    for (const value of [2n ** 53n, -(2n ** 53n) - 1n, 2n ** 63n - 1n]) {
      const file = await open(fileOf({ x: [1n, value] }))
      await assert.rejects(
        file.read({ int64: 'number' }),
        failsWith('BAD_ARGUMENT', new RegExp(`^options\\.int64 .*${value} in row 1 of column "x"`))
      )
    }
    const exact = [2n ** 53n - 1n, -(2n ** 53n), 0n, -1n]
    const table = await (await open(fileOf({ x: exact }))).read({ int64: 'number' })
    assert.deepEqual([...table.column('x')], exact.map(Number))
  })
})

describe('dictionary: keep', () => {
  test('indices into one dictionary for all row groups, and the same values', async () => {
    const file = await open(bytes)
    const table = await file.read({ dictionary: 'keep' })
    checkTable(table)
    const word = table.column('word')
    assert.ok(word.indices instanceof Int32Array)
    assert.equal(word.values ?? word.offsets, undefined)
    assert.deepEqual([.../** @type {any} */ (word.dictionary)].sort(), [...new Set(EXPECTED.word)].sort())
    checkTable(await file.read({ dictionary: 'keep', rows: [700, 2100] }), 700, 2100)
  })

  test('columns with pages that have none are decoded', async () => {
    const table = await (await open(bytes)).read({ dictionary: 'keep', columns: ['int', 'flag'] })
    assert.equal(table.column('int').dictionary, undefined)
    assert.ok(table.column('int').values instanceof Int32Array)
    // encodings that the metadata lists do not say which page has which
    const data = Array.from({ length: 3000 }, (_, i) => (i < 1500 ? 'same' : `other ${i} ${'y'.repeat(50)}`))
    const mixed = await open(fileOf({ x: data }, { rowGroupSize: 1500, statistics: false }))
    const read = await mixed.read({ dictionary: 'keep' })
    assert.equal(read.column('x').dictionary, undefined)
    assert.deepEqual([...read.column('x')], data)
  })
})

describe('many batches, row groups that end in the middle of a byte', () => {
  const n = 190003
  /** @type {Record<string, any[]>} */
  const wanted = {
    maybe: Array.from({ length: n }, (_, i) => (i > 70000 && i % 7 === 3 ? null : i * 3)),
    bit: Array.from({ length: n }, (_, i) => i % 3 === 1 || i % 11 === 0),
    text: Array.from({ length: n }, (_, i) => (i % 13 === 5 ? null : `${'x'.repeat(i % 40)}${i}`)),
    word: Array.from({ length: n }, (_, i) => ['a', 'b', '\u00e4', '', 'longer'][(i * i) % 5]),
    // the dictionaries of the row groups differ in the sign of zero
    zero: Array.from({ length: n }, (_, i) => [i % 66666 < 33333 ? 0 : -0, NaN, 1.5][i % 3]),
  }
  const data = fileOf(
    {},
    {
      columnData: [
        { name: 'maybe', data: wanted.maybe, type: 'INT32', nullable: true },
        { name: 'bit', data: wanted.bit },
        { name: 'text', data: wanted.text },
        { name: 'word', data: wanted.word },
        { name: 'zero', data: wanted.zero, type: 'DOUBLE', encoding: 'RLE_DICTIONARY' },
      ],
      rowGroupSize: 33333,
      statistics: false,
    }
  )
  for (const [start, end] of [
    [0, n],
    [12345, 150001],
  ]) {
    test(`rows ${start} to ${end}`, async () => {
      const file = await open(data)
      for (const dictionary of /** @type {const} */ (['decode', 'keep'])) {
        const table = await file.read({ dictionary, rows: [start, end] })
        for (const [name, values] of Object.entries(wanted)) {
          const found = [...table.column(name)]
          const at = found.findIndex((value, i) => !Object.is(value, values[start + i]))
          assert.equal(at, -1, `${name} ${at}: ${found[at]} for ${values[start + at]}`)
          assert.equal(found.length, end - start)
        }
        const { dictionary: words } = table.column('word')
        assert.deepEqual(
          words && [...words].sort(),
          dictionary === 'keep' ? [...new Set(wanted.word)].sort() : undefined
        )
        const { validity } = table.column('maybe')
        assert.equal((validity?.at(-1) ?? 0) >> (((end - start - 1) % 8) + 1), 0)
      }
    })
  }
})

describe('into', () => {
  test('fills the caller’s arrays', async () => {
    const file = await open(bytes)
    const into = {
      int: new Int32Array(NUM_ROWS).fill(-1),
      delta: new BigInt64Array(NUM_ROWS + 10).fill(7n),
      flag: new Uint8Array(Math.ceil(NUM_ROWS / 8)).fill(255),
      maybeInt: new Int32Array(new SharedArrayBuffer(4 * NUM_ROWS)).fill(-1),
    }
    const table = await file.read({ into })
    checkTable(table)
    for (const name of Object.keys(into)) {
      const { values } = table.column(name)
      assert.equal(/** @type {any} */ (values).buffer, /** @type {any} */ (into)[name].buffer, name)
    }
    assert.equal(into.delta[NUM_ROWS], 7n, 'what is past the rows is left alone')
    const again = await file.read({ into, rows: [10, 20] })
    checkTable(again, 10, 20)
    assert.equal(again.column('int').values?.length, 10)
  })

  test('arrays that do not fit', async () => {
    const file = await open(bytes)
    const wrong = /** @type {[any, RegExp][]} */ ([
      [
        { int: new Int32Array(NUM_ROWS - 1) },
        /^options\.into\["int"\] must have 2345 elements or more, not 2344/,
      ],
      [{ int: new Uint32Array(NUM_ROWS) }, /must be a Int32Array/],
      [{ int: [] }, /must be a Int32Array/],
      [{ text: new Uint8Array(9) }, /^options\.into\["text"\] cannot be filled/],
      [{ nope: new Int32Array(NUM_ROWS) }, /^options\.into\["nope"\] is not a column/],
      [7, /^options\.into must be an object/],
    ])
    for (const [into, message] of wrong)
      await assert.rejects(file.read({ into }), failsWith('BAD_ARGUMENT', message))
    await assert.rejects(
      file.read({ columns: ['long'], into: { int: new Int32Array(NUM_ROWS) } }),
      failsWith('BAD_ARGUMENT', /"int"/)
    )
  })
})

test('rows', async () => {
  const table = await (await open(bytes)).read({ rows: [100, 200] })
  const rows = [...table.rows(10, 20)]
  assert.equal(rows.length, 10)
  assert.deepEqual(rows[3], Object.fromEntries(names.map((name) => [name, expected[name][113]])))
  assert.equal([...table.rows()].length, 100)
  assert.equal([...table.rows(90, 1000)].length, 10)
  assert.throws(() => table.rows(-1), failsWith('BAD_ARGUMENT', /^start /))
  assert.throws(() => table.rows(5, 4), failsWith('BAD_ARGUMENT', /^end /))
})

test('progress is told for every chunk', async () => {
  /** @type {any[]} */
  const told = []
  await (await open(bytes)).read({ columns: ['int', 'text'], onProgress: (progress) => told.push(progress) })
  assert.equal(told.length, 6)
  assert.deepEqual(
    told.map(({ chunksDone }) => chunksDone),
    [1, 2, 3, 4, 5, 6]
  )
  assert.ok(told.every((progress, i) => i === 0 || progress.bytesDone > told[i - 1].bytesDone))
  assert.equal(told[5].bytesDone, told[5].bytes)
})

describe('cancelling', () => {
  const slow = (/** @type {number} */ ms) => ({
    byteLength: bytes.length,
    slice: async (/** @type {number} */ from, /** @type {number} */ to) => {
      await new Promise((resolve) => setTimeout(resolve, ms))
      return bytes.slice(from, to).buffer
    },
  })

  test('open and read end with the signal’s reason', async () => {
    await assert.rejects(open(bytes, { signal: AbortSignal.abort() }), { name: 'AbortError' })
    const reason = new Error('no longer needed')
    const opening = new AbortController()
    const opened = open(slow(1e6), { signal: opening.signal })
    opening.abort(reason)
    await assert.rejects(opened, (error) => error === reason)
    const file = await open(slow(30))
    const reading = new AbortController()
    const read = file.read({ signal: reading.signal })
    setTimeout(() => reading.abort(reason), 5)
    await assert.rejects(read, (error) => error === reason)
    checkTable(await file.read())
  })

  test('the signal of open also ends later reads', async () => {
    const controller = new AbortController()
    const file = await open(slow(1), { signal: controller.signal })
    checkTable(await file.read({ signal: new AbortController().signal }))
    controller.abort()
    await assert.rejects(file.read(), { name: 'AbortError' })
  })

  test('progress may cancel a read that never waits', async () => {
    const controller = new AbortController()
    const file = await open(bytes)
    const read = file.read({ signal: controller.signal, onProgress: () => controller.abort() })
    await assert.rejects(read, { name: 'AbortError' })
  })
})

describe('maxBytes', () => {
  test('counts outputs, pages and fetched bytes', async () => {
    const file = await open(bytes, { maxBytes: 150000 })
    await assert.rejects(file.read(), failsWith('LIMIT'))
    checkTable(await file.read({ columns: ['int'] }), 0, NUM_ROWS, ['int'])
    await assert.rejects(open(bytes, { maxBytes: 1000 }), failsWith('LIMIT'))
  })

  test('counts the arrays that are handed over, also where nothing else is large', async () => {
    const small = fileOf({ same: new Array(300000).fill(7n) })
    assert.ok(small.length < 10000)
    const file = await open(small, { maxBytes: 2_000_000 })
    await assert.rejects(file.read(), failsWith('LIMIT'))
    const same = new BigInt64Array(300000)
    await file.read({ into: { same } })
    assert.equal(same[299999], 7n)
  })

  test('is given back: many reads are as good as one', async () => {
    const file = await open(
      { byteLength: bytes.length, slice: async (from, to) => bytes.slice(from, to) },
      { maxBytes: 1 << 20 }
    )
    for (let i = 0; i < 30; i++) checkTable(await file.read())
    for (let i = 0; i < 30; i++) {
      await assert.rejects(file.read({ columns: ['long'], int64: 'number' }), failsWith('BAD_ARGUMENT'))
    }
    checkTable(await file.read())
  })

  test('bounds what is fetched: a file larger than the limit passes through', async () => {
    const numbers = Array.from({ length: 300000 }, (_, i) => (i * 2654435761) | 0)
    const large = fileOf(
      {},
      {
        columnData: [{ name: 'n', data: numbers, type: 'INT32', nullable: false, encoding: 'PLAIN' }],
        rowGroupSize: 20000,
        codec: 'UNCOMPRESSED',
      }
    )
    let most = 0
    let now = 0
    const source = {
      byteLength: large.length,
      slice: async (from, to) => {
        now += to - from
        most = Math.max(most, now)
        await new Promise((resolve) => setTimeout(resolve, 1))
        now -= to - from
        return large.slice(from, to)
      },
    }
    const maxBytes = 800000
    assert.ok(large.length > maxBytes)
    const file = await open(source, { maxBytes })
    const into = { n: new Int32Array(numbers.length) }
    const table = await file.read({ into })
    assert.deepEqual(Array.from(into.n), numbers)
    assert.equal(table.column('n').get(299999), numbers[299999])
    assert.ok(most < maxBytes / 2, `${most} bytes were under way at once`)
  })

  test('must be a number of bytes', async () => {
    for (const maxBytes of [0, -1, 1.5, '1', NaN]) {
      await assert.rejects(
        open(bytes, { maxBytes: /** @type {any} */ (maxBytes) }),
        failsWith('BAD_ARGUMENT', /^options\.maxBytes/)
      )
    }
  })
})

test('options that are not there, and values they cannot have', async () => {
  const file = await open(bytes)
  const wrong = /** @type {[any, RegExp][]} */ ([
    [{ column: ['int'] }, /^options\.column is no option here; there are columns, /],
    [{ int64: 'string' }, /^options\.int64 must be 'bigint' or 'number'/],
    [{ dictionary: true }, /^options\.dictionary /],
    [{ signal: {} }, /^options\.signal /],
    [{ onProgress: 1 }, /^options\.onProgress /],
    [null, /^options must be an object/],
  ])
  for (const [options, message] of wrong)
    await assert.rejects(file.read(options), failsWith('BAD_ARGUMENT', message))
  await assert.rejects(open(bytes, /** @type {any} */ ({ maxByte: 1 })), failsWith('BAD_ARGUMENT', /maxByte/))
  await assert.rejects(
    open(bytes, { codecs: /** @type {any} */ ({ FOO: () => {} }) }),
    failsWith('BAD_ARGUMENT', /FOO/)
  )
  await assert.rejects(
    open(bytes, { codecs: /** @type {any} */ ({ LZO: 1 }) }),
    failsWith('BAD_ARGUMENT', /LZO/)
  )
  await assert.rejects(/** @type {any} */ (open)(), failsWith('BAD_ARGUMENT', /^source /))
})

describe('metadata', () => {
  test('names in camelCase, enumerations by name, lazily and lastingly', async () => {
    const file = await open(fileOf({ a: [1, 2], b: ['x', null] }, { kvMetadata: [{ key: 'k', value: 'v' }] }))
    const { metadata } = file
    await (await open(bytes)).read()
    assert.equal(metadata.numRows, 2)
    assert.equal(metadata.createdBy, 'hyparquet')
    assert.equal(metadata.rowGroups, metadata.rowGroups, 'made once')
    const chunk = metadata.rowGroups?.[0].columns?.[1].metaData
    assert.equal(chunk?.type, 'BYTE_ARRAY')
    assert.equal(chunk?.codec, 'SNAPPY')
    assert.deepEqual(chunk?.pathInSchema, ['b'])
    assert.equal(chunk?.statistics?.nullCount, 1)
    assert.deepEqual(chunk?.statistics?.minValue, Uint8Array.of(120))
    assert.equal(file.schema[0].numChildren, 2)
    assert.equal(file.schema[2].convertedType, 'UTF8')
    assert.ok(metadata.keyValueMetadata?.some(({ key, value }) => key === 'k' && value === 'v'))
    assert.equal(JSON.parse(JSON.stringify(metadata)).rowGroups[0].columns[0].metaData.numValues, 2)
    assert.deepEqual(
      file.columns.map(({ name, nullable, type }) => [name, nullable, type.kind]),
      [
        ['a', false, 'int32'],
        ['b', true, 'string'],
      ]
    )
  })

  test('a file of no rows', async () => {
    const table = await (
      await open(fileOf({ a: [] }, { columnData: [{ name: 'a', data: [], type: 'INT32' }] }))
    ).read()
    assert.equal(table.numRows, 0)
    assert.deepEqual([...table.column('a')], [])
    assert.deepEqual([...table.rows()], [])
  })
})

test('a footer longer than the first request', async () => {
  const count = 1500
  const columnData = Array.from({ length: count }, (_, i) => ({ name: `column number ${i}`, data: [i, i + 1] }))
  const wide = fileOf({}, { columnData })
  assert.ok(wide.length > 100000)
  for (const source of [wide, { byteLength: wide.length, slice: async (from, to) => wide.slice(from, to) }]) {
    const file = await open(source)
    assert.equal(file.columns.length, count)
    const table = await file.read({ columns: ['column number 1234', 0] })
    assert.deepEqual(
      [...table.rows()],
      [
        { 'column number 1234': 1234, 'column number 0': 0 },
        { 'column number 1234': 1235, 'column number 0': 1 },
      ]
    )
    assert.equal((await file.read()).columns.length, count)
  }
})
