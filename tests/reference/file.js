/**
 * Whole files: PAR1, the chunks, the footer. Made for odd files, so nothing is chosen for the caller: every page is
 * described (page.js), and the footer can be changed before it is written.
 */
import { ByteWriter, concatBytes } from './bytes.js'
import { CODECS, ENCODINGS, REPETITIONS, TYPES } from './names.js'
import { encodePage } from './page.js'
import { binary, encodeStruct, i32, i64, list, struct, T } from './thrift.js'

/** @typedef {import('./thrift.js').Fields} Fields */
/** @typedef {import('./page.js').PageSpec} PageSpec */
/** @typedef {import('./page.js').Column} Column */
/**
 * A leaf at the top level. Its maximum levels follow from the repetition unless they are given (with a schema of the
 * caller's own).
 * @typedef {object} FileColumn
 * @property {string} name
 * @property {import('./plain.js').Type} type
 * @property {number} [typeLength]
 * @property {'REQUIRED' | 'OPTIONAL'} [repetition] OPTIONAL unless given
 * @property {string} [codec]
 * @property {number} [convertedType]
 * @property {number} [scale]
 * @property {number} [precision]
 * @property {Fields} [logicalType]
 * @property {number} [maxDefinitionLevel]
 * @property {number} [maxRepetitionLevel]
 * @property {string[]} [path]
 */
/**
 * @typedef {object} Chunk
 * @property {number} fileOffset
 * @property {string} [filePath]
 * @property {number} type
 * @property {number[]} encodings
 * @property {string[]} path
 * @property {number} codec
 * @property {number} numValues
 * @property {number} totalUncompressedSize
 * @property {number} totalCompressedSize
 * @property {number} dataPageOffset
 * @property {number} [dictionaryPageOffset]
 * @property {Fields} [statistics]
 */
/** @typedef {{ columns: Chunk[], totalByteSize: number, numRows: number }} RowGroup */
/**
 * @typedef {object} Footer
 * @property {number} version
 * @property {Fields[]} schema
 * @property {number} numRows
 * @property {RowGroup[]} rowGroups
 * @property {[string, string][]} keyValues
 * @property {string} [createdBy]
 * @property {Fields} [more] further fields
 */
/**
 * @typedef {object} FileSpec
 * @property {FileColumn[]} columns the leaves
 * @property {PageSpec[][][]} rowGroups for each row group, for each column, its pages
 * @property {Fields[]} [schema] the whole schema, root first; by default a flat one of the columns
 * @property {string} [createdBy]
 * @property {[string, string][]} [keyValues]
 * @property {(footer: Footer) => void} [edit] changes the footer before it is written
 * @property {Uint8Array} [gap] bytes between the chunks
 */

/**
 * @param {FileSpec} spec
 * @returns {Uint8Array}
 */
export function writeFile(spec) {
  const magic = new TextEncoder().encode('PAR1')
  /** @type {Uint8Array[]} */
  const parts = [magic]
  let position = 4
  const rowGroups = spec.rowGroups.map((chunks) => {
    const written = chunks.map((pages, i) => {
      const { bytes, chunk } = writeChunk(spec.columns[i], pages, position)
      parts.push(bytes, spec.gap ?? new Uint8Array(0))
      position += bytes.length + (spec.gap?.length ?? 0)
      return chunk
    })
    return {
      columns: written,
      totalByteSize: written.reduce((sum, chunk) => sum + chunk.totalUncompressedSize, 0),
      numRows: chunks.length ? countRows(chunks[0]) : 0,
    }
  })
  /** @type {Footer} */
  const footer = {
    version: 2,
    schema: spec.schema ?? flatSchema(spec.columns),
    rowGroups,
    numRows: rowGroups.reduce((sum, group) => sum + group.numRows, 0),
    keyValues: spec.keyValues ?? [],
    createdBy: spec.createdBy,
  }
  spec.edit?.(footer)
  const bytes = encodeFooter(footer)
  return concatBytes(...parts, bytes, new ByteWriter().le(bytes.length, 4).finish(), magic)
}

/**
 * @param {FileColumn} column
 * @returns {Column}
 */
export function columnOf(column) {
  return {
    type: column.type,
    typeLength: column.typeLength,
    codec: column.codec,
    maxDefinitionLevel: column.maxDefinitionLevel ?? (column.repetition === 'REQUIRED' ? 0 : 1),
    maxRepetitionLevel: column.maxRepetitionLevel ?? 0,
  }
}

/**
 * Entries of a data page.
 * @param {PageSpec} page
 * @returns {number}
 */
function countEntries(page) {
  if ('dictionary' in page) return 0
  return (page.definitionLevels ?? page.indices ?? page.values ?? []).length
}

