/**
 * Where the bytes of a file come from. Everything above this module sees one interface, whatever the caller gave:
 *
 *   readTail  the first call; `byteLength` is known after it. One request for a URL
 *   read      any range; may answer at once (bytes in memory, a Node file) or with a promise
 *   readInto  only where bytes can be had without waiting: fills memory of the caller, no copy in between
 *
 * Ranges are [start, end) and lie inside the file; the answer has exactly end - start bytes or is an error with the
 * code SOURCE. The bytes may be the caller's own memory: they are read, never written or handed out.
 */
import { abortable } from './abort.js'
import { badArgument, describe, messageOf, mustBe, PagelaneError, sourceError } from './errors.js'
import { UrlSource } from './url_source.js'

/**
 * @template T
 * @typedef {T | Promise<T>} Awaitable
 */
/**
 * @typedef {object} Source
 * @property {string} name for messages
 * @property {number} byteLength
 * @property {number} concurrency how many reads at a time make sense
 * @property {(size: number, signal?: AbortSignal) => Awaitable<Uint8Array>} readTail the last `size` bytes, or all
 * @property {(start: number, end: number, signal?: AbortSignal) => Awaitable<Uint8Array>} read
 * @property {(start: number, target: Uint8Array) => void} [readInto]
 * @property {() => void} close
 */
/**
 * What a source charges the memory it keeps to.
 * @typedef {object} Budget
 * @property {(size: number) => void} charge throws LIMIT when the bytes do not fit
 * @property {(size: number) => void} release
 */
/**
 * @typedef {object} SourceOptions
 * @property {Budget} [budget]
 * @property {RequestInit} [requestInit]
 * @property {(path: string | URL) => Source} [openPath] Node: strings that are no URL, and file: URLs
 */

const ACCEPTED = 'must be a URL, a Blob or File, an ArrayBuffer, a typed array or { byteLength, slice }'

/**
 * @param {unknown} input what the caller of open() gave
 * @param {SourceOptions} options
 * @returns {Source}
 */
export function createSource(input, options) {
  if (typeof input === 'string' || input instanceof URL) return sourceOfLocation(input, options)
  if (typeof input !== 'object' || input === null)
    throw badArgument('source', `${ACCEPTED}, not ${describe(input)}`)
  const bytes = viewBytes(input)
  if (bytes !== undefined) return new MemorySource(bytes)
  if (isBlob(input)) return new SliceSource('the Blob', input.size, sliceBlob(input))
  const { byteLength, slice } = /** @type {{ byteLength?: unknown, slice?: unknown }} */ (input)
  if (typeof slice !== 'function' || !('byteLength' in input))
    throw badArgument('source', `${ACCEPTED}, not ${describe(input)}`)
  if (!Number.isSafeInteger(byteLength) || Number(byteLength) < 0) {
    throw mustBe('source.byteLength', 'a whole number of bytes', byteLength)
  }
  return new SliceSource('the source', Number(byteLength), (start, end) => slice.call(input, start, end))
}

/**
 * @param {string | URL} input
 * @param {SourceOptions} options
 * @returns {Source}
 */
function sourceOfLocation(input, options) {
  const text = String(input)
  if (text === '') throw badArgument('source', 'is an empty string')
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1].toLowerCase()
  if (scheme === 'http' || scheme === 'https' || scheme === 'blob' || scheme === 'data') {
    return new UrlSource(parseUrl(text), options)
  }
  if (options.openPath !== undefined) return options.openPath(scheme === 'file' ? parseUrl(text) : text)
  if (scheme !== undefined) {
    throw badArgument('source', `is a ${scheme}: URL; http, https, blob and data can be read here`)
  }
  return new UrlSource(parseUrl(text, globalThis.document?.baseURI ?? globalThis.location?.href), options)
}

/**
 * @param {string} text
 * @param {string} [base]
 * @returns {URL}
 */
function parseUrl(text, base) {
  try {
    return new URL(text, base)
  } catch (cause) {
    throw badArgument('source', `is not a valid URL: ${describe(text)}`, cause)
  }
}

/**
 * The bytes of an ArrayBuffer, SharedArrayBuffer, typed array or DataView, of any realm; undefined for anything else.
 * A detached buffer is refused: its length reads as 0, which would pass for an empty file.
 * @param {unknown} input
 * @param {string} [argument]
 * @returns {Uint8Array | undefined}
 */
export function viewBytes(input, argument = 'source') {
  const view = ArrayBuffer.isView(input)
  if (!view && !isBuffer(input)) return undefined
  try {
    if (!view) return new Uint8Array(input)
    // a constructor looks at the buffer, the view's own length does not tell that it was detached
    if (input.byteLength === 0) new Uint8Array(input.buffer)
    return new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
  } catch (cause) {
    throw badArgument(argument, 'is a detached buffer, or a view outside its buffer', cause)
  }
}

