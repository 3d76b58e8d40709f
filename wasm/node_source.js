/** Files of Node's file system, read without waiting: straight into the memory that the decoder looks at. */
import { fs, url } from './builtin.js'
import { badArgument, messageOf, sourceError } from './errors.js'

/** Gives the descriptors of files back that nobody closed. */
const forgotten = new FinalizationRegistry(/** @param {number} fd */ (fd) => fs.closeSync(fd))

/** @implements {Source} */
export class FileSource {
  /** @param {string | URL} location a path, or a file: URL */
  constructor(location) {
    this.path = pathOf(location)
    this.name = this.path
    this.concurrency = 1
    this.fd = this.#try(() => fs.openSync(this.path, 'r'))
    forgotten.register(this, this.fd, this)
    const stat = this.#try(() => fs.fstatSync(this.fd))
    if (!stat.isFile()) {
      this.close()
      throw sourceError(`${this.name} is ${stat.isDirectory() ? 'a directory' : 'not a regular file'}`)
    }
    this.byteLength = stat.size
    this.mtimeMs = stat.mtimeMs
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
    const bytes = new Uint8Array(end - start)
    this.readInto(start, bytes)
    return bytes
  }

  /**
   * @param {number} start
   * @param {Uint8Array} target
   */
  readInto(start, target) {
    if (this.fd < 0) throw sourceError(`${this.name} was closed`)
    const stat = this.#try(() => fs.fstatSync(this.fd))
    if (stat.size !== this.byteLength || stat.mtimeMs !== this.mtimeMs) {
      throw sourceError(`${this.name} changed while it was read`)
    }
    for (let have = 0; have < target.byteLength; ) {
      const n = this.#try(() => fs.readSync(this.fd, target, have, target.byteLength - have, start + have))
      if (n === 0) throw sourceError(`${this.name} ended while it was read`, { offset: start + have })
      have += n
    }
  }

  close() {
    if (this.fd < 0) return
    forgotten.unregister(this)
    fs.closeSync(this.fd)
    this.fd = -1
  }

  /**
   * @template T
   * @param {() => T} call
   * @returns {T}
   */
  #try(call) {
    try {
      return call()
    } catch (cause) {
      throw sourceError(`${this.name} could not be read: ${messageOf(cause)}`, { cause })
    }
  }
}

/** @typedef {import('./source.js').Source} Source */

/**
 * @param {string | URL} location
 * @returns {string}
 */
function pathOf(location) {
  try {
    if (location instanceof URL) return url().fileURLToPath(location)
  } catch (cause) {
    throw badArgument('source', 'is a file: URL that names no file here', cause)
  }
  if (location.includes('\0')) throw badArgument('source', 'is a path with a NUL character')
  return location
}
