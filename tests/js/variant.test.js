/* VARIANT values: their encoding, and columns that are shredded. Expected values are those of the format text, of the value
 * dictionary that comes with parquet-testing's `variant` files, and of its `shredded_variant` cases. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { open } from '../../wasm/node.js'
import { decodeVariant, namesOf, variantGetter } from '../../wasm/variant.js'
import { binary, column, list, struct } from './built_columns.js'
import { failsWith } from './written.js'

const EMPTY = Uint8Array.of(1, 0, 0)
/* dictionary of a, b, c */
const ABC = Uint8Array.of(0x11, 3, 0, 1, 2, 3, 0x61, 0x62, 0x63)

const data = process.env.PARQUET_TEST_DATA
const folder = data === undefined ? undefined : join(data, '../variant')

/**
 * @param {number[] | Uint8Array} value
 * @param {Uint8Array} [metadata]
 */
function decode(value, metadata = EMPTY) {
  return decodeVariant(namesOf(metadata), Uint8Array.from(value))
}

/** @param {string} text */
function shortString(text) {
  const bytes = new TextEncoder().encode(text)
  return [(bytes.length << 2) | 1, ...bytes]
}

/** @param {number[][]} values each encoded */
function array(...values) {
  let offset = 0
  const offsets = [0, ...values.map(({ length }) => (offset += length))]
  return [3, values.length, ...offsets, ...values.flat()]
}

/** @param {[number, number[]][]} fields id and encoded value */
function object(...fields) {
  let offset = 0
  const offsets = [0, ...fields.map(([, { length }]) => (offset += length))]
  return [2, fields.length, ...fields.map(([id]) => id), ...offsets, ...fields.flatMap(([, value]) => value)]
}

const NULL = [0]
const int8 = (/** @type {number} */ x) => [3 << 2, x & 0xff]

/**
 * @param {number} type
 * @param {bigint} x
 * @param {number} [size]
 */
function fixed(type, x, size = 8) {
  const bytes = Array.from({ length: size }, (_, i) => Number((x >> BigInt(8 * i)) & 0xffn))
  return [type << 2, ...bytes]
}

test('values of other writers', { skip: folder === undefined && 'PARQUET_TEST_DATA is not set' }, () => {
  const path = /** @type {string} */ (folder)
  const text = readFileSync(join(path, 'data_dictionary.json'), 'utf8').replace(/,\s*}\s*$/, '}')
  // what JSON cannot say
  const expected = {
    ...JSON.parse(text),
    long_string:
      'This string is for sure and certainly longer than 64 bytes and it also includes several non ascii characters such as 🐢, 💖, ♥️, 🎣 and 🤦!!',
    primitive_binary: Uint8Array.from(Buffer.from('AxM33q2+78r+', 'base64')),
    primitive_date: new Date('2025-04-16'),
    primitive_decimal4: '12.34',
    primitive_decimal8: '12345678.90',
    primitive_decimal16: '12345678912345678.90',
    primitive_float: Math.fround(1234567940),
    primitive_int64: 1234567890123456789n,
    primitive_time: '12:33:54.123456',
    primitive_timestamp: new Date('2025-04-16T12:34:56.780-04:00'),
    primitive_timestampntz: new Date('2025-04-16T12:34:56.780Z'),
    primitive_timestamp_nanos: new Date('2024-11-07T12:33:54.123Z'),
    primitive_timestampntz_nanos: new Date('2024-11-07T12:33:54.123Z'),
  }
  expected.object_primitive.double_field = '1.23456789'
  const names = readdirSync(path).filter((name) => name.endsWith('.value'))
  assert.ok(names.length >= 28)
  for (const file of names) {
    const name = file.slice(0, -6)
    const [metadata, value] = ['metadata', 'value'].map((end) =>
      Uint8Array.from(readFileSync(join(path, `${name}.${end}`)))
    )
    assert.deepEqual(decodeVariant(namesOf(metadata), value), expected[name], name)
  }
})

test('integers are numbers where those are exact', () => {
  assert.equal(decode([3 << 2, 0x80]), -128)
  assert.equal(decode([4 << 2, 0, 0x80]), -32768)
  assert.equal(decode([5 << 2, 0, 0, 0, 0x80]), -(2 ** 31))
  assert.equal(decode(fixed(6, -5n)), -5)
  assert.equal(decode(fixed(6, 9007199254740991n)), 9007199254740991)
  assert.equal(decode(fixed(6, 9007199254740992n)), 9007199254740992n)
  assert.equal(decode(fixed(6, -9007199254740992n)), -9007199254740992n)
  assert.equal(decode(fixed(6, -(2n ** 63n))), -(2n ** 63n))
})

