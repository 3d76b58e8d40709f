/** The reference model against the format text's examples, and its decoders against its encoders. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { decodeAlp, encodeAlp, encodeAlpVectors } from '../reference/alp.js'
import { packBits, packBitsBigEndian, unpackBits, unpackBitsBigEndian } from '../reference/bitpack.js'
import { joinStreams, splitStreams } from '../reference/byte_stream_split.js'
import { ByteReader, ByteWriter, concatBytes, FormatError, fromHex, toHex } from '../reference/bytes.js'
import { arrowColumn } from '../reference/column.js'
import { crc32 } from '../reference/crc32.js'
import { decodeDelta, encodeDelta } from '../reference/delta.js'
import { columnOf, writeFile } from '../reference/file.js'
import { encodeGzip } from '../reference/gzip.js'
import { encodeLevelsV1 } from '../reference/levels.js'
import { arrowParents, assemble, randomRecords, repeatedLevels, shred } from '../reference/nesting.js'
import { decodePages, encodePages } from '../reference/page.js'
import { encodePageHeader, readPageHeader } from '../reference/page_header.js'
import { encodePlain } from '../reference/plain.js'
import { Random } from '../reference/random.js'
import { decodeHybrid, encodeHybrid, randomRuns, usualRuns, widthOf } from '../reference/rle.js'
import { decodeSnappy, encodeSnappy } from '../reference/snappy.js'
import * as thrift from '../reference/thrift.js'
import { decodeZstd, encodeZstd } from '../reference/zstd.js'

/** @param {string} text */
const hex = (text) => toHex(fromHex(text))

/**
 * @param {string} status
 * @param {() => void} run
 */
const throwsStatus = (status, run) =>
  assert.throws(run, (error) => error instanceof FormatError && error.status === status)

test('numbers: LEB128 and zigzag', () => {
  assert.equal(toHex(new ByteWriter().uleb(300).finish()), 'ac02')
  for (const n of [0n, -1n, 1n, -64n, 2n ** 63n - 1n, -(2n ** 63n)]) {
    assert.equal(new ByteReader(new ByteWriter().zigzag(n).finish()).zigzag(64), n)
  }
  assert.equal(new ByteReader(fromHex('8400')).uleb(32), 4n)
  throwsStatus('CORRUPT', () => new ByteReader(fromHex('808080808000')).uleb(32))
  throwsStatus('CORRUPT', () => new ByteReader(fromHex('8080808010')).uleb(32))
  throwsStatus('TRUNCATED', () => new ByteReader(fromHex('8080')).uleb(32))
})

test('bit-packed values: the examples of Encodings.md', () => {
  const numbers = [0, 1, 2, 3, 4, 5, 6, 7]
  assert.equal(toHex(packBits(numbers, 3)), hex('88 C6 FA'))
  assert.equal(toHex(packBitsBigEndian(numbers, 3)), hex('05 39 77'))
  assert.deepEqual(unpackBits(fromHex('88 C6 FA'), 3, 8), numbers.map(BigInt))
  assert.deepEqual(unpackBitsBigEndian(fromHex('05 39 77'), 3, 8), numbers)
})

test('hybrid: examples, and every layout gives the values back', () => {
  assert.equal(toHex(encodeHybrid([1, 1, 1, 1, 1], 1, [{ rle: 5 }])), hex('0A 01'))
  assert.equal(toHex(encodeLevelsV1([1, 1, 1, 1, 1], 1, [{ rle: 5 }])), hex('02 00 00 00 0A 01'))
  assert.equal(toHex(encodeHybrid([0, 1, 2, 3, 4, 5, 6, 7], 3)), hex('03 88 C6 FA'))
  assert.equal(toHex(encodeHybrid(new Array(300).fill(0), 0)), hex('D8 04'))
  const random = new Random(1)
  for (let width = 0; width <= 32; width += 3) {
    const values = Array.from({ length: 200 }, () => (random.below(3) ? 0 : Number(random.bits(width))))
    for (const runs of [usualRuns(values), randomRuns(values, random), [{ packed: 200 }]]) {
      const bytes = encodeHybrid(values, width, runs)
      assert.deepEqual(decodeHybrid(bytes, width, 200), { values, used: bytes.length })
    }
  }
  assert.deepEqual(usualRuns([1, 1, 2, ...new Array(20).fill(3)]), [{ packed: 8 }, { rle: 15 }])
  assert.equal(widthOf(0), 0)
  assert.equal(widthOf(65536), 17)
  throwsStatus('CORRUPT', () => decodeHybrid(fromHex('00 00'), 1, 1))
  throwsStatus('TRUNCATED', () => decodeHybrid(fromHex('0A 01'), 1, 6))
})

