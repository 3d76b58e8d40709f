/**
 * A file behind a URL, read by HTTP ranges.
 *
 * The size is not known at first, and which request finds it out depends on whose server it is:
 *
 *   our own origin, Node   Range: bytes=-N    the last N bytes and, in Content-Range, the size: one request
 *   another origin         Range: bytes=0-    a range with a start needs no CORS preflight, and Content-Length may always
 *                                             be read, while Content-Range and ETag are hidden unless the server exposes
 *                                             them. The body is cancelled; the tail is a second request
 *
 * A server may ignore ranges and answer 200 with everything: the bytes are then kept and read from. Every answer is held
 * against the first one: another ETag, Last-Modified or size is another file, and an error with the code SOURCE.
 */
import { abortable } from './abort.js'
import { messageOf, sourceError } from './errors.js'

/* A whole answer of up to this many bytes is taken rather than cancelled and asked for again in parts. */
const SMALL_ANSWER = 256 * 1024

/**
 * @typedef {object} ContentRange
 * @property {number} start
 * @property {number} end one past the last byte
 * @property {number | undefined} size of the whole file, where the server says it
 */

/** @implements {Source} */
export class UrlSource {
  /**
   * @param {URL} url
   * @param {{ budget?: import('./source.js').Budget, requestInit?: RequestInit }} options
   */
  constructor(url, { budget, requestInit }) {
    this.url = url
    this.budget = budget
    this.requestInit = requestInit
    // no query and no password: they may be secrets
    this.name = url.protocol === 'data:' ? 'the data: URL' : `${url.protocol}//${url.host}${url.pathname}`
    this.byteLength = -1
    this.concurrency = 6
    this.remote = true
    /** @type {Uint8Array | undefined} */
    this.whole = undefined
    /** @type {Promise<Uint8Array> | undefined} */
    this.wholeComing = undefined
    this.charged = 0
    /** @type {string | null} */
    this.etag = null
    /** @type {string | null} */
    this.lastModified = null
  }

  /**
   * @param {number} size
   * @param {AbortSignal} [signal]
   * @returns {Promise<Uint8Array>}
   */
  async readTail(size, signal) {
    if (this.byteLength < 0) {
      const tail = await this.#readFirst(size, signal)
      if (tail !== undefined) return tail
    }
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
    if (this.whole !== undefined) return this.whole.subarray(start, end)
    const response = await this.#request(`bytes=${start}-${end - 1}`, signal)
    if (response.status === 200) return (await this.#keepWhole(response, signal)).subarray(start, end)
    if (response.status === 416) throw this.#changed(response, `it ends before byte ${start}`)
    const range = this.#checkPartial(response)
    if (range !== undefined && (range.start !== start || range.end !== end)) {
      cancel(response)
      throw sourceError(
        `${this.name}: the server sent bytes ${range.start}-${range.end - 1}, not ${start}-${end - 1}`,
        { status: 206, offset: start }
      )
    }
    return this.#readBody(response, end - start, start, signal)
  }

  close() {
    this.budget?.release(this.charged)
    this.charged = 0
    this.whole = undefined
  }

  /**
   * The first request. Finds out the size; gives the tail when it came along.
   * @param {number} size
   * @param {AbortSignal} [signal]
   * @returns {Promise<Uint8Array | undefined>}
   */
  async #readFirst(size, signal) {
    signal?.throwIfAborted()
    if (this.url.protocol !== 'http:' && this.url.protocol !== 'https:') {
      await this.#keepWhole(await this.#request(undefined, signal), signal)
      return undefined
    }
    if (isOtherOrigin(this.url)) return this.#readFromStart(size, signal)
    let response
    try {
      response = await this.#request(`bytes=-${size}`, signal)
    } catch (error) {
      signal?.throwIfAborted()
      // our origin may redirect to another one that refuses the preflight
      if (globalThis.location === undefined || !(error instanceof TypeError)) throw error
      return this.#readFromStart(size, signal)
    }
    if (response.status === 200) return this.#readUnranged(response, signal)
    const range = response.status === 206 ? this.#checkPartial(response) : undefined
    if (range === undefined) {
      // 416 for an empty file or from a server that knows no suffix ranges; a 206 that does not say what it holds
      cancel(response)
      return this.#readFromStart(size, signal)
    }
    this.byteLength = range.size ?? range.end
    if (range.end !== this.byteLength || range.start !== Math.max(0, this.byteLength - size)) {
      cancel(response)
      return undefined
    }
    return this.#readBody(response, range.end - range.start, range.start, signal)
  }

