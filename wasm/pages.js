/** The pages of a column chunk: a walk over their headers, each of them decoded when it is asked for. */
import { leafName } from './choose.js'
import { ChunkReader, Window } from './chunk.js'
import { columnType } from './logical.js'
import { checkChoice, checkOptions } from './options.js'
import { PageDecoder, pageHeader } from './page.js'
import { Prefetcher } from './prefetch.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./core.js').Runtime} Runtime */
/** @typedef {import('./read.js').FileContext} FileContext */
/** @typedef {import('./table.js').Column} Column */
/** @typedef {import('./index.d.ts').PageHeader} PageHeader */
/** @typedef {{ view: boolean, int64: 'bigint' | 'number' }} DecodeOptions */

/* Headers alone: what lies behind one is mostly a body. */
const HEADER_WINDOW = 512

/** One page of a file. */
export class Page {
  #chunk
  #makeHeader
  /** @type {PageHeader | undefined} */
  #header

  /**
   * @param {Chunk} chunk
   * @param {Core} core whose slots describe it
   * @param {() => PageHeader} makeHeader
   */
  constructor(chunk, core, makeHeader) {
    this.#chunk = chunk
    this.#makeHeader = makeHeader
    this.headerSize = core.result('headerSize')
    this.size = core.result('size')
    this.offset = core.result('offset')
    this.page = core.result('page')
    this.rowGroup = chunk.rowGroup
    this.codec = chunk.codec
  }

  /** @returns {PageHeader} */
  get header() {
    const header = this.#header ?? this.#makeHeader()
    this.#header = header
    return header
  }

  get encoding() {
    const { dataPageHeader, dataPageHeaderV2, dictionaryPageHeader } = this.header
    return (dataPageHeader ?? dataPageHeaderV2 ?? dictionaryPageHeader)?.encoding
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

/**
 * @param {Runtime} runtime
 * @param {FileContext} context
 * @param {number} leaf
 * @param {number[]} rowGroups
 * @param {AbortSignal | undefined} signal
 * @returns {AsyncGenerator<Page, void>}
 */
export async function* walkPages(runtime, context, leaf, rowGroups, signal) {
  for (const rowGroup of rowGroups) {
    signal?.throwIfAborted()
    const chunk = new Chunk(runtime, context, leaf, rowGroup, signal)
    const session = await chunk.open()
    const { core, headers } = session
    try {
      const reader = session.read(headers)
      const step = () => core.call.reader_step(reader.handle)
      for (;;) {
        const kind = reader.advance(step)
        if ((typeof kind === 'number' ? kind : await kind) === core.steps.DONE) break
        const header = headers.view(core.result('offset'), core.result('headerSize'))
        const page = new Page(chunk, core, pageHeader(core, header))
        reader.check(core.call.reader_skip_page(reader.handle))
        yield page
        signal?.throwIfAborted()
      }
    } catch (error) {
      session.failure = error
      throw error
    } finally {
      await chunk.close()
    }
  }
}

/** A column chunk that is walked over. */
class Chunk {
  /**
   * That of the walk, as long as it goes on.
   * @type {Session | undefined}
   */
  #session
  /** Pages are decoded one after another. @type {Promise<unknown>} */
  #decoding = Promise.resolve()

  /**
   * @param {Runtime} runtime
   * @param {FileContext} context
   * @param {number} leaf
   * @param {number} rowGroup
   * @param {AbortSignal | undefined} signal
   */
  constructor(runtime, context, leaf, rowGroup, signal) {
    const { metadata } = context
    this.runtime = runtime
    this.context = context
    this.leaf = leaf
    this.rowGroup = rowGroup
    this.signal = signal
    const { maxRepetitionLevel } = metadata.leaf(leaf)
    const type = columnType(metadata.schemaElement(leaf))
    this.column = { name: leafName(metadata, leaf), type, maxRepetitionLevel }
    this.codec = metadata.chunk(rowGroup, leaf).metaData?.codec ?? 0
  }

  /**
   * The walk begins.
   * @returns {Promise<Session>}
   */
  async open() {
    this.#session = new Session(this, await this.runtime.acquire())
    return this.#session
  }

  /** The walk is over. */
  async close() {
    const session = this.#session
    this.#session = undefined
    await this.#decoding
    session?.close()
  }

  /**
   * @param {Page} page
   * @param {DecodeOptions} options
   * @returns {Promise<Column>}
   */
  decode(page, options) {
    const decoded = this.#decoding.then(() => this.#decode(page, options))
    this.#decoding = decoded.catch(() => {})
    return decoded
  }

  /**
   * @param {Page} page
   * @param {DecodeOptions} options
   */
  async #decode(page, options) {
    const { runtime } = this
    if (this.#session !== undefined) {
      runtime.closeView()
      return this.#session.decode(page, options)
    }
    // the walk is over
    const session = new Session(this, await runtime.acquire())
    try {
      return await session.decode(page, options)
    } finally {
      if (options.view && session.failure === undefined) runtime.closeLater(() => session.close())
      else session.close()
    }
  }
}

/** What is open in the core for a chunk: a reader that walks over headers, and one that follows and decodes. */
class Session {
  /** @type {unknown} what an operation ended with */
  failure
  /** @type {PageDecoder | undefined} */
  #decoder
  /** Number of the first page that the decoder has not passed. */
  #next = 0
  #image = 0
  #readers = /** @type {ChunkReader[]} */ ([])
  #prefetcher

