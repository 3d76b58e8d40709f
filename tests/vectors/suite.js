/**
 * Collects cases and writes them as a manifest (text) and the bytes it refers to. What a case must give is computed by
 * the reference model, and has to agree with what the case's author says it is.
 */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { decodeAlp } from '../reference/alp.js'
import { unpackBits } from '../reference/bitpack.js'
import { joinStreams } from '../reference/byte_stream_split.js'
import { concatBytes, FormatError, toHex } from '../reference/bytes.js'
import { arrowColumn, levelBytes } from '../reference/column.js'
import { decodeDelta } from '../reference/delta.js'
import { arrowParents, assemble, repeatedLevels } from '../reference/nesting.js'
import { decodePages } from '../reference/page.js'
import { encodePlain } from '../reference/plain.js'
import { decodeHybrid } from '../reference/rle.js'

/** @typedef {import('../reference/plain.js').Value} Value */

/** Bytes up to this size stand in the manifest itself. */
const INLINE_SIZE = 24
/** Expected bytes above this size are given by their SHA-256 alone. */
const DIGEST_SIZE = 1300

/**
 * @typedef {object} ValueCase
 * @property {string} name
 * @property {'delta_i32' | 'delta_i64' | 'rle_u32' | 'bit_unpack_u32' | 'bit_unpack_u64' | 'byte_stream_split' |
 *   'alp_f32' | 'alp_f64'} function
 * @property {Uint8Array} bytes
 * @property {number} [width] bits; for byte_stream_split: bytes
 * @property {number} [count] values wanted; for delta and ALP: room for so many
 * @property {(number | bigint)[]} [values] what must come out; floats as their bits
 * @property {Uint8Array} [plain] the same for byte_stream_split: the values, one after another
 * @property {string} [status] what it must end in, OK unless given
 * @property {string} [note]
 */
/**
 * @typedef {object} PageCase
 * @property {string} name
 * @property {import('../reference/page.js').Column} column
 * @property {Uint8Array | Uint8Array[]} chunk the pages of a chunk, or of several chunks in a row
 * @property {(Value | null)[]} [entries] what must come out
 * @property {import('../reference/nesting.js').Field[]} [records] of a nested column: what must come out
 * @property {string} [status] what it must end in, OK unless given
 * @property {'levels' | { dictionary: Value[], indices: (number | null)[] }} [keep]
 * @property {number} [maxBytes]
 * @property {boolean} [outside] the status is for something the model does not know (limits, what to keep)
 * @property {string} [note]
 * @property {string} [writer] the program that wrote the bytes; the model then does not read them
 */

export class Suite {
  constructor() {
    /** @type {string[]} */
    this.lines = []
    /** The first `size` bytes of it are used. */
    this.bytes = Buffer.alloc(1 << 20)
    this.size = 0
    this.count = 0
    this.names = new Set()
  }

  /**
   * @param {Uint8Array} bytes
   * @param {boolean} [isResult]
   * @returns {string} the bytes as the manifest names them
   */
  blob(bytes, isResult = false) {
    if (bytes.length === 0) return '-'
    if (bytes.length <= INLINE_SIZE) return toHex(bytes)
    if (isResult && bytes.length > DIGEST_SIZE) {
      return `sha256:${createHash('sha256').update(bytes).digest('hex')},${bytes.length}`
    }
    let offset = this.bytes.subarray(0, this.size).indexOf(bytes)
    if (offset < 0) {
      offset = this.size
      this.size += bytes.length
      if (this.size > this.bytes.length) this.bytes = Buffer.concat([this.bytes], 2 * this.size)
      this.bytes.set(bytes, offset)
    }
    return `@${offset},${bytes.length}`
  }

  /**
   * @param {string} name
   * @param {[string, string | number | undefined][]} fields
   */
  write(name, fields) {
    assert(/^[\w/.+-]+$/.test(name) && !this.names.has(name), `name ${name}`)
    this.names.add(name)
    this.count++
    this.lines.push(`case ${name}`)
    for (const [key, value] of fields) if (value !== undefined) this.lines.push(`${key} ${value}`)
    this.lines.push('')
  }

