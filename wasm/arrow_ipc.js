/**
 * Arrow's stream and file formats: a message for the schema, one for each dictionary, one for all rows.
 *
 *   message  | -1 | size of the metadata | metadata, padded | body: buffers, each padded |
 *   stream   | messages | -1 | 0 |
 *   file     | "ARROW1" 0 0 | the stream | footer: schema, where the messages are | its size | "ARROW1" |
 *
 * Bodies and buffers begin at multiples of 64 bytes. Everything is laid out first, so that the result is one exact allocation
 * that each array is copied (or converted) into once.
 * Source: Arrow, "Columnar Format", Serialization and Interprocess Communication; format/{Message,Schema,File}.fbs.
 */
import { arrowColumn, extensionOf, MAP, NULL } from './arrow_columns.js'
import { copyOf } from './arrow_convert.js'
import { PagelaneError } from './errors.js'
import { flatbuffer } from './flatbuffer.js'

/** @typedef {import('./table.js').Column} Column */
/** @typedef {import('./flatbuffer.js').FlatTable} FlatTable */
/** @typedef {import('./arrow_convert.js').Part} Part */
/**
 * @typedef {object} Batch
 * @property {number} length
 * @property {number[]} nodes length and null count of each column, children behind their parent
 * @property {Part[]} parts buffers of the columns in that order
 */
/**
 * @typedef {object} Message
 * @property {number} kind
 * @property {FlatTable} header
 * @property {Part[]} parts
 * @property {number} bodySize
 */

const VERSION_5 = 4
/* Members of the union `MessageHeader` */
const SCHEMA = 1
const DICTIONARY_BATCH = 2
const RECORD_BATCH = 3
/* the type of indices: signed, 32 bits */
const INT32 = [32, true]
const NOTHING = new Uint8Array(0)
const MAGIC = [...'ARROW1'].map((letter) => letter.charCodeAt(0))

const padded = (/** @type {number} */ size) => Math.ceil(size / 64) * 64
const sizeOf = (/** @type {Part} */ { ArrayType, length }) => ArrayType.BYTES_PER_ELEMENT * length
const vector = (/** @type {FlatTable[]} */ items) => ({ items, size: 4 })
const structs = (/** @type {number} */ members, /** @type {number[]} */ items) => ({ items, size: 8, members })

/**
 * @param {number} numRows
 * @param {readonly Column[]} columns
 * @param {boolean} isFile
 * @returns {Uint8Array}
 */
export function arrowIPC(numRows, columns, isFile) {
  /** @type {Batch[]} */
  const dictionaries = []
  /** @type {Batch} */
  const rows = { length: numRows, nodes: [], parts: [] }
  const schema = [0, vector(columns.map((column) => addColumn(column, rows, dictionaries)))]
  let size = isFile ? 8 : 0
  const blocks = [
    { kind: SCHEMA, header: schema, parts: [], bodySize: 0 },
    ...dictionaries.map((batch, id) => batchMessage(batch, DICTIONARY_BATCH, (header) => [id, header])),
    batchMessage(rows, RECORD_BATCH, (header) => header),
  ].map(({ kind, header, parts, bodySize }) => {
    const metadata = flatbuffer([VERSION_5, kind, header, bodySize])
    const start = size
    const body = padded(start + 8 + metadata.length)
    size = body + bodySize
    return { kind, start, metadata, metadataSize: body - start, body, parts, bodySize }
  })
  const end = size + 8
  const places = (/** @type {number} */ wanted) => {
    const found = blocks.filter(({ kind }) => kind === wanted)
    return structs(
      3,
      found.flatMap(({ start, metadataSize, bodySize }) => [start, metadataSize, bodySize])
    )
  }
  const footer = isFile ? flatbuffer([VERSION_5, schema, places(DICTIONARY_BATCH), places(RECORD_BATCH)]) : []

  const out = allocate(end + (isFile ? footer.length + 10 : 0))
  const view = new DataView(out.buffer)
  for (const { start, metadata, metadataSize, body, parts } of blocks) {
    view.setInt32(start, -1, true)
    view.setInt32(start + 4, metadataSize - 8, true)
    out.set(metadata, start + 8)
    let at = body
    for (const part of parts) {
      part.fill(new part.ArrayType(out.buffer, at, part.length))
      at += padded(sizeOf(part))
    }
  }
  view.setInt32(size, -1, true)
  if (isFile) {
    out.set(MAGIC)
    out.set(footer, end)
    view.setInt32(end + footer.length, footer.length, true)
    out.set(MAGIC, end + footer.length + 4)
  }
  return out
}

/**
 * @param {Column} column
 * @param {Batch} batch gets its nodes and buffers
 * @param {Batch[]} dictionaries gets its dictionary
 * @returns {any[]} its field
 */
function addColumn(column, batch, dictionaries) {
  const { name, length, nullCount, nullable, validity, dictionary, indices, children = [] } = column
  const addOwn = (/** @type {number} */ nulls, /** @type {Part[]} */ parts) => {
    batch.nodes.push(length, nulls)
    batch.parts.push(...parts)
  }
  const validityPart = copyOf(validity ?? NOTHING)
  if (dictionary !== undefined) {
    const entries = { length: dictionary.length, nodes: [], parts: [] }
    const [, , id, type] = addColumn(dictionary, entries, dictionaries)
    const encoding = [dictionaries.push(entries) - 1, INT32, false]
    addOwn(nullCount, [validityPart, copyOf(indices)])
    // extension types are not for indices: most ask for the type of their storage
    return [name, nullable, id, type, encoding, vector([]), vector([])]
  }
  const { type, parts } = arrowColumn(column)
  const [id, ...fields] = type
  if (id === NULL) addOwn(length, [])
  else addOwn(nullCount, [validityPart, ...parts])
  const inner = children.map((child) => addColumn(child, batch, dictionaries))
  if (id === MAP) inner[0][1] = inner[0][5].items[0][1] = false
  return [name, nullable, id, fields, undefined, vector(inner), vector(extensionOf(column))]
}

/**
 * @param {Batch} batch
 * @param {number} kind
 * @param {(header: FlatTable) => FlatTable} wrap
 * @returns {Message}
 */
function batchMessage({ length, nodes, parts }, kind, wrap) {
  let bodySize = 0
  const buffers = parts.flatMap((part) => {
    const size = sizeOf(part)
    const start = bodySize
    bodySize += padded(size)
    return [start, size]
  })
  return { kind, header: wrap([length, structs(2, nodes), structs(2, buffers)]), parts, bodySize }
}

/**
 * @param {number} size
 * @returns {Uint8Array}
 */
function allocate(size) {
  try {
    return new Uint8Array(size)
  } catch (cause) {
    throw new PagelaneError('NO_MEMORY', `no memory for ${size} bytes of Arrow data`, { cause })
  }
}
