/** Files of any schema, written by the reference model: records in, pages as they are asked for. */
import { writeFile } from '../reference/file.js'
import { REPETITIONS, TYPES } from '../reference/names.js'
import { shred } from '../reference/nesting.js'
import { binary, i32, struct } from '../reference/thrift.js'

/** @typedef {import('../reference/thrift.js').Fields} Fields */
/** @typedef {import('../reference/nesting.js').Leveled} Leveled */
/**
 * An element of the schema. A record has a property a field: null where an OPTIONAL one is missing, an array of a REPEATED one.
 * @typedef {object} Node
 * @property {string} name
 * @property {'REQUIRED' | 'OPTIONAL' | 'REPEATED'} [repetition] OPTIONAL unless given
 * @property {import('../reference/plain.js').Type} [type] of a leaf
 * @property {number} [typeLength]
 * @property {number} [convertedType]
 * @property {number} [scale]
 * @property {number} [precision]
 * @property {Fields} [logicalType]
 * @property {Node[]} [children]
 */
/**
 * @typedef {object} TreeOptions
 * @property {string} [codec]
 * @property {(leveled: Leveled, leaf: Node) => import('../reference/page.js').PageSpec[]} [pages] of a leaf; one PLAIN page
 *   unless given
 * @property {(footer: import('../reference/file.js').Footer) => void} [edit]
 */

/**
 * @param {Node[]} fields of the root
 * @param {any[]} records
 * @param {TreeOptions} [options]
 * @returns {Uint8Array}
 */
export function treeFile(
  fields,
  records,
  { codec, pages = ({ stored, ...levels }) => [{ ...levels, values: stored }], edit } = {}
) {
  const leaves = fields.flatMap((field) => pathsOf([field]))
  const columns = leaves.map((path) => {
    const { name, type = 'INT32', typeLength } = path[path.length - 1]
    const levels = path.map(({ repetition }) => repetition)
    return {
      name,
      type,
      typeLength,
      codec,
      path: path.map((node) => node.name),
      maxDefinitionLevel: levels.filter((level) => level !== 'REQUIRED').length,
      maxRepetitionLevel: levels.filter((level) => level === 'REPEATED').length,
    }
  })
  const chunks = leaves.map((path) => {
    const shape = path.flatMap(({ repetition }) =>
      repetition === 'REQUIRED'
        ? []
        : [repetition === 'REPEATED' ? 'repeated' : /** @type {const} */ ('optional')]
    )
    const leveled = shred(
      /** @type {import('../reference/nesting.js').Shape} */ (shape),
      records.map((record) => fieldAt(record, path, 0))
    )
    return pages(leveled, path[path.length - 1])
  })
  /** @type {Fields} */
  const root = [
    [4, binary('schema')],
    [5, i32(fields.length)],
  ]
  return writeFile({ columns, schema: [root, ...fields.flatMap(elementsOf)], rowGroups: [chunks], edit })
}

/** @param {Node[]} path @returns {Node[][]} from the path's first node to each leaf below its last */
function pathsOf(path) {
  const { children } = path[path.length - 1]
  return children ? children.flatMap((child) => pathsOf([...path, child])) : [path]
}

/**
 * What a leaf sees of a record, as the model's shredding wants it.
 * @param {any} record
 * @param {Node[]} path
 * @param {number} at
 * @returns {any}
 */
function fieldAt(record, path, at) {
  if (at === path.length) return record
  const { name, repetition } = path[at]
  const value = record[name]
  if (repetition === 'REQUIRED') return fieldAt(value, path, at + 1)
  if (repetition === 'REPEATED') return value.map((/** @type {any} */ item) => fieldAt(item, path, at + 1))
  return value === null ? null : { some: fieldAt(value, path, at + 1) }
}

/** @param {Node} node @returns {Fields[]} */
function elementsOf(node) {
  /** @type {[number, any][]} */
  const all = [
    [1, node.type && i32(TYPES[node.type])],
    [2, node.typeLength && i32(node.typeLength)],
    [3, i32(REPETITIONS[node.repetition ?? 'OPTIONAL'])],
    [4, binary(node.name)],
    [5, node.children && i32(node.children.length)],
    [6, node.convertedType !== undefined && i32(node.convertedType)],
    [7, node.scale !== undefined && i32(node.scale)],
    [8, node.precision !== undefined && i32(node.precision)],
    [10, node.logicalType && struct(node.logicalType)],
  ]
  return [
    /** @type {Fields} */ (all.filter(([, value]) => value)),
    ...(node.children ?? []).flatMap(elementsOf),
  ]
}
