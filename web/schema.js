/**
 * The schema as a table: every node of the tree, and for leaves how their column chunks are stored.
 */
import { cell, element, headCell, table } from './dom.js'
import { groupText, physicalTypeText, plural, sizeText, typeText } from './format.js'

/** @typedef {import('../wasm/index.js').ParquetFile} ParquetFile */

/** A page of more rows than this would be slow to lay out, and nobody reads it. */
const MAX_NODES = 2000

/**
 * What the column chunks of a leaf say, all row groups together.
 * @typedef {object} Storage
 * @property {Set<string>} encodings
 * @property {Set<string>} codecs
 * @property {number} stored bytes in the file
 * @property {number} unpacked bytes after decompression
 */

/**
 * @param {ParquetFile} file
 * @returns {HTMLElement}
 */
export function schemaSection(file) {
  const storage = storageOf(file)
  const largest = Math.max(1, ...storage.map(({ stored }) => stored))
  const nodes = walk(file)
  const heads = ['Column', 'Type', 'Stored as', 'Repetition', 'Encodings', 'Codec', 'Unpacked', 'In the file']
  const rows = nodes.slice(0, MAX_NODES).map(({ node, leaf }) => {
    const name = element('th', { scope: 'row', role: 'rowheader', class: 'name' }, node.name ?? '')
    const repetition = cell(heads[3], 'quiet', String(node.repetitionType ?? '').toLowerCase())
    if (leaf === undefined) {
      return [
        name,
        cell(heads[1], 'group', groupText(node)),
        cell(heads[2]),
        repetition,
        ...heads.slice(4).map((each) => cell(each)),
      ]
    }
    const { encodings, codecs, stored, unpacked } = storage[leaf]
    return [
      name,
      cell(heads[1], '', typeText(file.columns[leaf].type)),
      cell(heads[2], 'code', physicalTypeText(node)),
      repetition,
      cell(heads[4], 'code', [...encodings].join(' ')),
      cell(heads[5], 'code', [...codecs].join(' ')),
      cell(heads[6], 'number', sizeText(unpacked)),
      cell(
        heads[7],
        'number size',
        sizeBar(stored / largest),
        element('span', { class: 'amount' }, sizeText(stored))
      ),
    ]
  })
  const isNumber = (/** @type {string} */ head) => head === heads[6] || head === heads[7]
  const section = element(
    'section',
    { 'aria-labelledby': 'schema-title', class: 'schema' },
    element('h2', { id: 'schema-title' }, 'Schema'),
    table(
      'Schema',
      heads.map((head) => headCell(head, isNumber(head) ? 'number' : '')),
      rows
    )
  )
  for (const [i, row] of section.querySelectorAll('tbody tr').entries()) {
    if (row instanceof HTMLElement) row.style.setProperty('--depth', String(nodes[i].depth))
  }
  if (nodes.length > MAX_NODES)
    section.append(
      element('p', { class: 'note' }, `${plural(nodes.length - MAX_NODES, 'more node')} not shown.`)
    )
  return section
}

/**
 * @param {number} share 0 to 1 of the largest column
 * @returns {HTMLElement}
 */
function sizeBar(share) {
  const bar = element('span', { class: 'bar', 'aria-hidden': 'true' })
  bar.style.setProperty('--share', share.toFixed(4))
  return bar
}

/**
 * The nodes below the root, parents before children.
 * @param {ParquetFile} file
 * @returns {{ node: import('../wasm/index.js').SchemaElement, depth: number, leaf: number | undefined }[]}
 */
function walk({ schema }) {
  const nodes = []
  /** @type {number[]} children still to come, by depth */
  const open = [schema[0]?.numChildren ?? 0]
  let leaf = 0
  for (const node of schema.slice(1)) {
    while (open.length > 1 && open[open.length - 1] === 0) open.pop()
    open[open.length - 1]--
    const isGroup = node.type === undefined
    nodes.push({ node, depth: open.length - 1, leaf: isGroup ? undefined : leaf++ })
    if (isGroup) open.push(node.numChildren ?? 0)
  }
  return nodes
}

/**
 * @param {ParquetFile} file
 * @returns {Storage[]} by leaf
 */
function storageOf({ columns, metadata }) {
  const storage = columns.map(() => ({ encodings: new Set(), codecs: new Set(), stored: 0, unpacked: 0 }))
  for (const rowGroup of metadata.rowGroups ?? []) {
    for (const [leaf, { metaData }] of (rowGroup.columns ?? []).entries()) {
      const { encodings, codecs } = storage[leaf]
      for (const encoding of metaData?.encodings ?? []) encodings.add(String(encoding))
      if (metaData?.codec !== undefined) codecs.add(String(metaData.codec))
      storage[leaf].stored += metaData?.totalCompressedSize ?? 0
      storage[leaf].unpacked += metaData?.totalUncompressedSize ?? 0
    }
  }
  return storage
}
