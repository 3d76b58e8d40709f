/** Which arrays a column of a type has. It depends on the type alone, never on how a file stores the values. */

/** @typedef {import('./index.d.ts').ColumnType} ColumnType */
/**
 * @typedef {object} ColumnLayout
 * @property {'bits' | 'fixed' | 'bytes'} form
 * @property {any} ArrayType of `values`; for bytes, of `offsets`
 * @property {number} perEntry elements of `values` an entry
 * @property {number} byteWidth bytes an entry; 0 for bits and bytes
 * @property {'signed' | 'unsigned' | undefined} toNumber 64-bit integers that become numbers
 */

/* Bytes of output that a batch is made of: they are copied while they are hot in the cache. */
const BATCH_BYTES = 128 * 1024
const MAX_STRINGS = 16384

/**
 * Of a column whose dictionary is kept.
 * @type {ColumnLayout}
 */
export const INDICES = fixed(Int32Array, 1)

/**
 * @param {ColumnType} type
 * @param {'bigint' | 'number'} int64
 * @returns {ColumnLayout}
 */
export function layoutOf(type, int64) {
  switch (type.physicalType) {
    case 'BOOLEAN':
      return { form: 'bits', ArrayType: Uint8Array, perEntry: 0, byteWidth: 0, toNumber: undefined }
    case 'BYTE_ARRAY':
      return { form: 'bytes', ArrayType: Int32Array, perEntry: 1, byteWidth: 0, toNumber: undefined }
    case 'INT32':
      return fixed('signed' in type && !type.signed ? Uint32Array : Int32Array, 1)
    case 'INT64': {
      const unsigned = type.kind === 'uint64'
      if (int64 === 'number') return { ...fixed(Float64Array, 1), toNumber: unsigned ? 'unsigned' : 'signed' }
      return fixed(unsigned ? BigUint64Array : BigInt64Array, 1)
    }
    case 'FLOAT':
      return fixed(Float32Array, 1)
    case 'DOUBLE':
      return fixed(Float64Array, 1)
    default:
      if (type.kind === 'float16') return fixed(Uint16Array, 1)
      return fixed(Uint8Array, 'byteWidth' in type ? Number(type.byteWidth) : 12)
  }
}

/**
 * @param {any} ArrayType
 * @param {number} perEntry
 * @returns {ColumnLayout}
 */
function fixed(ArrayType, perEntry) {
  return {
    form: 'fixed',
    ArrayType,
    perEntry,
    byteWidth: perEntry * ArrayType.BYTES_PER_ELEMENT,
    toNumber: undefined,
  }
}

/**
 * Elements of the values array for so many entries.
 * @param {ColumnLayout} layout
 * @param {number} n
 * @returns {number}
 */
export function elementsFor(layout, n) {
  return layout.form === 'bits' ? Math.ceil(n / 8) : n * layout.perEntry
}

/**
 * Rows of a first batch.
 * @param {ColumnLayout} layout
 * @returns {number}
 */
export function firstBatch({ form, byteWidth }) {
  if (form === 'bits') return 2 * BATCH_BYTES
  return form === 'bytes' ? 1024 : Math.max(1, Math.floor(BATCH_BYTES / byteWidth))
}

/**
 * Rows of the next batch of strings, by the length of those before.
 * @param {number} rows
 * @param {number} bytes
 * @returns {number}
 */
export function nextBatch(rows, bytes) {
  const perRow = 4 + bytes / Math.max(1, rows)
  return Math.max(1, Math.min(MAX_STRINGS, Math.floor((2 * BATCH_BYTES) / perRow)))
}
