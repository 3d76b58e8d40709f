/* pagelane/brotli: a Decompressor for BROTLI pages. The package fetches it by itself where a browser needs it and finds it
 * beside its own script; an application in one file that has moved away from it gives it to loadCodec:
 *
 *   loadCodec('BROTLI', async (input, size) => (await import('pagelane/brotli')).decompressBrotli(input, size))
 */

/** Decompresses one page body into exactly `outputSize` bytes, or throws. */
export function decompressBrotli(input: Uint8Array, outputSize: number): Uint8Array