test('delta: worked examples', () => {
  /** @type {[32 | 64, (number | bigint)[], string][]} */
  const examples = [
    [32, [7, 5, 3, 1, 2, 3, 4, 5], '80 01 04 08 0E 03 02 00 00 00 C0 3F 00 00 00 00 00 00'],
    [32, [], '80 01 04 00 00'],
    [32, [42], '80 01 04 01 54'],
    [32, [2147483647, -2147483648], '80 01 04 02 FE FF FF FF 0F 02 00 00 00 00'],
    [64, [-1, -2], '80 01 04 02 01 01 00 00 00 00'],
    [64, [-(2n ** 63n), 2n ** 63n - 1n], '80 01 04 02 FF FF FF FF FF FF FF FF FF 01 01 00 00 00 00'],
    [
      32,
      Array.from({ length: 300 }, (_, i) => i),
      '80 01 04 AC 02 00 02 00 00 00 00 02 00 00 00 00 02 00 00 00 00',
    ],
  ]
  for (const [bits, values, bytes] of examples) {
    assert.equal(toHex(encodeDelta(values, bits)), hex(bytes))
    assert.deepEqual(decodeDelta(fromHex(bytes), bits), {
      values: values.map(BigInt),
      used: fromHex(bytes).length,
    })
  }
  const wide = encodeDelta([863490391, -816295192, 1613070492, -1166045478, 1856530847], 32)
  assert.equal(toHex(wide.subarray(0, 18)), hex('80 01 04 05 AE C5 BE B7 06 97 C9 96 F3 0D 20 00 00 00'))
  assert.equal(wide.length, 146)
  const garbage = encodeDelta(
    Array.from({ length: 65 }, (_, i) => (i === 40 ? 1000 : 3 * i)),
    32,
    { unneededWidth: 0xa5 }
  )
  assert.equal(toHex(garbage.subarray(0, 11)), hex('80 01 04 41 00 D9 0D 0A 0B A5 A5'))
  assert.equal(garbage.length, 95)
  assert.equal(decodeDelta(concatBytes(garbage, [1, 2, 3]), 32).used, 95)
})

test('delta: every geometry gives the values back', () => {
  const random = new Random(2)
  for (const [blockSize, miniblocks] of [
    [128, 4],
    [128, 1],
    [256, 4],
    [1024, 1],
    [1280, 40],
  ]) {
    for (const n of [1, 2, 33, 129, 1026]) {
      const values = Array.from(
        { length: n },
        () => BigInt.asIntN(64, random.u64()) >> BigInt(random.below(64))
      )
      const bytes = encodeDelta(values, 64, { blockSize, miniblocks, paddingOnes: true })
      assert.deepEqual(decodeDelta(bytes, 64), { values, used: bytes.length })
    }
  }
})

