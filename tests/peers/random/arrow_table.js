/** Random columns as an Arrow table, built buffer by buffer. */
import * as arrow from 'apache-arrow'

/** @typedef {import('./types.js').Type} Type */
/** @typedef {{ name: string, type: Type, values: any[] }} RandomColumn */

const UNITS = { s: 0, ms: 1, us: 2, ns: 3 }

/** @param {Type} type @returns {arrow.DataType<any>} */
function arrowType(type) {
  const { kind, bits = 0, unit = 'ms' } = type
  switch (kind) {
    case 'bool':
      return new arrow.Bool()
    case 'int':
      return new arrow.Int(/** @type {any} */ (type.signed), /** @type {any} */ (bits))
    case 'float':
      return new arrow.Float(bits === 16 ? 0 : bits === 32 ? 1 : 2)
    case 'text':
      return new arrow.Utf8()
    case 'bytes':
      return new arrow.Binary()
    case 'fixed':
      return new arrow.FixedSizeBinary(/** @type {number} */ (type.size))
    case 'decimal':
      return new arrow.Decimal(/** @type {number} */ (type.scale), /** @type {number} */ (type.precision), 128)
    case 'date':
      return new arrow.DateDay()
    case 'time':
      return new arrow.Time(UNITS[unit], unit === 'ms' ? 32 : 64)
    case 'timestamp':
      return new arrow.Timestamp(UNITS[unit], type.utc ? 'UTC' : null)
    case 'null':
      return new arrow.Null()
    case 'list':
      return new arrow.List(arrowField('item', type.element))
    case 'struct':
      return new arrow.Struct((type.fields ?? []).map((field) => arrowField(field.name, field.type)))
    case 'map':
      return new arrow.Map_(
        new arrow.Field(
          'entries',
          new arrow.Struct([arrowField('key', type.key), arrowField('value', type.value)]),
          false
        )
      )
    default:
      throw new Error(`no Arrow type for ${kind}`)
  }
}

/** @param {string} name @param {Type | undefined} type */
function arrowField(name, type) {
  if (type === undefined) throw new Error(`a type without ${name}`)
  return /** @type {any} */ (new arrow.Field(name, arrowType(type), type.nullable))
}

/** @param {Type} type @returns {any} what stands where there is no entry */
function zeroOf(type) {
  if (type.nullable) return null
  const zeros = { bool: false, float: 0, text: '', bytes: new Uint8Array(0), list: [], map: [] }
  if (type.kind === 'fixed') return new Uint8Array(type.size ?? 0)
  if (type.kind === 'struct')
    return Object.fromEntries((type.fields ?? []).map((f) => [f.name, zeroOf(f.type)]))
  return zeros[/** @type {'bool'} */ (type.kind)] ?? 0n
}

/**
 * A column of nulls. Writing it, apache-arrow takes the slice that is the whole, which forgets how many nulls there are.
 * @param {number} length
 */
function nullData(length) {
  const data = new arrow.Data(new arrow.Null(), 0, length, length)
  return Object.assign(data, { slice: () => data })
}

/** @param {any[]} values @param {(value: any) => boolean} isSet */
function bitmap(values, isSet) {
  const bits = new Uint8Array((values.length + 63) >> 3)
  values.forEach((value, i) => {
    if (isSet(value)) bits[i >> 3] |= 1 << (i & 7)
  })
  return bits
}

/** @param {number[]} lengths */
function offsetsOf(lengths) {
  const offsets = new Int32Array(lengths.length + 1)
  lengths.forEach((length, i) => {
    offsets[i + 1] = offsets[i] + length
  })
  return offsets
}

/**
 * @param {Type} type
 * @param {any[]} values
 * @param {arrow.DataType<any>} [as]
 * @returns {arrow.Data<any>}
 */
