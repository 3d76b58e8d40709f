/**
 * Bytes of column chunks from a source that answers late: neighbouring ranges are joined, long ones split, and a few
 * requests run ahead of the decoder, within a share of the memory allowed.
 */
import { abortable } from './abort.js'
import { joinRanges } from './source.js'

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./ledger.js').Ledger} Ledger */
/**
 * @typedef {object} Block
 * @property {number} start
 * @property {number} end
 * @property {number} users ranges that still need bytes of it
 * @property {Promise<Uint8Array> | undefined} bytes
 */

/* Bytes between two ranges that are fetched and thrown away rather than asked for around: about 20 ms at 100 Mbit/s. */
const GAP = 256 * 1024
const MAX_BLOCK = 4 << 20
/* What a range that was not foreseen is read by. */
const STEP = 256 * 1024
const MAX_AHEAD = 64 << 20

export class Prefetcher {
  /**
   * @param {Source} source
   * @param {{ start: number, end: number }[]} ranges what will be needed, in this order
   * @param {Ledger} ledger
   * @param {AbortSignal} [signal]
   */
  constructor(source, ranges, ledger, signal) {
    this.source = source
    this.ranges = ranges
    this.ledger = ledger
    this.signal = signal
    this.abort = new AbortController()
    this.onAbort = () => this.abort.abort(signal?.reason)
    signal?.addEventListener('abort', this.onAbort)
    this.ahead = Math.min(MAX_AHEAD, Math.floor(ledger.maxBytes / 4))
    const blockSize = Math.min(MAX_BLOCK, Math.ceil(this.ahead / 2))
    this.held = 0
    this.running = 0
    this.next = 0
    /** @type {Block[]} in the order of need */
    this.blocks = joinRanges(ranges, { gap: GAP, maxSize: blockSize })
      .sort((a, b) => Math.min(...a.members) - Math.min(...b.members))
      .flatMap((joined) => splitBlock(joined, blockSize))
    /** @type {Block[]} in the order of the file */
    this.sorted = this.blocks.toSorted((a, b) => a.start - b.start)
    for (const range of ranges) for (const block of this.#blocksOf(range)) block.users++
  }

  /**
   * At least `size` bytes from `start` on, at most `wanted`.
   * @param {number} start
   * @param {number} size
   * @param {number} wanted
   * @returns {Promise<Uint8Array>}
   */
  async get(start, size, wanted) {
    this.#pump()
    const block = this.#find(start)
    if (block === undefined) {
      const bytes = Math.max(size, Math.min(wanted, STEP))
      this.ledger.charge(bytes)
      try {
        return await this.source.read(start, start + bytes, this.abort.signal)
      } finally {
        this.ledger.release(bytes)
      }
    }
    const bytes = await this.#fetch(block)
    const have = bytes.subarray(start - block.start, Math.min(bytes.length, start - block.start + wanted))
    if (have.length >= size) return have
    return this.#gather(start, size, have)
  }

  /**
   * A range that lies in several blocks.
   * @param {number} start
   * @param {number} size
   * @param {Uint8Array} have its first bytes
   * @returns {Promise<Uint8Array>}
   */
  async #gather(start, size, have) {
    this.ledger.charge(size)
    try {
      const joined = new Uint8Array(size)
      joined.set(have)
      for (let at = have.length; at < size; ) {
        const more = await this.get(start + at, 1, size - at)
        joined.set(more, at)
        at += more.length
      }
      return joined
    } finally {
      this.ledger.release(size)
    }
  }

  /**
   * Range i of those foreseen is done with.
   * @param {number} i
   */
  done(i) {
    for (const block of this.#blocksOf(this.ranges[i])) {
      block.users--
      if (block.users === 0) this.#forget(block)
    }
  }

  /** Stops what is under way. */
  close() {
    this.signal?.removeEventListener('abort', this.onAbort)
    if (this.running > 0) this.abort.abort()
    for (const block of this.blocks) this.#forget(block)
  }

  /** Starts requests as long as there is room for them. */
  #pump() {
    while (this.next < this.blocks.length && this.running < this.source.concurrency) {
      const block = this.blocks[this.next]
      const size = block.end - block.start
      if (block.bytes === undefined && block.users > 0) {
        // a limit that is met here is met again, and told, when the block is needed
        if (this.held > 0 && this.held + size > this.ahead) return
        if (!this.ledger.tryCharge(size)) return
        this.#start(block)
      }
      this.next++
    }
  }

  /**
   * @param {Block} block
   * @returns {Promise<Uint8Array>}
   */
  #fetch(block) {
    if (block.bytes === undefined) {
      this.ledger.charge(block.end - block.start)
      this.#start(block)
    }
    return abortable(/** @type {Promise<Uint8Array>} */ (block.bytes), this.signal)
  }

  /** @param {Block} block which is charged already */
  #start(block) {
    this.held += block.end - block.start
    this.running++
    block.bytes = this.#read(block)
    // whoever needs the block gets the error; until then nobody may be listening
    block.bytes.catch(() => {})
  }

  /**
   * @param {Block} block
   * @returns {Promise<Uint8Array>}
   */
  async #read({ start, end }) {
    try {
      return await this.source.read(start, end, this.abort.signal)
    } finally {
      this.running--
      if (!this.abort.signal.aborted) this.#pump()
    }
  }

  /** @param {Block} block */
  #forget(block) {
    if (block.bytes === undefined) return
    block.bytes = undefined
    this.held -= block.end - block.start
    this.ledger.release(block.end - block.start)
  }

  /**
   * @param {number} position
   * @returns {Block | undefined} the block that holds the byte
   */
  #find(position) {
    let low = 0
    let high = this.sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.sorted[middle].start <= position) low = middle + 1
      else high = middle
    }
    const block = this.sorted[low - 1]
    return block !== undefined && position < block.end ? block : undefined
  }

  /**
   * @param {{ start: number, end: number }} range
   * @returns {Block[]}
   */
  #blocksOf({ start, end }) {
    const blocks = []
    for (let at = start; at < end; ) {
      const block = this.#find(at)
      if (block === undefined) break
      blocks.push(block)
      at = block.end
    }
    return blocks
  }
}

/**
 * @param {{ start: number, end: number }} joined
 * @param {number} blockSize
 * @returns {Block[]}
 */
function splitBlock({ start, end }, blockSize) {
  const blocks = []
  for (let at = start; at < end; at += blockSize) {
    blocks.push({ start: at, end: Math.min(end, at + blockSize), users: 0, bytes: undefined })
  }
  return blocks
}
