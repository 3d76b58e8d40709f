/** The package for Node: paths are sources too, the wasm module is a file, Brotli comes from zlib. */
import { loadCodecFor, openFile } from './api.js'
import { fs } from './builtin.js'
import { Runtime } from './core.js'
import { decodePageOf } from './decode_page.js'
import { decompressBrotli } from './node_brotli.js'
import { FileSource } from './node_source.js'
import { hasSimd } from './simd.js'

export { PagelaneError } from './errors.js'

const runtime = /* @__PURE__ */ new Runtime({
  wasm: () =>
    fs.readFileSync(
      hasSimd()
        ? new URL('./dist/pagelane.wasm', import.meta.url)
        : new URL('./dist/pagelane-scalar.wasm', import.meta.url)
    ),
  openPath: (location) => new FileSource(location),
  allocate: (size) => Buffer.allocUnsafeSlow(size).buffer,
  codecs: {
    BROTLI: decompressBrotli,
  },
})

/** @type {(input?: unknown, options?: unknown) => ReturnType<typeof openFile>} */
export const open = (input, options) => openFile(runtime, input, options)
/** @type {(bytes: unknown, options: unknown) => ReturnType<typeof decodePageOf>} */
export const decodePage = (bytes, options) => decodePageOf(runtime, bytes, options)
/** @type {(codec: unknown, decompress?: unknown) => Promise<void>} */
export const loadCodec = (codec, decompress) => loadCodecFor(runtime, codec, decompress)
