/**
 * One form for what all readers give, so that it can be compared:
 *
 *   null, true, false
 *   bigint      integers of every width
 *   number      floating point of every width
 *   string      bytes, one character each: text as UTF-8, uuid, fixed width, well-known binary
 *   Tagged      'decimal 1.50', 'date 19000' (days), 'time 1000' and 'timestamp 1000' (nanoseconds), 'interval 1 2 3'
 *   Array       lists
 *   Pairs       maps, in the order of the file
 *   object      structs, without a prototype
 *
 * Where a reader has lost what a value was (hyparquet's decimals are floats, its maps objects, its times integers) its own
 * form stays, and `same` knows it.
 */

export class Tagged {
  /** @param {string} text */
  constructor(text) {
    this.text = text
  }

  toString() {
    return this.text
  }
}

/** A map's entries. */
export class Pairs {
  /** @param {[any, any][]} entries */
  constructor(entries) {
    this.entries = entries
  }
}

/** @typedef {{ name: string, values: any[] }} PlainColumn */

/** @typedef {'s' | 'ms' | 'us' | 'ns'} Unit */
/** Nanoseconds. @type {Record<Unit, bigint>} */
const NS = { s: 1_000_000_000n, ms: 1_000_000n, us: 1000n, ns: 1n }

/** @param {number | bigint} days */
export const dateOf = (days) => new Tagged(`date ${days}`)
/** @param {number | bigint} count @param {Unit} unit */
export const timeOf = (count, unit) => new Tagged(`time ${BigInt(count) * NS[unit]}`)
/** @param {number | bigint} count @param {Unit} unit */
export const timestampOf = (count, unit) => new Tagged(`timestamp ${BigInt(count) * NS[unit]}`)
/** @param {number} months @param {number} days @param {number | bigint} milliseconds */
export const intervalOf = (months, days, milliseconds) =>
  new Tagged(`interval ${months} ${days} ${milliseconds}`)
/** @param {bigint} unscaled @param {number} scale */
export function decimalOf(unscaled, scale) {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0')
  const at = digits.length - scale
  const text = scale > 0 ? `${digits.slice(0, at)}.${digits.slice(at)}` : digits + '0'.repeat(-scale)
  return new Tagged(`decimal ${unscaled < 0n ? '-' : ''}${text}`)
}

/** @param {Uint8Array} bytes */
export const bytesOf = (bytes) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
/** @param {string} text */
export const textOf = (text) => Buffer.from(text, 'utf8').toString('latin1')
/** @param {string} text of a uuid */
export const uuidOf = (text) => Buffer.from(text.replaceAll('-', ''), 'hex').toString('latin1')

/** The 12 bytes of an INT96: nanoseconds of the day, then the Julian day. @param {Uint8Array} bytes */
export function int96Of(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 12)
  const days = BigInt(view.getInt32(8, true)) - 2440588n
  return timestampOf(days * 86_400_000_000_000n + view.getBigInt64(0, true), 'ns')
}

/** @param {number} bits of a half float */
export function halfOf(bits) {
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  const sign = bits & 0x8000 ? -1 : 1
  if (exponent === 31) return fraction ? NaN : sign * Infinity
  return exponent ? sign * (1024 + fraction) * 2 ** (exponent - 25) : sign * fraction * 2 ** -24
}

/** Two's complement, most significant byte first. @param {Uint8Array} bytes */
export function bigEndian(bytes) {
  if (bytes.length === 0) return 0n
  return BigInt.asIntN(8 * bytes.length, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
}

/** The names of a struct's fields as properties: later ones of the same name get _1, _2 and so on. @param {string[]} names */
export function uniqueNames(names) {
  /** @type {Set<string>} */
  const used = new Set()
  return names.map((name) => {
    let unique = name
    for (let i = 1; used.has(unique); i++) unique = `${name}_${i}`
    used.add(unique)
    return unique
  })
}

/**
 * @param {string[]} names
 * @param {any[]} values
 */
export function structOf(names, values) {
  const struct = Object.create(null)
  for (const [i, name] of uniqueNames(names).entries()) struct[name] = values[i]
  return struct
}

/**
 * Are these the same values? Either may be of a reader that has lost what a value was.
 * @param {any} a
 * @param {any} b
 * @returns {boolean}
 */
export function same(a, b) {
  if (Object.is(a, b)) return true
  if (a === null || b === null || a === undefined || b === undefined) return false
  if (typeof a === 'number' || typeof b === 'number')
    return typeof a === 'number' ? sameNumber(a, b) : sameNumber(b, a)
  if (a instanceof Tagged) return b instanceof Tagged ? a.text === b.text : sameTagged(a, b)
  if (b instanceof Tagged) return sameTagged(b, a)
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((value, i) => same(value, b[i]))
  if (a instanceof Pairs) return b instanceof Pairs ? samePairs(a, b) : sameAsObject(a, b)
  if (b instanceof Pairs) return sameAsObject(b, a)
  if (typeof a !== 'object' || typeof b !== 'object' || Array.isArray(b)) return false
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => name in b && same(a[name], b[name]))
}

/** @param {number} number @param {any} other */
function sameNumber(number, other) {
  if (typeof other === 'bigint') return Number.isInteger(number) && BigInt(number) === other
  return other instanceof Tagged && sameTagged(other, number)
}

/** @param {Tagged} tagged @param {any} other a number or bigint, where a reader says no more */
function sameTagged({ text }, other) {
  const [tag, digits] = text.split(' ')
  if (tag === 'decimal' && typeof other === 'number') {
    return Math.abs(Number(digits) - other) <= 1e-12 * Math.abs(other)
  }
  if (tag !== 'time' || (typeof other !== 'number' && typeof other !== 'bigint')) return false
  return [NS.ms, NS.us, NS.ns].some((unit) => BigInt(other) * unit === BigInt(digits))
}

/** @param {Pairs} a @param {Pairs} b */
function samePairs(a, b) {
  return (
    a.entries.length === b.entries.length &&
    a.entries.every(([key, value], i) => same(key, b.entries[i][0]) && same(value, b.entries[i][1]))
  )
}

/** A map, and an object made of one: keys are text, their order is lost, the last of equal keys is left. @param {Pairs} pairs @param {any} object */
function sameAsObject({ entries }, object) {
  if (typeof object !== 'object' || Array.isArray(object)) return false
  const last = new Map(entries.map(([key, value]) => [String(key), value]))
  const names = Object.keys(object)
  return (
    names.length === last.size && names.every((name) => last.has(name) && same(last.get(name), object[name]))
  )
}

/**
 * The first row where two columns differ; -1 when they are the same.
 * @param {any[]} a
 * @param {any[]} b
 */
export function firstDifference(a, b) {
  if (a.length !== b.length) return Math.min(a.length, b.length)
  return a.findIndex((value, i) => !same(value, b[i]))
}

/** For messages. @param {any} value @returns {string} */
export function show(value) {
  const text = JSON.stringify(value, (_, each) => {
    if (typeof each === 'bigint') return `${each}n`
    if (each instanceof Tagged) return `<${each.text}>`
    if (each instanceof Pairs) return { pairs: each.entries }
    return typeof each === 'number' && !Number.isFinite(each) ? String(each) : Object.is(each, -0) ? '-0' : each
  })
  return text === undefined ? 'nothing' : text.length > 300 ? `${text.slice(0, 300)}…` : text
}
