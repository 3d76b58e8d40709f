/** The package for browsers and bundles: the wasm module is inside, and compiled on first use. */
import { loadCodecFor, openFile } from './api.js'
import { loadBrotli } from './brotli_loader.js'
import { Runtime } from './core.js'
import { decodePageOf } from './decode_page.js'
import { wasmBytes } from './dist/pagelane.wasm.js'

export { PagelaneError } from './errors.js'

const runtime = /* @__PURE__ */ new Runtime({ wasm: wasmBytes, loaders: { BROTLI: loadBrotli } })

/** @type {(input?: unknown, options?: unknown) => ReturnType<typeof openFile>} */
export const open = (input, options) => openFile(runtime, input, options)
/** @type {(bytes: unknown, options: unknown) => ReturnType<typeof decodePageOf>} */
export const decodePage = (bytes, options) => decodePageOf(runtime, bytes, options)
/** @type {(codec: unknown, decompress?: unknown) => Promise<void>} */
export const loadCodec = (codec, decompress) => loadCodecFor(runtime, codec, decompress)
