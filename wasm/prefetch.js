/**
 * Bytes of column chunks from a source that answers late: neighbouring chunks are joined, long ones split, and a few
 * requests run ahead of the decoder, within a share of the memory allowed.
 */
import { abortable, linkSignals } from './abort.js'
import { joinRanges } from './source.js'

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./ledger.js').Ledger} Ledger */
/**
 * @typedef {object} Block
 * @property {number} start
 * @property {number} end
 * @property {number} last number of the last chunk that needs bytes of it
 * @property {Promise<Uint8Array>} [bytes] asked for, and charged
 */

/* Bytes between two chunks that are fetched and thrown away rather than asked for around: about 20 ms at 100 Mbit/s. */
const GAP = 256 * 1024
const MAX_BLOCK = 4 << 20
/* What a range that was not foreseen is read by. */
const STEP = 256 * 1024
const MAX_AHEAD = 64 << 20

export class Prefetcher {
  #abort = new AbortController()
  /** @type {Block[]} in the order of the file, which is nearly always that of need */
  #blocks
  /** The next block to ask for. */
  #next = 0
  /** Requests under way. */
  #running = 0
  /** @type {Set<Block>} */
  #held = new Set()
  #heldBytes = 0
  /** The chunk that is read. */
  #chunk = 0
  /** What was read last of ranges that were not foreseen. */
  #last = { start: 0, bytes: /** @type {Uint8Array} */ (new Uint8Array(0)) }

  /**
   * @param {Source} source
   * @param {import('./choose.js').ChunkRange[]} chunks in the order in which they will be read
   * @param {Ledger} ledger
   * @param {AbortSignal} [signal]
   */
  constructor(source, chunks, ledger, signal) {
    this.source = source
    this.ledger = ledger
    this.signal = linkSignals(signal, this.#abort.signal)
    this.ahead = Math.min(MAX_AHEAD, Math.floor(ledger.maxBytes / 4))
    const size = Math.min(MAX_BLOCK, Math.ceil(this.ahead / 2))
    // of a chunk of which few rows are wanted only its pages will tell which bytes are
    const ranges = chunks.map(({ offset: start, size, firstRow, numRows, groupRows }) => {
      return { start, end: 2 * (firstRow + numRows) >= groupRows ? start + size : start }
    })
    this.#blocks = joinRanges(ranges, { gap: GAP, maxSize: size }).flatMap((joined) => {
      /** @type {Block[]} */
      const blocks = []
      for (let { start } = joined; start < joined.end; start += size) {
        const end = Math.min(joined.end, start + size)
        const last = joined.members.reduce(
          (last, i) => (ranges[i].start < end && ranges[i].end > start && i > last ? i : last),
          -1
        )
        blocks.push({ start, end, last })
      }
      return blocks
    })
  }

  /**
   * At least `size` bytes from `start` on, at most `wanted`.
   * @param {number} start
   * @param {number} size
   * @param {number} wanted
   * @returns {Promise<Uint8Array>}
   */
  async get(start, size, wanted) {
    for (const block of this.#held) {
      if (block.last < this.#chunk || (block.last === this.#chunk && block.end <= start)) this.#forget(block)
    }
    const holds = (/** @type {Block} */ block) => block.start <= start && start < block.end
    const block =
      [...this.#held].find(holds) ?? this.#blocks.find((block, i) => i >= this.#next && holds(block))
    if (block === undefined) {
      if (start < this.#last.start || start + size > this.#last.start + this.#last.bytes.length) {
        const n = Math.max(size, Math.min(wanted, STEP))
        this.#last = await this.#charged(n, async () => {
          return { start, bytes: await this.source.read(start, start + n, this.signal) }
        })
      }
      const at = start - this.#last.start
      return this.#last.bytes.subarray(at, at + wanted)
    }
    if (block.bytes === undefined) {
      this.ledger.charge(block.end - block.start)
      this.#start(block)
    }
    this.#pump()
    const bytes = await abortable(/** @type {Promise<Uint8Array>} */ (block.bytes), this.signal)
    const at = start - block.start
    const have = bytes.subarray(at, at + wanted)
    if (have.length >= size) return have
    // the range goes on in other blocks
    return this.#charged(size, async () => {
      const joined = new Uint8Array(size)
      joined.set(have)
      for (let at = have.length; at < size; ) {
        const more = await this.get(start + at, 1, size - at)
        joined.set(more, at)
        at += more.length
      }
      return joined
    })
  }

  /**
   * @param {number} i chunk that is done with
   */
  done(i) {
    this.#chunk = i + 1
  }

  /** Stops what is under way. */
  close() {
    this.#abort.abort('closed')
    for (const block of this.#held) this.#forget(block)
  }

  /**
   * @template T
   * @param {number} size
   * @param {() => Promise<T>} read so many bytes
   * @returns {Promise<T>}
   */
  async #charged(size, read) {
    this.ledger.charge(size)
    try {
      return await read()
    } finally {
      this.ledger.release(size)
    }
  }

  /** Starts requests as long as there is room for them. */
  #pump() {
    for (; this.#next < this.#blocks.length && this.#running < this.source.concurrency; this.#next++) {
      const block = this.#blocks[this.#next]
      if (block.bytes !== undefined || block.last < this.#chunk) continue
      const size = block.end - block.start
      // a limit that is met here is met again, and told, when the block is needed
      if (this.#heldBytes > 0 && this.#heldBytes + size > this.ahead) return
      if (!this.ledger.tryCharge(size)) return
      this.#start(block)
    }
  }

  /** @param {Block} block which is charged already */
  #start(block) {
    this.#held.add(block)
    this.#heldBytes += block.end - block.start
    this.#running++
    const read = async () => this.source.read(block.start, block.end, this.signal)
    block.bytes = read().finally(() => {
      this.#running--
      if (!this.signal?.aborted) this.#pump()
    })
    // whoever needs the block gets the error; until then nobody may be listening
    block.bytes.catch(() => {})
  }

  /** @param {Block} block */
  #forget(block) {
    block.bytes = undefined
    this.#held.delete(block)
    this.#heldBytes -= block.end - block.start
    this.ledger.release(block.end - block.start)
  }
}
