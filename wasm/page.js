/** Single pages: decoding one as it stands in a file, and walking over those of a column. */
import { answer } from './chunk.js'
import { PagelaneError } from './errors.js'
import { firstBatch, layoutOf } from './layout.js'
import { Image } from './metadata.js'
import { ColumnOutput, checkInto } from './output.js'
import { Column } from './table.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./ledger.js').Ledger} Ledger */
/** @typedef {import('./index.d.ts').ColumnType} ColumnType */
/** @typedef {import('./index.d.ts').ErrorPlace} ErrorPlace */
/** @typedef {import('./index.d.ts').PageHeader} PageHeader */
/**
 * What has to be known of a page's column.
 * @typedef {object} PageColumn
 * @property {string} name
 * @property {ColumnType} type
 * @property {number} maxDefinitionLevel
 * @property {number} maxRepetitionLevel
 * @property {number} codec
 * @property {Column} [dictionary]
 */
/**
 * @typedef {object} PageOptions
 * @property {'bigint' | 'number'} int64
 * @property {unknown} [into]
 * @property {boolean} [view] arrays in wasm memory
 * @property {PageHeader} [header] where it is known already
 * @property {readonly import('./index.d.ts').Codecs[]} codecs
 * @property {ErrorPlace} place offset: of the page in the file
 */

const BUILDER_KEEP_LEVELS = 2
/* Of a page header whose size is not known: most are shorter. */
const HEADER_GUESS = 512

/**
 * The page header that a PAGE step has left in wasm memory. Its binary fields count from the header's bytes in the file.
 * @param {Core} core
 * @param {Uint8Array} headerBytes
 * @returns {PageHeader}
 */
export function pageHeader(core, headerBytes) {
  const { structs, structNumbers } = core.tables
  const at = core.result('header')
  const structAt = Math.ceil(headerBytes.length / 8) * 8
  const size = structs[structNumbers.page_header].size
  const bytes = new Uint8Array(structAt + size)
  bytes.set(headerBytes)
  bytes.set(core.u8.subarray(at, at + size), structAt)
  return new Image(core.tables, bytes).struct('page_header', structAt)
}

/** Decodes one page. Made for one call of `run`, and closed after it; a view holds until it is closed. */
export class PageDecoder {
  /**
   * @param {Ledger} ledger
   * @param {PageColumn} column
   * @param {PageOptions} options
   */
  constructor(ledger, column, options) {
    this.ledger = ledger
    this.core = ledger.core
    this.column = column
    this.options = options
    /** @type {{ address: number, size: number }[]} */
    this.allocated = []
    this.reader = 0
    this.builder = 0
  }

