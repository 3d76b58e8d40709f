/**
 * Columns in BYTE_STREAM_SPLIT, measured like the others.
 */
import { runFile } from './files.js'

/**
 * @param {string} name
 * @param {number} rounds
 * @returns {Promise<import('../results.js').Result[]>}
 */
export const run = (name, rounds) => runFile('bss', name, rounds)