/**
 * @param {PageSpec[]} pages
 * @returns {number}
 */
function countRows(pages) {
  return pages.reduce((sum, page) => {
    const levels = 'dictionary' in page ? undefined : page.repetitionLevels
    return sum + (levels ? levels.filter((level) => level === 0).length : countEntries(page))
  }, 0)
}

/**
 * @param {FileColumn} column
 * @param {PageSpec[]} pages
 * @param {number} offset of the chunk in the file
 * @returns {{ bytes: Uint8Array, chunk: Chunk }}
 */
function writeChunk(column, pages, offset) {
  let saved = 0
  const written = pages.map((page) =>
    encodePage(columnOf(column), {
      ...page,
      edit: (header) => {
        saved += header.uncompressedSize - header.compressedSize
        page.edit?.(header)
      },
    })
  )
  const bytes = concatBytes(...written)
  const dictionarySize = pages.length && 'dictionary' in pages[0] ? written[0].length : 0
  const encodings = pages.flatMap((page) =>
    'dictionary' in page
      ? [ENCODINGS[page.encoding ?? 'PLAIN']]
      : [ENCODINGS[page.encoding ?? 'PLAIN'], ENCODINGS.RLE]
  )
  return {
    bytes,
    chunk: {
      fileOffset: 0,
      type: TYPES[column.type],
      encodings: [...new Set(encodings)],
      path: column.path ?? [column.name],
      codec: CODECS[column.codec ?? 'UNCOMPRESSED'],
      numValues: pages.reduce((sum, page) => sum + countEntries(page), 0),
      totalUncompressedSize: bytes.length + saved,
      totalCompressedSize: bytes.length,
      dataPageOffset: offset + dictionarySize,
      dictionaryPageOffset: dictionarySize ? offset : undefined,
    },
  }
}

/**
 * @param {FileColumn[]} columns
 * @returns {Fields[]}
 */
function flatSchema(columns) {
  return [
    [
      [4, binary('schema')],
      [5, i32(columns.length)],
    ],
    ...columns.map(
      (column) =>
        /** @type {Fields} */ ([
          [1, i32(TYPES[column.type])],
          ...when(2, column.typeLength, i32),
          [3, i32(REPETITIONS[column.repetition ?? 'OPTIONAL'])],
          [4, binary(column.name)],
          ...when(6, column.convertedType, i32),
          ...when(7, column.scale, i32),
          ...when(8, column.precision, i32),
          ...when(10, column.logicalType, struct),
        ])
    ),
  ]
}

/**
 * @template V
 * @param {number} id
 * @param {V | undefined} value
 * @param {(value: V) => import('./thrift.js').ThriftValue} write
 * @returns {Fields}
 */
function when(id, value, write) {
  return value === undefined ? [] : [[id, write(value)]]
}

/**
 * @param {Chunk} chunk
 * @returns {import('./thrift.js').ThriftValue}
 */
function chunkStruct(chunk) {
  return struct([
    ...when(1, chunk.filePath, binary),
    [2, i64(chunk.fileOffset)],
    [
      3,
      struct([
        [1, i32(chunk.type)],
        [2, list(T.I32, chunk.encodings.map(i32))],
        [3, list(T.BINARY, chunk.path.map(binary))],
        [4, i32(chunk.codec)],
        [5, i64(chunk.numValues)],
        [6, i64(chunk.totalUncompressedSize)],
        [7, i64(chunk.totalCompressedSize)],
        [9, i64(chunk.dataPageOffset)],
        ...when(11, chunk.dictionaryPageOffset, i64),
        ...when(12, chunk.statistics, struct),
      ]),
    ],
  ])
}

/**
 * @param {Footer} footer
 * @returns {Uint8Array}
 */
export function encodeFooter(footer) {
  return encodeStruct([
    [1, i32(footer.version)],
    [2, list(T.STRUCT, footer.schema.map(struct))],
    [3, i64(footer.numRows)],
    [
      4,
      list(
        T.STRUCT,
        footer.rowGroups.map((group) =>
          struct([
            [1, list(T.STRUCT, group.columns.map(chunkStruct))],
            [2, i64(group.totalByteSize)],
            [3, i64(group.numRows)],
          ])
        )
      ),
    ],
    ...(footer.keyValues.length
      ? /** @type {Fields} */ ([
          [
            5,
            list(
              T.STRUCT,
              footer.keyValues.map(([key, value]) =>
                struct([
                  [1, binary(key)],
                  [2, binary(value)],
                ])
              )
            ),
          ],
        ])
      : []),
    ...when(6, footer.createdBy, binary),
    ...(footer.more ?? []),
  ])
}
