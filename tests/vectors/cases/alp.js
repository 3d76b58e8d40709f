/**
 * ALP, alone and in pages, well-formed and not.
 */
import { encodeAlp, encodeAlpVectors } from '../../reference/alp.js'
import { ByteWriter, concatBytes, fromHex } from '../../reference/bytes.js'
import { ENCODINGS } from '../../reference/names.js'
import { encodePages } from '../../reference/page.js'
import { Random } from '../../reference/random.js'
import { cut, withNulls } from './columns.js'
import { grouped } from './malformed.js'
import { two } from './values.js'

/** @typedef {import('../../reference/alp.js').Bits} Bits */
/** @typedef {import('../../reference/alp.js').AlpVector} AlpVector */
/** @typedef {import('../../reference/page.js').Column} Column */

const TYPES = /** @type {const} */ ([
  { bits: 32, type: 'FLOAT', maxExponent: 10 },
  { bits: 64, type: 'DOUBLE', maxExponent: 18 },
])

/**
 * Patterns that no integer gives, and some that many programs would change: NaNs with payloads, quiet and signalling,
 * infinities, -0.0, subnormals.
 * @param {Bits} bits
 * @returns {bigint[]}
 */
function rarePatterns(bits) {
  return bits === 32
    ? [0x7fc00000n, 0xffc12345n, 0x7f800001n, 0xff800000n, 0x7f800000n, 0x80000000n, 1n, 0x7f7fffffn]
    : [
        0x7ff8000000000000n,
        0xfff8000012345678n,
        0x7ff0000000000001n,
        0xfff0000000000000n,
        0x7ff0000000000000n,
        0x8000000000000000n,
        1n,
        0x7fefffffffffffffn,
      ]
}

/**
 * A vector of any residuals: what is decoded does not have to be what an encoder would write.
 * @param {Bits} bits
 * @param {number} width
 * @param {number} n
 * @param {Random} random
 * @param {Partial<AlpVector>} [parts]
 * @returns {AlpVector}
 */
function randomVector(bits, width, n, random, parts = {}) {
  const maxExponent = bits === 32 ? 10 : 18
  const exponent = random.below(maxExponent + 1)
  return {
    exponent,
    factor: random.below(exponent + 1),
    frame: BigInt.asIntN(bits, random.u64()) >> BigInt(random.below(bits)),
    width,
    residuals: Array.from({ length: n }, () => random.bits(width)),
    exceptions: [],
    ...parts,
  }
}

/** @param {import('../suite.js').Suite} suite */
export function alpValueCases(suite) {
  for (const { bits, maxExponent } of TYPES) {
    const random = new Random(600 + bits)
    /**
     * @param {string} name
     * @param {AlpVector[]} vectors
     * @param {number} [log]
     * @param {string} [note]
     */
    const one = (name, vectors, log, note) =>
      suite.value({
        name: `alp/f${bits}/${name}`,
        function: bits === 32 ? 'alp_f32' : 'alp_f64',
        count: vectors.reduce((n, vector) => n + vector.residuals.length, 0),
        bytes: encodeAlpVectors(vectors, bits, log),
        note,
      })
    for (let width = 0; width <= bits; width++) {
      const vectors = [randomVector(bits, width, 128, random), randomVector(bits, width, 1 + width, random)]
      one(`width-${two(width)}`, vectors, 7, 'frame and residuals may wrap')
    }
    for (let exponent = 0; exponent <= maxExponent; exponent++) {
      const vectors = Array.from({ length: exponent + 1 }, (_, factor) =>
        randomVector(bits, bits === 32 ? 30 : 60, 8, random, { exponent, factor, frame: -(2n ** 29n) })
      )
      one(`exponent-${two(exponent)}`, vectors, 3, 'with every factor')
    }
    for (let log = 3; log <= 15; log++) {
      const sizes = log > 8 ? [20] : [1 << log, 1 << log, 5]
      one(
        `vectors-of-2-to-${two(log)}`,
        sizes.map((n) => randomVector(bits, 3 + (n % 9), n, random)),
        log
      )
    }
    const rare = rarePatterns(bits)
    one('exceptions-only', [
      randomVector(bits, 0, 8, random, { exceptions: rare.map((pattern, i) => [i, pattern]) }),
    ])
    one(
      'exceptions-descending',
      [randomVector(bits, 9, 40, random, { exceptions: rare.map((pattern, i) => [39 - 5 * i, pattern]) })],
      10,
      'any order is read'
    )
    one(
      'exceptions-twice',
      [randomVector(bits, 9, 12, random, { exceptions: rare.map((pattern, i) => [(3 * i) % 6, pattern]) })],
      10,
      'the last one of a position holds'
    )
  }
  alpKnownCases(suite)
}

