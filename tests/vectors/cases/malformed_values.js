/**
 * Levels and values, PLAIN and DELTA_BINARY_PACKED, that are wrong in one place.
 */
import { concatBytes, fromHex } from '../../reference/bytes.js'
import { encodeDelta } from '../../reference/delta.js'
import { encodePages, withLength } from '../../reference/page.js'
import { Random } from '../../reference/random.js'
import { grouped } from './malformed.js'

/** @typedef {import('../../reference/page.js').Column} Column */
/** @typedef {import('../../reference/page.js').PageSpec} PageSpec */
/** @typedef {import('../../reference/page_header.js').PageHeader} PageHeader */
/** @typedef {import('./malformed.js').Status} Status */

/** @type {Column} */
const OPTIONAL = { type: 'INT32', maxDefinitionLevel: 1 }

/** @param {import('../suite.js').Suite} suite */
export function levelCases(suite) {
  const bad = grouped(suite, 'levels')
  const values = [1, 2, 3, 4, 5, 6, 7, 8, 9]
  for (const version of /** @type {const} */ ([1, 2])) {
    /**
     * @param {string} name
     * @param {string} hex of the runs
     * @param {Status} status
     * @param {string} [note]
     */
    const runs = (name, hex, status, note) =>
      bad(
        `${name}-v${version}`,
        OPTIONAL,
        {
          version,
          values,
          definitionSection: version === 1 ? withLength(fromHex(hex)) : fromHex(hex),
        },
        status,
        note
      )
    runs('too-few-rle', '10 01', 'TRUNCATED', '8 levels for 9 entries')
    runs('too-few-packed', '03 FF', 'TRUNCATED')
    runs('none', '', 'TRUNCATED')
    runs('run-cut', '12', 'TRUNCATED')
    runs('empty-run', '02 01 00 01 10 01', 'CORRUPT')
    runs('empty-packed-run', '02 01 01 10 01', 'CORRUPT')
    runs('above-maximum-1', '12 02', 'CORRUPT', 'a run of level 2')
    runs('above-maximum-later', '02 01 10 FF', 'CORRUPT')
    for (const maximum of [2, 5]) {
      const width = maximum.toString(2).length
      const column = { type: /** @type {const} */ ('INT32'), maxDefinitionLevel: maximum }
      const packed = width === 2 ? fromHex('02 02 03 AA EA') : fromHex('02 05 03 6D DB FE')
      const run = Uint8Array.of(2, maximum, 16, maximum + 1)
      for (const [kind, section] of Object.entries({ packed, run })) {
        bad(
          `above-maximum-${maximum}-${kind}-v${version}`,
          column,
          { version, values, definitionSection: version === 1 ? withLength(section) : section },
          'CORRUPT'
        )
      }
    }
  }
  bad(
    'length-beyond-page',
    OPTIONAL,
    { values, definitionSection: withLength(fromHex('12 01'), 1000) },
    'TRUNCATED'
  )
  bad(
    'length-of-4-gib',
    OPTIONAL,
    { values, definitionSection: withLength(fromHex('12 01'), 2 ** 32 - 1) },
    'TRUNCATED'
  )
  bad(
    'length-cut',
    OPTIONAL,
    { values: new Array(9).fill(null), definitionSection: fromHex('02 00 00') },
    'TRUNCATED'
  )
  bad(
    'length-0',
    OPTIONAL,
    { values, definitionSection: withLength(fromHex('')) },
    'TRUNCATED',
    'a length of 0 is a length'
  )
  bad(
    'length-shorter-than-levels',
    OPTIONAL,
    { values, definitionSection: withLength(fromHex('12 01'), 1) },
    'TRUNCATED'
  )
}

/**
 * Levels of a repeated leaf, read as stored values with levels.
 * @param {import('../suite.js').Suite} suite
 */
