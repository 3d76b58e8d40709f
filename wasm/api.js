/** What an entry point exports, made for its platform. */
import { Runtime } from './core.js'
import { badArgument, describe, PagelaneError } from './errors.js'
import { ParquetFile } from './file.js'
import { readMetadata } from './footer.js'
import { Budget } from './ledger.js'
import { columnType } from './logical.js'
import { checkChoice, checkCodecs, checkFunction, checkOptions, checkSignal } from './options.js'
import { PageDecoder, runAtOnce } from './page.js'
import { createSource, viewBytes } from './source.js'
import { Column } from './table.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./index.d.ts').Codecs} Codecs */
/** @typedef {import('./index.d.ts').CodecName} CodecName */
/**
 * @typedef {object} Platform
 * @property {() => import('./core.js').WasmCode | Promise<import('./core.js').WasmCode>} wasm
 * @property {(location: string | URL) => import('./source.js').Source} [openPath] for strings that are no URL
 * @property {(size: number) => ArrayBuffer} [allocate] memory that need not be zero
 * @property {Codecs} [codecs] those that the platform brings
 */

const OPEN_OPTIONS = ['signal', 'maxBytes', 'codecs', 'requestInit']
const PAGE_OPTIONS = [
  'type',
  'typeLength',
  'logicalType',
  'maxDefinitionLevel',
  'maxRepetitionLevel',
  'codec',
  'dictionary',
  'int64',
  'into',
  'maxBytes',
]
const MAX_LEVEL = 32767

/** @param {Platform} platform */
export function createApi(platform) {
  const runtime = new Runtime(platform.wasm)
  /** @type {Codecs} */
  const loaded = {}
  const codecs = [loaded, platform.codecs ?? {}]

  /**
   * @param {unknown} input
   * @param {unknown} [options]
   * @returns {Promise<ParquetFile>}
   */
  async function open(input, options) {
    const checked = checkOptions(options, OPEN_OPTIONS)
    const signal = checkSignal(checked.signal)
    const budget = new Budget(checked.maxBytes)
    const { requestInit } = checked
    if (requestInit !== undefined && (typeof requestInit !== 'object' || requestInit === null)) {
      throw badArgument('options.requestInit', `must be an object, not ${describe(requestInit)}`)
    }
    signal?.throwIfAborted()
    const source = createSource(input, { budget, requestInit, openPath: platform.openPath })
    try {
      return await runtime.use(async (core) => {
        const own = checkCodecs(checked.codecs, core.tables.enums.codec.numbers)
        const ledger = budget.open(core)
        try {
          const metadata = await readMetadata(source, ledger, signal)
          const { allocate } = platform
          return new ParquetFile(runtime, {
            metadata,
            source,
            budget,
            codecs: [own, ...codecs],
            allocate,
            signal,
          })
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
   * @param {unknown} bytes
   * @param {unknown} options
   */
  function decodePage(bytes, options) {
    const view = viewBytes(bytes, 'bytes')
    if (view === undefined)
      throw badArgument('bytes', `must be a buffer or typed array, not ${describe(bytes)}`)
    const checked = checkOptions(options, PAGE_OPTIONS)
    const budget = new Budget(checked.maxBytes)
    return runtime.useNow((core) => {
      const column = pageColumn(core, checked)
      const int64 = checkChoice('options.int64', checked.int64, ['bigint', 'number'])
      const ledger = budget.open(core)
      const decoder = new PageDecoder(ledger, column, { int64, into: checked.into, codecs, place: {} })
      try {
        return runAtOnce(decoder.run(view))
      } finally {
        decoder.close()
        ledger.close()
      }
    })
  }

  /**
   * @param {unknown} codec
   * @param {unknown} [decompress]
   */
  async function loadCodec(codec, decompress) {
    await runtime.use(async (core) => {
      const { numbers } = core.tables.enums.codec
      const name = checkName('codec', codec, numbers)
      const given = checkFunction('decompress', decompress)
      if (given !== undefined) loaded[/** @type {CodecName} */ (name)] = given
      const there = codecs.some((known) => known[/** @type {CodecName} */ (name)] !== undefined)
      if (!there && core.call.codec_is_built_in(numbers[name]) === 0) {
        throw new PagelaneError(
          'UNSUPPORTED',
          `codec ${name} is not in this build: give loadCodec a function for it`
        )
      }
    })
  }

  return { open, decodePage, loadCodec, load: () => runtime.load(), runtime }
}

/**
 * @param {string} argument
 * @param {unknown} name
 * @param {Record<string, number>} known
 * @returns {string}
 */
function checkName(argument, name, known) {
  if (typeof name !== 'string' || !(name in known)) {
    throw badArgument(argument, `must be one of ${Object.keys(known).join(', ')}, not ${describe(name)}`)
  }
  return name
}

/**
 * @param {string} argument
 * @param {unknown} value
 * @param {number} max
 * @returns {number}
 */
function checkNumber(argument, value, max) {
  if (value === undefined) return 0
  if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > max) {
    throw badArgument(argument, `must be a whole number from 0 to ${max}, not ${describe(value)}`)
  }
  return Number(value)
}

/**
 * @param {Core} core
 * @param {Record<string, unknown>} options
 * @returns {import('./page.js').PageColumn}
 */
function pageColumn(core, options) {
  const { enums } = core.tables
  const physicalType = /** @type {import('./index.d.ts').PhysicalType} */ (
    checkName('options.type', options.type, enums.type.numbers)
  )
  const typeLength = checkNumber('options.typeLength', options.typeLength, 2 ** 31 - 1)
  if (physicalType === 'FIXED_LEN_BYTE_ARRAY' && typeLength === 0) {
    throw badArgument('options.typeLength', 'must be given for FIXED_LEN_BYTE_ARRAY')
  }
  const type = columnType({
    type: physicalType,
    typeLength,
    logicalType: checkLogicalType(options.logicalType),
  })
  const codec = checkName('options.codec', options.codec ?? 'UNCOMPRESSED', enums.codec.numbers)
  return {
    name: 'values',
    type,
    maxDefinitionLevel: checkNumber('options.maxDefinitionLevel', options.maxDefinitionLevel, MAX_LEVEL),
    maxRepetitionLevel: checkNumber('options.maxRepetitionLevel', options.maxRepetitionLevel, MAX_LEVEL),
    codec: enums.codec.numbers[codec],
    dictionary: checkDictionary(options.dictionary, type),
  }
}

/**
 * @param {unknown} logicalType
 * @returns {import('./index.d.ts').LogicalType | undefined}
 */
function checkLogicalType(logicalType) {
  if (logicalType === undefined) return undefined
  if (typeof logicalType === 'string') return { [logicalType]: {} }
  if (typeof logicalType === 'object' && logicalType !== null) return logicalType
  throw badArgument('options.logicalType', `must be a name or an object, not ${describe(logicalType)}`)
}

/**
 * @param {unknown} dictionary
 * @param {import('./index.d.ts').ColumnType} type
 * @returns {Column | undefined}
 */
function checkDictionary(dictionary, type) {
  if (dictionary === undefined) return undefined
  if (!(dictionary instanceof Column)) {
    throw badArgument(
      'options.dictionary',
      `must be the column of a dictionary page, not ${describe(dictionary)}`
    )
  }
  const width = (/** @type {any} */ t) => t.byteWidth ?? 0
  const fits = dictionary.type.physicalType === type.physicalType && width(dictionary.type) === width(type)
  if (!fits || dictionary.nullCount !== 0 || dictionary.indices !== undefined) {
    throw badArgument('options.dictionary', 'is not of the type of the page, or has nulls')
  }
  return dictionary
}
