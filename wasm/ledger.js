/**
 * Counting bytes. One operation (a read, a page) has a ledger: the core's pl_limits, which also counts what wasm memory
 * holds for it. What stays with a file between operations (a whole answer of a server) is in the file's budget, and
 * stands in the ledger of every operation.
 */
import { mustBe, PagelaneError } from './errors.js'

/** @typedef {import('./core.js').Core} Core */

/** The most that one operation may hold at once, files' kept bytes included. */
export class Budget {
  /** @param {number | undefined} maxBytes undefined: the core's default */
  constructor(maxBytes) {
    if (maxBytes !== undefined && (!Number.isSafeInteger(maxBytes) || maxBytes <= 0)) {
      throw mustBe('options.maxBytes', 'a whole number above 0', maxBytes)
    }
    this.maxBytes = maxBytes
    this.held = 0
    /** @type {Set<Ledger>} */
    this.ledgers = new Set()
  }

  /**
   * A ledger for one operation.
   * @param {Core} core
   * @returns {Ledger}
   */
  open(core) {
    const ledger = new Ledger(core, this)
    this.ledgers.add(ledger)
    return ledger
  }

  /** @param {number} size */
  charge(size) {
    if (this.maxBytes !== undefined && this.held + size > this.maxBytes) throw limitError(size, this.maxBytes)
    for (const ledger of this.ledgers) ledger.charge(size)
    this.held += size
  }

  /** @param {number} size */
  release(size) {
    for (const ledger of this.ledgers) ledger.release(size)
    this.held -= size
  }
}

/** One operation's count. */
export class Ledger {
  /**
   * @param {Core} core
   * @param {Budget} budget
   */
  constructor(core, budget) {
    this.core = core
    this.budget = budget
    this.maxBytes = budget.maxBytes ?? core.call.default_max_bytes()
    this.handle = core.call.limits_create(this.maxBytes)
    if (this.handle === 0) throw new PagelaneError('NO_MEMORY', 'no memory for the decoder')
    if (budget.held !== 0) this.charge(budget.held)
  }

  /** @param {number} size */
  charge(size) {
    if (this.core.call.limits_charge(this.handle, size) !== 0) throw limitError(size, this.maxBytes)
  }

  /**
   * As charge, but says whether the bytes fit instead of failing.
   * @param {number} size
   * @returns {boolean}
   */
  tryCharge(size) {
    return this.core.call.limits_charge(this.handle, size) === 0
  }

  /**
   * @param {number} size
   * @returns {boolean} whether so many bytes would fit now
   */
  fits(size) {
    return this.core.call.limits_used(this.handle) + size <= this.maxBytes
  }

  /** @param {number} size */
  release(size) {
    this.core.call.limits_release(this.handle, size)
  }

  /**
   * Bytes in wasm memory.
   * @param {number} size
   * @returns {number} their address
   */
  allocate(size) {
    const status = this.core.call.allocate(this.handle, size)
    this.core.check(status, {}, `${size} bytes for the decoder are not to be had, or would pass maxBytes`)
    return this.core.result('pointer')
  }

  /**
   * @param {number} address 0: nothing
   * @param {number} size
   */
  free(address, size) {
    if (address !== 0) this.core.call.release(this.handle, address, size)
  }

  close() {
    this.budget.ledgers.delete(this)
    this.core.call.limits_destroy(this.handle)
  }
}

/**
 * @param {number} size
 * @param {number} maxBytes
 * @returns {PagelaneError}
 */
function limitError(size, maxBytes) {
  return new PagelaneError('LIMIT', `${size} more bytes would pass maxBytes (${maxBytes})`)
}
