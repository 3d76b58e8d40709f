/**
 * file.read: one column chunk after another into the columns' arrays. Everything runs without waiting where the bytes can
 * be had at once; else it waits for ranges, and for decompressors that do.
 */
import { linkSignals } from './abort.js'
import { assemble } from './assemble.js'
import { checkRows, chooseColumns, leafName, planRanges } from './choose.js'
import { ChunkReader, Window } from './chunk.js'
import { mergeEqual } from './dictionary.js'
import { badArgument, describe, mustBe, PagelaneError } from './errors.js'
import { fieldsOf, leavesOf } from './fields.js'
import { INDICES, layoutOf } from './layout.js'
import { Leaf } from './leaf.js'
import { checkChoice, checkFunction, checkOptions, checkRowGroups, checkSignal } from './options.js'
import { ColumnOutput } from './output.js'
import { Prefetcher } from './prefetch.js'
import { Column, Table } from './table.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./ledger.js').Ledger} Ledger */
/** @typedef {import('./metadata.js').Metadata} Metadata */
/** @typedef {import('./choose.js').ChunkRange} ChunkRange */
/** @typedef {import('./fields.js').Field} Field */
/** @typedef {import('./assemble.js').Part} Part */
/** @typedef {import('./index.d.ts').Progress} Progress */
/**
 * What an operation on a file works with.
 * @typedef {object} FileContext
 * @property {Metadata} metadata
 * @property {import('./source.js').Source} source
 * @property {import('./ledger.js').Budget} budget
 * @property {readonly import('./index.d.ts').Codecs[]} codecs in the order they are asked
 * @property {boolean} checksums pages that have one must match it
 * @property {((size: number) => ArrayBuffer) | undefined} allocate memory that need not be zero
 * @property {AbortSignal | undefined} signal
 */
/* Bytes that all builders together have for batches, and what one has at most: batches are copied while they are hot in
 * the cache. */
