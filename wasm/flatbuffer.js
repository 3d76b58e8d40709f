/**
 * Writes flatbuffers, as much of them as Arrow's metadata needs, from a tree of JavaScript values. Tables, vectors and strings
 * begin 4 bytes behind a multiple of 8, and every field of a table has 8 bytes:
 *
 *   vtable  | its size | table's size | place of field 0 | of field 1 | ...      16 bits each; place 0: not there
 *   table   | distance back to the vtable | field 0 ........ | field 1 ........ |
 *   vector  | count | elements ...                                               a string: bytes, and a 0 behind them
 *
 * So alignment is right for every width, and one way of writing does for all integers: who reads fewer than 64 bits finds
 * them in front. A field that is no integer holds the distance to what it refers to, which stands behind it.
 * Source: FlatBuffers, "Internals".
 */

/**
 * A table is an array of its fields, by their number in the schema; undefined: not there.
 * @typedef {(Flat | undefined)[]} FlatTable
 */
/**
 * @typedef {object} FlatVector
 * @property {ArrayLike<Flat>} items
 * @property {number} size bytes an item: 4 for tables, 8 for integers
 * @property {number} [members] items that make an element: of structures whose members all have 64 bits
 */
/** @typedef {number | boolean | string | FlatTable | FlatVector} Flat */

const utf8 = new TextEncoder()

/**
 * @param {FlatTable} root
 * @returns {number[]} bytes
 */
export function flatbuffer(root) {
  /** @type {number[]} */
  const bytes = []
  const grow = (/** @type {number} */ size) => {
    const start = bytes.length
    while (bytes.length < start + size) bytes.push(0)
    return start
  }
  const align = () => grow((12 - (bytes.length % 8)) % 8)
  const put = (/** @type {number} */ at, /** @type {number} */ value, /** @type {number} */ size) => {
    for (let i = 0, rest = value; i < size; i++, rest = Math.floor(rest / 256)) bytes[at + i] = rest & 255
  }
  const place = (/** @type {number} */ at, /** @type {Flat} */ flat, /** @type {number} */ size) => {
    if (typeof flat === 'number' || typeof flat === 'boolean') put(at, Number(flat), size)
    else put(at, write(flat) - at, 4)
  }

  /**
   * @param {string | FlatTable | FlatVector} flat
   * @returns {number} where it stands
   */
  const write = (flat) => {
    align()
    if (!Array.isArray(flat)) {
      const {
        items,
        size,
        members = 1,
      } = typeof flat === 'string' ? { items: utf8.encode(flat), size: 1 } : flat
      const vector = grow(4 + size * items.length + 1)
      put(vector, items.length / members, 4)
      for (let i = 0; i < items.length; i++) place(vector + 4 + size * i, items[i], size)
      return vector
    }
    const vtable = grow(4 + 2 * flat.length)
    align()
    const table = grow(4 + 8 * flat.length)
    put(vtable, 4 + 2 * flat.length, 2)
    put(vtable + 2, 4 + 8 * flat.length, 2)
    put(table, table - vtable, 4)
    flat.forEach((field, i) => {
      if (field === undefined) return
      put(vtable + 4 + 2 * i, 4 + 8 * i, 2)
      place(table + 4 + 8 * i, field, 8)
    })
    return table
  }

  grow(4)
  put(0, write(root), 4)
  return bytes
}
