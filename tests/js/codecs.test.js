/**
 * Codecs and page checksums through the package: pages of several gzip members, Brotli, LZ4 as writers other than Hadoop
 * have it, and what is said of a codec that is not there.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { decompressBrotli } from '../../wasm/brotli.js'
import { decodePage, open } from '../../wasm/node.js'
import { crc32 } from '../reference/crc32.js'
import { encodeLz4Frames } from '../reference/lz4.js'

const { PARQUET_TEST_DATA: data } = process.env
const ROWS = Array.from({ length: 5000 }, (_, i) => `row ${i % 97} of the page`)

/**
 * @param {string} codec
 * @param {(input: Uint8Array) => Uint8Array} compress
 * @returns {Uint8Array}
 */
function fileOf(codec, compress) {
  const columnData = /** @type {any} */ ([{ name: 'x', data: ROWS, type: 'STRING', encoding: 'PLAIN' }])
  const options = { columnData, codec: /** @type {any} */ (codec), compressors: { [codec]: compress } }
  return new Uint8Array(parquetWriteBuffer(options))
}

/** @param {string} code @param {RegExp} [message] @returns {(error: any) => boolean} */
const failsWith = (code, message) => (error) => {
  assert.equal(error.code, code)
  if (message) assert.match(error.message, message)
  return true
}

/** @param {Uint8Array} file @returns {Promise<(string | null)[]>} */
async function readAll(file) {
  const table = await (await open(file)).read()
  return [.../** @type {any} */ (table.column('x'))]
}

describe('codecs', () => {
  test('a gzip page of several members', async () => {
    const members = fileOf('GZIP', (input) => {
      const parts = [input.subarray(0, 100), input.subarray(100, 100), input.subarray(100)]
      return Buffer.concat(parts.map((part) => gzipSync(part)))
    })
    assert.deepEqual(await readAll(members), ROWS)
    const short = fileOf('GZIP', (input) => gzipSync(input.subarray(1)))
    await assert.rejects(readAll(short), failsWith('CORRUPT'))
    const long = fileOf('GZIP', (input) => Buffer.concat([gzipSync(input), gzipSync(Buffer.alloc(1))]))
    await assert.rejects(readAll(long), failsWith('CORRUPT'))
  })

  test('LZ4 in frames of several chunks, LZ4_RAW never in frames', async () => {
    const frames = (/** @type {Uint8Array} */ input) =>
      encodeLz4Frames([[input.subarray(0, 1000), input.subarray(1000)]])
    assert.deepEqual(await readAll(fileOf('LZ4', frames)), ROWS)
    await assert.rejects(readAll(fileOf('LZ4_RAW', frames)), failsWith('CORRUPT'))
  })

  test('a page header that announces more than any stream of its size holds is refused', async () => {
    const tiny = (/** @type {Uint8Array} */ _) => new Uint8Array(10)
    for (const codec of ['LZ4', 'LZ4_RAW']) {
      await assert.rejects(readAll(fileOf(codec, tiny)), failsWith('CORRUPT', /more than its bytes can hold/))
    }
  })

  test('Brotli: by zlib, and by the file for browsers', async () => {
    const file = fileOf('BROTLI', (input) => brotliCompressSync(input))
    assert.deepEqual(await readAll(file), ROWS)
    const opened = await open(file, { codecs: { BROTLI: decompressBrotli } })
    assert.deepEqual([.../** @type {any} */ ((await opened.read()).column('x'))], ROWS)
    const broken = [
      (/** @type {Buffer} */ stream) => stream.subarray(0, -1),
      (/** @type {Buffer} */ stream) => Buffer.concat([stream, Buffer.of(0)]),
    ]
    for (const damage of broken) {
      const bad = fileOf('BROTLI', (input) => damage(brotliCompressSync(input)))
      await assert.rejects(readAll(bad), failsWith('CORRUPT'))
      const codecs = { BROTLI: decompressBrotli }
      await assert.rejects((await open(bad, { codecs })).read(), failsWith('CORRUPT'))
    }
    const stream = brotliCompressSync(Buffer.from('12345'))
    assert.throws(() => decompressBrotli(stream, 4))
    assert.equal(decompressBrotli(stream, 6).length, 5)
  })

  test('LZO is named', async () => {
    const file = await open(fileOf('LZO', (input) => input.subarray(1)))
    const message = /^codec LZO is not in this build.*loadCodec\('LZO'\)/
    await assert.rejects(file.read({ columns: ['x'] }), failsWith('UNSUPPORTED', message))
    assert.match((await file.read()).unsupported[0].error.message, message)
  })
})

