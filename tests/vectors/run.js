/**
 * Runs the shared suite on any host: it is given the text and bytes of the manifests and a host that decodes, and uses
 * nothing of Node. The digest is that of the C runner.
 */
import { asBytes, Collector, Growing, NUMBERS, SECTIONS } from './collector.js'

/** @typedef {import('./collector.js').Parent} Parent */
/** @typedef {import('./collector.js').Result} Result */

/**
 * @typedef {object} PageCase what a host is given for a `page` case
 * @property {string} name
 * @property {Uint8Array[]} chunks each the pages of one column chunk; all go into one builder
 * @property {string} type
 * @property {number} typeLength
 * @property {number} maxDefinitionLevel
 * @property {number} maxRepetitionLevel
 * @property {number} repeatedLevels bit 0 for definition level 1: the levels that lists have
 * @property {string} codec
 * @property {'' | 'dictionary' | 'levels'} keep
 * @property {number} maxBytes 0: the default
 */
/**
 * @typedef {object} ValueCase what a host is given for a `value` case
 * @property {string} name
 * @property {string} function
 * @property {Uint8Array} bytes
 * @property {number} width
 * @property {number} count values wanted; for delta: the room for them
 */
/**
 * What stands above the entries of a batch, in the layout of pl_parent.
 * @typedef {object} BatchParent
 * @property {number} level
 * @property {boolean} isList
 * @property {number} length
 * @property {number} nullCount
 * @property {Uint8Array | null} [validity]
 * @property {Int32Array} [offsets] of a list: length + 1; the first need not be 0
 */
/**
 * A batch, in the layout of pl_column. Views are fine: they are copied before the host is asked for more.
 * @typedef {object} Batch
 * @property {boolean} [isRunning] bitmaps begin at bit (entries before) % 8
 * @property {number} length
 * @property {number} nullCount
 * @property {Uint8Array} [values]
 * @property {Uint8Array | null} [validity]
 * @property {Int32Array} [offsets] length + 1; the first need not be 0
 * @property {Uint8Array} [data] the byte at offsets[0] first
 * @property {number} [nLevels]
 * @property {Uint16Array} [repetitionLevels]
 * @property {Uint16Array} [definitionLevels]
 * @property {Batch} [dictionary]
 * @property {BatchParent[]} [parents] from the outermost in
 */
/** @typedef {{ status: string, length?: number, inUsed?: number, values?: Uint8Array }} ValueResult */
/**
 * decodePages calls `onBatch` for every batch, in order, and returns the status it ended in.
 * @typedef {object} Host
 * @property {(pages: PageCase, onBatch: (batch: Batch) => void) => string | Promise<string>} decodePages
 * @property {(values: ValueCase) => ValueResult | Promise<ValueResult>} [decodeValues] absent: value cases are left out (and
 * there is no digest to compare)
 */
/**
 * @typedef {{ name: string, fields: Map<string, string>, chunks: string[], parents: string[], file: Uint8Array }} Case
 */

const STATUSES = [
  'OK',
  'TRUNCATED',
  'CORRUPT',
  'UNSUPPORTED',
  'LIMIT',
  'NO_MEMORY',
  'NO_SPACE',
  'BAD_ARGUMENT',
  'CHECKSUM',
  'KEY',
]

/**
 * The cases of a manifest.
 * @param {string} text
 * @param {Uint8Array} bytes
 * @returns {Case[]}
 */
export function parseManifest(text, bytes) {
  /** @type {Case[]} */
  const cases = []
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ')
    if (line === '' || line.startsWith('#')) continue
    const key = line.slice(0, space)
    const value = line.slice(space + 1)
    if (key === 'case') cases.push({ name: value, fields: new Map(), chunks: [], parents: [], file: bytes })
    else if (key === 'chunk') cases[cases.length - 1].chunks.push(value)
    else if (key === 'parent') cases[cases.length - 1].parents.push(value)
    else cases[cases.length - 1].fields.set(key, value)
  }
  return cases
}

/**
 * @param {Case} of
 * @param {string} text "-", hex digits or "@offset,size"
 * @returns {Uint8Array}
 */
function bytesOf(of, text) {
  if (text === '-') return new Uint8Array(0)
  if (text.startsWith('@')) {
    const [offset, size] = text.slice(1).split(',').map(Number)
    return of.file.slice(offset, offset + size)
  }
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16))
}

/**
 * @param {Uint8Array} bytes
 * @returns {Promise<string>}
 */