export function repetitionCases(suite) {
  /** @type {Column} */
  const column = { type: 'INT32', maxDefinitionLevel: 2, maxRepetitionLevel: 2 }
  const definitionLevels = [2, 2, 0, 2, 1, 2, 2, 2, 2]
  const repetitionLevels = [0, 1, 0, 0, 0, 2, 1, 2, 0]
  /** @type {import('../../reference/page.js').DataSpec} */
  const page = { values: [1, 2, 3, 4, 5, 6, 7], definitionLevels, repetitionLevels }
  /**
   * @param {string} name
   * @param {import('../../reference/page.js').DataSpec} spec
   * @param {Status} status
   */
  const bad = (name, spec, status) =>
    suite.page({
      name: `malformed/repetition/${name}`,
      column,
      keep: 'levels',
      status,
      chunk: encodePages(column, [page, { ...page, ...spec }]),
    })
  for (const version of /** @type {const} */ ([1, 2])) {
    /**
     * @param {string} name
     * @param {string} hex of the runs
     * @param {Status} status
     */
    const runs = (name, hex, status) => {
      const repetitionSection = version === 1 ? withLength(fromHex(hex)) : fromHex(hex)
      bad(`${name}-v${version}`, { version, repetitionSection }, status)
    }
    runs('too-few', '0A 00 06 01', 'TRUNCATED')
    runs('none', '', 'TRUNCATED')
    runs('above-maximum-run', '08 00 0A 03', 'CORRUPT')
    runs('above-maximum-packed', '02 00 03 55 C0', 'CORRUPT')
    runs('empty-run', '08 00 00 00 0A 00', 'CORRUPT')
  }
  bad('length-beyond-page', { repetitionSection: withLength(fromHex('12 00'), 1000) }, 'TRUNCATED')
  for (const numRows of [4, 6]) {
    /** @param {import('../../reference/page_header.js').PageHeader} header */
    const edit = (header) => {
      if (header.dataV2) header.dataV2.numRows = numRows
    }
    bad(`num-rows-${numRows}-of-5`, { version: 2, edit }, 'CORRUPT')
  }
}

/** @param {import('../suite.js').Suite} suite */
export function plainCases(suite) {
  const bad = grouped(suite, 'plain')
  const random = new Random(400)
  for (const [
    type,
    size,
    typeLength,
  ] of /** @type {[import('../../reference/plain.js').Type, number, number?][]} */ ([
    ['INT32', 4],
    ['INT64', 8],
    ['INT96', 12],
    ['FLOAT', 4],
    ['DOUBLE', 8],
    ['FIXED_LEN_BYTE_ARRAY', 5, 5],
  ])) {
    const name = type.toLowerCase().replaceAll('_', '-')
    const column = { type, typeLength }
    const values = Array.from({ length: 100 }, () => random.bytes(size))
    const section = concatBytes(...values)
    bad(`${name}-cut`, column, { values, section: section.subarray(0, -1) }, 'TRUNCATED')
    bad(`${name}-none`, column, { values, section: section.subarray(0, 0) }, 'TRUNCATED')
    bad(
      `${name}-huge-count`,
      column,
      {
        values,
        edit: (header) => {
          if (header.data) header.data.numValues = 2 ** 31 - 1
        },
      },
      'TRUNCATED',
      '2^31 - 1 values announced'
    )
    bad(
      `${name}-nulls-cut-v2`,
      { ...column, maxDefinitionLevel: 1 },
      { version: 2, values: [...values, null], section: section.subarray(0, -1) },
      'TRUNCATED'
    )
  }
  const booleans = new Array(100).fill(true)
  bad('boolean-cut', { type: 'BOOLEAN' }, { values: booleans, section: new Uint8Array(12) }, 'TRUNCATED')
  bad(
    'boolean-huge-count',
    { type: 'BOOLEAN' },
    {
      values: booleans,
      edit: (header) => {
        if (header.data) header.data.numValues = 2 ** 31 - 1
      },
    },
    'TRUNCATED'
  )
  const strings = { type: /** @type {const} */ ('BYTE_ARRAY') }
  bad('byte-array-none', strings, { values: ['a'], section: fromHex('') }, 'TRUNCATED')
  bad(
    'byte-array-length-cut',
    strings,
    { values: ['a', 'b'], section: fromHex('01000000 61 0100') },
    'TRUNCATED'
  )
  bad(
    'byte-array-bytes-cut',
    strings,
    { values: ['a', 'bcd'], section: fromHex('01000000 61 03000000 62') },
    'TRUNCATED'
  )
  bad(
    'byte-array-length-beyond',
    strings,
    { values: ['a', 'b'], section: fromHex('01000000 61 02000000 62') },
    'TRUNCATED'
  )
  bad(
    'byte-array-length-negative',
    strings,
    { values: ['a', 'b'], section: fromHex('FFFFFFFF 61 01000000 62') },
    'TRUNCATED',
    'read as signed it would be -1'
  )
  bad(
    'byte-array-lowest-length',
    strings,
    { values: ['a', 'b'], section: fromHex('00000080 61 01000000 62') },
    'TRUNCATED'
  )
  bad(
    'byte-array-huge-count',
    strings,
    {
      values: ['', ''],
      edit: (header) => {
        if (header.data) header.data.numValues = 2 ** 31 - 1
      },
    },
    'TRUNCATED'
  )
  for (const version of /** @type {const} */ ([1, 2])) {
    const rle = (/** @type {string} */ name, /** @type {Uint8Array} */ section, /** @type {Status} */ status) =>
      bad(
        `boolean-rle-${name}-v${version}`,
        { type: 'BOOLEAN' },
        { version, encoding: 'RLE', values: new Array(9).fill(true), section },
        status
      )
    rle('none', fromHex(''), 'TRUNCATED')
    rle('length-cut', fromHex('02 00'), 'TRUNCATED')
    rle('length-beyond', withLength(fromHex('12 01'), 3), 'TRUNCATED')
    rle('length-of-4-gib', withLength(fromHex('12 01'), 2 ** 32 - 1), 'TRUNCATED')
    rle('length-too-short', withLength(fromHex('12 01'), 1), 'TRUNCATED')
    rle('too-few', withLength(fromHex('10 01')), 'TRUNCATED')
    rle('empty-run', withLength(fromHex('10 01 00 01')), 'CORRUPT')
    rle('value-2', withLength(fromHex('12 02')), 'CORRUPT')
  }
}

