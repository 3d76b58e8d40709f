/** Brotli in Node: that of zlib. */
import { zlib } from './builtin.js'

/**
 * @param {Uint8Array} input a whole stream
 * @param {number} outputSize
 * @returns {Uint8Array}
 */
export function decompressBrotli(input, outputSize) {
  const options = { maxOutputLength: outputSize, info: true }
  const { buffer, engine } = /** @type {{ buffer: Buffer, engine: { bytesWritten: number } }} */ (
    /** @type {unknown} */ (zlib().brotliDecompressSync(input, options))
  )
  // zlib itself does not mind
  if (engine.bytesWritten !== input.length) throw new Error('bytes are left over after the stream')
  return buffer
}
