/**
 * The wasm module as a host of the suite: its exports called straight, the way wasm/exports.c describes them. Runs
 * wherever the module does.
 */
/** @typedef {import('../../wasm/core.js').Core} Core */
/** @typedef {import('./run.js').Host} Host */
/** @typedef {import('./run.js').PageCase} PageCase */
/** @typedef {import('./run.js').ValueCase} ValueCase */
/** @typedef {import('./run.js').ValueResult} ValueResult */
/** @typedef {import('./run.js').Batch} Batch */
/** @typedef {import('./run.js').BatchParent} BatchParent */
/**
 * Batches of so many rows, appends of so many rows; batches that continue each other.
 * @typedef {{ take?: number, append?: number, running?: boolean }} Split
 */

/* PL_BUILDER_KEEP_DICTIONARY, PL_BUILDER_KEEP_LEVELS; PL_BUILDER_RUNNING */
const KEEP_FLAGS = { '': 0, dictionary: 1, levels: 2 }
const RUNNING = 4

/** A status that is not OK. */
class Ended extends Error {
  /** @param {string} status */
  constructor(status) {
    super(status)
    this.status = status
  }
}

/**
 * @param {Core} core
 * @param {Split} [split]
 * @returns {Host}
 */
export function wasmHost(core, split = {}) {
  return {
    decodePages: (pages, onBatch) =>
      withLimits(core, pages.maxBytes, (limits) => new Reading(core, pages, limits, onBatch, split).run()),
    decodeValues: (values) => {
      /** @type {ValueResult} */
      let result = { status: 'OK' }
      const status = withLimits(core, 0, (limits) => {
        result = decodeValues(core, values, limits)
      })
      return status === 'OK' ? result : { status }
    },
  }
}

/**
 * @param {Core} core
 * @param {number} maxBytes
 * @param {(limits: number) => void} run
 * @returns {string} the status it ended with
 */
function withLimits(core, maxBytes, run) {
  const limits = core.call.limits_create(maxBytes)
  let status = 'OK'
  try {
    run(limits)
  } catch (error) {
    if (!(error instanceof Ended)) throw error
    status = error.status
  }
  const used = core.call.limits_used(limits)
  core.call.limits_destroy(limits)
  if (used !== 0) throw new Error(`${used} bytes are still charged after everything was released`)
  return status
}

/**
 * @param {Core} core
 * @param {number} status a pl_status
 */
function check(core, status) {
  if (status !== 0) throw new Ended(core.statusNames[status])
}

/**
 * Memory of the module with a copy of the bytes.
 * @param {Core} core
 * @param {number} limits
 * @param {Uint8Array | number} bytes or how many
 * @param {(address: number) => void} use
 */
function withMemory(core, limits, bytes, use) {
  const size = typeof bytes === 'number' ? bytes : bytes.length
  if (size === 0) return use(0)
  check(core, core.call.allocate(limits, size))
  const address = core.result('pointer')
  try {
    if (typeof bytes !== 'number') core.u8.set(bytes, address)
    use(address)
  } finally {
    core.call.release(limits, address, size)
  }
}

/**
 * @param {Core} core
 * @param {ValueCase} values
 * @param {number} limits
 * @returns {ValueResult}
 */
function decodeValues(core, values, limits) {
  const { bytes, width, count } = values
  const bits = values.function.endsWith('64') ? 64 : 32
  const size = values.function === 'byte_stream_split' ? width : bits / 8
  /** @type {ValueResult} */
  let result = { status: 'OK' }
  withMemory(core, limits, bytes, (input) =>
    withMemory(core, limits, count * size, (output) => {
      const { call } = core
      const isDelta = values.function.startsWith('delta')
      const isAlp = values.function.startsWith('alp')
      const decode = () => {
        if (isDelta) return call.delta_binary_packed_decode(bits, input, bytes.length, output, count)
        if (isAlp) return call.alp_decode(bits, input, bytes.length, output, count)
        if (values.function === 'byte_stream_split')
          return call.byte_stream_split_decode(input, bytes.length, width, output, count)
        if (values.function === 'rle_u32') return call.rle_decode(input, bytes.length, width, output, count)
        return call.bit_unpack(bits, input, bytes.length, width, output, count)
      }
      check(core, decode())
      const length = isDelta || isAlp ? core.result('size') : count
      result = {
        status: 'OK',
        length,
        inUsed: isDelta || values.function === 'rle_u32' ? core.result('offset') : 0,
        values: core.u8.slice(output, output + length * size),
      }
    })
  )
  return result
}

/** One `page` case. */
class Reading {
  /**
   * @param {Core} core
   * @param {PageCase} pages
   * @param {number} limits
   * @param {(batch: Batch) => void} onBatch
   * @param {Split} split
   */
  constructor(core, pages, limits, onBatch, split) {
    this.core = core
    this.pages = pages
    this.limits = limits
    this.onBatch = onBatch
    this.take = pages.keep === 'levels' ? Infinity : (split.take ?? Infinity)
    this.append = split.append ?? Infinity
    this.isRunning = split.running ?? false
    this.builder = 0
    /** @type {number[]} entries, and of each parent elements, that batches had before */
    this.before = []
  }

  run() {
    try {
      for (const chunk of this.pages.chunks)
        withMemory(this.core, this.limits, chunk, (address) => this.readChunk(chunk, address))
      this.takeBatch(this.core.call.builder_length(this.builder, 1))
    } finally {
      if (this.builder) this.core.call.builder_destroy(this.builder)
    }
  }

