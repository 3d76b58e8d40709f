/**
 * Numbers of parquet.thrift, written down once more for the reference model.
 */

/** @type {Record<string, number>} */
export const TYPES = {
  BOOLEAN: 0,
  INT32: 1,
  INT64: 2,
  INT96: 3,
  FLOAT: 4,
  DOUBLE: 5,
  BYTE_ARRAY: 6,
  FIXED_LEN_BYTE_ARRAY: 7,
}
/** @type {Record<string, number>} */
export const ENCODINGS = {
  PLAIN: 0,
  PLAIN_DICTIONARY: 2,
  RLE: 3,
  BIT_PACKED: 4,
  DELTA_BINARY_PACKED: 5,
  DELTA_LENGTH_BYTE_ARRAY: 6,
  DELTA_BYTE_ARRAY: 7,
  RLE_DICTIONARY: 8,
  BYTE_STREAM_SPLIT: 9,
  ALP: 10,
}
/** @type {Record<string, number>} */
export const CODECS = {
  UNCOMPRESSED: 0,
  SNAPPY: 1,
  GZIP: 2,
  LZO: 3,
  BROTLI: 4,
  LZ4: 5,
  ZSTD: 6,
  LZ4_RAW: 7,
}
/** @type {Record<string, number>} */
export const PAGE_TYPES = { DATA_PAGE: 0, INDEX_PAGE: 1, DICTIONARY_PAGE: 2, DATA_PAGE_V2: 3 }
/** @type {Record<string, number>} */
export const REPETITIONS = { REQUIRED: 0, OPTIONAL: 1, REPEATED: 2 }

/**
 * The name of a number; "#42" for one that has none.
 * @param {Record<string, number>} names
 * @param {number} number
 * @returns {string}
 */
export function nameOf(names, number) {
  return Object.keys(names).find((name) => names[name] === number) ?? `#${number}`
}
