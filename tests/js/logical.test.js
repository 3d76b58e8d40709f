/* Annotations to types, and stored values to what a person expects. Expected values are worked out by hand. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnType as typeOf } from '../../wasm/logical.js'
import { valueGetter } from '../../wasm/values.js'
import { failsWith } from './written.js'

/** @type {(element: any) => any} */
const columnType = typeOf

/**
 * The value a column of this element makes of its first entry.
 * @param {any} element
 * @param {any} arrays
 */
function value(element, arrays) {
  return valueGetter({ type: columnType(element), ...arrays })(0)
}

function bytesOf(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}

/** A BYTE_ARRAY column of one entry. */
function binary(bytes) {
  return { offsets: Int32Array.of(0, bytes.length), data: bytes }
}

const utf8 = (text) => new TextEncoder().encode(text)
const int64 = (x) => ({ values: BigInt64Array.of(x) })
const int32 = (x) => ({ values: Int32Array.of(x) })

test('physical types without annotation', () => {
  const kinds = [
    ['BOOLEAN', 'bool'],
    ['INT32', 'int32'],
    ['INT64', 'int64'],
    ['INT96', 'int96'],
    ['FLOAT', 'float32'],
    ['DOUBLE', 'float64'],
    ['BYTE_ARRAY', 'binary'],
    ['FIXED_LEN_BYTE_ARRAY', 'fixed_size_binary'],
  ]
  for (const [type, kind] of kinds) {
    const result = columnType({ type, typeLength: 3 })
    assert.equal(result.kind, kind)
    assert.equal(result.physicalType, type)
  }
  const bits = { values: Uint8Array.of(0b00100000) }
  const bool = valueGetter({ type: columnType({ type: 'BOOLEAN' }), ...bits })
  assert.deepEqual([4, 5, 6].map(bool), [false, true, false])
  const fixed = valueGetter({
    type: columnType({ type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 2 }),
    values: bytesOf('01020304'),
  })
  assert.deepEqual(fixed(1), bytesOf('0304'))
  assert.deepEqual(value({ type: 'BYTE_ARRAY' }, binary(bytesOf('ff00'))), bytesOf('ff00'))
})

test('the old and the new annotation give the same type', () => {
  /** @type {[string, any, any][]} */
  const pairs = [
    ['BYTE_ARRAY', { convertedType: 'UTF8' }, { STRING: {} }],
    ['BYTE_ARRAY', { convertedType: 'ENUM' }, { ENUM: {} }],
    ['BYTE_ARRAY', { convertedType: 'JSON' }, { JSON: {} }],
    ['BYTE_ARRAY', { convertedType: 'BSON' }, { BSON: {} }],
    ['INT32', { convertedType: 'DATE' }, { DATE: {} }],
    ['INT32', { convertedType: 'TIME_MILLIS' }, { TIME: { isAdjustedToUTC: true, unit: { MILLIS: {} } } }],
    ['INT64', { convertedType: 'TIME_MICROS' }, { TIME: { isAdjustedToUTC: true, unit: { MICROS: {} } } }],
    [
      'INT64',
      { convertedType: 'TIMESTAMP_MILLIS' },
      { TIMESTAMP: { isAdjustedToUTC: true, unit: { MILLIS: {} } } },
    ],
    [
      'INT64',
      { convertedType: 'TIMESTAMP_MICROS' },
      { TIMESTAMP: { isAdjustedToUTC: true, unit: { MICROS: {} } } },
    ],
    ['INT32', { convertedType: 'DECIMAL', precision: 9, scale: 2 }, { DECIMAL: { precision: 9, scale: 2 } }],
    ['INT32', { convertedType: 'INT_8' }, { INTEGER: { bitWidth: 8, isSigned: true } }],
    ['INT32', { convertedType: 'UINT_16' }, { INTEGER: { bitWidth: 16, isSigned: false } }],
    ['INT32', { convertedType: 'UINT_32' }, { INTEGER: { bitWidth: 32, isSigned: false } }],
    ['INT64', { convertedType: 'UINT_64' }, { INTEGER: { bitWidth: 64, isSigned: false } }],
  ]
  for (const [type, converted, logicalType] of pairs) {
    const old = columnType({ type, ...converted })
    assert.deepEqual(old, columnType({ type, logicalType }), converted.convertedType)
    assert.notEqual(old.kind, columnType({ type }).kind, converted.convertedType)
  }
  assert.equal(columnType({ type: 'INT64', convertedType: 'INT_64' }).kind, 'int64')
})

