/** The `pagelane` command as a person or a script calls it. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { EXPECTED, fileOf, NUM_ROWS, writtenFile } from './written.js'

const cli = fileURLToPath(new URL('../../wasm/cli.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'pagelane-'))
after(() => rmSync(folder, { recursive: true }))

/**
 * @param {string} name
 * @param {Uint8Array} bytes
 * @returns {string} path
 */
function fileNamed(name, bytes) {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

const path = fileNamed('file.parquet', writtenFile())

/**
 * @param {string[]} args
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
function pagelane(...args) {
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })
}

test('cat writes CSV', async () => {
  const { code, stdout, stderr } = await pagelane(
    'cat',
    path,
    '--columns',
    'int,word,maybeInt,when',
    '--rows',
    '0:4'
  )
  assert.equal(stderr, '')
  assert.equal(code, 0)
  const rows = Array.from({ length: 4 }, (_, i) => {
    const when = EXPECTED.when[i].toISOString()
    return [
      EXPECTED.int[i],
      EXPECTED.word[i] === '' ? '""' : EXPECTED.word[i],
      EXPECTED.maybeInt[i] ?? '',
      when,
    ].join()
  })
  assert.equal(stdout, `int,word,maybeInt,when\n${rows.join('\n')}\n`)
})

test('cat writes every row, as JSON too', async () => {
  const { code, stdout } = await pagelane('cat', path, '--format', 'jsonl')
  assert.equal(code, 0)
  const lines = stdout.trimEnd().split('\n')
  assert.equal(lines.length, NUM_ROWS)
  for (const i of [0, 999, 1000, NUM_ROWS - 1]) {
    const row = JSON.parse(lines[i])
    assert.equal(row.text, EXPECTED.text[i])
    assert.equal(row.double, EXPECTED.double[i])
    assert.equal(row.flag, EXPECTED.flag[i])
    assert.equal(row.maybeText, EXPECTED.maybeText[i])
    assert.ok(lines[i].includes(`"long":${EXPECTED.long[i]},`), 'all digits of an integer')
    assert.equal(row.nothing, null)
  }
  assert.equal((await pagelane('cat', path, '--rows', '2340:')).stdout.split('\n').length, 7)
  assert.equal((await pagelane('cat', path, '--rows', ':2')).stdout.split('\n').length, 4)
})

test('CSV quotes what has to be, JSON what has no number', async () => {
  const nasty = fileNamed(
    'nasty.parquet',
    fileOf({
      'a,"b"': ['x,y', 'say "hi"', 'two\nlines', '', null, ' plain'],
      n: [NaN, Infinity, -Infinity, -0, 0.1, 1e300],
    })
  )
  const csv = await pagelane('cat', nasty)
  assert.equal(
    csv.stdout,
    '"a,""b""",n\n"x,y",NaN\n"say ""hi""",Infinity\n"two\nlines",-Infinity\n"",0\n,0.1\n plain,1e+300\n'
  )
  const json = await pagelane('cat', nasty, '--format', 'jsonl')
  const rows = json.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    rows.map((row) => row.n),
    ['NaN', 'Infinity', '-Infinity', -0, 0.1, 1e300]
  )
  assert.deepEqual(
    rows.map((row) => row['a,"b"']),
    ['x,y', 'say "hi"', 'two\nlines', '', null, ' plain']
  )
})

test('a reader that has seen enough is no failure', async () => {
  const rows = Array.from({ length: 200000 }, (_, i) => `row number ${i}`)
  const long = fileNamed('long.parquet', fileOf({ x: rows }))
  const child = spawn(process.execPath, [cli, 'cat', long])
  let stderr = ''
  child.stderr.on('data', (data) => {
    stderr += data
  })
  child.stdout.once('data', () => child.stdout.destroy())
  const code = await new Promise((resolve) => child.on('close', resolve))
  assert.equal(stderr, '')
  assert.equal(code, 0)
})

test('inspect shows the schema, row groups and pages', async () => {
  const { code, stdout } = await pagelane('inspect', path)
  assert.equal(code, 0)
  assert.match(stdout, /2,345 rows, 13 columns, 3 row groups/)
  assert.match(stdout, /^when: timestamp\(ms, UTC\) required \(INT64\)$/m)
  assert.match(stdout, /^row group 2: 345 rows/m)
  assert.match(stdout, /^delta +DELTA_BINARY_PACKED +SNAPPY .* 1000000000\d+ +100000\d+/m)
  assert.doesNotMatch(stdout, /pages of/)
  const pages = await pagelane('inspect', path, '--pages')
  assert.match(pages.stdout, /^pages of word\n.*\n.*\n +0 +0 +\d+ +DICTIONARY_PAGE +PLAIN +5 /m)
})

test('inspect --json is JSON', async () => {
  const { code, stdout } = await pagelane('inspect', path, '--json', '--pages')
  assert.equal(code, 0)
  const facts = JSON.parse(stdout)
  assert.equal(facts.numRows, NUM_ROWS)
  assert.equal(facts.schema.length, 14)
  assert.equal(facts.rowGroups.length, 3)
  assert.deepEqual(facts.columns[1].type, { kind: 'int64', physicalType: 'INT64', bitWidth: 64, signed: true })
  const { min, max, nullCount } = facts.rowGroups[0].columns.find(
    (/** @type {any} */ { column }) => column === 'maybeInt'
  )
  assert.deepEqual(
    [min, max, nullCount],
    [-1000, -1, EXPECTED.maybeInt.slice(0, 1000).filter((value) => value === null).length]
  )
  assert.ok(facts.pages.length > 50)
  assert.ok(facts.pages.every((/** @type {any} */ page) => page.offset > 0 && page.compressedSize >= 0))
})

