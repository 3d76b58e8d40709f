/** Every kind of column, made by hand, as Arrow's readers find it: its type, its values, its extension type. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableFromIPC } from 'apache-arrow'
import { PagelaneError } from '../../wasm/errors.js'
import { flatbuffer } from '../../wasm/flatbuffer.js'
import { Table } from '../../wasm/table.js'
import { column, int32, roundTrip, words } from './arrow_round_trip.js'

/** @param {(bigint | number)[]} integers @param {number} size @returns {Uint8Array} most significant byte first */
function bigEndian(integers, size) {
  const digits = integers.map((value) =>
    BigInt.asUintN(8 * size, BigInt(value))
      .toString(16)
      .padStart(2 * size, '0')
  )
  return Uint8Array.from(Buffer.from(digits.join(''), 'hex'))
}

test('integers', () => {
  for (const [bitWidth, signed, values] of /** @type {[number, boolean, any][]} */ ([
    [8, true, Int32Array.of(-128, -1, 0, 127)],
    [8, false, Uint32Array.of(0, 1, 128, 255)],
    [16, true, Int32Array.of(-32768, -1, 0, 32767)],
    [16, false, Uint32Array.of(0, 1, 32768, 65535)],
    [32, true, Int32Array.of(-(2 ** 31), -1, 0, 2 ** 31 - 1)],
    [32, false, Uint32Array.of(0, 1, 2 ** 31, 2 ** 32 - 1)],
    [64, true, BigInt64Array.of(-(2n ** 63n), -1n, 0n, 2n ** 63n - 1n)],
    [64, false, BigUint64Array.of(0n, 1n, 2n ** 63n, 2n ** 64n - 1n)],
    [64, true, Float64Array.of(-(2 ** 53), -1, 2 ** 32, 2 ** 53 - 1)],
    [64, false, Float64Array.of(0, 1, 2 ** 32 + 7, 2 ** 53 - 1)],
  ])) {
    const kind = `${signed ? '' : 'u'}int${bitWidth}`
    const physicalType = bitWidth === 64 ? 'INT64' : 'INT32'
    const made = column({ kind, physicalType, bitWidth, signed }, 4, { values })
    const { type, values: found } = roundTrip(made)
    assert.equal(type.toLowerCase(), kind)
    assert.deepEqual(found.map(Number), Array.from(values, Number))
  }
})

test('nulls, bits, floats', () => {
  const validity = Uint8Array.of(0b101, 0b10)
  const bits = column({ kind: 'bool', physicalType: 'BOOLEAN' }, 10, {
    values: Uint8Array.of(0b1, 0b10),
    validity,
    nullCount: 7,
  })
  const n = null
  assert.deepEqual(roundTrip(bits).values, [true, n, false, n, n, n, n, n, n, true])
  const halves = column({ kind: 'float16', physicalType: 'FIXED_LEN_BYTE_ARRAY', byteWidth: 2 }, 4, {
    values: Uint16Array.of(0x3c00, 0xc000, 0x7c00, 1),
  })
  assert.deepEqual(roundTrip(halves), {
    type: 'Float16',
    extension: [],
    values: [1, -2, Infinity, 2 ** -24],
  })
  const nothing = column({ kind: 'null', physicalType: 'INT32' }, 3, {
    values: new Int32Array(3),
    validity: new Uint8Array(1),
    nullCount: 3,
  })
  assert.deepEqual(roundTrip(nothing), { type: 'Null', extension: [], values: [n, n, n] })
})