  /** @param {ValueCase} spec */
  value(spec) {
    const { name, bytes, width, count = 0, status = 'OK' } = spec
    const isCounted = /^(delta|alp)/.test(spec.function)
    const wide = spec.function.endsWith('64')
    /** @type {() => { values: (number | bigint)[], used?: number, plain?: Uint8Array }} */
    const decode = () => {
      if (spec.function.startsWith('delta')) return decodeDelta(bytes, wide ? 64 : 32, count)
      if (spec.function.startsWith('alp')) {
        return { values: decodeAlp(bytes, wide ? 64 : 32, count), used: undefined }
      }
      if (spec.function === 'byte_stream_split') {
        return { values: [], plain: joinStreams(bytes, width ?? 0, count), used: undefined }
      }
      if (spec.function === 'rle_u32') return decodeHybrid(bytes, width ?? 0, count)
      if ((width ?? 0) > (wide ? 64 : 32)) throw new FormatError('BAD_ARGUMENT', 'width')
      return { values: unpackBits(bytes, width ?? 0, count), used: undefined }
    }
    const got = run(decode)
    assert.equal(got.status, status, `${name}: the model says ${got.status} ${got.message}`)
    /** @type {[string, string | number | undefined][]} */
    const fields = [
      ['kind', 'value'],
      ['function', spec.function],
      ['note', spec.note],
      ['bytes', this.blob(bytes)],
      ['width', width],
      [isCounted ? 'capacity' : 'count', count],
      ['status', status],
    ]
    if (got.result) {
      const { values, used, plain } = got.result
      if (spec.values && !plain) assert.deepEqual(values.map(BigInt), spec.values.map(BigInt), name)
      if (spec.plain) assert.deepEqual(plain, spec.plain, name)
      fields.push(
        ['length', plain ? count : values.length],
        ['in_used', used],
        ['values', this.blob(plain ?? encodePlain(wide ? 'INT64' : 'INT32', values), true)]
      )
    }
    this.write(name, fields)
  }

  /** @param {PageCase} spec */
  page(spec) {
    const { name, column, status = 'OK', keep } = spec
    const shape = shapeOf(column, keep)
    const chunks = Array.isArray(spec.chunk) ? spec.chunk : [spec.chunk]
    /** @type {[string, string | number | undefined][]} */
    const fields = [
      ['kind', 'page'],
      ['writer', spec.writer],
      ['note', spec.note],
      ['type', column.type],
      ['type_length', column.typeLength],
      ['max_definition_level', column.maxDefinitionLevel ?? 0],
      ['max_repetition_level', column.maxRepetitionLevel],
      ['repeated_levels', shape && repeatedLevels(shape) ? `${repeatedLevels(shape)}` : undefined],
      ['codec', column.codec ?? 'UNCOMPRESSED'],
      ['keep', typeof keep === 'object' ? 'dictionary' : keep],
      ['max_bytes', spec.maxBytes],
    ]
    for (const chunk of chunks) fields.push(['chunk', this.blob(chunk)])
    fields.push(['status', status])
    const known = !spec.writer && !spec.outside
    const got = known ? run(() => chunks.map((chunk) => decodeChunk(column, shape, chunk))) : undefined
    if (got) assert.equal(got.status, status, `${name}: the model says ${got.status} ${got.message}`)
    if (status !== 'OK') return this.write(name, fields)
    const decoded = got?.result
    const nested =
      shape && arrowParents(shape, decoded?.flatMap((chunk) => chunk.records) ?? spec.records ?? [])
    const wanted = shape && spec.records ? arrowParents(shape, spec.records) : undefined
    const entries = nested?.entries ?? decoded?.flatMap((chunk) => chunk.entries) ?? spec.entries ?? []
    const arrow = arrowColumn(column.type, column.typeLength ?? 0, entries)
    const wantedEntries = wanted?.entries ?? spec.entries
    if (wanted) assert.deepEqual(nested?.parents, wanted.parents, name)
    if (wantedEntries) {
      assert.deepEqual(arrow, arrowColumn(column.type, column.typeLength ?? 0, wantedEntries), name)
    }
    if (keep === 'levels') this.writeLevels(column, decoded ?? [], fields)
    else if (keep) this.writeIndices(column, keep, entries, fields)
    else fields.push(...this.columnFields('', arrow))
    for (const parent of nested?.parents ?? []) fields.push(['parent', this.parentField(parent)])
    this.write(name, fields)
  }