async function sha256(bytes) {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', /** @type {BufferSource} */ (bytes))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * @param {Case} of
 * @param {Host} host
 * @returns {Promise<Result | undefined>} undefined when the host cannot run it
 */
async function runCase(of, host) {
  const number = (/** @type {string} */ key) => Number(of.fields.get(key) ?? 0)
  const collector = new Collector(of.fields.get('type') === 'BOOLEAN')
  if (of.fields.get('kind') === 'page') {
    const status = await host.decodePages(
      {
        name: of.name,
        chunks: of.chunks.map((chunk) => bytesOf(of, chunk)),
        type: of.fields.get('type') ?? '',
        typeLength: number('type_length'),
        maxDefinitionLevel: number('max_definition_level'),
        maxRepetitionLevel: number('max_repetition_level'),
        repeatedLevels: number('repeated_levels'),
        codec: of.fields.get('codec') ?? '',
        keep: /** @type {PageCase['keep']} */ (of.fields.get('keep') ?? ''),
        maxBytes: number('max_bytes'),
      },
      (batch) => collector.add(batch)
    )
    return { status, ...collector.finish() }
  }
  const result = await host.decodeValues?.({
    name: of.name,
    function: of.fields.get('function') ?? '',
    bytes: bytesOf(of, of.fields.get('bytes') ?? '-'),
    width: number('width'),
    count: number(of.fields.has('capacity') ? 'capacity' : 'count'),
  })
  if (!result) return undefined
  collector.numbers.length = result.length ?? 0
  collector.numbers.in_used = result.inUsed ?? 0
  collector.sections.values.add(asBytes(result.values))
  return { status: result.status, ...collector.finish() }
}

/**
 * @param {Case} of
 * @param {string} name
 * @param {string} text the bytes expected, as the manifest has them
 * @param {Uint8Array} got
 * @returns {Promise<string>} what differs; '' when nothing does
 */
async function compareBytes(of, name, text, got) {
  if (text.startsWith('sha256:'))
    return text === `sha256:${await sha256(got)},${got.length}` ? '' : `another digest of ${name}`
  const wanted = bytesOf(of, text)
  if (got.length !== wanted.length) return `${got.length} bytes of ${name}, expected ${wanted.length}`
  const at = got.findIndex((byte, i) => byte !== wanted[i])
  return at < 0 ? '' : `byte ${at} of ${name} is ${got[at]}, expected ${wanted[at]}`
}

/**
 * @param {Case} of
 * @param {Parent[]} parents
 * @returns {Promise<string>}
 */
async function compareParents(of, parents) {
  if (parents.length !== of.parents.length) return `${parents.length} parents, expected ${of.parents.length}`
  for (const [i, { level, isList, length, nullCount, validity, offsets }] of parents.entries()) {
    const [kind, ...words] = of.parents[i].split(' ')
    const bytes = words.pop() ?? '-'
    const got = `${isList ? 'list' : 'optional'} ${level} ${length}${isList ? '' : ` ${nullCount}`}`
    const wanted = [kind, ...words].join(' ')
    if (got !== wanted) return `parent ${i} is ${got}, expected ${wanted}`
    const message = await compareBytes(of, `parent ${i}`, bytes, isList ? offsets : validity)
    if (message) return message
  }
  return ''
}

/**
 * @param {Case} of
 * @param {Result} result
 * @returns {Promise<string>} what differs from what is expected; '' when nothing does
 */
async function compare(of, result) {
  const expected = of.fields.get('status')
  if (result.status !== expected) return `${result.status}, expected ${expected}`
  if (result.status !== 'OK') return ''
  for (const name of NUMBERS) {
    const wanted = Number(of.fields.get(name) ?? 0)
    if (result.numbers[name] !== wanted) return `${name} ${result.numbers[name]}, expected ${wanted}`
  }
  for (const name of SECTIONS) {
    const message = await compareBytes(of, name, of.fields.get(name) ?? '-', result.sections[name])
    if (message) return message
  }
  return compareParents(of, result.parents)
}

/**
 * @param {Growing} digest
 * @param {string} name
 * @param {Result} result
 */
function addToDigest(digest, name, result) {
  const section = (/** @type {Uint8Array} */ bytes) => {
    digest.addNumber(bytes.length)
    digest.add(bytes)
  }
  digest.add(new TextEncoder().encode(`${name}\n`))
  digest.add(Uint8Array.of(STATUSES.indexOf(result.status)))
  if (result.status !== 'OK') return
  for (const key of NUMBERS) digest.addNumber(result.numbers[key])
  for (const key of SECTIONS) section(result.sections[key])
  digest.addNumber(result.parents.length)
  for (const { level, isList, length, nullCount, validity, offsets } of result.parents) {
    for (const number of [level, isList ? 1 : 0, length, nullCount]) digest.addNumber(number)
    section(validity)
    section(offsets)
  }
}

/**
 * Runs every case of the manifests, in order.
 * @param {{ text: string, bytes: Uint8Array }[]} manifests values, pages, peers
 * @param {Host} host
 * @param {(name: string) => boolean} [wanted] only these cases
 * @returns {Promise<{ cases: number, failures: { name: string, message: string }[], digest: string }>}
 */
export async function runSuite(manifests, host, wanted = () => true) {
  const digest = new Growing()
  /** @type {{ name: string, message: string }[]} */
  const failures = []
  let cases = 0
  for (const { text, bytes } of manifests) {
    for (const of of parseManifest(text, bytes).filter((of) => wanted(of.name))) {
      const result = await runCase(of, host)
      if (!result) continue
      cases++
      addToDigest(digest, of.name, result)
      const message = await compare(of, result)
      if (message) failures.push({ name: of.name, message })
    }
  }
  return { cases, failures, digest: await sha256(digest.finish()) }
}

/** The manifests of the suite, in order: each a .txt and a .bin beside this file. */
export const MANIFESTS = ['values', 'pages', 'peers']