/**
 * @param {unknown} input
 * @returns {input is ArrayBufferLike}
 */
function isBuffer(input) {
  const tag = Object.prototype.toString.call(input)
  return tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]'
}

/**
 * @param {object} input
 * @returns {input is Blob}
 */
function isBlob(input) {
  const blob = /** @type {Partial<Blob>} */ (input)
  return (
    typeof blob.size === 'number' && typeof blob.slice === 'function' && typeof blob.arrayBuffer === 'function'
  )
}

/**
 * @param {Blob} blob
 * @returns {(start: number, end: number) => Promise<ArrayBuffer>}
 */
function sliceBlob(blob) {
  return (start, end) => blob.slice(start, end).arrayBuffer()
}

/** Bytes that the caller holds in memory. */
export class MemorySource {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.name = 'the buffer'
    this.bytes = bytes
    this.byteLength = bytes.byteLength
    this.concurrency = 1
  }

  /**
   * @param {number} size
   * @param {AbortSignal} [signal]
   * @returns {Uint8Array}
   */
  readTail(size, signal) {
    return this.read(Math.max(0, this.byteLength - size), this.byteLength, signal)
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {AbortSignal} [signal]
   * @returns {Uint8Array}
   */
  read(start, end, signal) {
    signal?.throwIfAborted()
    // a resizable buffer may have shrunk, any buffer may have been transferred away
    if (this.bytes.byteLength < end)
      throw sourceError('the buffer was detached or made smaller while it was read')
    return this.bytes.subarray(start, end)
  }

  /**
   * @param {number} start
   * @param {Uint8Array} target
   */
  readInto(start, target) {
    target.set(this.read(start, start + target.byteLength))
  }

  close() {}
}

/** Anything that hands out slices: a Blob, a File, hyparquet's AsyncBuffer. */
class SliceSource {
  /**
   * @param {string} name
   * @param {number} byteLength
   * @param {(start: number, end: number) => unknown} slice
   */
  constructor(name, byteLength, slice) {
    this.name = name
    this.byteLength = byteLength
    this.concurrency = 4
    this.slice = slice
  }

  /**
   * @param {number} size
   * @param {AbortSignal} [signal]
   * @returns {Promise<Uint8Array>}
   */
  readTail(size, signal) {
    return this.read(Math.max(0, this.byteLength - size), this.byteLength, signal)
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {AbortSignal} [signal]
   * @returns {Promise<Uint8Array>}
   */
  async read(start, end, signal) {
    signal?.throwIfAborted()
    if (start === end) return new Uint8Array(0)
    let slice
    try {
      slice = await abortable(Promise.resolve(this.slice(start, end)), signal)
    } catch (cause) {
      signal?.throwIfAborted()
      throw cause instanceof PagelaneError
        ? cause
        : sourceError(`${this.name} could not be read at ${start}: ${messageOf(cause)}`, {
            offset: start,
            cause,
          })
    }
    const bytes = viewBytes(slice, 'the result of source.slice')
    if (bytes === undefined) {
      throw badArgument('source.slice', `must give an ArrayBuffer or a typed array, not ${describe(slice)}`)
    }
    if (bytes.byteLength !== end - start) {
      throw sourceError(`${this.name} gave ${bytes.byteLength} bytes for ${start}-${end}`, { offset: start })
    }
    return bytes
  }

  close() {}
}

/**
 * A range of a file that is to be fetched, and which of the ranges asked for lie in it.
 * @typedef {object} JoinedRange
 * @property {number} start
 * @property {number} end
 * @property {number[]} members numbers of the ranges given
 */

/**
 * Joins ranges of a file that overlap or stand at most `gap` bytes apart: bytes that nobody needs are cheaper than
 * another round trip. No joined range grows past `maxSize`, but a single range may be longer than that.
 * @param {{ start: number, end: number }[]} ranges in any order
 * @param {{ gap: number, maxSize: number }} options
 * @returns {JoinedRange[]} in the order of the file
 */
export function joinRanges(ranges, { gap, maxSize }) {
  const order = ranges.map((_, i) => i).sort((a, b) => ranges[a].start - ranges[b].start)
  /** @type {JoinedRange[]} */
  const joined = []
  for (const member of order) {
    const { start, end } = ranges[member]
    const last = joined.at(-1)
    if (last !== undefined && start - last.end <= gap && Math.max(end, last.end) - last.start <= maxSize) {
      last.end = Math.max(end, last.end)
      last.members.push(member)
    } else {
      joined.push({ start, end, members: [member] })
    }
  }
  return joined
}