  /**
   * @param {Uint8Array} chunk
   * @param {number} address
   */
  readChunk(chunk, address) {
    const { core, pages } = this
    const { enums } = core.tables
    const { call } = core
    check(
      core,
      call.reader_create_page(
        enums.type.numbers[pages.type],
        pages.typeLength,
        pages.maxDefinitionLevel,
        pages.maxRepetitionLevel,
        enums.codec.numbers[pages.codec],
        chunk.length,
        0,
        0,
        -1,
        this.limits,
        pages.repeatedLevels
      )
    )
    const reader = core.result('pointer')
    try {
      if (!this.builder) {
        check(core, call.builder_create(reader, KEEP_FLAGS[pages.keep] | (this.isRunning ? RUNNING : 0), 0))
        this.builder = core.result('pointer')
      }
      for (let kind = 0; kind !== core.steps.DONE; ) {
        kind = call.reader_step(reader)
        if (kind < 0) check(core, -kind)
        if (kind === core.steps.NEED_RANGE) {
          const offset = core.result('offset')
          check(core, call.reader_provide_range(reader, offset, address + offset, chunk.length - offset))
        } else if (kind === core.steps.NEED_CODEC) {
          check(core, call.reader_provide_page(reader, core.statusNames.indexOf('UNSUPPORTED'), 0))
        } else if (kind === core.steps.VALUES) {
          this.appendPage(reader)
        }
      }
    } finally {
      call.reader_destroy(reader)
    }
  }

  /**
   * Appends until an append adds nothing: the page is done. The last row of a repeated column is taken when another follows.
   * @param {number} reader
   */
  appendPage(reader) {
    const { call } = this.core
    for (;;) {
      const before = call.builder_length(this.builder, 1)
      const levels = this.pages.keep === 'levels'
      check(this.core, call.builder_append(this.builder, reader, levels ? Infinity : before + this.append))
      const added = call.builder_length(this.builder, 1) - before
      let left = call.builder_length(this.builder, 0)
      for (; left >= this.take; left -= this.take) this.takeBatch(this.take)
      if (levels || added === 0) return
    }
  }

  /** @param {number} n rows */
  takeBatch(n) {
    check(this.core, this.core.call.builder_take(this.builder, n))
    const batch = this.readBatch()
    const dictionary = this.core.result('dictionary')
    batch.isRunning = this.isRunning
    batch.parents = this.readParents()
    this.checkOffsets([batch, ...batch.parents])
    if (dictionary) {
      this.core.call.show_column(dictionary)
      batch.dictionary = this.readBatch()
    }
    this.onBatch(batch)
  }

  /**
   * Offsets begin at 0, or where those of the batch before ended.
   * @param {{ offsets?: Int32Array, length: number }[]} columns
   */
  checkOffsets(columns) {
    columns.forEach(({ offsets, length }, i) => {
      if (!offsets) return
      if (offsets[0] !== (this.isRunning ? (this.before[i] ?? 0) : 0))
        throw new Error(`${this.pages.name}: offsets that begin at ${offsets[0]}`)
      this.before[i] = offsets[length]
    })
  }

  /** @returns {BatchParent[]} */
  readParents() {
    const { keep, maxDefinitionLevel, maxRepetitionLevel, repeatedLevels } = this.pages
    if (keep === 'levels' || (maxDefinitionLevel < 2 && maxRepetitionLevel === 0)) return []
    const isLastList = maxDefinitionLevel <= 32 && (repeatedLevels >>> (maxDefinitionLevel - 1)) & 1
    return Array.from({ length: maxDefinitionLevel - (isLastList ? 0 : 1) }, (_, i) => {
      const isList = this.core.call.show_parent(this.builder, i) === 1
      const length = this.core.result('length')
      const { buffer } = this.core.u8
      return {
        level: i + 1,
        isList,
        length,
        nullCount: this.core.result('nullCount'),
        validity: isList ? null : this.bits('validity', length),
        offsets: isList ? new Int32Array(buffer, this.core.result('offsets'), length + 1) : undefined,
      }
    })
  }

  /**
   * @param {string} slot of an address, 0 when there are none
   * @param {number} n bits, which may begin at any bit of the first byte
   */
  bits(slot, n) {
    const { u8 } = this.core
    const at = this.core.result(slot)
    return at ? u8.subarray(at, at + Math.ceil((7 + n) / 8)) : null
  }

  /**
   * Views of the column that the slots describe.
   * @returns {Batch}
   */
  readBatch() {
    const { core } = this
    const { buffer } = core.u8
    const slot = (/** @type {string} */ name) => core.result(name)
    const length = slot('length')
    const valueWidth = slot('valueWidth')
    const nLevels = slot('levels')
    const at = slot('values')
    const offsetsAt = slot('offsets')
    return {
      length,
      nullCount: slot('nullCount'),
      nLevels,
      values:
        valueWidth && at
          ? new Uint8Array(buffer, at, length * valueWidth)
          : (this.bits('values', length) ?? undefined),
      validity: this.bits('validity', length),
      offsets: offsetsAt ? new Int32Array(buffer, offsetsAt, length + 1) : undefined,
      data: offsetsAt ? new Uint8Array(buffer, slot('data'), slot('dataSize')) : undefined,
      repetitionLevels: slot('repetitionLevels')
        ? new Uint16Array(buffer, slot('repetitionLevels'), nLevels)
        : undefined,
      definitionLevels: slot('definitionLevels')
        ? new Uint16Array(buffer, slot('definitionLevels'), nLevels)
        : undefined,
    }
  }
}