/** @param {import('../suite.js').Suite} suite */
function alpKnownCases(suite) {
  const random = new Random(602)
  suite.value({
    name: 'alp/f64/worked-example',
    function: 'alp_f64',
    count: 4,
    bytes: fromHex(`00 00 0A 04 00 00 00 | 04 00 00 00 | 04 03 01 00 | 07 0D 00 00 00 00 00 00 | 0F
      91 AD C8 56 28 15 00 00 | 01 00 | 00 00 00 00 00 00 F8 7F`),
    values: [0x4097700000000000n, 0x7ff8000000000000n, 0x40a3880000000000n, 0x4074d80000000000n],
    note: '1500, NaN, 2500, 333.5',
  })
  suite.value({
    name: 'alp/f32/integers-of-25-bits',
    function: 'alp_f32',
    count: 3,
    bytes: encodeAlpVectors(
      [
        {
          exponent: 0,
          factor: 0,
          frame: 16777215n,
          width: 2,
          residuals: [0n, 1n, 2n],
          exceptions: [],
        },
      ],
      32
    ),
    values: [0x4b7fffffn, 0x4b800000n, 0x4b800000n],
    note: '16777217 is rounded to even',
  })
  for (const { bits } of TYPES) {
    const call = bits === 32 ? 'alp_f32' : 'alp_f64'
    const empty = encodeAlpVectors([], bits)
    suite.value({ name: `alp/f${bits}/none`, function: call, count: 0, bytes: empty, values: [] })
    suite.value({
      name: `alp/f${bits}/no-bytes`,
      function: call,
      count: 0,
      bytes: new Uint8Array(0),
      values: [],
    })
    suite.value({
      name: `alp/f${bits}/no-space`,
      function: call,
      count: 9,
      bytes: encodeAlpVectors([randomVector(bits, 5, 10, random)], bits),
      status: 'NO_SPACE',
    })
    malformedValueCases(suite, bits)
  }
}

/**
 * One section, wrong in one place.
 * @param {import('../suite.js').Suite} suite
 * @param {Bits} bits
 */
