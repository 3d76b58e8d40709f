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
  byteLength = -1
  concurrency = 6
  /** @type {Uint8Array | undefined} */
  #whole
  /** @type {Promise<Uint8Array> | undefined} */
  #wholeComing
  #charged = 0
  /** What the first answer said of the file's version. @type {Record<string, string>} */
  #version = {}

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
  }

  /**
   * @param {number} size
   * @param {AbortSignal} [signal]
   * @returns {Promise<Uint8Array>}
   */
  async readTail(size, signal) {
    signal?.throwIfAborted()
    let tail
    if (this.byteLength < 0) {
      if (/^https?:$/.test(this.url.protocol))
        tail = await this.#readFirst(size, signal, !isOtherOrigin(this.url))
      else await this.#keepWhole(await this.#request(undefined, signal), signal)
    }
    return tail ?? this.read(Math.max(0, this.byteLength - size), this.byteLength, signal)
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
    if (this.#whole !== undefined) return this.#whole.subarray(start, end)
    const response = await this.#request(`bytes=${start}-${end - 1}`, signal)
    if (response.status === 200) return (await this.#keepWhole(response, signal)).subarray(start, end)
    if (response.status === 416) throw this.#changed(response, `it ends before byte ${start}`)
    const range = this.#contentRange(response)
    if (range !== undefined && (range.start !== start || range.end !== end)) {
      const message = `the server sent bytes ${range.start}-${range.end - 1}, not ${start}-${end - 1}`
      throw this.#failed(response, message, start)
    }
    return this.#readBody(response, end - start, start, signal)
  }

  close() {
    this.budget?.release(this.#charged)
    this.#charged = 0
    this.#whole = undefined
  }

  /**
   * The first request. Finds out the size; gives the tail when it came along.
   * @param {number} size
   * @param {AbortSignal | undefined} signal
   * @param {boolean} isSuffix asks for the last bytes, not for those from the first on
   * @returns {Promise<Uint8Array | undefined>}
   */
  async #readFirst(size, signal, isSuffix) {
    let response
    try {
      response = await this.#request(isSuffix ? `bytes=-${size}` : 'bytes=0-', signal)
    } catch (error) {
      // our origin may redirect to another one that refuses the preflight
      const isRefused = globalThis.location !== undefined && !signal?.aborted && isUnanswered(error)
      if (isSuffix && isRefused) return this.#readFirst(size, signal, false)
      throw error
    }
    if (response.status === 200) return this.#readUnranged(response, signal)
    const range = response.status === 206 ? this.#contentRange(response) : undefined
    if (isSuffix) {
      if (range === undefined) {
        // 416 for an empty file or from a server that knows no suffix ranges; a 206 that does not say what it holds
        cancel(response)
        return this.#readFirst(size, signal, false)
      }
      this.byteLength = range.size ?? range.end
      if (range.end === this.byteLength && range.start === Math.max(0, range.end - size)) {
        return this.#readBody(response, range.end - range.start, range.start, signal)
      }
      cancel(response)
      return
    }
    if (range !== undefined && range.start !== 0) {
      throw this.#failed(response, `the server sent bytes from ${range.start} on, not from 0`)
    }
    // nothing but an empty file has no byte 0
    const isEmpty = response.status === 416
    const fileSize = isEmpty ? 0 : range === undefined ? contentLength(response) : range.size
    if (!isEmpty && (fileSize === undefined || fileSize <= Math.max(size, SMALL_ANSWER))) {
      await this.#keepWhole(response, signal, fileSize)
      return
    }
    cancel(response)
    this.byteLength = fileSize ?? 0
  }

  /**
   * A 200 to a first request with a range. Some servers know ranges but not these: when the file is not small, one more
   * try with a range that has a start and an end decides, before everything is fetched.
   * @param {Response} response
   * @param {AbortSignal} [signal]
   * @returns {Promise<undefined>}
   */
  async #readUnranged(response, signal) {
    const size = contentLength(response) ?? 0
    if (size > SMALL_ANSWER && response.headers.get('accept-ranges') !== 'none') {
      let probe
      try {
        probe = await this.#request(`bytes=${size - 1}-${size - 1}`, signal)
      } finally {
        if (probe?.status !== 200) cancel(response)
      }
      cancel(probe)
      if (probe.status === 206) {
        this.byteLength = size
        return
      }
    }
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
    const { status, statusText } = response
    if (status !== 200 && status !== 206 && status !== 416) {
      throw this.#failed(response, `the server answered ${status} ${statusText}`.trimEnd())
    }
    if (status !== 416) this.#checkVersion(response)
    return response
  }

  /**
   * Weak and strong tags are compared alike, as text. If-Range would ask for the same, but is one more header that a
   * server of another origin has to allow in a preflight.
   * @param {Response} response
   */
  #checkVersion(response) {
    for (const name of ['ETag', 'Last-Modified']) {
      const value = response.headers.get(name)
      if (value === null) continue
      this.#version[name] ??= value
      if (value !== this.#version[name]) throw this.#changed(response, `its ${name} is another one`)
    }
  }

  /**
   * @param {Response} response with status 206
   * @returns {ContentRange | undefined} undefined when the server does not let us see it
   */
  #contentRange(response) {
    const encoding = contentEncoding(response)
    if (encoding) throw this.#failed(response, `the server sent a range of a ${encoding} encoded answer`)
    const text = response.headers.get('content-range')
    if (text === null) return undefined
    const match = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(text.trim())
    if (match === null) throw this.#failed(response, 'the server sent a Content-Range that cannot be read')
    const size = match[3] === '*' ? undefined : Number(match[3])
    if (size !== undefined) this.#checkSize(response, size)
    return { start: Number(match[1]), end: Number(match[2]) + 1, size }
  }

  /**
   * @param {Response} response
   * @param {number} size
   */
  #checkSize(response, size) {
    if (this.byteLength >= 0 && size !== this.byteLength) {
      throw this.#changed(response, `its size went from ${this.byteLength} to ${size} bytes`)
    }
  }

  /**
   * @param {Response} response
   * @param {string} how
   * @returns {Error}
   */
  #changed(response, how) {
    return this.#failed(response, `the file changed while it was read: ${how}`)
  }

  /**
   * @param {Response} response which is not read on
   * @param {string} message
   * @param {number} [offset] in the file
   * @param {unknown} [cause]
   * @returns {Error}
   */
  #failed(response, message, offset, cause) {
    cancel(response)
    return sourceError(`${this.name}: ${message}`, { status: response.status, offset, cause })
  }

  /**
   * Takes everything the server has to send. When several reads get such an answer, one is taken and all use it.
   * @param {Response} response
   * @param {AbortSignal} [signal]
   * @param {number} [fileSize] where it is known for certain
   * @returns {Promise<Uint8Array>}
   */
  #keepWhole(response, signal, fileSize) {
    if (this.#wholeComing !== undefined) {
      cancel(response)
      return abortable(this.#wholeComing, signal)
    }
    const read = async () => {
      try {
        const whole = await this.#readBody(response, fileSize, 0, signal, true)
        this.#checkSize(response, whole.byteLength)
        this.byteLength = whole.byteLength
        this.#whole = whole
        return whole
      } finally {
        this.#wholeComing = undefined
      }
    }
    this.#wholeComing = read()
    return this.#wholeComing
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
  async #readBody(response, size = Infinity, offset, signal, keep = false) {
    const reader = response.body?.getReader()
    /** @type {Uint8Array[]} */
    const pieces = []
    let have = 0
    const asked = `the ${size} bytes asked for at ${offset}`
    try {
      for (;;) {
        const piece = (await reader?.read())?.value
        if (piece === undefined) break
        have += piece.byteLength
        if (have > size) throw this.#failed(response, `the server sent more than ${asked}`, offset)
        if (keep) {
          this.budget?.charge(piece.byteLength)
          this.#charged += piece.byteLength
        }
        pieces.push(piece)
      }
    } catch (cause) {
      reader?.cancel().catch(() => {})
      signal?.throwIfAborted()
      if (cause instanceof Error && cause.name === 'PagelaneError') throw cause
      const message = `the answer broke off after ${have} bytes: ${messageOf(rootCause(cause))}`
      throw this.#failed(response, message, offset + have, cause)
    }
    if (size !== Infinity && have < size)
      throw this.#failed(response, `the server sent ${have} of ${asked}`, offset)
    return joinPieces(pieces, have)
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
  const text = response.headers.get('content-length') ?? ''
  return /^\d+$/.test(text) && !contentEncoding(response) ? Number(text) : undefined
}

/**
 * @param {Response} response
 * @returns {string | null} empty or null where the bytes are as they are
 */
function contentEncoding({ headers }) {
  const encoding = headers.get('content-encoding')
  return encoding === 'identity' ? null : encoding
}

/**
 * @param {unknown} error of a request
 * @returns {boolean} whether there was no answer, or none that the browser lets us see
 */
function isUnanswered(error) {
  return error instanceof Error && error.cause instanceof TypeError
}

/** @param {Response} response */
function cancel({ body }) {
  if (!body?.locked) body?.cancel().catch(() => {})
}

/**
 * Node puts the reason of a failed request one level down.
 * @param {unknown} error
 * @returns {unknown}
 */
function rootCause(error) {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error
}
