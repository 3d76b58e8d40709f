/** From the end of a file to its metadata. */
import { Metadata } from './metadata.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./ledger.js').Ledger} Ledger */
/** @typedef {import('./source.js').Source} Source */

/* Bytes of the first request: most footers are shorter. */
const TAIL_SIZE = 64 * 1024
/* They say how long the footer before them is. */
const LAST_BYTES = 8

/**
 * @param {Source} source
 * @param {Ledger} ledger
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Metadata>}
 */
export async function readMetadata(source, ledger, signal) {
  const { core } = ledger
  const tail = await source.readTail(TAIL_SIZE, signal)
  const fileSize = source.byteLength
  const last = tail.subarray(-LAST_BYTES)
  const located = withCopy(ledger, last, (address) => {
    core.check(core.call.footer_locate(address, last.length, fileSize, ledger.handle), {})
    return { offset: core.result('offset'), size: core.result('size') }
  })
  const start = located.offset - (fileSize - tail.length)
  if (start >= 0) return parse(ledger, tail.subarray(start, start + located.size), fileSize)
  ledger.charge(located.size)
  try {
    const footer = await source.read(located.offset, located.offset + located.size, signal)
    return parse(ledger, footer, fileSize)
  } finally {
    ledger.release(located.size)
  }
}

/**
 * @param {Ledger} ledger
 * @param {Uint8Array} footer
 * @param {number} fileSize
 * @returns {Metadata}
 */
function parse(ledger, footer, fileSize) {
  const { core } = ledger
  return withCopy(ledger, footer, (address) => {
    core.check(core.call.metadata_parse(address, footer.length, fileSize, ledger.handle), {})
    const image = core.result('pointer')
    const bytes = core.u8.slice(image, image + core.result('size'))
    core.call.metadata_destroy(image, ledger.handle)
    return new Metadata(core.tables, bytes)
  })
}

/**
 * @template T
 * @param {Ledger} ledger
 * @param {Uint8Array} bytes
 * @param {(address: number) => T} use a copy in wasm memory
 * @returns {T}
 */
function withCopy(ledger, bytes, use) {
  const address = bytes.length === 0 ? 0 : ledger.allocate(bytes.length)
  try {
    ledger.core.u8.set(bytes, address)
    return use(address)
  } finally {
    ledger.free(address, bytes.length)
  }
}