test('thrift: every kind of value comes back', () => {
  const bytes = thrift.encodeStruct([
    [1, thrift.bool(true)],
    [2, thrift.bool(false)],
    [3, thrift.i8(-5)],
    [20, thrift.i16(-300)],
    [60, thrift.i32(-(2 ** 31))],
    [61, thrift.i64(2n ** 63n - 1n)],
    [62, thrift.double(-0.5)],
    [63, thrift.binary('text')],
    [64, thrift.list(thrift.T.TRUE, [thrift.bool(true), thrift.bool(false)])],
    [
      65,
      thrift.list(
        thrift.T.I32,
        Array.from({ length: 20 }, (_, i) => thrift.i32(i))
      ),
    ],
    [66, thrift.map([['key', 'value']])],
    [67, thrift.struct([[1, thrift.i32(7)]])],
  ])
  const fields = thrift.readStruct(new ByteReader(bytes))
  assert.deepEqual(
    [1, 2, 3, 20, 60, 61, 62].map((id) => fields.get(id)),
    [true, false, -5, -300, -(2 ** 31), 2n ** 63n - 1n, -0.5]
  )
  assert.deepEqual(fields.get(64), [true, false])
  assert.deepEqual(
    fields.get(65),
    Array.from({ length: 20 }, (_, i) => i)
  )
  assert.equal(new TextDecoder().decode(fields.get(63)), 'text')
  assert.equal(fields.get(67).get(1), 7)
  throwsStatus('TRUNCATED', () => thrift.readStruct(new ByteReader(bytes.subarray(0, -1))))
})

test('page headers come back, wrong ones are refused', () => {
  const header = {
    type: 3,
    uncompressedSize: 90,
    compressedSize: 80,
    crc: -1,
    dataV2: {
      numValues: 9,
      numNulls: 1,
      numRows: 9,
      encoding: 8,
      definitionSize: 4,
      repetitionSize: 0,
      isCompressed: false,
    },
  }
  assert.deepEqual(readPageHeader(new ByteReader(encodePageHeader(header))), header)
  throwsStatus('CORRUPT', () =>
    readPageHeader(new ByteReader(encodePageHeader({ ...header, dataV2: undefined })))
  )
  throwsStatus('CORRUPT', () =>
    readPageHeader(new ByteReader(encodePageHeader({ ...header, compressedSize: -1 })))
  )
})

test('codecs: what is written is read, by zlib too', () => {
  const random = new Random(3)
  const input = concatBytes(
    random.bytes(300),
    new Uint8Array(500).fill(7),
    random.bytes(3),
    new Uint8Array(70000),
    random.bytes(10)
  )
  assert.deepEqual(decodeSnappy(encodeSnappy(input), input.length), input)
  assert.deepEqual(decodeZstd(encodeZstd(input), input.length), input)
  for (const stored of [true, false]) {
    assert.deepEqual(Uint8Array.from(gunzipSync(encodeGzip(input, { stored }))), input)
  }
  assert.equal(crc32(new TextEncoder().encode('123456789')), 0xcbf43926 | 0)
  /* the trailer of a gzip member starts with the checksum */
  assert.equal(crc32(input), gzipSync(input).readInt32LE(gzipSync(input).length - 8))
})

test('pages: entries come back through both versions and every encoding', () => {
  const column = { type: /** @type {const} */ ('INT64'), maxDefinitionLevel: 1, codec: 'SNAPPY' }
  const entries = [1n, null, -5n, 7n, null, null, 1n]
  const indices = [0, null, 1, 2, null, null, 0]
  for (const version of /** @type {const} */ ([1, 2])) {
    const bytes = encodePages(column, [
      { dictionary: [1n, -5n, 7n] },
      { version, encoding: 'RLE_DICTIONARY', indices },
      { version, values: entries },
      { version, encoding: 'DELTA_BINARY_PACKED', values: entries },
    ])
    assert.deepEqual(decodePages(column, bytes).entries, [...entries, ...entries, ...entries])
    throwsStatus('TRUNCATED', () => decodePages(column, bytes.subarray(0, -1)))
  }
})

test('streams: the example, and every width gives the values back', () => {
  const floats = encodePlain('FLOAT', [1, 2])
  assert.equal(toHex(splitStreams(floats, 4)), hex('00 00 | 00 00 | 80 00 | 3F 40'))
  const random = new Random(2)
  for (let width = 1; width < 20; width++) {
    const plain = random.bytes(7 * width)
    assert.deepEqual(joinStreams(splitStreams(plain, width), width, 7), plain)
  }
  throwsStatus('TRUNCATED', () => joinStreams(floats, 4, 3))
  throwsStatus('CORRUPT', () => joinStreams(floats, 4, 1))
  throwsStatus('CORRUPT', () => joinStreams(floats.subarray(1), 4, 2))
})