describe('page checksums', () => {
  const page = pageOf(crc32)
  const wrong = pageOf((body) => crc32(body) ^ 1)

  test('decodePage', () => {
    const options = /** @type {const} */ ({ type: 'INT32' })
    assert.deepEqual([...decodePage(page, { ...options, checksums: true }).column], [1, 2, 3])
    assert.deepEqual([...decodePage(wrong, options).column], [1, 2, 3])
    assert.throws(
      () => decodePage(wrong, { ...options, checksums: true }),
      failsWith('CHECKSUM', /page 0, byte 0/)
    )
    assert.throws(
      () => decodePage(page, { ...options, checksums: /** @type {any} */ ('yes') }),
      failsWith('BAD_ARGUMENT', /^options\.checksums must be true or false/)
    )
  })

  test('open refuses what is neither true nor false', async () => {
    await assert.rejects(open(page, { checksums: /** @type {any} */ (1) }), failsWith('BAD_ARGUMENT'))
  })

  const skip = data === undefined && 'PARQUET_TEST_DATA is not set'
  /* The first page with a wrong checksum, by column */
  const files = {
    'datapage_v1-uncompressed-checksum.parquet': {},
    'datapage_v1-snappy-compressed-checksum.parquet': {},
    'datapage_v1-corrupt-checksum.parquet': { a: 0, b: 1 },
    'plain-dict-uncompressed-checksum.parquet': {},
    'rle-dict-snappy-checksum.parquet': {},
    'rle-dict-uncompressed-corrupt-checksum.parquet': { long_field: 0, binary_field: 0 },
  }
  for (const [name, wrongPages] of Object.entries(files)) {
    test(name, { skip }, async () => {
      const bytes = readFileSync(join(String(data), name))
      const plain = await open(bytes)
      const checked = await open(bytes, { checksums: true })
      const expected = await plain.read()
      for (const { name: column } of plain.columns) {
        const page = /** @type {Record<string, number>} */ (wrongPages)[column]
        if (page === undefined) {
          const table = await checked.read({ columns: [column] })
          assert.deepEqual(
            [.../** @type {any} */ (table.column(column))],
            [.../** @type {any} */ (expected.column(column))]
          )
          for await (const each of checked.pages(column)) await each.decode()
          continue
        }
        const isAtPage = (/** @type {any} */ error) =>
          failsWith('CHECKSUM')(error) && error.page === page && error.column === column && error.offset > 0
        await assert.rejects(checked.read({ columns: [column] }), isAtPage)
        for await (const each of checked.pages(column)) {
          if (each.page < page) await each.decode()
          else if (each.page === page) await assert.rejects(each.decode(), isAtPage)
        }
      }
    })
  }
})

/** @param {(body: Uint8Array) => number} checksum @returns {Uint8Array} a V1 page of the int32 values 1, 2, 3 */
function pageOf(checksum) {
  const body = new Uint8Array(Int32Array.of(1, 2, 3).buffer)
  const zigzag = (/** @type {number} */ x) => {
    const bytes = []
    let left = ((x << 1) ^ (x >> 31)) >>> 0
    for (; left >= 128; left >>>= 7) bytes.push((left & 127) | 128)
    return [...bytes, left]
  }
  const field = (/** @type {number} */ x) => [0x15, ...zigzag(x)]
  const header = [...field(0), ...field(12), ...field(12), ...field(checksum(body)), 0x1c]
  return Uint8Array.from([...header, ...field(3), ...field(0), ...field(3), ...field(3), 0, 0, ...body])
}
