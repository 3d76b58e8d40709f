/** Decompressors that are not compiled in: the caller's, those that loadCodec made known, the platform's. */
import { messageOf, PagelaneError } from './errors.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./index.d.ts').Codecs} Codecs */
/** @typedef {import('./index.d.ts').Decompressor} Decompressor */
/** @typedef {import('./index.d.ts').ErrorPlace} ErrorPlace */

/**
 * Answers a NEED_CODEC step, whose slots are the core's last result.
 * @param {Core} core
 * @param {number} reader
 * @param {readonly Codecs[]} codecs in the order they are asked
 * @param {ErrorPlace} place
 * @returns {void | Promise<void>} a promise where the decompressor gave one
 */
export function provideCodec(core, reader, codecs, place) {
  const number = core.result('codec')
  const name = /** @type {keyof Codecs} */ (core.tables.enums.codec.names[number])
  const size = core.result('outputSize')
  const output = core.result('output')
  const input = core.result('input')
  const found = codecs.find((known) => known[name] !== undefined)?.[name]
  if (found === undefined) {
    core.check(core.call.reader_provide_page(reader, core.statusNames.indexOf('UNSUPPORTED'), 0), place)
    return
  }
  const finish = (/** @type {unknown} */ result) => {
    if (!(result instanceof Uint8Array) || result.length !== size) {
      const got = result instanceof Uint8Array ? `${result.length} bytes` : 'no Uint8Array'
      throw new PagelaneError('CORRUPT', `codec ${name} gave ${got} where the page has ${size} bytes`, place)
    }
    core.u8.set(result, output)
    core.check(core.call.reader_provide_page(reader, 0, size), place)
  }
  const fail = (/** @type {unknown} */ cause) => {
    if (cause instanceof PagelaneError) throw cause
    throw new PagelaneError('CORRUPT', `codec ${name} could not decompress: ${messageOf(cause)}`, {
      ...place,
      cause,
    })
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