test('decimals of each width, and their scales', () => {
  const decimal = (
    /** @type {number} */ type,
    /** @type {bigint} */ x,
    /** @type {number} */ size,
    scale = 2
  ) => {
    const [header, ...bytes] = fixed(type, x, size)
    return decode([header, scale, ...bytes])
  }
  assert.equal(decimal(8, -(2n ** 31n), 4), '-21474836.48')
  assert.equal(decimal(9, -(2n ** 63n), 8), '-92233720368547758.08')
  assert.equal(decimal(10, -(2n ** 127n), 16), '-1701411834604692317316873037158841057.28')
  assert.equal(decimal(10, 2n ** 64n - 1n, 16, 0), '18446744073709551615')
  assert.equal(decimal(8, 1n, 4, 38), `0.${'0'.repeat(37)}1`)
  assert.throws(() => decimal(8, 1n, 4, 39), failsWith('CORRUPT', /scale of 39/))
})

test('dates and times that no Date can hold stay integers', () => {
  assert.equal(decode(fixed(11, -(2n ** 31n), 4)), -(2 ** 31))
  assert.equal(decode(fixed(12, 2n ** 63n - 1n)), 2n ** 63n - 1n)
  assert.equal(decode(fixed(13, -(2n ** 63n))), -(2n ** 63n))
  assert.equal(decode(fixed(17, 86400000000n)), 86400000000n)
  assert.deepEqual(decode(fixed(18, -1n)), new Date(-1))
})

test('objects and arrays', () => {
  assert.deepEqual(decode(array(int8(1), NULL, shortString('x'))), [1, null, 'x'])
  assert.deepEqual(decode(object([0, int8(1)], [2, array(NULL)]), ABC), { a: 1, c: [null] })
  // values in another order than the fields, with a gap
  assert.deepEqual(decode([2, 2, 0, 1, 3, 0, 5, ...int8(7), 99, ...int8(8)], ABC), { a: 8, b: 7 })
  // four bytes for the count, three for ids, two for offsets
  assert.deepEqual(decode([0b1100110, 1, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, ...int8(5)], ABC), { c: 5 })
  assert.deepEqual(decode([0b11011, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, ...int8(5)]), [5])
  // four bytes for the count, one for the rest
  assert.deepEqual(decode([0b1000010, 1, 0, 0, 0, 1, 0, 2, ...int8(5)], ABC), { b: 5 })
  const proto = Uint8Array.of(1, 1, 0, 9, ...new TextEncoder().encode('__proto__'))
  const odd = decode(object([0, int8(1)]), proto)
  assert.deepEqual(Object.keys(odd), ['__proto__'])
  assert.equal(Object.getPrototypeOf(odd), Object.prototype)
})

test('a variant that is no good is CORRUPT, a new one UNSUPPORTED', () => {
  /** @type {[string, number[], RegExp][]} */
  const cases = [
    ['nothing', [], /cut short/],
    ['int8 without its byte', [3 << 2], /past the end/],
    ['text longer than the bytes', [(63 << 2) | 1, 0x61], /past the end/],
    ['long text longer than the bytes', [16 << 2, 255, 255, 255, 255], /past the end/],
    ['binary without its size', [15 << 2, 0, 0], /cut short/],
    ['array without offsets', [3, 200], /cut short/],
    ['large array of 4 billion', [0b10011, 255, 255, 255, 255, 0], /cut short/],
    ['values past the end', [3, 1, 0, 9, ...NULL], /past the end/],
    ['offset past the last', [3, 1, 1, 1, ...NULL], /cut short/],
    ['a value longer than the last offset says', [3, 1, 0, 1, ...int8(1)], /past the end/],
    ['one value twice', [3, 2, 0, 0, 2, ...int8(1)], /share bytes/],
    ['field that the dictionary has not', object([3, NULL]), /field 3 of a dictionary of 3/],
    ['one name twice', object([1, NULL], [1, NULL]), /one name/],
  ]
  for (const [what, value, message] of cases)
    assert.throws(() => decode(value, ABC), failsWith('CORRUPT', message), what)
  assert.throws(() => decode([21 << 2]), failsWith('UNSUPPORTED', /primitive type 21/))
  assert.throws(() => decode(NULL, Uint8Array.of(2, 0, 0)), failsWith('UNSUPPORTED', /version 2/))
})

