/** Lists, maps and structs, as writers of all times wrote them. */
import { Pairs, structOf } from '../plain.js'
import { treeFile } from '../tree_file.js'

/** @typedef {import('../tree_file.js').Node} Node */
/** @typedef {import('./pages.js').Feature} Feature */

const LIST = { convertedType: 3 }
const MAP = { convertedType: 1 }

/** @param {string} name @param {Node['repetition']} [repetition] @returns {Node} */
const int = (name, repetition = 'OPTIONAL') => ({ name, repetition, type: 'INT32' })
/** @param {string} name @param {Node['repetition']} repetition @param {Node[]} children @param {object} [more] @returns {Node} */
const group = (name, repetition, children, more = {}) => ({ name, repetition, children, ...more })
/** @param {string} name @param {Node} element @returns {Node} a list as the format wants it */
const list = (name, element) => group(name, 'OPTIONAL', [group('list', 'REPEATED', [element])], LIST)
/** @param {any[] | null} items @param {(item: any) => any} [each] */
const items = (items, each = (item) => item) =>
  items && { list: items.map((item) => ({ element: each(item) })) }

/**
 * @param {string} name
 * @param {Node} field whose name is x
 * @param {[record: any, value: any][]} rows
 * @param {import('../tree_file.js').TreeOptions} [options]
 * @returns {Feature}
 */
function feature(name, field, rows, options) {
  const records = rows.map(([x]) => ({ x }))
  return { name, bytes: treeFile([field], records, options), values: rows.map(([, value]) => value) }
}

const key = int('key', 'REQUIRED')
/** @param {any[]} rows a list or null each */
const ints = (rows) =>
  rows.map(
    (row) => /** @type {[any, any]} */ ([items(row), row === null ? null : row.map((n) => n && BigInt(n))])
  )
const LISTS = [[1, null, 2], null, [], [null], [3]]

/** @param {number} depth */
function deepList(depth) {
  let node = int('element')
  for (let i = 1; i < depth; i++) node = list('element', node)
  return list('x', node)
}

/** @param {any} value nested arrays @returns {any} */
const deepItems = (value) => (Array.isArray(value) ? items(value, deepItems) : value)
/** @param {any} value @returns {any} */
const deepInts = (value) => (Array.isArray(value) ? value.map(deepInts) : value === null ? null : BigInt(value))
/** @param {string} name @param {number} depth @param {any[]} rows */
const deep = (name, depth, rows) =>
  feature(
    name,
    deepList(depth),
    rows.map((row) => [deepItems(row), deepInts(row)])
  )

/** @param {Record<string, any>} fields */
const struct = (fields) => structOf(Object.keys(fields), Object.values(fields))

/** @returns {Feature[]} */
function lists() {
  const bare = (/** @type {any[]} */ rows) =>
    rows.map((row) => /** @type {[any, any]} */ ([row, row.map(BigInt)]))
  return [
    feature('list', list('x', int('element')), ints(LISTS)),
    feature('list, its first page ends in the middle of a row (V1)', list('x', int('element')), ints(LISTS), {
      pages: ({ stored, definitionLevels: d, repetitionLevels: r }) => [
        { values: stored.slice(0, 1), definitionLevels: d.slice(0, 2), repetitionLevels: r.slice(0, 2) },
        { values: stored.slice(1), definitionLevels: d.slice(2), repetitionLevels: r.slice(2) },
      ],
    }),
    feature('list, V2 pages', list('x', int('element')), ints(LISTS), {
      pages: ({ stored, ...levels }) => [{ ...levels, values: stored, version: 2 }],
    }),
    deep('list of lists of lists', 3, [[[[1, 2], []], null], null, [], [[], [null, [3, null]]]]),
    deep('list five deep', 5, [[[[[[1], null, []]], []]], null, [[[[[2, 3]]]]]]),
    feature(
      'list of two levels, as Avro and Thrift wrote it',
      group('x', 'OPTIONAL', [int('array', 'REPEATED')], LIST),
      [
        [{ array: [1, 2] }, [1n, 2n]],
        [null, null],
        [{ array: [] }, []],
      ]
    ),
    feature(
      'list of structs of two levels',
      group('x', 'OPTIONAL', [group('array', 'REPEATED', [int('a')])], LIST),
      [
        [{ array: [{ a: 1 }, { a: null }] }, [struct({ a: 1n }), struct({ a: null })]],
        [null, null],
      ]
    ),
    feature('repeated field without annotation', int('x', 'REPEATED'), bare([[1, 2], [], [3]])),
    feature('repeated group without annotation', group('x', 'REPEATED', [int('a'), int('b', 'REQUIRED')]), [
      [
        [
          { a: 1, b: 2 },
          { a: null, b: 3 },
        ],
        [struct({ a: 1n, b: 2n }), struct({ a: null, b: 3n })],
      ],
      [[], []],
    ]),
    feature(
      'list of structs of lists',
      list('x', group('element', 'OPTIONAL', [int('a'), list('b', int('element'))])),
      [
        [
          items([{ a: 1, b: items([2, null]) }, null, { a: null, b: null }]),
          [struct({ a: 1n, b: [2n, null] }), null, struct({ a: null, b: null })],
        ],
        [null, null],
        [items([]), []],
      ]
    ),
  ]
}

