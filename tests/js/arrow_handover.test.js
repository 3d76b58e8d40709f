/**
 * Columns handed to apache-arrow and flechette as they are: their own arrays, no copy. This is the way that the README shows.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as flechette from '@uwdata/flechette'
import * as arrow from 'apache-arrow'
import { open } from '../../wasm/node.js'
import { EXPECTED, NUM_ROWS, writtenFile } from './written.js'

const file = await open(writtenFile())
const decoded = await file.read()
const kept = await file.read({ columns: ['word', 'maybeText'], dictionary: 'keep' })

/**
 * @param {any} theirs
 * @param {any} ours
 */
function assertSame(theirs, ours) {
  assert.equal(theirs.buffer, ours.buffer)
  assert.equal(theirs.byteOffset, ours.byteOffset)
}

/** @type {Record<string, [any, any]>} types of each library */
const TYPES = {
  int: [new arrow.Int32(), flechette.int32()],
  long: [new arrow.Int64(), flechette.int64()],
  double: [new arrow.Float64(), flechette.float64()],
  flag: [new arrow.Bool(), flechette.bool()],
  text: [new arrow.Utf8(), flechette.utf8()],
  maybeInt: [new arrow.Int32(), flechette.int32()],
  maybeFlag: [new arrow.Bool(), flechette.bool()],
  maybeText: [new arrow.Utf8(), flechette.utf8()],
  when: [new arrow.TimestampMillisecond(), flechette.timestamp(flechette.TimeUnit.MILLISECOND)],
}

/** @param {any} value of `when` */
const plain = (value) => (value instanceof Date ? value.getTime() : value)

for (const [name, [type, other]] of Object.entries(TYPES)) {
  const column = /** @type {any} */ (decoded.column(name))
  const { length, nullCount, validity, values, offsets, data } = column
  const expected = /** @type {Record<string, any[]>} */ (EXPECTED)[name].map(plain)

  test(`${name} in apache-arrow`, () => {
    const made = arrow.makeData({
      type,
      length,
      nullCount,
      nullBitmap: validity,
      valueOffsets: offsets,
      data: values ?? data,
    })
    const vector = arrow.makeVector(made)
    const [theirs] = vector.data
    assertSame(theirs.values, values ?? data)
    if (offsets) assertSame(theirs.valueOffsets, offsets)
    if (validity) assertSame(theirs.nullBitmap, validity)
    assert.equal(vector.nullCount, column.nullCount)
    assert.deepEqual([...vector].map(plain), expected)
  })

  test(`${name} in flechette`, () => {
    const options = { useBigInt: true }
    const Batch = flechette.batchType(other, options)
    const batch = new Batch({ length, nullCount, type: other, validity, offsets, values: values ?? data })
    assertSame(batch.values, values ?? data)
    if (offsets) assertSame(batch.offsets, offsets)
    if (validity) assertSame(batch.validity, validity)
    assert.deepEqual([...new flechette.Column([batch])].map(plain), expected)
  })
}

test('dictionaries in apache-arrow', () => {
  for (const name of /** @type {const} */ (['word', 'maybeText'])) {
    const { length, nullCount, validity, indices, dictionary } = /** @type {any} */ (kept.column(name))
    const { offsets, data } = dictionary
    const text = new arrow.Utf8()
    const entries = arrow.makeData({ type: text, length: dictionary.length, valueOffsets: offsets, data })
    const made = arrow.makeData({
      type: new arrow.Dictionary(text, new arrow.Int32()),
      length,
      nullCount,
      nullBitmap: validity,
      data: indices,
      dictionary: arrow.makeVector(entries),
    })
    assertSame(made.values, indices)
    assertSame(made.dictionary?.data[0].values, data)
    assert.deepEqual([...arrow.makeVector(made)], EXPECTED[name])
  }
})

test('dictionaries in flechette', () => {
  const { length, nullCount, validity, indices, dictionary } = /** @type {any} */ (kept.column('word'))
  const text = flechette.utf8()
  const { offsets, data } = dictionary
  const Entries = flechette.batchType(text)
  const entries = new Entries({ length: dictionary.length, nullCount: 0, type: text, offsets, values: data })
  const type = flechette.dictionary(text, flechette.int32())
  const Indices = /** @type {any} */ (flechette.batchType(type))
  const batch = new Indices({ length, nullCount, type, validity, values: indices })
  batch.setDictionary(new flechette.Column([entries]))
  assertSame(batch.values, indices)
  assertSame(entries.values, data)
  assert.deepEqual([...new flechette.Column([batch])], EXPECTED.word)
})

test('a whole table', () => {
  const columns = Object.entries(TYPES).map(([name, [type]]) => {
    const { length, nullCount, validity, values, offsets, data } = /** @type {any} */ (decoded.column(name))
    const made = arrow.makeData({
      type,
      length,
      nullCount,
      nullBitmap: validity,
      valueOffsets: offsets,
      data: values ?? data,
    })
    return [name, arrow.makeVector(made)]
  })
  const table = new arrow.Table(Object.fromEntries(columns))
  assert.equal(table.numRows, NUM_ROWS)
  assert.equal(table.getChild('text')?.data[0].values.buffer, decoded.column('text').data?.buffer)
})
