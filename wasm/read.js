/**
 * file.read: one column chunk after another into the columns' arrays. Everything runs without waiting where the bytes can
 * be had at once; else it waits for ranges, and for decompressors that do.
 */
import { linkSignals } from './abort.js'
import { checkRows, chooseColumns, leafName, nestedError, planRanges } from './choose.js'
import { ChunkReader, Window } from './chunk.js'
import { mergeEqual } from './dictionary.js'
import { badArgument, describe, mustBe, PagelaneError } from './errors.js'
import { INDICES, layoutOf } from './layout.js'
import { columnType } from './logical.js'
import { checkChoice, checkFunction, checkOptions, checkRowGroups, checkSignal } from './options.js'
import { ColumnOutput } from './output.js'
import { Prefetcher } from './prefetch.js'
import { Column, Table } from './table.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./ledger.js').Ledger} Ledger */
/** @typedef {import('./metadata.js').Metadata} Metadata */
/** @typedef {import('./choose.js').ChunkRange} ChunkRange */
/** @typedef {import('./index.d.ts').ColumnType} ColumnType */
/** @typedef {import('./index.d.ts').Progress} Progress */
/**
 * What an operation on a file works with.
 * @typedef {object} FileContext
 * @property {Metadata} metadata
 * @property {import('./source.js').Source} source
 * @property {import('./ledger.js').Budget} budget
 * @property {readonly import('./index.d.ts').Codecs[]} codecs in the order they are asked
 * @property {((size: number) => ArrayBuffer) | undefined} allocate memory that need not be zero
 * @property {AbortSignal | undefined} signal
 */
/**
 * A column that is read.
 * @typedef {object} Target
 * @property {string} name
 * @property {ColumnType} type
 * @property {boolean} keep its dictionary is to be kept
 * @property {ChunkRange[]} ranges all its chunks
 * @property {ColumnOutput} output
 * @property {number} builder the core's, for the whole read; 0 before the first chunk
 * @property {number} batch rows to take at a time
 */

/* PL_BUILDER_KEEP_DICTIONARY, PL_BUILDER_RUNNING_OFFSETS */
const KEEP_DICTIONARY = 1
const RUNNING_OFFSETS = 4
/* Bytes that all builders together have for batches, and what one has at most: batches are copied while they are hot in
 * the cache. */
const ALL_BATCHES = 32 << 20
const MAX_BATCH = 256 * 1024
const MAX_STRINGS = 32768
/* A first guess at the bytes of strings is never of more than moderate size: metadata may lie. */
const MAX_GUESS = 64 << 20
/* Milliseconds that a read may go on before the event loop gets a turn: timers, drawing, signals. */
const TURN = 50

const OPTIONS = ['columns', 'rowGroups', 'rows', 'int64', 'dictionary', 'into', 'signal', 'onProgress']

/**
 * @param {FileContext} context
 * @param {Core} core
 * @param {unknown} given
 * @returns {Promise<Table>}
 */
export async function read(context, core, given) {
  const options = checkOptions(given, OPTIONS)
  const signal = linkSignals(context.signal, checkSignal(options.signal))
  signal?.throwIfAborted()
  const ledger = context.budget.open(core)
  const operation = new ReadOperation(context, ledger, signal, options)
  try {
    return await operation.run()
  } finally {
    operation.close()
    ledger.close()
  }
}

class ReadOperation {
  /** @type {Map<number, Target>} by leaf */
  #targets = new Map()
  /** @type {Map<number, PagelaneError>} by leaf */
  #unsupported = new Map()
  #image = 0
  #turn = performance.now()
  #batchBytes = MAX_BATCH
  #numRows = 0
  /** @type {ChunkRange[]} */
  #ranges = []
  /** @type {Prefetcher | undefined} */
  #prefetcher

