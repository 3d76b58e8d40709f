/** Logical types, annotated in both ways, as writers do, and in the new or the old way alone. */
import { Buffer } from 'node:buffer'
import { binary, bool, i8, i32, struct } from '../../reference/thrift.js'
import {
  bytesOf,
  dateOf,
  decimalOf,
  intervalOf,
  structOf,
  textOf,
  timeOf,
  timestampOf,
  uuidOf,
} from '../plain.js'
import { treeFile } from '../tree_file.js'

/** @typedef {import('../tree_file.js').Node} Node */
/** @typedef {import('../../reference/thrift.js').Fields} Fields */
/** @typedef {import('./pages.js').Feature} Feature */

/** Numbers of LogicalType's fields. */
const L = {
  STRING: 1,
  ENUM: 4,
  DECIMAL: 5,
  DATE: 6,
  TIME: 7,
  TIMESTAMP: 8,
  INTEGER: 10,
  UNKNOWN: 11,
  JSON: 12,
  BSON: 13,
  UUID: 14,
  FLOAT16: 15,
  VARIANT: 16,
  GEOMETRY: 17,
  GEOGRAPHY: 18,
}
/** Numbers of ConvertedType. */
const C = {
  UTF8: 0,
  ENUM: 4,
  DECIMAL: 5,
  DATE: 6,
  TIME_MILLIS: 7,
  TIME_MICROS: 8,
  TIMESTAMP_MILLIS: 9,
  TIMESTAMP_MICROS: 10,
  UINT_8: 11,
  UINT_16: 12,
  UINT_32: 13,
  UINT_64: 14,
  INT_8: 15,
  INT_16: 16,
  INT_32: 17,
  INT_64: 18,
  JSON: 19,
  BSON: 20,
  INTERVAL: 21,
}

/** @param {keyof typeof L} name @param {Fields} [fields] */
const logical = (name, fields = []) => ({ logicalType: /** @type {Fields} */ ([[L[name], struct(fields)]]) })
/** @param {keyof typeof C} name */
const converted = (name) => ({ convertedType: C[name] })
/** Both, as writers do. @param {'STRING' | 'DATE' | 'ENUM' | 'JSON' | 'BSON'} name */
const both = (name) => ({ ...logical(name), ...converted(name === 'STRING' ? 'UTF8' : name) })

/**
 * @param {string} name
 * @param {Partial<Node>} node of column x
 * @param {any[]} stored
 * @param {any[]} values
 * @param {any[][]} [others]
 * @returns {Feature}
 */
function feature(name, node, stored, values, others) {
  const bytes = treeFile(
    [/** @type {Node} */ ({ name: 'x', ...node })],
    [...stored, null].map((x) => ({ x }))
  )
  return { name, bytes, values: [...values, null], others: others?.map((other) => [...other, null]) }
}

/** @param {string} text */
const hex = (text) => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'))
/** @param {bigint} value @param {number} size */
function twosComplement(value, size) {
  return Uint8Array.from({ length: size }, (_, i) =>
    Number(BigInt.asUintN(8, value >> BigInt(8 * (size - 1 - i))))
  )
}

/** @returns {Feature[]} */
function texts() {
  const texts = ['text', 'τέλος 🏁', '']
  const json = ['{"a":[1,2.50]}', 'null']
  const bson = hex('05 00 00 00 00')
  const uuid = '00112233-4455-6677-8899-aabbccddeeff'
  return [
    feature('STRING', { type: 'BYTE_ARRAY', ...both('STRING') }, texts, texts.map(textOf)),
    feature('STRING (new)', { type: 'BYTE_ARRAY', ...logical('STRING') }, texts, texts.map(textOf)),
    feature('UTF8 (old)', { type: 'BYTE_ARRAY', ...converted('UTF8') }, texts, texts.map(textOf)),
    feature('ENUM', { type: 'BYTE_ARRAY', ...both('ENUM') }, texts, texts.map(textOf)),
    feature('JSON', { type: 'BYTE_ARRAY', ...both('JSON') }, json, json.map(textOf)),
    feature('BSON', { type: 'BYTE_ARRAY', ...both('BSON') }, [bson], [bytesOf(bson)]),
    feature(
      'UUID',
      { type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 16, ...logical('UUID') },
      [hex(uuid.replaceAll('-', ''))],
      [uuidOf(uuid)]
    ),
  ]
}

