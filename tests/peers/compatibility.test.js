/**
 * parquet-testing's files in every reader, and a file for each feature: pagelane gives what most of the others give, in
 * wasm and in C alike, and docs/compatibility.md says what is found here.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { open } from '../../wasm/node.js'
import {
  compareFeatures,
  compareFiles,
  DOCUMENT,
  EXCEPTIONS,
  LARGE,
  nameOf,
  testFiles,
} from './compatibility.js'
import { digestsByC, digestsOfFile } from './digest.js'
import { makeDocument, withoutReader } from './document.js'
import { EQUAL, readers } from './outcomes.js'
import { closePyarrow } from './pyarrow.js'

const { PARQUET_TEST_DATA: data = '' } = process.env
const skip = data === '' && 'PARQUET_TEST_DATA is not set'
const missing = readers.filter(({ version }) => version === null).map(({ name }) => name)

/** What no reader can be asked to read. @type {Record<string, RegExp>} */
const REFUSED = { LZO: /^UNSUPPORTED: codec LZO / }

describe('compatibility', { skip }, () => {
  after(closePyarrow)
  const paths = skip ? [] : testFiles(data)
  /** @type {[string, import('./outcomes.js').FileOutcome][]} */
  let files = []
  /** @type {Awaited<ReturnType<typeof compareFeatures>>} */
  let features = []

  for (const name of missing) test(name, { skip: `${name} is not here` }, () => {})

  test('every file reads as in most of the others', async () => {
    assert.ok(paths.length > 70, `${paths.length} files`)
    files = await compareFiles(paths)
    const faults = files.flatMap(([name, outcome]) => outcome.faults.map((fault) => `${name}/${fault}`))
    const unknown = faults.filter(
      (fault) => !Object.keys(EXCEPTIONS).some((place) => fault.startsWith(`${place}: `))
    )
    assert.deepEqual(unknown, [])
    if (missing.length > 0) return
    const idle = Object.keys(EXCEPTIONS).filter(
      (place) => !faults.some((fault) => fault.startsWith(`${place}: `))
    )
    assert.deepEqual(idle, [], 'exceptions that are none')
  })

  test('every feature reads', async () => {
    features = await compareFeatures()
    for (const [name, outcomes] of features.flatMap(([, rows]) => rows)) {
      const outcome = outcomes.get('pagelane') ?? ''
      if (REFUSED[name]) assert.match(outcome, REFUSED[name])
      else assert.equal(outcome, EQUAL, name)
    }
  })

  test('the document says so', () => {
    assert.ok(files.length > 0 && features.length > 0, 'the tests above gave nothing to compare')
    let made = makeDocument({ files, features, exceptions: Object.entries(EXCEPTIONS) })
    let committed = readFileSync(DOCUMENT, 'utf8')
    const disputed = Object.keys(EXCEPTIONS).map((place) => place.slice(0, place.lastIndexOf('/')))
    for (const name of missing) {
      made = withoutReader(made, name, disputed)
      committed = withoutReader(committed, name, disputed)
    }
    const lines = committed.split('\n')
    const changed = made.split('\n').filter((line) => !lines.includes(line))
    assert.ok(made === committed, `npm run compatibility writes it anew:\n${changed.slice(0, 20).join('\n')}`)
  })

  test('the C library reads the same', async () => {
    for (const options of [[], ['--pages'], ['--large-offsets']]) {
      const byC = await digestsByC(paths, options)
      for (const path of paths) {
        assert.deepEqual(byC.get(path), await digestsOfFile(path), `${nameOf(path)} ${options}`)
      }
    }
  })
})

/** Of the keys in that file: two rows, each a map with one key of 2^30 times 'a'. */
function expectedDigest() {
  const ones = { bits: Uint8Array.of(1, 1), lengths: new Uint8Array(Uint32Array.of(1, 1).buffer) }
  const lengths = new Uint8Array(Uint32Array.of(2 ** 30, 2 ** 30).buffer)
  const data = createHash('sha256')
  const part = Buffer.alloc(2 ** 24, 'a')
  for (let i = 0; i < 2 ** 7; i++) data.update(part)
  const whole = createHash('sha256')
  for (const stream of [ones.bits, ones.lengths, lengths])
    whole.update(createHash('sha256').update(stream).digest())
  return `2 ${whole.update(data.digest()).digest('hex')}`
}

describe('2 GiB of strings in 4 KB', {
  skip: skip || (!existsSync(join(data, LARGE)) && `no ${LARGE}`),
}, () => {
  const path = join(data, LARGE)
  const GIB = 1024 ** 3
  const ALL = process.env.PAGELANE_LARGE === '1'

  test('wasm: a limit, at once', async () => {
    const start = performance.now()
    for (const maxBytes of [undefined, GIB]) {
      const file = await open(path, { maxBytes })
      await assert.rejects(file.read(), { name: 'PagelaneError', code: 'LIMIT' })
      file.close()
    }
    assert.ok(performance.now() - start < 2000, `${performance.now() - start} ms`)
  })

  test('C: a limit, at once', async () => {
    const lines = await digestsByC([path], ['--max-bytes', String(GIB)])
    assert.match(lines.get(path)?.[0] ?? '', /^LIMIT /)
    assert.match(lines.get(path)?.[1] ?? '', /^2 /)
  })

  const reason =
    freemem() < 10 * GIB
      ? 'less than 10 GiB of free memory'
      : !ALL && 'takes half a minute; PAGELANE_LARGE is not 1'
  test('C: read with max_bytes raised', { skip: reason }, async () => {
    const lines = await digestsByC([path], ['--large-offsets', '--max-bytes', String(9 * GIB)])
    assert.equal(lines.get(path)?.[0], expectedDigest())
  })
})
