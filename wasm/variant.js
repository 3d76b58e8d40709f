/**
 * VARIANT columns: values of any type, in an encoding that says what they are, some of them moved to columns of their own
 * ("shredded"). What get(i) gives is plain JavaScript:
 *
 *   null, booleans          null, true, false
 *   int8 int16 int32 int64  number; bigint where a number would not be exact
 *   float double            number
 *   array, object           Array, plain object
 *   all others              as a column of that type gives them: decimals and times as text, Dates, uuids as text, bytes
 *
 * A variant does not depend on how its writer shredded it: the same value is the same JavaScript value. The arrays of the
 * children always hold what the file holds.
 *
 * Source: parquet-format, VariantEncoding.md and VariantShredding.md.
 */
import { describe, PagelaneError } from './errors.js'
import { text, valueGetter } from './values.js'

/** @typedef {import('./index.d.ts').ColumnType} ColumnType */
/** @typedef {import('./table.js').Column} Column */
/**
 * A column, or what stands for one: the single entry of a primitive.
 * @typedef {Pick<Column, 'kind' | 'type' | 'values' | 'indices' | 'dictionary' | 'get'>} Entries
 */
/** @typedef {(column: any, i: number) => any} Read how a value of another type is given; entry i is not null */
/** @typedef {(id: number) => string} Names the dictionary of a variant's metadata */

/* Far more than people nest, and few enough for the engine's stack. */
const MAX_DEPTH = 500

/* Bytes of a primitive after its first, by type number; holes: the size comes first (15, 16), or there is no such type. */
// biome-ignore lint/suspicious/noSparseArray: the holes are meant
const SIZES = [0, 0, 0, 1, 2, 4, 8, 8, 5, 9, 17, 4, 8, 8, 4, , , 8, 8, 8, 16]

/* An object's field that is not there, as opposed to one that is null. */
const MISSING = Symbol('missing')

/**
 * @param {Column} column of kind 'variant': children metadata, value and typed_value, the last two as present
 * @param {Read} [read]
 * @returns {(i: number) => any} for an entry that is not null
 */
export function variantGetter(column, read = (leaf, i) => leaf.get(i)) {
  const metadata = child(column, 'metadata')
  /** @type {((i: number, names: Names) => any) | undefined} */
  let get
  return (i) => {
    try {
      get ??= valueAndTyped(column, read)
      const value = get(i, namesOf(bytesAt(metadata, i)))
      return value === MISSING ? null : value
    } catch (error) {
      if (!(error instanceof PagelaneError)) throw error
      throw new PagelaneError(error.code, `${error.message} [column ${describe(column.name)}, entry ${i}]`, {
        column: column.name,
      })
    }
  }
}

/**
 * @param {Column} column
 * @param {string} name
 * @returns {any} a Column, where there is one
 */
function child(column, name) {
  return column.children?.find((/** @type {Column} */ each) => each.name === name)
}

/**
 * @param {Column | undefined} column
 * @param {number} i
 * @returns {Uint8Array}
 */
function bytesAt(column, i) {
  const bytes = column?.get(i)
  if (!(bytes instanceof Uint8Array)) throw corrupt('metadata or value that is not binary')
  return bytes
}

/**
 * @param {Column} column
 * @param {number} i
 * @returns {boolean}
 */
function isNull({ validity }, i) {
  return validity !== null && ((validity[i >> 3] >> (i & 7)) & 1) === 0
}

/**
 * A group with `value`, `typed_value` or both: the variant itself, a field of a shredded object, an element of a shredded array.
 * @param {Column} column
 * @param {Read} read
 * @returns {(i: number, names: Names) => any}
 */
function valueAndTyped(column, read) {
  const value = child(column, 'value')
  const typed = child(column, 'typed_value')
  const typedValue = typed === undefined ? undefined : shredded(typed, read)
  return (i, names) => {
    const bytes = value === undefined || isNull(value, i) ? undefined : bytesAt(value, i)
    if (typedValue !== undefined && !isNull(typed, i)) return typedValue(i, names, bytes)
    return bytes === undefined ? MISSING : decodeVariant(names, bytes, read)
  }
}

/**
 * @param {Column} typed
 * @param {Read} read
 * @returns {(i: number, names: Names, value: Uint8Array | undefined) => any} of an entry that is not null
 */
function shredded(typed, read) {
  const { kind, children } = typed
  if (kind === 'struct') return shreddedObject(/** @type {Column[]} */ (children), read)
  const get = kind === 'list' ? shreddedArray(typed, read) : shreddedPrimitive(typed, read)
  return (i, names, value) => {
    if (value !== undefined) throw corrupt('both value and typed_value, and not of an object')
    return get(i, names)
  }
}

/**
 * Fields in `value` that are shredded too are against the format; readers may look at the shredded column only.
 * @param {Column[]} fields
 * @param {Read} read
 * @returns {(i: number, names: Names, value: Uint8Array | undefined) => any}
 */