test('the new annotation goes before the old one', () => {
  const element = {
    type: 'INT64',
    convertedType: 'TIMESTAMP_MICROS',
    logicalType: { TIMESTAMP: { isAdjustedToUTC: false, unit: { MICROS: {} } } },
  }
  assert.equal(columnType(element).isAdjustedToUTC, false)
})

test('annotations that are unknown or do not fit are ignored', () => {
  /** @type {[any, string][]} */
  const elements = [
    [{ type: 'INT64', convertedType: 99 }, 'int64'],
    [{ type: 'INT64', logicalType: {} }, 'int64'],
    [{ type: 'INT64', logicalType: {}, convertedType: 'TIMESTAMP_MILLIS' }, 'timestamp'],
    [{ type: 'INT32', logicalType: { STRING: {} } }, 'int32'],
    [{ type: 'INT32', logicalType: { TIMESTAMP: { unit: { MILLIS: {} } } } }, 'int32'],
    [{ type: 'INT64', logicalType: { TIMESTAMP: { unit: {} } } }, 'int64'],
    [{ type: 'INT32', logicalType: { TIME: { unit: { NANOS: {} } } } }, 'int32'],
    [{ type: 'INT64', logicalType: { TIME: { unit: { MILLIS: {} } } } }, 'int64'],
    [{ type: 'INT32', logicalType: { INTEGER: { bitWidth: 64, isSigned: true } } }, 'int32'],
    [{ type: 'INT32', logicalType: { INTEGER: { bitWidth: 7, isSigned: false } } }, 'int32'],
    [{ type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 15, logicalType: { UUID: {} } }, 'fixed_size_binary'],
    [{ type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 4, logicalType: { FLOAT16: {} } }, 'fixed_size_binary'],
    [{ type: 'DOUBLE', convertedType: 'DECIMAL', precision: 5, scale: 2 }, 'float64'],
    [{ type: 'INT32', convertedType: 'DECIMAL', precision: 2, scale: 5 }, 'int32'],
    [{ type: 'INT32', convertedType: 'DECIMAL', precision: 5, scale: -1 }, 'int32'],
    [{ type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 12, logicalType: { GEOMETRY: {} } }, 'fixed_size_binary'],
    [{ type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 11, convertedType: 'INTERVAL' }, 'fixed_size_binary'],
    [{ type: 'BYTE_ARRAY', convertedType: 'INTERVAL' }, 'binary'],
    [{ type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 4, convertedType: 'UTF8' }, 'fixed_size_binary'],
    [{ type: 'BYTE_ARRAY', logicalType: { VARIANT: { specificationVersion: 1 } } }, 'binary'],
    [{ type: 'BYTE_ARRAY', convertedType: 'LIST' }, 'binary'],
    [{ type: 'INT32', convertedType: 'MAP_KEY_VALUE' }, 'int32'],
    [{ type: 'BYTE_ARRAY', logicalType: { FILE: {} } }, 'binary'],
    [{ type: 'INT32', convertedType: 'INT_64' }, 'int32'],
    [{ type: 'INT64', convertedType: 'UINT_8' }, 'int64'],
    [{ type: 'INT64', convertedType: 'DATE' }, 'int64'],
    [{ type: 'BOOLEAN', convertedType: 'DECIMAL', precision: 1, scale: 0 }, 'bool'],
    [{ type: 'INT96', convertedType: 'TIMESTAMP_MICROS' }, 'int96'],
    [{ type: 'INT96', logicalType: { TIMESTAMP: { isAdjustedToUTC: true, unit: { NANOS: {} } } } }, 'int96'],
    [{ type: 'BYTE_ARRAY', convertedType: 'DECIMAL', precision: 2 ** 31 - 1, scale: 2 ** 31 - 1 }, 'binary'],
  ]
  for (const [element, kind] of elements) assert.equal(columnType(element).kind, kind, JSON.stringify(element))
})

test('strings', () => {
  const string = { type: 'BYTE_ARRAY', logicalType: { STRING: {} } }
  for (const text of [
    '',
    'a',
    'Zürich',
    '24 characters long, ascii',
    'x'.repeat(1000),
    '\ufeffmark kept',
    '🙂'.repeat(20),
  ]) {
    assert.equal(value(string, binary(utf8(text))), text)
  }
  assert.equal(value(string, binary(bytesOf('61ff62'))), 'a\ufffdb')
  const shared = new Uint8Array(new SharedArrayBuffer(5))
  shared.set(utf8('né!x'))
  assert.equal(value(string, binary(shared)), 'né!x')
  const getter = valueGetter({
    type: columnType(string),
    offsets: Int32Array.of(0, 2, 2, 5),
    data: utf8('abcde'),
  })
  assert.deepEqual([0, 1, 2].map(getter), ['ab', '', 'cde'])
})

