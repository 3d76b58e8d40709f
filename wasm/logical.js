/**
 * What the values of a column mean: from the annotations of a schema element to a `type`.
 *
 * An annotation that is unknown, or that does not fit the physical type it stands on, is ignored. `logicalType` goes
 * before the older `convertedType`. Source: parquet-format, LogicalTypes.md.
 */

/**
 * @typedef {import('./index.d.ts').LeafType} LeafType
 * @typedef {import('./index.d.ts').SchemaElement} SchemaElement
 * @typedef {import('./index.d.ts').TimeUnit} TimeUnit
 */

/* A scale is so many characters in every value, so a file may not choose it at will. Past every database's limit. */
const MAX_DECIMAL_PRECISION = 131072

/**
 * The type of a leaf, from its annotations where they are good, else from its physical type.
 * @param {SchemaElement} element
 * @returns {LeafType}
 */
export function columnType(element) {
  return (
    annotated(element, element.logicalType) ??
    annotated(element, asLogical(element)) ??
    /** @type {LeafType} */ (physical(element))
  )
}

/**
 * What can be said without an annotation: `kind`, and the width of values that stand as bytes.
 * @param {SchemaElement} element
 */
function physical({ type: physicalType, typeLength = 0 }) {
  switch (physicalType) {
    case 'BOOLEAN':
      return { kind: 'bool', physicalType }
    case 'INT32':
      return { kind: 'int32', physicalType, bitWidth: 32, signed: true }
    case 'INT64':
      return { kind: 'int64', physicalType, bitWidth: 64, signed: true }
    case 'INT96':
      return { kind: 'int96', physicalType, byteWidth: 12 }
    case 'FLOAT':
      return { kind: 'float32', physicalType }
    case 'DOUBLE':
      return { kind: 'float64', physicalType }
    case 'FIXED_LEN_BYTE_ARRAY':
      return { kind: 'fixed_size_binary', physicalType, byteWidth: typeLength }
    default:
      return { kind: 'binary', physicalType: 'BYTE_ARRAY' }
  }
}

/**
 * The older annotation as the newer one says it.
 * @param {SchemaElement} element
 * @returns {any} with INTERVAL, which the newer one does not have
 */
function asLogical({ convertedType, precision, scale }) {
  const name = String(convertedType)
  const [, unsigned, bits] = /^(U?)INT_(\d+)$/.exec(name) ?? []
  if (bits) return { INTEGER: { bitWidth: Number(bits), isSigned: unsigned === '' } }
  const [, time, unit] = /^(TIME|TIMESTAMP)_(MILLIS|MICROS)$/.exec(name) ?? []
  if (time) return { [time]: { unit: { [unit]: {} }, isAdjustedToUTC: true } }
  return { [name === 'UTF8' ? 'STRING' : name]: { precision, scale } }
}

/**
 * @param {SchemaElement} element
 * @param {any} [logical]
 * @returns {any} a LeafType; undefined where the annotation is unknown or does not fit
 */
function annotated(element, logical = {}) {
  const { type: physicalType, typeLength = 0 } = element
  const [name] = Object.keys(logical)
  const {
    isAdjustedToUTC = false,
    bitWidth,
    isSigned: signed = false,
    precision = 0,
    scale = 0,
  } = logical[name] ?? {}
  const is32 = physicalType === 'INT32'
  const is64 = physicalType === 'INT64'
  const kind = name?.toLowerCase()
  switch (name) {
    case 'STRING':
    case 'ENUM':
    case 'JSON':
    case 'BSON':
      return physicalType === 'BYTE_ARRAY' ? { kind, physicalType } : undefined
    case 'GEOMETRY':
    case 'GEOGRAPHY': {
      const defaults = { crs: 'OGC:CRS84', ...(name === 'GEOGRAPHY' ? { algorithm: 'SPHERICAL' } : {}) }
      return physicalType === 'BYTE_ARRAY' ? { kind, physicalType, ...defaults, ...logical[name] } : undefined
    }
    case 'UUID':
    case 'FLOAT16':
    case 'INTERVAL': {
      const byteWidth = { UUID: 16, FLOAT16: 2, INTERVAL: 12 }[name]
      const fits = physicalType === 'FIXED_LEN_BYTE_ARRAY' && typeLength === byteWidth
      return fits ? { kind, physicalType, byteWidth } : undefined
    }
    case 'DATE':
      return is32 ? { kind, physicalType, unit: 'day' } : undefined
    case 'TIME':
    case 'TIMESTAMP': {
      const unit = unitOf(logical[name].unit)
      const fits = name === 'TIME' && unit === 'ms' ? is32 : is64
      return unit && fits ? { kind, physicalType, unit, isAdjustedToUTC } : undefined
    }
    case 'INTEGER': {
      const fits = bitWidth === 64 ? is64 : is32 && [8, 16, 32].includes(bitWidth)
      return fits ? { kind: `${signed ? '' : 'u'}int${bitWidth}`, physicalType, bitWidth, signed } : undefined
    }
    case 'DECIMAL': {
      const { kind: stored, byteWidth } = /** @type {any} */ (physical(element))
      const isPossible = scale >= 0 && precision >= Math.max(1, scale) && precision <= MAX_DECIMAL_PRECISION
      if (!isPossible || !/^(int32|int64|binary|fixed_size_binary)$/.test(stored)) return undefined
      return { kind, physicalType, precision, scale, ...(byteWidth === undefined ? {} : { byteWidth }) }
    }
    case 'UNKNOWN':
      return { ...physical(element), kind: 'null' }
  }
}

/**
 * @param {{ MILLIS?: {}, MICROS?: {}, NANOS?: {} } | undefined} unit
 * @returns {TimeUnit | undefined}
 */
function unitOf(unit) {
  if (unit?.MILLIS) return 'ms'
  if (unit?.MICROS) return 'us'
  return unit?.NANOS ? 'ns' : undefined
}