test('ALP: the worked example, and all values back bit for bit', () => {
  const view = new DataView(encodePlain('DOUBLE', [1500, Number.NaN, 2500, 333.5]).buffer)
  const patterns = [0, 8, 16, 24].map((at) => view.getBigUint64(at, true))
  assert.equal(
    toHex(encodeAlp(patterns, 64, { scale: () => [4, 3] })),
    hex(`00 00 0A 04 00 00 00 | 04 00 00 00 | 04 03 01 00 | 07 0D 00 00 00 00 00 00 | 0F
      91 AD C8 56 28 15 00 00 | 01 00 | 00 00 00 00 00 00 F8 7F`)
  )
  const random = new Random(3)
  for (const bits of /** @type {const} */ ([32, 64])) {
    const all = Array.from({ length: 90 }, () => random.bits(bits))
    for (const logVectorSize of [3, 5, 15])
      assert.deepEqual(decodeAlp(encodeAlp(all, bits, { logVectorSize }), bits), all)
  }
})

test('ALP: two multiplications, each rounded, are not one', () => {
  const residuals = Array.from({ length: 5000 }, (_, i) => BigInt(i))
  const vector = { exponent: 4, factor: 3, frame: 0n, width: 13, residuals, exceptions: [] }
  const values = decodeAlp(encodeAlpVectors([vector], 32, 15), 32)
  const view = new DataView(new ArrayBuffer(4))
  const differs = values.filter((pattern, i) => {
    view.setUint32(0, Number(pattern))
    return view.getFloat32(0) !== Math.fround(i / 10)
  })
  assert.ok(differs.length > 500, `${differs.length}`)
})

test('ALP: powers of ten in binary32 are the nearest ones', () => {
  for (let k = 0; k <= 10; k++) {
    const x = Math.fround(Number(`1e-${k}`))
    // x = m * 2^-e exactly; half a step up and down must lie on either side of 10^-k
    let e = 0
    let m = x
    while (m < 2 ** 23) {
      m *= 2
      e++
    }
    const unit = 10n ** BigInt(k)
    const [low, high] = [2n * BigInt(m) - 1n, 2n * BigInt(m) + 1n].map((half) => half * unit)
    assert.ok(low < 1n << BigInt(e + 1) && high > 1n << BigInt(e + 1), `1e-${k}`)
  }
})

test('columns: the layout of Arrow', () => {
  assert.deepEqual(arrowColumn('BYTE_ARRAY', 0, ['ab', null, '', 'c']), {
    length: 4,
    nullCount: 1,
    values: new Uint8Array(0),
    validity: Uint8Array.of(0b1101),
    offsets: encodePlain('INT32', [0, 2, 2, 2, 3]),
    data: new TextEncoder().encode('abc'),
  })
  assert.deepEqual(arrowColumn('INT32', 0, [1, null]).values, encodePlain('INT32', [1, 0]))
  assert.deepEqual(arrowColumn('BOOLEAN', 0, [true, false, true]).values, Uint8Array.of(0b101))
})

