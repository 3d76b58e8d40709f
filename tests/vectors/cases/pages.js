/**
 * Pages without a dictionary: every encoding and type, page version and null pattern, in pages that end in the middle of
 * everything; and columns of thousands of values.
 */

import { encodePages } from '../../reference/page.js'
import { Random } from '../../reference/random.js'
import { randomRuns } from '../../reference/rle.js'
import { cut, NULL_PATTERNS, TYPES, valuesOf, withNulls } from './columns.js'

/** @typedef {import('../../reference/page.js').Column} Column */
/** @typedef {import('../../reference/page.js').DataSpec} DataSpec */
/** @typedef {import('../../reference/plain.js').Value} Value */

/**
 * What a type may be encoded in besides PLAIN and dictionaries.
 * @type {Record<string, string[]>}
 */
const ENCODINGS = {
  BOOLEAN: ['RLE'],
  INT32: ['DELTA_BINARY_PACKED', 'BYTE_STREAM_SPLIT'],
  INT64: ['DELTA_BINARY_PACKED', 'BYTE_STREAM_SPLIT'],
  FLOAT: ['BYTE_STREAM_SPLIT', 'ALP'],
  DOUBLE: ['BYTE_STREAM_SPLIT', 'ALP'],
  FIXED_LEN_BYTE_ARRAY: ['BYTE_STREAM_SPLIT'],
}

/** @param {import('../suite.js').Suite} suite */
export function pageCases(suite) {
  for (const { label, type, typeLength } of TYPES) {
    for (const encoding of ['PLAIN', ...(ENCODINGS[type] ?? [])]) {
      const random = new Random(100)
      const values = valuesOf(type, typeLength ?? 0, 150, random)
      for (const version of /** @type {const} */ ([1, 2])) {
        const name = `page/${label}/${encoding.toLowerCase().replaceAll('_', '-')}/v${version}`
        const required = { type, typeLength }
        suite.page({
          name: `${name}/required`,
          column: required,
          entries: values,
          chunk: encodePages(
            required,
            cut(values).map((part) => ({ version, encoding, values: part }))
          ),
        })
        const column = { type, typeLength, maxDefinitionLevel: 1 }
        for (const pattern of Object.keys(NULL_PATTERNS)) {
          const entries = withNulls(values, pattern, new Random(7))
          suite.page({
            name: `${name}/nulls-${pattern}`,
            column,
            entries,
            chunk: encodePages(column, nullablePages(entries, version, encoding, random)),
          })
        }
      }
    }
  }
  geometryPages(suite)
  mixedPages(suite)
  largePages(suite)
}

/**
 * Pages whose level runs are laid out by chance on every second page.
 * @param {(Value | null)[]} entries
 * @param {1 | 2} version
 * @param {string} encoding
 * @param {Random} random
 * @returns {DataSpec[]}
 */
function nullablePages(entries, version, encoding, random) {
  return cut(entries).map((values, i) => ({
    version,
    encoding,
    values,
    definitionRuns:
      i % 2
        ? randomRuns(
            values.map((value) => (value === null ? 0 : 1)),
            random
          )
        : undefined,
  }))
}

/**
 * Delta pages of every geometry, with nulls between.
 * @param {import('../suite.js').Suite} suite
 */
function geometryPages(suite) {
  const random = new Random(101)
  for (const type of /** @type {const} */ (['INT32', 'INT64'])) {
    const bits = type === 'INT32' ? 32 : 64
    for (const [blockSize, miniblocks] of [
      [128, 4],
      [128, 2],
      [128, 1],
      [256, 4],
      [256, 1],
      [512, 4],
      [1024, 4],
      [1024, 1],
    ]) {
      const column = { type, maxDefinitionLevel: 1 }
      let value = 0n
      const values = Array.from(
        { length: 700 },
        (_, i) => (value = BigInt.asIntN(bits, value + random.bits(i % 97 > 80 ? 20 : 7)))
      )
      const entries = withNulls(values, 'random', random)
      const pages = cut(entries, [300, 129, 1]).map((part, i) => ({
        version: /** @type {1 | 2} */ (1 + (i % 2)),
        encoding: 'DELTA_BINARY_PACKED',
        values: part,
        delta: { blockSize, miniblocks, unneededWidth: 77 },
      }))
      suite.page({
        name: `page/${type.toLowerCase()}/delta-binary-packed/geometry-${blockSize}-${miniblocks}`,
        column,
        entries,
        chunk: encodePages(column, pages),
      })
    }
  }
}

/**
 * Pages of one chunk that differ in everything they may differ in.
 * @param {import('../suite.js').Suite} suite
 */
