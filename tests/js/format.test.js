/* Values as the command line prints them: exact, and in forms that other programs read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extremes } from '../../wasm/extremes.js'
import { jsonText, plainText, plainValue, typeText } from '../../wasm/format.js'
import { columnType } from '../../wasm/logical.js'
import { report } from '../../wasm/report.js'
import { Column } from '../../wasm/table.js'
import { binary, column, list, struct } from './built_columns.js'
import { fileOf } from './written.js'

/**
 * @param {any} element
 * @param {any} arrays
 * @param {number} [length]
 */
function leaf(element, arrays, length = 1) {
  return new Column('leaf', columnType(element), length, { validity: null, nullCount: 0, ...arrays })
}

const NANOS = { type: 'INT64', logicalType: { TIMESTAMP: { isAdjustedToUTC: true, unit: { NANOS: {} } } } }

test('lists, structs and maps, and what is in them', () => {
  const times = leaf(NANOS, { values: BigInt64Array.of(1n, -1n, 1709294400123456789n) }, 3)
  const lists = list('l', [0, 2, 2, 3], times)
  assert.deepEqual(
    [0, 1, 2].map((i) => jsonText(plainValue(lists, i))),
    [
      '["1970-01-01T00:00:00.000000001Z","1969-12-31T23:59:59.999999999Z"]',
      '[]',
      '["2024-03-01T12:00:00.123456789Z"]',
    ]
  )
  const null2 = list('l', [0, 1, 1], binary('b', [[255]]), [1, null])
  assert.deepEqual(plainValue(null2, 0), ['ff'])
  assert.equal(plainValue(null2, 1), null)
  const pairs = struct('p', [column('a', 'int64', [1n, 2n ** 60n]), column('a', 'float64', [NaN, -0])])
  assert.equal(jsonText(plainValue(pairs, 0)), '{"a":1,"a_1":"NaN"}')
  assert.equal(jsonText(plainValue(pairs, 1)), '{"a":1152921504606846976,"a_1":-0.0}')
  const entries = struct('kv', [
    column('key', 'int32', [1, 2, 1]),
    column('value', 'string', ['x', null, 'y"']),
  ])
  const map = { ...list('m', [0, 3], entries), kind: 'map' }
  assert.deepEqual(
    plainValue(map, 0),
    new Map([
      [1, 'y"'],
      [2, null],
    ])
  )
  assert.equal(jsonText(plainValue(map, 0)), '{"1":"y\\"","2":null}')
  const set = { ...list('m', [0, 2], struct('kv', [column('key', 'string', ['a', 'b'])])), kind: 'map' }
  assert.equal(jsonText(plainValue(set, 0)), '{"a":null,"b":null}')
})

test('variants keep every digit', () => {
  const nanos = [18 << 2, 0x15, 0x81, 0xe9, 0x7d, 0xf4, 0x10, 0x22, 0x11]
  const v = column('v', 'variant', [1, 1, 1, null], {
    children: [
      binary('metadata', Array(4).fill([1, 0, 0])),
      binary('value', [nanos, [15 << 2, 1, 0, 0, 0, 254], null, null]),
      leaf(
        NANOS,
        { values: BigInt64Array.of(0n, 0n, -1n, 0n), validity: Uint8Array.of(0b100), nullCount: 3 },
        4
      ),
    ],
  })
  v.children[2].name = 'typed_value'
  // 0x112210f47de98115 ns after 1970
  assert.deepEqual(
    [0, 1, 2, 3].map((i) => plainValue(v, i)),
    ['2009-02-13T23:31:30.123456789Z', 'fe', '1969-12-31T23:59:59.999999999Z', null]
  )
})

test('cells', () => {
  assert.equal(plainText('a"b'), 'a"b')
  assert.equal(plainText(null), 'null')
  assert.equal(plainText([1, 'a"b', null, 2n ** 63n]), '[1,"a\\"b",null,9223372036854775808]')
  const interval = leaf(
    { type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 12, convertedType: 'INTERVAL' },
    { values: Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0, 0xd2, 4, 0, 0) }
  )
  assert.equal(plainText(plainValue(interval, 0)), 'P1M2DT1.234S')
})

test('types', () => {
  const of = (/** @type {any} */ logicalType) => typeText(columnType({ type: 'BYTE_ARRAY', logicalType }))
  assert.equal(of({ GEOMETRY: {} }), 'geometry(OGC:CRS84)')
  assert.equal(of({ GEOGRAPHY: { crs: 'srid:4326', algorithm: 'KARNEY' } }), 'geography(srid:4326, KARNEY)')
  assert.equal(
    of({ GEOMETRY: { crs: `{"x":\u001b"${'y'.repeat(99)}"}` } }),
    'geometry({"x":\\x1b"yyyyyyyyyyyyy…)'
  )
})

test('INT96 in order, whether a Date holds it or not', () => {
  const values = new Uint8Array(36)
  const days = [2440588, 2 ** 31 - 1, 2440587]
  for (const [i, day] of days.entries()) new DataView(values.buffer).setInt32(12 * i + 8, day, true)
  assert.deepEqual(extremes(leaf({ type: 'INT96' }, { values }, 3)), { min: 2, max: 1 })
  assert.equal(extremes(list('l', [0, 1], column('x', 'int32', [1]))), undefined)
})

test('a report has bounds of the leaves and first rows of the fields', async () => {
  const schema = [
    { name: 'root', num_children: 1 },
    { name: 'pair', repetition_type: 'OPTIONAL', num_children: 2 },
    { name: 'x', type: 'INT32', repetition_type: 'REQUIRED' },
    { name: 'y', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', type: 'INT32', repetition_type: 'OPTIONAL' },
  ]
  const columnData = [{ name: 'pair', data: [{ x: 5, y: [31, null, 32] }, null] }]
  let text = ''
  const stdout = /** @type {any} */ ({ columns: 120, write: (/** @type {string} */ piece) => (text += piece) })
  await report(fileOf({}, { schema, columnData }), { stdout, stderr: /** @type {any} */ ({ isTTY: false }) })
  assert.match(text, /^pair\.x +int32 .* 5 +5 +[\d.]+ ms$/m)
  assert.match(text, /^pair\.y\.list\.element +int32 .* 31 +32 +[\d.]+ ms$/m)
  assert.match(text, /^pair\n-+\n\{"x":5,"y":\[31,null,32\]\}\nnull$/m)
})
