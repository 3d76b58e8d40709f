/**
 * The files of apache/parquet-testing: PARQUET_TEST_DATA and PARQUET_BAD_DATA say where its `data` and `bad_data` are. Every
 * column that can be read is compared, value for value, with what hyparquet reads; what cannot be read must say what of it
 * is not supported.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { open, PagelaneError } from '../../wasm/node.js'

const { PARQUET_TEST_DATA: data, PARQUET_BAD_DATA: badData } = process.env

/** Files whose footer, or a part that is needed, is encrypted. */
const ENCRYPTED = /\.encrypted$/
/** Its footer can be read, and so can the columns that are not encrypted. */
const PLAINTEXT_FOOTER = 'encrypt_columns_plaintext_footer.parquet.encrypted'

/**
 * Files of `data` that cannot be read: the code that reading them ends with.
 * @type {Record<string, string>}
 */
const REFUSED = {
  // not broken, but of 2 GiB and more of strings
  'large_string_map.brotli.parquet': 'LIMIT',
}

/** hyparquet refuses it: the chunk's size leaves out the header of its dictionary page. Its values are checked by hand. */
const READ_ALONE = 'nation.dict-malformed.parquet'

/**
 * Where hyparquet is not followed: the file and column, and why.
 * @type {Record<string, string>}
 */
const DIFFERS = {
  // Spark wrote a day that wrapped: year -294532, out of Date's range. hyparquet's integers of 64 bits wrap once more.
  'int96_from_spark.parquet/a': 'a day outside the range of Date',
  // keys alone: hyparquet gives no entries
  'map_no_value.parquet/my_map_no_v': 'keys without values are entries with null',
}

/**
 * @param {any} ours
 * @param {any} theirs
 * @param {{ kind: string, children?: any[] }} column
 * @returns {boolean}
 */
function isSame(ours, theirs, column) {
  const { kind, children = [] } = column
  if (ours === null || theirs === null || theirs === undefined) return ours === (theirs ?? null)
  if (kind === 'list') {
    return ours.length === theirs.length && ours.every((each, i) => isSame(each, theirs[i], children[0]))
  }
  if (kind === 'struct') {
    return children.every((child) => isSame(ours[child.name], theirs[child.name], child))
  }
  if (kind === 'map') {
    const [, items] = children[0].children
    const names = Object.keys(theirs)
    if (names.length !== new Set([...ours.keys()].map(String)).size) return false
    return [...ours].every(([key, value]) =>
      items ? isSame(value, theirs[key], items) : value === null && String(key) in theirs
    )
  }
  if (ours instanceof Date) return theirs instanceof Date && ours.getTime() === theirs.getTime()
  if (ours instanceof Uint8Array) {
    return theirs instanceof Uint8Array
      ? Buffer.compare(ours, theirs) === 0
      : Buffer.from(ours).equals(Buffer.from(theirs))
  }
  // a float there, all digits here
  if (kind === 'decimal') return Math.abs(Number(ours) - theirs) <= 1e-12 * Math.abs(theirs)
  if (kind === 'json') return JSON.stringify(JSON.parse(ours)) === JSON.stringify(theirs)
  return Object.is(ours, theirs)
}

/**
 * @param {string} folder
 * @param {string} name
 */
async function compare(folder, name) {
  const bytes = readFileSync(join(folder, name))
  const file = await open(bytes)
  const table = await file.read()
  assert.deepEqual(table.unsupported, [], 'every column is read')
  const rows = await parquetReadObjects({
    file: Uint8Array.from(bytes).buffer,
    columns: table.columns.map((column) => column.name),
    compressors,
    utf8: false,
  })
  assert.equal(table.numRows, rows.length)
  for (const column of table.columns) {
    const differences = rows.flatMap((row, i) => (isSame(column.get(i), row[column.name], column) ? [] : [i]))
    if (differences.length === 0) continue
    const [i] = differences
    const found = `row ${i} of ${column.name} (${column.kind}): ${column.get(i)}, hyparquet has ${rows[i][column.name]}`
    assert.ok(`${name}/${column.name}` in DIFFERS, found)
  }
  return `${table.columns.length} of ${file.columns.length} columns`
}