  /**
   * @param {FileContext} context
   * @param {Ledger} ledger
   * @param {AbortSignal | undefined} signal
   * @param {Record<string, any>} options
   */
  constructor(context, ledger, signal, options) {
    this.context = context
    this.core = ledger.core
    this.ledger = ledger
    this.signal = signal
    this.into = options.into ?? {}
    this.options = options
    /** @type {'bigint' | 'number'} */
    this.int64 = checkChoice('options.int64', options.int64, ['bigint', 'number'])
    this.onProgress = checkFunction('options.onProgress', options.onProgress)
    this.window = new Window(ledger, context.source, (start, size, wanted) =>
      /** @type {Prefetcher} */ (this.#prefetcher).get(start, size, wanted)
    )
  }

  /** @returns {Promise<Table>} */
  async run() {
    const { options, core, ledger } = this
    const { metadata } = this.context
    const keep = checkChoice('options.dictionary', options.dictionary, ['decode', 'keep']) === 'keep'
    const rows = checkRows(options.rows)
    const rowGroups = checkRowGroups(options.rowGroups, metadata.numRowGroups)
    const leaves = options.columns === undefined ? this.#flatLeaves() : chooseColumns(metadata, options.columns)
    this.#checkInto(leaves)

    this.#image = ledger.allocate(metadata.bytes.length)
    core.u8.set(metadata.bytes, this.#image)
    const unique = [...new Set(leaves)].sort((a, b) => a - b)
    const plan = planRanges(metadata, unique, rowGroups, rows)
    this.#numRows = plan.numRows
    this.#ranges = plan.ranges
    for (const range of plan.ranges) {
      // what is wrong with a chunk is told when it is read
      if (core.call.chunk_range(this.#image, range.rowGroup, range.column) !== 0) continue
      range.offset = core.result('offset')
      range.size = core.result('size')
    }
    this.#batchBytes = Math.min(MAX_BATCH, ALL_BATCHES / Math.max(1, unique.length))
    /** @type {Map<number, ChunkRange[]>} */
    const rangesOf = new Map(unique.map((leaf) => [leaf, []]))
    for (const range of plan.ranges) rangesOf.get(range.column)?.push(range)
    const kept = keep ? unique.filter((leaf) => this.#mayKeep(leaf, rangesOf.get(leaf) ?? [])) : []
    for (const [leaves, keep] of /** @type {[number[], boolean][]} */ ([
      [kept, true],
      [unique, false],
    ])) {
      const left = leaves.filter((leaf) => !this.#targets.has(leaf))
      for (const leaf of left) this.#targets.set(leaf, this.#target(leaf, keep, rangesOf.get(leaf) ?? []))
      await this.#readColumns(new Set(left))
    }
    return this.#table(leaves)
  }

  close() {
    this.#prefetcher?.close()
    this.window.close()
    for (const { builder } of this.#targets.values()) this.core.call.builder_destroy(builder)
    this.ledger.free(this.#image, this.context.metadata.bytes.length)
  }

  /** @returns {number[]} the leaves that this version reads when nobody names any */
  #flatLeaves() {
    const { metadata } = this.context
    const leaves = []
    for (let leaf = 0; leaf < metadata.numColumns; leaf++) {
      const { depth, maxRepetitionLevel } = metadata.leaf(leaf)
      if (depth === 1 && maxRepetitionLevel === 0) leaves.push(leaf)
      else this.#unsupported.set(leaf, nestedError(leafName(metadata, leaf)))
    }
    return leaves
  }

  /** @param {number[]} leaves */
  #checkInto(leaves) {
    const { into } = this
    if (typeof into !== 'object' || into === null) {
      throw mustBe('options.into', 'an object of arrays', into)
    }
    const names = new Set(leaves.map((leaf) => leafName(this.context.metadata, leaf)))
    for (const name of Object.keys(into)) {
      if (!names.has(name)) throw badArgument(`options.into[${describe(name)}]`, 'is not a column that is read')
    }
  }

  /**
   * Does nothing in the metadata say that a page of the column has no dictionary? A page that says so after all makes the
   * column one that is decoded.
   * @param {number} leaf
   * @param {ChunkRange[]} ranges
   * @returns {boolean}
   */
  #mayKeep(leaf, ranges) {
    const { metadata } = this.context
    if (Object.hasOwn(this.into, leafName(metadata, leaf))) return false
    const isDictionary = (/** @type {string | number | undefined} */ encoding) =>
      /_DICTIONARY$/.test(String(encoding))
    return ranges.every(({ rowGroup }) => {
      const { encodingStats, encodings = [] } = metadata.chunk(rowGroup, leaf).metaData ?? {}
      if (encodingStats === undefined) return encodings.some(isDictionary)
      return encodingStats.every(
        ({ pageType, encoding }) => pageType === 'DICTIONARY_PAGE' || isDictionary(encoding)
      )
    })
  }

  /**
   * @param {number} leaf
   * @param {boolean} keep
   * @param {ChunkRange[]} ranges
   * @returns {Target}
   */
  #target(leaf, keep, ranges) {
    const { metadata, allocate } = this.context
    const name = leafName(metadata, leaf)
    const type = columnType(metadata.schemaElement(leaf))
    const layout = keep ? INDICES : layoutOf(type, this.int64)
    const into = Object.hasOwn(this.into, name) ? this.into[name] : undefined
    const argument = `options.into[${describe(name)}]`
    const dataSize = layout.form === 'bytes' ? this.#guessDataSize(ranges) : 0
    const output = new ColumnOutput(this.ledger, name, layout, this.#numRows, {
      allocate,
      into,
      argument,
      dataSize,
    })
    return { name, type, keep, ranges, output, builder: 0, batch: this.#batchRows(output) }
  }

  /**
   * Bytes of a column's strings, as its size statistics tell them. They may be wrong: then the read only takes longer.
   * @param {ChunkRange[]} ranges
   * @returns {number} 0 where nothing is told
   */
  #guessDataSize(ranges) {
    let size = 0
    for (const { column, rowGroup, numRows, groupRows } of ranges) {
      const told = this.context.metadata.chunk(rowGroup, column).metaData?.sizeStatistics
        ?.unencodedByteArrayDataBytes
      if (told === undefined || told < 0) return 0
      size += (told * numRows) / groupRows
    }
    return Math.min(Math.ceil(size), MAX_GUESS)
  }

  /**
   * Rows of a batch: a multiple of 8. Those of strings by the length of those before.
   * @param {ColumnOutput} output
   * @returns {number}
   */
  #batchRows({ layout, row, dataSize }) {
    const isBytes = layout.form === 'bytes'
    const perRow = isBytes ? 4 + (row > 0 ? dataSize / row : 124) : layout.byteWidth || 0.5
    return Math.max(8, Math.min(this.#batchBytes / perRow, isBytes ? MAX_STRINGS : Infinity) & ~7)
  }

  /** @param {Set<number>} leaves */
  async #readColumns(leaves) {
    const { source } = this.context
    const ranges = this.#ranges.filter(({ column }) => leaves.has(column))
    this.#prefetcher?.close()
    if (source.readInto === undefined)
      this.#prefetcher = new Prefetcher(source, ranges, this.ledger, this.signal)
    const bytes = ranges.reduce((sum, { size }) => sum + size, 0)
    let bytesDone = 0
    for (const [i, range] of ranges.entries()) {
      this.signal?.throwIfAborted()
      const target = this.#targets.get(range.column)
      if (target !== undefined) await this.#readChunk(range, target)
      this.#prefetcher?.done(i)
      bytesDone += range.size
      this.onProgress?.({ chunksDone: i + 1, chunks: ranges.length, bytesDone, bytes })
    }
  }

  /**
   * @param {ChunkRange} range
   * @param {Target} target
   */
  async #readChunk(range, target) {
    const { core, ledger, window } = this
    const { rowGroup, column, firstRow, numRows } = range
    const place = { column: target.name, rowGroup }
    const reader = new ChunkReader(window, this.context.codecs, place)
    try {
      reader.open(core.call.reader_create(this.#image, rowGroup, column, 0, ledger.handle))
      if (numRows !== range.groupRows) {
        reader.check(core.call.reader_select_rows(reader.handle, firstRow, numRows))
      }
      if (target.builder === 0) {
        const flags = target.keep ? KEEP_DICTIONARY : RUNNING_OFFSETS
        reader.check(core.call.builder_create(reader.handle, flags, Math.min(target.batch, this.#numRows)))
        target.builder = core.result('pointer')
      }
      await this.#readRows(reader, range, target)
    } catch (error) {
      this.#giveUp(range.column, target, error)
    } finally {
      reader.close()
    }
  }

  /**
   * What is less than a batch stays in the builder, for the next chunk to complete.
   * @param {ChunkReader} reader
   * @param {ChunkRange} range
   * @param {Target} target
   */
  async #readRows(reader, range, target) {
    const { core } = this
    const { output, builder } = target
    const isLast = range === target.ranges.at(-1)
    const start = output.row + core.call.builder_length(builder)
    const step = () => core.call.read(reader.handle, builder, target.batch)
    for (let isOpen = true; isOpen; ) {
      const kind = reader.advance(step)
      isOpen = (typeof kind === 'number' ? kind : await kind) === core.steps.VALUES
      const length = core.call.builder_length(builder)
      const rows = output.row + length - start
      if (rows > range.numRows || (!isOpen && rows < range.numRows))
        throw wrongRowCount(reader.place, rows, range)
      if (isOpen || isLast) {
        reader.check(core.call.builder_take(builder, length), 'no memory for a batch')
        output.put(core)
        target.batch = this.#batchRows(output)
      }
      if (performance.now() - this.#turn > TURN) await this.#letOthersRun()
    }
  }

  /**
   * @param {number} leaf
   * @param {Target} target
   * @param {unknown} error
   */
  #giveUp(leaf, target, error) {
    if (!(error instanceof PagelaneError) || error.code !== 'UNSUPPORTED') throw error
    // without its dictionary kept the column may be readable: it is tried again
    if (!target.keep) {
      if (this.options.columns !== undefined) throw error
      this.#unsupported.set(leaf, error)
    }
    target.output.drop()
    this.core.call.builder_destroy(target.builder)
    this.#targets.delete(leaf)
  }

  /**
   * @param {number[]} leaves in the order wanted
   * @returns {Table}
   */
  #table(leaves) {
    /** @type {Map<number, Column>} */
    const columns = new Map()
    for (const [leaf, target] of this.#targets) columns.set(leaf, this.#column(target))
    const unsupported = [...this.#unsupported].sort(([a], [b]) => a - b)
    return new Table(
      this.#numRows,
      leaves.flatMap((leaf) => columns.get(leaf) ?? []),
      unsupported.map(([leaf, error]) => ({ name: leafName(this.context.metadata, leaf), error }))
    )
  }

  /**
   * @param {Target} target
   * @returns {Column}
   */
  #column({ name, type, keep, output, ranges, builder }) {
    const { core, ledger } = this
    const arrays = output.finish()
    if (!keep) return new Column(name, type, this.#numRows, arrays)
    let length = 0
    if (builder !== 0) {
      core.check(core.call.builder_take(builder, 0), { column: name }, 'no memory for the dictionary')
      core.call.show_column(core.result('dictionary'))
      length = core.result('length')
    }
    const dataSize = length === 0 ? 0 : core.result('dataSize')
    const entries = new ColumnOutput(ledger, name, layoutOf(type, this.int64), length, { dataSize })
    if (length > 0) entries.put(core)
    const found = { length, arrays: entries.finish() }
    const { validity, nullCount, values: indices } = arrays
    const merged = ranges.length > 1 && length > 0 ? mergeEqual(indices, found.arrays, length) : found
    const dictionary = new Column(name, type, merged.length, merged.arrays)
    return new Column(name, type, this.#numRows, { validity, nullCount, indices, dictionary })
  }

  async #letOthersRun() {
    await new Promise((resolve) => {
      const turn = /** @type {any} */ (globalThis).setImmediate ?? setTimeout
      turn(resolve)
    })
    this.signal?.throwIfAborted()
    this.#turn = performance.now()
  }
}

/**
 * @param {import('./index.d.ts').ErrorPlace} place
 * @param {number} found
 * @param {ChunkRange} range
 * @returns {PagelaneError}
 */
function wrongRowCount({ column, rowGroup }, found, { numRows, offset }) {
  const message = `the column chunk holds ${found} rows where ${numRows} should be`
  const where = `[column ${JSON.stringify(column)}, row group ${rowGroup}]`
  return new PagelaneError('CORRUPT', `${message} ${where}`, { column, rowGroup, offset })
}