function dataOf(type, values, as = arrowType(type)) {
  const nullCount = values.filter((value) => value === null).length
  const common = {
    type: /** @type {any} */ (as),
    length: values.length,
    nullCount,
    nullBitmap: bitmap(values, (value) => value !== null),
  }
  switch (type.kind) {
    case 'null':
      return nullData(values.length)
    case 'list': {
      const valueOffsets = offsetsOf(values.map((value) => value?.length ?? 0))
      const items = values.flatMap((value) => value ?? [])
      return arrow.makeData({
        ...common,
        valueOffsets,
        child: dataOf(/** @type {Type} */ (type.element), items),
      })
    }
    case 'map': {
      const valueOffsets = offsetsOf(values.map((value) => value?.length ?? 0))
      const pairs = values.flatMap((value) => value ?? [])
      const entries = {
        kind: /** @type {const} */ ('struct'),
        nullable: false,
        fields: [
          { name: 'key', type: /** @type {Type} */ (type.key) },
          { name: 'value', type: /** @type {Type} */ (type.value) },
        ],
      }
      const structs = pairs.map(([key, value]) => ({ key, value }))
      return arrow.makeData({ ...common, valueOffsets, child: dataOf(entries, structs, as.children[0].type) })
    }
    case 'struct': {
      const children = (type.fields ?? []).map(({ name, type: each }) =>
        dataOf(
          each,
          values.map((value) => (value === null ? zeroOf(each) : value[name]))
        )
      )
      return arrow.makeData({ ...common, children })
    }
    default:
      return arrow.makeData({ ...common, ...leafBuffers(type, values) })
  }
}

/** @param {any} array a class of arrays @param {any[]} values @param {(value: any) => any} each */
const arrayOf = (array, values, each) => array.from(values, each)

/** @param {Type} type @param {any[]} values @returns {any} */
function leafBuffers(type, values) {
  const { kind, bits = 0 } = type
  if (kind === 'bool') return { data: bitmap(values, (value) => value === true) }
  if (kind === 'text' || kind === 'bytes') {
    const parts = values.map((value) => Buffer.from(value ?? ''))
    return {
      valueOffsets: offsetsOf(parts.map(({ length }) => length)),
      data: new Uint8Array(Buffer.concat(parts)),
    }
  }
  if (kind === 'fixed') {
    const empty = new Uint8Array(type.size ?? 0)
    return { data: new Uint8Array(Buffer.concat(values.map((value) => value ?? empty))) }
  }
  if (kind === 'decimal') {
    const words = values.flatMap((value) =>
      [0n, 32n, 64n, 96n].map((shift) => Number(BigInt.asUintN(32, (value ?? 0n) >> shift)))
    )
    return { data: Uint32Array.from(words) }
  }
  if (kind === 'float') {
    if (bits === 16) return { data: Uint16Array.from(values, (value) => halfBits(value ?? 0)) }
    return { data: arrayOf(bits === 32 ? Float32Array : Float64Array, values, (value) => value ?? 0) }
  }
  const wide = kind === 'timestamp' || (kind === 'time' && type.unit !== 'ms') || bits === 64
  if (wide) {
    const array = type.signed === false ? BigUint64Array : BigInt64Array
    return { data: arrayOf(array, values, (value) => value ?? 0n) }
  }
  const arrays =
    type.signed === false
      ? { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array }
      : { 8: Int8Array, 16: Int16Array, 32: Int32Array }
  return { data: arrayOf(arrays[/** @type {8} */ (bits || 32)], values, (value) => Number(value ?? 0)) }
}

/** @param {number} value one that a half float holds */
export function halfBits(value) {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0
  const size = Math.abs(value)
  if (Number.isNaN(value)) return 0x7e00
  if (size === Infinity) return sign | 0x7c00
  if (size < 2 ** -14) return sign | (size * 2 ** 24)
  const exponent = Math.floor(Math.log2(size))
  return sign | ((exponent + 15) << 10) | ((size / 2 ** exponent - 1) * 1024)
}

/**
 * @param {RandomColumn[]} columns
 * @returns {Uint8Array} an Arrow stream
 */
export function arrowStream(columns) {
  const schema = new arrow.Schema(columns.map(({ name, type }) => arrowField(name, type)))
  const length = columns[0].values.length
  const children = columns.map(({ type, values }, i) => dataOf(type, values, schema.fields[i].type))
  const data = arrow.makeData({ type: new arrow.Struct(schema.fields), length, nullCount: 0, children })
  return arrow.tableToIPC(new arrow.Table(schema, [new arrow.RecordBatch(schema, data)]), 'stream')
}
