/**
 * pagelane/brotli: Brotli for engines that have none of their own to call. It is a file by itself, 90 KB as servers send
 * it, most of that the format's dictionary; the package fetches it when a file needs it.
 */
import { BrotliStreamResultCode, DecompressStream, initSync } from 'brotli-dec-wasm/web'
import { wasmBytes } from './dist/brotli.wasm.js'

let isReady = false

/**
 * @param {Uint8Array} input a whole stream
 * @param {number} outputSize
 * @returns {Uint8Array} exactly so many bytes
 */
export function decompressBrotli(input, outputSize) {
  if (!isReady) initSync({ module: wasmBytes() })
  isReady = true
  const stream = new DecompressStream()
  try {
    const { buf, code, input_offset: used } = stream.decompress(input, outputSize)
    if (code === BrotliStreamResultCode.NeedsMoreInput) throw new Error('the stream is cut')
    if (code !== BrotliStreamResultCode.ResultSuccess) throw new Error('it holds more bytes')
    if (used !== input.length) throw new Error('bytes are left over after the stream')
    return buf
  } finally {
    stream.free()
  }
}
