/**
 * Levels of old files: encoding BIT_PACKED in V1 pages, most significant bit first and without a length.
 */
import { packBitsBigEndian } from '../../reference/bitpack.js'
import { ENCODINGS } from '../../reference/names.js'
import { encodePages, withLength } from '../../reference/page.js'
import { Random } from '../../reference/random.js'
import { encodeHybrid } from '../../reference/rle.js'
import { cut, NULL_PATTERNS, valuesOf, withNulls } from './columns.js'
import { grouped } from './malformed.js'

/** @typedef {import('../../reference/page.js').Column} Column */
/** @typedef {import('../../reference/page.js').DataSpec} DataSpec */

const BIT_PACKED = /** @type {const} */ ('BIT_PACKED')

/** @param {import('../suite.js').Suite} suite */
export function bitPackedLevelCases(suite) {
  const random = new Random(700)
  for (const type of /** @type {const} */ (['INT32', 'BOOLEAN', 'BYTE_ARRAY'])) {
    for (const pattern of Object.keys(NULL_PATTERNS)) {
      /** @type {Column} */
      const column = { type, maxDefinitionLevel: 1 }
      const entries = withNulls(valuesOf(type, 0, 170, random), pattern, random)
      suite.page({
        name: `levels/bit-packed/${type.toLowerCase().replaceAll('_', '-')}-nulls-${pattern}`,
        column,
        entries,
        chunk: encodePages(
          column,
          cut(entries).map((values, i) => ({ values, levelEncoding: i === 4 ? 'RLE' : BIT_PACKED }))
        ),
      })
    }
  }
  for (let maximum = 1; maximum <= 17; maximum++) {
    const column = { type: /** @type {const} */ ('INT32'), maxDefinitionLevel: maximum }
    const values = valuesOf('INT32', 0, 300, random)
    const levels = values.map(() => (random.below(3) ? maximum : random.below(maximum)))
    const entries = values.map((value, i) => (levels[i] === maximum ? value : null))
    const parts = cut(levels, [90, 7, 0, 130])
    suite.page({
      name: `levels/bit-packed/maximum-${maximum}`,
      column,
      entries,
      chunk: encodePages(
        column,
        cut(entries, [90, 7, 0, 130]).map((part, i) => ({
          values: part,
          definitionLevels: parts[i],
          levelEncoding: BIT_PACKED,
        }))
      ),
    })
  }
  repeatedCases(suite, random)
}

/**
 * Both levels of a repeated leaf in either encoding.
 * @param {import('../suite.js').Suite} suite
 * @param {Random} random
 */
function repeatedCases(suite, random) {
  for (const [maxDefinitionLevel, maxRepetitionLevel] of [
    [1, 1],
    [3, 1],
    [5, 3],
  ]) {
    /** @type {Column} */
    const column = { type: 'INT64', maxDefinitionLevel, maxRepetitionLevel }
    const definition = Array.from({ length: 150 }, () =>
      random.below(3) ? maxDefinitionLevel : random.below(maxDefinitionLevel + 1)
    )
    const repetition = definition.map((level, i) =>
      i && level === maxDefinitionLevel ? random.below(maxRepetitionLevel + 1) : 0
    )
    const values = valuesOf(
      'INT64',
      0,
      definition.filter((level) => level === maxDefinitionLevel).length,
      random
    )
    for (const [what, encodings] of /** @type {[string, string[]][]} */ ([
      ['both', ['BIT_PACKED', 'BIT_PACKED']],
      ['repetition', ['BIT_PACKED', 'RLE']],
      ['definition', ['RLE', 'BIT_PACKED']],
    ])) {
      /** @param {string} encoding @param {number[]} levels @param {number} maximum */
      const section = (encoding, levels, maximum) => {
        const width = maximum.toString(2).length
        return encoding === 'RLE' ? withLength(encodeHybrid(levels, width)) : packBitsBigEndian(levels, width)
      }
      suite.page({
        name: `levels/bit-packed/maximum-${maxDefinitionLevel}-${maxRepetitionLevel}-${what}`,
        column,
        keep: 'levels',
        chunk: encodePages(column, [
          {
            values,
            definitionLevels: definition,
            repetitionLevels: repetition,
            repetitionSection: section(encodings[0], repetition, maxRepetitionLevel),
            definitionSection: section(encodings[1], definition, maxDefinitionLevel),
            edit: (header) => {
              if (!header.data) return
              header.data.repetitionEncoding = ENCODINGS[encodings[0]]
              header.data.definitionEncoding = ENCODINGS[encodings[1]]
            },
          },
        ]),
      })
    }
  }
}

/** @param {import('../suite.js').Suite} suite */
export function malformedBitPackedLevelCases(suite) {
  const bad = grouped(suite, 'bit-packed-levels')
  const nine = Array.from({ length: 9 }, () => null)
  /**
   * @param {string} name
   * @param {number} maxDefinitionLevel
   * @param {number[]} bytes of the level section, which nothing follows
   * @param {import('./malformed.js').Status} status
   */
  const one = (name, maxDefinitionLevel, bytes, status) =>
    bad(
      name,
      { type: 'INT32', maxDefinitionLevel },
      { values: nine, levelEncoding: BIT_PACKED, definitionSection: Uint8Array.from(bytes) },
      status
    )
  one('none', 1, [], 'TRUNCATED')
  one('cut-1', 1, [0], 'TRUNCATED')
  one('cut-3', 3, [0, 0], 'TRUNCATED')
  one('values-missing', 1, [0xff, 0x80], 'TRUNCATED')
  one('above-maximum-2', 2, [0, 0, 0xc0], 'CORRUPT')
  one('above-maximum-5', 5, [0xc0, 0, 0, 0], 'CORRUPT')
  bad(
    'huge-count',
    { type: 'INT32', maxDefinitionLevel: 7 },
    {
      values: nine,
      levelEncoding: BIT_PACKED,
      edit: (header) => {
        if (header.data) header.data.numValues = 2 ** 31 - 1
      },
    },
    'TRUNCATED'
  )
  suite.page({
    name: 'malformed/bit-packed-levels/repetition-above-maximum',
    column: { type: 'INT32', maxDefinitionLevel: 1, maxRepetitionLevel: 2 },
    keep: 'levels',
    chunk: encodePages({ type: 'INT32', maxDefinitionLevel: 1, maxRepetitionLevel: 2 }, [
      { values: nine, levelEncoding: BIT_PACKED, repetitionSection: Uint8Array.of(0x0c, 0, 0) },
    ]),
    status: 'CORRUPT',
  })
  bad(
    'values',
    { type: 'INT32' },
    {
      values: [1, 2],
      edit: (header) => {
        if (header.data) header.data.encoding = ENCODINGS.BIT_PACKED
      },
    },
    'UNSUPPORTED',
    'BIT_PACKED is for levels'
  )
}
