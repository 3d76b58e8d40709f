/**
 * Pages: built from entries and a description of how to write them, and read back value by value.
 */
import { decodeAlp, encodeAlp } from './alp.js'
import { joinStreams, splitStreams } from './byte_stream_split.js'
import { ByteReader, ByteWriter, concatBytes, FormatError } from './bytes.js'
import { compress, decompress } from './codec.js'
import { crc32 } from './crc32.js'
import { decodeDelta, encodeDelta } from './delta.js'
import { decodeLengths, decodeStrings, encodeLengths, encodeStrings } from './delta_strings.js'
import { decodeLevels, encodeLevelsV1, encodeLevelsV2, readLevelsV1 } from './levels.js'
import { ENCODINGS, nameOf, PAGE_TYPES } from './names.js'
import { encodePageHeader, readPageHeader } from './page_header.js'
import {
  decodeBooleanRle,
  decodePlain,
  encodeBooleanRle,
  encodePlain,
  valueBytes,
  widthOfType,
} from './plain.js'
import { decodeHybrid, encodeHybrid, widthOf } from './rle.js'

/** @typedef {import('./plain.js').Value} Value */
/** @typedef {import('./rle.js').Run} Run */
/**
 * What the pages of a chunk have in common.
 * @typedef {object} Column
 * @property {import('./plain.js').Type} type
 * @property {number} [typeLength]
 * @property {number} [maxDefinitionLevel] 0 unless given
 * @property {number} [maxRepetitionLevel] 0 unless given
 * @property {import('./nesting.js').Shape} [shape] of a nested column
 * @property {string} [codec] UNCOMPRESSED unless given
 */
/**
 * @typedef {object} DictionarySpec
 * @property {Value[]} dictionary
 * @property {string} [encoding] PLAIN unless given
 * @property {boolean} [crc] adds the checksum
 * @property {boolean} [isSorted]
 * @property {Uint8Array} [section] the body's bytes instead of the values'
 * @property {(header: import('./page_header.js').PageHeader) => void} [edit] changes the header before it is written
 */
/**
 * A data page. Entries are `values`, or `indices` for the dictionary encodings, null where there is none; the
 * definition levels follow from that unless they are given.
 * @typedef {object} DataSpec
 * @property {1 | 2} [version] 1 unless given
 * @property {string} [encoding] PLAIN unless given
 * @property {(Value | null)[]} [values]
 * @property {(number | null)[]} [indices]
 * @property {number[]} [definitionLevels]
 * @property {number[]} [repetitionLevels]
 * @property {Run[]} [definitionRuns]
 * @property {Run[]} [repetitionRuns]
 * @property {import('./levels.js').LevelEncoding} [levelEncoding] V1 only
 * @property {number} [indexWidth] the width that the largest index needs unless given
 * @property {Run[]} [runs] of indices or of RLE booleans
 * @property {import('./delta.js').DeltaOptions} [delta]
 * @property {import('./delta_strings.js').ChoosePrefix} [prefix]
 * @property {import('./alp.js').AlpOptions} [alp]
 * @property {boolean} [isCompressed] V2 only: written when given; false leaves the values as they are
 * @property {boolean} [crc]
 * @property {Uint8Array} [section] the value section instead of the values'
 * @property {Uint8Array} [repetitionSection] instead of the levels' (V1: with the length before it)
 * @property {Uint8Array} [definitionSection] instead of the levels' (V1: with the length before it)
 * @property {(bytes: Uint8Array) => Uint8Array} [compress] instead of the codec's
 * @property {import('./thrift.js').Fields} [statistics]
 * @property {(header: import('./page_header.js').PageHeader) => void} [edit]
 */
/** @typedef {DictionarySpec | DataSpec} PageSpec */

/** Types that BYTE_STREAM_SPLIT is for. */
const SPLIT_TYPES = ['INT32', 'INT64', 'FLOAT', 'DOUBLE', 'FIXED_LEN_BYTE_ARRAY']

/** @param {string} encoding */
export const isDictionary = (encoding) => encoding === 'RLE_DICTIONARY' || encoding === 'PLAIN_DICTIONARY'

/**
 * @param {Column} column
 * @param {PageSpec[]} pages
 * @returns {Uint8Array} the pages, back to back
 */
export function encodePages(column, pages) {
  return concatBytes(...pages.map((page) => encodePage(column, page)))
}

/**
 * @param {Column} column
 * @param {PageSpec} page
 * @returns {Uint8Array} header and body
 */