/** @returns {Feature[]} */
function integers() {
  /** @param {'INT32' | 'INT64'} type @param {number} bits @param {boolean} signed @param {object} annotation */
  const one = (type, bits, signed, annotation, name) => {
    const values = signed ? [-(2n ** BigInt(bits - 1)), 5n] : [2n ** BigInt(bits) - 1n, 5n]
    return feature(
      name,
      { type, ...annotation },
      values.map((value) => BigInt.asIntN(type === 'INT32' ? 32 : 64, value)),
      values
    )
  }
  return [8, 16, 32, 64].flatMap((bits) => {
    const type = bits === 64 ? 'INT64' : 'INT32'
    return [true, false].flatMap((signed) => {
      const old = /** @type {keyof typeof C} */ (`${signed ? '' : 'U'}INT_${bits}`)
      const annotation = logical('INTEGER', [
        [1, i8(bits)],
        [2, bool(signed)],
      ])
      return [
        one(
          type,
          bits,
          signed,
          { ...annotation, ...converted(old) },
          `INTEGER ${bits} ${signed ? 'signed' : 'unsigned'}`
        ),
        one(type, bits, signed, annotation, `INTEGER ${bits} ${signed ? 'signed' : 'unsigned'} (new)`),
        one(type, bits, signed, converted(old), `${old} (old)`),
      ]
    })
  })
}

/** @returns {Feature[]} */
function decimals() {
  /** @param {number} precision @param {number} scale */
  const decimal = (precision, scale) => ({
    precision,
    scale,
    ...converted('DECIMAL'),
    ...logical('DECIMAL', [
      [1, i32(scale)],
      [2, i32(precision)],
    ]),
  })
  const small = [123456789n, -1n, 0n]
  const wide = [10n ** 37n + 1n, -(10n ** 20n), 0n]
  const widest = [10n ** 75n + 1n, -(10n ** 20n)]
  const text = (/** @type {bigint[]} */ values, /** @type {number} */ scale) =>
    values.map((value) => decimalOf(value, scale))
  const bytes = (/** @type {bigint[]} */ values, /** @type {number} */ size) =>
    values.map((value) => twosComplement(value, size))
  return [
    feature('DECIMAL(9, 2), INT32', { type: 'INT32', ...decimal(9, 2) }, small, text(small, 2)),
    feature(
      'DECIMAL(18, 4), INT64',
      { type: 'INT64', ...decimal(18, 4) },
      [10n ** 17n + 7n, ...small],
      text([10n ** 17n + 7n, ...small], 4)
    ),
    feature(
      'DECIMAL(38, 10), BYTE_ARRAY',
      { type: 'BYTE_ARRAY', ...decimal(38, 10) },
      bytes(wide, 16),
      text(wide, 10)
    ),
    feature(
      'DECIMAL(38, 10), FIXED_LEN_BYTE_ARRAY(16)',
      { type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 16, ...decimal(38, 10) },
      bytes(wide, 16),
      text(wide, 10)
    ),
    feature(
      'DECIMAL(76, 10), FIXED_LEN_BYTE_ARRAY(32)',
      { type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 32, ...decimal(76, 10) },
      bytes(widest, 32),
      text(widest, 10)
    ),
    feature(
      'DECIMAL(9, 2) (old)',
      { type: 'INT32', ...converted('DECIMAL'), precision: 9, scale: 2 },
      small,
      text(small, 2)
    ),
  ]
}

