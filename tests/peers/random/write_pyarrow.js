/** Random tables by pyarrow. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PythonWorker } from '../pyarrow.js'
import { arrowStream } from './arrow_table.js'
import { pick } from './types.js'
import { encodingsOf } from './write_arrow_rs.js'

/** @typedef {import('./arrow_table.js').RandomColumn} RandomColumn */
/** @typedef {import('./types.js').Type} Type */

/** @type {PythonWorker | undefined} */
let worker

/**
 * Paths of the leaves, with their types.
 * @param {string} path
 * @param {Type} type
 * @returns {[string, Type][]}
 */
function leavesOf(path, type) {
  if (type.kind === 'list') return leavesOf(`${path}.list.element`, /** @type {Type} */ (type.element))
  if (type.kind === 'map') {
    return [
      [`${path}.key_value.key`, /** @type {Type} */ (type.key)],
      ...leavesOf(`${path}.key_value.value`, /** @type {Type} */ (type.value)),
    ]
  }
  if (type.kind === 'struct')
    return (type.fields ?? []).flatMap((field) => leavesOf(`${path}.${field.name}`, field.type))
  return [[path, type]]
}

/**
 * @param {import('../../reference/random.js').Random} random
 * @param {RandomColumn[]} columns
 * @returns {Promise<{ bytes: Uint8Array, how: string }>}
 */
export async function writePyarrow(random, columns) {
  const leaves = columns.flatMap(({ name, type }) => leavesOf(name, type))
  // older versions of the format have no nanoseconds and store uint32 as INT64
  const exact = leaves.some(([, type]) => type.unit === 'ns' || (type.bits === 32 && type.signed === false))
  const int96 = random.below(8) === 0
  /** @type {Record<string, string>} */
  const encodings = {}
  /** @type {string[]} */
  const dictionaries = []
  for (const [path, type] of leaves) {
    const known = ['PLAIN', ...(int96 && type.kind === 'timestamp' ? [] : encodingsOf(type))]
    if (random.below(3) === 0) dictionaries.push(path)
    else if (random.below(4) > 0) encodings[path] = pick(random, known)
  }
  const options = {
    data_page_version: pick(random, ['1.0', '2.0']),
    compression: pick(random, ['NONE', 'SNAPPY', 'GZIP', 'BROTLI', 'LZ4', 'ZSTD']),
    version: pick(random, exact ? ['2.6'] : ['1.0', '2.4', '2.6']),
    data_page_size: pick(random, [64, 500, 4000, 1 << 20]),
    write_batch_size: pick(random, [1, 20, 1024]),
    row_group_size: pick(random, [7, 100, 1000, 1 << 20]),
    dictionary_pagesize_limit: pick(random, [50, 5000, 1 << 20]),
    use_dictionary: dictionaries,
    column_encoding: encodings,
    store_schema: random.below(2) === 1,
    store_decimal_as_integer: random.below(2) === 1,
    write_page_checksum: random.below(2) === 1,
    use_compliant_nested_type: true,
    use_deprecated_int96_timestamps: int96,
  }
  worker ??= new PythonWorker('pyarrow_write.py')
  const stream = join(worker.folder, 'table.arrow')
  writeFileSync(stream, arrowStream(columns))
  const number = await worker.run(stream, options)
  return { bytes: readFileSync(join(worker.folder, `${number}.parquet`)), how: JSON.stringify(options) }
}

export function closePyarrowWriter() {
  worker?.close()
  worker = undefined
}
