/**
 * Level-1 cases of DELTA_BINARY_PACKED: whole streams, without pages.
 */
import { ByteReader, concatBytes, fromHex } from '../../reference/bytes.js'
import { encodeDelta } from '../../reference/delta.js'
import { Random } from '../../reference/random.js'
import { two } from './values.js'

/** Values a block and miniblocks a block, each with its values per miniblock. */
const GEOMETRIES = /** @type {[number, number][]} */ ([
  [128, 4],
  [128, 2],
  [128, 1],
  [256, 4],
  [256, 1],
  [512, 4],
  [1024, 4],
  [1024, 1],
  [1280, 40],
])

/**
 * @param {import('../suite.js').Suite} suite
 */
export function deltaCases(suite) {
  const random = new Random(3)
  for (const bits of /** @type {const} */ ([32, 64])) {
    for (let width = 0; width <= bits; width++) {
      const [blockSize, miniblocks] = GEOMETRIES[width % GEOMETRIES.length]
      delta(
        suite,
        `delta/i${bits}/width-${two(width)}`,
        bits,
        deltaValues(random, bits, 203, () => width),
        { blockSize, miniblocks, width: (_block, _m, needed) => Math.max(needed, width) }
      )
    }
    for (const [blockSize, miniblocks] of GEOMETRIES) {
      const size = blockSize / miniblocks
      const widths = Array.from({ length: 40 }, () => random.below(bits / 2 + 1))
      for (const n of new Set([
        2,
        size,
        size + 1,
        size + 2,
        blockSize,
        blockSize + 1,
        blockSize + 2,
        2 * blockSize + 77,
      ])) {
        delta(
          suite,
          `delta/i${bits}/geometry-${blockSize}-${miniblocks}/n-${n}`,
          bits,
          deltaValues(random, bits, n, (i) => widths[Math.floor(i / size) % 40]),
          { blockSize, miniblocks }
        )
      }
    }
    for (const n of [3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 34, 63, 65, 66, 97, 161, 257, 385]) {
      delta(
        suite,
        `delta/i${bits}/n-${n}`,
        bits,
        deltaValues(random, bits, n, (i) => (i * 7) % (bits + 1))
      )
    }
    delta(
      suite,
      `delta/i${bits}/padding-ones`,
      bits,
      deltaValues(random, bits, 70, () => 9),
      { paddingOnes: true }
    )
    delta(
      suite,
      `delta/i${bits}/unneeded-widths`,
      bits,
      deltaValues(random, bits, 70, () => 9),
      { unneededWidth: 0xff }
    )
    delta(
      suite,
      `delta/i${bits}/lower-min-delta`,
      bits,
      deltaValues(random, bits, 70, () => 9),
      { minDelta: (_, least) => least - 5n }
    )
    delta(
      suite,
      `delta/i${bits}/lowest-min-delta`,
      bits,
      deltaValues(random, bits, 200, () => 3),
      { minDelta: () => -(2n ** BigInt(bits - 1)) }
    )
    delta(
      suite,
      `delta/i${bits}/any-values`,
      bits,
      Array.from({ length: 300 }, () => BigInt.asIntN(bits, random.u64()))
    )
  }
  deltaExamples(suite)
  deltaEdges(suite)
}

/**
 * n values whose residuals have width(i) random bits.
 * @param {Random} random
 * @param {32 | 64} bits
 * @param {number} n
 * @param {(i: number) => number} width
 * @returns {bigint[]}
 */
function deltaValues(random, bits, n, width) {
  const base = BigInt.asIntN(bits, random.u64()) >> 4n
  let last = BigInt.asIntN(bits, random.u64())
  return Array.from({ length: n }, (_, i) => {
    const value = last
    last = BigInt.asIntN(bits, last + base + random.bits(width(i)))
    return value
  })
}

/**
 * @param {import('../suite.js').Suite} suite
 * @param {string} name
 * @param {32 | 64} bits
 * @param {bigint[]} values
 * @param {import('../../reference/delta.js').DeltaOptions} [options]
 */
function delta(suite, name, bits, values, options) {
  suite.value({
    name,
    function: bits === 32 ? 'delta_i32' : 'delta_i64',
    bytes: encodeDelta(values, bits, options),
    count: values.length,
    values,
  })
}

