/** Lists, maps and structures through file.read: values, projections, row ranges, dictionaries, limits. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { open } from '../../wasm/node.js'
import { failsWith, fileOf } from './written.js'

const list = (/** @type {string} */ name, /** @type {object[]} */ element) => [
  { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  ...element,
]
const leaf = (/** @type {string} */ name, /** @type {object} */ more = {}) => ({
  name,
  type: 'INT32',
  repetition_type: 'OPTIONAL',
  ...more,
})

describe('structures', () => {
  const schema = [
    { name: 'root', num_children: 2 },
    leaf('flat', { repetition_type: 'REQUIRED' }),
    { name: 'pair', num_children: 2, repetition_type: 'OPTIONAL' },
    leaf('x'),
    leaf('y', { repetition_type: 'REQUIRED' }),
  ]
  const data = fileOf(
    {},
    {
      schema,
      columnData: [
        { name: 'flat', data: [1, 2, 3] },
        { name: 'pair', data: [{ x: 7, y: 8 }, null, { x: null, y: 9 }] },
      ],
    }
  )

  test('are columns with a child a field', async () => {
    const table = await (await open(data)).read()
    assert.deepEqual(
      [...table.rows()],
      [
        { flat: 1, pair: { x: 7, y: 8 } },
        { flat: 2, pair: null },
        { flat: 3, pair: { x: null, y: 9 } },
      ]
    )
    const { kind, validity, nullCount, nullable, children = [] } = table.column('pair')
    assert.deepEqual({ kind, nullCount, nullable }, { kind: 'struct', nullCount: 1, nullable: true })
    assert.deepEqual(validity, Uint8Array.of(0b101))
    const [x, y] = /** @type {any[]} */ (children)
    assert.deepEqual([x.name, x.nullCount, [...x.values]], ['x', 2, [7, 0, 0]])
    // what is required below a group that is null has no nulls of its own
    assert.deepEqual([y.name, y.nullable, y.validity, [...y.values]], ['y', false, null, [8, 0, 9]])
  })

  test('have the fields that are asked for', async () => {
    const file = await open(data)
    for (const columns of [['pair.y'], [2]]) {
      const table = await file.read({ columns })
      assert.deepEqual([...table.rows()], [{ pair: { y: 8 } }, { pair: null }, { pair: { y: 9 } }])
    }
    const both = await file.read({ columns: ['pair.y', 'flat', 'pair.x'] })
    assert.deepEqual(
      both.columns.map(({ name }) => name),
      ['pair', 'flat']
    )
    assert.deepEqual(both.column('pair').get(0), { x: 7, y: 8 })
    assert.deepEqual((await file.read({ columns: ['pair'] })).column('pair').get(0), { x: 7, y: 8 })
    await assert.rejects(file.read({ columns: ['pair.z'] }), failsWith('BAD_ARGUMENT', /pair\.z/))
    await assert.rejects(file.read({ columns: ['pai'] }), failsWith('BAD_ARGUMENT', /"pai"/))
    assert.throws(() => file.pages('pair'), failsWith('BAD_ARGUMENT', /"pair", a group/))
  })

  test('one field reads only its own pages', async () => {
    const wide = fileOf(
      {},
      {
        schema: [{ name: 'root', num_children: 1 }, { name: 's', num_children: 2 }, leaf('a'), leaf('b')].map(
          (element, i) => (i === 1 ? { ...element, repetition_type: 'REQUIRED' } : element)
        ),
        columnData: [
          { name: 's', data: Array.from({ length: 50000 }, (_, i) => ({ a: i * 7919, b: i * 31 })) },
        ],
        codec: 'UNCOMPRESSED',
        rowGroupSize: 50000,
      }
    )
    let bytesRead = 0
    const buffer = {
      byteLength: wide.byteLength,
      slice: (/** @type {number} */ start, /** @type {number} */ end) => {
        bytesRead += end - start
        return wide.slice(start, end)
      },
    }
    const file = await open(buffer)
    const chunkSize = file.metadata.rowGroups?.[0].columns?.[0].metaData?.totalCompressedSize ?? 0
    bytesRead = 0
    const table = await file.read({ columns: ['s.a'] })
    assert.deepEqual(table.column('s').get(49999), { a: (49999 * 7919) | 0 })
    assert.ok(bytesRead > 0 && bytesRead <= chunkSize + 1, `${bytesRead} bytes`)
  })

  test('cannot be filled, nor can columns that are not read', async () => {
    const file = await open(data)
    await assert.rejects(
      file.read({ into: { pair: new Int32Array(3) } }),
      failsWith('BAD_ARGUMENT', /options\.into\["pair"\] cannot be filled/)
    )
    await assert.rejects(
      file.read({ into: { 'pair.x': new Int32Array(3) } }),
      failsWith('BAD_ARGUMENT', /pair\.x/)
    )
    const into = { flat: new Int32Array(3) }
    const table = await file.read({ into })
    assert.equal(table.column('flat').values.buffer, into.flat.buffer)
  })
})

describe('lists', () => {
  /** A list of every kind of length, among them ones over several pages and batches. */
  const NUM_ROWS = 3000
  const lengthOf = (/** @type {number} */ i) => (i === 1500 ? 70000 : i % 11 === 7 ? 300 : i % 5)
  const numbers = Array.from({ length: NUM_ROWS }, (_, i) =>
    i % 13 === 4
      ? null
      : Array.from({ length: lengthOf(i) }, (_, k) => ((i + k) % 17 === 3 ? null : i * 1000 + k))
  )
  const words = numbers.map((row) => row?.map((x) => (x === null ? null : `word ${x % 50}`)) ?? null)
  const deep = Array.from({ length: NUM_ROWS }, (_, i) =>
    i % 7 === 2
      ? null
      : Array.from({ length: i % 4 }, (_, k) =>
          (i + k) % 5 === 1
            ? null
            : Array.from({ length: (i * 3 + k) % 6 }, (_, m) => ((i + m) % 9 === 0 ? null : i - m))
        )
  )
  const data = fileOf(
    {},
    {
      schema: [
        { name: 'root', num_children: 3 },
        ...list('numbers', [leaf('element')]),
        ...list('words', [leaf('element', { type: 'BYTE_ARRAY', converted_type: 'UTF8' })]),
        ...list('deep', list('element', [leaf('element')])),
      ],
      columnData: [
        { name: 'numbers', data: numbers },
        { name: 'words', data: words },
        { name: 'deep', data: deep },
      ],
      rowGroupSize: 1000,
      pageSize: 2000,
    }
  )
  /** @type {Record<string, any[]>} */
  const expected = { numbers, words, deep }

  test('give their rows, whatever the batches', async () => {
    const table = await (await open(data)).read()
    for (const [name, rows] of Object.entries(expected)) assert.deepEqual([...table.column(name)], rows, name)
    const { kind, offsets, validity, children } = /** @type {any} */ (table.column('numbers'))
    assert.equal(kind, 'list')
    assert.equal(offsets.length, NUM_ROWS + 1)
    assert.equal(offsets[NUM_ROWS], children[0].length)
    assert.equal(
      children[0].length,
      numbers.reduce((sum, row) => sum + (row?.length ?? 0), 0)
    )
    assert.equal(validity.length, Math.ceil(NUM_ROWS / 8))
    assert.equal(table.column('numbers').nullCount, numbers.filter((row) => row === null).length)
  })

  test('any range of rows is what slicing gives', async () => {
    const file = await open(data)
    const edges = [0, 1, 7, 8, 63, 999, 1000, 1001, 1499, 1500, 1501, 2048, 2999, 3000]
    for (const start of edges) {
      for (const end of edges.filter((edge) => edge >= start)) {
        const table = await file.read({ rows: [start, end] })
        for (const [name, rows] of Object.entries(expected))
          assert.deepEqual([...table.column(name)], rows.slice(start, end), `${name} ${start}:${end}`)
      }
    }
  })

  test('keep the dictionaries of their elements', async () => {
    const table = await (await open(data)).read({ dictionary: 'keep', columns: ['words'] })
    const [element] = table.column('words').children ?? []
    assert.ok(element.dictionary !== undefined && element.dictionary.length <= 50)
    assert.deepEqual([...table.column('words')], words)
  })

  test('count against maxBytes', async () => {
    const file = await open(data, { maxBytes: 400_000 })
    await assert.rejects(file.read({ columns: ['numbers'] }), failsWith('LIMIT', /maxBytes|max_bytes/))
  })
})