test('what no string or number holds is LIMIT, and stays in the arrays', () => {
  const long = binary(new Uint8Array(2 ** 29))
  const string = { type: 'BYTE_ARRAY', logicalType: { STRING: {} } }
  assert.throws(() => value(string, long), failsWith('LIMIT', /^text of 536870912 bytes/))
  assert.equal(value({ type: 'BYTE_ARRAY' }, long).length, 2 ** 29)
  const decimal = { type: 'BYTE_ARRAY', logicalType: { DECIMAL: { precision: 9, scale: 2 } } }
  assert.equal(value(decimal, binary(new Uint8Array(65536))), '0.00')
  assert.throws(
    () => value(decimal, binary(new Uint8Array(65537))),
    failsWith('LIMIT', /^decimal of 65537 bytes/)
  )
})

test('JSON is text, BSON is bytes', () => {
  assert.equal(value({ type: 'BYTE_ARRAY', logicalType: { JSON: {} } }, binary(utf8('{"a": 1'))), '{"a": 1')
  assert.deepEqual(
    value({ type: 'BYTE_ARRAY', logicalType: { BSON: {} } }, binary(bytesOf('0500000000'))),
    bytesOf('0500000000')
  )
})

test('uuid', () => {
  const element = { type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 16, logicalType: { UUID: {} } }
  assert.equal(
    value(element, { values: bytesOf('00112233445566778899AABBCCDDEEFF') }),
    '00112233-4455-6677-8899-aabbccddeeff'
  )
})

test('integers take their sign from the annotation', () => {
  const of = (bitWidth, isSigned, stored) =>
    value({ type: 'INT32', logicalType: { INTEGER: { bitWidth, isSigned } } }, int32(stored))
  assert.equal(of(8, false, -1), 255)
  assert.equal(of(8, true, 0xff), -1)
  assert.equal(of(16, false, -1), 65535)
  assert.equal(of(16, true, 0x8000), -32768)
  assert.equal(of(32, false, -1), 4294967295)
  assert.equal(of(32, false, -(2 ** 31)), 2 ** 31)
  assert.equal(of(32, true, -1), -1)
  const uint64 = { type: 'INT64', convertedType: 'UINT_64' }
  assert.equal(value(uint64, { values: BigUint64Array.of(2n ** 63n) }), 2n ** 63n)
  assert.equal(value({ type: 'INT64' }, int64(-(2n ** 63n))), -(2n ** 63n))
})

test('dates', () => {
  const date = { type: 'INT32', convertedType: 'DATE' }
  assert.equal(value(date, int32(0)).toISOString(), '1970-01-01T00:00:00.000Z')
  assert.equal(value(date, int32(-1)).toISOString(), '1969-12-31T00:00:00.000Z')
  assert.equal(value(date, int32(19783)).toISOString(), '2024-03-01T00:00:00.000Z')
  assert.equal(value(date, int32(100000000)).getTime(), 8.64e15)
  assert.equal(value(date, int32(100000001)), 100000001)
  assert.equal(value(date, int32(-(2 ** 31))), -(2 ** 31))
})

test('timestamps in every unit, UTC or not', () => {
  for (const isAdjustedToUTC of [true, false]) {
    const of = (unit, x) =>
      value({ type: 'INT64', logicalType: { TIMESTAMP: { isAdjustedToUTC, unit: { [unit]: {} } } } }, int64(x))
    assert.equal(of('MILLIS', 1709294400123n).toISOString(), '2024-03-01T12:00:00.123Z')
    assert.equal(of('MICROS', 1709294400123999n).toISOString(), '2024-03-01T12:00:00.123Z')
    assert.equal(of('NANOS', 1709294400123999999n).toISOString(), '2024-03-01T12:00:00.123Z')
    assert.equal(of('MICROS', -1n).toISOString(), '1969-12-31T23:59:59.999Z')
    assert.equal(of('NANOS', -1000000n).toISOString(), '1969-12-31T23:59:59.999Z')
    assert.equal(of('MILLIS', 8640000000000000n).getTime(), 8.64e15)
    assert.equal(of('MILLIS', 8640000000000001n), 8640000000000001n)
    assert.equal(of('MILLIS', -(2n ** 63n)), -(2n ** 63n))
  }
  const micros = { type: 'INT64', convertedType: 'TIMESTAMP_MICROS' }
  assert.equal(value(micros, { values: Float64Array.of(-1500) }).getTime(), -2)
})

