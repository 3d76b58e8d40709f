/** Dictionaries and nested columns, made by hand, as Arrow's readers find them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableFromIPC } from 'apache-arrow'
import { Table } from '../../wasm/table.js'
import { column, int32, roundTrip, string, words } from './arrow_round_trip.js'

/** @typedef {import('../../wasm/table.js').Column} Column */

test('dictionaries stay dictionaries, nested ones too', () => {
  const validity = Uint8Array.of(0b1011)
  const indices = Int32Array.of(2, 0, 0, 1)
  const kept = column(string, 4, { name: 'word', indices, dictionary: words, validity, nullCount: 1 })
  const found = roundTrip(kept)
  assert.equal(found.type, 'Dictionary<Int32, Utf8>')
  assert.deepEqual(found.values, ['bc', 'a', null, ''])
  const list = column({ kind: 'list' }, 3, { offsets: Int32Array.of(0, 1, 1, 4), children: [kept] })
  assert.deepEqual(roundTrip(list).values, [['bc'], [], ['a', null, '']])
  const table = new Table(4, [kept, column(int32, 4, { values: indices }), kept], [])
  const theirs = tableFromIPC(table.toArrowIPC())
  assert.deepEqual([...(theirs.getChildAt(2) ?? [])], ['bc', 'a', null, ''])
  // the storage of arrow.json is text, not indices
  const json = column({ ...string, kind: 'json' }, 4, { indices, dictionary: words })
  assert.deepEqual(roundTrip(json).extension, [])
})

test('lists, structs, maps, variants', () => {
  const validity = Uint8Array.of(0b101)
  const numbers = column(int32, 3, { name: 'n', values: Int32Array.of(1, 2, 3), validity, nullCount: 1 })
  const struct = column({ kind: 'struct' }, 3, {
    name: 's',
    children: [numbers, words],
    validity: Uint8Array.of(0b11),
    nullCount: 1,
  })
  const offsets = Int32Array.of(0, 0, 2, 2, 3)
  const list = column({ kind: 'list' }, 4, {
    offsets,
    children: [struct],
    validity: Uint8Array.of(0b1110),
    nullCount: 1,
  })
  assert.deepEqual(roundTrip(list).values, [
    null,
    [
      [
        ['n', 1],
        ['word', 'a'],
      ],
      [
        ['n', null],
        ['word', ''],
      ],
    ],
    [],
    [null],
  ])

  const map = (/** @type {Column[]} */ ...pair) =>
    column({ kind: 'map' }, 4, {
      offsets,
      children: [column({ kind: 'struct' }, 3, { name: 'key_value', children: pair })],
    })
  const found = roundTrip(map(words, numbers))
  assert.match(found.type, /^Map/)
  assert.deepEqual(found.values, [
    [],
    [
      ['a', 1],
      ['', null],
    ],
    [],
    [['bc', 3]],
  ])
  assert.match(roundTrip(map(words)).type, /^List/)
  assert.match(roundTrip(map(numbers, words)).type, /^List/)

  const binary = { kind: 'binary', physicalType: 'BYTE_ARRAY' }
  const { offsets: at, data } = words
  const parts = ['metadata', 'value'].map((name) => column(binary, 3, { name, offsets: at, data }))
  const variant = roundTrip(column({ kind: 'variant' }, 3, { children: parts }))
  assert.deepEqual(variant.extension.slice(0, 2), ['ARROW:extension:name', 'arrow.parquet.variant'])
})

test('keys of a map are not nullable, whatever the file says', () => {
  const entries = column({ kind: 'struct' }, 3, { name: 'map', children: [words, words], nullable: true })
  Object.assign(words, { nullable: true })
  const map = column({ kind: 'map' }, 1, { offsets: Int32Array.of(0, 3), children: [entries], nullable: true })
  const [field] = tableFromIPC(new Table(1, [map], []).toArrowIPC()).schema.fields
  const [inner] = field.type.children
  assert.deepEqual(
    [field, inner, ...inner.type.children].map((each) => each.nullable),
    [true, false, false, true]
  )
})
