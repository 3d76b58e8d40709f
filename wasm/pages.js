/** The pages of a column chunk: a walk over their headers, each of them decoded when it is asked for. */
import { leafName } from './choose.js'
import { answer, Window } from './chunk.js'
import { PagelaneError } from './errors.js'
import { columnType } from './logical.js'
import { checkChoice, checkOptions } from './options.js'
import { PageDecoder, pageHeader, runToEnd } from './page.js'
import { Prefetcher } from './prefetch.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./core.js').Runtime} Runtime */
/** @typedef {import('./read.js').FileContext} FileContext */
/** @typedef {import('./table.js').Column} Column */
/** @typedef {import('./index.d.ts').PageHeader} PageHeader */
/**
 * @typedef {object} PageFields
 * @property {PageHeader} header
 * @property {number} headerSize
 * @property {number} size of header and body
 * @property {number} offset in the file
 * @property {number} rowGroup
 * @property {number} page
 * @property {import('./index.d.ts').CodecName | number} codec
 */

/* Headers alone: what lies behind one is mostly a body. */
const HEADER_WINDOW = { lookahead: 0, minSize: 512 }

/** One page of a file. */
export class Page {
  /** @type {Chunk} */
  #chunk

  /**
   * @param {Chunk} chunk
   * @param {PageFields} fields
   */
  constructor(chunk, fields) {
    this.#chunk = chunk
    this.header = fields.header
    this.headerSize = fields.headerSize
    this.size = fields.size
    this.offset = fields.offset
    this.rowGroup = fields.rowGroup
    this.page = fields.page
    this.codec = fields.codec
    const { dataPageHeader, dataPageHeaderV2, dictionaryPageHeader } = fields.header
    this.encoding = (dataPageHeader ?? dataPageHeaderV2 ?? dictionaryPageHeader)?.encoding
  }

  /**
   * @param {unknown} [options]
   * @returns {Promise<Column>}
   */
  async decode(options) {
    const checked = checkOptions(options, ['view', 'int64'])
    const int64 = checkChoice('options.int64', checked.int64, ['bigint', 'number'])
    return this.#chunk.decode(this, { view: checked.view === true, int64 })
  }
}

/** A column chunk that is walked over. */
export class Chunk {
  /** @type {Page | undefined} */
  #dictionaryPage
  /** @type {Promise<Column> | undefined} */
  #dictionary
  /** What was fetched last: the page that a header announces is often in it. */
  #fetched = { start: 0, bytes: /** @type {Uint8Array} */ (new Uint8Array(0)) }

  /**
   * @param {Runtime} runtime
   * @param {FileContext} context
   * @param {number} leaf
   * @param {number} rowGroup
   * @param {AbortSignal | undefined} signal
   */
  constructor(runtime, context, leaf, rowGroup, signal) {
    this.runtime = runtime
    this.context = context
    this.leaf = leaf
    this.rowGroup = rowGroup
    this.signal = signal
    this.name = leafName(context.metadata, leaf)
    this.place = { column: this.name, rowGroup }
    const { schemaIndex, maxDefinitionLevel, maxRepetitionLevel } = context.metadata.leaf(leaf)
    const type = columnType(context.metadata.schemaElement(schemaIndex))
    this.column = { name: this.name, type, maxDefinitionLevel, maxRepetitionLevel }
    this.codec = context.metadata.chunk(rowGroup, leaf).metaData?.codec ?? 0
  }

