/** What stands in more than one place says the same everywhere. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import test from 'node:test'
import { root } from './expected.js'

/** @param {string} folder @param {boolean} recursive */
function cFiles(folder, recursive) {
  return readdirSync(join(root, folder), { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.c'))
    .map((entry) => relative(root, join(entry.path, entry.name)))
    .sort()
}

const listed = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8').trim().split('\n').sort()

for (const folder of ['src', 'native', 'wasm']) {
  test(`${folder}/sources.txt lists the C files of ${folder}/`, () => {
    assert.deepEqual(listed(`${folder}/sources.txt`), cFiles(folder, folder === 'src'))
  })
}

test('the version is the same in C, in package.json and in its lock', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const header = readFileSync(join(root, 'include/pagelane.h'), 'utf8')
  assert.equal(header.match(/#define PAGELANE_VERSION "(.*)"/)?.[1], version)
  assert.equal(lock.version, version)
})

test('development packages are pinned, and the lock names no place that they come from', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const [name, version] of Object.entries(devDependencies)) {
    assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name)
  }
  assert.ok(!readFileSync(join(root, 'package-lock.json'), 'utf8').includes('"resolved"'))
})
