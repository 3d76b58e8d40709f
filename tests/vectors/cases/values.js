/**
 * Level-1 cases: bit-packed values, the RLE / bit-packed hybrid and DELTA_BINARY_PACKED, without pages.
 */
import { Random } from '../../reference/random.js'
import { packBits } from '../../reference/bitpack.js'
import { fromHex } from '../../reference/bytes.js'
import { encodeDelta } from '../../reference/delta.js'
import { encodeHybrid, randomRuns } from '../../reference/rle.js'

const two = (/** @type {number} */ n) => String(n).padStart(2, '0')

/**
 * Every width, at counts that end inside and at the end of a group, and one byte short.
 * @param {import('../suite.js').Suite} suite
 */
export function bitPackedCases(suite) {
  const random = new Random(1)
  for (const bits of /** @type {const} */ ([32, 64])) {
    const name = `bit-packed/u${bits}`
    const call = /** @type {const} */ (bits === 32 ? 'bit_unpack_u32' : 'bit_unpack_u64')
    for (let width = 0; width <= bits; width++) {
      const values = Array.from({ length: 107 }, () => random.bits(width))
      const bytes = packBits(values, width)
      for (const n of [1, 8, 33, 107]) {
        suite.value({
          name: `${name}/width-${two(width)}/n-${n}`, function: call, width, count: n,
          bytes: bytes.subarray(0, Math.ceil(n * width / 8)), values: values.slice(0, n)
        })
      }
      if (width === 0) continue
      suite.value({
        name: `${name}/width-${two(width)}/cut`, function: call, width, count: 107, bytes: bytes.subarray(0, -1),
        status: 'TRUNCATED'
      })
    }
    suite.value({ name: `${name}/none`, function: call, width: 5, count: 0, bytes: new Uint8Array(0) })
    suite.value({ name: `${name}/too-wide`, function: call, width: bits + 1, count: 1, bytes: new Uint8Array(16), status: 'BAD_ARGUMENT' })
  }
  suite.value({
    name: 'bit-packed/u32/format-text', function: 'bit_unpack_u32', width: 3, count: 8, bytes: fromHex('88 C6 FA'),
    values: [0, 1, 2, 3, 4, 5, 6, 7], note: 'Encodings.md, 0 to 7 at width 3'
  })
}

/**
 * Every width with usual and with random runs.
 * @param {import('../suite.js').Suite} suite
 */
export function hybridCases(suite) {
  const random = new Random(2)
  for (let width = 0; width <= 32; width++) {
    const name = `rle/width-${two(width)}`
    const values = Array.from({ length: 150 }, () => Number(random.bits(width)))
    for (let at = 0; at < 150; at += 10 + random.below(20)) values.fill(values[at], at, at + 2 + random.below(25))
    const layouts = {
      usual: undefined, random: randomRuns(values, random), packed: [{ packed: 150 }],
      'padding-ones': [{ packed: 80 }, { packed: 70, padding: 2 ** width - 1 }]
    }
    for (const [layout, runs] of Object.entries(layouts)) {
      suite.value({
        name: `${name}/${layout}`, function: 'rle_u32', width, count: 150, bytes: encodeHybrid(values, width, runs), values
      })
    }
    const equal = new Array(40).fill(values[0])
    suite.value({
      name: `${name}/one-run`, function: 'rle_u32', width, count: 37, bytes: encodeHybrid(equal, width, [{ rle: 40 }]),
      values: equal.slice(0, 37), note: 'the run is longer than what is needed'
    })
  }
  hybridEdges(suite)
}

