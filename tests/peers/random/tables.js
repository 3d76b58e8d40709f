/** Tables made of a seed, in files of four writers. */
import { Random } from '../../reference/random.js'
import { pyarrowVersion } from '../pyarrow.js'
import { randomType, randomValues } from './types.js'
import { ARROW_ABILITIES, writeArrowRs } from './write_arrow_rs.js'
import { DUCKDB_ABILITIES, writeDuckdb } from './write_duckdb.js'
import { HYPARQUET_ABILITIES, writeHyparquet } from './write_hyparquet.js'
import { writePyarrow } from './write_pyarrow.js'

/** @typedef {import('./arrow_table.js').RandomColumn} RandomColumn */
/**
 * @typedef {object} Writer
 * @property {string} name
 * @property {import('./types.js').Abilities} abilities
 * @property {(random: Random, columns: RandomColumn[], path: string) => Written | Promise<Written>} write `path`: free for its use
 * @property {string} [missing] why it cannot be used here
 */
/** @typedef {{ bytes: Uint8Array, how: string }} Written how: the options, for people */

/** @type {Writer[]} */
export const writers = [
  { name: 'arrow-rs', abilities: ARROW_ABILITIES, write: writeArrowRs },
  { name: 'DuckDB', abilities: DUCKDB_ABILITIES, write: writeDuckdb },
  {
    name: 'pyarrow',
    abilities: ARROW_ABILITIES,
    write: writePyarrow,
    missing: pyarrowVersion === null ? 'pyarrow is not here' : undefined,
  },
  { name: 'hyparquet-writer', abilities: HYPARQUET_ABILITIES, write: writeHyparquet },
]

const MAX_DEPTH = 5
const ROWS = [0, 1, 7, 50, 300, 1000, 2500]

/**
 * @param {Writer} writer
 * @param {number} seed
 * @param {string} path free for the writer's use
 * @returns {Promise<Written & { columns: RandomColumn[], random: Random }>}
 */
export async function randomTable(writer, seed, path) {
  const random = new Random(seed)
  const rows = ROWS[random.below(ROWS.length)]
  const columns = Array.from({ length: 1 + random.below(4) }, (_, i) => {
    const type = randomType(random, writer.abilities, random.below(MAX_DEPTH + 1))
    return { name: `c${i}`, type, values: randomValues(random, type, rows) }
  })
  return { ...(await writer.write(random, columns, path)), columns, random }
}
