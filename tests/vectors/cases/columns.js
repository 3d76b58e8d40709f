/**
 * What the page cases are made of: columns, values of every type, null patterns.
 */
import { Random } from '../../reference/random.js'

/** @typedef {import('../../reference/plain.js').Value} Value */
/** @typedef {import('../../reference/plain.js').Type} Type */

/** Every physical type, FIXED_LEN_BYTE_ARRAY in widths that kernels treat apart. */
export const TYPES = /** @type {{ label: string, type: Type, typeLength?: number }[]} */ ([
  { label: 'boolean', type: 'BOOLEAN' },
  { label: 'int32', type: 'INT32' },
  { label: 'int64', type: 'INT64' },
  { label: 'int96', type: 'INT96' },
  { label: 'float', type: 'FLOAT' },
  { label: 'double', type: 'DOUBLE' },
  { label: 'byte-array', type: 'BYTE_ARRAY' },
  { label: 'fixed-1', type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 1 },
  { label: 'fixed-4', type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 4 },
  { label: 'fixed-5', type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 5 },
  { label: 'fixed-16', type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 16 },
])

/**
 * Is entry i of n null?
 * @type {Record<string, (i: number, n: number, random: Random) => boolean>}
 */
export const NULL_PATTERNS = {
  none: () => false,
  all: () => true,
  alternate: (i) => i % 2 === 1,
  random: (_i, _n, random) => random.below(4) === 0,
  first: (i) => i === 0,
  last: (i, n) => i === n - 1,
  runs: (i) => i % 50 >= 37,
}

/** Entries of the pages that a pattern is cut into: odd sizes, empty pages, more than one step of the kernels. */
export const PAGE_SIZES = [5, 0, 1, 33, 7, 70, 0, 23]

/**
 * n values of a type; the rarer bit patterns of floats are among them.
 * @param {Type} type
 * @param {number} typeLength
 * @param {number} n
 * @param {Random} random
 * @returns {Value[]}
 */
export function valuesOf(type, typeLength, n, random) {
  return Array.from({ length: n }, (_, i) => {
    switch (type) {
      case 'BOOLEAN':
        return random.below(2) === 1
      case 'INT32':
        return BigInt.asIntN(32, random.u64() >> BigInt(random.below(64)))
      case 'INT64':
        return BigInt.asIntN(64, random.u64()) >> BigInt(random.below(60))
      case 'INT96':
        return random.bytes(12)
      case 'FLOAT':
        return i % 9 === 8 ? 0x7fa00000n + random.bits(20) : i % 9 === 7 ? -0 : random.below(1000) / 8
      case 'DOUBLE':
        return i % 9 === 8 ? 0xfff4000000000000n + random.bits(40) : i % 9 === 7 ? -0 : random.below(1000) / 7
      case 'BYTE_ARRAY':
        return random.bytes(i % 11 === 5 ? 70 : random.below(i % 3 ? 6 : 19))
      default:
        return random.bytes(typeLength)
    }
  })
}

/**
 * Cuts entries into pages of the sizes given; the last takes what is left.
 * @template E
 * @param {E[]} entries
 * @param {number[]} [sizes]
 * @returns {E[][]}
 */
export function cut(entries, sizes = PAGE_SIZES) {
  /** @type {E[][]} */
  const pages = []
  let at = 0
  for (const size of sizes) {
    pages.push(entries.slice(at, at + size))
    at += size
  }
  if (at < entries.length) pages.push(entries.slice(at))
  return pages
}

/**
 * Sets the entries null that a pattern names.
 * @template E
 * @param {E[]} values
 * @param {string} pattern
 * @param {Random} random
 * @returns {(E | null)[]}
 */
export function withNulls(values, pattern, random) {
  const isNull = NULL_PATTERNS[pattern]
  return values.map((value, i) => (isNull(i, values.length, random) ? null : value))
}
