/**
 * Reads a file once with one library, the way its documentation shows, in a fresh process: node read_once.js LIBRARY PATH.
 * Prints {"readMs", "peakBytes"}: the time from before the library is imported, and the process's peak memory.
 */

/**
 * @type {Record<string, (path: string) => Promise<unknown>>}
 */
const libraries = {
  async none() {},
  async pagelane(path) {
    const { open } = await import('pagelane')
    const file = await open(path)
    return file.read()
  },
  async 'parquet-wasm'(path) {
    const { readFileSync } = await import('node:fs')
    const { tableFromIPC } = await import('apache-arrow')
    const { readParquet } = await import('parquet-wasm')
    return tableFromIPC(readParquet(readFileSync(path)).intoIPCStream())
  },
  async hyparquet(path) {
    const { asyncBufferFromFile, parquetRead } = await import('hyparquet')
    const { compressors } = await import('hyparquet-compressors')
    /** @type {unknown[]} */
    const chunks = []
    await parquetRead({
      file: await asyncBufferFromFile(path),
      compressors,
      onChunk: (chunk) => chunks.push(chunk),
    })
    return chunks
  },
}

const [library, path] = process.argv.slice(2)
const start = performance.now()
const kept = await libraries[library](path)
const readMs = performance.now() - start
// maxRSS is in KiB; `kept` is used so that it is alive until here
const peakBytes = process.resourceUsage().maxRSS * 1024
process.stdout.write(`${JSON.stringify({ readMs, peakBytes, kept: typeof kept })}\n`)
