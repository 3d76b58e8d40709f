/** The npm package as users get it: packed, installed in an empty project, and looked at by the package linters. */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { emptyFolder, firstFlights, flights, root, run } from './expected.js'

const tool = (/** @type {string} */ name) => join(root, 'node_modules/.bin', name)

/** @param {string} folder @returns {{ tarball: string, paths: string[] }} */
function pack(folder) {
  const [{ filename, files }] = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root })
  )
  return {
    tarball: join(folder, filename),
    paths: files.map((/** @type {{ path: string }} */ file) => file.path),
  }
}

test('npm pack holds the module, the types, the licences, and nothing of the build', (t) => {
  const { paths } = pack(emptyFolder(t))
  const expected = ['LICENSE', 'wasm/LICENSES.txt', 'wasm/index.d.ts', 'wasm/geojson.d.ts', 'wasm/brotli.d.ts']
  const made = ['pagelane.wasm', 'pagelane-scalar.wasm', 'geojson.js', 'brotli.js'].map(
    (name) => `wasm/dist/${name}`
  )
  for (const path of [...expected, ...made]) {
    assert.ok(paths.includes(path), path)
  }
  assert.deepEqual(
    paths.filter(
      (path) => !/^(wasm\/|LICENSE$|README\.md$|package\.json$)/.test(path) || /\.[ch]$|core\.wasm/.test(path)
    ),
    []
  )
})

test('installed in an empty project, it reads a file and has its command', async (t) => {
  const folder = emptyFolder(t)
  const { tarball } = pack(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder })
  writeFileSync(
    join(folder, 'use.js'),
    `import { open } from 'pagelane'
const file = await open(process.argv[2])
const table = await file.read({ columns: ['delay', 'origin'], rows: [0, 1000] })
console.log(JSON.stringify([Number(file.numRows), [...table.column('delay')].map(String), [...table.column('origin')]]))`
  )
  const rows = await firstFlights(1000)
  const printed = run(process.execPath, ['use.js', flights], { cwd: folder })
  if (process.arch === 'x64') {
    // what V8 needs for SIMD: the package takes its other module
    assert.equal(run(process.execPath, ['--no-enable-sse4-1', 'use.js', flights], { cwd: folder }), printed)
  }
  const [numRows, delay, origin] = JSON.parse(printed)
  assert.equal(numRows, 3_000_000)
  assert.deepEqual(
    delay,
    rows.map((row) => String(row.delay))
  )
  assert.deepEqual(
    origin,
    rows.map((row) => row.origin)
  )

  const command = join(folder, 'node_modules/.bin/pagelane')
  assert.ok(existsSync(command))
  assert.match(run(command, ['inspect', flights]), /delay/)
})

test('publint and attw report nothing', (t) => {
  const { tarball } = pack(emptyFolder(t))
  run(tool('publint'), ['--strict', tarball])
  run(tool('attw'), ['--profile', 'esm-only', tarball])
})
