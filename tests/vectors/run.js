/**
 * Runs the shared suite on any host: it is given the text and bytes of the manifests and a host that decodes, and uses
 * nothing of Node. The digest is that of the C runner.
 */

/**
 * @typedef {object} PageCase what a host is given for a `page` case
 * @property {string} name
 * @property {Uint8Array[]} chunks each the pages of one column chunk; all go into one builder
 * @property {string} type
 * @property {number} typeLength
 * @property {number} maxDefinitionLevel
 * @property {number} maxRepetitionLevel
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
 * A batch, in the layout of pl_column. Views are fine: they are copied before the host is asked for more.
 * @typedef {object} Batch
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
 */
/** @typedef {{ status: string, length?: number, inUsed?: number, values?: Uint8Array }} ValueResult */
/**
 * decodePages calls `onBatch` for every batch, in order, and returns the status it ended in.
 * @typedef {object} Host
 * @property {(pages: PageCase, onBatch: (batch: Batch) => void) => string | Promise<string>} decodePages
 * @property {(values: ValueCase) => ValueResult | Promise<ValueResult>} [decodeValues] absent: value cases are left out (and
 * there is no digest to compare)
 */
/** @typedef {{ name: string, fields: Map<string, string>, chunks: string[], file: Uint8Array }} Case */

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
const SECTIONS = [
  'values',
  'validity',
  'offsets',
  'data',
  'repetition_levels',
  'definition_levels',
  'dictionary_values',
  'dictionary_offsets',
  'dictionary_data',
]
const NUMBERS = ['length', 'null_count', 'in_used', 'n_levels', 'dictionary_length']

/**
 * What a case gave: numbers and sections under the manifest's names.
 * @typedef {{ status: string, numbers: Record<string, number>, sections: Record<string, Uint8Array> }} Result
 */

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
    if (key === 'case') cases.push({ name: value, fields: new Map(), chunks: [], file: bytes })
    else if (key === 'chunk') cases[cases.length - 1].chunks.push(value)
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

/** Bytes or bits that grow. */
class Growing {
  constructor() {
    this.bytes = new Uint8Array(64)
    this.size = 0
  }

  /** @param {number} size */
  reserve(size) {
    if (size > this.bytes.length) {
      const larger = new Uint8Array(2 * size)
      larger.set(this.bytes)
      this.bytes = larger
    }
  }

  /** @param {Uint8Array} bytes */
  add(bytes) {
    this.reserve(this.size + bytes.length)
    this.bytes.set(bytes, this.size)
    this.size += bytes.length
  }

  /**
   * @param {number} before bits that are there
   * @param {Uint8Array | null | undefined} bits none: ones
   * @param {number} n
   */
  addBits(before, bits, n) {
    this.size = Math.ceil((before + n) / 8)
    this.reserve(this.size)
    for (let i = 0; i < n; i++) {
      if (!bits || (bits[i >> 3] >> (i & 7)) & 1) this.bytes[(before + i) >> 3] |= 1 << ((before + i) & 7)
    }
  }

  finish() {
    return this.bytes.slice(0, this.size)
  }
}

/**
 * @param {ArrayBufferView | undefined} view
 * @returns {Uint8Array}
 */
function asBytes(view) {
  return view ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : new Uint8Array(0)
}

/** The batches of a case, joined. */
class Collector {
  /** @param {boolean} isBoolean */
  constructor(isBoolean) {
    this.isBoolean = isBoolean
    /** @type {Record<string, number>} */
    this.numbers = Object.fromEntries(NUMBERS.map((name) => [name, 0]))
    /** @type {Record<string, Growing>} */
    this.sections = Object.fromEntries(SECTIONS.map((name) => [name, new Growing()]))
  }

  /** @param {Batch} batch */
  add(batch) {
    const { numbers, sections } = this
    sections.validity.addBits(numbers.length, batch.validity, batch.length)
    if (this.isBoolean) sections.values.addBits(numbers.length, batch.values, batch.length)
    else this.addValues('', batch)
    numbers.length += batch.length
    numbers.null_count += batch.nullCount
    numbers.n_levels += batch.nLevels ?? 0
    sections.repetition_levels.add(asBytes(batch.repetitionLevels))
    sections.definition_levels.add(asBytes(batch.definitionLevels))
    if (batch.dictionary) {
      for (const name of SECTIONS.filter((name) => name.startsWith('dictionary')))
        sections[name] = new Growing()
      numbers.dictionary_length = batch.dictionary.length
      this.addValues('dictionary_', batch.dictionary)
    }
  }

  /**
   * @param {string} prefix
   * @param {Batch} batch
   */
  addValues(prefix, batch) {
    const offsets = this.sections[`${prefix}offsets`]
    const data = this.sections[`${prefix}data`]
    if (!batch.offsets) return this.sections[`${prefix}values`].add(asBytes(batch.values))
    if (offsets.size === 0) offsets.add(new Uint8Array(4))
    const base = data.size - batch.offsets[0]
    offsets.add(asBytes(batch.offsets.slice(1, batch.length + 1).map((offset) => offset + base)))
    data.add(asBytes(batch.data).subarray(0, batch.offsets[batch.length] - batch.offsets[0]))
  }

  /** @returns {Omit<Result, 'status'>} */
  finish() {
    if (this.numbers.null_count === 0) this.sections.validity = new Growing()
    return {
      numbers: this.numbers,
      sections: Object.fromEntries(SECTIONS.map((name) => [name, this.sections[name].finish()])),
    }
  }
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
    const text = of.fields.get(name) ?? '-'
    const got = result.sections[name]
    if (text.startsWith('sha256:')) {
      if (text !== `sha256:${await sha256(got)},${got.length}`) return `another digest of ${name}`
      continue
    }
    const wanted = bytesOf(of, text)
    if (got.length !== wanted.length) return `${got.length} bytes of ${name}, expected ${wanted.length}`
    const at = got.findIndex((byte, i) => byte !== wanted[i])
    if (at >= 0) return `byte ${at} of ${name} is ${got[at]}, expected ${wanted[at]}`
  }
  return ''
}

/**
 * @param {Growing} digest
 * @param {string} name
 * @param {Result} result
 */
function addToDigest(digest, name, result) {
  const number = (/** @type {number} */ value) =>
    digest.add(new Uint8Array(BigUint64Array.of(BigInt(value)).buffer))
  digest.add(new TextEncoder().encode(`${name}\n`))
  digest.add(Uint8Array.of(STATUSES.indexOf(result.status)))
  if (result.status !== 'OK') return
  for (const key of NUMBERS) number(result.numbers[key])
  for (const key of SECTIONS) {
    number(result.sections[key].length)
    digest.add(result.sections[key])
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
