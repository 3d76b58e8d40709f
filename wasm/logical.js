/**
 * What the values of a column mean: from the annotations of a schema element to a `type`.
 *
 * An annotation that is unknown, or that does not fit the physical type it stands on, is ignored. `logicalType` goes
 * before the older `convertedType`. Source: parquet-format, LogicalTypes.md.
 */

/**
 * @typedef {import('./index.d.ts').ColumnType} ColumnType
 * @typedef {import('./index.d.ts').SchemaElement} SchemaElement
 * @typedef {import('./index.d.ts').TimeUnit} TimeUnit
 */

/* A scale is so many characters in every value, so a file may not choose it at will. Past every database's limit. */
const MAX_DECIMAL_PRECISION = 131072

/**
 * The type of a leaf, from its annotations where they are good, else from its physical type.
 * @param {SchemaElement} element
 * @returns {ColumnType}
 */
export function columnType(element) {
  return fromLogical(element) ?? fromConverted(element) ?? fromPhysical(element)
}

/**
 * @param {SchemaElement} element
 * @returns {ColumnType}
 */
function fromPhysical({ type, typeLength = 0 }) {
  switch (type) {
    case 'BOOLEAN':
      return { kind: 'bool', physicalType: type }
    case 'INT32':
      return { kind: 'int32', physicalType: type, bitWidth: 32, signed: true }
    case 'INT64':
      return { kind: 'int64', physicalType: type, bitWidth: 64, signed: true }
    case 'INT96':
      return { kind: 'int96', physicalType: type, byteWidth: 12 }
    case 'FLOAT':
      return { kind: 'float32', physicalType: type }
    case 'DOUBLE':
      return { kind: 'float64', physicalType: type }
    case 'FIXED_LEN_BYTE_ARRAY':
      return { kind: 'fixed_size_binary', physicalType: type, byteWidth: typeLength }
    default:
      return { kind: 'binary', physicalType: 'BYTE_ARRAY' }
  }
}

/**
 * @param {SchemaElement} element
 * @returns {ColumnType | undefined}
 */
function fromLogical(element) {
  const logical = element.logicalType
  if (logical === undefined) return undefined
  if (logical.STRING) return ofBytes(element, 'string')
  if (logical.ENUM) return ofBytes(element, 'enum')
  if (logical.JSON) return ofBytes(element, 'json')
  if (logical.BSON) return ofBytes(element, 'bson')
  if (logical.UUID) return ofFixed(element, 'uuid', 16)
  if (logical.FLOAT16) return ofFixed(element, 'float16', 2)
  if (logical.DATE) return ofDate(element)
  if (logical.TIME) return ofTime(element, unitOf(logical.TIME.unit), logical.TIME.isAdjustedToUTC === true)
  if (logical.TIMESTAMP) {
    return ofTimestamp(element, unitOf(logical.TIMESTAMP.unit), logical.TIMESTAMP.isAdjustedToUTC === true)
  }
  if (logical.INTEGER) return ofInteger(element, logical.INTEGER.bitWidth, logical.INTEGER.isSigned === true)
  if (logical.DECIMAL) return ofDecimal(element, logical.DECIMAL.precision, logical.DECIMAL.scale)
  if (logical.GEOMETRY && element.type === 'BYTE_ARRAY') {
    return { kind: 'geometry', physicalType: element.type, crs: logical.GEOMETRY.crs }
  }
  if (logical.GEOGRAPHY && element.type === 'BYTE_ARRAY') {
    const { crs, algorithm } = logical.GEOGRAPHY
    return { kind: 'geography', physicalType: element.type, crs, algorithm }
  }
  if (logical.UNKNOWN) return /** @type {ColumnType} */ ({ ...fromPhysical(element), kind: 'null' })
  return undefined
}

/**
 * @param {SchemaElement} element
 * @returns {ColumnType | undefined}
 */