function malformedValueCases(suite, bits) {
  const random = new Random(603)
  const exceptions = /** @type {[number, bigint][]} */ ([
    [0, 1n],
    [7, 2n],
  ])
  const vectors = [8, 8, 5].map((n) =>
    randomVector(bits, 6, n, random, { exceptions: n === 8 ? exceptions : exceptions.slice(0, 1) })
  )
  const good = encodeAlpVectors(vectors, bits, 3)
  const header = 7
  const s = bits / 8
  const vectorSize = 5 + s + 6 + 2 * (2 + s) // of one with 8 values and two exceptions
  const start = [0, 1, 2].map((i) => header + 12 + i * vectorSize)
  /**
   * @param {string} name
   * @param {string} status
   * @param {Uint8Array} bytes
   * @param {string} [note]
   */
  const bad = (name, status, bytes, note) =>
    suite.value({
      name: `alp/f${bits}/malformed/${name}`,
      function: bits === 32 ? 'alp_f32' : 'alp_f64',
      count: 30,
      bytes,
      status,
      note,
    })
  /**
   * @param {number} at
   * @param {number | bigint} value
   * @param {number} [size]
   */
  const edited = (at, value, size = 1) =>
    concatBytes(good.subarray(0, at), new ByteWriter().le(value, size).finish(), good.subarray(at + size))
  bad('header-cut', 'TRUNCATED', good.subarray(0, 6))
  bad('mode', 'UNSUPPORTED', edited(0, 1), 'a number that the format keeps for later')
  bad('integer-encoding', 'UNSUPPORTED', edited(1, 1))
  bad('vector-size-2', 'CORRUPT', edited(2, 2))
  bad('vector-size-16', 'CORRUPT', edited(2, 16))
  bad('count-negative', 'CORRUPT', edited(3, -1, 4))
  bad('count-lowest', 'CORRUPT', edited(3, -(2 ** 31), 4))
  bad('one-vector-more', 'CORRUPT', edited(3, 25, 4), 'the first offset is not behind the offsets')
  bad('one-vector-fewer', 'CORRUPT', edited(3, 16, 4))
  bad('count-in-last-vector', 'CORRUPT', edited(3, 17, 4), 'its bytes are for more values')
  bad('more-in-last-vector', 'TRUNCATED', edited(3, 24, 4))
  bad('offsets-cut', 'TRUNCATED', good.subarray(0, header + 11))
  bad('no-vectors', 'TRUNCATED', good.subarray(0, header + 12))
  bad('first-offset-low', 'CORRUPT', edited(header, 11, 4))
  bad('first-offset-high', 'CORRUPT', edited(header, 13, 4))
  bad('offset-equal', 'CORRUPT', edited(header + 4, 12, 4))
  bad('offset-falls', 'CORRUPT', edited(header + 8, 20, 4))
  bad('offset-low', 'CORRUPT', edited(header + 4, 12 + vectorSize - 1, 4))
  bad('offset-high', 'CORRUPT', edited(header + 4, 12 + vectorSize + 1, 4))
  bad('offset-inside-header', 'CORRUPT', edited(header + 4, 15, 4))
  bad('offset-at-end', 'TRUNCATED', edited(header + 8, good.length - header, 4))
  bad('offset-highest', 'TRUNCATED', edited(header + 8, 2 ** 32 - 1, 4))
  bad('bytes-after', 'CORRUPT', concatBytes(good, [0]))
  bad('bytes-after-none', 'CORRUPT', concatBytes(encodeAlpVectors([], bits), [0]))
  for (const size of [start[2] + 1, start[2] + 4 + s, start[2] + 5 + s, good.length - s, good.length - 1]) {
    bad(`cut-to-${size}`, 'TRUNCATED', good.subarray(0, size))
  }
  for (const [i, at] of start.entries()) {
    bad(`exponent-${i}`, 'CORRUPT', edited(at, bits === 32 ? 11 : 19))
    bad(`exponent-255-${i}`, 'CORRUPT', edited(at, 255))
    bad(`factor-${i}`, 'CORRUPT', edited(at + 1, vectors[i].exponent + 1), 'above the exponent')
    bad(`exceptions-${i}`, 'CORRUPT', edited(at + 2, i < 2 ? 9 : 6, 2), 'more than values')
    bad(`exceptions-65535-${i}`, 'CORRUPT', edited(at + 2, 65535, 2))
    bad(`width-${i}`, 'CORRUPT', edited(at + 4 + s, bits + 1))
    bad(`width-255-${i}`, 'CORRUPT', edited(at + 4 + s, 255))
    bad(`width-less-${i}`, 'CORRUPT', edited(at + 4 + s, 4))
    bad(`width-more-${i}`, i < 2 ? 'CORRUPT' : 'TRUNCATED', edited(at + 4 + s, bits))
    bad(`position-${i}`, 'CORRUPT', edited(at + 5 + s + (i < 2 ? 6 : 4), i < 2 ? 8 : 5, 2))
    bad(`position-65535-${i}`, 'CORRUPT', edited(at + 5 + s + (i < 2 ? 6 : 4), 65535, 2))
  }
}

/**
 * Decimal numbers with a few that are not.
 * @param {Bits} bits
 * @param {number} n
 * @param {Random} random
 * @returns {(number | bigint)[]}
 */
function decimals(bits, n, random) {
  const rare = rarePatterns(bits)
  return Array.from({ length: n }, () =>
    random.below(40) === 0 ? rare[random.below(rare.length)] : (random.below(2001) - 1000) / 100
  )
}