export function encodePage(column, page) {
  const codec = column.codec ?? 'UNCOMPRESSED'
  if ('dictionary' in page) {
    const plain = page.section ?? encodePlain(column.type, page.dictionary)
    const body = compress(codec, plain)
    return finishPage(
      {
        type: PAGE_TYPES.DICTIONARY_PAGE,
        uncompressedSize: plain.length,
        compressedSize: body.length,
        dictionary: {
          numValues: page.dictionary.length,
          encoding: ENCODINGS[page.encoding ?? 'PLAIN'],
          isSorted: page.isSorted,
        },
      },
      body,
      page
    )
  }
  return page.version === 2 ? encodePageV2(column, codec, page) : encodePageV1(column, codec, page)
}

/**
 * @param {import('./page_header.js').PageHeader} header
 * @param {Uint8Array} body
 * @param {PageSpec} page
 */
function finishPage(header, body, page) {
  if (page.crc) header.crc = crc32(body)
  page.edit?.(header)
  return concatBytes(encodePageHeader(header), body)
}

/**
 * @param {Column} column
 * @param {DataSpec} page
 */
function levelsOf(column, page) {
  const entries = page.indices ?? page.values ?? []
  const maximum = column.maxDefinitionLevel ?? 0
  const definition = page.definitionLevels ?? entries.map((entry) => (entry === null ? maximum - 1 : maximum))
  const repetition = page.repetitionLevels ?? definition.map(() => 0)
  return { definition, repetition, numValues: definition.length }
}

/**
 * The value section of a data page, uncompressed.
 * @param {Column} column
 * @param {DataSpec} page
 * @returns {Uint8Array}
 */
export function encodeSection(column, page) {
  if (page.section) return page.section
  const encoding = page.encoding ?? 'PLAIN'
  if (isDictionary(encoding)) {
    const indices = /** @type {number[]} */ ((page.indices ?? []).filter((index) => index !== null))
    const width = page.indexWidth ?? widthOf(indices.reduce((a, b) => Math.max(a, b), 0))
    return concatBytes([width], encodeHybrid(indices, width, page.runs))
  }
  const values = /** @type {Value[]} */ ((page.values ?? []).filter((value) => value !== null))
  if (encoding === 'RLE') return encodeBooleanRle(values, page.runs)
  if (encoding === 'DELTA_BINARY_PACKED') {
    return encodeDelta(/** @type {bigint[]} */ (values), column.type === 'INT32' ? 32 : 64, page.delta)
  }
  if (encoding === 'PLAIN') return encodePlain(column.type, values)
  if (encoding === 'DELTA_LENGTH_BYTE_ARRAY' || encoding === 'DELTA_BYTE_ARRAY') {
    const bytes = values.map((value) => valueBytes(column.type, value))
    const prefixed = encoding === 'DELTA_BYTE_ARRAY'
    return prefixed ? encodeStrings(bytes, page.delta, page.prefix) : encodeLengths(bytes, page.delta)
  }
  if (encoding === 'BYTE_STREAM_SPLIT') {
    return splitStreams(encodePlain(column.type, values), widthOfType(column.type, column.typeLength))
  }
  if (encoding === 'ALP') {
    const plain = encodePlain(column.type, values)
    const patterns = decodePlain(column.type, 0, plain, values.length)
    return encodeAlp(/** @type {bigint[]} */ (patterns), column.type === 'FLOAT' ? 32 : 64, page.alp)
  }
  throw new FormatError('UNSUPPORTED', `encoding ${encoding}`)
}

/**
 * @param {Column} column
 * @param {string} codec
 * @param {DataSpec} page
 */
function encodePageV1(column, codec, page) {
  const { definition, repetition, numValues } = levelsOf(column, page)
  const levelEncoding = page.levelEncoding ?? 'RLE'
  const plain = concatBytes(
    page.repetitionSection ??
      encodeLevelsV1(repetition, column.maxRepetitionLevel ?? 0, page.repetitionRuns, levelEncoding),
    page.definitionSection ??
      encodeLevelsV1(definition, column.maxDefinitionLevel ?? 0, page.definitionRuns, levelEncoding),
    encodeSection(column, page)
  )
  const body = page.compress ? page.compress(plain) : compress(codec, plain)
  return finishPage(
    {
      type: PAGE_TYPES.DATA_PAGE,
      uncompressedSize: plain.length,
      compressedSize: body.length,
      data: {
        numValues,
        encoding: ENCODINGS[page.encoding ?? 'PLAIN'],
        definitionEncoding: ENCODINGS[levelEncoding],
        repetitionEncoding: ENCODINGS[levelEncoding],
        statistics: page.statistics,
      },
    },
    body,
    page
  )
}

