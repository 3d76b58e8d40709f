/**
 * file.read: a plan of byte ranges from the core, then one chunk after another into the columns' arrays. Everything runs
 * without waiting where the bytes can be had at once; else it waits for ranges, and for decompressors that do.
 */
import { checkRows, chooseColumns, leafName, nestedError } from './choose.js'
import { answer, Window } from './chunk.js'
import { mergeDictionaries } from './dictionary.js'
import { badArgument, describe, PagelaneError } from './errors.js'
import { guessDataSize, mayKeepDictionary } from './guess.js'
import { firstBatch, INDICES, layoutOf, nextBatch } from './layout.js'
import { columnType } from './logical.js'
import { checkChoice, checkFunction, checkOptions, checkRowGroups, checkSignal } from './options.js'
import { ColumnOutput, checkInto } from './output.js'
import { makePlan, rangeToFetch } from './plan.js'
import { Prefetcher } from './prefetch.js'
import { Column, Table } from './table.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./ledger.js').Ledger} Ledger */
/** @typedef {import('./metadata.js').Metadata} Metadata */
/** @typedef {import('./plan.js').PlanRange} PlanRange */
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
 * @property {number} leaf
 * @property {string} name
 * @property {ColumnType} type
 * @property {boolean} keep its dictionary is to be kept
 * @property {ColumnOutput} output
 * @property {import('./output.js').Arrays[]} dictionaries one a chunk
 * @property {number[]} dictionaryEnds the row each of them ends before
 */

const BUILDER_KEEP_DICTIONARY = 1
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
  const operation = new ReadOperation(context, ledger, signal)
  try {
    return await operation.run(options)
  } finally {
    operation.close()
    ledger.close()
  }
}

/**
 * A signal that aborts when one of two does.
 * @param {AbortSignal | undefined} a
 * @param {AbortSignal | undefined} b
 * @returns {AbortSignal | undefined}
 */
export function linkSignals(a, b) {
  if (a === undefined || b === undefined || a === b) return a ?? b
  if (a.aborted || b.aborted) return a.aborted ? a : b
  const controller = new AbortController()
  for (const signal of [a, b]) {
    signal.addEventListener('abort', () => controller.abort(signal.reason), { signal: controller.signal })
  }
  return controller.signal
}

class ReadOperation {
  /**
   * @param {FileContext} context
   * @param {Ledger} ledger
   * @param {AbortSignal | undefined} signal
   */
  constructor(context, ledger, signal) {
    this.context = context
    this.metadata = context.metadata
    this.core = ledger.core
    this.ledger = ledger
    this.signal = signal
    /** @type {'bigint' | 'number'} */
    this.int64 = 'bigint'
    /** @type {Record<string, unknown>} */
    this.into = {}
    this.namesGiven = false
    /** @type {Map<number, Target>} by leaf */
    this.targets = new Map()
    /** @type {Map<number, PagelaneError>} by leaf */
    this.unsupported = new Map()
    /** @type {Map<number, PlanRange[]>} by leaf */
    this.plan = new Map()
    this.numRows = 0
    this.image = 0
    this.turn = performance.now()
    /** @type {Prefetcher | undefined} */
    this.prefetcher = undefined
    this.window = new Window(ledger, context.source, (start, size, wanted) =>
      /** @type {Prefetcher} */ (this.prefetcher).get(start, size, wanted)
    )
  }

  /**
   * @param {Record<string, any>} options
   * @returns {Promise<Table>}
   */
  async run(options) {
    const { metadata, ledger } = this
    this.int64 = checkChoice('options.int64', options.int64, ['bigint', 'number'])
    const keep = checkChoice('options.dictionary', options.dictionary, ['decode', 'keep']) === 'keep'
    const rows = checkRows(options.rows)
    const everyGroup = Array.from({ length: metadata.numRowGroups }, (_, i) => i)
    const rowGroups = checkRowGroups(options.rowGroups, metadata.numRowGroups) ?? everyGroup
    const onProgress = checkFunction('options.onProgress', options.onProgress)
    this.namesGiven = options.columns !== undefined
    const leaves = this.namesGiven ? chooseColumns(metadata, options.columns) : this.#flatLeaves()
    this.#takeInto(options.into, leaves)

    this.image = ledger.allocate(metadata.bytes.length)
    this.core.u8.set(metadata.bytes, this.image)
    const unique = [...new Set(leaves)].sort((a, b) => a - b)
    const plan = makePlan(ledger, metadata, { image: this.image, leaves: unique, rowGroups, rows })
    this.numRows = plan.numRows
    for (const leaf of unique) this.plan.set(leaf, [])
    for (const range of plan.ranges) this.plan.get(range.column)?.push(range)
    if (keep) await this.#readKept(unique, plan.ranges, onProgress)
    const left = unique.filter((leaf) => !this.targets.has(leaf))
    for (const leaf of left) this.#addTarget(leaf, false)
    await this.#readRanges(new Set(left), plan.ranges, onProgress)
    return this.#table(leaves)
  }

