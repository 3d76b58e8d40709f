/** A file of known content, with several row groups and pages, and what reading it has to give. */
import { parquetWriteBuffer } from 'hyparquet-writer'

export const NUM_ROWS = 2345
export const GROUP_ROWS = 1000

/**
 * @template T
 * @param {(i: number) => T} make
 * @returns {T[]}
 */
const rowsOf = (make) => Array.from({ length: NUM_ROWS }, (_, i) => make(i))

/**
 * @template T
 * @param {(i: number) => T} make
 * @returns {(T | null)[]} every 7th missing, and a run of more than a page
 */
const withNulls = (make) => rowsOf((i) => (i % 7 === 3 || (i > 1100 && i < 1700) ? null : make(i)))

/** Values as get() has to give them. */
export const EXPECTED = {
  int: rowsOf((i) => ((i * 2654435761) | 0) >> (i % 31)),
  long: rowsOf((i) => BigInt(i) ** 5n * (i % 2 === 0 ? 1n : -1n)),
  delta: rowsOf((i) => BigInt(1e12 + i * 1000 + ((i * 7919) % 613))),
  double: rowsOf((i) => Math.fround(i / 3) * (i % 5 === 0 ? -1 : 1)),
  flag: rowsOf((i) => i % 3 === 0),
  word: rowsOf((i) => ['alpha', 'βήτα', '', 'delta', 'epsilon 🙂'][(i * 3 + (i >> 4)) % 5]),
  text: rowsOf((i) => `row ${i} ${'x'.repeat(i % 40)}`),
  maybeInt: withNulls((i) => i - 1000),
  maybeFlag: withNulls((i) => i % 2 === 0),
  maybeText: withNulls((i) => `${i % 13}`.repeat(i % 4)),
  late: rowsOf((i) => (i > 2000 && i % 3 === 0 ? null : i)),
  when: rowsOf((i) => new Date(1.6e12 + i * 86400123)),
  nothing: rowsOf(() => null),
}

/** @type {Record<string, object>} */
const COLUMNS = {
  int: { type: 'INT32', nullable: false, encoding: 'PLAIN' },
  long: { type: 'INT64', nullable: false, encoding: 'PLAIN' },
  delta: { type: 'INT64', nullable: false, encoding: 'DELTA_BINARY_PACKED' },
  double: { type: 'DOUBLE', nullable: false },
  flag: { type: 'BOOLEAN', nullable: false },
  word: { type: 'STRING', nullable: false },
  text: { type: 'STRING', nullable: false },
  maybeInt: { type: 'INT32' },
  maybeFlag: { type: 'BOOLEAN' },
  maybeText: { type: 'STRING' },
  late: { type: 'INT32' },
  when: { type: 'TIMESTAMP', nullable: false },
  nothing: { type: 'INT32' },
}

/** @returns {Uint8Array} the file */
export function writtenFile() {
  const columnData = Object.entries(COLUMNS).map(([name, options]) => ({
    name,
    data: /** @type {Record<string, any[]>} */ (EXPECTED)[name],
    ...options,
  }))
  return new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: GROUP_ROWS, pageSize: 1500 }))
}

/**
 * @param {Record<string, any[]>} columns
 * @param {object} [options]
 * @returns {Uint8Array} a file of these columns
 */
export function fileOf(columns, options = {}) {
  const columnData = Object.entries(columns).map(([name, data]) => ({ name, data }))
  return new Uint8Array(parquetWriteBuffer({ columnData, ...options }))
}

/**
 * @param {string} code
 * @param {RegExp} [message]
 * @returns {(error: any) => true}
 */
export function failsWith(code, message) {
  return (error) => {
    if (error?.name !== 'PagelaneError' || error.code !== code) throw error
    if (message !== undefined && !message.test(error.message)) {
      throw new Error(`the message ${JSON.stringify(error.message)} does not match ${message}`)
    }
    return true
  }
}
