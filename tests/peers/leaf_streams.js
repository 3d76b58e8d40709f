/**
 * Columns taken apart into the leaves and streams of bytes that tests/c/column_digests.c describes, whole or some of their rows.
 */

/** @typedef {{ entries: number, streams: Uint8Array[] }} Leaf */

/**
 * @param {any} column of the top level
 * @param {number} [start] first row
 * @param {number} [end] the row after the last
 * @returns {Leaf[]}
 */
export function leafStreams(column, start = 0, end = column.length) {
  return leaves(column, start, end, [], [])
}

/**
 * @param {any} column
 * @param {number} start
 * @param {number} end
 * @param {Uint8Array[]} above streams of its ancestors
 * @param {Uint8Array[]} groups of these, of structs of the same rows
 * @returns {Leaf[]}
 */
function leaves(column, start, end, above, groups) {
  const own = column.nullable ? [bitsOf(column.validity, start, end)] : []
  const streams = [...above, ...own]
  if (column.kind === 'list' || column.kind === 'map') {
    const { offsets, children } = column
    return leaves(children[0], offsets[start], offsets[end], [...streams, lengthsOf(offsets, start, end)], [])
  }
  if (column.children !== undefined) {
    return column.children.flatMap((/** @type {any} */ child) =>
      leaves(child, start, end, streams, [...groups, ...own])
    )
  }
  return [
    { entries: end - start, streams: [...streams, ...valueStreams(column, start, end, [...groups, ...own])] },
  ]
}

/**
 * @param {any} column a leaf
 * @param {number} start
 * @param {number} end
 * @param {Uint8Array[]} bits 0 where it, or a struct that it is in, is null
 * @returns {Uint8Array[]}
 */
function valueStreams(column, start, end, bits) {
  const { type, values, offsets, data, dictionary } = column
  if (dictionary !== undefined) return dictionaryStreams(column, start, end, bits)
  if (offsets !== undefined)
    return [lengthsOf(offsets, start, end), data.subarray(offsets[start], offsets[end])]
  if (type.physicalType === 'BOOLEAN') return [bitsOf(values, start, end)]
  const width = widthOf(type, values)
  return [new Uint8Array(values.buffer, values.byteOffset + start * width, (end - start) * width)]
}

/** Bytes of an entry. @param {any} type @param {any} values */
const widthOf = ({ physicalType, byteWidth }, values) =>
  physicalType === 'FIXED_LEN_BYTE_ARRAY' || physicalType === 'INT96' ? byteWidth : values.BYTES_PER_ELEMENT

/**
 * What its indices point to; nothing, or zeros, where an entry is null.
 * @param {any} column
 * @param {number} start
 * @param {number} end
 * @param {Uint8Array[]} bits
 */
function dictionaryStreams({ indices, dictionary }, start, end, bits) {
  const { type, offsets, data, values } = dictionary
  const rows = Array.from({ length: end - start }, (_, i) =>
    bits.some((each) => each[i] === 0) ? -1 : indices[start + i]
  )
  if (offsets !== undefined) {
    const parts = rows.map((at) => (at < 0 ? data.subarray(0, 0) : data.subarray(offsets[at], offsets[at + 1])))
    return [bytesOfLengths(parts.map((part) => part.length)), Buffer.concat(parts)]
  }
  const width = widthOf(type, values)
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  const zero = new Uint8Array(width)
  return [Buffer.concat(rows.map((at) => (at < 0 ? zero : bytes.subarray(at * width, (at + 1) * width))))]
}

/** @param {Uint8Array | null} bits @param {number} start @param {number} end @returns {Uint8Array} a byte each */
function bitsOf(bits, start, end) {
  return Uint8Array.from({ length: end - start }, (_, i) => {
    const at = start + i
    return bits === null ? 1 : (bits[at >> 3] >> (at & 7)) & 1
  })
}

/** @param {Int32Array} offsets @param {number} start @param {number} end */
function lengthsOf(offsets, start, end) {
  return bytesOfLengths(
    Array.from({ length: end - start }, (_, i) => offsets[start + i + 1] - offsets[start + i])
  )
}

/** @param {number[]} lengths */
const bytesOfLengths = (lengths) => new Uint8Array(Uint32Array.from(lengths).buffer)
