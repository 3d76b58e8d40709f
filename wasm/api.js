/** What an entry point exports, but for decodePage: functions of the platform's runtime. */
import { mustBe, PagelaneError } from './errors.js'
import { ParquetFile } from './file.js'
import { readMetadata } from './footer.js'
import { Budget } from './ledger.js'
import { checkCodecs, checkFlag, checkFunction, checkName, checkOptions, checkSignal } from './options.js'
import { createSource } from './source.js'

/** @typedef {import('./core.js').Runtime} Runtime */
/** @typedef {import('./index.d.ts').CodecName} CodecName */

/**
 * @param {Runtime} runtime
 * @param {unknown} input
 * @param {unknown} [options]
 * @returns {Promise<ParquetFile>}
 */
export async function openFile(runtime, input, options) {
  const { requestInit, maxBytes, ...checked } = checkOptions(options, [
    'signal',
    'maxBytes',
    'codecs',
    'checksums',
    'requestInit',
  ])
  const signal = checkSignal(checked.signal)
  const checksums = checkFlag('options.checksums', checked.checksums)
  const budget = new Budget(maxBytes)
  if (requestInit !== undefined && (typeof requestInit !== 'object' || requestInit === null)) {
    throw mustBe('options.requestInit', 'an object', requestInit)
  }
  signal?.throwIfAborted()
  const { openPath, allocate } = runtime.platform
  const source = createSource(input, { budget, requestInit, openPath })
  try {
    return await runtime.use(async (core) => {
      const own = checkCodecs(checked.codecs, core.tables.enums.codec.numbers)
      const ledger = budget.open(core)
      try {
        const metadata = await readMetadata(source, ledger, signal)
        const codecs = [own, ...runtime.codecs, runtime.fetched]
        return new ParquetFile(runtime, { metadata, source, budget, codecs, checksums, allocate, signal })
      } finally {
        ledger.close()
      }
    })
  } catch (error) {
    source.close()
    throw error
  }
}

/**
 * @param {Runtime} runtime
 * @param {unknown} codec
 * @param {unknown} [decompress]
 * @returns {Promise<void>}
 */
export function loadCodecFor(runtime, codec, decompress) {
  return runtime.use(async (core) => {
    const { numbers } = core.tables.enums.codec
    const name = /** @type {CodecName} */ (checkName('codec', codec, numbers))
    const given = checkFunction('decompress', decompress)
    if (given !== undefined) runtime.codecs[0][name] = given
    const isKnown = runtime.codecs.some((known) => known[name] !== undefined)
    if (!isKnown && runtime.fetched[name] !== undefined) return void (await runtime.fetchCodec(name))
    if (!isKnown && core.call.codec_is_built_in(numbers[name]) === 0) {
      const message = `codec ${name} is not in this build: give loadCodec a function for it`
      throw new PagelaneError('UNSUPPORTED', message)
    }
  })
}
