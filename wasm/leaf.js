/** One leaf of the schema while it is read: its chunks, the core's builder, and where its batches go. */
import { OFFSETS, VALIDITY } from './layout.js'
import { ColumnOutput } from './output.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./ledger.js').Ledger} Ledger */
/** @typedef {import('./fields.js').Field} Field */
/** @typedef {import('./choose.js').ChunkRange} ChunkRange */
/** @typedef {import('./layout.js').ColumnLayout} ColumnLayout */
/** @typedef {import('./metadata.js').Metadata} Metadata */

/* PL_BUILDER_KEEP_DICTIONARY, PL_BUILDER_RUNNING */
const KEEP_DICTIONARY = 1
const RUNNING = 4
const MAX_STRINGS = 32768
/* A first guess at sizes is never of more than moderate size: metadata may lie. */
const MAX_GUESS = 64 << 20

export class Leaf {
  /** the core's builder, for the whole read; 0 before the first chunk */
  builder = 0
  /** rows that were taken from it */
  rows = 0

  /**
   * @param {Field} field
   * @param {string} name dotted path
   * @param {ColumnLayout} layout
   * @param {ChunkRange[]} ranges all its chunks
   * @param {object} options
   * @param {Metadata} options.metadata
   * @param {Ledger} options.ledger
   * @param {number} options.numRows
   * @param {number} options.batchBytes what a batch may have
   * @param {boolean} options.keep its dictionary is to be kept
   * @param {(size: number) => ArrayBuffer} [options.allocate]
   * @param {unknown} [options.into]
   * @param {string} options.argument
   */
  constructor(field, name, layout, ranges, { metadata, ledger, numRows, batchBytes, keep, ...options }) {
    const { levels } = field
    this.field = field
    this.name = name
    this.ranges = ranges
    this.keep = keep
    this.core = ledger.core
    this.batchBytes = batchBytes
    this.numRows = numRows
    const grows = levels.includes(true)
    const entries = grows ? guess(metadata, ranges, ({ numValues }) => numValues) : numRows
    const bytes = (/** @type {import('./index.d.ts').ColumnMetaData} */ { sizeStatistics }) =>
      sizeStatistics?.unencodedByteArrayDataBytes
    const dataSize = layout.form === 'bytes' ? guess(metadata, ranges, bytes) : 0
    const capacity = grows ? Math.min(entries, Math.ceil(MAX_GUESS / (layout.byteWidth || 4))) : numRows
    this.output = new ColumnOutput(ledger, name, layout, capacity, { ...options, grows, dataSize })
    /* The last definition level, when it is no list's, is the validity of the entries. */
    this.parents = levels
      .slice(0, levels.at(-1) || levels.length === 0 ? levels.length : -1)
      .map((isList) => new ColumnOutput(ledger, name, isList ? OFFSETS : VALIDITY, numRows, { grows }))
    this.entriesPerRow = numRows > 0 ? entries / numRows : 1
    this.batch = this.#batchRows()
  }

  get flags() {
    return this.keep ? KEEP_DICTIONARY | RUNNING : RUNNING
  }

  /** Takes the rows of the batch that was handed over last. */
  put(/** @type {number} */ numRows) {
    const { core, parents, builder, output } = this
    output.put(core)
    parents.forEach((parent, i) => {
      core.call.show_parent(builder, i)
      parent.put(core)
    })
    this.rows += numRows
    this.batch = this.#batchRows()
  }

  /** Gives everything back. */
  drop() {
    for (const output of [this.output, ...this.parents]) output.drop()
    this.core.call.builder_destroy(this.builder)
  }

  /**
   * Rows of a batch: a multiple of 8. Those of strings and lists by the size of those before.
   * @returns {number}
   */
  #batchRows() {
    const { layout, row, dataSize } = this.output
    const isBytes = layout.form === 'bytes'
    const perRow = this.rows > 0 ? row / this.rows : this.entriesPerRow
    const perEntry = isBytes ? 4 + (row > 0 ? dataSize / row : 124) : layout.byteWidth || 0.5
    const rows = this.batchBytes / Math.max(0.5, perEntry * perRow)
    return Math.max(8, Math.min(rows, isBytes ? MAX_STRINGS : Infinity) & ~7)
  }
}

/**
 * What metadata of the chunks tells, for the rows that are wanted. It may be wrong: then the read only takes longer.
 * @param {Metadata} metadata
 * @param {ChunkRange[]} ranges
 * @param {(chunk: import('./index.d.ts').ColumnMetaData) => number | undefined} number
 * @returns {number} 0 where nothing is told
 */
function guess(metadata, ranges, number) {
  let sum = 0
  for (const { column, rowGroup, numRows, groupRows } of ranges) {
    const { metaData } = metadata.chunk(rowGroup, column)
    const told = metaData && number(metaData)
    if (told === undefined || told < 0) return 0
    sum += (told * numRows) / groupRows
  }
  return Math.min(Math.ceil(sum), MAX_GUESS)
}