  /**
   * @param {number} size
   * @param {AbortSignal} [signal]
   * @returns {Promise<Uint8Array | undefined>}
   */
  async #readFromStart(size, signal) {
    const response = await this.#request('bytes=0-', signal)
    if (response.status === 200) return this.#readUnranged(response, signal)
    if (response.status === 416) {
      // nothing but an empty file has no byte 0
      cancel(response)
      this.byteLength = 0
      return undefined
    }
    const range = this.#checkPartial(response)
    if (range !== undefined && range.start !== 0) {
      cancel(response)
      throw sourceError(`${this.name}: the server sent bytes from ${range.start} on, not from 0`, {
        status: 206,
      })
    }
    const fileSize = range === undefined ? contentLength(response) : range.size
    if (fileSize === undefined || fileSize <= Math.max(size, SMALL_ANSWER)) {
      await this.#keepWhole(response, signal, fileSize)
      return undefined
    }
    cancel(response)
    this.byteLength = fileSize
    return undefined
  }

  /**
   * A 200 to a first request with a range. Some servers know ranges but not these: when the file is not small, one more
   * try with a range that has a start and an end decides, before everything is fetched.
   * @param {Response} response
   * @param {AbortSignal} [signal]
   * @returns {Promise<undefined>}
   */
  async #readUnranged(response, signal) {
    const fileSize = contentLength(response)
    if (
      fileSize === undefined ||
      fileSize <= SMALL_ANSWER ||
      response.headers.get('accept-ranges') === 'none'
    ) {
      await this.#keepWhole(response, signal)
      return
    }
    const probe = await this.#request(`bytes=${fileSize - 1}-${fileSize - 1}`, signal).catch((error) => {
      cancel(response)
      throw error
    })
    if (probe.status === 206) {
      cancel(response)
      cancel(probe)
      this.byteLength = fileSize
      return
    }
    cancel(probe)
    await this.#keepWhole(response, signal)
  }

  /**
   * @param {string | undefined} range value of the Range header
   * @param {AbortSignal} [signal]
   * @returns {Promise<Response>} with status 200, 206 or 416
   */
  async #request(range, signal) {
    const headers = new Headers(this.requestInit?.headers)
    if (range !== undefined) headers.set('Range', range)
    let response
    try {
      response = await fetch(this.url, { ...this.requestInit, headers, signal })
    } catch (cause) {
      signal?.throwIfAborted()
      throw sourceError(`${this.name} could not be fetched: ${messageOf(rootCause(cause))}`, { cause })
    }
    if (response.status !== 200 && response.status !== 206 && response.status !== 416) {
      cancel(response)
      throw sourceError(
        `${this.name}: the server answered ${response.status} ${response.statusText}`.trimEnd(),
        { status: response.status }
      )
    }
    if (response.status !== 416) this.#checkValidators(response)
    return response
  }

  /**
   * Weak and strong tags are compared alike, as text. If-Range would ask for the same, but is one more header that a
   * server of another origin has to allow in a preflight.
   * @param {Response} response
   */
  #checkValidators(response) {
    const etag = response.headers.get('etag')
    const lastModified = response.headers.get('last-modified')
    if (etag !== null && this.etag !== null && etag !== this.etag) {
      throw this.#changed(response, 'its ETag is another one')
    }
    if (lastModified !== null && this.lastModified !== null && lastModified !== this.lastModified) {
      throw this.#changed(response, 'its Last-Modified is another one')
    }
    this.etag ??= etag
    this.lastModified ??= lastModified
  }

  /**
   * @param {Response} response with status 206
   * @returns {ContentRange | undefined} undefined when the server does not let us see it
   */
  #checkPartial(response) {
    const encoding = response.headers.get('content-encoding')
    if (encoding !== null && encoding !== 'identity') {
      cancel(response)
      throw sourceError(`${this.name}: the server sent a range of a ${encoding} encoded answer`, {
        status: 206,
      })
    }
    const text = response.headers.get('content-range')
    if (text === null) return undefined
    const match = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(text.trim())
    if (match === null) {
      cancel(response)
      throw sourceError(`${this.name}: the server sent a Content-Range that cannot be read`, { status: 206 })
    }
    const size = match[3] === '*' ? undefined : Number(match[3])
    if (size !== undefined && this.byteLength >= 0 && size !== this.byteLength) {
      throw this.#changed(response, `its size went from ${this.byteLength} to ${size} bytes`)
    }
    return { start: Number(match[1]), end: Number(match[2]) + 1, size }
  }

  /**
   * @param {Response} response
   * @param {string} how
   * @returns {Error}
   */
  #changed(response, how) {
    cancel(response)
    return sourceError(`${this.name} changed while it was read: ${how}`, { status: response.status })
  }

  /**
   * Takes everything the server has to send. When several reads get such an answer, one is taken and all use it.
   * @param {Response} response
   * @param {AbortSignal} [signal]
   * @param {number} [fileSize] where it is known for certain
   * @returns {Promise<Uint8Array>}
   */
  async #keepWhole(response, signal, fileSize) {
    if (this.wholeComing !== undefined) {
      cancel(response)
      return abortable(this.wholeComing, signal)
    }
    const coming = this.#readWhole(response, signal, fileSize)
    this.wholeComing = coming
    try {
      return await coming
    } finally {
      this.wholeComing = undefined
    }
  }

  /**
   * @param {Response} response
   * @param {AbortSignal} [signal]
   * @param {number} [fileSize]
   * @returns {Promise<Uint8Array>}
   */
  async #readWhole(response, signal, fileSize) {
    const whole = await this.#readBody(response, fileSize, 0, signal, true)
    if (this.byteLength >= 0 && whole.byteLength !== this.byteLength) {
      throw this.#changed(response, `its size went from ${this.byteLength} to ${whole.byteLength} bytes`)
    }
    this.byteLength = whole.byteLength
    this.whole = whole
    return whole
  }

  /**
   * Reads a body of a known size, or to its end. Never holds more than was asked for.
   * @param {Response} response
   * @param {number | undefined} size
   * @param {number} offset of the body's first byte in the file, for messages
   * @param {AbortSignal} [signal]
   * @param {boolean} [keep] the bytes stay with this source, and are charged
   * @returns {Promise<Uint8Array>}
   */
  async #readBody(response, size, offset, signal, keep = false) {
    const reader = response.body?.getReader()
    /** @type {Uint8Array[]} */
    const pieces = []
    let have = 0
    try {
      for (;;) {
        const result = await reader?.read()
        if (result === undefined || result.done) break
        have += result.value.byteLength
        if (size !== undefined && have > size) {
          throw sourceError(
            `${this.name}: the server sent more than the ${size} bytes asked for at ${offset}`,
            { status: response.status, offset }
          )
        }
        if (keep) this.#charge(result.value.byteLength)
        pieces.push(result.value)
      }
    } catch (cause) {
      reader?.cancel().catch(() => {})
      signal?.throwIfAborted()
      if (cause instanceof Error && cause.name === 'PagelaneError') throw cause
      throw sourceError(
        `${this.name}: the answer broke off after ${have} bytes: ${messageOf(rootCause(cause))}`,
        { status: response.status, offset: offset + have, cause }
      )
    }
    if (size !== undefined && have < size) {
      throw sourceError(`${this.name}: the server sent ${have} of the ${size} bytes asked for at ${offset}`, {
        status: response.status,
        offset,
      })
    }
    return joinPieces(pieces, have)
  }

  /** @param {number} size */
  #charge(size) {
    this.budget?.charge(size)
    this.charged += size
  }
}

/** @typedef {import('./source.js').Source} Source */

/**
 * @param {Uint8Array[]} pieces
 * @param {number} size
 * @returns {Uint8Array}
 */
function joinPieces(pieces, size) {
  if (pieces.length === 1) return pieces[0]
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}

/**
 * Does a request to this URL fall under CORS? Only browsers and their workers have an origin.
 * @param {URL} url
 * @returns {boolean}
 */
function isOtherOrigin(url) {
  const here = globalThis.location?.origin
  return here !== undefined && here !== url.origin
}

/**
 * The size that an answer from the first byte on announces. With a Content-Encoding the header counts other bytes.
 * @param {Response} response
 * @returns {number | undefined}
 */
function contentLength(response) {
  const encoding = response.headers.get('content-encoding')
  const text = response.headers.get('content-length')
  if (text === null || !/^\d+$/.test(text) || (encoding !== null && encoding !== 'identity')) return undefined
  return Number(text)
}

/** @param {Response} response */
function cancel(response) {
  response.body?.cancel().catch(() => {})
}

/**
 * Node puts the reason of a failed request one level down.
 * @param {unknown} error
 * @returns {unknown}
 */
function rootCause(error) {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error
}