test('a dictionary that is no good is CORRUPT', () => {
  const names = [
    [],
    [1],
    [0x41, 1],
    [0x11, 1, 0],
    [0x11, 1, 0, 5, 0x61],
    [0x11, 1, 5, 5],
    [0x11, 2, 1, 0, 1, 0x61],
  ]
  for (const bytes of names) {
    assert.throws(() => namesOf(Uint8Array.from(bytes))(0), failsWith('CORRUPT'), String(bytes))
  }
  // strings that share bytes
  const shared = namesOf(Uint8Array.of(1, 3, 0, 3, 0, 3, 0x61, 0x62, 0x63))
  assert.equal(shared(0), 'abc')
  assert.throws(() => shared(2), failsWith('CORRUPT'))
})

test('nesting has a limit', () => {
  let value = NULL
  let small = value
  for (let depth = 1; depth <= 501; depth++) {
    // five bytes around each, of which two are offsets of two bytes
    value = [0b111, 1, 0, 0, value.length & 255, value.length >> 8, ...value]
    if (depth === 500) small = value
  }
  assert.equal(JSON.stringify(decode(small)), `${'['.repeat(500)}null${']'.repeat(500)}`)
  assert.throws(() => decode(value), failsWith('LIMIT', /deeper/))
})

test('values that point at each other cost no more than they are long', () => {
  // each array holds the next one 200 times
  let value = NULL
  for (let depth = 0; depth < 40; depth++) {
    const offsets = Array.from({ length: 200 }, () => [0, 0]).flat()
    value = [0b111, 200, ...offsets, value.length & 255, value.length >> 8, ...value]
  }
  assert.throws(() => decode(value), failsWith('CORRUPT'))
})

test('every prefix and every changed byte end in a value or an error of ours', () => {
  const value = object(
    [0, array(int8(1), shortString('ab'), fixed(16, 2n, 4).concat(0x61, 0x62))],
    [1, fixed(12, 1n)],
    [2, [...fixed(15, 1n, 4), 7]]
  )
  const good = inspect(decode(value, ABC))
  for (let length = 0; length < value.length; length++) {
    assert.throws(() => decode(value.slice(0, length), ABC), failsWith('CORRUPT'))
  }
  let changed = 0
  for (const bytes of [value, ABC]) {
    for (let i = 0; i < bytes.length; i++) {
      for (let bit = 0; bit < 8; bit++) {
        const broken = Uint8Array.from(bytes)
        broken[i] ^= 1 << bit
        try {
          const result = bytes === value ? decode(broken, ABC) : decode(value, broken)
          if (inspect(result) !== good) changed++
        } catch (error) {
          assert.ok(['CORRUPT', 'UNSUPPORTED', 'LIMIT'].includes(error.code), error.stack)
          changed++
        }
      }
    }
  }
  assert.ok(changed > 100)
})

/* ---- Shredded columns, built by hand. ---- */

/** @param {any[]} children @param {Uint8Array} [metadata] */
function variant(children, metadata = EMPTY) {
  const { length } = children[0]
  return column('v', 'variant', Array(length).fill(1), {
    children: [binary('metadata', Array(length).fill([...metadata])), ...children],
  })
}

/** @param {any} of */
const all = (of) => Array.from({ length: of.length }, (_, i) => variantGetter(of)(i))

test('shredded numbers', () => {
  const measurement = variant([
    binary('value', [null, NULL, shortString('n/a'), null, null, null]),
    column('typed_value', 'int64', [34n, null, null, 100n, 2n ** 60n, null]),
  ])
  assert.deepEqual(all(measurement), [34, null, 'n/a', 100, 2n ** 60n, null])
  // the columns of a group have no order
  measurement.children.reverse()
  assert.deepEqual(all(measurement), [34, null, 'n/a', 100, 2n ** 60n, null])
})

test('shredded arrays', () => {
  const element = struct('element', [
    binary('value', [null, null, null, NULL, null]),
    column('typed_value', 'string', ['comedy', 'drama', 'horror', null, null]),
  ])
  const tags = variant([
    binary('value', [null, null, null, NULL]),
    list('typed_value', [0, 2, 5, 5, 5], element, [1, 1, 1, null]),
  ])
  assert.deepEqual(all(tags), [['comedy', 'drama'], ['horror', null, null], [], null])
})