test('times', () => {
  assert.equal(value({ type: 'INT32', convertedType: 'TIME_MILLIS' }, int32(45296789)), '12:34:56.789')
  const of = (unit, x) => value({ type: 'INT64', logicalType: { TIME: { unit: { [unit]: {} } } } }, int64(x))
  assert.equal(of('MICROS', 45296000007n), '12:34:56.000007')
  assert.equal(of('NANOS', 86399999999999n), '23:59:59.999999999')
  assert.equal(of('MICROS', 0n), '00:00:00.000000')
  assert.equal(of('MICROS', 86400000000n), 86400000000n)
  assert.equal(of('MICROS', -1n), -1n)
})

test('decimals are exact at any width', () => {
  const of = (type, precision, scale, arrays, typeLength) =>
    value({ type, typeLength, logicalType: { DECIMAL: { precision, scale } } }, arrays)
  assert.equal(of('INT32', 9, 2, int32(-12345)), '-123.45')
  assert.equal(of('INT32', 9, 2, int32(5)), '0.05')
  assert.equal(of('INT32', 9, 0, int32(7)), '7')
  assert.equal(of('INT32', 9, 9, int32(-1)), '-0.000000001')
  assert.equal(of('INT64', 18, 3, int64(-(2n ** 63n))), '-9223372036854775.808')
  assert.equal(of('INT64', 18, 3, { values: Float64Array.of(9007199254740991) }), '9007199254740.991')
  assert.equal(of('BYTE_ARRAY', 40, 2, binary(bytesOf('ff'))), '-0.01')
  assert.equal(of('BYTE_ARRAY', 40, 2, binary(bytesOf('0080'))), '1.28')
  assert.equal(of('BYTE_ARRAY', 40, 2, binary(new Uint8Array(0))), '0.00')
  assert.equal(
    of('FIXED_LEN_BYTE_ARRAY', 76, 0, { values: bytesOf(`7f${'ff'.repeat(31)}`) }, 32),
    String(2n ** 255n - 1n)
  )
  assert.equal(of('FIXED_LEN_BYTE_ARRAY', 38, 1, { values: bytesOf(`${'ff'.repeat(15)}f6`) }, 16), '-1.0')
})

test('half floats', () => {
  const element = { type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 2, logicalType: { FLOAT16: {} } }
  const of = (bits) => value(element, { values: Uint16Array.of(bits) })
  const cases = [
    [0x3c00, 1],
    [0xc000, -2],
    [0x7bff, 65504],
    [0x0001, 2 ** -24],
    [0x03ff, 1023 * 2 ** -24],
    [0x0400, 2 ** -14],
    [0x7c00, Infinity],
    [0xfc00, -Infinity],
    [0x7e00, NaN],
    [0x0000, 0],
    [0x8000, -0],
    [0x3555, 0.333251953125],
  ]
  for (const [bits, expected] of cases)
    assert.ok(Object.is(of(bits), expected), `${bits.toString(16)}: ${of(bits)}`)
})

test('INT96 timestamps', () => {
  const of = (nanoseconds, julianDay) => {
    const values = new Uint8Array(12)
    const view = new DataView(values.buffer)
    view.setBigInt64(0, nanoseconds, true)
    view.setInt32(8, julianDay, true)
    return value({ type: 'INT96' }, { values })
  }
  assert.equal(of(0n, 2440588).getTime(), 0)
  assert.equal(of(43200000000000n, 2460371).toISOString(), '2024-03-01T12:00:00.000Z')
  assert.equal(of(-1n, 2440588).getTime(), -1)
  assert.equal(of(86400000000000n, 2440588).getTime(), 86400000)
  assert.equal(of(86399999999999n, 5373484).toISOString(), '9999-12-31T23:59:59.999Z')
  assert.equal(of(0n, 2 ** 31 - 1), (2n ** 31n - 1n - 2440588n) * 86400000000000n)
})

test('intervals', () => {
  const element = { type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 12, convertedType: 'INTERVAL' }
  assert.deepEqual(value(element, { values: bytesOf('0100000002000000ffffffff') }), {
    months: 1,
    days: 2,
    milliseconds: 4294967295,
  })
})