function shreddedObject(fields, read) {
  const getters = fields.map((field) => valueAndTyped(field, read))
  return (i, names, value) => {
    const object = value === undefined ? new Map() : new Decoder(names, value, read).fields()
    for (const [number, field] of fields.entries()) {
      const found = isNull(field, i) ? MISSING : getters[number](i, names)
      if (found === MISSING) object.delete(field.name)
      else object.set(field.name, found)
    }
    return Object.fromEntries(object)
  }
}

/**
 * @param {Column} list
 * @param {Read} read
 * @returns {(i: number, names: Names) => any}
 */
function shreddedArray({ children, offsets }, read) {
  const [elements] = /** @type {Column[]} */ (children)
  const bounds = /** @type {Int32Array} */ (offsets)
  const get = valueAndTyped(elements, read)
  return (i, names) => {
    const array = []
    for (let at = bounds[i]; at < bounds[i + 1]; at++) {
      const element = get(at, names)
      array.push(element === MISSING ? null : element)
    }
    return array
  }
}

const SHREDDABLE = /^(bool|int\d+|float32|float64|decimal|date|time|timestamp|binary|string|uuid)$/

/**
 * @param {Column} column
 * @param {Read} read
 * @returns {(i: number) => any}
 */
function shreddedPrimitive(column, read) {
  const { kind } = column
  // not even where the value is elsewhere: it is not known what else is new in such a file
  if (!SHREDDABLE.test(kind)) {
    throw new PagelaneError('UNSUPPORTED', `variant with a typed_value of type ${kind}`)
  }
  return kind === 'int64' ? (i) => integer(BigInt(column.get(i))) : (i) => read(column, i)
}

/**
 * @param {Uint8Array} metadata
 * @returns {Names} each name is made when it is first asked for
 */
export function namesOf(metadata) {
  const end = metadata.length
  const header = uint(metadata, 0, 1, end)
  if ((header & 15) !== 1) throw new PagelaneError('UNSUPPORTED', `variant version ${header & 15}`)
  const size = (header >> 6) + 1
  const count = uint(metadata, 1, size, end)
  const offsets = 1 + size
  const strings = offsets + (count + 1) * size
  /** @type {string[]} */
  const names = []
  let used = 0
  return (id) => {
    if (id >= count) throw corrupt(`field ${id} of a dictionary of ${count}`)
    if (names[id] === undefined) {
      const start = strings + uint(metadata, offsets + id * size, size, end)
      const stop = strings + uint(metadata, offsets + (id + 1) * size, size, end)
      used += stop - start
      if (start > stop || stop > end || used > end - strings)
        throw corrupt('dictionary whose offsets do not fit')
      names[id] = text(metadata.subarray(start, stop))
    }
    return names[id]
  }
}

/**
 * @param {Names} names
 * @param {Uint8Array} value
 * @param {Read} [read]
 * @returns {any}
 */
export function decodeVariant(names, value, read = (entry, i) => entry.get(i)) {
  return new Decoder(names, value, read).value(0, value.length, 0)
}

/** Decodes one value. Every part lies within the one that holds it, and no two share bytes, so work is as long as the bytes. */
class Decoder {
  #names
  #bytes
  #view
  #read
  /* where the last value ended */
  #end = 0

  /**
   * @param {Names} names
   * @param {Uint8Array} bytes
   * @param {Read} read
   */
  constructor(names, bytes, read) {
    this.#names = names
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#read = read
  }

  /**
   * @param {number} at
   * @param {number} limit where the bytes that it may use end
   * @param {number} depth
   * @returns {any}
   */
  value(at, limit, depth) {
    const header = uint(this.#bytes, at, 1, limit)
    const detail = header >> 2
    switch (header & 3) {
      case 0:
        return this.#primitive(detail, at + 1, limit)
      case 1:
        return this.#text(at + 1, detail, limit)
      case 2:
        return Object.fromEntries(this.#object(at, limit, depth))
      default:
        return this.#array(at, limit, depth)
    }
  }

  /** @returns {Map<string, any>} of a value that has to be an object */
  fields() {
    const { length } = this.#bytes
    if ((uint(this.#bytes, 0, 1, length) & 3) !== 2) throw corrupt('shredded fields of what is no object')
    return this.#object(0, length, 0)
  }

  /**
   * @param {number} at
   * @param {number} limit
   * @param {number} depth
   */
  #object(at, limit, depth) {
    const header = this.#bytes[at] >> 2
    const idSize = ((header >> 2) & 3) + 1
    const object = new Map()
    this.#children(at + 1, limit, depth, header & 16 ? 4 : 1, idSize, (header & 3) + 1, (idAt, value) => {
      const name = this.#names(uint(this.#bytes, idAt, idSize, limit))
      if (object.has(name)) throw corrupt('two fields of one name')
      object.set(name, value)
    })
    return object
  }

  /**
   * @param {number} at
   * @param {number} limit
   * @param {number} depth
   */
  #array(at, limit, depth) {
    const header = this.#bytes[at] >> 2
    /** @type {any[]} */
    const array = []
    this.#children(at + 1, limit, depth, header & 4 ? 4 : 1, 0, (header & 3) + 1, (_, value) =>
      array.push(value)
    )
    return array
  }