  /**
   * @param {Uint8Array} bytes header and body, and maybe more
   * @returns {Generator<Promise<void>, { header: PageHeader, column: Column, bytesRead: number }, void>} what it yields
   *   has to be waited for; only decompressors of the caller's make it do so
   */
  *run(bytes) {
    const { core } = this
    this.#createReader(bytes.length)
    const { header, size } = this.#readHeader(bytes)
    const window = this.#copyIn(bytes.subarray(0, size))
    core.check(core.call.reader_provide_range(this.reader, 0, window, size), this.options.place)
    let kind = core.call.reader_step(this.reader)
    while (kind === core.steps.NEED_CODEC) {
      const { place, codecs } = this.options
      const waiting = answer(kind, {
        reader: this.reader,
        window: /** @type {any} */ ({ core }),
        codecs,
        place,
      })
      if (waiting !== undefined) yield waiting
      kind = core.call.reader_step(this.reader)
    }
    if (kind < 0) throw core.error(-kind, this.options.place)
    if (kind === core.steps.VALUES) return { header, column: this.#decodeValues(header), bytesRead: size }
    if (core.call.reader_dictionary(this.reader) === 0 || header.dictionaryPageHeader === undefined) {
      throw new PagelaneError(
        'UNSUPPORTED',
        `a page of type ${header.type} holds no values`,
        this.options.place
      )
    }
    return { header, column: this.#takeColumn(), bytesRead: size }
  }

  close() {
    const { core } = this
    core.call.builder_destroy(this.builder)
    core.call.reader_destroy(this.reader)
    for (const { address, size } of this.allocated) this.ledger.free(address, size)
    this.allocated = []
    this.reader = this.builder = 0
  }

  /** @param {number} size of the bytes given */
  #createReader(size) {
    const { core, column } = this
    const { type, dictionary } = column
    const typeLength =
      type.physicalType === 'FIXED_LEN_BYTE_ARRAY' && 'byteWidth' in type ? (type.byteWidth ?? 0) : 0
    const { values, offsets, length } = this.#copyDictionary(dictionary)
    core.check(
      core.call.reader_create_page(
        core.tables.enums.type.numbers[type.physicalType],
        typeLength,
        column.maxDefinitionLevel,
        column.maxRepetitionLevel,
        column.codec,
        size,
        values,
        offsets,
        length,
        this.ledger.handle
      ),
      this.options.place
    )
    this.reader = core.result('pointer')
    core.call.reader_announce_pages(this.reader)
  }

  /**
   * @param {Column | undefined} dictionary
   * @returns {{ values: number, offsets: number, length: number }} addresses; length -1: there is none
   */
  #copyDictionary(dictionary) {
    if (dictionary === undefined) return { values: 0, offsets: 0, length: -1 }
    const { length, offsets, data } = dictionary
    if (offsets !== undefined && data !== undefined) {
      return { values: this.#copyIn(data), offsets: this.#copyIn(bytesOf(offsets)), length }
    }
    const { values } = dictionary
    // numbers that were integers of 64 bits in the file
    const isNumbers = values instanceof Float64Array && this.column.type.physicalType === 'INT64'
    const stored = isNumbers ? BigInt64Array.from(values, BigInt) : values
    return { values: this.#copyIn(bytesOf(stored)), offsets: 0, length }
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {{ header: PageHeader, size: number }} size of header and body
   */
  #readHeader(bytes) {
    const { core } = this
    let size = Math.min(bytes.length, HEADER_GUESS)
    for (;;) {
      const kind = core.call.reader_step(this.reader)
      if (kind < 0) throw core.error(-kind, this.options.place)
      if (kind === core.steps.PAGE) break
      if (kind !== core.steps.NEED_RANGE) {
        throw new PagelaneError('TRUNCATED', 'there is no page in the bytes given', this.options.place)
      }
      size = Math.min(bytes.length, Math.max(size, core.result('size')))
      const address = this.#copyIn(bytes.subarray(0, size))
      core.check(core.call.reader_provide_range(this.reader, 0, address, size), this.options.place)
    }
    const pageSize = core.result('size')
    const header = this.options.header ?? pageHeader(core, bytes.slice(0, core.result('headerSize')))
    return { header, size: pageSize }
  }

  /**
   * @param {PageHeader} header
   * @returns {Column}
   */
  #decodeValues(header) {
    const { core, column, options } = this
    const { place } = options
    const { numValues = 0 } = header.dataPageHeader ?? header.dataPageHeaderV2 ?? {}
    const withLevels = column.maxRepetitionLevel > 0
    const layout = layoutOf(column.type, options.int64)
    // levels are handed over only whole, and a view is of the whole page
    const whole = withLevels || options.view === true
    const batch = whole ? Math.max(1, numValues) : firstBatch(layout)
    core.check(
      core.call.builder_create(this.reader, withLevels ? BUILDER_KEEP_LEVELS : 0, Math.min(batch, numValues)),
      place
    )
    this.builder = core.result('pointer')
    if (whole) {
      this.#append(numValues)
      return options.view ? this.#viewColumn() : this.#takeColumn()
    }
    const output = this.#makeOutput(numValues)
    while (output.row < numValues) {
      this.#append(batch)
      output.put(core)
    }
    return new Column(column.name, column.type, numValues, output.finish())
  }

  /**
   * Appends so many entries of the page, and takes them: the column slots describe them.
   * @param {number} n
   */
  #append(n) {
    const { core, builder } = this
    const { place } = this.options
    core.check(core.call.builder_append(builder, this.reader, n), place)
    core.check(
      core.call.builder_take(builder, core.call.builder_length(builder)),
      place,
      'no memory for the page'
    )
  }

