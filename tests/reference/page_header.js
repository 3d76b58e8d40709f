/**
 * Thrift PageHeader, written from a plain object and read back into one. The object may say anything, also what no legal
 * header says; reading checks what can be checked without the body.
 */
import { ByteReader, FormatError } from './bytes.js'
import { bool, encodeStruct, i32, readStruct, struct } from './thrift.js'

/**
 * @typedef {object} DataPage
 * @property {number} numValues
 * @property {number} encoding
 * @property {number} definitionEncoding
 * @property {number} repetitionEncoding
 * @property {import('./thrift.js').Fields} [statistics]
 */
/**
 * @typedef {object} DataPageV2
 * @property {number} numValues
 * @property {number} numNulls
 * @property {number} numRows
 * @property {number} encoding
 * @property {number} definitionSize
 * @property {number} repetitionSize
 * @property {boolean} [isCompressed]
 * @property {import('./thrift.js').Fields} [statistics]
 */
/** @typedef {{ numValues: number, encoding: number, isSorted?: boolean }} DictionaryPage */
/**
 * @typedef {object} PageHeader
 * @property {number} type
 * @property {number} uncompressedSize
 * @property {number} compressedSize
 * @property {number} [crc]
 * @property {DataPage} [data]
 * @property {DictionaryPage} [dictionary]
 * @property {DataPageV2} [dataV2]
 * @property {import('./thrift.js').Fields} [before] fields that no reader knows, before the page type's own
 * @property {import('./thrift.js').Fields} [after] and after it
 */

/**
 * @param {PageHeader} header
 * @returns {Uint8Array}
 */
export function encodePageHeader(header) {
  const { data, dictionary, dataV2 } = header
  /** @type {import('./thrift.js').Fields} */
  const fields = [
    [1, i32(header.type)],
    [2, i32(header.uncompressedSize)],
    [3, i32(header.compressedSize)],
  ]
  if (header.crc !== undefined) fields.push([4, i32(header.crc)])
  if (header.before) fields.push(...header.before)
  if (data) {
    fields.push([
      5,
      struct([
        [1, i32(data.numValues)],
        [2, i32(data.encoding)],
        [3, i32(data.definitionEncoding)],
        [4, i32(data.repetitionEncoding)],
        ...optional(5, data.statistics && struct(data.statistics)),
      ]),
    ])
  }
  if (dictionary) {
    fields.push([
      7,
      struct([
        [1, i32(dictionary.numValues)],
        [2, i32(dictionary.encoding)],
        ...optional(3, dictionary.isSorted === undefined ? undefined : bool(dictionary.isSorted)),
      ]),
    ])
  }
  if (dataV2) {
    fields.push([
      8,
      struct([
        [1, i32(dataV2.numValues)],
        [2, i32(dataV2.numNulls)],
        [3, i32(dataV2.numRows)],
        [4, i32(dataV2.encoding)],
        [5, i32(dataV2.definitionSize)],
        [6, i32(dataV2.repetitionSize)],
        ...optional(7, dataV2.isCompressed === undefined ? undefined : bool(dataV2.isCompressed)),
        ...optional(8, dataV2.statistics && struct(dataV2.statistics)),
      ]),
    ])
  }
  if (header.after) fields.push(...header.after)
  return encodeStruct(fields)
}

/**
 * @param {number} id
 * @param {import('./thrift.js').ThriftValue | undefined} value
 * @returns {import('./thrift.js').Fields}
 */
function optional(id, value) {
  return value ? [[id, value]] : []
}

/**
 * @param {Map<number, any>} fields
 * @param {number[]} ids required
 */
function requireFields(fields, ids) {
  for (const id of ids)
    if (!fields.has(id)) throw new FormatError('CORRUPT', `field ${id} of a page header is missing`)
}

/**
 * Reads the header at the reader's position.
 * @param {ByteReader} reader
 * @returns {PageHeader}
 */
export function readPageHeader(reader) {
  const fields = readStruct(reader)
  requireFields(fields, [1, 2, 3])
  /** @type {PageHeader} */
  const header = {
    type: fields.get(1),
    uncompressedSize: fields.get(2),
    compressedSize: fields.get(3),
    crc: fields.get(4),
  }
  const own = { 0: 5, 1: 6, 2: 7, 3: 8 }[header.type]
  if (own !== undefined) requireFields(fields, [own])
  if (header.type === 0) {
    const data = fields.get(5)
    requireFields(data, [1, 2, 3, 4])
    header.data = {
      numValues: data.get(1),
      encoding: data.get(2),
      definitionEncoding: data.get(3),
      repetitionEncoding: data.get(4),
    }
  } else if (header.type === 2) {
    const dictionary = fields.get(7)
    requireFields(dictionary, [1, 2])
    header.dictionary = {
      numValues: dictionary.get(1),
      encoding: dictionary.get(2),
      isSorted: dictionary.get(3),
    }
  } else if (header.type === 3) {
    const data = fields.get(8)
    requireFields(data, [1, 2, 3, 4, 5, 6])
    header.dataV2 = {
      numValues: data.get(1),
      numNulls: data.get(2),
      numRows: data.get(3),
      encoding: data.get(4),
      definitionSize: data.get(5),
      repetitionSize: data.get(6),
      isCompressed: data.get(7),
    }
  }
  checkNumbers(header)
  return header
}

/** @param {PageHeader} header */
function checkNumbers(header) {
  const { data, dictionary, dataV2 } = header
  const numbers = [header.uncompressedSize, header.compressedSize, data?.numValues, dictionary?.numValues]
  if (dataV2) {
    const levels = dataV2.definitionSize + dataV2.repetitionSize
    if (levels > header.uncompressedSize || levels > header.compressedSize) {
      throw new FormatError('CORRUPT', 'levels larger than the page')
    }
    numbers.push(
      dataV2.numValues,
      dataV2.numNulls,
      dataV2.numRows,
      dataV2.definitionSize,
      dataV2.repetitionSize
    )
  }
  if (numbers.some((number) => number !== undefined && number < 0)) {
    throw new FormatError('CORRUPT', 'a negative number in a page header')
  }
}
