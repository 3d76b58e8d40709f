/** What one page holds, as a column. */
import { PagelaneError } from './errors.js'
import { layoutOf } from './layout.js'
import { Image } from './metadata.js'
import { ColumnOutput } from './output.js'
import { Column } from './table.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./chunk.js').ChunkReader} ChunkReader */
/** @typedef {import('./index.d.ts').PageHeader} PageHeader */
/**
 * What has to be known of a page's column.
 * @typedef {object} PageColumn
 * @property {string} name
 * @property {import('./index.d.ts').ColumnType} type
 * @property {number} maxRepetitionLevel
 */

/* PL_BUILDER_KEEP_LEVELS */
const KEEP_LEVELS = 2

/**
 * The page header that a PAGE step has left in wasm memory, copied; made into an object when it is looked at.
 * @param {Core} core
 * @param {Uint8Array} headerBytes from which its binary fields count
 * @returns {() => PageHeader}
 */
export function pageHeader(core, headerBytes) {
  const { tables } = core
  const structAt = (headerBytes.length + 7) & ~7
  const { page_header } = tables.structsByName
  const { size } = page_header
  const at = core.result('header')
  const bytes = new Uint8Array(structAt + size)
  bytes.set(headerBytes)
  bytes.set(core.u8.subarray(at, at + size), structAt)
  return () => new Image(tables, bytes).struct(page_header, structAt)
}

/** Decodes the pages of a reader that announces them, in ascending order. */
export class PageDecoder {
  #builder = 0

  /**
   * @param {ChunkReader} reader
   * @param {PageColumn} column
   */
  constructor(reader, column) {
    this.reader = reader
    this.column = column
  }

  /**
   * @param {number} page its number
   * @returns {number | Promise<number>} the kind of step that it ended with
   */
  seek(page) {
    const { core, handle } = this.reader
    return this.reader.advance(() => core.call.reader_seek(handle, page))
  }

  /**
   * The entries of the page that `seek` went to.
   * @param {number} kind what it gave
   * @param {() => PageHeader} header
   * @param {{ int64: 'bigint' | 'number', into?: unknown, view?: boolean }} options view: arrays in wasm memory, which
   *   hold until the next page is decoded
   * @returns {Column}
   */
  decode(kind, header, { int64, into, view }) {
    const { reader } = this
    const { name, type, maxRepetitionLevel } = this.column
    const { core, window } = reader
    const withLevels = maxRepetitionLevel > 0 && kind === core.steps.VALUES
    if (kind === core.steps.VALUES) {
      this.#append(withLevels ? KEEP_LEVELS : 0)
    } else if (header().type !== 'DICTIONARY_PAGE' || core.call.reader_dictionary(reader.handle) === 0) {
      throw new PagelaneError('UNSUPPORTED', `a page of type ${header().type} holds no values`, reader.place)
    }
    const length = core.result('length')
    const levels = withLevels ? this.#levels() : {}
    const layout = layoutOf(type, int64)
    if (view && layout.toNumber === undefined) {
      return new Column(name, type, length, { ...this.#views(layout, length), ...levels })
    }
    const dataSize = layout.form === 'bytes' ? core.result('dataSize') : 0
    const output = new ColumnOutput(window.ledger, name, layout, length, { into, dataSize })
    output.put(core)
    return new Column(name, type, length, { ...output.finish(), ...levels })
  }

  close() {
    this.reader.core.call.builder_destroy(this.#builder)
    this.reader.close()
  }

  /**
   * Takes all entries of the open page: the column slots describe them.
   * @param {number} flags of the builder
   */
  #append(flags) {
    const { reader } = this
    const { core, handle } = reader
    if (this.#builder === 0) {
      reader.check(core.call.builder_create(handle, flags, 0))
      this.#builder = core.result('pointer')
    }
    reader.check(core.call.builder_append(this.#builder, handle, Number.MAX_SAFE_INTEGER))
    const length = core.call.builder_length(this.#builder)
    reader.check(core.call.builder_take(this.#builder, length), 'no memory for the page')
  }

  /** @returns {{ repetitionLevels: Uint16Array, definitionLevels: Uint16Array }} */
  #levels() {
    const { core } = this.reader
    const levels = (/** @type {string} */ slot) =>
      new Uint16Array(core.memory.buffer, core.result(slot), core.result('levels')).slice()
    return { repetitionLevels: levels('repetitionLevels'), definitionLevels: levels('definitionLevels') }
  }

  /**
   * @param {import('./layout.js').ColumnLayout} layout
   * @param {number} length
   * @returns {import('./output.js').Arrays} of the column slots
   */
  #views({ form, ArrayType, perEntry }, length) {
    const { core } = this.reader
    const view = (/** @type {any} */ Type, /** @type {string} */ slot, /** @type {number} */ size) =>
      new Type(core.memory.buffer, core.result(slot), size)
    const bits = Math.ceil(length / 8)
    const nullCount = core.result('nullCount')
    const validity = nullCount === 0 ? null : view(Uint8Array, 'validity', bits)
    if (form === 'bytes') {
      const data = view(Uint8Array, 'data', core.result('dataSize'))
      return { offsets: view(Int32Array, 'offsets', length + 1), data, validity, nullCount }
    }
    const values = view(ArrayType, 'values', form === 'bits' ? bits : length * perEntry)
    return { values, validity, nullCount }
  }
}