test('shredded objects', () => {
  const names = Uint8Array.of(0x11, 3, 0, 1, 5, 9, ...new TextEncoder().encode('etypewhen'))
  const rows = 7
  const type = struct('type', [
    binary('value', [null, null, null, null, NULL, null, null]),
    column('typed_value', 'string', ['noop', 'login', null, null, null, null, null]),
  ])
  const when = struct('when', [
    binary('value', [null, null, null, null, shortString('later'), null, null]),
    column('typed_value', 'int64', [1n, 2n, null, null, null, null, null]),
  ])
  const fields = struct('typed_value', [type, when], [1, 1, 1, null, 1, 1, null])
  const mail = object([0, shortString('@')])
  const event = variant(
    [binary('value', [null, mail, mail, shortString('malformed'), null, null, NULL]), fields],
    names
  )
  assert.equal(event.length, rows)
  assert.deepEqual(all(event), [
    { type: 'noop', when: 1 },
    { e: '@', type: 'login', when: 2 },
    { e: '@' },
    'malformed',
    { type: null, when: 'later' },
    {},
    null,
  ])
})

test('a field in value that is shredded too counts as the shredded column says', () => {
  const names = Uint8Array.of(0x11, 3, 0, 1, 2, 3, 0x61, 0x62, 0x63)
  const a = struct('a', [column('typed_value', 'int32', [1, null])])
  const both = object([0, int8(9)], [1, int8(2)])
  const v = variant([binary('value', [both, both]), struct('typed_value', [a])], names)
  assert.deepEqual(all(v), [{ a: 1, b: 2 }, { b: 2 }])
})

test('a shredded field whose group is null is missing', () => {
  const a = struct('a', [column('typed_value', 'int32', [0, 7])], [null, 1])
  assert.deepEqual(all(variant([struct('typed_value', [a])])), [{}, { a: 7 }])
})

test('contradictions are CORRUPT, with the name of the column', () => {
  const typed = column('typed_value', 'int32', [1])
  const element = struct('element', [column('typed_value', 'int32', [1])])
  /** @type {[any, string][]} */
  const cases = [
    [variant([binary('value', [NULL]), typed]), 'CORRUPT'],
    [variant([binary('value', [NULL]), list('typed_value', [0, 1], element, [1])]), 'CORRUPT'],
    [variant([binary('value', [NULL]), struct('typed_value', [element])]), 'CORRUPT'],
    [variant([binary('value', [array()]), struct('typed_value', [element])]), 'CORRUPT'],
    [variant([column('value', 'string', ['x'])]), 'CORRUPT'],
    [variant([column('typed_value', 'uint32', [1])]), 'UNSUPPORTED'],
    [variant([column('typed_value', 'fixed_size_binary', [EMPTY])]), 'UNSUPPORTED'],
    [column('v', 'variant', [1], { children: [binary('value', [NULL])] }), 'CORRUPT'],
  ]
  for (const [v, code] of cases) {
    assert.throws(
      () => all(v),
      (/** @type {any} */ error) => failsWith(code)(error) && error.column === 'v'
    )
  }
})

/* ---- The cases of shredded_variant ---- */

/**
 * A reader of the text that cases.json has for values: Variant(type=INT8, value=34), VariantArray([…]),
 * VariantObject(fields={a: …}). Its strings have no brackets.
 * @param {string} text
 */
function fromText(text) {
  let at = 0
  const isNext = (/** @type {string} */ token) => {
    if (!text.startsWith(token, at)) return false
    at += token.length
    return true
  }
  const expect = (/** @type {string} */ token) => assert.ok(isNext(token), `${token} at ${text.slice(at)}`)
  const upTo = (/** @type {string} */ end) => {
    const start = at
    at = text.indexOf(end, at)
    return text.slice(start, at)
  }
  /** @type {() => any} */
  const value = () => {
    if (isNext('VariantArray([')) {
      const array = []
      while (!isNext('])')) {
        array.push(value())
        isNext(', ')
      }
      return array
    }
    if (isNext('VariantObject(fields={')) {
      /** @type {Record<string, any>} */
      const object = {}
      while (!isNext('})')) {
        const name = upTo(': ')
        at += 2
        object[name] = value()
        isNext(', ')
      }
      return object
    }
    expect('Variant(type=')
    const type = upTo(', value=')
    at += 8
    const [simple] = [upTo(')')]
    at++
    return primitive(type, simple)
  }
  const variant = () => {
    if (isNext('null')) return null
    expect('Variant(metadata=')
    upTo('), value=')
    at += 9
    const found = value()
    expect(')')
    return found
  }
  if (!isNext('[')) return [variant()]
  const list = []
  while (!isNext(']')) {
    list.push(variant())
    isNext(', ')
  }
  return list
}