/** @returns {Feature[]} */
function maps() {
  const pairs = [
    [1, 10],
    [2, null],
  ]
  const entries = pairs.map(([k, value]) => ({ key: k, value }))
  const plain = new Pairs([
    [1n, 10n],
    [2n, null],
  ])
  /** @type {[any, any][]} */
  const rows = [
    [{ key_value: entries }, plain],
    [null, null],
    [{ key_value: [] }, new Pairs([])],
  ]
  const inner = group('value', 'OPTIONAL', [group('key_value', 'REPEATED', [key, int('value')])], MAP)
  return [
    feature('map', group('x', 'OPTIONAL', [group('key_value', 'REPEATED', [key, int('value')])], MAP), rows),
    feature(
      'map annotated MAP_KEY_VALUE',
      group('x', 'OPTIONAL', [group('map', 'REPEATED', [key, int('value')])], { convertedType: 2 }),
      [
        [{ map: entries }, plain],
        [null, null],
      ]
    ),
    feature('map of maps', group('x', 'OPTIONAL', [group('key_value', 'REPEATED', [key, inner])], MAP), [
      [{ key_value: [{ key: 5, value: { key_value: entries } }] }, new Pairs([[5n, plain]])],
      [null, null],
    ]),
    feature('map without values', group('x', 'OPTIONAL', [group('key_value', 'REPEATED', [key])], MAP), [
      [
        { key_value: [{ key: 1 }, { key: 2 }] },
        new Pairs([
          [1n, null],
          [2n, null],
        ]),
      ],
    ]),
    feature(
      'map with optional keys',
      group('x', 'OPTIONAL', [group('key_value', 'REPEATED', [int('key'), int('value')])], MAP),
      [[{ key_value: entries }, plain]]
    ),
  ]
}

/** @returns {Feature[]} */
function structs() {
  let node = int('e')
  let [record, value] = /** @type {any[]} */ ([{ e: 7 }, struct({ e: 7n })])
  for (const name of ['d', 'c', 'b', 'a']) {
    node = group(name, 'OPTIONAL', [node])
    record = { [name]: record }
    value = struct({ [name]: value })
  }
  return [
    feature('struct', group('x', 'OPTIONAL', [int('a'), int('b', 'REQUIRED')]), [
      [{ a: 1, b: 2 }, struct({ a: 1n, b: 2n })],
      [null, null],
      [{ a: null, b: 3 }, struct({ a: null, b: 3n })],
    ]),
    feature('struct, REQUIRED', group('x', 'REQUIRED', [int('a')]), [
      [{ a: 1 }, struct({ a: 1n })],
      [{ a: null }, struct({ a: null })],
    ]),
    feature('struct five deep', group('x', 'OPTIONAL', [node]), [
      [record, value],
      [{ a: null }, struct({ a: null })],
      [{ a: { b: { c: null } } }, struct({ a: struct({ b: struct({ c: null }) }) })],
      [null, null],
    ]),
  ]
}

/** @type {[string, () => Feature[]][]} */
export const NESTING_FEATURES = [['Nesting', () => [...lists(), ...maps(), ...structs()]]]
