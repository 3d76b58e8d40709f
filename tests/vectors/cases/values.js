/**
 * Level-1 cases: bit-packed values and the RLE / bit-packed hybrid, without pages.
 */

import { packBits } from '../../reference/bitpack.js'
import { fromHex } from '../../reference/bytes.js'
import { Random } from '../../reference/random.js'
import { encodeHybrid, randomRuns } from '../../reference/rle.js'

/** @param {number} n */
export const two = (n) => String(n).padStart(2, '0')

/**
 * Every width, at counts that end inside and at the end of a group, and one byte short.
 * @param {import('../suite.js').Suite} suite
 */
export function bitPackedCases(suite) {
  const random = new Random(1)
  for (const bits of /** @type {const} */ ([32, 64])) {
    const name = `bit-packed/u${bits}`
    /** @type {'bit_unpack_u32' | 'bit_unpack_u64'} */
    const call = bits === 32 ? 'bit_unpack_u32' : 'bit_unpack_u64'
    for (let width = 0; width <= bits; width++) {
      const values = Array.from({ length: 107 }, () => random.bits(width))
      const bytes = packBits(values, width)
      for (const n of [1, 8, 33, 107]) {
        suite.value({
          name: `${name}/width-${two(width)}/n-${n}`,
          function: call,
          width,
          count: n,
          bytes: bytes.subarray(0, Math.ceil((n * width) / 8)),
          values: values.slice(0, n),
        })
      }
      if (width === 0) continue
      suite.value({
        name: `${name}/width-${two(width)}/cut`,
        function: call,
        width,
        count: 107,
        bytes: bytes.subarray(0, -1),
        status: 'TRUNCATED',
      })
    }
    suite.value({ name: `${name}/none`, function: call, width: 5, count: 0, bytes: new Uint8Array(0) })
    suite.value({
      name: `${name}/too-wide`,
      function: call,
      width: bits + 1,
      count: 1,
      bytes: new Uint8Array(16),
      status: 'BAD_ARGUMENT',
    })
  }
  suite.value({
    name: 'bit-packed/u32/format-text',
    function: 'bit_unpack_u32',
    width: 3,
    count: 8,
    bytes: fromHex('88 C6 FA'),
    values: [0, 1, 2, 3, 4, 5, 6, 7],
    note: 'Encodings.md, 0 to 7 at width 3',
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
    for (let at = 0; at < 150; at += 10 + random.below(20))
      values.fill(values[at], at, at + 2 + random.below(25))
    const layouts = {
      usual: undefined,
      random: randomRuns(values, random),
      packed: [{ packed: 150 }],
      'padding-ones': [{ packed: 80 }, { packed: 70, padding: 2 ** width - 1 }],
    }
    for (const [layout, runs] of Object.entries(layouts)) {
      suite.value({
        name: `${name}/${layout}`,
        function: 'rle_u32',
        width,
        count: 150,
        bytes: encodeHybrid(values, width, runs),
        values,
      })
    }
    const equal = new Array(40).fill(values[0])
    suite.value({
      name: `${name}/one-run`,
      function: 'rle_u32',
      width,
      count: 37,
      bytes: encodeHybrid(equal, width, [{ rle: 40 }]),
      values: equal.slice(0, 37),
      note: 'the run is longer than what is needed',
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
  const edge = (name, hex, width, count, result, note) =>
    suite.value({
      name: `rle/${name}`,
      function: 'rle_u32',
      width,
      count,
      bytes: fromHex(hex),
      note,
      ...(typeof result === 'string' ? { status: result } : { values: result }),
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
  edge(
    'longest-packed-run',
    'FF FF FF FF 01 05',
    1,
    3,
    [1, 0, 1],
    '2^28 - 1 groups, of which one is there and needed'
  )
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
