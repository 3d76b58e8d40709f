/**
 * The wasm module: compiled and instantiated on first use, without imports. What its exports mean stands in
 * wasm/exports.c. Handles and addresses are numbers; whatever else a call has to say is in the slots of one block of
 * numbers, which hold until the next call.
 */
import { PagelaneError } from './errors.js'
import { readTables, textAt } from './tables.js'

/* An instance whose memory has grown past this is not kept when it is idle: memory of wasm never shrinks. */
const LARGE_MEMORY = 64 << 20

/**
 * The module's bytes or the module, now or later.
 * @typedef {Uint8Array | WebAssembly.Module} WasmCode
 */

/**
 * What an entry point has of its own.
 * @typedef {object} Platform
 * @property {() => WasmCode | Promise<WasmCode>} wasm
 * @property {(location: string | URL) => import('./source.js').Source} [openPath] for strings that are no URL
 * @property {(size: number) => ArrayBuffer} [allocate] memory that need not be zero
 * @property {import('./index.d.ts').Codecs} [codecs] those that the platform brings
 * @property {Record<string, () => Promise<import('./index.d.ts').Decompressor>>} [loaders] of those that it fetches
 */

/** Hands out instances of the module: one, as long as it is sound and small. */
export class Runtime {
  /** @type {WebAssembly.Module | undefined} */
  #module
  /** @type {Promise<WebAssembly.Module> | undefined} */
  #loading
  /** @type {Core | undefined} */
  #core
  /** @type {(() => void) | undefined} */
  #view

  /** @param {Platform} platform */
  constructor(platform) {
    this.platform = platform
    /**
     * Decompressors that are not compiled in, in the order they are asked: those of loadCodec and those that were
     * fetched, then the platform's.
     * @type {import('./index.d.ts').Codecs[]}
     */
    this.codecs = [{}, platform.codecs ?? {}]
    /** Those that are fetched when they are called first. @type {import('./index.d.ts').Codecs} */
    this.fetched = {}
    for (const name of /** @type {import('./index.d.ts').CodecName[]} */ (
      Object.keys(platform.loaders ?? {})
    )) {
      this.fetched[name] = async (input, size) => (await this.fetchCodec(name))(input, size)
    }
  }

  /**
   * @param {import('./index.d.ts').CodecName} name of one that has a loader
   * @returns {Promise<import('./index.d.ts').Decompressor>}
   */
  async fetchCodec(name) {
    const [known] = this.codecs
    const decompress = known[name] ?? (await this.platform.loaders?.[name]?.())
    if (decompress === undefined) throw new PagelaneError('UNSUPPORTED', `codec ${name} is not in this build`)
    known[name] ??= decompress
    return decompress
  }

  /**
   * For entry points that fetch the module. The others have it at once.
   * @returns {Promise<void>}
   */
  async load() {
    if (this.#module !== undefined) return
    this.#loading ??= (async () => compile(await this.platform.wasm()))()
    try {
      this.#module = await this.#loading
    } finally {
      this.#loading = undefined
    }
  }

  /**
   * An instance for one operation; give it back with `release`.
   * @returns {Promise<Core>}
   */
  async acquire() {
    await this.load()
    return this.#acquireNow()
  }

  /** @returns {Core} */
  #acquireNow() {
    this.closeView()
    if (this.#module === undefined) {
      const code = this.platform.wasm()
      if (code instanceof Promise) {
        code.catch(() => {})
        throw new PagelaneError('BAD_ARGUMENT', 'decodePage needs the wasm module: await load() first')
      }
      this.#module = compile(code)
    }
    this.#core ??= new Core(this.#module)
    this.#core.users++
    return this.#core
  }

  /**
   * @template T
   * @param {(core: Core) => Promise<T>} operation
   * @returns {Promise<T>}
   */
  async use(operation) {
    await this.load()
    const core = this.#acquireNow()
    return operation(core).then(
      (result) => {
        this.release(core)
        return result
      },
      (error) => {
        this.release(core, error)
        throw error
      }
    )
  }

  /**
   * The same for operations that wait for nothing.
   * @template T
   * @param {(core: Core) => T} operation
   * @returns {T}
   */
  useNow(operation) {
    const core = this.#acquireNow()
    let failure
    try {
      return operation(core)
    } catch (error) {
      failure = error
      throw error
    } finally {
      this.release(core, failure)
    }
  }