  /**
   * A count, as many ids, offsets and one more, values: what objects and arrays have in common. The values of an object
   * may stand in any order.
   * @param {number} at
   * @param {number} limit
   * @param {number} depth
   * @param {number} countSize bytes
   * @param {number} idSize
   * @param {number} offsetSize
   * @param {(idAt: number, value: any) => void} add
   */
  #children(at, limit, depth, countSize, idSize, offsetSize, add) {
    if (depth === MAX_DEPTH) throw new PagelaneError('LIMIT', `variant nested deeper than ${MAX_DEPTH}`)
    const count = uint(this.#bytes, at, countSize, limit)
    const ids = at + countSize
    const offsets = ids + count * idSize
    const values = offsets + (count + 1) * offsetSize
    const size = uint(this.#bytes, values - offsetSize, offsetSize, limit)
    const end = values + size
    if (end > limit) throw corrupt('values past the end')
    let used = 0
    for (let i = 0; i < count; i++) {
      const start = values + uint(this.#bytes, offsets + i * offsetSize, offsetSize, limit)
      const value = this.value(start, end, depth + 1)
      used += this.#end - start
      if (used > size) throw corrupt('values that share bytes')
      add(ids + i * idSize, value)
    }
    this.#end = end
  }

  /**
   * @param {number} at
   * @param {number} size
   * @param {number} limit
   * @returns {Uint8Array}
   */
  #take(at, size, limit) {
    this.#end = at + size
    if (this.#end > limit) throw corrupt('value past the end')
    return this.#bytes.subarray(at, this.#end)
  }

  /**
   * @param {number} at
   * @param {number} size
   * @param {number} limit
   */
  #text(at, size, limit) {
    return text(this.#take(at, size, limit))
  }

  /**
   * @param {number} type
   * @param {number} at
   * @param {number} limit
   * @returns {any}
   */
  #primitive(type, at, limit) {
    if (type === 15 || type === 16) {
      const size = uint(this.#bytes, at, 4, limit)
      if (type === 16) return this.#text(at + 4, size, limit)
      const data = this.#take(at + 4, size, limit)
      return this.#convert({ kind: 'binary', physicalType: 'BYTE_ARRAY' }, { data, offsets: [0, size] })
    }
    const size = SIZES[type]
    if (size === undefined) throw new PagelaneError('UNSUPPORTED', `variant of primitive type ${type}`)
    const bytes = this.#take(at, size, limit)
    const view = this.#view
    switch (type) {
      case 0:
        return null
      case 1:
      case 2:
        return type === 1
      case 3:
        return view.getInt8(at)
      case 4:
        return view.getInt16(at, true)
      case 5:
        return view.getInt32(at, true)
      case 6:
        return integer(view.getBigInt64(at, true))
      case 7:
        return view.getFloat64(at, true)
      case 14:
        return view.getFloat32(at, true)
      case 8:
      case 9:
      case 10:
        return this.#decimal(bytes[0], at + 1, size - 1)
      case 11:
        return this.#convert(
          { kind: 'date', physicalType: 'INT32', unit: 'day' },
          { values: [view.getInt32(at, true)] }
        )
      case 20:
        return this.#convert(
          { kind: 'uuid', physicalType: 'FIXED_LEN_BYTE_ARRAY', byteWidth: 16 },
          { values: bytes }
        )
      default: {
        const kind = type === 17 ? 'time' : 'timestamp'
        const unit = type < 18 ? 'us' : 'ns'
        const isAdjustedToUTC = type === 12 || type === 18
        const values = [view.getBigInt64(at, true)]
        return this.#convert({ kind, physicalType: 'INT64', unit, isAdjustedToUTC }, { values })
      }
    }
  }

  /**
   * @param {number} scale
   * @param {number} at
   * @param {number} size 4, 8 or 16
   */
  #decimal(scale, at, size) {
    if (scale > 38) throw corrupt(`decimal with a scale of ${scale}`)
    const view = this.#view
    let unscaled = size === 4 ? BigInt(view.getInt32(at, true)) : view.getBigInt64(at + size - 8, true)
    if (size === 16) unscaled = (unscaled << 64n) | view.getBigUint64(at, true)
    return this.#convert(
      { kind: 'decimal', physicalType: 'INT64', precision: 38, scale },
      { values: [unscaled] }
    )
  }

  /**
   * As a column of one entry, so that its value is what such a column gives.
   * @param {ColumnType} type
   * @param {any} arrays
   */
  #convert(type, arrays) {
    return this.#read({ kind: type.kind, type, ...arrays, get: valueGetter({ type, ...arrays }) }, 0)
  }
}

/**
 * @param {bigint} value
 * @returns {number | bigint} a number where it is exact
 */
function integer(value) {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/**
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} size 1 to 4
 * @param {number} limit
 * @returns {number} unsigned, least significant byte first
 */
function uint(bytes, at, size, limit) {
  if (at + size > limit) throw corrupt('cut short')
  let value = bytes[at]
  for (let i = 1; i < size; i++) value += bytes[at + i] * 2 ** (8 * i)
  return value
}

/**
 * @param {string} what
 * @returns {PagelaneError}
 */
function corrupt(what) {
  return new PagelaneError('CORRUPT', `variant: ${what}`)
}
