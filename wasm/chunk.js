/** One column chunk through the core's chunk reader: its window of file bytes, its codec, its steps. */
import { messageOf, PagelaneError } from './errors.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./ledger.js').Ledger} Ledger */
/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./index.d.ts').Codecs} Codecs */
/** @typedef {import('./index.d.ts').ErrorPlace} ErrorPlace */
/**
 * Where bytes that must be waited for come from.
 * @typedef {(start: number, size: number, wanted: number) => Promise<Uint8Array>} Fetch
 */

/* How much is given at a time: a page and a little of what follows, so that few bytes are copied twice; small pages come
 * many at once. */
const LOOKAHEAD = 8 * 1024
const MIN_WINDOW = 64 * 1024

/** The bytes of the file that a reader looks at, in wasm memory. */
export class Window {
  #address = 0
  #size = 0
  #offset = 0

  /**
   * @param {Ledger} ledger
   * @param {Source} source
   * @param {Fetch} [fetch] for sources that cannot answer at once
   */
  constructor(ledger, source, fetch) {
    this.ledger = ledger
    this.source = source
    this.fetch = fetch
    this.minSize = MIN_WINDOW
    this.lookahead = LOOKAHEAD
  }

  /**
   * Answers a NEED_RANGE step, whose slots are the core's last result.
   * @param {ChunkReader} reader
   * @returns {void | Promise<void>} a promise where bytes have to be waited for
   */
  provide(reader) {
    const { core } = this.ledger
    const offset = core.result('offset')
    const size = core.result('size')
    const wanted = Math.min(core.result('sizeLimit'), Math.max(size + this.lookahead, this.minSize))
    const give = (/** @type {number} */ length, /** @type {(target: Uint8Array) => void} */ fill) => {
      if (length > this.#size) {
        this.close()
        this.#address = this.ledger.allocate(length)
        this.#size = length
      }
      this.#offset = offset
      fill(core.u8.subarray(this.#address, this.#address + length))
      reader.check(core.call.reader_provide_range(reader.handle, offset, this.#address, length))
    }
    const { fetch, source } = this
    if (source.readInto !== undefined || fetch === undefined) {
      give(wanted, (target) => source.readInto?.(offset, target))
    } else {
      return fetch(offset, size, wanted).then((bytes) => give(bytes.length, (target) => target.set(bytes)))
    }
  }

  /**
   * @param {number} offset in the file
   * @param {number} size
   * @returns {Uint8Array} a view of bytes that the window holds
   */
  view(offset, size) {
    const at = this.#address + offset - this.#offset
    return this.ledger.core.u8.subarray(at, at + size)
  }

  close() {
    this.ledger.free(this.#address, this.#size)
    this.#address = this.#size = 0
  }
}

/** A chunk reader of the core, and what answers its requests. */
export class ChunkReader {
  handle = 0

  /**
   * @param {Window} window
   * @param {readonly Codecs[]} codecs decompressors that are not compiled in, in the order they are asked
   * @param {ErrorPlace} place
   * @param {boolean} checksums pages that have one must match it
   */
  constructor(window, codecs, place, checksums) {
    this.core = window.ledger.core
    this.window = window
    this.codecs = codecs
    this.place = place
    this.checksums = checksums
  }

  /** @param {number} status of the call that makes the reader */
  open(status) {
    this.check(status)
    this.handle = this.core.result('pointer')
    if (this.checksums) this.core.call.reader_verify_checksums(this.handle)
  }

  /**
   * @param {number} status
   * @param {string} [what] for calls that leave no message
   */
  check(status, what) {
    this.core.check(status, this.place, what)
  }

  /**
   * Repeats a call that makes steps until it needs nothing from outside.
   * @param {() => number} step
   * @returns {number | Promise<number>} the kind of the last step; a promise where something had to be waited for
   */
  advance(step) {
    const { steps } = this.core
    for (;;) {
      const kind = step()
      if (kind < 0) throw this.core.error(-kind, this.place)
      if (kind !== steps.NEED_RANGE && kind !== steps.NEED_CODEC) return kind
      const waiting = kind === steps.NEED_RANGE ? this.window.provide(this) : this.#decompress()
      if (waiting !== undefined) return waiting.then(() => this.advance(step))
    }
  }

  close() {
    this.core.call.reader_destroy(this.handle)
    this.handle = 0
  }

  /**
   * Answers a NEED_CODEC step, whose slots are the core's last result.
   * @returns {void | Promise<void>} a promise where the decompressor gave one
   */
  #decompress() {
    const { core } = this
    const name = /** @type {keyof Codecs} */ (core.tables.enums.codec.names[core.result('codec')])
    const size = core.result('outputSize')
    const output = core.result('output')
    const input = core.result('input')
    const found = this.codecs.find((known) => known[name] !== undefined)?.[name]
    const provide = (/** @type {number} */ status, /** @type {number} */ n) =>
      this.check(core.call.reader_provide_page(this.handle, status, n))
    if (found === undefined) {
      const status = core.statusNames.indexOf('UNSUPPORTED')
      core.call.reader_provide_page(this.handle, status, 0)
      const error = core.error(status, this.place)
      error.message += `; loadCodec('${name}') makes it known, with a function where the package has none`
      throw error
    }
    const finish = (/** @type {unknown} */ result) => {
      const length = result instanceof Uint8Array ? result.length : 'no'
      if (length !== size) throw new Error(`it gave ${length} bytes where the page has ${size}`)
      core.u8.set(/** @type {Uint8Array} */ (result), output)
      provide(0, size)
    }
    const fail = (/** @type {unknown} */ cause) => {
      if (cause instanceof PagelaneError) throw cause
      const message = `codec ${name} could not decompress: ${messageOf(cause)}`
      throw new PagelaneError('CORRUPT', message, { ...this.place, cause })
    }
    try {
      // a copy: memory of wasm may move while a decompressor waits
      const result = found(core.u8.slice(input, input + core.result('inputSize')), size)
      if (result instanceof Promise) return result.then(finish).catch(fail)
      finish(result)
    } catch (cause) {
      fail(cause)
    }
  }
}