/** @param {import('../suite.js').Suite} suite */
function deltaExamples(suite) {
  /**
   * @param {string} name
   * @param {32 | 64} bits
   * @param {string} hex
   * @param {(number | bigint)[]} values
   */
  const example = (name, bits, hex, values) =>
    suite.value({
      name: `delta/format-text/${name}`,
      function: bits === 32 ? 'delta_i32' : 'delta_i64',
      bytes: fromHex(hex),
      count: values.length,
      values,
    })
  example('wikipedia', 32, '80 01 04 08 0E 03 02 00 00 00 C0 3F 00 00 00 00 00 00', [7, 5, 3, 1, 2, 3, 4, 5])
  example('no-values', 32, '80 01 04 00 00', [])
  example('one-value', 32, '80 01 04 01 54', [42])
  example('wrap-32', 32, '80 01 04 02 FE FF FF FF 0F 02 00 00 00 00', [2147483647, -2147483648])
  example('minus', 64, '80 01 04 02 01 01 00 00 00 00', [-1, -2])
  example('wrap-64', 64, '80 01 04 02 FF FF FF FF FF FF FF FF FF 01 01 00 00 00 00', [
    -(2n ** 63n),
    2n ** 63n - 1n,
  ])
  example(
    'counting',
    32,
    '80 01 04 AC 02 00 02 00 00 00 00 02 00 00 00 00 02 00 00 00 00',
    Array.from({ length: 300 }, (_, i) => i)
  )
  const wide = [863490391n, -816295192n, 1613070492n, -1166045478n, 1856530847n]
  delta(suite, 'delta/format-text/width-32', 32, wide)
  const jump = Array.from({ length: 65 }, (_, i) => (i === 40 ? 1000n : BigInt(3 * i)))
  delta(suite, 'delta/format-text/garbage-widths', 32, jump, { unneededWidth: 0xa5 })
}

