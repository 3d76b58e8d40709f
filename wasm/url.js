/**
 * The package with the wasm module as a file of its own, fetched from beside this one: smaller scripts, and the module
 * can be cached. Engines without SIMD get another module. open() loads it; decodePage, which waits for nothing, needs
 * `await load()` before.
 */
import { loadCodecFor, openFile } from './api.js'
import { loadBrotli } from './brotli_loader.js'
import { Runtime } from './core.js'
import { decodePageOf } from './decode_page.js'
import { hasSimd } from './simd.js'

export { PagelaneError } from './errors.js'

const runtime = /* @__PURE__ */ new Runtime({
  // bundlers look for addresses written like these
  wasm: () =>
    WebAssembly.compileStreaming(
      fetch(
        hasSimd()
          ? new URL('./dist/pagelane.wasm', import.meta.url)
          : new URL('./dist/pagelane-scalar.wasm', import.meta.url)
      )
    ),
  loaders: { BROTLI: loadBrotli },
})

/** @type {(input?: unknown, options?: unknown) => ReturnType<typeof openFile>} */
export const open = (input, options) => openFile(runtime, input, options)
/** @type {(bytes: unknown, options: unknown) => ReturnType<typeof decodePageOf>} */
export const decodePage = (bytes, options) => decodePageOf(runtime, bytes, options)
/** @type {(codec: unknown, decompress?: unknown) => Promise<void>} */
export const loadCodec = (codec, decompress) => loadCodecFor(runtime, codec, decompress)
export const load = () => runtime.load()
