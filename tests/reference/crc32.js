/**
 * CRC-32 with the polynomial of gzip (reflected 0xEDB88320), bit by bit.
 * @param {Uint8Array} bytes
 * @returns {number} as a signed 32-bit number, the way page headers keep it
 */
export function crc32(bytes) {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let i = 0; i < 8; i++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc
}
