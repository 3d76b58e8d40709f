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
    return encodingStats.every(
      ({ pageType, encoding }) => pageType === 'DICTIONARY_PAGE' || isDictionary(encoding)
    )
  })
}

/** @param {string | number | undefined} encoding */
function isDictionary(encoding) {
  return encoding === 'RLE_DICTIONARY' || encoding === 'PLAIN_DICTIONARY'
}

/**
 * Bytes of a column's strings, as its size statistics tell them: a first guess, so never of more than moderate size.
 * @param {Metadata} metadata
 * @param {PlanRange[]} ranges all chunks of the column
 * @returns {number} 0 where nothing is told
 */
export function guessDataSize(metadata, ranges) {
  let size = 0
  for (const { column, rowGroup, numRows, groupRows } of ranges) {
    const told = metadata.chunk(rowGroup, column).metaData?.sizeStatistics?.unencodedByteArrayDataBytes
    if (told === undefined || told < 0) return 0
    size += (told * numRows) / groupRows
  }
  return Math.min(Math.ceil(size), 64 << 20)
}