test('decimals of every storage', () => {
  const integers = [-12345n, -1n, 0n, 1n, 99999n]
  const expected = ['-123.45', '-0.01', '0.00', '0.01', '999.99']
  /** @param {number} precision @param {string} physicalType @param {any} arrays @param {number} [byteWidth] */
  const of = (precision, physicalType, arrays, byteWidth) =>
    roundTrip(column({ kind: 'decimal', physicalType, precision, scale: 2, byteWidth }, 5, arrays))
  const offsets = Int32Array.of(0, 2, 3, 3, 4, 7)
  const data = Uint8Array.of(0xcf, 0xc7, 0xff, 1, 0x01, 0x86, 0x9f)
  for (const precision of [7, 38, 39, 76]) {
    const type = `Decimal[${precision}e+2]`
    for (const found of [
      of(precision, 'INT32', { values: Int32Array.from(integers, Number) }),
      of(precision, 'INT64', { values: BigInt64Array.from(integers) }),
      of(precision, 'INT64', { values: Float64Array.from(integers, Number) }),
      of(precision, 'FIXED_LEN_BYTE_ARRAY', { values: bigEndian(integers, 3) }, 3),
      of(precision, 'FIXED_LEN_BYTE_ARRAY', { values: bigEndian(integers, 16) }, 16),
      of(precision, 'FIXED_LEN_BYTE_ARRAY', { values: bigEndian(integers, 40) }, 40),
      of(precision, 'BYTE_ARRAY', { offsets, data }),
    ]) {
      assert.deepEqual(found, { type, extension: [], values: expected })
    }
  }
  const wide = [-(10n ** 76n) + 1n, 10n ** 76n - 1n, 0n, -1n, 1n]
  const widest = of(76, 'FIXED_LEN_BYTE_ARRAY', { values: bigEndian(wide, 32) }, 32).values
  assert.deepEqual(widest.slice(0, 2), [`-${'9'.repeat(74)}.99`, `${'9'.repeat(74)}.99`])
})

test('decimals that no Arrow type holds', () => {
  const type = { kind: 'decimal', physicalType: 'FIXED_LEN_BYTE_ARRAY', precision: 90, scale: 2, byteWidth: 40 }
  const values = bigEndian([-5n, 7n], 40)
  const table = new Table(2, [column(type, 2, { values })], [])
  const theirs = tableFromIPC(table.toArrowIPC())
  assert.equal(String(theirs.schema.fields[0].type), 'FixedSizeBinary[40]')
  assert.deepEqual(theirs.getChildAt(0)?.get(0), values.subarray(0, 40))
  // more digits than the type says: one that just fits, and three that just do not
  for (const [value, size, fits] of /** @type {[bigint, number, boolean][]} */ ([
    [2n ** 127n - 1n, 17, true],
    [-(2n ** 127n), 17, true],
    [2n ** 127n, 17, false],
    [-(2n ** 127n) - 1n, 17, false],
    [2n ** 140n, 20, false],
  ])) {
    const lying = column({ ...type, precision: 38, byteWidth: size }, 1, { values: bigEndian([value], size) })
    const write = () => new Table(1, [lying], []).toArrowIPC()
    if (fits) write()
    else assert.throws(write, { name: 'PagelaneError', code: 'CORRUPT', column: 'decimal' })
  }
})

test('dates, times, timestamps', () => {
  const date = column({ kind: 'date', physicalType: 'INT32', unit: 'day' }, 2, {
    values: Int32Array.of(-1, 19000),
  })
  assert.equal(roundTrip(date).type, 'Date32<DAY>')
  for (const [unit, name] of [
    ['ms', 'MILLISECOND'],
    ['us', 'MICROSECOND'],
    ['ns', 'NANOSECOND'],
  ]) {
    const values = BigInt64Array.of(-1n, 2n ** 62n)
    const long = { physicalType: 'INT64', unit }
    const zoned = column({ kind: 'timestamp', ...long, isAdjustedToUTC: true }, 2, { values })
    assert.equal(roundTrip(zoned).type, `Timestamp<${name}, UTC>`)
    const local = column({ kind: 'timestamp', ...long, isAdjustedToUTC: false }, 2, { values })
    assert.equal(roundTrip(local).type, `Timestamp<${name}>`)
    const isMs = unit === 'ms'
    const time = column(
      { kind: 'time', physicalType: isMs ? 'INT32' : 'INT64', unit, isAdjustedToUTC: false },
      2,
      {
        values: isMs ? Int32Array.of(0, 86399999) : BigInt64Array.of(0n, 86399999999n),
      }
    )
    assert.equal(roundTrip(time).type, `Time${isMs ? 32 : 64}<${name}>`)
  }
})

