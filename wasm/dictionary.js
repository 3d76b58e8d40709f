/** A dictionary that was put together from those of several column chunks, without its repetitions. */

/** @typedef {import('./output.js').Arrays} Arrays */

/* Above this many bytes a dictionary is left as it is: no string could hold them. */
const MAX_TEXT = 2 ** 28

/**
 * Equal entries become one, the first of them, and the indices are changed to match.
 * @param {Int32Array} indices changed in place
 * @param {Arrays} dictionary changed in place, too
 * @param {number} length its entries
 * @returns {{ length: number, arrays: Arrays }}
 */
export function mergeEqual(indices, dictionary, length) {
  const { values, offsets, data } = dictionary
  const bytes = data ?? new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  const width = bytes.length / length
  const start = (/** @type {number} */ i) => (offsets === undefined ? i * width : offsets[i])
  if (bytes.length > MAX_TEXT) return { length, arrays: dictionary }
  // one character a byte, each byte another one: what is equal is so byte for byte, as text and numbers may not be
  const text = new TextDecoder('latin1').decode(bytes)
  /** @type {Map<string, number>} */
  const numbers = new Map()
  const renumbered = Int32Array.from({ length }, (_, i) => {
    const [from, end] = [start(i), start(i + 1)]
    const entry = text.slice(from, end)
    const number = numbers.get(entry) ?? numbers.size
    if (number < numbers.size) return number
    numbers.set(entry, number)
    // to the front: what stood there has been looked at
    bytes.copyWithin(start(number), from, end)
    if (offsets !== undefined) offsets[number + 1] = offsets[number] + end - from
    return number
  })
  const { size } = numbers
  if (size === length) return { length, arrays: dictionary }
  indices.forEach((index, i) => {
    indices[i] = renumbered[index]
  })
  const nulls = { validity: null, nullCount: 0 }
  if (data === undefined)
    return { length: size, arrays: { values: values.slice(0, (values.length / length) * size), ...nulls } }
  const kept = /** @type {Int32Array} */ (offsets).slice(0, size + 1)
  return { length: size, arrays: { offsets: kept, data: data.slice(0, kept[size]), ...nulls } }
}
