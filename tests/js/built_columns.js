/** Columns built by hand, nested ones too. Entries of a struct that are null have null children. */

/** @param {any[]} values */
function validityOf(values) {
  const bits = new Uint8Array(Math.ceil(values.length / 8))
  values.forEach((value, i) => {
    if (value !== null) bits[i >> 3] |= 1 << (i & 7)
  })
  return bits
}

/**
 * @param {string} name
 * @param {string} kind
 * @param {any[]} values as get(i) gives them
 * @param {object} [more]
 * @returns {any}
 */
export function column(name, kind, values, more) {
  return {
    name,
    kind,
    type: { kind },
    length: values.length,
    validity: values.includes(null) ? validityOf(values) : null,
    get: (/** @type {number} */ i) => values[i],
    ...more,
  }
}

/**
 * @param {string} name
 * @param {(number[] | null)[]} values
 */
export function binary(name, values) {
  return column(
    name,
    'binary',
    values.map((value) => value && Uint8Array.from(value))
  )
}

/**
 * @param {string} name
 * @param {any[]} children
 * @param {(1 | null)[]} [entries]
 */
export function struct(name, children, entries = Array(children[0].length).fill(1)) {
  return column(name, 'struct', entries, { children })
}

/**
 * @param {string} name
 * @param {number[]} offsets
 * @param {any} element
 * @param {(1 | null)[]} [entries]
 */
export function list(name, offsets, element, entries = Array(offsets.length - 1).fill(1)) {
  return column(name, 'list', entries, { offsets: Int32Array.from(offsets), children: [element] })
}