/** @param {import('../suite.js').Suite} suite */
function deltaEdges(suite) {
  /**
   * @param {string} name
   * @param {32 | 64} bits
   * @param {string | Uint8Array} bytes
   * @param {number} count
   * @param {string | (number | bigint)[]} result
   * @param {string} [note]
   */
  const edge = (name, bits, bytes, count, result, note) =>
    suite.value({
      name: `delta/${name}`,
      function: bits === 32 ? 'delta_i32' : 'delta_i64',
      note,
      count,
      bytes: typeof bytes === 'string' ? fromHex(bytes) : bytes,
      ...(typeof result === 'string' ? { status: result } : { values: result }),
    })
  edge(
    'trailing-bytes',
    32,
    '80 01 04 01 54 FF FF',
    1,
    [42],
    'what follows the stream belongs to whatever comes next'
  )
  edge('trailing-bytes-after-body', 32, '80 01 04 02 0E 03 00 00 00 00 80 80 80', 2, [7, 5])
  edge('redundant-varints', 32, '80 81 80 80 00 84 00 81 80 00 D4 00', 1, [42], '5 bytes for 128, 2 for 4')
  edge('redundant-zeros', 32, '80 81 00 84 00 81 80 00 D4 80 80 80 00', 1, [42])
  edge('block-size-0', 32, '00 04 02 0E 03 00 00 00 00', 2, 'CORRUPT')
  edge('block-size-100', 32, '64 04 02 0E 03 00 00 00 00', 2, 'CORRUPT')
  edge('block-size-2-31', 32, '80 80 80 80 08 04 02 0E 03 00 00 00 00', 2, 'CORRUPT')
  edge('block-size-of-6-bytes', 32, '80 81 80 80 80 00 04 02 0E 03 00 00 00 00', 2, 'CORRUPT')
  edge('miniblocks-0', 32, '80 01 00 02 0E 03 00 00 00 00', 2, 'CORRUPT')
  edge('miniblocks-3', 32, '80 01 03 02 0E 03 00 00 00', 2, 'CORRUPT', '3 does not divide 128')
  edge('miniblocks-8', 32, '80 01 08 02 0E 03 00 00 00 00 00 00 00 00', 2, 'CORRUPT', 'miniblocks of 16 values')
  edge('miniblocks-39', 32, '80 0A 27 02 0E 03 00 00 00 00', 2, 'CORRUPT', '1280 / 39 is 32, with a remainder')
  edge('miniblocks-256', 32, '80 01 80 02 02 0E 03 00', 2, 'CORRUPT', 'more miniblocks than values')
  edge('no-room', 32, '80 01 04 02 0E 03 00 00 00 00', 1, 'NO_SPACE')
  edge(
    'no-room-huge',
    32,
    '80 01 04 FF FF FF FF 0F 0E 03 00 00 00 00',
    1,
    'NO_SPACE',
    '2^32 - 1 values announced'
  )
  edge('count-of-6-bytes', 32, '80 01 04 82 80 80 80 80 00 0E 03 00 00 00 00', 2, 'CORRUPT')
  edge('room-left', 32, '80 01 04 02 0E 03 00 00 00 00', 9, [7, 5])
  edge('first-value-of-33-bits', 32, '80 01 04 01 80 80 80 80 10', 1, 'CORRUPT')
  edge('first-value-of-11-bytes', 64, '80 01 04 01 80 80 80 80 80 80 80 80 80 80 00', 1, 'CORRUPT')
  edge('first-value-of-65-bits', 64, '80 01 04 01 80 80 80 80 80 80 80 80 80 02', 1, 'CORRUPT')
  edge('min-delta-of-33-bits', 32, '80 01 04 02 0E 82 80 80 80 20 00 00 00 00', 2, [7, 8], '2^32 + 1 more')
  edge('min-delta-of-65-bits', 64, '80 01 04 02 0E 80 80 80 80 80 80 80 80 80 02 00 00 00 00', 2, 'CORRUPT')
  const body = new Uint8Array(4 * 65)
  const wide = Uint8Array.of(5, 0, 0, 0, 1, ...body.subarray(0, 127))
  edge('width-33', 32, Uint8Array.of(0x80, 1, 4, 2, 14, 3, 33, 0, 0, 0, ...body.subarray(0, 132)), 2, [7, 5])
  edge('width-65', 64, Uint8Array.of(0x80, 1, 4, 2, 14, 3, 65, 0, 0, 0, ...body), 2, 'CORRUPT')
  edge('width-255', 64, Uint8Array.of(0x80, 1, 4, 2, 14, 3, 255, 0, 0, 0, ...body), 2, 'CORRUPT')
  edge(
    'width-33-later',
    32,
    Uint8Array.of(0x80, 1, 4, 66, 14, 3, 0, 0, 33, 0, ...wide),
    66,
    [...Array.from({ length: 65 }, (_, i) => 7 - 2 * i), 7 - 2 * 65 + 5],
    'the last difference is 2^32 + 5 - 2'
  )
  edge(
    'width-33-unneeded',
    32,
    Uint8Array.of(0x80, 1, 4, 65, 0, 2, 0, 0, 33, 255),
    65,
    Array.from({ length: 65 }, (_, i) => i)
  )
  wideBlocks(edge)
  const stream = encodeDelta(
    Array.from({ length: 140 }, (_, i) => BigInt((i * i) % 97)),
    64
  )
  for (let size = 0; size < stream.length; size += size < 30 || size > 160 ? 1 : 13) {
    edge(`cut/at-${size}`, 64, stream.subarray(0, size), 140, 'TRUNCATED')
  }
}

/**
 * A width above 64 in each miniblock of a block that is needed whole.
 * @param {(name: string, bits: 32 | 64, bytes: Uint8Array, count: number, result: string) => void} edge
 */
function wideBlocks(edge) {
  for (const bits of /** @type {const} */ ([32, 64])) {
    for (const [blockSize, miniblocks] of [
      [128, 4],
      [128, 2],
      [128, 1],
      [256, 4],
      [1024, 4],
      [1024, 1],
      [256, 8],
    ]) {
      const values = Array.from({ length: blockSize + 1 }, (_, i) => BigInt(3 * i))
      const stream = encodeDelta(values, bits, { blockSize, miniblocks, minDelta: () => 2n })
      const missing = new Uint8Array((blockSize / miniblocks) * 8)
      /* four numbers of the header and min_delta stand before the widths */
      const widths = new ByteReader(stream)
      for (let i = 0; i < 5; i++) widths.uleb(64)
      for (let m = 0; m < miniblocks; m++) {
        const wide = concatBytes(stream, missing)
        if (wide[widths.position + m] !== 1) throw new RangeError('that is not a width')
        wide[widths.position + m] = 65
        edge(`i${bits}/wide-block/${blockSize}-${miniblocks}-${m}`, bits, wide, values.length, 'CORRUPT')
      }
    }
  }
}
