/**
 * Small files for tests in the browser, by a writer that is not ours.
 */
import { Table, tableToIPC } from 'apache-arrow'
import {
  Compression,
  EnabledStatistics,
  Table as WasmTable,
  WriterPropertiesBuilder,
  writeParquet,
} from 'parquet-wasm'

/**
 * @param {Record<string, import('apache-arrow').Vector>} columns
 * @param {{ codec?: keyof typeof Compression, dictionary?: boolean }} [options]
 * @returns {Buffer}
 */
export function writtenFile(columns, { codec = 'UNCOMPRESSED', dictionary = false } = {}) {
  // every call uses the builder up and gives the next one
  const properties = new WriterPropertiesBuilder()
    .setCompression(Compression[codec])
    .setDictionaryEnabled(dictionary)
    .setStatisticsEnabled(EnabledStatistics.None)
    .build()
  const table = WasmTable.fromIPCStream(tableToIPC(new Table(columns), 'stream'))
  return Buffer.from(writeParquet(table, properties))
}
