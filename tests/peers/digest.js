/**
 * What was read, as the digests that tests/c/column_digests.c prints: there stands what they are over. A line a leaf.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { buildNative } from '../../.ci/build.js'
import { open } from '../../wasm/node.js'
import { leafStreams } from './leaf_streams.js'

/** @param {Uint8Array} bytes */
const sha256 = (bytes) => createHash('sha256').update(bytes).digest()

/**
 * @param {any} column of the top level
 * @returns {string[]} of its leaves: entries and digest
 */
export function digestsOfColumn(column) {
  return leafStreams(column).map(({ entries, streams }) => {
    const whole = createHash('sha256')
    for (const stream of streams) whole.update(sha256(stream))
    return `${entries} ${whole.digest('hex')}`
  })
}

/**
 * A line a leaf as digestsByC gives them: of a leaf that cannot be read its status and message.
 * @param {string} path
 * @returns {Promise<string[]>}
 */
export async function digestsOfFile(path) {
  const file = await open(path)
  /** @type {string[]} */
  const lines = []
  for (const { index } of file.columns) {
    try {
      const { columns } = await file.read({ columns: [index] })
      lines.push(...columns.flatMap(digestsOfColumn))
    } catch (/** @type {any} */ error) {
      if (error.name !== 'PagelaneError') throw error
      lines.push(`${error.code} ${error.message.replace(/( \(\d+\))? \[.*/, '')}`)
    }
  }
  file.close()
  return lines
}

/** @type {Promise<string> | undefined} */
let program

/**
 * Digests by the C library.
 * @param {string[]} paths of files
 * @param {string[]} [options] of the program
 * @returns {Promise<Map<string, string[]>>} the lines of each file: entries and digest, or status and message, a leaf
 */
export async function digestsByC(paths, options = []) {
  program ??= buildNative({ tests: true }).then((folder) => join(folder, 'tests/c/test_column_digests'))
  const output = execFileSync(await program, [...options, ...paths], { encoding: 'utf8', maxBuffer: 1 << 28 })
  return new Map(
    output
      .split(/^file /m)
      .slice(1)
      .map((part) => {
        const [path, ...lines] = part.trimEnd().split('\n')
        return [path, lines.map((line) => line.slice(line.indexOf(' ') + 1))]
      })
  )
}
