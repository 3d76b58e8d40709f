/* Well-known binary to GeoJSON. Expected values are worked out by hand, or read from the well-known text that stands beside the
 * geometries in parquet-testing's files. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { open, PagelaneError } from 'pagelane'
import { toFeatureCollection, toGeoJSON } from 'pagelane/geojson'
import { Column, Table } from '../../wasm/table.js'
import { failsWith, fileOf } from './written.js'

const data = process.env.PARQUET_TEST_DATA
const folder = data === undefined ? '' : join(data, 'geospatial')

/**
 * Bytes from parts: numbers below are 32-bit integers, `{ f }` doubles, `{ b }` single bytes.
 * @param {(number | { f: number } | { b: number })[]} parts
 * @param {boolean} [little]
 */
function wkb(parts, little = true) {
  const view = new DataView(new ArrayBuffer(8 * parts.length))
  let at = 0
  for (const part of parts) {
    if (typeof part === 'number') view.setUint32((at += 4) - 4, part, little)
    else if ('f' in part) view.setFloat64((at += 8) - 8, part.f, little)
    else view.setUint8(at++, part.b)
  }
  return new Uint8Array(view.buffer, 0, at)
}

const LITTLE = { b: 1 }
const BIG = { b: 0 }
const f = (/** @type {number[]} */ ...numbers) => numbers.map((x) => ({ f: x }))

test('both byte orders, ISO codes and EWKB flags', () => {
  const point = { type: 'Point', coordinates: [1, 2] }
  const withZ = { type: 'Point', coordinates: [1, 2, 3] }
  assert.deepEqual(toGeoJSON(wkb([LITTLE, 1, ...f(1, 2)])), point)
  assert.deepEqual(toGeoJSON(wkb([BIG, 1, ...f(1, 2)], false)), point)
  assert.deepEqual(toGeoJSON(wkb([LITTLE, 1001, ...f(1, 2, 3)])), withZ)
  assert.deepEqual(toGeoJSON(wkb([BIG, 2001, ...f(1, 2, 9)], false)), point)
  assert.deepEqual(toGeoJSON(wkb([LITTLE, 3001, ...f(1, 2, 3, 9)])), withZ)
  assert.deepEqual(toGeoJSON(wkb([LITTLE, 0x80000001, ...f(1, 2, 3)])), withZ)
  assert.deepEqual(toGeoJSON(wkb([LITTLE, 0x40000001, ...f(1, 2, 9)])), point)
  assert.deepEqual(toGeoJSON(wkb([LITTLE, 0xe0000001, 4326, ...f(1, 2, 3, 9)])), withZ)
  assert.deepEqual(toGeoJSON(wkb([LITTLE, 0x20000001, 4326, ...f(1, 2)])), point)
  assert.deepEqual(toGeoJSON(wkb([LITTLE, 1, ...f(NaN, NaN)])), { type: 'Point', coordinates: [] })
})

test('parts have a byte order and dimensions of their own', () => {
  const inner = wkb([BIG, 1001, ...f(1, 2, 3)], false)
  const outer = wkb([LITTLE, 4, 2, LITTLE, 1, ...f(7, 8)])
  const both = new Uint8Array([...outer, ...inner])
  assert.deepEqual(toGeoJSON(both), {
    type: 'MultiPoint',
    coordinates: [
      [7, 8],
      [1, 2, 3],
    ],
  })
})

test('bytes that are no geometry', () => {
  /** @type {[string, Uint8Array, string, RegExp][]} */
  const cases = [
    ['nothing', wkb([]), 'CORRUPT', /cut short/],
    ['a byte order that is none', wkb([{ b: 2 }, 1, ...f(1, 2)]), 'CORRUPT', /byte order 2/],
    ['half a point', wkb([LITTLE, 1, ...f(1)]), 'CORRUPT', /cut short/],
    ['too much', wkb([LITTLE, 1, ...f(1, 2), { b: 0 }]), 'CORRUPT', /bytes after/],
    ['4 billion positions', wkb([LITTLE, 2, 0xffffffff, ...f(1, 2)]), 'CORRUPT', /cut short/],
    ['4 billion rings', wkb([LITTLE, 3, 0xffffffff, 0]), 'CORRUPT', /cut short/],
    ['4 billion parts', wkb([LITTLE, 7, 0xffffffff, LITTLE, 1]), 'CORRUPT', /cut short/],
    ['no SRID', wkb([LITTLE, 0x20000001]), 'CORRUPT', /cut short/],
    ['a line in a MultiPoint', wkb([LITTLE, 4, 1, LITTLE, 2, 0]), 'CORRUPT', /LineString in a MultiPoint/],
    ['a curve', wkb([LITTLE, 8, 0]), 'UNSUPPORTED', /type 8/],
    ['dimensions that are none', wkb([LITTLE, 4001, ...f(1, 2)]), 'UNSUPPORTED', /type 4001/],
    ['a type that is none', wkb([LITTLE, 0]), 'UNSUPPORTED', /type 0/],
  ]
  for (const [what, bytes, code, message] of cases) {
    assert.throws(() => toGeoJSON(bytes), failsWith(code, message), what)
  }
  // @ts-expect-error no bytes
  assert.throws(() => toGeoJSON('POINT (1 2)'), failsWith('BAD_ARGUMENT', /^wkb must be a Uint8Array/))
  assert.throws(() => toGeoJSON(wkb([])), PagelaneError)
})

