/**
 * Dictionary pages and indices that are wrong in one place.
 */
import { fromHex } from '../../reference/bytes.js'
import { grouped } from './malformed.js'

/** @typedef {import('../../reference/page.js').Column} Column */
/** @typedef {import('../../reference/page.js').PageSpec} PageSpec */
/** @typedef {import('../../reference/page_header.js').PageHeader} PageHeader */
/** @typedef {import('./malformed.js').Status} Status */

/** @type {Column} */
const INT32 = { type: 'INT32' }

/** @param {import('../suite.js').Suite} suite */
export function dictionaryCases(suite) {
  const bad = grouped(suite, 'dictionary')
  const types = /** @type {[string, Column, import('../../reference/plain.js').Value[]][]} */ ([
    ['int32', { type: 'INT32' }, [70, 71, 72]],
    ['int64', { type: 'INT64' }, [70, 71, 72]],
    ['byte-array', { type: 'BYTE_ARRAY' }, ['a', '', 'ccc']],
    ['int96', { type: 'INT96' }, [70, 71, 72].map((byte) => new Uint8Array(12).fill(byte))],
  ])
  const indices = new Array(100).fill(0)
  /* 96 indices 0 of 2 bits */
  const packed = '00'.repeat(24)
  for (const [name, column, dictionary] of types) {
    const section = (
      /** @type {string} */ what,
      /** @type {string} */ hex,
      /** @type {Status} */ status,
      /** @type {string} */ note = ''
    ) =>
      bad(
        `${name}-${what}`,
        column,
        [{ dictionary }, { encoding: 'RLE_DICTIONARY', indices, section: fromHex(hex) }],
        status,
        note || undefined
      )
    section('index-in-run', '02 C0 01 00 08 03', 'CORRUPT', 'entry 3 of 3')
    section('index-in-first-run', '02 C8 01 03', 'CORRUPT')
    section('index-in-packed', `02 1B ${packed} 30 00`, 'CORRUPT')
    section('index-in-packed-end', `02 1B ${packed} C0 00`, 'CORRUPT')
    section('packed-cut', `02 1B ${packed}`, 'TRUNCATED', '96 of 100 indices')
    section('index-of-32-bits', '20 C8 01 FF FF FF FF', 'CORRUPT')
    section(
      'packed-index-of-32-bits',
      `20 1B ${'00000000'.repeat(61)} 00000080 ${'00000000'.repeat(42)}`,
      'CORRUPT',
      'read as signed it would be below 0'
    )
    section('width-33', '21 C8 01 00 00 00 00 00', 'CORRUPT')
    section('width-255', 'FF C8 01 00', 'CORRUPT')
    section('empty-body', '', 'TRUNCATED')
    section('width-alone', '02', 'TRUNCATED')
    section('too-few', '02 C6 01 00', 'TRUNCATED')
    section('empty-run', '02 C6 01 00 00 00 08 00', 'CORRUPT')
    bad(
      `${name}-none`,
      column,
      { encoding: 'RLE_DICTIONARY', indices: [0, 0] },
      'CORRUPT',
      'no dictionary page before'
    )
    bad(
      `${name}-no-entries`,
      column,
      [{ dictionary: [] }, { encoding: 'RLE_DICTIONARY', indices: [0, 0] }],
      'CORRUPT'
    )
    bad(
      `${name}-second`,
      column,
      [{ dictionary }, { encoding: 'RLE_DICTIONARY', indices: [1, 0] }, { dictionary }],
      'CORRUPT',
      'a second dictionary page'
    )
    bad(
      `${name}-late`,
      column,
      [{ values: dictionary }, { dictionary }, { encoding: 'RLE_DICTIONARY', indices: [1, 0] }],
      'CORRUPT',
      'a dictionary page after a data page'
    )
    const count = (/** @type {string} */ what, /** @type {number} */ n, /** @type {Status} */ status) =>
      bad(
        `${name}-${what}`,
        column,
        [
          {
            dictionary,
            edit: (header) => {
              if (header.dictionary) header.dictionary.numValues = n
            },
          },
          { encoding: 'RLE_DICTIONARY', indices: [1, 0] },
        ],
        status
      )
    count('entries-missing', 4, 'TRUNCATED')
    count('entries-negative', -1, 'CORRUPT')
    count('entries-huge', 2 ** 31 - 1, 'TRUNCATED')
  }
  bad(
    'page-without-its-header',
    INT32,
    [
      {
        dictionary: [1],
        edit: (header) => {
          delete header.dictionary
        },
      },
    ],
    'CORRUPT'
  )
  bad(
    'page-in-another-encoding',
    INT32,
    [
      { dictionary: [1], encoding: 'RLE' },
      { encoding: 'RLE_DICTIONARY', indices: [0, 0] },
    ],
    'UNSUPPORTED'
  )
  bad(
    'last-index-of-65537',
    INT32,
    [{ dictionary: [7, 8] }, { encoding: 'RLE_DICTIONARY', indices: [0, 1, 65536], indexWidth: 17 }],
    'CORRUPT',
    'its low 16 bits are 0'
  )
}
