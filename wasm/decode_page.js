/** decodePage: one page as it stands in a file, without the file. */
import { ChunkReader, Window } from './chunk.js'
import { badArgument, mustBe, PagelaneError } from './errors.js'
import { Budget } from './ledger.js'
import { columnType } from './logical.js'
import { checkChoice, checkFlag, checkName, checkOptions } from './options.js'
import { PageDecoder, pageHeader } from './page.js'
import { MemorySource, viewBytes } from './source.js'
import { Column } from './table.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./index.d.ts').LeafType} LeafType */
/**
 * @typedef {object} PageKind
 * @property {LeafType} type
 * @property {number} maxDefinitionLevel
 * @property {number} maxRepetitionLevel
 * @property {number} codec
 * @property {Column | undefined} dictionary
 */

const OPTIONS = [
  'type',
  'typeLength',
  'logicalType',
  'maxDefinitionLevel',
  'maxRepetitionLevel',
  'codec',
  'dictionary',
  'int64',
  'into',
  'checksums',
  'maxBytes',
]
const MAX_LEVEL = 32767

/**
 * @param {import('./core.js').Runtime} runtime
 * @param {unknown} bytes
 * @param {unknown} options
 */
export function decodePageOf(runtime, bytes, options) {
  const view = viewBytes(bytes, 'bytes')
  if (view === undefined) throw mustBe('bytes', 'a buffer or typed array', bytes)
  const checked = checkOptions(options, OPTIONS)
  const budget = new Budget(checked.maxBytes)
  return runtime.useNow((core) => {
    const kind = checkKind(core, checked)
    const int64 = checkChoice('options.int64', checked.int64, ['bigint', 'number'])
    const checksums = checkFlag('options.checksums', checked.checksums)
    const ledger = budget.open(core)
    const window = new Window(ledger, new MemorySource(view))
    const reader = new ChunkReader(window, runtime.codecs, {}, checksums)
    const { type, maxRepetitionLevel } = kind
    const decoder = new PageDecoder(reader, { name: 'values', type, maxRepetitionLevel })
    /** @type {{ address: number, size: number }[]} */
    const copies = []
    const copyIn = (/** @type {ArrayBufferView} */ { buffer, byteOffset, byteLength: size }) => {
      if (size === 0) return 0
      const address = ledger.allocate(size)
      copies.push({ address, size })
      core.u8.set(new Uint8Array(buffer, byteOffset, size), address)
      return address
    }
    try {
      createReader(reader, kind, view.length, copyIn)
      if (atOnce(reader.advance(() => core.call.reader_step(reader.handle))) !== core.steps.PAGE) {
        throw new PagelaneError('TRUNCATED', 'there is no page in the bytes given')
      }
      const bytesRead = core.result('size')
      const header = pageHeader(core, view.subarray(0, core.result('headerSize')))()
      const column = decoder.decode(atOnce(decoder.seek(0)), () => header, { int64, into: checked.into })
      return { header, column, bytesRead }
    } finally {
      decoder.close()
      window.close()
      for (const { address, size } of copies) ledger.free(address, size)
      ledger.close()
    }
  })
}

/**
 * @param {ChunkReader} reader
 * @param {PageKind} kind
 * @param {number} size of the bytes given
 * @param {(view: ArrayBufferView) => number} copyIn gives the address of a copy in wasm memory
 */
function createReader(
  reader,
  { type, maxDefinitionLevel, maxRepetitionLevel, codec, dictionary },
  size,
  copyIn
) {
  const { core, window } = reader
  const { physicalType } = type
  const typeLength = physicalType === 'FIXED_LEN_BYTE_ARRAY' && 'byteWidth' in type ? (type.byteWidth ?? 0) : 0
  let values = 0
  let offsets = 0
  if (dictionary?.offsets !== undefined) {
    values = copyIn(/** @type {Uint8Array} */ (dictionary.data))
    offsets = copyIn(dictionary.offsets)
  } else if (dictionary !== undefined) {
    // numbers that were integers of 64 bits in the file
    const isNumbers = dictionary.values instanceof Float64Array && physicalType === 'INT64'
    values = copyIn(isNumbers ? BigInt64Array.from(dictionary.values, BigInt) : dictionary.values)
  }
  reader.open(
    core.call.reader_create_page(
      core.tables.enums.type.numbers[physicalType],
      typeLength,
      maxDefinitionLevel,
      maxRepetitionLevel,
      codec,
      size,
      values,
      offsets,
      dictionary?.length ?? -1,
      window.ledger.handle
    )
  )
  core.call.reader_announce_pages(reader.handle)
}

/**
 * @param {number | Promise<number>} kind
 * @returns {number}
 */
function atOnce(kind) {
  if (typeof kind === 'number') return kind
  // its end is nobody's business any more
  kind.catch(() => {})
  throw new PagelaneError('UNSUPPORTED', 'the decompressor gives a promise, and this call cannot wait for one')
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
    throw mustBe(argument, `a whole number from 0 to ${max}`, value)
  }
  return Number(value)
}

/**
 * @param {Core} core
 * @param {Record<string, unknown>} options
 * @returns {PageKind}
 */
function checkKind(core, options) {
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
  throw mustBe('options.logicalType', 'a name or an object', logicalType)
}

/**
 * @param {unknown} dictionary
 * @param {LeafType} type
 * @returns {Column | undefined}
 */
function checkDictionary(dictionary, type) {
  if (dictionary === undefined) return undefined
  if (!(dictionary instanceof Column)) {
    throw mustBe('options.dictionary', 'the column of a dictionary page', dictionary)
  }
  const width = (/** @type {any} */ t) => t.byteWidth ?? 0
  const fits = dictionary.type.physicalType === type.physicalType && width(dictionary.type) === width(type)
  if (!fits || dictionary.nullCount !== 0 || dictionary.indices !== undefined) {
    throw badArgument('options.dictionary', 'is not of the type of the page, or has nulls')
  }
  return dictionary
}
