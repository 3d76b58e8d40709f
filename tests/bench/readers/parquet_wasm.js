/**
 * parquet-wasm, its table freed at once: the decoding alone, results left in its own memory and never handed over.
 */
import { tableFromIPC } from 'apache-arrow'
import { readParquet } from 'parquet-wasm'

/** Above the rows of the single-column files, so that each is one batch. */
const LARGE_BATCH = 2_000_000

/**
 * @param {Uint8Array} bytes of the file
 * @returns {import('../rounds.js').Arm[]}
 */
export function parquetWasmArms(bytes) {
  return [
    { name: 'parquet-wasm', run: () => readParquet(bytes).free(), columns: () => columnsOf(bytes) },
    {
      name: `parquet-wasm batchSize ${LARGE_BATCH}`,
      run: () => readParquet(bytes, { batchSize: LARGE_BATCH }).free(),
    },
  ]
}

/**
 * @param {Uint8Array} bytes
 * @returns {import('../rounds.js').Columns}
 */
function columnsOf(bytes) {
  const table = tableFromIPC(readParquet(bytes).intoIPCStream())
  return Object.fromEntries(
    table.schema.fields.map((field, f) => {
      // get() would convert timestamps, so the batches' own arrays are asked
      const pieces = table.batches.map((batch) => batch.data.children[f])
      return [
        field.name,
        { length: table.numRows, at: overPieces(pieces.map((piece) => [piece.length, accessor(piece)])) },
      ]
    })
  )
}

/**
 * @param {import('apache-arrow').Data} data
 * @returns {(i: number) => unknown}
 */
function accessor(data) {
  const { offset, nullBitmap, values, valueOffsets } = data
  /** @param {number} i */
  const isValid = (i) =>
    data.nullCount === 0 || ((nullBitmap[(offset + i) >> 3] >> ((offset + i) & 7)) & 1) === 1
  const element = data.children.length === 1 ? accessor(data.children[0]) : undefined
  if (element !== undefined) {
    return (i) => (isValid(i) ? listOf(valueOffsets[i], valueOffsets[i + 1], element) : null)
  }
  if (valueOffsets === undefined) return (i) => (isValid(i) ? values[i] : null)
  const text = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  return (i) =>
    isValid(i) ? text.toString('utf8', Number(valueOffsets[i]), Number(valueOffsets[i + 1])) : null
}

/**
 * @param {number} start
 * @param {number} end
 * @param {(i: number) => unknown} at
 * @returns {unknown[]}
 */
export function listOf(start, end, at) {
  return Array.from({ length: end - start }, (_, i) => at(start + i))
}

/**
 * Values of arrays that follow each other; quick when asked in order.
 * @param {[length: number, at: (i: number) => unknown][]} pieces
 * @returns {(i: number) => unknown}
 */
export function overPieces(pieces) {
  let piece = 0
  let start = 0
  return (i) => {
    if (i < start) piece = start = 0
    while (i - start >= pieces[piece][0]) start += pieces[piece++][0]
    return pieces[piece][1](i - start)
  }
}