/** @param {import('../suite.js').Suite} suite */
export function deltaCases(suite) {
  const bad = grouped(suite, 'delta')
  const values = Array.from({ length: 70 }, (_, i) => BigInt((i * i) % 51))
  const nulls = [null, ...values, null]
  for (const type of /** @type {const} */ (['INT32', 'INT64'])) {
    const bits = type === 'INT32' ? 32 : 64
    const name = type.toLowerCase()
    const stream = encodeDelta(values, bits)
    const column = { type, maxDefinitionLevel: 1 }
    const section = (
      /** @type {string} */ what,
      /** @type {Uint8Array} */ bytes,
      /** @type {Status} */ status,
      /** @type {string} */ note = ''
    ) =>
      bad(
        `${name}-${what}`,
        column,
        { version: 2, encoding: 'DELTA_BINARY_PACKED', values: nulls, section: bytes },
        status,
        note || undefined
      )
    section('body-cut', stream.subarray(0, -1), 'TRUNCATED')
    section(
      'body-cut-to-its-values',
      stream.subarray(0, -20),
      'TRUNCATED',
      'the padding of the last body is missing'
    )
    section('none', stream.subarray(0, 0), 'TRUNCATED')
    section('header-cut', stream.subarray(0, 4), 'TRUNCATED')
    section('widths-cut', stream.subarray(0, 8), 'TRUNCATED')
    section('bytes-after', concatBytes(stream, [0]), 'CORRUPT', 'the stream is the whole section')
    section(
      'one-value-fewer',
      encodeDelta(values.slice(1), bits),
      'CORRUPT',
      'the count of the stream against the levels'
    )
    section('one-value-more', encodeDelta([...values, 1n], bits), 'CORRUPT')
    section('more-than-entries', encodeDelta([...values, 1n, 2n, 3n], bits), 'CORRUPT')
    section('huge-count', concatBytes(fromHex('80 01 04 FF FF FF FF 07 00'), new Uint8Array(400)), 'CORRUPT')
    section('no-values', encodeDelta([], bits), 'CORRUPT')
    section('geometry', fromHex('80 01 08 46 00 00 00 00 00 00 00 00 00 00'), 'CORRUPT')
    const wide = stream.slice()
    wide[6] = bits + 1
    section('width', concatBytes(wide, new Uint8Array(300)), 'CORRUPT')
    bad(
      `${name}-values-for-nulls`,
      column,
      { encoding: 'DELTA_BINARY_PACKED', values: [null, null], section: encodeDelta([5n], bits) },
      'CORRUPT',
      'a value, and no entry that wants it'
    )
  }
}