/**
 * @param {Column} column
 * @param {string} codec
 * @param {DataSpec} page
 */
function encodePageV2(column, codec, page) {
  const maximum = column.maxDefinitionLevel ?? 0
  const { definition, repetition, numValues } = levelsOf(column, page)
  const repetitionSection =
    page.repetitionSection ?? encodeLevelsV2(repetition, column.maxRepetitionLevel ?? 0, page.repetitionRuns)
  const definitionSection = page.definitionSection ?? encodeLevelsV2(definition, maximum, page.definitionRuns)
  const section = encodeSection(column, page)
  const raw = section.length === 0 || page.isCompressed === false
  const values = page.compress ? page.compress(section) : raw ? section : compress(codec, section)
  const levelsSize = repetitionSection.length + definitionSection.length
  return finishPage(
    {
      type: PAGE_TYPES.DATA_PAGE_V2,
      uncompressedSize: levelsSize + section.length,
      compressedSize: levelsSize + values.length,
      dataV2: {
        numValues,
        numNulls: definition.filter((level) => level < maximum).length,
        numRows: repetition.filter((level) => level === 0).length,
        encoding: ENCODINGS[page.encoding ?? 'PLAIN'],
        definitionSize: definitionSection.length,
        repetitionSize: repetitionSection.length,
        isCompressed: page.isCompressed,
        statistics: page.statistics,
      },
    },
    concatBytes(repetitionSection, definitionSection, values),
    page
  )
}

/**
 * What the pages of a chunk hold: an entry for each level pair, `stored` the values that are there.
 * @typedef {object} Decoded
 * @property {(Value | null)[]} entries
 * @property {Value[]} stored
 * @property {number[]} definitionLevels
 * @property {number[]} repetitionLevels
 */

/**
 * Reads pages until the bytes end. A page of a type that holds no values is passed.
 * @param {Column} column
 * @param {Uint8Array} bytes
 * @returns {Decoded}
 */
export function decodePages(column, bytes) {
  const reader = new ByteReader(bytes)
  /** @type {Value[] | undefined} */
  let dictionary
  /** @type {Decoded} */
  const all = { entries: [], stored: [], definitionLevels: [], repetitionLevels: [] }
  for (let first = true; reader.left() > 0; ) {
    const header = readPageHeader(reader)
    const body = reader.take(header.compressedSize)
    if (header.dictionary) {
      if (!first) throw new FormatError('CORRUPT', 'a dictionary page that is not the first page')
      if (![ENCODINGS.PLAIN, ENCODINGS.PLAIN_DICTIONARY].includes(header.dictionary.encoding)) {
        throw new FormatError('UNSUPPORTED', 'the encoding of a dictionary page')
      }
      const plain = decompress(column.codec ?? 'UNCOMPRESSED', body, header.uncompressedSize)
      dictionary = decodePlain(column.type, column.typeLength ?? 0, plain, header.dictionary.numValues)
      first = false
    } else if (header.data || header.dataV2) {
      const page = decodeData(column, header, body, dictionary)
      if (all.repetitionLevels.length === 0 && page.repetitionLevels[0] > 0) {
        throw new FormatError('CORRUPT', 'a chunk that begins inside a row')
      }
      all.entries = all.entries.concat(page.entries)
      all.stored = all.stored.concat(page.stored)
      all.definitionLevels = all.definitionLevels.concat(page.definitionLevels)
      all.repetitionLevels = all.repetitionLevels.concat(page.repetitionLevels)
      first = false
    }
  }
  return all
}

/**
 * @param {Column} column
 * @param {import('./page_header.js').PageHeader} header
 * @param {Uint8Array} body
 * @param {Value[] | undefined} dictionary
 * @returns {Decoded}
 */
