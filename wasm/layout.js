/** Which arrays a column of a type has. It depends on the type alone, never on how a file stores the values. */

/** @typedef {import('./index.d.ts').ColumnType} ColumnType */
/**
 * @typedef {object} ColumnLayout
 * @property {'bits' | 'fixed' | 'bytes' | 'offsets' | 'none'} form
 * @property {any} ArrayType of `values`; for bytes and lists, of `offsets`
 * @property {number} perEntry elements of `values` an entry
 * @property {number} byteWidth bytes an entry; 0 for bits and bytes
 * @property {'signed' | 'unsigned' | undefined} toNumber 64-bit integers that become numbers
 */

/**
 * Of a column whose dictionary is kept.
 * @type {ColumnLayout}
 */
export const INDICES = layout('fixed', Int32Array)

/* What stands above the entries of a nested column: lists, and groups that have but a validity. */
export const OFFSETS = layout('offsets', Int32Array, 0)
export const VALIDITY = layout('none', Uint8Array, 0)

/**
 * @param {ColumnType} type
 * @param {'bigint' | 'number'} [int64]
 * @returns {ColumnLayout}
 */
export function layoutOf(type, int64) {
  const unsigned = 'signed' in type && !type.signed
  switch ('physicalType' in type ? type.physicalType : undefined) {
    case 'BOOLEAN':
      return layout('bits', Uint8Array, 0)
    case 'BYTE_ARRAY':
      return layout('bytes', Int32Array, 0)
    case 'INT32':
      return layout('fixed', unsigned ? Uint32Array : Int32Array)
    case 'INT64':
      if (int64 === 'number') return layout('fixed', Float64Array, 1, unsigned ? 'unsigned' : 'signed')
      return layout('fixed', unsigned ? BigUint64Array : BigInt64Array)
    case 'FLOAT':
      return layout('fixed', Float32Array)
    case 'DOUBLE':
      return layout('fixed', Float64Array)
    default:
      if (type.kind === 'float16') return layout('fixed', Uint16Array)
      return layout('fixed', Uint8Array, 'byteWidth' in type ? Number(type.byteWidth) : 12)
  }
}

/**
 * @param {ColumnLayout['form']} form
 * @param {any} ArrayType
 * @param {number} [perEntry]
 * @param {'signed' | 'unsigned'} [toNumber]
 * @returns {ColumnLayout}
 */
function layout(form, ArrayType, perEntry = 1, toNumber = undefined) {
  const byteWidth = form === 'fixed' ? perEntry * ArrayType.BYTES_PER_ELEMENT : 0
  return { form, ArrayType, perEntry, byteWidth, toNumber }
}

/**
 * Elements of the values array for so many entries.
 * @param {ColumnLayout} layout
 * @param {number} n
 * @returns {number}
 */
export function elementsFor({ form, perEntry }, n) {
  if (form === 'bits') return Math.ceil(n / 8)
  return form === 'bytes' || form === 'offsets' ? n + 1 : n * perEntry
}