test('control characters in names do not reach the terminal', async () => {
  const evil = fileNamed(
    'evil.parquet',
    fileOf({ 'a\x1b[2Jb': [1], '\u202etxt': [2] }, { createdBy: 'x\x1b]0;y\x07' })
  )
  const { stdout } = await pagelane('inspect', evil)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  assert.match(stdout, /a\\x1b\[2Jb/)
  const { stderr } = await pagelane('cat', evil, '--columns', 'no\x1b[2J')
  assert.ok(!stderr.includes('\x1b'))
})

test('failures go to stderr and end with 1, wrong arguments with 2', async () => {
  const broken = fileNamed('broken.parquet', writtenFile().slice(0, 5000))
  const failures = /** @type {[string[], number, RegExp][]} */ ([
    [['cat', join(folder, 'none')], 1, /^pagelane: SOURCE: .*none.*ENOENT/],
    [['inspect', broken], 1, /^pagelane: CORRUPT: /],
    [['cat', path, '--columns', 'nope'], 1, /^pagelane: BAD_ARGUMENT: .*"nope"/],
    [['cat', 'http://127.0.0.1:9/x'], 1, /^pagelane: SOURCE: /],
    [[], 2, /no command given\n\nUsage/],
    [['dance'], 2, /no such command: dance/],
    [['cat'], 2, /one file or URL/],
    [['cat', path, path], 2, /one file or URL/],
    [['cat', path, '--rows', '5'], 2, /--rows must be START:END/],
    [['cat', path, '--rows', '5:1'], 2, /--rows must not end/],
    [['cat', path, '--rows', '99999:'], 2, /--rows starts at 99999/],
    [['cat', path, '--format', 'xml'], 2, /--format must be csv or jsonl/],
    [['cat', path, '--nope'], 2, /--nope/],
    [['inspect', path, '--rows', '0:1'], 2, /inspect has no option --rows/],
  ])
  for (const [args, code, message] of failures) {
    const result = await pagelane(...args)
    assert.equal(result.code, code, args.join(' '))
    assert.match(result.stderr, message)
    assert.equal(result.stdout, '')
  }
  const help = await pagelane('--help')
  assert.equal(help.code, 0)
  assert.match(help.stdout, /^Usage:/)
})

test('selftest prints the digest of the suite', async () => {
  const { code, stdout, stderr } = await pagelane('selftest')
  assert.equal(code, 0)
  assert.match(stdout, /^digest: [0-9a-f]{64}\n$/)
  assert.match(stderr, /cases on simd128, 0 failed/)
})

test('what is nested is JSON, in a cell of CSV too', async () => {
  const schema = [
    { name: 'root', num_children: 3 },
    { name: 'id', type: 'INT32', repetition_type: 'REQUIRED' },
    { name: 'tags', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
    { name: 'at', repetition_type: 'OPTIONAL', num_children: 2 },
    { name: 'big', type: 'INT64', repetition_type: 'OPTIONAL' },
    { name: 'when', type: 'INT64', converted_type: 'TIMESTAMP_MICROS', repetition_type: 'OPTIONAL' },
  ]
  const columnData = [
    { name: 'id', data: [1, 2, 3] },
    { name: 'tags', data: [['a,"b"', null], [], null] },
    { name: 'at', data: [{ big: 2n ** 60n, when: 1n }, null, { big: null, when: -1n }] },
  ]
  const nested = fileNamed('nested.parquet', fileOf({}, { schema, columnData }))
  const json = await pagelane('cat', nested, '--format', 'jsonl')
  assert.equal(json.stderr, '')
  assert.deepEqual(json.stdout.trimEnd().split('\n'), [
    '{"id":1,"tags":["a,\\"b\\"",null],"at":{"big":1152921504606846976,"when":"1970-01-01T00:00:00.000001Z"}}',
    '{"id":2,"tags":[],"at":null}',
    '{"id":3,"tags":null,"at":{"big":null,"when":"1969-12-31T23:59:59.999999Z"}}',
  ])
  const csv = await pagelane('cat', nested, '--columns', 'at.big,tags')
  assert.equal(
    csv.stdout,
    'at,tags\n"{""big"":1152921504606846976}","[""a,\\""b\\"""",null]"\n,[]\n"{""big"":null}",\n'
  )
  const { stdout } = await pagelane('inspect', nested)
  assert.match(stdout, /^tags: group optional LIST\n {2}list: group repeated\n {4}element: string optional/m)
})
