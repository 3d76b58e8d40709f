/** `pagelane inspect`: what a file's metadata says, and its page headers. */
import { byteCount, count, plainValue, printable, tableLines, typeText } from './format.js'
import { statisticsBounds } from './statistics.js'

/** @typedef {import('./file.js').ParquetFile} ParquetFile */
/** @typedef {import('./index.d.ts').ColumnMetaData} ColumnMetaData */

/**
 * @param {ParquetFile} file
 * @param {object} options
 * @param {boolean} options.pages
 * @returns {AsyncGenerator<string>} lines
 */
export async function* inspectLines(file, { pages }) {
  const { metadata, columns } = file
  const groups = metadata.rowGroups ?? []
  yield `${byteCount(file.byteLength)}, ${count(file.numRows)} rows, ${count(columns.length)} columns, ${count(groups.length)} row groups`
  yield `written by ${printable(metadata.createdBy ?? 'an unnamed writer')}, format version ${metadata.version}`
  for (const { key = '', value = '' } of metadata.keyValueMetadata ?? []) {
    yield `  ${printable(key)}: ${printable(value.length > 100 ? `${value.slice(0, 100)}…` : value)}`
  }
  yield ''
  yield* schemaLines(file)
  for (const [number, group] of groups.entries()) {
    yield ''
    const size =
      group.totalCompressedSize ??
      group.columns?.reduce((sum, c) => sum + (c.metaData?.totalCompressedSize ?? 0), 0)
    yield `row group ${number}: ${count(group.numRows ?? 0)} rows, ${byteCount(size ?? 0)}`
    const rows = columns.map((column) => {
      const chunk = chunkFacts(file, number, column.index)
      const bounds = [chunk.min, chunk.max].map((bound) => (bound === undefined ? '' : String(bound)))
      const nulls = chunk.nullCount === undefined ? '?' : count(chunk.nullCount)
      return [
        column.name,
        chunk.encodings.join(' '),
        String(chunk.codec),
        byteCount(chunk.compressedSize),
        byteCount(chunk.uncompressedSize),
        nulls,
        ...bounds,
      ]
    })
    const head = ['column', 'encodings', 'codec', 'compressed', 'uncompressed', 'nulls', 'min', 'max']
    yield* tableLines({ head, rows, right: [false, false, false, true, true, true] }, 32)
  }
  if (pages) for (const column of columns) yield* pageLines(file, column.index)
}

/**
 * The schema as a tree.
 * @param {ParquetFile} file
 * @returns {Generator<string>}
 */
function* schemaLines({ schema, columns }) {
  const open = [{ left: schema[0]?.numChildren ?? 0 }]
  let leaf = 0
  for (const element of schema.slice(1)) {
    while (open.length > 1 && open[open.length - 1].left === 0) open.pop()
    open[open.length - 1].left--
    const indent = '  '.repeat(open.length - 1)
    const repetition = String(element.repetitionType ?? 'REQUIRED').toLowerCase()
    if (element.numChildren !== undefined && element.numChildren > 0) {
      const annotation = Object.keys(element.logicalType ?? {})[0] ?? element.convertedType
      yield `${indent}${printable(element.name ?? '')}: group ${repetition}${annotation === undefined ? '' : ` ${annotation}`}`
      open.push({ left: element.numChildren })
    } else if (element.type !== undefined) {
      const { type } = columns[leaf++]
      yield `${indent}${printable(element.name ?? '')}: ${typeText(type)} ${repetition} (${type.physicalType})`
    }
  }
}

/**
 * @param {ParquetFile} file
 * @param {number} column
 * @returns {AsyncGenerator<string>}
 */
async function* pageLines(file, column) {
  const { name } = file.columns[column]
  const rows = []
  for await (const page of file.pages(column)) {
    const facts = pageFacts(page)
    rows.push(
      [
        facts.rowGroup,
        facts.page,
        facts.offset,
        facts.type,
        facts.encoding,
        facts.numValues,
        facts.compressedSize,
        facts.uncompressedSize,
      ].map(String)
    )
  }
  yield ''
  yield `pages of ${printable(name)}`
  const head = ['group', 'page', 'offset', 'type', 'encoding', 'values', 'compressed', 'uncompressed']
  yield* tableLines({ head, rows, right: [true, true, true, false, false, true, true, true] })
}

/**
 * @param {ParquetFile} file
 * @param {object} options
 * @param {boolean} options.pages
 * @returns {Promise<object>} everything as JSON has it
 */
export async function inspectJson(file, { pages }) {
  const { metadata, columns } = file
  const groups = metadata.rowGroups ?? []
  return {
    byteLength: file.byteLength,
    numRows: file.numRows,
    version: metadata.version,
    createdBy: metadata.createdBy,
    keyValueMetadata: metadata.keyValueMetadata,
    schema: metadata.schema,
    columns: columns.map(({ name, path, type, nullable }) => ({ name, path, type, nullable })),
    rowGroups: groups.map((group, number) => ({
      numRows: group.numRows,
      columns: columns.map(({ index }) => chunkFacts(file, number, index)),
    })),
    ...(pages ? { pages: await pagesJson(file) } : {}),
  }
}

/**
 * @param {ParquetFile} file
 * @returns {Promise<object[]>}
 */
async function pagesJson(file) {
  const list = []
  for (const { index, name } of file.columns) {
    for await (const page of file.pages(index)) list.push({ column: name, ...pageFacts(page) })
  }
  return list
}

/**
 * @param {import('./pages.js').Page} page
 */
function pageFacts({ header, rowGroup, page, offset, headerSize, encoding }) {
  const { dataPageHeader, dataPageHeaderV2, dictionaryPageHeader } = header
  return {
    rowGroup,
    page,
    offset,
    headerSize,
    type: header.type,
    encoding: encoding ?? '',
    numValues: (dataPageHeader ?? dataPageHeaderV2 ?? dictionaryPageHeader)?.numValues ?? 0,
    compressedSize: header.compressedPageSize,
    uncompressedSize: header.uncompressedPageSize,
  }
}

/**
 * @param {ParquetFile} file
 * @param {number} rowGroup
 * @param {number} column
 */
function chunkFacts(file, rowGroup, column) {
  const { name, type } = file.columns[column]
  const chunk = /** @type {ColumnMetaData} */ (
    file.metadata.rowGroups?.[rowGroup]?.columns?.[column]?.metaData ?? {}
  )
  const bounds = statisticsBounds(name, type, chunk.statistics)
  return {
    column: name,
    encodings: chunk.encodings ?? [],
    codec: chunk.codec,
    numValues: chunk.numValues,
    compressedSize: chunk.totalCompressedSize ?? 0,
    uncompressedSize: chunk.totalUncompressedSize ?? 0,
    nullCount: chunk.statistics?.nullCount,
    min: bounds?.min === undefined ? undefined : plainValue(bounds.min, 0),
    max: bounds?.max === undefined ? undefined : plainValue(bounds.max, 0),
  }
}