function mixedPages(suite) {
  const random = new Random(102)
  for (const codec of ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD', 'LZ4', 'LZ4_RAW']) {
    /** @type {Column} */
    const column = { type: 'INT64', maxDefinitionLevel: 1, codec }
    const entries = withNulls(valuesOf('INT64', 0, 300, random), 'runs', random)
    const pages = cut(entries, [40, 0, 61, 13, 99]).map(
      (values, i) =>
        /** @type {DataSpec} */ ({
          version: i % 3 ? 2 : 1,
          encoding: i % 2 ? 'DELTA_BINARY_PACKED' : 'PLAIN',
          values,
          isCompressed: i === 4 ? false : undefined,
        })
    )
    suite.page({ name: `mixed/${codec.toLowerCase()}`, column, entries, chunk: encodePages(column, pages) })
    /** @type {Column} */
    const booleans = { type: 'BOOLEAN', maxDefinitionLevel: 1, codec }
    const bits = withNulls(valuesOf('BOOLEAN', 0, 300, random), 'random', random)
    suite.page({
      name: `mixed/boolean-${codec.toLowerCase()}`,
      column: booleans,
      entries: bits,
      chunk: encodePages(
        booleans,
        cut(bits, [3, 60, 1, 129]).map((values, i) => ({
          version: i % 2 ? 2 : 1,
          encoding: i % 3 ? 'RLE' : 'PLAIN',
          values,
        }))
      ),
    })
  }
  for (const maximum of [2, 3, 7, 8]) {
    const column = { type: /** @type {const} */ ('INT32'), maxDefinitionLevel: maximum }
    const values = valuesOf('INT32', 0, 200, random)
    const levels = values.map(() => (random.below(3) ? maximum : random.below(maximum)))
    const entries = values.map((value, i) => (levels[i] === maximum ? value : null))
    const parts = cut(levels, [90, 7])
    suite.page({
      name: `levels/maximum-${maximum}`,
      column,
      entries,
      chunk: encodePages(
        column,
        cut(entries, [90, 7]).map((part, i) => ({
          version: i % 2 ? 2 : 1,
          values: part,
          definitionLevels: parts[i],
          definitionRuns: randomRuns(parts[i], random),
        }))
      ),
      note: 'null at any level below the maximum',
    })
  }
}

/** @param {import('../suite.js').Suite} suite */
function largePages(suite) {
  const random = new Random(103)
  const sizes = [1000, 20000, 3]
  let last = 0n
  const counting = Array.from({ length: 45000 }, () => (last += random.bits(3)))
  /**
   * @param {string} name
   * @param {Column} column
   * @param {(Value | null)[]} entries
   * @param {Partial<DataSpec>} spec
   */
  const large = (name, column, entries, spec) =>
    suite.page({
      name: `large/${name}`,
      column,
      entries,
      chunk: encodePages(
        column,
        cut(entries, sizes).map((values, i) => ({ ...spec, version: i % 2 ? 2 : 1, values }))
      ),
    })
  large('int64-delta', { type: 'INT64' }, counting, {
    encoding: 'DELTA_BINARY_PACKED',
    delta: { blockSize: 256 },
  })
  large('int64-delta-nulls', { type: 'INT64', maxDefinitionLevel: 1 }, withNulls(counting, 'random', random), {
    encoding: 'DELTA_BINARY_PACKED',
  })
  large(
    'int32-plain-snappy',
    { type: 'INT32', codec: 'SNAPPY' },
    counting.map((_, i) => BigInt((i % 1500) * 70001)),
    {}
  )
  large(
    'double-plain-null-runs-snappy',
    { type: 'DOUBLE', maxDefinitionLevel: 1, codec: 'SNAPPY' },
    withNulls(
      counting.map((_, i) => (i % 900) / 4),
      'runs',
      random
    ),
    {}
  )
  large(
    'boolean-plain',
    { type: 'BOOLEAN' },
    counting.map((value) => (value & 4n) === 0n),
    {}
  )
  large(
    'boolean-rle-nulls',
    { type: 'BOOLEAN', maxDefinitionLevel: 1 },
    withNulls(
      counting.map((value) => (value & 64n) === 0n),
      'runs',
      random
    ),
    { encoding: 'RLE' }
  )
  const words = valuesOf('BYTE_ARRAY', 0, 500, random)
  large(
    'byte-array-snappy',
    { type: 'BYTE_ARRAY', maxDefinitionLevel: 1, codec: 'SNAPPY' },
    counting.map((_, i) => (i % 1000 > 990 ? null : words[i % 500])),
    {}
  )
  large(
    'all-null',
    { type: 'INT64', maxDefinitionLevel: 1 },
    counting.map(() => null),
    {}
  )
  large(
    'fixed-5-snappy',
    { type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 5, maxDefinitionLevel: 1, codec: 'SNAPPY' },
    withNulls(
      counting.map((_, i) => Uint8Array.of(i % 250, 1, 2, i % 50, 4)),
      'alternate',
      random
    ),
    {}
  )
}
