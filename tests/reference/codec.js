/**
 * The codecs by name. Whatever is written here has the same bytes on every machine.
 */
import { FormatError } from './bytes.js'
import { decodeGzip, encodeGzip } from './gzip.js'
import { decodeLz4, decodeLz4Raw, encodeLz4, encodeLz4Frames } from './lz4.js'
import { decodeSnappy, encodeSnappy } from './snappy.js'
import { decodeZstd, encodeZstd } from './zstd.js'

/**
 * @param {string} codec
 * @param {Uint8Array} bytes
 * @returns {Uint8Array}
 */
export function compress(codec, bytes) {
  switch (codec) {
    case 'UNCOMPRESSED':
      return bytes
    case 'SNAPPY':
      return encodeSnappy(bytes)
    case 'LZ4':
      return encodeLz4Frames([[bytes]])
    case 'LZ4_RAW':
      return encodeLz4(bytes)
    case 'GZIP':
      return encodeGzip(bytes)
    case 'ZSTD':
      return encodeZstd(bytes)
    default:
      throw new FormatError('UNSUPPORTED', `codec ${codec}`)
  }
}

/**
 * @param {string} codec
 * @param {Uint8Array} bytes
 * @param {number} size
 * @returns {Uint8Array}
 */
export function decompress(codec, bytes, size) {
  if (bytes.length === 0 && size > 0) throw new FormatError('CORRUPT', 'a size that no bytes can give')
  switch (codec) {
    case 'UNCOMPRESSED':
      if (bytes.length !== size)
        throw new FormatError('CORRUPT', 'the two sizes of an uncompressed page differ')
      return bytes
    case 'SNAPPY':
      return decodeSnappy(bytes, size)
    case 'LZ4':
      return decodeLz4(bytes, size)
    case 'LZ4_RAW':
      return decodeLz4Raw(bytes, size)
    case 'GZIP':
      return decodeGzip(bytes, size)
    case 'ZSTD':
      return decodeZstd(bytes, size)
    default:
      throw new FormatError('UNSUPPORTED', `codec ${codec}`)
  }
}
