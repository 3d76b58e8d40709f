/** One column chunk through the core's chunk reader: its window of file bytes, its codec, its batches. */
import { provideCodec } from './codecs.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./ledger.js').Ledger} Ledger */
/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./index.d.ts').ErrorPlace} ErrorPlace */

/**
 * How much is given at a time: a page and a little of what follows, so that few bytes are copied twice; small pages come
 * many at once.
 */
const WINDOW = { lookahead: 8 * 1024, minSize: 64 * 1024 }

/** Where bytes that must be waited for come from. */
/** @typedef {(start: number, size: number, wanted: number) => Promise<Uint8Array>} Fetch */

/** The bytes of the file that the reader looks at, in wasm memory. */
export class Window {
  /**
   * @param {Ledger} ledger
   * @param {Source} source
   * @param {Fetch} fetch for sources that cannot answer at once
   * @param {{ lookahead: number, minSize: number }} [shape]
   */
  constructor(ledger, source, fetch, shape = WINDOW) {
    this.shape = shape
    this.ledger = ledger
    this.core = ledger.core
    this.source = source
    this.fetch = fetch
    this.address = 0
    this.size = 0
    this.offset = 0
  }

  /**
   * Answers a NEED_RANGE step, whose slots are the core's last result.
   * @param {number} reader
   * @param {ErrorPlace} place
   * @returns {void | Promise<void>} a promise where bytes have to be waited for
   */
  provide(reader, place) {
    const offset = this.core.result('offset')
    const size = this.core.result('size')
    const { lookahead, minSize } = this.shape
    const wanted = Math.min(this.core.result('sizeLimit'), Math.max(size + lookahead, minSize))
    if (this.source.readInto === undefined) return this.#provideLater(reader, offset, size, wanted, place)
    this.#reserve(wanted)
    this.source.readInto(offset, this.core.u8.subarray(this.address, this.address + wanted))
    this.#hand(reader, offset, wanted, place)
  }

  /**
   * @param {number} offset in the file
   * @param {number} size
   * @returns {Uint8Array} a copy of bytes that the window holds
   */
  copyOut(offset, size) {
    const at = this.address + offset - this.offset
    return this.core.u8.slice(at, at + size)
  }

  close() {
    this.ledger.free(this.address, this.size)
    this.address = this.size = 0
  }

  /**
   * @param {number} reader
   * @param {number} offset
   * @param {number} size
   * @param {number} wanted
   * @param {ErrorPlace} place
   */
  async #provideLater(reader, offset, size, wanted, place) {
    const bytes = await this.fetch(offset, size, wanted)
    this.#reserve(bytes.length)
    this.core.u8.set(bytes, this.address)
    this.#hand(reader, offset, bytes.length, place)
  }

  /** @param {number} size */
  #reserve(size) {
    if (size <= this.size) return
    this.close()
    this.address = this.ledger.allocate(size)
    this.size = size
  }

  /**
   * @param {number} reader
   * @param {number} offset
   * @param {number} size
   * @param {ErrorPlace} place
   */
  #hand(reader, offset, size, place) {
    this.offset = offset
    this.core.check(this.core.call.reader_provide_range(reader, offset, this.address, size), place)
  }
}

/**
 * What a step asks JavaScript for.
 * @param {number} kind of the step, or a status negated
 * @param {object} work
 * @param {number} work.reader
 * @param {Window} work.window
 * @param {readonly import('./index.d.ts').Codecs[]} work.codecs
 * @param {ErrorPlace} work.place
 * @returns {void | Promise<void>}
 */
export function answer(kind, { reader, window, codecs, place }) {
  const { core } = window
  if (kind < 0) throw core.error(-kind, place)
  if (kind === core.steps.NEED_RANGE) return window.provide(reader, place)
  if (kind === core.steps.NEED_CODEC) return provideCodec(core, reader, codecs, place)
}
