/**
 * Entries as a column in Arrow's layout: fixed-width values with zeros in the null slots, booleans as bits, byte arrays as offsets
 * and data, validity as bits, least significant first.
 */

import { packBits } from './bitpack.js'
import { ByteWriter, concatBytes } from './bytes.js'
import { valueBytes, widthOfType } from './plain.js'

/**
 * @typedef {object} ArrowColumn
 * @property {number} length
 * @property {number} nullCount
 * @property {Uint8Array} values empty for BYTE_ARRAY
 * @property {Uint8Array} validity empty when nothing is null
 * @property {Uint8Array} offsets int32, empty but for BYTE_ARRAY
 * @property {Uint8Array} data empty but for BYTE_ARRAY
 */

/**
 * @param {import('./plain.js').Type} type
 * @param {number} typeLength
 * @param {(import('./plain.js').Value | null)[]} entries
 * @returns {ArrowColumn}
 */
export function arrowColumn(type, typeLength, entries) {
  const nullCount = entries.filter((entry) => entry === null).length
  const none = new Uint8Array(0)
  /** @type {ArrowColumn} */
  const column = {
    length: entries.length,
    nullCount,
    values: none,
    offsets: none,
    data: none,
    validity: nullCount
      ? packBits(
          entries.map((entry) => (entry === null ? 0 : 1)),
          1
        )
      : none,
  }
  if (type === 'BOOLEAN') {
    column.values = packBits(
      entries.map((entry) => (entry ? 1 : 0)),
      1
    )
  } else if (type === 'BYTE_ARRAY') {
    const parts = entries.map((entry) => (entry === null ? none : valueBytes(type, entry)))
    const offsets = new ByteWriter().le(0, 4)
    let end = 0
    for (const part of parts) offsets.le((end += part.length), 4)
    column.offsets = offsets.finish()
    column.data = concatBytes(...parts)
  } else {
    const width = widthOfType(type, typeLength)
    column.values = new Uint8Array(entries.length * width)
    entries.forEach((entry, i) => {
      if (entry !== null) column.values.set(valueBytes(type, entry), i * width)
    })
  }
  return column
}

/**
 * Levels as uint16.
 * @param {number[]} levels
 * @returns {Uint8Array}
 */
export function levelBytes(levels) {
  const out = new ByteWriter()
  for (const level of levels) out.le(level, 2)
  return out.finish()
}