  close() {
    this.prefetcher?.close()
    this.window.close()
    this.ledger.free(this.image, this.metadata.bytes.length)
  }

  /** @returns {number[]} the leaves that this version reads when nobody names any */
  #flatLeaves() {
    const { metadata } = this
    const leaves = []
    for (let leaf = 0; leaf < metadata.numColumns; leaf++) {
      const { depth, maxRepetitionLevel } = metadata.leaf(leaf)
      if (depth === 1 && maxRepetitionLevel === 0) leaves.push(leaf)
      else this.unsupported.set(leaf, nestedError(leafName(metadata, leaf)))
    }
    return leaves
  }

  /**
   * @param {unknown} into
   * @param {number[]} leaves
   */
  #takeInto(into, leaves) {
    if (into === undefined) return
    if (typeof into !== 'object' || into === null) {
      throw badArgument('options.into', `must be an object of arrays, not ${describe(into)}`)
    }
    const names = new Set(leaves.map((leaf) => leafName(this.metadata, leaf)))
    for (const name of Object.keys(into)) {
      if (!names.has(name)) throw badArgument(`options.into[${describe(name)}]`, 'is not a column that is read')
    }
    this.into = /** @type {Record<string, unknown>} */ (into)
  }

  /**
   * Columns of which nothing says that a page has no dictionary. Those of which a page says so after all get no target.
   * @param {number[]} leaves
   * @param {PlanRange[]} ranges
   * @param {((progress: Progress) => void) | undefined} onProgress
   */
  async #readKept(leaves, ranges, onProgress) {
    const { metadata } = this
    const kept = leaves.filter(
      (leaf) =>
        !Object.hasOwn(this.into, leafName(metadata, leaf)) && mayKeepDictionary(metadata, this.#rangesOf(leaf))
    )
    for (const leaf of kept) this.#addTarget(leaf, true)
    await this.#readRanges(new Set(kept), ranges, onProgress)
  }

  /**
   * @param {Set<number>} leaves
   * @param {PlanRange[]} plan
   * @param {((progress: Progress) => void) | undefined} onProgress
   */
  async #readRanges(leaves, plan, onProgress) {
    const ranges = plan.filter(({ column }) => leaves.has(column))
    if (this.context.source.readInto === undefined) {
      this.prefetcher?.close()
      this.prefetcher = new Prefetcher(this.context.source, ranges.map(rangeToFetch), this.ledger, this.signal)
    }
    const bytes = ranges.reduce((sum, { size }) => sum + size, 0)
    let bytesDone = 0
    for (const [i, range] of ranges.entries()) {
      this.signal?.throwIfAborted()
      const target = this.targets.get(range.column)
      if (target !== undefined) await this.#readChunk(range, target)
      this.prefetcher?.done(i)
      bytesDone += range.size
      onProgress?.({ chunksDone: i + 1, chunks: ranges.length, bytesDone, bytes })
    }
  }

  /**
   * @param {number} leaf
   * @returns {PlanRange[]}
   */
  #rangesOf(leaf) {
    return this.plan.get(leaf) ?? []
  }

  /**
   * @param {number} leaf
   * @param {boolean} keep
   */
  #addTarget(leaf, keep) {
    if (this.unsupported.has(leaf)) return
    const { metadata, numRows } = this
    const name = leafName(metadata, leaf)
    const type = columnType(metadata.schemaElement(metadata.leaf(leaf).schemaIndex))
    const layout = keep ? INDICES : layoutOf(type, this.int64)
    const into = Object.hasOwn(this.into, name)
      ? checkInto(`options.into[${describe(name)}]`, this.into[name], layout, numRows)
      : undefined
    const { allocate } = this.context
    const dataSize = layout.form === 'bytes' ? guessDataSize(metadata, this.#rangesOf(leaf)) : 0
    const output = new ColumnOutput({ name, layout, numRows, ledger: this.ledger, allocate, into, dataSize })
    this.targets.set(leaf, { leaf, name, type, keep, output, dictionaries: [], dictionaryEnds: [] })
  }

  /**
   * @param {PlanRange} range
   * @param {Target} target
   */
  async #readChunk(range, target) {
    const { core } = this
    const place = { column: target.name, rowGroup: range.rowGroup }
    let reader = 0
    let builder = 0
    try {
      core.check(
        core.call.reader_create(this.image, range.rowGroup, range.column, 0, this.ledger.handle),
        place
      )
      reader = core.result('pointer')
      if (range.firstRow !== 0 || range.numRows !== range.groupRows) {
        core.check(core.call.reader_select_rows(reader, range.firstRow, range.numRows), place)
      }
      const batch = Math.min(firstBatch(target.output.layout), range.numRows)
      core.check(core.call.builder_create(reader, target.keep ? BUILDER_KEEP_DICTIONARY : 0, batch), place)
      builder = core.result('pointer')
      await this.#readBatches({ reader, builder, range, target, place })
    } catch (error) {
      this.#giveUp(target, error)
    } finally {
      core.call.builder_destroy(builder)
      core.call.reader_destroy(reader)
    }
  }

  /**
   * @param {Target} target
   * @param {unknown} error
   */
  #giveUp(target, error) {
    if (!(error instanceof PagelaneError) || error.code !== 'UNSUPPORTED') throw error
    // without its dictionary kept the column may be readable: it is tried again
    if (!target.keep) {
      if (this.namesGiven) throw error
      this.unsupported.set(target.leaf, error)
    }
    target.output.drop()
    this.targets.delete(target.leaf)
  }

  /**
   * @param {object} work
   * @param {number} work.reader
   * @param {number} work.builder
   * @param {PlanRange} work.range
   * @param {Target} work.target
   * @param {import('./index.d.ts').ErrorPlace} work.place
   */
  async #readBatches({ reader, builder, range, target, place }) {
    const { core, window } = this
    const { output } = target
    const { codecs } = this.context
    const start = output.row
    const end = start + range.numRows
    let batch = firstBatch(output.layout)
    for (let done = false; !done; ) {
      const kind = core.call.read(reader, builder, Math.min(batch, Math.max(1, end - output.row)))
      if (kind !== core.steps.VALUES && kind !== core.steps.DONE) {
        const waiting = answer(kind, { reader, window, codecs, place })
        if (waiting !== undefined) await waiting
        if (performance.now() - this.turn > TURN) await this.#letOthersRun()
        continue
      }
      done = kind === core.steps.DONE
      core.check(
        core.call.builder_take(builder, core.call.builder_length(builder)),
        place,
        'no memory for a batch'
      )
      const rows = core.result('length')
      if (output.row + rows > end) throw wrongRowCount(place, output.row + rows - start, range)
      const dictionary = core.result('dictionary')
      const dataBefore = output.dataSize
      output.put(core)
      if (output.layout.form === 'bytes') batch = nextBatch(rows, output.dataSize - dataBefore)
      if (done && target.keep) this.#takeDictionary(dictionary, target)
    }
    if (output.row !== end) throw wrongRowCount(place, output.row - start, range)
  }

  /**
   * The dictionary of a finished chunk.
   * @param {number} address of its column in wasm memory
   * @param {Target} target
   */
  #takeDictionary(address, target) {
    const { core, ledger } = this
    core.call.show_column(address)
    const output = new ColumnOutput({
      name: target.name,
      layout: layoutOf(target.type, this.int64),
      numRows: core.result('length'),
      ledger,
      dataSize: core.result('dataSize'),
    })
    output.put(core)
    target.dictionaries.push(output.finish())
    target.dictionaryEnds.push(target.output.row)
  }

  /**
   * @param {number[]} leaves in the order wanted
   * @returns {Table}
   */
  #table(leaves) {
    /** @type {Map<number, Column>} */
    const columns = new Map()
    for (const [leaf, target] of this.targets) columns.set(leaf, this.#column(target))
    const unsupported = [...this.unsupported].sort(([a], [b]) => a - b)
    return new Table(
      this.numRows,
      leaves.flatMap((leaf) => columns.get(leaf) ?? []),
      unsupported.map(([leaf, error]) => ({ name: leafName(this.metadata, leaf), error }))
    )
  }

  /**
   * @param {Target} target
   * @returns {Column}
   */
  #column({ name, type, keep, output, dictionaries, dictionaryEnds }) {
    const arrays = output.finish()
    if (!keep) return new Column(name, type, this.numRows, arrays)
    const { validity, nullCount, values: indices } = arrays
    const merged = mergeDictionaries(indices, dictionaries, dictionaryEnds, layoutOf(type, this.int64))
    const dictionary = new Column(name, type, merged.length, merged.arrays)
    return new Column(name, type, this.numRows, { validity, nullCount, indices, dictionary })
  }

  async #letOthersRun() {
    await new Promise((resolve) => {
      setTimeout(resolve)
    })
    this.signal?.throwIfAborted()
    this.turn = performance.now()
  }
}

/**
 * @param {import('./index.d.ts').ErrorPlace} place
 * @param {number} found
 * @param {PlanRange} range
 * @returns {PagelaneError}
 */
function wrongRowCount({ column, rowGroup }, found, { numRows, offset }) {
  const message = `the column chunk holds ${found} rows where ${numRows} should be`
  const where = `[column ${JSON.stringify(column)}, row group ${rowGroup}]`
  return new PagelaneError('CORRUPT', `${message} ${where}`, { column, rowGroup, offset })
}
