/** What hyparquet reads, in the form of plain.js; maps are objects, decimals floats, times integers. */
import { parquetMetadata, parquetRead } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { bytesOf, dateOf, timestampOf } from './plain.js'

/** @param {Uint8Array} bytes */
const asBytes = (bytes) => bytes && bytesOf(bytes)
/** @type {Partial<import('hyparquet').ParquetParsers>} */
const parsers = {
  timestampFromMilliseconds: (count) => count && timestampOf(count, 'ms'),
  timestampFromMicroseconds: (count) => count && timestampOf(count, 'us'),
  timestampFromNanoseconds: (count) => count && timestampOf(count, 'ns'),
  dateFromDays: (days) => (days === undefined || days === null ? days : dateOf(days)),
  stringFromBytes: asBytes,
  jsonFromBytes: asBytes,
  geometryFromBytes: asBytes,
  geographyFromBytes: asBytes,
  uuidFromBytes: asBytes,
}

/**
 * @param {Uint8Array} bytes of the file
 * @param {string[]} [columns]
 * @returns {Promise<import('./plain.js').PlainColumn[]>}
 */
export async function columnsOfHyparquet(bytes, columns) {
  const file = Uint8Array.from(bytes).buffer
  const metadata = parquetMetadata(file, { geoparquet: false })
  const names = columns ?? topLevelNames(metadata.schema)
  /** @type {any[][]} */
  let rows = []
  const onComplete = (/** @type {any[][]} */ all) => {
    rows = all
  }
  await parquetRead({
    file,
    metadata,
    columns,
    compressors,
    parsers,
    utf8: false,
    geoparquet: false,
    onComplete,
  })
  return names.map((name, i) => ({ name, values: rows.map((row) => plain(row[i])) }))
}

/** @param {import('hyparquet').SchemaElement[]} schema @returns {string[]} */
function topLevelNames(schema) {
  /** @type {string[]} */
  const names = []
  const skip = (/** @type {number} */ at) => {
    const count = schema[at].num_children ?? 0
    let next = at + 1
    for (let i = 0; i < count; i++) next = skip(next)
    return next
  }
  for (let at = 1; at < schema.length; at = skip(at)) names.push(schema[at].name)
  return names
}

/** @param {any} value @returns {any} */
function plain(value) {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return bytesOf(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  const object = Object.create(null)
  for (const [name, each] of Object.entries(value)) object[name] = plain(each)
  return object
}