const ALL_BATCHES = 32 << 20
const MAX_BATCH = 256 * 1024
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
  /** @type {Map<number, Leaf>} */
  #leaves = new Map()
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
    const leaves =
      options.columns === undefined
        ? Array.from({ length: metadata.numColumns }, (_, i) => i)
        : chooseColumns(metadata, options.columns)
    const fields = fieldsOf(metadata, leaves)
    this.#checkInto(fields)

    this.#image = ledger.allocate(metadata.bytes.length)
    core.u8.set(metadata.bytes, this.#image)
    /** @type {Map<number, Field>} */
    const fieldOf = new Map(fields.flatMap(leavesOf).map((field) => [field.leaf, field]))
    const unique = [...fieldOf.keys()].sort((a, b) => a - b)
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
    for (const [chosen, keep] of /** @type {[number[], boolean][]} */ ([
      [kept, true],
      [unique, false],
    ])) {
      const left = chosen.filter((leaf) => !this.#leaves.has(leaf))
      for (const leaf of left) {
        const field = /** @type {Field} */ (fieldOf.get(leaf))
        this.#leaves.set(leaf, this.#makeLeaf(field, keep, rangesOf.get(leaf) ?? []))
      }
      await this.#readColumns(new Set(left))
    }
    return this.#table(fields)
  }

  close() {
    this.#prefetcher?.close()
    this.window.close()
    for (const { builder } of this.#leaves.values()) this.core.call.builder_destroy(builder)
    this.ledger.free(this.#image, this.context.metadata.bytes.length)
  }

  /** @param {Field[]} fields */
  #checkInto(fields) {
    const { into } = this
    if (typeof into !== 'object' || into === null) {
      throw mustBe('options.into', 'an object of arrays', into)
    }
    for (const name of Object.keys(into)) {
      const argument = `options.into[${describe(name)}]`
      const found = fields.find((field) => field.name === name)
      if (found === undefined) throw badArgument(argument, 'is not a column that is read')
      if (found.children.length > 0) throw badArgument(argument, 'cannot be filled: it is a nested column')
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
    if (this.#intoOf(leaf) !== undefined) return false
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
   * @returns {unknown} the caller's array for it
   */
  #intoOf(leaf) {
    const { metadata } = this.context
    const name = leafName(metadata, leaf)
    return metadata.leaf(leaf).depth === 1 && Object.hasOwn(this.into, name) ? this.into[name] : undefined
  }

  /**
   * @param {Field} field
   * @param {boolean} keep
   * @param {ChunkRange[]} ranges
   * @returns {Leaf}
   */
  #makeLeaf(field, keep, ranges) {
    const { metadata, allocate } = this.context
    const name = leafName(metadata, field.leaf)
    const layout = keep ? INDICES : layoutOf(field.type, this.int64)
    return new Leaf(field, name, layout, ranges, {
      metadata,
      ledger: this.ledger,
      numRows: this.#numRows,
      batchBytes: this.#batchBytes,
      keep,
      allocate,
      into: this.#intoOf(field.leaf),
      argument: `options.into[${describe(name)}]`,
    })
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
      const leaf = this.#leaves.get(range.column)
      if (leaf !== undefined) await this.#readChunk(range, leaf)
      this.#prefetcher?.done(i)
      bytesDone += range.size
      this.onProgress?.({ chunksDone: i + 1, chunks: ranges.length, bytesDone, bytes })
    }
  }

  /**
   * @param {ChunkRange} range
   * @param {Leaf} leaf
   */
  async #readChunk(range, leaf) {
    const { core, ledger, window } = this
    const { rowGroup, column, firstRow, numRows } = range
    const { codecs, checksums } = this.context
    const reader = new ChunkReader(window, codecs, { column: leaf.name, rowGroup }, checksums)
    try {
      reader.open(core.call.reader_create(this.#image, rowGroup, column, 0, ledger.handle))
      if (numRows !== range.groupRows) core.call.reader_select_rows(reader.handle, firstRow, numRows)
      if (leaf.builder === 0) {
        const reserved = Math.min(leaf.batch, this.#numRows)
        reader.check(core.call.builder_create(reader.handle, leaf.flags, reserved))
        leaf.builder = core.result('pointer')
      }
      await this.#readRows(reader, range, leaf)
    } catch (error) {
      this.#giveUp(range.column, leaf, error)
    } finally {
      reader.close()
    }
  }

  /**
   * What is less than a batch stays in the builder, for the next chunk to complete.
   * @param {ChunkReader} reader
   * @param {ChunkRange} range
   * @param {Leaf} leaf
   */
  async #readRows(reader, range, leaf) {
    const { core } = this
    const { builder } = leaf
    const isLast = range === leaf.ranges.at(-1)
    const start = leaf.rows + core.call.builder_length(builder, 1)
    const step = () => core.call.read(reader.handle, builder, leaf.batch)
    for (let isOpen = true; isOpen; ) {
      const kind = reader.advance(step)
      isOpen = (typeof kind === 'number' ? kind : await kind) === core.steps.VALUES
      const length = core.call.builder_length(builder, isOpen ? 0 : 1)
      const rows = leaf.rows + length - start
      if (rows > range.numRows || (!isOpen && rows < range.numRows))
        throw wrongRowCount(reader.place, rows, range)
      if (isOpen || isLast) {
        reader.check(core.call.builder_take(builder, length), 'no memory for a batch')
        leaf.put(length)
      }
      if (performance.now() - this.#turn > TURN) await this.#letOthersRun()
    }
  }

  /**
   * @param {number} number
   * @param {Leaf} leaf
   * @param {unknown} error
   */
  #giveUp(number, leaf, error) {
    if (!(error instanceof PagelaneError) || error.code !== 'UNSUPPORTED') throw error
    // without its dictionary kept the column may be readable: it is tried again
    if (!leaf.keep) {
      if (this.options.columns !== undefined) throw error
      this.#unsupported.set(number, error)
    }
    leaf.drop()
    this.#leaves.delete(number)
  }

  /**
   * @param {Field[]} fields in the order wanted
   * @returns {Table}
   */
  #table(fields) {
    /** @type {{ name: string, error: PagelaneError }[]} */
    const unsupported = []
    const readable = fields.filter((field) => {
      const errors = leavesOf(field).flatMap(({ leaf }) => this.#unsupported.get(leaf) ?? [])
      if (errors.length > 0) unsupported.push({ name: field.name, error: errors[0] })
      return errors.length === 0
    })
    /** @type {Map<number, Part>} */
    const parts = new Map()
    const partOf = (/** @type {number} */ number) => {
      const part = parts.get(number) ?? this.#finish(/** @type {Leaf} */ (this.#leaves.get(number)))
      parts.set(number, part)
      return part
    }
    const columns = readable.map((field) => assemble(field, partOf))
    return new Table(this.#numRows, columns, unsupported)
  }

  /**
   * @param {Leaf} leaf
   * @returns {Part}
   */
  #finish(leaf) {
    const finished = (/** @type {ColumnOutput} */ output) => ({ length: output.row, arrays: output.finish() })
    const part = { ...finished(leaf.output), parents: leaf.parents.map(finished) }
    return leaf.keep ? { ...part, arrays: this.#withDictionary(leaf, part.arrays) } : part
  }

  /**
   * @param {Leaf} leaf
   * @param {import('./output.js').Arrays} arrays
   */
  #withDictionary({ field, name, ranges, builder }, { values: indices, validity, nullCount }) {
    const { core, ledger } = this
    let length = 0
    if (builder !== 0) {
      core.check(core.call.builder_take(builder, 0), { column: name }, 'no memory for the dictionary')
      core.call.show_column(core.result('dictionary'))
      length = core.result('length')
    }
    const dataSize = length === 0 ? 0 : core.result('dataSize')
    const entries = new ColumnOutput(ledger, name, layoutOf(field.type, this.int64), length, { dataSize })
    if (length > 0) entries.put(core)
    const found = { length, arrays: entries.finish() }
    const merged = ranges.length > 1 && length > 0 ? mergeEqual(indices, found.arrays, length) : found
    const dictionary = new Column(field.name, field.type, merged.length, merged.arrays)
    return { validity, nullCount, indices, dictionary }
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
