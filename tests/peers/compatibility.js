#!/usr/bin/env node
/**
 * Which files and features each reader reads: compatibility.js writes docs/compatibility.md, compatibility.test.js compares.
 * PARQUET_TEST_DATA says where the files are.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeDocument } from './document.js'
import { NESTING_FEATURES } from './features/nesting.js'
import { PAGE_FEATURES } from './features/pages.js'
import { TYPE_FEATURES } from './features/types.js'
import { compareFile, DIFFERS, EQUAL, readers } from './outcomes.js'
import { firstDifference } from './plain.js'
import { closePyarrow } from './pyarrow.js'
import { readAll, topLevelNames } from './readers.js'

export const DOCUMENT = fileURLToPath(new URL('../../docs/compatibility.md', import.meta.url))
/** It holds 2 GiB of strings in 4 KB, and has tests of its own. */
export const LARGE = 'large_string_map.brotli.parquet'

/**
 * Where pagelane does not give what most of the others give: file and column, and why.
 * @type {Record<string, string>}
 */
export const EXCEPTIONS = {
  'int96_from_spark.parquet/a':
    'years beyond 2262, which 64-bit nanoseconds cannot hold: the others give what is left after an overflow',
  'map_no_value.parquet/my_map_no_v':
    'a map without values stays a map; pyarrow and parquet-wasm make a list of its keys, DuckDB refuses the file',
}

/** @param {string} folder `data` of parquet-testing @returns {string[]} paths of the files that are not encrypted */
export function testFiles(folder) {
  const geospatial = [join(folder, 'geospatial'), join(folder, '../geospatial')]
  return [folder, ...geospatial]
    .flatMap((each) => {
      try {
        return readdirSync(each).map((name) => join(each, name))
      } catch {
        return []
      }
    })
    .filter((path) => path.endsWith('.parquet') && basename(path) !== LARGE)
    .sort()
}

/** @param {string} path */
export const nameOf = (path) =>
  /geospatial.[^/\\]+$/.test(path) ? `geospatial/${basename(path)}` : basename(path)

/**
 * @param {string[]} paths
 * @returns {Promise<[string, import('./outcomes.js').FileOutcome][]>}
 */
export async function compareFiles(paths) {
  /** @type {[string, import('./outcomes.js').FileOutcome][]} */
  const files = []
  for (const path of paths) files.push([nameOf(path), await compareFile(path, await topLevelNames(path))])
  return files
}

/**
 * @returns {Promise<[string, [string, Map<string, string>][]][]>} an outcome for each feature and reader
 */
export async function compareFeatures() {
  const folder = mkdtempSync(join(tmpdir(), 'pagelane-features-'))
  /** @type {[string, [string, Map<string, string>][]][]} */
  const groups = []
  for (const [group, make] of [...PAGE_FEATURES, ...NESTING_FEATURES, ...TYPE_FEATURES]) {
    /** @type {[string, Map<string, string>][]} */
    const rows = []
    for (const { name, bytes, values, others = [] } of make()) {
      // a name each: DuckDB remembers files by name
      const path = join(folder, `${groups.length}-${rows.length}.parquet`)
      writeFileSync(path, bytes)
      const outcomes = new Map()
      for (const reader of readers.filter(({ version }) => version !== null)) {
        const [found] = await readAll(reader, path, ['x'])
        const equal =
          typeof found !== 'string' && [values, ...others].some((each) => firstDifference(each, found) < 0)
        outcomes.set(reader.name, typeof found === 'string' ? found : equal ? EQUAL : DIFFERS)
      }
      rows.push([name, outcomes])
    }
    groups.push([group, rows])
  }
  rmSync(folder, { recursive: true })
  return groups
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { PARQUET_TEST_DATA: data } = process.env
  const missing = readers.filter(({ version }) => version === null).map(({ name }) => name)
  if (data === undefined || missing.length > 0) {
    console.error(data === undefined ? 'PARQUET_TEST_DATA is not set' : `not here: ${missing.join(' ')}`)
    process.exitCode = 1
  } else {
    const files = await compareFiles(testFiles(data))
    const features = await compareFeatures()
    closePyarrow()
    writeFileSync(DOCUMENT, makeDocument({ files, features, exceptions: Object.entries(EXCEPTIONS) }))
    for (const [name, { faults }] of files) for (const fault of faults) console.log(`${name}/${fault}`)
    for (const [, rows] of features) {
      for (const [name, outcomes] of rows) {
        if (outcomes.get('pagelane') !== EQUAL) console.log(`${name}: ${outcomes.get('pagelane')}`)
      }
    }
  }
}