/** @returns {Feature[]} */
function times() {
  const day = { ms: 86_399_999n, us: 86_399_999_999n, ns: 86_399_999_999_999n }
  const units = /** @type {const} */ (['ms', 'us', 'ns'])
  const names = { ms: 'MILLIS', us: 'MICROS', ns: 'NANOS' }
  /** @param {'TIME' | 'TIMESTAMP'} name @param {boolean} utc @param {'ms' | 'us' | 'ns'} unit */
  const annotation = (name, utc, unit) => ({
    ...(utc && unit !== 'ns' ? converted(/** @type {keyof typeof C} */ (`${name}_${names[unit]}`)) : {}),
    ...logical(name, [
      [1, bool(utc)],
      [2, struct([[units.indexOf(unit) + 1, struct([])]])],
    ]),
  })
  const days = [19000n, -719162n]
  const INTERVAL = hex('0c000000 1f000000 e8030000')
  const stamps = { ms: [1700000000123n, -1n], us: [1700000000123456n, -1n], ns: [1700000000123456789n, -1n] }
  const at = units.flatMap((unit) =>
    [true, false].map((utc) =>
      feature(
        `TIMESTAMP ${names[unit]}${utc ? '' : ', local'}`,
        { type: 'INT64', ...annotation('TIMESTAMP', utc, unit) },
        stamps[unit],
        stamps[unit].map((value) => timestampOf(value, unit))
      )
    )
  )
  const of = units.map((unit) =>
    feature(
      `TIME ${names[unit]}`,
      { type: unit === 'ms' ? 'INT32' : 'INT64', ...annotation('TIME', true, unit) },
      [0n, day[unit]],
      [0n, day[unit]].map((value) => timeOf(value, unit))
    )
  )
  return [
    feature('DATE', { type: 'INT32', ...both('DATE') }, days, days.map(dateOf)),
    feature('DATE (new)', { type: 'INT32', ...logical('DATE') }, days, days.map(dateOf)),
    feature('DATE (old)', { type: 'INT32', ...converted('DATE') }, days, days.map(dateOf)),
    ...of,
    feature(
      'TIME_MILLIS (old)',
      { type: 'INT32', ...converted('TIME_MILLIS') },
      [day.ms],
      [timeOf(day.ms, 'ms')]
    ),
    feature(
      'TIME_MICROS (old)',
      { type: 'INT64', ...converted('TIME_MICROS') },
      [day.us],
      [timeOf(day.us, 'us')]
    ),
    ...at,
    feature(
      'TIMESTAMP_MILLIS (old)',
      { type: 'INT64', ...converted('TIMESTAMP_MILLIS') },
      stamps.ms,
      stamps.ms.map((value) => timestampOf(value, 'ms'))
    ),
    feature(
      'TIMESTAMP_MICROS (old)',
      { type: 'INT64', ...converted('TIMESTAMP_MICROS') },
      stamps.us,
      stamps.us.map((value) => timestampOf(value, 'us'))
    ),
    feature(
      'INTERVAL',
      { type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 12, ...converted('INTERVAL') },
      [INTERVAL],
      [intervalOf(12, 31, 1000)],
      [[bytesOf(INTERVAL)]]
    ),
  ]
}

/** @returns {Feature[]} */
function others() {
  const point = hex('01 01000000 000000000000f03f 0000000000000040')
  const halves = ['0000', '003c', '01fc', '0104', 'ff7b'].map(hex)
  /** @type {Node[]} */
  const parts = [
    { name: 'metadata', repetition: 'REQUIRED', type: 'BYTE_ARRAY' },
    { name: 'value', repetition: 'OPTIONAL', type: 'BYTE_ARRAY' },
  ]
  const metadata = hex('01 00 00')
  const seven = hex('0c 07')
  const version = logical('VARIANT', [[1, i8(1)]])
  const raw = (/** @type {any[]} */ names, /** @type {any[]} */ fields) => structOf(names, fields)
  return [
    feature('FLOAT16', { type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 2, ...logical('FLOAT16') }, halves, [
      0,
      1,
      NaN,
      1025 * 2 ** -24,
      65504,
    ]),
    feature('UNKNOWN', { type: 'INT32', ...logical('UNKNOWN') }, [null, null], [null, null]),
    feature(
      'GEOMETRY',
      { type: 'BYTE_ARRAY', ...logical('GEOMETRY', [[1, binary('OGC:CRS84')]]) },
      [point],
      [bytesOf(point)]
    ),
    feature('GEOGRAPHY', { type: 'BYTE_ARRAY', ...logical('GEOGRAPHY') }, [point], [bytesOf(point)]),
    feature(
      'VARIANT',
      { children: parts, ...version },
      [{ metadata, value: seven }],
      [raw(['metadata', 'value'], [metadata, seven].map(bytesOf))],
      [[7n]]
    ),
    feature(
      'VARIANT, shredded',
      { children: [...parts, { name: 'typed_value', repetition: 'OPTIONAL', type: 'INT64' }], ...version },
      [{ metadata, value: null, typed_value: 7n }],
      [raw(['metadata', 'value', 'typed_value'], [bytesOf(metadata), null, 7n])],
      [[7n], [raw(['metadata', 'value'], [metadata, hex('1807000000 00000000')].map(bytesOf))]]
    ),
  ]
}

/** @type {[string, () => Feature[]][]} */
export const TYPE_FEATURES = [
  ['Texts, bytes, uuids', texts],
  ['Integers', integers],
  ['Decimals', decimals],
  ['Dates and times', times],
  ['Other logical types', others],
]
