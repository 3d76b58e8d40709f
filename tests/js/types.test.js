/** The hand-written types, used as a program would: this file is checked by the type checker, and then run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodePage, open, PagelaneError } from 'pagelane'
import { fileOf } from './written.js'

const bytes = fileOf({
  n: [1, 2, 3],
  b: [1n, 2n, 3n],
  s: ['a', 'b', null],
  d: [new Date(0), new Date(1), new Date(2)],
})

/**
 * @param {import('pagelane').Column} column
 * @returns {number} something of the arrays that belong to its kind
 */
function total(column) {
  if (column.dictionary !== undefined) return column.indices.reduce((sum, index) => sum + index, 0)
  switch (column.kind) {
    case 'int32':
      return column.values.reduce((sum, value) => sum + value, 0)
    case 'int64':
      return Number(column.values.reduce((sum, value) => sum + value, 0n))
    case 'timestamp':
      return column.type.unit === 'ms' ? Number(column.values[0]) : -1
    case 'string':
      return column.offsets[column.length] + column.data.length + (column.validity?.length ?? 0)
    case 'bool':
      return column.get(0) === true ? 1 : 0
    case 'list':
      return column.offsets[column.length] + total(column.children[0])
    case 'map': {
      const [{ children }] = column.children
      return children.reduce((sum, child) => sum + total(child), column.get(0)?.size ?? 0)
    }
    case 'struct':
      return column.children.reduce((sum, child) => sum + total(child), 0)
    case 'variant': {
      const value = column.get(0)
      return typeof value === 'string' ? value.length : -1
    }
    default:
      return -1
  }
}

test('columns are told apart by kind', async () => {
  const file = await open(bytes)
  const table = await file.read()
  assert.deepEqual(table.columns.map(total), [6, 6, 5, 0])
  const numbers = await file.read({ int64: 'number', columns: ['b'] })
  const column = numbers.column('b')
  if (column.kind !== 'int64' || column.dictionary !== undefined) throw new Error(column.kind)
  /** @type {Float64Array} */
  const values = column.values
  /** @type {number | null} */
  const first = column.get(0)
  assert.equal(first, values[0])
})

test('Arrow bytes', async () => {
  const table = await (await open(bytes)).read()
  /** @type {Uint8Array} */
  const stream = table.toArrowIPC()
  assert.ok(table.toArrowIPC({ format: 'file' }).length > stream.length)
})

test('pages, metadata and errors', async () => {
  const file = await open(bytes)
  for await (const page of file.pages('n')) {
    /** @type {number | undefined} */
    const size = page.header.compressedPageSize
    assert.equal(size, page.size - page.headerSize)
    const column = await page.decode({ view: true })
    assert.equal(column.length, 3)
  }
  /** @type {string | undefined} */
  const name = file.metadata.rowGroups?.[0].columns?.[0].metaData?.pathInSchema?.[0]
  assert.equal(name, 'n')
  try {
    decodePage(bytes.subarray(4), { type: 'BYTE_ARRAY', logicalType: 'STRING', codec: 'SNAPPY', maxBytes: 10 })
    assert.fail('the limit was not met')
  } catch (error) {
    if (!(error instanceof PagelaneError)) throw error
    /** @type {import('pagelane').ErrorCode} */
    const code = error.code
    assert.equal(code, 'LIMIT')
  }
})

test('nested columns', async () => {
  const schema = [
    { name: 'root', num_children: 1 },
    { name: 'pair', repetition_type: 'OPTIONAL', num_children: 2 },
    { name: 'x', type: 'INT32', repetition_type: 'REQUIRED' },
    { name: 'y', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', type: 'INT32', repetition_type: 'OPTIONAL' },
  ]
  const columnData = [{ name: 'pair', data: [{ x: 5, y: [1, 2] }, null] }]
  const table = await (await open(fileOf({}, { schema, columnData }))).read()
  assert.deepEqual(table.columns.map(total), [5 + 2 + 1 + 2])
  const pair = table.column('pair')
  if (pair.kind !== 'struct' || pair.children === undefined) throw new Error(pair.kind)
  /** @type {readonly string[]} */
  const names = pair.children.map(({ name }) => name)
  assert.deepEqual(names, ['x', 'y'])
  /** @type {boolean} */
  const nullable = pair.nullable
  assert.ok(nullable)
})
