/** Where browsers get Brotli from: a file beside the script, fetched when the first page needs it. */
import { messageOf, PagelaneError } from './errors.js'

/** @returns {Promise<import('./index.d.ts').Decompressor>} */
export async function loadBrotli() {
  try {
    // bundlers that look for addresses written like this one copy the file; none is to take it into the bundle
    const { href } = new URL('./dist/brotli.js', import.meta.url)
    return (await import(/* webpackIgnore: true */ /* @vite-ignore */ href)).decompressBrotli
  } catch (cause) {
    const message = `codec BROTLI: pagelane's brotli.js is not beside its script (${messageOf(cause)}); give loadCodec('BROTLI', …) the decompressBrotli of 'pagelane/brotli'`
    throw new PagelaneError('UNSUPPORTED', message, { cause })
  }
}
