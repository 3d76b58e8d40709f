/**
 * How the page writes numbers, types and values.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupText, plural, sizeText, typeText, valueText } from '../../web/format.js'

test('sizes have three digits, in the unit that fits', () => {
  const expected = {
    0: '0 bytes',
    1: '1 byte',
    999: '999 bytes',
    1000: '1.00 kB',
    9994: '9.99 kB',
    9995: '10.0 kB',
    99949: '99.9 kB',
    99950: '100 kB',
    999499: '999 kB',
    999500: '1.00 MB',
    13493022: '13.5 MB',
    2000000000000: '2.00 TB',
  }
  for (const [size, text] of Object.entries(expected)) assert.equal(sizeText(Number(size)), text)
  assert.equal(plural(1234, 'row'), '1,234 rows')
})

test('types', () => {
  assert.equal(
    typeText({ kind: 'timestamp', physicalType: 'INT64', unit: 'ns', isAdjustedToUTC: true }),
    'timestamp, ns, UTC'
  )
  assert.equal(typeText({ kind: 'decimal', physicalType: 'INT32', precision: 9, scale: 2 }), 'decimal(9, 2)')
  assert.equal(
    typeText({ kind: 'fixed_size_binary', physicalType: 'FIXED_LEN_BYTE_ARRAY', byteWidth: 16 }),
    'binary(16)'
  )
  assert.equal(typeText({ kind: 'string', physicalType: 'BYTE_ARRAY' }), 'string')
  assert.equal(groupText({ logicalType: { LIST: {} } }), 'list')
  assert.equal(groupText({ convertedType: 'MAP' }), 'map')
  assert.equal(groupText({}), 'group')
})

test('values', () => {
  /** @type {import('../../wasm/index.js').ColumnType} */
  const local = { kind: 'timestamp', physicalType: 'INT64', unit: 'us', isAdjustedToUTC: false }
  const date = new Date(Date.UTC(2001, 0, 13, 14, 56, 0))
  assert.equal(valueText(date, local), '2001-01-13 14:56:00')
  assert.equal(
    valueText(new Date(date.getTime() + 25), { ...local, isAdjustedToUTC: true }),
    '2001-01-13 14:56:00.025Z'
  )
  assert.equal(valueText(date, { kind: 'date', physicalType: 'INT32', unit: 'day' }), '2001-01-13')
  /** @type {import('../../wasm/index.js').ColumnType} */
  const binary = { kind: 'binary', physicalType: 'BYTE_ARRAY' }
  assert.equal(valueText(Uint8Array.of(0, 255), binary), '0x00ff')
  assert.equal(valueText(new TextEncoder().encode('a b'), binary), '"a b"')
  assert.equal(valueText(new Uint8Array(0), binary), '0x')
  assert.match(valueText(new Uint8Array(100), binary), /^0x0{48}… \(100 bytes\)$/)
  const float32 = /** @type {const} */ ({ kind: 'float32', physicalType: 'FLOAT' })
  assert.equal(valueText(Math.fround(1.1), float32), '1.1')
  assert.equal(valueText(Math.fround(16777217), float32), '16777216')
  assert.equal(valueText(-0, float32), '0')
  assert.equal(valueText(NaN, float32), 'NaN')
  assert.equal(
    valueText(9007199254740993n, { kind: 'int64', physicalType: 'INT64', bitWidth: 64, signed: true }),
    '9007199254740993'
  )
  assert.equal(
    valueText(
      { months: 1, days: 0, milliseconds: 5 },
      { kind: 'interval', physicalType: 'FIXED_LEN_BYTE_ARRAY', byteWidth: 12 }
    ),
    '1 months, 5 milliseconds'
  )
  assert.equal(valueText('x'.repeat(501), { kind: 'string', physicalType: 'BYTE_ARRAY' }).length, 501)
})

test('nested values', () => {
  const text = (/** @type {unknown} */ value) => valueText(value, { kind: 'list' })
  assert.equal(text([1, null, 'a"', 2n]), '[1, null, "a\\"", 2]')
  assert.equal(
    text({ a: new Date(0), b: Uint8Array.of(0, 1), c: [] }),
    '{a: 1970-01-01T00:00:00.000Z, b: 0x0001, c: []}'
  )
  assert.equal(text(new Map([[1, { x: true }]])), '{1: {x: true}}')
  assert.equal(text(Array(1000).fill(1)), `[${'1, '.repeat(100)}…]`)
})
