/**
 * hyparquet with its decompressors; chunks are dropped as they come.
 */
import { parquetRead } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { overPieces } from './parquet_wasm.js'

/** Dates as the integers that are stored, for the comparison. */
const parsers = {
  /** @param {bigint} value */
  timestampFromMilliseconds: (value) => value,
  /** @param {bigint} value */
  timestampFromMicroseconds: (value) => value,
  /** @param {bigint} value */
  timestampFromNanoseconds: (value) => value,
  /** @param {number} value */
  dateFromDays: (value) => value,
}

/**
 * @param {Uint8Array} bytes of the file
 * @returns {import('../rounds.js').Arm}
 */
export function hyparquetArm(bytes) {
  const file = new Uint8Array(bytes).buffer
  return {
    name: 'hyparquet',
    run: () => parquetRead({ file, compressors, onChunk() {} }),
    async columns() {
      /** @type {Record<string, import('hyparquet').ColumnData[]>} */
      const chunks = {}
      await parquetRead({
        file,
        compressors,
        parsers,
        onChunk: (chunk) => {
          ;(chunks[chunk.columnName] ??= []).push(chunk)
        },
      })
      return Object.fromEntries(
        Object.entries(chunks).map(([name, list]) => {
          list.sort((a, b) => a.rowStart - b.rowStart)
          return [
            name,
            {
              length: list.reduce((sum, chunk) => sum + chunk.columnData.length, 0),
              at: overPieces(list.map(({ columnData }) => [columnData.length, (i) => columnData[i] ?? null])),
            },
          ]
        })
      )
    },
  }
}