  /**
   * @param {number} numRows
   * @param {number} [dataSize] bytes of all strings, where they are known
   * @returns {ColumnOutput}
   */
  #makeOutput(numRows, dataSize) {
    const { name, type } = this.column
    const layout = layoutOf(type, this.options.int64)
    const { into } = this.options
    return new ColumnOutput({
      name,
      layout,
      numRows,
      ledger: this.ledger,
      into: into === undefined ? undefined : checkInto('options.into', into, layout, numRows),
      dataSize,
    })
  }

  /** @returns {Column} owned, of what the column slots describe */
  #takeColumn() {
    const { core, column } = this
    const length = core.result('length')
    const levels = this.#levels()
    const output = this.#makeOutput(length, core.result('dataSize'))
    output.put(core)
    return new Column(column.name, column.type, length, { ...output.finish(), ...levels })
  }

  /** @returns {{ repetitionLevels?: Uint16Array, definitionLevels?: Uint16Array }} */
  #levels() {
    const { core } = this
    const n = core.result('levels')
    if (this.column.maxRepetitionLevel === 0) return {}
    const { buffer } = core.memory
    return {
      repetitionLevels: new Uint16Array(buffer, core.result('repetitionLevels'), n).slice(),
      definitionLevels: new Uint16Array(buffer, core.result('definitionLevels'), n).slice(),
    }
  }

  /** @returns {Column} on wasm memory */
  #viewColumn() {
    const { core, column, options } = this
    const { name, type } = column
    const length = core.result('length')
    const nullCount = core.result('nullCount')
    const { buffer } = core.memory
    const layout = layoutOf(type, options.int64)
    if (layout.toNumber !== undefined) return this.#takeColumn()
    const validity =
      nullCount === 0 ? null : new Uint8Array(buffer, core.result('validity'), Math.ceil(length / 8))
    if (layout.form === 'bytes') {
      const offsets = new Int32Array(buffer, core.result('offsets'), length + 1)
      const data = new Uint8Array(buffer, core.result('data'), core.result('dataSize'))
      return new Column(name, type, length, { offsets, data, validity, nullCount, ...this.#levels() })
    }
    const elements = layout.form === 'bits' ? Math.ceil(length / 8) : length * layout.perEntry
    const values = new layout.ArrayType(buffer, core.result('values'), elements)
    return new Column(name, type, length, { values, validity, nullCount, ...this.#levels() })
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {number} address of a copy, which lives as long as this decoder
   */
  #copyIn(bytes) {
    if (bytes.length === 0) return 0
    const address = this.ledger.allocate(bytes.length)
    this.allocated.push({ address, size: bytes.length })
    this.core.u8.set(bytes, address)
    return address
  }
}

/**
 * @param {ArrayBufferView} view
 * @returns {Uint8Array}
 */
function bytesOf({ buffer, byteOffset, byteLength }) {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/**
 * Runs to its end what yields nothing to wait for.
 * @template T
 * @param {Generator<Promise<void>, T, void>} steps
 * @returns {T}
 */
export function runAtOnce(steps) {
  const result = steps.next()
  if (result.done) return result.value
  // its end is nobody's business any more
  result.value.catch(() => {})
  throw new PagelaneError('UNSUPPORTED', 'the decompressor gives a promise, and this call cannot wait for one')
}

/**
 * @template T
 * @param {Generator<Promise<void>, T, void>} steps
 * @returns {Promise<T>}
 */
export async function runToEnd(steps) {
  for (;;) {
    const result = steps.next()
    if (result.done) return result.value
    await result.value
  }
}