describe('parquet-testing data', { skip: data === undefined && 'PARQUET_TEST_DATA is not set' }, () => {
  const folder = data ?? ''
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /\.parquet/.test(name)) : []
  if (data !== undefined)
    test('is there', () => assert.ok(names.length > 60, `${names.length} files in ${folder}`))
  for (const name of names.filter((each) => /\.parquet$/.test(each))) {
    test(name, async (t) => {
      if (name in REFUSED) {
        await assert.rejects(
          open(readFileSync(join(folder, name))).then((file) => file.read()),
          {
            name: 'PagelaneError',
            code: REFUSED[name],
          }
        )
      } else if (name !== READ_ALONE) {
        t.diagnostic(await compare(folder, name))
      }
    })
  }
  for (const name of names.filter((each) => ENCRYPTED.test(each))) {
    test(name, async () => {
      const opening = open(readFileSync(join(folder, name)))
      if (name !== PLAINTEXT_FOOTER) {
        await assert.rejects(opening, { name: 'PagelaneError', code: 'KEY', message: /encrypted/ })
        return
      }
      const file = await opening
      const { columns, unsupported } = await file.read()
      assert.deepEqual(
        columns.map((column) => column.name),
        ['boolean_field', 'int32_field', 'int64_field', 'int96_field', 'ba_field', 'flba_field']
      )
      for (const column of ['double_field', 'float_field']) {
        const { error } = unsupported.find((each) => each.name === column) ?? {}
        assert.equal(error?.code, 'UNSUPPORTED')
        assert.match(error.message, /encrypted/)
        await assert.rejects(file.read({ columns: [column] }), { code: 'UNSUPPORTED', message: /encrypted/ })
      }
    })
  }

  test('values worked out by hand', async () => {
    const read = async (/** @type {string} */ name) => (await open(readFileSync(join(folder, name)))).read()
    assert.deepEqual([...(await read('int32_decimal.parquet')).column('value')].slice(0, 3), [
      '1.00',
      '2.00',
      '3.00',
    ])
    assert.deepEqual([...(await read('byte_array_decimal.parquet')).column('value')].slice(21), [
      '22.00',
      '23.00',
      '24.00',
    ])
    const spark = await read('int96_from_spark.parquet')
    assert.equal(spark.column('a').get(5), -9357363680509551616000n)
    assert.equal(spark.column('a').get(2).toISOString(), '9999-12-31T03:00:00.000Z')
    const plain = await read('alltypes_plain.parquet')
    assert.deepEqual([...plain.column('id')], [4, 5, 6, 7, 2, 3, 0, 1])
    assert.deepEqual([...plain.column('bigint_col')].slice(0, 2), [0n, 10n])
    const { value: page } = await (await open(join(folder, 'binary.parquet'))).pages('foo').next()
    const { header } = /** @type {any} */ (page)
    assert.deepEqual(
      { ...header.dataPageHeader.statistics },
      { nullCount: 0, maxValue: Uint8Array.of(11), minValue: Uint8Array.of(0) }
    )
    const nation = await read(READ_ALONE)
    const text = new TextDecoder()
    assert.equal(nation.numRows, 25)
    assert.deepEqual(
      [...nation.column('name')].slice(0, 3).map((bytes) => text.decode(bytes)),
      ['ALGERIA', 'ARGENTINA', 'BRAZIL']
    )
    assert.match(text.decode(nation.column('comment_col').get(24)), /^y final packages\. slow foxes cajole/)
    const gzip = await read('concatenated_gzip_members.parquet')
    assert.deepEqual(
      [...gzip.column('long_col')],
      Array.from({ length: 513 }, (_, i) => BigInt(i + 1))
    )
  })
})

/**
 * What becomes of each file of `bad_data`.
 * @type {Record<string, string>}
 */
const BAD = {
  'ARROW-GH-41317.parquet': 'CORRUPT',
  'ARROW-GH-41321.parquet': 'CORRUPT',
  // what is wrong with it, other readers choke on; its values are there
  'ARROW-GH-43605.parquet': 'readable',
  'ARROW-GH-45185.parquet': 'CORRUPT',
  'ARROW-GH-47662.parquet': 'TRUNCATED',
  'ARROW-RS-GH-6229-DICTHEADER.parquet': 'CORRUPT',
  'ARROW-RS-GH-6229-LEVELS.parquet': 'CORRUPT',
  'PARQUET-1481.parquet': 'CORRUPT',
}

describe('parquet-testing bad_data', { skip: badData === undefined && 'PARQUET_BAD_DATA is not set' }, () => {
  const folder = badData ?? ''
  for (const name of existsSync(folder) ? readdirSync(folder).filter((each) => /\.parquet$/.test(each)) : []) {
    test(name, async () => {
      let outcome
      try {
        const table = await (await open(readFileSync(join(folder, name)))).read()
        outcome = table.columns.length > 0 ? 'readable' : 'unsupported'
        for (const column of table.columns) for (const value of column) assert.notEqual(value, undefined)
      } catch (error) {
        assert.ok(error instanceof PagelaneError, String(error))
        outcome = error.code
      }
      assert.equal(outcome, BAD[name])
    })
  }
  if (badData !== undefined)
    test('is there', () => assert.ok(readdirSync(folder).length >= Object.keys(BAD).length))
})