test('collections in collections, up to a limit', () => {
  const nested = (/** @type {number} */ depth) =>
    wkb([...Array.from({ length: depth }, () => [LITTLE, 7, 1]).flat(), LITTLE, 1, ...f(1, 2)])
  assert.match(
    JSON.stringify(toGeoJSON(nested(100))),
    /^(\{"type":"GeometryCollection","geometries":\[){100}\{"type":"Point"/
  )
  assert.throws(() => toGeoJSON(nested(101)), failsWith('LIMIT'))
  assert.throws(() => toGeoJSON(nested(100000)), failsWith('LIMIT'))
})

test('every prefix is an error, every changed byte an error or a geometry', () => {
  const bytes = wkb([
    LITTLE,
    7,
    2,
    LITTLE,
    1003,
    1,
    2,
    ...f(1, 2, 3, 4, 5, 6),
    LITTLE,
    4,
    1,
    LITTLE,
    1,
    ...f(1, 2),
  ])
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(() => toGeoJSON(bytes.subarray(0, length)), failsWith('CORRUPT'))
  }
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    const changed = bytes.slice()
    changed[bit >> 3] ^= 1 << (bit & 7)
    try {
      toGeoJSON(changed)
    } catch (error) {
      assert.ok(error instanceof PagelaneError, String(error))
    }
  }
})

/**
 * A reader of well-known text, without M values.
 * @param {string} text
 */
function fromText(text) {
  const tokens = text.match(/[A-Z]+|[-+.\de]+|nan|[(),]/gi) ?? []
  let at = 0
  const isNext = (/** @type {string} */ token) => tokens[at] === token && at++ >= 0
  /** @type {(one: () => any) => any[]} */
  const list = (one) => {
    if (isNext('EMPTY')) return []
    assert.ok(isNext('('))
    const items = [one()]
    while (isNext(',')) items.push(one())
    assert.ok(isNext(')'))
    return items
  }
  /** @type {() => any} */
  const geometry = () => {
    const name = tokens[at++]
    const dimensions = /^Z?M?$/.test(tokens[at]) ? tokens[at++] : ''
    const position = () => {
      const numbers = []
      while (!/^[(),]$/.test(tokens[at])) numbers.push(Number(tokens[at++].replace(/nan/i, 'NaN')))
      return numbers.slice(0, dimensions.includes('Z') ? 3 : 2)
    }
    const positions = () => list(position)
    const point = () => positions()[0] ?? []
    const rings = () => list(positions)
    switch (name) {
      case 'POINT':
        return { type: 'Point', coordinates: point() }
      case 'LINESTRING':
        return { type: 'LineString', coordinates: positions() }
      case 'POLYGON':
        return { type: 'Polygon', coordinates: rings() }
      case 'MULTIPOINT':
        return { type: 'MultiPoint', coordinates: list(point) }
      case 'MULTILINESTRING':
        return { type: 'MultiLineString', coordinates: rings() }
      case 'MULTIPOLYGON':
        return { type: 'MultiPolygon', coordinates: list(rings) }
      default:
        assert.equal(name, 'GEOMETRYCOLLECTION')
        return { type: 'GeometryCollection', geometries: list(geometry) }
    }
  }
  return geometry()
}

test('files of parquet-testing', { skip: folder === '' && 'PARQUET_TEST_DATA is not set' }, async () => {
  let compared = 0
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.parquet'))) {
    const file = await open(join(folder, name))
    const table = await file.read()
    const { features } = toFeatureCollection(table)
    assert.equal(features.length, table.numRows)
    for (const { geometry, properties } of features) {
      const { wkt } = properties
      if (wkt === undefined) continue
      assert.deepEqual(geometry, wkt === null ? null : fromText(wkt), wkt)
      compared++
    }
    if (name.startsWith('geography-')) {
      const type = `${name[10].toUpperCase()}${name.slice(11, -9)}`
      const seen = new Set(features.map(({ geometry }) => geometry?.type))
      assert.deepEqual(
        [...seen].map((each) => each?.replace(/String$/, '')),
        [type],
        name
      )
    }
  }
  assert.ok(compared > 200)
})

test('a table becomes features', async () => {
  const point = wkb([LITTLE, 1, ...f(7, 8)])
  const file = await open(
    fileOf({
      where: [point, null],
      n: [1n, 2n ** 60n],
      when: [new Date(0), null],
      raw: [Uint8Array.of(1, 255), null],
    })
  )
  const table = await file.read()
  assert.throws(() => toFeatureCollection(table), failsWith('BAD_ARGUMENT', /^options\.geometry/))
  assert.throws(() => toFeatureCollection(table, { geometry: 'there' }), failsWith('BAD_ARGUMENT'))
  const collection = toFeatureCollection(table, { geometry: 'where' })
  assert.deepEqual(JSON.parse(JSON.stringify(collection)), {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [7, 8] },
        properties: { n: 1, when: '1970-01-01T00:00:00.000Z', raw: '01ff' },
      },
      { type: 'Feature', geometry: null, properties: { n: '1152921504606846976', when: null, raw: null } },
    ],
  })
  const chosen = toFeatureCollection(table, { geometry: 'where', properties: ['n'] })
  assert.deepEqual(chosen.features[0].properties, { n: 1 })
})

test('names that repeat keep their values, nested values become what JSON has', () => {
  const column = (/** @type {string} */ name, /** @type {any} */ value) =>
    Object.assign(
      new Column(name, { kind: 'int32', physicalType: 'INT32', bitWidth: 32, signed: true }, 1, {
        validity: null,
        nullCount: 0,
      }),
      { get: () => value }
    )
  const map = new Map([[1n, [{ d: new Date(0) }]]])
  const shape = column('shape', wkb([LITTLE, 1, ...f(1, 2)]))
  const table = /** @type {any} */ (new Table(1, [shape, column('a', map), column('a', 2)], []))
  const { features } = toFeatureCollection(table, { geometry: 'shape' })
  assert.deepEqual(features[0].properties, { a: { 1: [{ d: '1970-01-01T00:00:00.000Z' }] }, a_1: 2 })
})