function fromConverted(element) {
  switch (element.convertedType) {
    case 'UTF8':
      return ofBytes(element, 'string')
    case 'ENUM':
      return ofBytes(element, 'enum')
    case 'JSON':
      return ofBytes(element, 'json')
    case 'BSON':
      return ofBytes(element, 'bson')
    case 'INTERVAL':
      return ofFixed(element, 'interval', 12)
    case 'DATE':
      return ofDate(element)
    case 'TIME_MILLIS':
      return ofTime(element, 'ms', true)
    case 'TIME_MICROS':
      return ofTime(element, 'us', true)
    case 'TIMESTAMP_MILLIS':
      return ofTimestamp(element, 'ms', true)
    case 'TIMESTAMP_MICROS':
      return ofTimestamp(element, 'us', true)
    case 'DECIMAL':
      return ofDecimal(element, element.precision, element.scale)
    case 'INT_8':
      return ofInteger(element, 8, true)
    case 'INT_16':
      return ofInteger(element, 16, true)
    case 'INT_32':
      return ofInteger(element, 32, true)
    case 'INT_64':
      return ofInteger(element, 64, true)
    case 'UINT_8':
      return ofInteger(element, 8, false)
    case 'UINT_16':
      return ofInteger(element, 16, false)
    case 'UINT_32':
      return ofInteger(element, 32, false)
    case 'UINT_64':
      return ofInteger(element, 64, false)
    default:
      return undefined
  }
}

/**
 * @param {SchemaElement} element
 * @param {'string' | 'enum' | 'json' | 'bson'} kind
 * @returns {ColumnType | undefined}
 */
function ofBytes({ type }, kind) {
  return type === 'BYTE_ARRAY' ? { kind, physicalType: type } : undefined
}

/**
 * @param {SchemaElement} element
 * @param {'uuid' | 'float16' | 'interval'} kind
 * @param {number} byteWidth
 * @returns {ColumnType | undefined}
 */
function ofFixed({ type, typeLength }, kind, byteWidth) {
  return type === 'FIXED_LEN_BYTE_ARRAY' && typeLength === byteWidth
    ? { kind, physicalType: type, byteWidth }
    : undefined
}

/**
 * @param {SchemaElement} element
 * @returns {ColumnType | undefined}
 */
function ofDate({ type }) {
  return type === 'INT32' ? { kind: 'date', physicalType: type, unit: 'day' } : undefined
}

/**
 * @param {SchemaElement} element
 * @param {TimeUnit | undefined} unit
 * @param {boolean} isAdjustedToUTC
 * @returns {ColumnType | undefined}
 */
function ofTime({ type }, unit, isAdjustedToUTC) {
  if (unit === undefined || (type !== 'INT32' && type !== 'INT64')) return undefined
  return (type === 'INT32') === (unit === 'ms')
    ? { kind: 'time', physicalType: type, unit, isAdjustedToUTC }
    : undefined
}

/**
 * @param {SchemaElement} element
 * @param {TimeUnit | undefined} unit
 * @param {boolean} isAdjustedToUTC
 * @returns {ColumnType | undefined}
 */
function ofTimestamp({ type }, unit, isAdjustedToUTC) {
  if (unit === undefined || type !== 'INT64') return undefined
  return { kind: 'timestamp', physicalType: type, unit, isAdjustedToUTC }
}

/**
 * @param {SchemaElement} element
 * @param {number | undefined} bitWidth
 * @param {boolean} signed
 * @returns {ColumnType | undefined}
 */
function ofInteger({ type }, bitWidth, signed) {
  if (bitWidth === 64 && type === 'INT64') {
    return { kind: signed ? 'int64' : 'uint64', physicalType: type, bitWidth, signed }
  }
  if ((bitWidth === 8 || bitWidth === 16 || bitWidth === 32) && type === 'INT32') {
    return { kind: `${signed ? 'int' : 'uint'}${bitWidth}`, physicalType: type, bitWidth, signed }
  }
  return undefined
}

/**
 * @param {SchemaElement} element
 * @param {number | undefined} precision
 * @param {number | undefined} scale
 * @returns {ColumnType | undefined}
 */
function ofDecimal({ type, typeLength = 0 }, precision = 0, scale = 0) {
  if (scale < 0 || precision < Math.max(1, scale) || precision > MAX_DECIMAL_PRECISION) return undefined
  switch (type) {
    case 'INT32':
    case 'INT64':
    case 'BYTE_ARRAY':
      return { kind: 'decimal', physicalType: type, precision, scale }
    case 'FIXED_LEN_BYTE_ARRAY':
      return { kind: 'decimal', physicalType: type, precision, scale, byteWidth: typeLength }
    default:
      return undefined
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