  /**
   * @param {Chunk} chunk
   * @param {Core} core
   */
  constructor(chunk, core) {
    const { budget, source } = chunk.context
    this.chunk = chunk
    this.core = core
    this.ledger = budget.open(core)
    // what was fetched for a header often has the page that it announces in it
    const prefetcher = source.readInto ? undefined : new Prefetcher(source, [], this.ledger, chunk.signal)
    /** @type {import('./chunk.js').Fetch | undefined} */
    const fetch = prefetcher && ((start, size, wanted) => prefetcher.get(start, size, wanted))
    this.#prefetcher = prefetcher
    this.headers = new Window(this.ledger, source, fetch)
    this.headers.minSize = HEADER_WINDOW
    this.headers.lookahead = 0
    this.bodies = new Window(this.ledger, source, fetch)
  }

  /**
   * @param {Window} window
   * @returns {ChunkReader} which announces the chunk's pages
   */
  read(window) {
    const { core, ledger } = this
    const { context, rowGroup, leaf, column } = this.chunk
    const { metadata, codecs, checksums } = context
    const { bytes } = metadata
    if (this.#image === 0) {
      this.#image = ledger.allocate(bytes.length)
      core.u8.set(bytes, this.#image)
    }
    const reader = new ChunkReader(window, codecs, { column: column.name, rowGroup }, checksums)
    reader.open(core.call.reader_create(this.#image, rowGroup, leaf, 1, ledger.handle))
    this.#readers.push(reader)
    return reader
  }

  /**
   * @param {Page} page
   * @param {DecodeOptions} options
   * @returns {Promise<Column>}
   */
  async decode(page, options) {
    this.chunk.signal?.throwIfAborted()
    try {
      if (page.page < this.#next) this.#closeDecoder()
      this.#decoder ??= new PageDecoder(this.read(this.bodies), this.chunk.column)
      // pages that are decoded one after another come many at once
      if (this.#prefetcher !== undefined) this.headers.minSize = this.bodies.minSize
      this.#next = page.page + 1
      const kind = this.#decoder.seek(page.page)
      return this.#decoder.decode(typeof kind === 'number' ? kind : await kind, () => page.header, options)
    } catch (error) {
      this.failure = error
      this.#closeDecoder()
      throw error
    }
  }

  close() {
    const { ledger, chunk, core } = this
    this.#closeDecoder()
    for (const reader of this.#readers) reader.close()
    this.#prefetcher?.close()
    this.headers.close()
    this.bodies.close()
    ledger.free(this.#image, chunk.context.metadata.bytes.length)
    ledger.close()
    chunk.runtime.release(core, this.failure)
  }

  #closeDecoder() {
    this.#decoder?.close()
    this.#decoder = undefined
    this.#next = 0
  }
}
