/** Which of the two modules an engine can run: pagelane.wasm, or pagelane-scalar.wasm, which has no SIMD in it. */

/* The shortest module that names the type of vectors. */
const PROBE = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123]

/** @returns {boolean} whether the engine knows SIMD */
export const hasSimd = () => WebAssembly.validate(Uint8Array.from(PROBE))