  /**
   * What an operation left in wasm memory for a view: closed when the next operation begins.
   * @param {() => void} close
   */
  closeLater(close) {
    this.closeView()
    this.#view = close
  }

  closeView() {
    const close = this.#view
    this.#view = undefined
    close?.()
  }

  /**
   * @param {Core} core
   * @param {unknown} [error] what the operation ended with
   */
  release(core, error) {
    core.users--
    // after a trap nothing in the instance can be relied on
    const unsound = error instanceof WebAssembly.RuntimeError
    const large = core.users === 0 && core.memory.buffer.byteLength > LARGE_MEMORY
    if (this.#core === core && (unsound || large)) this.#core = undefined
  }
}

/**
 * @param {WasmCode} code
 * @returns {WebAssembly.Module}
 */
function compile(code) {
  if (code instanceof WebAssembly.Module) return code
  const bytes = /** @type {BufferSource} */ (code)
  try {
    return new WebAssembly.Module(bytes)
  } catch (cause) {
    if (WebAssembly.validate(bytes)) throw cause // a policy of the page
    throw new PagelaneError('UNSUPPORTED', 'this engine lacks WebAssembly SIMD: use pagelane/url', { cause })
  }
}

/** One instance. */
export class Core {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    const { exports } = new WebAssembly.Instance(module)
    /** @type {Record<string, (...args: number[]) => number>} */
    this.call = /** @type {any} */ (exports)
    this.memory = /** @type {WebAssembly.Memory} */ (exports.memory)
    // a module built as a reactor has constructors to run
    if (typeof exports._initialize === 'function') exports._initialize()
    this.users = 0
    this.bytes = new Uint8Array(this.memory.buffer)
    this.resultAt = this.call.result()
    this.results = new Float64Array(this.memory.buffer, this.resultAt)
    /** @type {Record<string, number>} */
    this.slots = {}
    const names = textAt(this.u8, this.call.result_names()).trim().split(' ')
    names.forEach((name, i) => {
      this.slots[name] = i
    })
    this.tables = readTables(this)
    this.statusNames = /** @type {import('./index.d.ts').ErrorCode[]} */ (this.tables.enums.status.names)
    this.steps = this.tables.enums.step.numbers
  }

  /** All of wasm memory. Memory that has grown has another buffer, and the old one is empty. */
  get u8() {
    if (this.bytes.length === 0) {
      this.bytes = new Uint8Array(this.memory.buffer)
      this.results = new Float64Array(this.memory.buffer, this.resultAt)
    }
    return this.bytes
  }

  /**
   * @param {string} slot
   * @returns {number} what the last call left there
   */
  result(slot) {
    if (this.bytes.length === 0) this.u8
    return this.results[this.slots[slot]]
  }

  /**
   * @param {number} status a pl_status
   * @param {import('./index.d.ts').ErrorPlace} place what JavaScript knows of it
   * @param {string} [what] for calls that leave no message
   */
  check(status, place, what) {
    if (status !== 0) throw this.error(status, place, what)
  }

  /**
   * @param {number} status
   * @param {import('./index.d.ts').ErrorPlace} place
   * @param {string} [what]
   * @returns {PagelaneError}
   */
  error(status, place, what) {
    const code = this.statusNames[status]
    if (what !== undefined) return new PagelaneError(code, what, place)
    const page = this.result('errorPage')
    const number = this.result('errorNumber')
    const message = textAt(this.u8, this.result('message')) + (number >= 0 ? ` (${number})` : '')
    const offset = (place.offset ?? 0) + this.result('errorOffset')
    const found = { ...place, offset, page: place.page ?? (page >= 0 ? page : undefined) }
    return new PagelaneError(code, message + placeText(found), found)
  }
}

/**
 * @param {import('./index.d.ts').ErrorPlace} place
 * @returns {string}
 */
function placeText({ column, rowGroup, page, offset }) {
  const parts = []
  if (column !== undefined) parts.push(`column ${JSON.stringify(column)}`)
  if (rowGroup !== undefined) parts.push(`row group ${rowGroup}`)
  if (page !== undefined) parts.push(`page ${page}`)
  if (offset !== undefined) parts.push(`byte ${offset}`)
  return parts.length === 0 ? '' : ` [${parts.join(', ')}]`
}