function decodeData(column, header, body, dictionary) {
  const codec = column.codec ?? 'UNCOMPRESSED'
  const maximum = column.maxDefinitionLevel ?? 0
  const maxRepetition = column.maxRepetitionLevel ?? 0
  const { data, dataV2 } = header
  const size = header.uncompressedSize
  let section, levels, encoding
  const numValues = data?.numValues ?? dataV2?.numValues ?? 0
  if (data) {
    const reader = new ByteReader(decompress(codec, body, size))
    levels = {
      repetition: readLevelsV1(reader, maxRepetition, numValues, nameOf(ENCODINGS, data.repetitionEncoding)),
      definition: readLevelsV1(reader, maximum, numValues, nameOf(ENCODINGS, data.definitionEncoding)),
    }
    section = reader.take(reader.left())
    encoding = data.encoding
  } else if (dataV2) {
    const reader = new ByteReader(body)
    levels = {
      repetition: decodeLevels(reader.take(dataV2.repetitionSize), maxRepetition, numValues),
      definition: decodeLevels(reader.take(dataV2.definitionSize), maximum, numValues),
    }
    const stored = reader.take(reader.left())
    const valuesSize = size - dataV2.repetitionSize - dataV2.definitionSize
    const raw = dataV2.isCompressed === false || (stored.length === 0 && valuesSize === 0)
    section = decompress(raw ? 'UNCOMPRESSED' : codec, stored, valuesSize)
    encoding = dataV2.encoding
    const rows = levels.repetition?.filter((level) => level === 0).length ?? numValues
    if (rows !== dataV2.numRows) throw new FormatError('CORRUPT', 'another number of rows than the levels have')
  } else {
    throw new FormatError('CORRUPT', 'no data page')
  }
  const n = levels.definition?.filter((level) => level === maximum).length ?? numValues
  const stored = decodeSection(column, nameOf(ENCODINGS, encoding), section, n, numValues, dictionary)
  const definitionLevels = levels.definition ?? new Array(numValues).fill(0)
  const repetitionLevels = levels.repetition ?? new Array(numValues).fill(0)
  let next = 0
  const entries = definitionLevels.map((level) => (level === maximum ? stored[next++] : null))
  return { entries, stored, definitionLevels, repetitionLevels }
}

/**
 * @param {Column} column
 * @param {string} encoding
 * @param {Uint8Array} section
 * @param {number} n stored values
 * @param {number} numValues entries
 * @param {Value[] | undefined} dictionary
 * @returns {Value[]}
 */
function decodeSection(column, encoding, section, n, numValues, dictionary) {
  const { type, typeLength = 0 } = column
  if (encoding === 'PLAIN') return decodePlain(type, typeLength, section, n)
  if (encoding === 'RLE' && type === 'BOOLEAN') return decodeBooleanRle(section, n)
  if (encoding === 'DELTA_BINARY_PACKED' && (type === 'INT32' || type === 'INT64')) {
    if (section.length === 0 && n === 0) return []
    const { values, used } = decodeDelta(section, type === 'INT32' ? 32 : 64, numValues, 'CORRUPT')
    if (values.length !== n) throw new FormatError('CORRUPT', 'another count than the page has values')
    if (used !== section.length) throw new FormatError('CORRUPT', 'bytes after the stream')
    return values
  }
  if (encoding === 'DELTA_LENGTH_BYTE_ARRAY' && type === 'BYTE_ARRAY')
    return decodeLengths(section, n, numValues)
  if (encoding === 'DELTA_BYTE_ARRAY' && (type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY')) {
    return decodeStrings(section, n, numValues, type === 'BYTE_ARRAY' ? undefined : typeLength)
  }
  if (encoding === 'BYTE_STREAM_SPLIT' && SPLIT_TYPES.includes(type)) {
    const width = widthOfType(type, typeLength)
    return decodePlain(type, typeLength, joinStreams(section, width, n, numValues), n)
  }
  if (encoding === 'ALP' && (type === 'FLOAT' || type === 'DOUBLE')) {
    if (section.length === 0 && n > 0) throw new FormatError('TRUNCATED', 'no values')
    const values = decodeAlp(section, type === 'FLOAT' ? 32 : 64, numValues, 'CORRUPT')
    if (values.length !== n) throw new FormatError('CORRUPT', 'another count than the page has values')
    return values
  }
  if (isDictionary(encoding) && type !== 'BOOLEAN') {
    if (n === 0) return []
    if (section.length === 0) throw new FormatError('TRUNCATED', 'no index width')
    const width = section[0]
    if (width > 32) throw new FormatError('CORRUPT', `indices of ${width} bits`)
    const bare = width === 0 && section.length === 1
    const indices = bare ? new Array(n).fill(0) : decodeHybrid(section.subarray(1), width, n).values
    return indices.map((index) => {
      const value = dictionary?.[index]
      if (value === undefined) throw new FormatError('CORRUPT', 'an index without an entry')
      return value
    })
  }
  throw new FormatError('UNSUPPORTED', `${type} as ${encoding}`)
}

/**
 * `size` bytes with a 4-byte length before them.
 * @param {Uint8Array} bytes
 * @param {number} [size] the length written
 * @returns {Uint8Array}
 */
export function withLength(bytes, size = bytes.length) {
  return concatBytes(new ByteWriter().le(size, 4).finish(), bytes)
}
