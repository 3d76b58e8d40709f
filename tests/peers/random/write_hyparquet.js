/** Random tables by hyparquet-writer. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { encodeZstd } from '../../reference/zstd.js'
import { INTEGERS, pick } from './types.js'
import { encodingsOf } from './write_arrow_rs.js'

/** @typedef {import('./arrow_table.js').RandomColumn} RandomColumn */
/** @typedef {import('./types.js').Type} Type */

const UNITS = { s: '', ms: 'MILLIS', us: 'MICROS', ns: 'NANOS' }

/** @type {import('./types.js').Abilities} */
export const HYPARQUET_ABILITIES = {
  leaves: [
    { kind: 'bool' },
    ...INTEGERS,
    { kind: 'float', bits: 16, oneZero: true },
    { kind: 'float', bits: 32, oneZero: true },
    { kind: 'float', bits: 64, oneZero: true },
    { kind: 'text' },
    { kind: 'text' },
    { kind: 'bytes' },
    { kind: 'uuid' },
    { kind: 'fixed', size: 5 },
    ...[
      [9, 2],
      [18, 6],
    ].map(([precision, scale]) => ({ kind: /** @type {const} */ ('decimal'), precision, scale })),
    { kind: 'date' },
    { kind: 'time', unit: 'ms' },
    { kind: 'time', unit: 'us' },
    ...['ms', 'us', 'ns'].map((unit) => ({
      kind: /** @type {const} */ ('timestamp'),
      unit: /** @type {'ms'} */ (unit),
      utc: true,
    })),
  ],
  nested: ['list', 'struct', 'map'],
  required: true,
}

/** @param {Type} type @returns {any} what the schema says of a leaf */
function leafElement(type) {
  const { kind, bits = 0, unit = 'ms' } = type
  switch (kind) {
    case 'bool':
      return { type: 'BOOLEAN' }
    case 'int':
      return { type: bits === 64 ? 'INT64' : 'INT32', converted_type: `${type.signed ? '' : 'U'}INT_${bits}` }
    case 'float':
      if (bits === 16)
        return { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 2, logical_type: { type: 'FLOAT16' } }
      return { type: bits === 32 ? 'FLOAT' : 'DOUBLE' }
    case 'text':
      return { type: 'BYTE_ARRAY', converted_type: 'UTF8' }
    case 'bytes':
      return { type: 'BYTE_ARRAY' }
    case 'fixed':
      return { type: 'FIXED_LEN_BYTE_ARRAY', type_length: type.size }
    case 'uuid':
      return { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } }
    case 'decimal': {
      const { precision = 0, scale } = type
      return { type: precision > 9 ? 'INT64' : 'INT32', converted_type: 'DECIMAL', precision, scale }
    }
    case 'date':
      return { type: 'INT32', converted_type: 'DATE' }
    case 'time':
      return { type: unit === 'ms' ? 'INT32' : 'INT64', converted_type: `TIME_${UNITS[unit]}` }
    default:
      return { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: UNITS[unit] } }
  }
}

/** @param {string} name @param {Type} type @returns {any[]} elements of the schema */
function elementsOf(name, type) {
  const repetition_type = type.nullable ? 'OPTIONAL' : 'REQUIRED'
  const group = (
    /** @type {string} */ converted_type,
    /** @type {string} */ inner,
    /** @type {any[][]} */ ...fields
  ) => [
    { name, repetition_type, converted_type, num_children: 1 },
    { name: inner, repetition_type: 'REPEATED', num_children: fields.length },
    ...fields.flat(),
  ]
  if (type.kind === 'list')
    return group('LIST', 'list', elementsOf('element', /** @type {Type} */ (type.element)))
  if (type.kind === 'map') {
    const [key, value] = /** @type {Type[]} */ ([type.key, type.value])
    return group('MAP', 'key_value', elementsOf('key', key), elementsOf('value', value))
  }
  if (type.kind === 'struct') {
    const fields = type.fields ?? []
    return [
      { name, repetition_type, num_children: fields.length },
      ...fields.flatMap((field) => elementsOf(field.name, field.type)),
    ]
  }
  return [{ name, repetition_type, ...leafElement(type) }]
}

/** @param {Type} type @param {any} value @returns {any} as the writer wants it */
function writtenValue(type, value) {
  if (value === null) return null
  switch (type.kind) {
    case 'int':
      return type.bits === 64 ? value : Number(value)
    case 'date':
      return Number(value)
    case 'time':
      return type.unit === 'ms' ? Number(value) : value
    case 'list':
      return value.map((/** @type {any} */ item) => writtenValue(/** @type {Type} */ (type.element), item))
    case 'map':
      return value.map((/** @type {[any, any]} */ [key, item]) => ({
        key: writtenValue(/** @type {Type} */ (type.key), key),
        value: writtenValue(/** @type {Type} */ (type.value), item),
      }))
    case 'struct':
      return Object.fromEntries(
        (type.fields ?? []).map((field) => [field.name, writtenValue(field.type, value[field.name])])
      )
    default:
      return value
  }
}

/** Of those that others know, the ones that it writes. @param {Type} type */
function knownEncodings(type) {
  const { type: physical } = leafElement(type)
  return encodingsOf(type).filter((name) => physical !== 'FIXED_LEN_BYTE_ARRAY' || name !== 'DELTA_BYTE_ARRAY')
}

const compressors = {
  GZIP: (/** @type {Uint8Array} */ input) => gzipSync(input),
  BROTLI: (/** @type {Uint8Array} */ input) =>
    brotliCompressSync(input, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }),
  ZSTD: encodeZstd,
}

/**
 * @param {import('../../reference/random.js').Random} random
 * @param {RandomColumn[]} columns
 * @returns {{ bytes: Uint8Array, how: string }}
 */
export function writeHyparquet(random, columns) {
  const codec = pick(random, /** @type {const} */ (['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD']))
  const pageSize = pick(random, [64, 500, 4000, 1 << 20])
  const rowGroupSize = pick(random, [7, 100, 1000])
  const encodings = columns.map(({ type }) => pick(random, [undefined, 'PLAIN', ...knownEncodings(type)]))
  const bytes = parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.flatMap(({ name, type }) => elementsOf(name, type)),
    ],
    columnData: columns.map(({ name, type, values }, i) => ({
      name,
      data: values.map((value) => writtenValue(type, value)),
      encoding: /** @type {any} */ (encodings[i]),
      columnIndex: random.below(2) === 1,
    })),
    codec,
    compressors,
    pageSize,
    rowGroupSize,
  })
  return { bytes: new Uint8Array(bytes), how: `${codec} page ${pageSize} group ${rowGroupSize} ${encodings}` }
}
