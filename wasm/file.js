/** An open file: its metadata, and the operations on it. */
import { linkSignals } from './abort.js'
import { chooseColumn, leafName } from './choose.js'
import { badArgument, describe } from './errors.js'
import { columnType } from './logical.js'
import { checkOptions, checkRowGroups, checkSignal } from './options.js'
import { walkPages } from './pages.js'
import { read } from './read.js'

/** @typedef {import('./core.js').Runtime} Runtime */
/** @typedef {import('./metadata.js').Metadata} Metadata */
/** @typedef {import('./read.js').FileContext} FileContext */

export class ParquetFile {
  /** @type {Runtime} */
  #runtime
  /** @type {FileContext} */
  #context
  /** @type {readonly import('./index.d.ts').ColumnInfo[] | undefined} */
  #columns
  #closed = false

  /**
   * @param {Runtime} runtime
   * @param {FileContext} context
   */
  constructor(runtime, context) {
    this.#runtime = runtime
    this.#context = context
  }

  get byteLength() {
    return this.#context.source.byteLength
  }

  get numRows() {
    return this.metadata.numRows ?? 0
  }

  get schema() {
    return this.metadata.schema ?? []
  }

  get metadata() {
    return this.#context.metadata.file
  }

  get columns() {
    const { metadata } = this.#context
    this.#columns ??= Array.from({ length: metadata.numColumns }, (_, index) => columnInfo(metadata, index))
    return this.#columns
  }

  /**
   * @param {unknown} [options]
   * @returns {Promise<import('./table.js').Table>}
   */
  async read(options) {
    this.#checkOpen()
    return this.#runtime.use((core) => read(this.#context, core, options))
  }

  /**
   * @param {unknown} column
   * @param {unknown} [options]
   * @returns {AsyncGenerator<import('./pages.js').Page, void>}
   */
  pages(column, options) {
    this.#checkOpen()
    const { metadata, signal } = this.#context
    const checked = checkOptions(options, ['rowGroups', 'signal'])
    const [leaf] = chooseColumn(metadata, column, 'column')
    if (typeof column === 'string' && leafName(metadata, leaf) !== column) {
      throw badArgument('column', `is ${describe(column)}, a group: name one of the columns below it`)
    }
    const groups = checkRowGroups(checked.rowGroups, metadata.numRowGroups)
    return walkPages(
      this.#runtime,
      this.#context,
      leaf,
      groups,
      linkSignals(signal, checkSignal(checked.signal))
    )
  }

  close() {
    this.#closed = true
    this.#context.source.close()
  }

  #checkOpen() {
    if (this.#closed) throw badArgument('file', 'was closed')
  }
}

/**
 * @param {Metadata} metadata
 * @param {number} index
 * @returns {import('./index.d.ts').ColumnInfo}
 */
function columnInfo(metadata, index) {
  const { maxDefinitionLevel, maxRepetitionLevel } = metadata.leaf(index)
  const path = metadata.path(index)
  const type = columnType(metadata.schemaElement(index))
  const nullable = maxDefinitionLevel > 0
  return { index, name: path.join('.'), path, type, nullable, maxDefinitionLevel, maxRepetitionLevel }
}
