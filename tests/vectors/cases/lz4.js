/**
 * LZ4: blocks of every shape, Hadoop's frames around them, and both with something wrong in one place.
 */
import { concatBytes } from '../../reference/bytes.js'
import { encodeLz4, encodeLz4Frames, encodeLz4Sequences } from '../../reference/lz4.js'
import { encodePage, encodePages } from '../../reference/page.js'
import { grouped } from './malformed.js'

/** @typedef {import('../suite.js').Suite} Suite */
/** @typedef {import('./malformed.js').Status} Status */
/** @typedef {(bytes: Uint8Array) => Uint8Array} Compress */

/* Their bytes repeat after 12, and after 4 in runs. */
const VALUES = Array.from({ length: 200 }, (_, i) => BigInt(i % 50 < 30 ? i % 3 : 7 + (i >> 5)))

/** @param {Suite} suite */
export function lz4Cases(suite) {
  for (const codec of ['LZ4', 'LZ4_RAW']) wholeCases(suite, codec)
  /** @param {string} name @param {Compress} compress @param {string} [note] */
  const framed = (name, compress, note) =>
    suite.page({
      name: `codec/lz4-${name}`,
      column: { type: 'INT32', codec: 'LZ4' },
      entries: [...VALUES, ...VALUES],
      note,
      chunk: encodePages({ type: 'INT32', codec: 'LZ4' }, [
        { values: VALUES, compress },
        { version: 2, values: VALUES, compress },
      ]),
    })
  framed('frame', (bytes) => encodeLz4Frames([[bytes]]))
  framed('frame-of-chunks', (bytes) =>
    encodeLz4Frames([[bytes.subarray(0, 1), bytes.subarray(1, 500), bytes.subarray(500)]])
  )
  framed('frames', (bytes) =>
    encodeLz4Frames([[bytes.subarray(0, 400)], [bytes.subarray(400, 401), bytes.subarray(401)]])
  )
  framed(
    'frame-of-literals',
    (bytes) => {
      const block = encodeLz4Sequences(bytes, [{ literal: bytes.length }])
      return concatBytes(
        [0, 0, bytes.length >> 8, bytes.length & 255, 0, 0, block.length >> 8, block.length & 255],
        block
      )
    },
    'nothing is compressed'
  )
}

/** What both codecs read. @param {Suite} suite @param {string} codec */
function wholeCases(suite, codec) {
  const prefix = `codec/${codec.toLowerCase()}`
  /** @param {string} name @param {Compress} compress */
  const one = (name, compress) =>
    suite.page({
      name: `${prefix}-${name}`,
      column: { type: 'INT32', codec },
      entries: [...VALUES, ...VALUES],
      chunk: encodePages({ type: 'INT32', codec }, [
        { values: VALUES, compress },
        { version: 2, values: VALUES, compress },
      ]),
    })
  one('block', encodeLz4)
  one('literals', (bytes) => encodeLz4Sequences(bytes, [{ literal: bytes.length }]))
  const type = { type: /** @type {const} */ ('FIXED_LEN_BYTE_ARRAY'), typeLength: 1, codec }
  for (const offset of [1, 2, 3, 5, 8, 13, 15, 16, 17, 31]) {
    // a copy of each length up to 20, then of those where the length takes more bytes, then a last literal
    const lengths = [...Array.from({ length: 17 }, (_, i) => i + 4), 273, 274, 275, 529]
    const size = offset + lengths.reduce((sum, n) => sum + n, 0) + 1
    const input = Uint8Array.from({ length: size }, (_, i) => (i % offset) * 3)
    const values = Array.from(input, (byte) => Uint8Array.of(byte))
    const sequences = [
      ...lengths.map((copy, i) => ({ literal: i === 0 ? offset : 0, copy, offset })),
      { literal: 1 },
    ]
    suite.page({
      name: `${prefix}-copies-offset-${offset}`,
      column: type,
      entries: values,
      chunk: encodePage(type, { values, compress: (bytes) => encodeLz4Sequences(bytes, sequences) }),
    })
  }
  for (const literal of [1, 14, 15, 16, 17, 269, 270, 271, 524, 525]) {
    const values = Array.from({ length: literal + 10 }, (_, i) => Uint8Array.of((i * 37) & 255))
    values.fill(values[literal - 1], literal, literal + 5)
    const sequences = [{ literal, copy: 5, offset: 1 }, { literal: 5 }]
    suite.page({
      name: `${prefix}-literal-${literal}`,
      column: type,
      entries: values,
      chunk: encodePage(type, { values, compress: (bytes) => encodeLz4Sequences(bytes, sequences) }),
    })
  }
  const column = { type: /** @type {const} */ ('INT64'), maxDefinitionLevel: 1, codec }
  suite.page({
    name: `${prefix}-nothing-to-decompress`,
    column,
    entries: [null, null, null],
    note: 'no values: the codec is not asked',
    chunk: encodePage(column, { version: 2, values: [null, null, null] }),
  })
}

