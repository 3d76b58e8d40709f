/**
 * What the files of malformed cases have in common. The rule for the status: TRUNCATED where the input ends before what it
 * announces, CORRUPT where a number or a bit contradicts the format or another number.
 */
import { encodePages } from '../../reference/page.js'

/** @typedef {import('../../reference/page.js').Column} Column */
/** @typedef {import('../../reference/page.js').PageSpec} PageSpec */
/** @typedef {'TRUNCATED' | 'CORRUPT' | 'UNSUPPORTED' | 'LIMIT'} Status */

/**
 * Writes cases of one group: a good page before the bad one, so that the error comes after rows were kept.
 * @param {import('../suite.js').Suite} suite
 * @param {string} group
 */
export function grouped(suite, group) {
  /**
   * @param {string} name
   * @param {Column} column
   * @param {PageSpec | PageSpec[] | Uint8Array} page
   * @param {Status} status
   * @param {string} [note]
   */
  return (name, column, page, status, note) => {
    const chunk = page instanceof Uint8Array ? page : encodePages(column, Array.isArray(page) ? page : [page])
    suite.page({ name: `malformed/${group}/${name}`, column, chunk, status, note })
  }
}