test('types without a form of their own in JavaScript', () => {
  const geometry = columnType({ type: 'BYTE_ARRAY', logicalType: { GEOMETRY: { crs: 'OGC:CRS84' } } })
  assert.deepEqual(geometry, { kind: 'geometry', physicalType: 'BYTE_ARRAY', crs: 'OGC:CRS84' })
  assert.deepEqual(columnType({ type: 'BYTE_ARRAY', logicalType: { GEOGRAPHY: {} } }), {
    kind: 'geography',
    physicalType: 'BYTE_ARRAY',
    crs: 'OGC:CRS84',
    algorithm: 'SPHERICAL',
  })
  const given = { crs: 'srid:4326', algorithm: 'KARNEY' }
  const geography = { type: 'BYTE_ARRAY', logicalType: { GEOGRAPHY: given } }
  assert.deepEqual(columnType(geography), { kind: 'geography', physicalType: 'BYTE_ARRAY', ...given })
  assert.deepEqual(value(geography, binary(bytesOf('0101'))), bytesOf('0101'))
  for (const type of ['DOUBLE', 'BYTE_ARRAY', 'INT96', 'BOOLEAN']) {
    assert.equal(columnType({ type, logicalType: { UNKNOWN: {} } }).kind, 'null')
  }
})

/** Seeded 64-bit integers of every magnitude, with both ends. */
function integers() {
  const list = [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 8640000000000000n, 8640000000000001n, -8640000000000001n]
  let state = 88172645463325252n
  for (let i = 0; i < 4000; i++) {
    state ^= BigInt.asUintN(64, state << 13n)
    state ^= state >> 7n
    state ^= BigInt.asUintN(64, state << 17n)
    list.push(BigInt.asIntN(64, state) >> BigInt(i % 64))
  }
  return list
}

test('no integer becomes another value', () => {
  const floorDiv = (/** @type {bigint} */ a, /** @type {bigint} */ b) => (a - (((a % b) + b) % b)) / b
  const timestamp = (unit, x) =>
    value({ type: 'INT64', logicalType: { TIMESTAMP: { unit: { [unit]: {} } } } }, int64(x))
  const time = (unit, x) => value({ type: 'INT64', logicalType: { TIME: { unit: { [unit]: {} } } } }, int64(x))
  let dates = 0
  for (const x of integers()) {
    for (const [unit, perMs] of Object.entries({ MILLIS: 1n, MICROS: 1000n, NANOS: 1000000n })) {
      const ms = floorDiv(x, perMs)
      const held = ms >= -8640000000000000n && ms <= 8640000000000000n
      const got = timestamp(unit, x)
      if (held) dates++
      assert.equal(held ? BigInt(got.getTime()) : got, held ? ms : x)
      if (unit === 'MILLIS') continue
      const clock = time(unit, x)
      const [, hours, minutes, seconds, digits] =
        /^(\d\d):([0-5]\d):([0-5]\d)\.(\d+)$/.exec(String(clock)) ?? []
      const inDay = x >= 0n && x < 86400000n * perMs
      assert.equal(typeof clock, inDay ? 'string' : 'bigint')
      if (!inDay) assert.equal(clock, x)
      else {
        const whole = (BigInt(hours) * 60n + BigInt(minutes)) * 60n + BigInt(seconds)
        assert.equal(whole * 1000n * perMs + BigInt(digits), x)
        assert.equal(10n ** BigInt(digits.length), 1000n * perMs)
      }
    }
    const day = Number(BigInt.asIntN(32, x))
    const date = value({ type: 'INT32', convertedType: 'DATE' }, int32(day))
    assert.equal(date instanceof Date ? date.getTime() / 86400000 : date, day)
    assert.equal(date instanceof Date, Math.abs(day) <= 1e8)
    const element = { precision: 40, scale: 7 }
    const decimal = value({ type: 'INT64', convertedType: 'DECIMAL', ...element }, int64(x))
    assert.match(decimal, /^-?\d+\.\d{7}$/)
    assert.equal(BigInt(decimal.replace('.', '')), x)
    const bytes = Uint8Array.from({ length: 13 }, (_, i) =>
      Number(BigInt.asUintN(8, x >> BigInt(8 * (12 - i))))
    )
    assert.equal(value({ type: 'BYTE_ARRAY', convertedType: 'DECIMAL', ...element }, binary(bytes)), decimal)
    assert.equal(
      value({ type: 'INT64', convertedType: 'UINT_64' }, { values: BigUint64Array.of(BigInt.asUintN(64, x)) }),
      BigInt.asUintN(64, x)
    )
  }
  assert.ok(dates > 4000)
})
