/** Random tables by the reference model: V1 pages that begin anywhere in a row, every encoding by turns. */
import { treeFile } from '../tree_file.js'
import { halfBits } from './arrow_table.js'
import { pick } from './types.js'
import { HYPARQUET_ABILITIES } from './write_hyparquet.js'

/** @typedef {import('./types.js').Type} Type */
/** @typedef {import('../tree_file.js').Node} Node */
/** @typedef {import('../../reference/random.js').Random} Random */
/** @typedef {import('../../reference/nesting.js').Leveled} Leveled */

/** @type {import('./types.js').Abilities} */
export const MODEL_ABILITIES = HYPARQUET_ABILITIES

const CONVERTED = { text: 0, decimal: 5, date: 6, time: 7 }
const INTEGERS = { U8: 11, U16: 12, U32: 13, U64: 14, 8: 15, 16: 16, 32: 17, 64: 18 }

/** @param {Type} type @returns {Partial<Node>} */
function leafNode(type) {
  const { kind, bits = 0, precision = 0, scale, unit } = type
  switch (kind) {
    case 'bool':
      return { type: 'BOOLEAN' }
    case 'int': {
      const name = /** @type {'U8'} */ (`${type.signed ? '' : 'U'}${bits}`)
      return { type: bits === 64 ? 'INT64' : 'INT32', convertedType: INTEGERS[name] }
    }
    case 'float':
      return bits === 16
        ? { type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 2 }
        : { type: bits === 32 ? 'FLOAT' : 'DOUBLE' }
    case 'fixed':
    case 'uuid':
      return { type: 'FIXED_LEN_BYTE_ARRAY', typeLength: type.size ?? 16 }
    case 'decimal':
      return { type: precision > 9 ? 'INT64' : 'INT32', convertedType: CONVERTED.decimal, precision, scale }
    case 'date':
      return { type: 'INT32', convertedType: CONVERTED.date }
    case 'time':
      return unit === 'ms' ? { type: 'INT32', convertedType: 7 } : { type: 'INT64', convertedType: 8 }
    case 'timestamp':
      return { type: 'INT64' }
    default:
      return { type: 'BYTE_ARRAY', convertedType: kind === 'text' ? CONVERTED.text : undefined }
  }
}

/** @param {string} name @param {Type} type @returns {Node} */
function nodeOf(name, type) {
  const repetition = type.nullable ? 'OPTIONAL' : 'REQUIRED'
  /** @param {string} inner @param {Node[]} children @returns {Node[]} */
  const repeated = (inner, children) => [{ name: inner, repetition: 'REPEATED', children }]
  if (type.kind === 'list') {
    const element = nodeOf('element', /** @type {Type} */ (type.element))
    return { name, repetition, convertedType: 3, children: repeated('list', [element]) }
  }
  if (type.kind === 'map') {
    const fields = [
      nodeOf('key', /** @type {Type} */ (type.key)),
      nodeOf('value', /** @type {Type} */ (type.value)),
    ]
    return { name, repetition, convertedType: 1, children: repeated('key_value', fields) }
  }
  if (type.kind === 'struct') {
    return { name, repetition, children: (type.fields ?? []).map((field) => nodeOf(field.name, field.type)) }
  }
  return { name, repetition, ...leafNode(type) }
}

/** @param {Type} type @param {any} value @returns {any} as it stands in a record */
function fieldOf(type, value) {
  if (value === null) return null
  switch (type.kind) {
    case 'int':
      return BigInt.asIntN(type.bits === 64 ? 64 : 32, value)
    case 'float':
      return type.bits === 16 ? Uint8Array.of(halfBits(value) & 255, halfBits(value) >> 8) : value
    case 'list':
      return {
        list: value.map((/** @type {any} */ item) => ({
          element: fieldOf(/** @type {Type} */ (type.element), item),
        })),
      }
    case 'map':
      return {
        key_value: value.map((/** @type {[any, any]} */ [key, item]) => ({
          key: fieldOf(/** @type {Type} */ (type.key), key),
          value: fieldOf(/** @type {Type} */ (type.value), item),
        })),
      }
    case 'struct':
      return Object.fromEntries(
        (type.fields ?? []).map((field) => [field.name, fieldOf(field.type, value[field.name])])
      )
    default:
      return value
  }
}

/** Encodings that the model has for a type. @param {Node} node */
function encodingsOf({ type }) {
  if (type === 'BOOLEAN') return ['PLAIN', 'RLE']
  if (type === 'INT32' || type === 'INT64') return ['PLAIN', 'DELTA_BINARY_PACKED', 'BYTE_STREAM_SPLIT']
  return type === 'BYTE_ARRAY' ? ['PLAIN'] : ['PLAIN', 'BYTE_STREAM_SPLIT']
}

/**
 * Pages that hold the entries between cuts, which are anywhere.
 * @param {Random} random
 * @param {Leveled} leveled
 * @param {Node} node
 * @param {number} most entries of a page
 */
function randomPages(random, { stored, definitionLevels, repetitionLevels }, node, most) {
  const full = Math.max(0, ...definitionLevels)
  const encodings = encodingsOf(node)
  const dictionary = node.type !== 'BOOLEAN' && random.below(3) === 0
  /** @type {import('../../reference/page.js').PageSpec[]} */
  const pages = dictionary ? [{ dictionary: stored }] : []
  const counts = definitionLevels.map((level) => Number(level === full))
  if (stored.length === 0) counts.fill(0)
  let taken = 0
  for (let at = 0; at < definitionLevels.length; ) {
    const end = Math.min(definitionLevels.length, at + 1 + random.below(most))
    const n = counts.slice(at, end).reduce((sum, count) => sum + count, 0)
    const levels = {
      definitionLevels: definitionLevels.slice(at, end),
      repetitionLevels: repetitionLevels.slice(at, end),
    }
    const isRow = repetitionLevels[at] === 0 && (end === repetitionLevels.length || repetitionLevels[end] === 0)
    const version = /** @type {1 | 2} */ (isRow ? 1 + random.below(2) : 1)
    if (dictionary) {
      const indices = Array.from({ length: n }, (_, i) => taken + i)
      pages.push({ ...levels, version, indices, encoding: 'RLE_DICTIONARY' })
    } else {
      pages.push({
        ...levels,
        version,
        values: stored.slice(taken, taken + n),
        encoding: pick(random, encodings),
      })
    }
    taken += n
    at = end
  }
  return pages
}

/**
 * @param {Random} random
 * @param {import('./arrow_table.js').RandomColumn[]} columns
 * @returns {{ bytes: Uint8Array, how: string }}
 */
export function writeModel(random, columns) {
  const n = columns[0].values.length
  const most = pick(random, [3, 40, 500])
  const codec = pick(random, ['UNCOMPRESSED', 'SNAPPY', 'ZSTD'])
  const records = Array.from({ length: n }, (_, i) =>
    Object.fromEntries(columns.map(({ name, type, values }) => [name, fieldOf(type, values[i])]))
  )
  const bytes = treeFile(
    columns.map(({ name, type }) => nodeOf(name, type)),
    records,
    { codec, pages: (leveled, node) => randomPages(random, leveled, node, most) }
  )
  return { bytes, how: `${codec}, pages up to ${most}` }
}