/** @param {[nanoseconds: bigint, day: number][]} entries */
function int96(entries) {
  const values = new Uint8Array(12 * entries.length)
  const view = new DataView(values.buffer)
  entries.forEach(([nanoseconds, day], i) => {
    view.setBigInt64(12 * i, nanoseconds, true)
    view.setInt32(12 * i + 8, day, true)
  })
  return values
}

test('int96: the finest unit that holds every value', () => {
  const type = { kind: 'int96', physicalType: 'INT96', byteWidth: 12 }
  /** @type {[bigint, number]} */
  const near = [1001n, 2440588]
  /** @type {(entries: [bigint, number][], arrays?: object) => any} */
  const of = (entries, arrays = {}) =>
    roundTrip(column(type, entries.length, { values: int96(entries), ...arrays }))
  assert.deepEqual(of([near, [-1n, 2440589]]).values, [1001n, 86400000000000n - 1n])
  // the year 9999 does not fit nanoseconds
  const far = /** @type {[bigint, number]} */ ([5000n, 5373484])
  assert.deepEqual(of([far, [7000n, 2440588]]), {
    type: 'Timestamp<MICROSECOND>',
    extension: [],
    values: [253402214400000005n, 7n],
  })
  const farther = /** @type {[bigint, number]} */ ([0n, 2440588 + 10 ** 9])
  assert.equal(of([farther]).type, 'Timestamp<MILLISECOND>')
  assert.equal(of([farther, near]).type, 'FixedSizeBinary[12]')
  // a null entry is all zeros, which as a value would be the year -4713
  const nulls = { validity: Uint8Array.of(0b10), nullCount: 1 }
  assert.deepEqual(of([[0n, 0], near], nulls), {
    type: 'Timestamp<NANOSECOND>',
    extension: [],
    values: [null, 1001n],
  })
})

test('intervals', () => {
  const type = { kind: 'interval', physicalType: 'FIXED_LEN_BYTE_ARRAY', byteWidth: 12 }
  const of = (/** @type {number[]} */ ...parts) =>
    roundTrip(column(type, parts.length / 3, { values: new Uint8Array(Uint32Array.from(parts).buffer) }))
  const found = of(1, 2, 3, 2 ** 31 - 1, 0, 2 ** 32 - 1)
  assert.deepEqual(found.values, [
    [1, 2, 3e6],
    [2 ** 31 - 1, 0, (2 ** 32 - 1) * 1e6],
  ])
  assert.match(found.type, /^Interval/)
  assert.equal(of(2 ** 31, 0, 0).type, 'FixedSizeBinary[12]')
  assert.equal(of(0, 0, 0, 0, 2 ** 31, 0).type, 'FixedSizeBinary[12]')
})