/** @param {import('../suite.js').Suite} suite */
function hybridEdges(suite) {
  /**
   * @param {string} name
   * @param {string} hex
   * @param {number} width
   * @param {number} count
   * @param {string | number[]} result
   * @param {string} [note]
   */
  const edge = (name, hex, width, count, result, note) => suite.value({
    name: `rle/${name}`, function: 'rle_u32', width, count, bytes: fromHex(hex), note,
    ...(typeof result === 'string' ? { status: result } : { values: result })
  })
  const zeros = new Array(300).fill(0)
  edge('format-text/ones', '0A 01', 1, 5, [1, 1, 1, 1, 1], 'five ones at width 1')
  edge('format-text/packed', '03 88 C6 FA', 3, 8, [0, 1, 2, 3, 4, 5, 6, 7])
  edge('format-text/width-0', 'D8 04', 0, 300, zeros, '300 values of width 0')
  edge('none', '', 7, 0, [])
  edge('none-of-some', '0A 01', 1, 0, [], 'nothing is wanted: nothing is looked at')
  edge('redundant-varint', '8A 80 80 80 00 01', 1, 5, [1, 1, 1, 1, 1], 'five bytes for a small number')
  edge('varint-of-6-bytes', '8A 80 80 80 80 00 01', 1, 5, 'CORRUPT')
  edge('varint-of-33-bits', 'FE FF FF FF 1F 01', 1, 5, 'CORRUPT')
  edge('varint-cut', '8A 80', 1, 5, 'TRUNCATED')
  edge('longest-rle-run', 'FE FF FF FF 0F 01', 1, 3, [1, 1, 1], '2^31 - 1 values')
  edge('longest-packed-run', 'FF FF FF FF 01 05', 1, 3, [1, 0, 1], '2^28 - 1 groups, of which one is there and needed')
  edge('too-long-packed-run', '81 80 80 80 02 05', 1, 3, 'CORRUPT', '2^28 groups are 2^31 values')
  edge('longest-packed-run-at-width-0', 'FF FF FF FF 01', 0, 3, [0, 0, 0])
  edge('padding-cut', '03 88 C6', 3, 5, [0, 1, 2, 3, 4], 'the last group is cut behind the values needed')
  edge('padding-cut-too-far', '03 88', 3, 5, 'TRUNCATED')
  edge('packed-cut', '05 88 C6 FA 88', 3, 16, 'TRUNCATED')
  edge('packed-missing', '03', 3, 8, 'TRUNCATED')
  edge('rle-value-cut', '0A 01', 9, 5, 'TRUNCATED')
  edge('rle-value-missing', '0A', 1, 5, 'TRUNCATED')
  edge('no-bytes', '', 1, 1, 'TRUNCATED')
  edge('too-few', '0A 01 02 00', 1, 7, 'TRUNCATED')
  edge('empty-rle-run', '00 01 0A 01', 1, 5, 'CORRUPT')
  edge('empty-packed-run', '01 0A 01', 1, 5, 'CORRUPT')
  edge('empty-run-after-values', '06 01 00 00', 1, 5, 'CORRUPT')
  edge('empty-run-not-needed', '0A 01 00 00', 1, 5, [1, 1, 1, 1, 1], 'what stands behind the last run needed')
  edge('empty-run-at-width-0', '00', 0, 3, 'CORRUPT')
  edge('value-too-wide/width-1', '0A 02', 1, 5, 'CORRUPT')
  edge('value-too-wide/width-7', '0A 80', 7, 5, 'CORRUPT')
  edge('value-too-wide/width-9', '0A 00 02', 9, 5, 'CORRUPT')
  edge('value-too-wide/width-31', '0A 00 00 00 80', 31, 5, 'CORRUPT')
  edge('widest-value', '0A FF FF FF FF', 32, 2, [2 ** 32 - 1, 2 ** 32 - 1])
  edge('width-33', '0A 01 00 00 00 00', 33, 5, 'BAD_ARGUMENT')
}

/** Values a block and miniblocks a block, each with its values per miniblock. */
const GEOMETRIES = /** @type {[number, number][]} */ ([
  [128, 4], [128, 2], [128, 1], [256, 4], [256, 1], [512, 4], [1024, 4], [1024, 1], [1280, 40]
])

/**
 * @param {import('../suite.js').Suite} suite
 */
