/** Columns as Arrow sees them, made of what was read of their leaves. */
import { PagelaneError } from './errors.js'
import { Column } from './table.js'

/** @typedef {import('./fields.js').Field} Field */
/** @typedef {import('./output.js').Arrays} Arrays */
/**
 * A leaf that was read.
 * @typedef {object} Part
 * @property {number} length entries
 * @property {Arrays & { indices?: Int32Array, dictionary?: Column }} arrays
 * @property {{ length: number, arrays: Arrays }[]} parents what stands above the entries, by definition level from 1 on
 */

/**
 * @param {Field} field
 * @param {(leaf: number) => Part} partOf
 * @returns {Column}
 */
export function assemble(field, partOf) {
  const { name, type, nullable, children, listLevel } = field
  if (children.length === 0) {
    const { length, arrays } = partOf(field.leaf)
    // a leaf without nulls of its own below a group with some
    const found = nullable ? arrays : { ...arrays, validity: null, nullCount: 0 }
    return new Column(name, type, length, { ...found, nullable })
  }
  const above = levelOf(field, partOf)
  checkLeaves(field, partOf)
  const columns = children.map((child) => assemble(child, partOf))
  const { validity, nullCount } = above
  const offsets = listLevel > 0 ? partOf(field.leaf).parents[listLevel - 1].arrays.offsets : undefined
  const length = offsets ? offsets.length - 1 : (above.length ?? columns[0].length)
  return new Column(name, type, length, { validity, nullCount, nullable, offsets, children: columns })
}

/**
 * The nulls of a group, as its first leaf has them.
 * @param {Field} field
 * @param {(leaf: number) => Part} partOf
 * @returns {{ length?: number, validity: Uint8Array | null, nullCount: number }}
 */
function levelOf({ level, leaf }, partOf) {
  if (level === 0) return { validity: null, nullCount: 0 }
  const { parents, arrays, length } = partOf(leaf)
  const found = level > parents.length ? { length, arrays } : parents[level - 1]
  return { length: found.length, validity: found.arrays.validity, nullCount: found.arrays.nullCount }
}

/**
 * The leaves below a group have to tell the same of it and of what is above it.
 * @param {Field} field
 * @param {(leaf: number) => Part} partOf
 */
function checkLeaves({ name, levels, children }, partOf) {
  const told = (/** @type {Part} */ part, /** @type {number} */ i) => part.parents[i] ?? part
  const [first, ...others] = children.map(({ leaf }) => partOf(leaf))
  for (const other of others) {
    const isSame = levels.every((isList, i) => {
      const [a, b] = [told(first, i), told(other, i)]
      const { offsets } = b.arrays
      return (
        a.length === b.length &&
        a.arrays.nullCount === b.arrays.nullCount &&
        (!isList || a.arrays.offsets?.every((offset, k) => offset === offsets?.[k]))
      )
    })
    if (!isSame) {
      const message = `the columns below ${JSON.stringify(name)} contradict each other`
      throw new PagelaneError('CORRUPT', message, { column: name })
    }
  }
}
