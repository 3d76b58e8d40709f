/**
 * What toArrowIPC writes, read by pyarrow and compared with what pyarrow itself reads from the Parquet file: types, values,
 * nulls. Runs where there is a Python that has pyarrow: the one that PAGELANE_PYTHON names, or build/python's.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { open, PagelaneError } from '../../wasm/node.js'

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))
const { PARQUET_TEST_DATA: data = '', PAGELANE_PYTHON: python = at('../../build/python/bin/python') } =
  process.env
const hasPyarrow = spawnSync(python, ['-c', 'import pyarrow']).status === 0

/** Where pyarrow's own reading differs, and why. */
const DIFFERS = {
  'a map without values is a list of its entries; there it is a list of the keys':
    /^map_no_value\.parquet: my_map_no_v/,
  'the map has optional keys, and pyarrow does not open the file': /^incorrect_map_schema\.parquet: /,
  'a day that no 64-bit timestamp holds exactly; pyarrow lets it wrap':
    /^int96_from_spark\.parquet: a: .*fixed_size_binary/,
}

const skip = !hasPyarrow ? 'no Python with pyarrow' : data === '' && 'PARQUET_TEST_DATA is not set'

describe('toArrowIPC, read by pyarrow', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'pagelane-arrow-'))
  after(() => rmSync(folder, { recursive: true }))
  const names = skip ? [] : readdirSync(data, { recursive: true, encoding: 'utf8' })

  test('equals what pyarrow reads', async (t) => {
    const tasks = []
    for (const name of names.filter((each) => /\.parquet$/.test(each))) {
      const path = join(data, name)
      const file = await open(readFileSync(path))
      for (const [dictionary, format] of /** @type {const} */ ([
        ['decode', 'stream'],
        ['keep', 'file'],
      ])) {
        try {
          const table = await file.read({ dictionary })
          const arrow = join(folder, `${tasks.length}`)
          writeFileSync(arrow, table.toArrowIPC({ format }))
          tasks.push([arrow, path, table.columns.map((column) => column.name)])
        } catch (error) {
          if (!(error instanceof PagelaneError)) throw error
        }
      }
    }
    const { stdout, stderr } = spawnSync(python, [at('arrow_pyarrow.py')], {
      input: JSON.stringify(tasks),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    assert.ok(stdout, stderr)
    const answers = JSON.parse(stdout)
    const problems = new Set(
      tasks.flatMap(([, path], i) =>
        answers[i].map((/** @type {string} */ line) => `${path.slice(data.length + 1)}: ${line}`)
      )
    )
    const unexpected = [...problems].filter((line) => !Object.values(DIFFERS).some((known) => known.test(line)))
    assert.deepEqual(unexpected, [])
    t.diagnostic(`${tasks.length} tables`)
  })
})