  /** @returns {AsyncGenerator<Page, void>} */
  async *pages() {
    const { runtime, context, signal, place } = this
    const core = await runtime.acquire()
    const ledger = context.budget.open(core)
    const fetcher = new Prefetcher(context.source, [], ledger, signal)
    const fetch = async (
      /** @type {number} */ start,
      /** @type {number} */ size,
      /** @type {number} */ wanted
    ) => {
      const at = start - this.#fetched.start
      if (at < 0 || at + size > this.#fetched.bytes.length) {
        this.#fetched = { start, bytes: await fetcher.get(start, size, wanted) }
      }
      const from = start - this.#fetched.start
      return this.#fetched.bytes.subarray(from, from + wanted)
    }
    const window = new Window(ledger, context.source, fetch, HEADER_WINDOW)
    let reader = 0
    try {
      reader = this.#createReader(ledger)
      for (;;) {
        const kind = core.call.reader_step(reader)
        if (kind === core.steps.DONE) return
        if (kind === core.steps.PAGE) {
          const page = this.#page(core, window)
          core.check(core.call.reader_skip_page(reader), place)
          yield page
        } else {
          const waiting = answer(kind, { reader, window, codecs: context.codecs, place })
          if (waiting !== undefined) await waiting
        }
        signal?.throwIfAborted()
      }
    } finally {
      core.call.reader_destroy(reader)
      window.close()
      fetcher.close()
      ledger.close()
      runtime.release(core)
    }
  }

  /**
   * @param {Page} page
   * @param {{ view: boolean, int64: 'bigint' | 'number' }} options
   * @returns {Promise<Column>}
   */
  async decode(page, { view, int64 }) {
    const { context, runtime, signal } = this
    const { budget, codecs } = context
    if (page !== this.#dictionaryPage && this.#dictionaryPage !== undefined) {
      this.#dictionary ??= this.decode(this.#dictionaryPage, { view: false, int64: 'bigint' })
    }
    const dictionary = page === this.#dictionaryPage ? undefined : await this.#dictionary
    const bytes = await this.#read(page)
    const core = await runtime.acquire()
    const ledger = budget.open(core)
    const codec = typeof this.codec === 'number' ? this.codec : core.tables.enums.codec.numbers[this.codec]
    const column = { ...this.column, codec, dictionary }
    const place = { ...this.place, page: page.page, offset: page.offset }
    const decoder = new PageDecoder(ledger, column, { int64, view, codecs, place, header: page.header })
    const close = (/** @type {unknown} */ error) => {
      decoder.close()
      ledger.close()
      runtime.release(core, error)
    }
    let decoded
    try {
      signal?.throwIfAborted()
      decoded = await runToEnd(decoder.run(bytes))
    } catch (error) {
      close(error)
      throw error
    }
    if (view) runtime.closeLater(() => close(undefined))
    else close(undefined)
    return decoded.column
  }

  /**
   * @param {import('./ledger.js').Ledger} ledger
   * @returns {number}
   */
  #createReader(ledger) {
    const { core } = ledger
    const { bytes } = this.context.metadata
    const image = ledger.allocate(bytes.length)
    try {
      core.u8.set(bytes, image)
      core.check(core.call.reader_create(image, this.rowGroup, this.leaf, 1, ledger.handle), this.place)
      return core.result('pointer')
    } finally {
      ledger.free(image, bytes.length)
    }
  }

  /**
   * The page that a PAGE step announces.
   * @param {Core} core
   * @param {Window} window which holds its header
   * @returns {Page}
   */
  #page(core, window) {
    const offset = core.result('offset')
    const size = core.result('size')
    const number = core.result('page')
    const headerSize = core.result('headerSize')
    const header = pageHeader(core, window.copyOut(offset, headerSize))
    const { rowGroup, codec } = this
    const page = new Page(this, { header, headerSize, size, offset, rowGroup, page: number, codec })
    if (header.dictionaryPageHeader !== undefined) this.#dictionaryPage = page
    return page
  }

  /**
   * @param {Page} page
   * @returns {Promise<Uint8Array>}
   */
  async #read({ offset, size }) {
    const { budget, source } = this.context
    const { start, bytes } = this.#fetched
    const at = offset - start
    if (at >= 0 && at + size <= bytes.length) return bytes.subarray(at, at + size)
    // a size from a page header, which may be anything, has been compared with the chunk's
    if (budget.maxBytes !== undefined && size > budget.maxBytes) {
      throw new PagelaneError(
        'LIMIT',
        `a page of ${size} bytes would pass maxBytes (${budget.maxBytes})`,
        this.place
      )
    }
    return source.read(offset, offset + size, this.signal)
  }
}
