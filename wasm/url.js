/**
 * The package with the wasm module as a file of its own, fetched from beside this one: smaller scripts, and the module
 * can be cached. open() loads it; decodePage, which waits for nothing, needs `await load()` before.
 */
import { createApi } from './api.js'

export { PagelaneError } from './errors.js'

const api = /* @__PURE__ */ createApi({
  wasm: () => WebAssembly.compileStreaming(fetch(new URL('./dist/pagelane.wasm', import.meta.url))),
})

export const { open, decodePage, loadCodec, load } = api