test('files: offsets and sizes of the footer lead to the pages', () => {
  const columns = [
    { name: 'a', type: /** @type {const} */ ('INT32') },
    { name: 'b', type: /** @type {const} */ ('BYTE_ARRAY'), repetition: /** @type {const} */ ('REQUIRED') },
  ]
  const group = [
    [{ dictionary: [5, 6] }, { encoding: 'RLE_DICTIONARY', indices: [0, null, 1] }],
    [{ values: ['x', 'y', ''] }],
  ]
  const file = writeFile({ columns, rowGroups: [group, group], createdBy: 'reference' })
  const size = new DataView(file.buffer).getUint32(file.length - 8, true)
  const footer = thrift.readStruct(new ByteReader(file.subarray(file.length - 8 - size)))
  assert.equal(footer.get(3), 6n)
  for (const rowGroup of footer.get(4)) {
    const entries = rowGroup.get(1).map((/** @type {Map<number, any>} */ chunk, /** @type {number} */ i) => {
      const meta = chunk.get(3)
      const offset = Number(meta.get(11) ?? meta.get(9))
      return decodePages(columnOf(columns[i]), file.subarray(offset, offset + Number(meta.get(7)))).entries
    })
    assert.deepEqual(entries[0], [5n, null, 6n])
    assert.deepEqual(
      entries[1].map((/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes)),
      ['x', 'y', '']
    )
  }
})

/* Documents r1 and r2 of the Dremel paper (section 4, figures 2 and 3), a leaf at a time. */
const DREMEL = /** @type {Record<string, [string, import('../reference/nesting.js').Field[], string]>} */ ({
  'Links.Backward': ['or', [{ some: [] }, { some: [10n, 30n] }], '0:1 0:2 1:2'],
  'Links.Forward': ['or', [{ some: [20n, 40n, 60n] }, { some: [80n] }], '0:2 1:2 1:2 0:2'],
  'Name.Url': ['ro', [[{ some: 'A' }, { some: 'B' }, null], [{ some: 'C' }]], '0:2 1:2 1:1 0:2'],
  'Name.Language.Code': ['rr', [[['en-us', 'en'], [], ['en-gb']], [[]]], '0:2 2:2 1:1 1:2 0:1'],
  'Name.Language.Country': [
    'rro',
    [[[{ some: 'us' }, null], [], [{ some: 'gb' }]], [[]]],
    '0:3 2:2 1:1 1:3 0:1',
  ],
})

/** @type {(letters: string) => import('../reference/nesting.js').Shape} */
const shapeOf = (letters) => [...letters].map((letter) => (letter === 'o' ? 'optional' : 'repeated'))

test('nesting: the levels of the Dremel paper, and the records again', () => {
  for (const [name, [letters, records, text]] of Object.entries(DREMEL)) {
    const shape = shapeOf(letters)
    const leveled = shred(shape, records)
    const entries = leveled.definitionLevels.map((level, i) => `${leveled.repetitionLevels[i]}:${level}`)
    assert.equal(entries.join(' '), text, name)
    assert.deepEqual(assemble(shape, leveled), records, name)
  }
  const random = new Random(9)
  for (const letters of ['r', 'ooo', 'oroor', 'rororo', 'orrro']) {
    const records = randomRecords(shapeOf(letters), 200, random, () => random.u64())
    assert.deepEqual(assemble(shapeOf(letters), shred(shapeOf(letters), records)), records)
  }
  assert.equal(repeatedLevels(shapeOf('oror')), 0b1010n)
})

test('nesting: the Arrow layout, and levels that no record has', () => {
  const shape = shapeOf('ooro')
  const records = [null, { some: null }, { some: { some: [] } }, { some: { some: [{ some: 1n }, null] } }]
  const { parents, entries } = arrowParents(shape, records)
  assert.deepEqual(entries, [1n, null])
  assert.deepEqual(
    parents.map(({ level, isList, length, nullCount, validity, offsets }) => [
      level,
      isList,
      length,
      nullCount,
      toHex(isList ? offsets : validity),
    ]),
    [
      [1, false, 4, 1, '0e'],
      [2, false, 4, 2, '0c'],
      [3, true, 4, 0, '0000000000000000000000000000000002000000'],
    ]
  )
  for (const [repetition, definition] of [
    [[1], [2]],
    [
      [0, 1],
      [0, 2],
    ],
    [
      [0, 1],
      [2, 1],
    ],
  ]) {
    throwsStatus('CORRUPT', () =>
      assemble(shapeOf('or'), { repetitionLevels: repetition, definitionLevels: definition, stored: [1n, 2n] })
    )
  }
})