test('strings and bytes', () => {
  const arrays = { offsets: Int32Array.of(0, 1, 1, 4), data: new TextEncoder().encode('aβ!') }
  const name = 'ARROW:extension:name'
  const metadata = 'ARROW:extension:metadata'
  const bytes = ['61', '', 'ceb221']
  const text = ['a', '', 'β!']
  for (const [kind, type, extension, values] of /** @type {[string, string, any[], any[]][]} */ ([
    ['string', 'Utf8', [], text],
    ['enum', 'Utf8', [], text],
    ['json', 'Utf8', [name, 'arrow.json', metadata, ''], text],
    ['binary', 'Binary', [], bytes],
    ['bson', 'Binary', [], bytes],
  ])) {
    assert.deepEqual(roundTrip(column({ kind, physicalType: 'BYTE_ARRAY' }, 3, arrays)), {
      type,
      extension,
      values,
    })
  }
  for (const [more, expected] of /** @type {[any, any][]} */ ([
    [{ kind: 'geometry', crs: 'OGC:CRS84' }, { crs: 'OGC:CRS84' }],
    [
      { kind: 'geometry', crs: 'srid:5070' },
      { crs: '5070', crs_type: 'srid' },
    ],
    [{ kind: 'geometry', crs: '{"type": "GeographicCRS"}' }, { crs: { type: 'GeographicCRS' } }],
    [{ kind: 'geometry', crs: '{broken' }, { crs: '{broken' }],
    [
      { kind: 'geography', crs: 'x', algorithm: 'KARNEY' },
      { crs: 'x', edges: 'karney' },
    ],
  ])) {
    const found = roundTrip(column({ physicalType: 'BYTE_ARRAY', ...more }, 3, arrays))
    assert.deepEqual([found.type, found.extension.slice(0, 3)], ['Binary', [name, 'geoarrow.wkb', metadata]])
    assert.deepEqual(JSON.parse(found.extension[3]), expected)
  }
  const fixed = { physicalType: 'FIXED_LEN_BYTE_ARRAY', byteWidth: 16 }
  const values = Uint8Array.from({ length: 32 }, (_, i) => 200 + i)
  assert.equal(
    roundTrip(column({ kind: 'fixed_size_binary', ...fixed }, 2, { values })).type,
    'FixedSizeBinary[16]'
  )
  const uuid = roundTrip(column({ kind: 'uuid', ...fixed }, 2, { values }))
  assert.deepEqual(uuid.extension, [name, 'arrow.uuid', metadata, ''])
})

test('the form of the bytes', () => {
  const table = new Table(3, [words, column(int32, 3, { values: Int32Array.of(1, 2, 3) })], [])
  const stream = table.toArrowIPC()
  const file = table.toArrowIPC({ format: 'file' })
  for (const bytes of [stream, file])
    assert.equal(bytes.buffer.byteLength, bytes.length, 'one exact allocation')
  const magic = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString('latin1')
  assert.equal(magic(file.subarray(0, 8)), 'ARROW1\0\0')
  assert.equal(magic(file.subarray(-6)), 'ARROW1')
  assert.deepEqual([...stream.subarray(-8)], [255, 255, 255, 255, 0, 0, 0, 0])
  for (const bytes of [stream, file]) {
    const [{ valueOffsets, values }] = tableFromIPC(bytes).getChildAt(0)?.data ?? []
    for (const { buffer, byteOffset } of [valueOffsets, values]) {
      assert.ok(buffer === stream.buffer || buffer === file.buffer, 'read without a copy')
      assert.equal(byteOffset % 64, 0)
    }
  }
  assert.equal(tableFromIPC(new Table(0, [], []).toArrowIPC()).numCols, 0)
})

test('integers of the metadata have 64 bits', () => {
  const bytes = Uint8Array.from(flatbuffer([2 ** 40 + 3, 'text']))
  const view = new DataView(bytes.buffer)
  const table = view.getUint32(0, true)
  const vtable = table - view.getInt32(table, true)
  const [first, second] = [4, 6].map((at) => table + view.getUint16(vtable + at, true))
  assert.equal(view.getBigUint64(first, true), 2n ** 40n + 3n)
  const text = second + view.getUint32(second, true)
  assert.equal(view.getUint32(text, true), 4)
  assert.equal(Buffer.from(bytes.subarray(text + 4, text + 9)).toString(), 'text\0')
})

test('options', () => {
  const table = new Table(3, [words], [])
  const message = /^options\.format /
  const wrong = /** @type {any} */ ({ format: 'feather' })
  assert.throws(() => table.toArrowIPC(wrong), { name: 'PagelaneError', code: 'BAD_ARGUMENT', message })
  assert.throws(() => table.toArrowIPC(/** @type {any} */ ({ form: 'file' })), PagelaneError)
})
