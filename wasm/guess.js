/** What the metadata lets a read expect of the pages. It may be wrong: then the read only takes longer. */

/** @typedef {import('./metadata.js').Metadata} Metadata */
/** @typedef {import('./plan.js').PlanRange} PlanRange */

/**
 * Does nothing in the metadata say that a page of the column has no dictionary?
 * @param {Metadata} metadata
 * @param {PlanRange[]} ranges all chunks of the column
 * @returns {boolean}
 */
export function mayKeepDictionary(metadata, ranges) {
  return ranges.every(({ column, rowGroup }) => {
    const { encodingStats, encodings = [] } = metadata.chunk(rowGroup, column).metaData ?? {}
    if (encodingStats === undefined) return encodings.some(isDictionary)
    return encodingStats.every(({ pageType, encoding }) => pageType === 'DICTIONARY_PAGE' || isDictionary(encoding))
  })
}

/** @param {string | number | undefined} encoding */
function isDictionary(encoding) {
  return encoding === 'RLE_DICTIONARY' || encoding === 'PLAIN_DICTIONARY'
}

/**
 * Bytes of a column's strings: told by size statistics, else guessed from the size of the pages. What a file says of
 * itself is never more than a first guess, of moderate size.
 * @param {Metadata} metadata
 * @param {PlanRange[]} ranges all chunks of the column
 * @returns {number}
 */
export function guessDataSize(metadata, ranges) {
  let size = 0
  for (const { column, rowGroup, numRows, groupRows } of ranges) {
    const { sizeStatistics, totalUncompressedSize = 0 } = metadata.chunk(rowGroup, column).metaData ?? {}
    size += ((sizeStatistics?.unencodedByteArrayDataBytes ?? totalUncompressedSize) * numRows) / groupRows
  }
  return Math.ceil(Math.max(0, Math.min(size, 64 << 20)))
}
