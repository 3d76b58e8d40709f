/** The package for Node: paths are sources too, the wasm module is a file, Brotli comes from zlib. */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { createApi } from './api.js'
import { FileSource } from './node_source.js'

export { PagelaneError } from './errors.js'

const api = /* @__PURE__ */ createApi({
  wasm: () => readFileSync(new URL('./dist/pagelane.wasm', import.meta.url)),
  openPath: (location) => new FileSource(location),
  allocate: (size) => Buffer.allocUnsafeSlow(size).buffer,
  codecs: { BROTLI: (input, outputSize) => brotliDecompressSync(input, { maxOutputLength: outputSize }) },
})

export const { open, decodePage, loadCodec } = api
