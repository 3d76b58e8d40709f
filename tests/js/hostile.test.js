/** Bytes that lie: every prefix of a file, every byte of it changed. Right values or a PagelaneError, and nothing else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodePage, open, PagelaneError } from '../../wasm/node.js'
import { fileOf } from './written.js'

const CODES = /^(TRUNCATED|CORRUPT|UNSUPPORTED|LIMIT|KEY)$/

/** A small file with as much in it as fits: nulls, strings, a dictionary, delta, several pages and row groups. */
const small = fileOf(
  {},
  {
    columnData: [
      { name: 'n', data: [1, null, 3, 4, null, 6], type: 'INT32' },
      { name: 's', data: ['a', 'bb', 'a', 'bb', 'a', 'ccc'] },
      {
        name: 'd',
        data: [1n, 5n, 6n, 100n, 7n, 8n],
        type: 'INT64',
        encoding: 'DELTA_BINARY_PACKED',
        nullable: false,
      },
      { name: 'b', data: [true, false, null, true, true, false] },
    ],
    rowGroupSize: 4,
  }
)

/**
 * @param {Uint8Array} bytes
 * @returns {Promise<string>} the code it ended with, or 'read'
 */
async function outcome(bytes) {
  try {
    const file = await open(bytes, { maxBytes: 16 << 20 })
    const table = await file.read()
    for (const column of table.columns) {
      for (const value of column) assert.notEqual(value, undefined)
      // row groups of 4 and 2 rows: one may be lost with the footer's list, but what it says of a group is checked
      assert.ok([0, 2, 4, 6].includes(column.length), `${column.length} rows`)
    }
    for (const { error } of table.unsupported) assert.ok(error instanceof PagelaneError)
    JSON.stringify(file.metadata)
    return 'read'
  } catch (error) {
    if (!(error instanceof PagelaneError)) throw error
    assert.match(error.code, CODES, error.message)
    assert.ok(error.message.length > 0)
    return error.code
  }
}

test('the small file itself is good', async () => assert.equal(await outcome(small), 'read'))

test('every prefix', async () => {
  for (let n = 0; n < small.length; n++)
    assert.notEqual(await outcome(small.subarray(0, n)), 'read', `${n} bytes`)
})

test('every byte changed', async () => {
  /** @type {Record<string, number>} */
  const counts = {}
  for (let at = 0; at < small.length; at++) {
    for (const mask of [0x01, 0x80, 0xff]) {
      const changed = small.slice()
      changed[at] ^= mask
      const code = await outcome(changed)
      counts[code] = (counts[code] ?? 0) + 1
    }
  }
  assert.ok(counts.CORRUPT > 100 && counts.TRUNCATED > 10, JSON.stringify(counts))
})

test('bytes in the middle left out, or zeroed', async () => {
  for (let at = 0; at < small.length; at += 3) {
    await outcome(Uint8Array.from([...small.subarray(0, at), ...small.subarray(at + 5)]))
    const zeroed = small.slice()
    zeroed.fill(0, at, at + 9)
    await outcome(zeroed)
  }
})

test('what is no Parquet file at all', async () => {
  const cases = /** @type {[Uint8Array, string][]} */ ([
    [new Uint8Array(0), 'TRUNCATED'],
    [new Uint8Array(11), 'TRUNCATED'],
    [new Uint8Array(12), 'CORRUPT'],
    [new Uint8Array(100000).fill(80), 'CORRUPT'],
    [new TextEncoder().encode('PAR1\xff\xff\xff\x7fPAR1'), 'CORRUPT'],
    [new TextEncoder().encode('PAR1\0\0\0\0PAR1'), 'CORRUPT'],
    [new TextEncoder().encode('PARE\x04\0\0\0PARE'), 'CORRUPT'],
  ])
  for (const [bytes, code] of cases) {
    const found = await outcome(bytes)
    if (bytes.at(-1) === 69) assert.equal(found, 'KEY')
    else assert.equal(found, code, JSON.stringify(Buffer.from(bytes.subarray(0, 20)).toString('latin1')))
  }
})

test('an error leaves the module as good as before', async () => {
  for (let i = 0; i < 200; i++) {
    const changed = small.slice()
    changed[40 + i] ^= 0xff
    await outcome(changed)
  }
  assert.equal(await outcome(small), 'read')
})

test('pages that lie', async () => {
  const file = await open(small)
  for (const { name, type, nullable } of file.columns) {
    for await (const page of file.pages(name, { rowGroups: [0] })) {
      const bytes = small.slice(page.offset, page.offset + page.size)
      for (let at = 0; at < bytes.length; at++) {
        for (const mask of [0x01, 0x40, 0xff]) {
          const changed = bytes.slice()
          changed[at] ^= mask
          try {
            const options = { type: type.physicalType, maxDefinitionLevel: Number(nullable), maxBytes: 4 << 20 }
            decodePage(changed, { ...options, codec: 'SNAPPY' })
          } catch (error) {
            if (!(error instanceof PagelaneError)) throw error
            assert.match(error.code, CODES, error.message)
          }
        }
      }
    }
  }
})
