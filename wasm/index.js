/** The package for browsers and bundles: the wasm module is inside, and compiled on first use. */
import { createApi } from './api.js'
import { wasmBytes } from './dist/pagelane.wasm.js'

export { PagelaneError } from './errors.js'

const api = /* @__PURE__ */ createApi({ wasm: wasmBytes })

export const { open, decodePage, loadCodec } = api
