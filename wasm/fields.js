/**
 * The fields of a table, as Arrow sees the schema: lists, structures and maps down to leaves. Which elements are which is
 * found out in C (src/file/node_kinds.c).
 */
import { columnType } from './logical.js'

/** @typedef {import('./metadata.js').Metadata} Metadata */
/** @typedef {import('./index.d.ts').ColumnType} ColumnType */
/**
 * @typedef {object} Field
 * @property {string} name
 * @property {ColumnType} type
 * @property {boolean} nullable
 * @property {number} level the definition level of its validity; 0 where it has none
 * @property {number} listLevel the definition level of its elements; 0 where it is no list or map
 * @property {Field[]} children
 * @property {number} leaf number of the column; of a field with children that of the first leaf below it
 * @property {boolean[]} levels for each definition level down to the field's own, whether it is a list's
 */

/**
 * The top-level fields that some leaves belong to, in the order in which they are first named. Of a nested field only the
 * leaves that are wanted are there; a flat one that is named twice is there twice.
 * @param {Metadata} metadata
 * @param {readonly number[]} leaves
 * @returns {Field[]}
 */
export function fieldsOf(metadata, leaves) {
  const wanted = new Set(leaves)
  /** @type {Set<number>} */
  const nested = new Set()
  return leaves.flatMap((leaf) => {
    const { rootIndex, depth, maxRepetitionLevel } = metadata.leaf(leaf)
    if (nested.has(rootIndex)) return []
    if (depth > 1 || maxRepetitionLevel > 0) nested.add(rootIndex)
    return makeField(metadata, wanted, rootIndex, []) ?? []
  })
}

/**
 * @param {Metadata} metadata
 * @param {Set<number>} wanted leaves
 * @param {number} index of the element in the schema
 * @param {boolean[]} above for each definition level above the element, whether it is a list's
 * @param {boolean} [isElement] of a list whose level it is itself
 * @returns {Field | undefined} nothing where none of its leaves is wanted
 */
function makeField(metadata, wanted, index, above, isElement = false) {
  const element = metadata.element(index)
  const { name = '' } = element
  const { kind, maxDefinitionLevel, firstColumn: leaf, endColumn } = metadata.node(index)
  const repeated = element.repetitionType === 'REPEATED'
  const nullable = element.repetitionType === 'OPTIONAL'
  const below = (/** @type {number} */ child, /** @type {boolean[]} */ levels, isItself = false) =>
    makeField(metadata, wanted, child, levels, isItself)
  const levels = repeated || nullable ? [...above, repeated] : above
  /** @type {(kind: 'list' | 'map' | 'struct' | 'variant', children: (Field | undefined)[], listLevel?: number) => Field | undefined} */
  const group = (kind, children, listLevel = 0) => {
    const found = children.filter((child) => child !== undefined)
    if (found.length === 0) return undefined
    const level = nullable ? maxDefinitionLevel : 0
    return { name, type: { kind }, nullable, level, listLevel, children: found, leaf: found[0].leaf, levels }
  }
  if (repeated && !isElement) return group('list', [below(index, above, true)], maxDefinitionLevel)
  if (kind === 'LEAF') {
    if (!wanted.has(leaf)) return undefined
    const level = nullable ? maxDefinitionLevel : 0
    return { name, type: columnType(element), nullable, level, listLevel: 0, children: [], leaf, levels }
  }
  if (kind === 'LIST' || kind === 'MAP') {
    const child = metadata.node(index + 1)
    const isBetween = child.kind === 'LIST_ITEMS'
    const item = isBetween ? below(index + 2, [...levels, true]) : below(index + 1, levels, true)
    // a map that lost its keys is a list of the rest
    const isMap = kind === 'MAP' && item?.children[0].leaf === child.firstColumn
    return group(isMap ? 'map' : 'list', [item], child.maxDefinitionLevel)
  }
  const children = metadata.children(index).map((child) => below(child, levels))
  return group(kind === 'VARIANT' && isWhole(wanted, leaf, endColumn) ? 'variant' : 'struct', children)
}

/**
 * A variant of which a part was not read has other values than the file's.
 * @param {Set<number>} wanted
 * @param {number} first leaf
 * @param {number} end
 * @returns {boolean}
 */
function isWhole(wanted, first, end) {
  for (let leaf = first; leaf < end; leaf++) if (!wanted.has(leaf)) return false
  return true
}

/**
 * @param {Field} field
 * @returns {Field[]} its leaves
 */
export function leavesOf(field) {
  return field.children.length === 0 ? [field] : field.children.flatMap(leavesOf)
}
