/** Columns made by hand, and what Arrow's readers make of them. */
import assert from 'node:assert/strict'
import { tableFromIPC as flechetteTable } from '@uwdata/flechette'
import { tableFromIPC } from 'apache-arrow'
import { Column, Table } from '../../wasm/table.js'
import { FLECHETTE, fromArrow, fromFlechette, ours } from './arrow_values.js'

/**
 * @param {any} type
 * @param {number} length
 * @param {any} arrays
 * @returns {Column}
 */
export function column(type, length, { name = type.kind, validity = null, nullCount = 0, ...arrays }) {
  return new Column(name, type, length, { validity, nullCount, ...arrays })
}

/**
 * Reads it back in both formats, by both readers, and compares.
 * @param {Column} made
 * @returns {{ type: string, extension: any[], values: any[] }}
 */
export function roundTrip(made) {
  const table = new Table(made.length, [made], [])
  let found
  for (const format of ['stream', 'file']) {
    const bytes = table.toArrowIPC({ format })
    const theirs = tableFromIPC(bytes)
    const [field] = theirs.schema.fields
    const rows = Array.from({ length: made.length }, (_, i) => i)
    const values = rows.map((i) => fromArrow(theirs.getChildAt(0), i))
    assert.deepEqual(
      values,
      rows.map((i) => ours(made, i, field.type)),
      `apache-arrow: ${field.type}`
    )
    const other = flechetteTable(bytes, FLECHETTE).getChildAt(0)
    assert.deepEqual(
      rows.map((i) => fromFlechette(other.type, other.at(i))),
      values,
      `flechette: ${field.type}`
    )
    const extension = [...field.metadata].flat()
    found = { type: String(field.type), extension, values }
  }
  return found
}

export const int32 = { kind: 'int32', physicalType: 'INT32', bitWidth: 32, signed: true }
export const string = { kind: 'string', physicalType: 'BYTE_ARRAY' }
export const words = column(string, 3, {
  name: 'word',
  offsets: Int32Array.of(0, 1, 1, 3),
  data: Uint8Array.from(Buffer.from('abc')),
})
