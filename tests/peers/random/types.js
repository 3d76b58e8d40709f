/**
 * Random types and values. A value is null, boolean, bigint (integers, counts of units, unscaled decimals), number (floats),
 * string (text), Uint8Array, an array (lists), an object (structs) or an array of pairs (maps).
 */
import {
  bytesOf,
  dateOf,
  decimalOf,
  intervalOf,
  Pairs,
  structOf,
  textOf,
  timeOf,
  timestampOf,
} from '../plain.js'

/** @typedef {import('../../reference/random.js').Random} Random */
/**
 * @typedef {object} Type
 * @property {'bool' | 'int' | 'float' | 'text' | 'bytes' | 'fixed' | 'uuid' | 'decimal' | 'date' | 'time' | 'timestamp' | 'interval' | 'null'
 *   | 'list' | 'struct' | 'map'} kind
 * @property {boolean} nullable
 * @property {number} [bits] of integers and floats
 * @property {boolean} [signed]
 * @property {boolean} [narrow] integers whose differences, and the differences of these, have no more bits than they
 * @property {boolean} [oneZero] of floats that a writer finds in its dictionary though the sign of a zero differs
 * @property {number} [size] in bytes, of fixed
 * @property {number} [precision]
 * @property {number} [scale]
 * @property {'s' | 'ms' | 'us' | 'ns'} [unit]
 * @property {boolean} [utc]
 * @property {Type} [element]
 * @property {Type} [key]
 * @property {Type} [value]
 * @property {{ name: string, type: Type }[]} [fields]
 */
/** @typedef {Omit<Type, 'nullable'>} Leaf */

/**
 * What a writer can write.
 * @typedef {object} Abilities
 * @property {Leaf[]} leaves
 * @property {Type['kind'][]} nested
 * @property {boolean} required whether a column, field or element may be REQUIRED
 */

/** @template T @param {Random} random @param {readonly T[]} list @returns {T} */
export const pick = (random, list) => list[random.below(list.length)]

/** @type {Leaf[]} */
export const INTEGERS = [8, 16, 32, 64].flatMap((bits) => [
  { kind: 'int', bits, signed: true },
  { kind: 'int', bits, signed: false },
])

/** @param {Random} random @param {Abilities} abilities @param {number} depth that is left @returns {Type} */
export function randomType(random, abilities, depth) {
  const nullable = !abilities.required || random.below(4) > 0
  const { leaves, nested } = abilities
  if (depth === 0 || nested.length === 0 || random.below(3) === 0) {
    const leaf = pick(random, leaves)
    return { ...leaf, nullable: leaf.kind === 'null' || nullable }
  }
  const inner = () => randomType(random, abilities, depth - 1)
  const kind = pick(random, nested)
  if (kind === 'list') return { kind, nullable, element: inner() }
  if (kind === 'map') {
    const key = pick(
      random,
      /** @type {Leaf[]} */ ([{ kind: 'text' }, { kind: 'int', bits: 32, signed: true, narrow: true }])
    )
    return { kind, nullable, key: { ...key, nullable: false }, value: inner() }
  }
  const fields = Array.from({ length: 1 + random.below(3) }, (_, i) => ({ name: 'abc'[i], type: inner() }))
  return { kind, nullable, fields }
}

/**
 * Which of n entries are null: none, all, few, half, or runs.
 * @param {Random} random
 * @param {number} n
 * @returns {(i: number) => boolean}
 */
function nullPattern(random, n) {
  switch (random.below(6)) {
    case 0:
      return () => false
    case 1: {
      const all = random.below(3) === 0
      return () => all
    }
    case 2:
      return () => random.below(20) === 0
    case 3:
      return () => random.below(2) === 0
    default: {
      const run = 1 + random.below(Math.max(1, n >> 1))
      return (i) => Math.floor(i / run) % 2 === 1
    }
  }
}

/**
 * @param {Random} random
 * @param {Type} type
 * @param {number} n
 * @returns {any[]}
 */
export function randomValues(random, type, n) {
  const isNull = type.kind === 'null' ? () => true : type.nullable ? nullPattern(random, n) : () => false
  const nulls = Array.from({ length: n }, (_, i) => isNull(i))
  const values = valuesOf(random, type, nulls)
  return nulls.map((is, i) => (is ? null : values[i]))
}

/** @param {Random} random @param {Type} type @param {boolean[]} nulls @returns {any[]} */
function valuesOf(random, type, nulls) {
  const n = nulls.length
  if (type.kind === 'struct') {
    const fields = (type.fields ?? []).map((field) => ({
      ...field,
      values: randomValues(random, field.type, n),
    }))
    return nulls.map((_, i) => Object.fromEntries(fields.map(({ name, values }) => [name, values[i]])))
  }
  if (type.kind !== 'list' && type.kind !== 'map') return leafValues(random, type, n)
  const long = random.below(8) === 0 ? 1 + random.below(60) : 0
  const lengths = nulls.map((is) => (is ? 0 : long > 0 && random.below(30) === 0 ? long : random.below(4)))
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const items = randomValues(
    random,
    /** @type {Type} */ (type.kind === 'list' ? type.element : type.value),
    total
  )
  let at = 0
  return lengths.map((length) => {
    const part = items.slice(at, at + length)
    at += length
    if (type.kind === 'list') return part
    const first = random.below(1000)
    return part.map((value, i) => [type.key?.kind === 'text' ? `key ${first + i}` : BigInt(first + i), value])
  })
}