export function deltaCases(suite) {
  const random = new Random(3)
  for (const bits of /** @type {const} */ ([32, 64])) {
    for (let width = 0; width <= bits; width++) {
      const [blockSize, miniblocks] = GEOMETRIES[width % GEOMETRIES.length]
      delta(suite, `delta/i${bits}/width-${two(width)}`, bits, deltaValues(random, bits, 203, () => width),
        { blockSize, miniblocks, width: (block, m, needed) => Math.max(needed, width) })
    }
    for (const [blockSize, miniblocks] of GEOMETRIES) {
      const size = blockSize / miniblocks
      const widths = Array.from({ length: 40 }, () => random.below(bits / 2 + 1))
      for (const n of new Set([2, size, size + 1, size + 2, blockSize, blockSize + 1, blockSize + 2, 2 * blockSize + 77])) {
        delta(suite, `delta/i${bits}/geometry-${blockSize}-${miniblocks}/n-${n}`, bits,
          deltaValues(random, bits, n, i => widths[Math.floor(i / size) % 40]), { blockSize, miniblocks })
      }
    }
    for (const n of [3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 34, 63, 65, 66, 97, 161, 257, 385]) {
      delta(suite, `delta/i${bits}/n-${n}`, bits, deltaValues(random, bits, n, i => i * 7 % (bits + 1)))
    }
    delta(suite, `delta/i${bits}/padding-ones`, bits, deltaValues(random, bits, 70, () => 9), { paddingOnes: true })
    delta(suite, `delta/i${bits}/unneeded-widths`, bits, deltaValues(random, bits, 70, () => 9), { unneededWidth: 0xff })
    delta(suite, `delta/i${bits}/lower-min-delta`, bits, deltaValues(random, bits, 70, () => 9), { minDelta: (_, least) => least - 5n })
    delta(suite, `delta/i${bits}/lowest-min-delta`, bits, deltaValues(random, bits, 200, () => 3), { minDelta: () => -(2n ** BigInt(bits - 1)) })
    delta(suite, `delta/i${bits}/any-values`, bits, Array.from({ length: 300 }, () => BigInt.asIntN(bits, random.u64())))
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
    name, function: bits === 32 ? 'delta_i32' : 'delta_i64', bytes: encodeDelta(values, bits, options), count: values.length, values
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
  const example = (name, bits, hex, values) => suite.value({
    name: `delta/format-text/${name}`, function: bits === 32 ? 'delta_i32' : 'delta_i64', bytes: fromHex(hex), count: values.length, values
  })
  example('wikipedia', 32, '80 01 04 08 0E 03 02 00 00 00 C0 3F 00 00 00 00 00 00', [7, 5, 3, 1, 2, 3, 4, 5])
  example('no-values', 32, '80 01 04 00 00', [])
  example('one-value', 32, '80 01 04 01 54', [42])
  example('wrap-32', 32, '80 01 04 02 FE FF FF FF 0F 02 00 00 00 00', [2147483647, -2147483648])
  example('minus', 64, '80 01 04 02 01 01 00 00 00 00', [-1, -2])
  example('wrap-64', 64, '80 01 04 02 FF FF FF FF FF FF FF FF FF 01 01 00 00 00 00', [-(2n ** 63n), 2n ** 63n - 1n])
  example('counting', 32, '80 01 04 AC 02 00 02 00 00 00 00 02 00 00 00 00 02 00 00 00 00', Array.from({ length: 300 }, (_, i) => i))
  const wide = [863490391n, -816295192n, 1613070492n, -1166045478n, 1856530847n]
  delta(suite, 'delta/format-text/width-32', 32, wide)
  const jump = Array.from({ length: 65 }, (_, i) => i === 40 ? 1000n : BigInt(3 * i))
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
  const edge = (name, bits, bytes, count, result, note) => suite.value({
    name: `delta/${name}`, function: bits === 32 ? 'delta_i32' : 'delta_i64', note, count,
    bytes: typeof bytes === 'string' ? fromHex(bytes) : bytes,
    ...(typeof result === 'string' ? { status: result } : { values: result })
  })
  edge('trailing-bytes', 32, '80 01 04 01 54 FF FF', 1, [42], 'what follows the stream belongs to whatever comes next')
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
  edge('no-room-huge', 32, '80 01 04 FF FF FF FF 0F 0E 03 00 00 00 00', 1, 'NO_SPACE', '2^32 - 1 values announced')
  edge('count-of-6-bytes', 32, '80 01 04 82 80 80 80 80 00 0E 03 00 00 00 00', 2, 'CORRUPT')
  edge('room-left', 32, '80 01 04 02 0E 03 00 00 00 00', 9, [7, 5])
  edge('first-value-of-33-bits', 32, '80 01 04 01 80 80 80 80 10', 1, 'CORRUPT')
  edge('first-value-of-11-bytes', 64, '80 01 04 01 80 80 80 80 80 80 80 80 80 80 00', 1, 'CORRUPT')
  edge('first-value-of-65-bits', 64, '80 01 04 01 80 80 80 80 80 80 80 80 80 02', 1, 'CORRUPT')
  edge('min-delta-of-33-bits', 32, '80 01 04 02 0E 80 80 80 80 10 00 00 00 00', 2, 'CORRUPT')
  edge('min-delta-of-65-bits', 64, '80 01 04 02 0E 80 80 80 80 80 80 80 80 80 02 00 00 00 00', 2, 'CORRUPT')
  const body = new Uint8Array(4 * 65)
  edge('width-33', 32, Uint8Array.of(0x80, 1, 4, 2, 14, 3, 33, 0, 0, 0, ...body.subarray(0, 132)), 2, 'CORRUPT')
  edge('width-65', 64, Uint8Array.of(0x80, 1, 4, 2, 14, 3, 65, 0, 0, 0, ...body), 2, 'CORRUPT')
  edge('width-255', 64, Uint8Array.of(0x80, 1, 4, 2, 14, 3, 255, 0, 0, 0, ...body), 2, 'CORRUPT')
  edge('width-33-later', 32, Uint8Array.of(0x80, 1, 4, 66, 14, 3, 0, 0, 33, 0, ...body.subarray(0, 132)), 66, 'CORRUPT')
  edge('width-33-unneeded', 32, Uint8Array.of(0x80, 1, 4, 65, 0, 2, 0, 0, 33, 255), 65, Array.from({ length: 65 }, (_, i) => i))
  const stream = encodeDelta(Array.from({ length: 140 }, (_, i) => BigInt(i * i % 97)), 64)
  for (let size = 0; size < stream.length; size += size < 30 || size > 160 ? 1 : 13) {
    edge(`cut/at-${size}`, 64, stream.subarray(0, size), 140, 'TRUNCATED')
  }
}
