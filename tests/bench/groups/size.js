/**
 * What a page downloads: the bundle of `import { open } from 'pagelane'` after brotli, as `npm run size` measures it, against
 * hyparquet's parquetRead with its decompressors, bundled the same way. parquet-wasm's module alone is its download.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { resultOf } from '../results.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const HYPARQUET = "export { parquetRead } from 'hyparquet'; export { compressors } from 'hyparquet-compressors'"

/**
 * @param {string} name
 * @returns {Promise<import('../results.js').Result[]>}
 */
export async function run(name) {
  const ours = ownSize()
  const module = readFileSync(`${root}node_modules/parquet-wasm/esm/parquet_wasm_bg.wasm`)
  const theirs = {
    'hyparquet and hyparquet-compressors': brotliCompressSync(await bundle(HYPARQUET)).length,
    'parquet-wasm, its wasm module': brotliCompressSync(module).length,
  }
  return Object.entries(theirs).map(([baseline, size]) =>
    resultOf(
      { bench: 'size', case: name, host: 'node', isa: null, output: null, baseline, unit: 'bytes' },
      [ours],
      [size]
    )
  )
}

/** @returns {number} bytes; whether they are within the limit is not the question here */
function ownSize() {
  const { stdout, stderr } = spawnSync(process.execPath, [`${root}.ci/size.js`], {
    encoding: 'utf8',
    cwd: root,
  })
  const brotli = /^bundle +[\d.]+ KB +[\d.]+ KB +([\d.]+) KB/m.exec(stdout)?.[1]
  if (brotli === undefined) throw new Error(`npm run size printed no line for the bundle:\n${stdout}${stderr}`)
  return Math.round(Number(brotli) * 1000)
}

/**
 * @param {string} contents
 * @returns {Promise<Uint8Array>}
 */
async function bundle(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0].contents
}