  /** @param {import('../reference/nesting.js').Parent} parent */
  parentField({ level, isList, length, nullCount, validity, offsets }) {
    return isList
      ? `list ${level} ${length} ${this.blob(offsets, true)}`
      : `optional ${level} ${length} ${nullCount} ${this.blob(validity, true)}`
  }

  /**
   * @param {string} prefix
   * @param {import('../reference/column.js').ArrowColumn} column
   * @returns {[string, string | number][]}
   */
  columnFields(prefix, column) {
    /** @type {[string, string | number][]} */
    const fields = [[`${prefix}length`, column.length]]
    if (!prefix) fields.push(['null_count', column.nullCount])
    for (const key of /** @type {const} */ (['validity', 'values', 'offsets', 'data'])) {
      if (column[key].length) fields.push([prefix + key, this.blob(column[key], true)])
    }
    return fields
  }

  /**
   * Stored values, and the levels of every entry.
   * @param {import('../reference/page.js').Column} column
   * @param {import('../reference/page.js').Decoded[]} decoded
   * @param {[string, string | number | undefined][]} fields
   */
  writeLevels(column, decoded, fields) {
    const stored = decoded.flatMap((chunk) => chunk.stored)
    const repetition = decoded.flatMap((chunk) => chunk.repetitionLevels)
    const definition = decoded.flatMap((chunk) => chunk.definitionLevels)
    fields.push(
      ...this.columnFields('', arrowColumn(column.type, column.typeLength ?? 0, stored)),
      ['n_levels', definition.length],
      ['repetition_levels', this.blob(levelBytes(repetition), true)],
      ['definition_levels', this.blob(levelBytes(definition), true)]
    )
  }

  /**
   * Indices, and the dictionary they point to.
   * @param {import('../reference/page.js').Column} column
   * @param {{ dictionary: Value[], indices: (number | null)[] }} keep
   * @param {(Value | null)[]} entries
   * @param {[string, string | number | undefined][]} fields
   */
  writeIndices(column, keep, entries, fields) {
    const { dictionary, indices } = keep
    const named = indices.map((index) => (index === null ? null : dictionary[index]))
    assert.deepEqual(
      arrowColumn(column.type, column.typeLength ?? 0, named),
      arrowColumn(column.type, column.typeLength ?? 0, entries)
    )
    fields.push(
      ...this.columnFields('', arrowColumn('INT32', 0, indices)),
      ...this.columnFields('dictionary_', arrowColumn(column.type, column.typeLength ?? 0, dictionary))
    )
  }

  /**
   * @param {string} title
   * @returns {{ manifest: string, bytes: Uint8Array }}
   */
  finish(title) {
    return {
      manifest: `# ${title}\n\n${this.lines.join('\n')}`,
      bytes: concatBytes(this.bytes.subarray(0, this.size)),
    }
  }
}

/**
 * What the definition levels of a column come from; undefined when nothing but its own validity is above its entries. A
 * column without a shape has no lists (or its levels are kept).
 * @param {import('../reference/page.js').Column} column
 * @param {PageCase['keep']} keep
 * @returns {import('../reference/nesting.js').Shape | undefined}
 */
function shapeOf({ maxDefinitionLevel = 0, maxRepetitionLevel = 0, shape }, keep) {
  if (keep === 'levels' || (maxDefinitionLevel < 2 && maxRepetitionLevel === 0)) return undefined
  return shape ?? new Array(maxDefinitionLevel).fill('optional')
}

/**
 * @param {import('../reference/page.js').Column} column
 * @param {import('../reference/nesting.js').Shape | undefined} shape
 * @param {Uint8Array} chunk
 * @returns {import('../reference/page.js').Decoded & { records: import('../reference/nesting.js').Field[] }}
 */
function decodeChunk(column, shape, chunk) {
  const decoded = decodePages(column, chunk)
  return { ...decoded, records: shape ? assemble(shape, decoded) : [] }
}

/**
 * @template R
 * @param {() => R} decode
 * @returns {{ status: string, message?: string, result?: R }}
 */
function run(decode) {
  try {
    return { status: 'OK', result: decode() }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { status: error.status, message: error.message }
  }
}
