/* pagelane/url: the package with the wasm module fetched from beside it: pagelane.wasm, or pagelane-scalar.wasm where the
 * engine has no SIMD for WebAssembly (Safari before 16.4). */
export * from './index.js'

/** Fetches and compiles the wasm module, as open() does by itself. decodePage needs it done before. */
export function load(): Promise<void>