/** @param {Suite} suite */
export function malformedLz4Cases(suite) {
  const bad = grouped(suite, 'codec')
  const values = Array.from({ length: 60 }, (_, i) => BigInt(i % 7))
  const n = 4 * values.length
  /** @param {string} codec @param {string} name @param {Compress} compress @param {Status} status @param {string} [note] */
  const one = (codec, name, compress, status, note) => {
    for (const version of /** @type {const} */ ([1, 2])) {
      const column = { type: /** @type {const} */ ('INT32'), codec }
      bad(`${codec.toLowerCase()}-${name}-v${version}`, column, { version, values, compress }, status, note)
    }
  }
  /** @param {import('../../reference/lz4.js').Lz4Sequence[]} sequences @returns {Compress} */
  const block = (sequences) => (bytes) => encodeLz4Sequences(concatBytes(bytes, [1]), sequences)
  for (const codec of ['LZ4', 'LZ4_RAW']) {
    one(codec, 'cut', (bytes) => encodeLz4(bytes).subarray(0, -1), 'TRUNCATED')
    one(codec, 'literal-cut', (bytes) => encodeLz4(bytes).subarray(0, 9), 'TRUNCATED')
    one(
      codec,
      'offset-cut',
      (bytes) => block([{ literal: n - 20, copy: 20, offset: 4 }])(bytes).subarray(0, -2),
      'TRUNCATED'
    )
    one(
      codec,
      'ends-in-copy',
      block([{ literal: n - 20, copy: 20, offset: 4 }]),
      'TRUNCATED',
      'a block ends in literals'
    )
    one(codec, 'nothing', () => new Uint8Array(0), 'CORRUPT', 'the sizes of the header contradict each other')
    one(codec, 'literal-too-long', block([{ literal: n + 1 }]), 'CORRUPT')
    one(codec, 'shorter', block([{ literal: n - 1 }]), 'TRUNCATED')
    one(codec, 'copy-too-long', block([{ literal: n - 20, copy: 21, offset: 4 }, { literal: 0 }]), 'CORRUPT')
    one(codec, 'copy-far-too-long', block([{ literal: 20, copy: 5000, offset: 4 }, { literal: 0 }]), 'CORRUPT')
    one(codec, 'offset-0', block([{ literal: n - 60, copy: 55, offset: 0 }, { literal: 5 }]), 'CORRUPT')
    one(codec, 'offset-beyond', block([{ literal: 20, copy: 60, offset: 21 }, { literal: n - 80 }]), 'CORRUPT')
    one(codec, 'bytes-after', (bytes) => concatBytes(encodeLz4(bytes), [1, 0]), 'CORRUPT')
    one(codec, 'length-without-end', () => new Uint8Array(300).fill(255), 'TRUNCATED')
  }
  one('LZ4_RAW', 'frame', (bytes) => encodeLz4Frames([[bytes]]), 'CORRUPT', 'Hadoop has none for this codec')
  const frame = (/** @type {Uint8Array} */ bytes) =>
    encodeLz4Frames([[bytes.subarray(0, 100), bytes.subarray(100)]])
  one('LZ4', 'frame-cut', (bytes) => frame(bytes).subarray(0, -1), 'TRUNCATED')
  one('LZ4', 'chunk-header-cut', (bytes) => frame(bytes).subarray(0, 6), 'TRUNCATED')
  one('LZ4', 'frame-after', (bytes) => concatBytes(frame(bytes), frame(bytes.subarray(0, 4))), 'CORRUPT')
  one('LZ4', 'frame-shorter', (bytes) => frame(bytes.subarray(1)), 'TRUNCATED')
  /** @param {number} at @param {number} byte @returns {Compress} */
  const edited = (at, byte) => (bytes) => {
    const out = frame(bytes).slice()
    out[at] = byte
    return out
  }
  one('LZ4', 'frame-of-less-than-its-chunks', edited(3, n - 1), 'CORRUPT')
  one('LZ4', 'chunk-past-the-end', edited(5, 1), 'TRUNCATED')
}