/**
 * Values of a leaf: all one, of few, in steps, or anything.
 * @param {Random} random
 * @param {Type} type
 * @param {number} n
 * @returns {any[]}
 */
function leafValues(random, type, n) {
  const mode = random.below(5)
  if (mode < 2) {
    const few = Array.from({ length: mode === 0 ? 1 : 2 + random.below(30) }, () => anyValue(random, type))
    return Array.from({ length: n }, () => pick(random, few))
  }
  if (mode === 2 && type.kind === 'int') {
    const width = /** @type {number} */ (type.bits)
    const wrap = type.signed ? BigInt.asIntN : BigInt.asUintN
    let value = random.bits(type.narrow ? width / 2 : width)
    const step = 1 + random.below(1000)
    return Array.from({ length: n }, () => (value = wrap(width, value + BigInt(random.below(step)))))
  }
  if (mode === 2 && type.kind === 'text') {
    const stem = 'a common beginning '.repeat(random.below(4))
    return Array.from({ length: n }, (_, i) => `${stem}${String(i).padStart(random.below(9), '0')}`)
  }
  return Array.from({ length: n }, () => anyValue(random, type))
}

/** Inside of what every writer's text and Date can hold. */
const DAYS = 100_000
const PER_DAY = { s: 86_400n, ms: 86_400_000n, us: 86_400_000_000n, ns: 86_400_000_000_000n }
const WORDS = ['', 'a', 'Ωmega', '🏁 flag', 'tab\t', 'long '.repeat(30), 'nul\0', 'abc', 'abcd', 'zz']

/** @param {Random} random @param {Type} type @returns {any} */
function anyValue(random, type) {
  const { kind, bits = 0, unit = 'ms' } = type
  switch (kind) {
    case 'bool':
      return random.below(2) === 1
    case 'int': {
      const value = random.bits(random.below(type.narrow ? bits - 2 : bits + 1)) - BigInt(random.below(3))
      return (type.signed ? BigInt.asIntN : BigInt.asUintN)(bits, type.narrow && value < 0n ? 0n : value)
    }
    case 'float':
      return type.oneZero ? anyFloat(random, bits) + 0 : anyFloat(random, bits)
    case 'text':
      return pick(random, WORDS) + (random.below(2) ? String(random.below(1000)) : '')
    case 'bytes':
      return random.bytes(random.below(12))
    case 'fixed':
      return random.bytes(/** @type {number} */ (type.size))
    case 'uuid':
      return random.bytes(16)
    case 'decimal': {
      const limit = 10n ** BigInt(type.precision ?? 1)
      const value = (random.u64() * random.u64()) % limit
      return random.below(2) ? value : -value
    }
    case 'date':
      return BigInt(random.below(2 * DAYS) - DAYS)
    case 'time':
      return random.u64() % PER_DAY[unit]
    case 'timestamp': {
      const [days, count] = [BigInt(random.below(DAYS) - DAYS / 2), random.u64() % PER_DAY[unit]]
      return days * PER_DAY[unit] + count
    }
    case 'interval':
      return [random.below(1000), random.below(1000), random.below(86_400_000)]
    default:
      return null
  }
}

/** @param {Random} random @param {number} bits */
function anyFloat(random, bits) {
  const special = [0, -0, 1, -1, Infinity, -Infinity, NaN]
  if (random.below(6) === 0) return pick(random, special)
  if (bits === 16) return (random.below(2048) - 1024) * 2 ** (random.below(30) - 24)
  const number = random.below(2)
    ? (random.below(2_000_001) - 1_000_000) / 100
    : Number(random.u64()) * 10 ** (random.below(40) - 30)
  return bits === 32 ? Math.fround(number) : number
}

/**
 * In the form of plain.js.
 * @param {Type} type
 * @param {any} value
 * @returns {any}
 */
export function toPlain(type, value) {
  if (value === null) return null
  const { unit = 'ms' } = type
  switch (type.kind) {
    case 'text':
      return textOf(value)
    case 'bytes':
    case 'fixed':
    case 'uuid':
      return bytesOf(value)
    case 'decimal':
      return decimalOf(value, type.scale ?? 0)
    case 'date':
      return dateOf(value)
    case 'time':
      return timeOf(value, unit)
    case 'timestamp':
      return timestampOf(value, unit)
    case 'interval':
      return intervalOf(value[0], value[1], value[2])
    case 'list':
      return value.map((/** @type {any} */ item) => toPlain(/** @type {Type} */ (type.element), item))
    case 'map':
      return new Pairs(
        value.map((/** @type {[any, any]} */ [key, item]) => [
          toPlain(/** @type {Type} */ (type.key), key),
          toPlain(/** @type {Type} */ (type.value), item),
        ])
      )
    case 'struct': {
      const fields = type.fields ?? []
      return structOf(
        fields.map(({ name }) => name),
        fields.map((field) => toPlain(field.type, value[field.name]))
      )
    }
    default:
      return value
  }
}
