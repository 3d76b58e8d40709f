/**
 * libpagelane's Arrow C Stream Interface as another library meets it: pyarrow imports the stream, and what it gets is compared
 * with what pyarrow reads from the file itself: types, values, nulls; from memory and by ranges, dictionaries kept or not.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { buildNative } from '../../.ci/build.js'
import { root } from './expected.js'

const { PARQUET_TEST_DATA: data, PAGELANE_PYTHON: python = join(root, 'build/python/bin/python') } = process.env
const hasPyarrow = spawnSync(python, ['-c', 'import pyarrow']).status === 0

/** Where pyarrow's own reading differs, or this library says what it cannot do. */
const DIFFERS = [
  // broken on purpose
  /^nation\.dict-malformed\.parquet: /,
  // a map with optional keys: pyarrow does not open the file
  /^incorrect_map_schema\.parquet: /,
  // a map without values is a list of its entries; there it is a list of the keys
  /^map_no_value\.parquet: my_map_no_v: /,
  // a day that no 64-bit timestamp holds exactly; pyarrow lets it wrap
  /^int96_from_spark\.parquet: OSError: UNSUPPORTED: an interval or INT96 /,
]

const skip = data === undefined ? 'PARQUET_TEST_DATA is not set' : !hasPyarrow && 'no Python with pyarrow'

test('the Arrow C Stream Interface, read by pyarrow', { skip }, async (t) => {
  const folder = data ?? ''
  const library = join(await buildNative({ tests: true }), 'libpagelane.so')
  if (!existsSync(library)) return t.skip('no libpagelane.so here')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.parquet$/.test(name)
  )
  const small = names.filter((name) => !/large_string_map/.test(name))
  const { stdout, stderr } = spawnSync(python, [join(root, 'tests/package/arrow_stream.py'), library], {
    input: JSON.stringify(small.map((name) => join(folder, name))),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  assert.ok(stdout, stderr)
  /** @type {Record<string, string[]>} */
  const answers = JSON.parse(stdout)
  const problems = small.flatMap((name) => answers[join(folder, name)].map((line) => `${name}: ${line}`))
  assert.deepEqual(
    problems.filter((line) => !DIFFERS.some((known) => known.test(line))),
    []
  )
  t.diagnostic(`${small.length} files`)
})