/** @param {import('../suite.js').Suite} suite */
export function alpPageCases(suite) {
  for (const { bits, type } of TYPES) {
    const random = new Random(604 + bits)
    const name = type.toLowerCase()
    for (const logVectorSize of [3, 4, 7, 10, 15]) {
      for (const pattern of ['none', 'random', 'runs', 'all']) {
        const column = { type, maxDefinitionLevel: pattern === 'none' ? 0 : 1 }
        const entries = withNulls(decimals(bits, 400, random), pattern, random)
        const pages = cut(entries, [1, 0, 130, 8, 90]).map((values, i) => ({
          version: /** @type {1 | 2} */ (1 + (i % 2)),
          encoding: i === 3 ? 'PLAIN' : 'ALP',
          values,
          alp: { logVectorSize, descending: i === 4 },
        }))
        suite.page({
          name: `page/${name}/alp/vectors-2-to-${two(logVectorSize)}-nulls-${pattern}`,
          column,
          entries,
          chunk: encodePages(column, pages),
        })
      }
    }
    const few = decimals(bits, 100, random)
    const many = Array.from({ length: 36000 }, (_, i) => few[(i * 7) % 100])
    for (const [pattern, logVectorSize] of /** @type {[string, number][]} */ ([
      ['none', 10],
      ['random', 15],
    ])) {
      /** @type {Column} */
      const column = { type, maxDefinitionLevel: 1, codec: 'SNAPPY' }
      const entries = withNulls(many, pattern, random)
      suite.page({
        name: `large/${name}-alp-2-to-${logVectorSize}-nulls-${pattern}`,
        column,
        entries,
        chunk: encodePages(
          column,
          cut(entries, [33000]).map((values) => ({ encoding: 'ALP', values, alp: { logVectorSize } }))
        ),
      })
    }
  }
}

/**
 * Sections that are good in themselves and do not fit their page.
 * @param {import('../suite.js').Suite} suite
 */
export function malformedAlpCases(suite) {
  const bad = grouped(suite, 'alp')
  for (const { bits, type } of TYPES) {
    const random = new Random(605)
    const column = { type, maxDefinitionLevel: 1 }
    const patterns = Array.from({ length: 70 }, () => random.bits(bits))
    for (const version of /** @type {const} */ ([1, 2])) {
      /**
       * @param {string} what
       * @param {Uint8Array} section
       * @param {import('./malformed.js').Status} status
       */
      const one = (what, section, status) =>
        bad(
          `${type.toLowerCase()}-${what}-v${version}`,
          column,
          { version, encoding: 'ALP', values: [null, ...patterns, null], section },
          status
        )
      const good = encodeAlp(patterns, bits, { logVectorSize: 4 })
      one('none', good.subarray(0, 0), 'TRUNCATED')
      one('no-values', encodeAlp([], bits), 'CORRUPT')
      one('one-value-fewer', encodeAlp(patterns.slice(1), bits), 'CORRUPT')
      one('one-value-more', encodeAlp([...patterns, 1n], bits), 'CORRUPT')
      one('more-than-entries', encodeAlp([...patterns, 1n, 2n, 3n], bits), 'CORRUPT')
      one('huge-count', fromHex('00 00 0F FF FF FF 7F 00 00 00 00'), 'CORRUPT')
      one('cut', good.subarray(0, -1), 'TRUNCATED')
      one('byte-after', concatBytes(good, [0]), 'CORRUPT')
      one('mode', concatBytes([1], good.subarray(1)), 'UNSUPPORTED')
    }
    bad(
      `${type.toLowerCase()}-values-for-nulls`,
      column,
      { encoding: 'ALP', values: [null, null], section: encodeAlp([5n], bits) },
      'CORRUPT',
      'a value, and no entry that wants it'
    )
  }
  for (const type of /** @type {const} */ (['INT32', 'INT64', 'BYTE_ARRAY'])) {
    bad(
      `of-${type.toLowerCase().replaceAll('_', '-')}`,
      { type },
      {
        values: type === 'BYTE_ARRAY' ? ['x'] : [1],
        edit: (header) => {
          if (header.data) header.data.encoding = ENCODINGS.ALP
        },
      },
      'UNSUPPORTED',
      'a type that ALP is not for'
    )
  }
}