/**
 * @param {string} type
 * @param {string} text
 */
function primitive(type, text) {
  switch (type) {
    case 'NULL':
      return null
    case 'FLOAT':
      return Math.fround(Number(text))
    case 'DATE':
    case 'TIMESTAMPTZ':
    case 'TIMESTAMPTZ_NANOS':
      return new Date(text.replace(/(\.\d{3})\d+/, '$1'))
    case 'TIMESTAMPNTZ':
    case 'TIMESTAMPNTZ_NANOS':
      return new Date(`${text.replace(/(\.\d{3})\d+/, '$1')}Z`)
    case 'BINARY':
      return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    case 'STRING':
    case 'UUID':
    case 'TIME':
      return text
    default:
      if (type.startsWith('BOOLEAN')) return text === 'true'
      if (type.startsWith('DECIMAL')) return text
      assert.match(type, /^(INT\d+|DOUBLE)$/)
      return Number(text)
  }
}

/**
 * Metadata, then the value.
 * @param {Uint8Array} bytes
 */
function decodeFile(bytes) {
  const size = (bytes[0] >> 6) + 1
  const number = (/** @type {number} */ at) => Buffer.from(bytes).readUIntLE(at, size)
  const count = number(1)
  const end = 1 + size * (count + 2) + number(1 + size * (count + 1))
  return decodeVariant(namesOf(bytes.subarray(0, end)), bytes.subarray(end))
}

test('shredded_variant', { skip: data === undefined && 'PARQUET_TEST_DATA is not set' }, async () => {
  const path = join(String(data), '../shredded_variant')
  const cases = JSON.parse(readFileSync(join(path, 'cases.json'), 'utf8'))
  let values = 0
  let errors = 0
  for (const { parquet_file, error_message, variant, variants, variant_file, variant_files } of cases) {
    if (parquet_file === undefined) continue
    const file = await open(join(path, parquet_file))
    for (const options of [
      {},
      { dictionary: /** @type {const} */ ('keep') },
      { int64: /** @type {const} */ ('number') },
    ]) {
      // as flat columns do, those with large integers refuse to be numbers
      if ('int64' in options && /DECIMAL8|NANOS/.test(variant)) continue
      const column = (await file.read(options)).column('var')
      assert.equal(column.kind, 'variant')
      if (error_message !== undefined) {
        assert.throws(
          () => [...column],
          failsWith(/Unsupported/.test(error_message) ? 'UNSUPPORTED' : 'CORRUPT'),
          parquet_file
        )
        errors++
        continue
      }
      const expected = fromText(variant ?? variants)
      assert.deepEqual([...column], expected, parquet_file)
      const files = variant_files ?? [variant_file]
      const others = files.map((name) => name && decodeFile(Uint8Array.from(readFileSync(join(path, name)))))
      assert.deepEqual(others, expected, parquet_file)
      values += expected.length
    }
  }
  assert.equal(errors, 3 * 6)
  assert.ok(values >= 2 * 137)
})

test('a variant of which a part was read is a struct', {
  skip: data === undefined && 'PARQUET_TEST_DATA is not set',
}, async () => {
  const file = await open(join(String(data), '../shredded_variant/case-046.parquet'))
  for (const columns of [
    ['var.typed_value'],
    ['var.metadata', 'var.value', 'var.typed_value.a'],
    ['var.value'],
  ]) {
    assert.equal((await file.read({ columns })).column('var').kind, 'struct')
  }
  const [row] = (await file.read({ columns: ['var.value', 'var.typed_value.b.typed_value'] })).rows()
  assert.deepEqual(row, { var: { value: null, typed_value: { b: { typed_value: '' } } } })
  const whole = (await file.read({ columns: ['var'] })).column('var')
  assert.equal(whole.kind, 'variant')
  assert.ok(whole.children?.[0].get(0) instanceof Uint8Array)
})
