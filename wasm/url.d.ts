/* pagelane/url: the package with the wasm module fetched from beside it. */
export * from './index.js'

/** Fetches and compiles the wasm module, as open() does by itself. decodePage needs it done before. */
export function load(): Promise<void>
