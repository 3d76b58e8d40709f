/** What becomes of a file in each reader, column by column. */
import { firstDifference, show } from './plain.js'
import { pagelane, peers, readAll } from './readers.js'

/** In this order, everywhere. */
export const readers = [pagelane, ...peers]

/**
 * Of one reader and column: EQUAL, DIFFERS, or what the reader says.
 * @typedef {string} Outcome
 */
export const EQUAL = 'equal'
export const DIFFERS = 'differs'

/**
 * @typedef {object} FileOutcome
 * @property {string[]} names of the top-level columns
 * @property {Map<string, Outcome[]>} byReader an outcome a column, of every reader that is here
 * @property {string[]} faults where pagelane does not give what most of the others give: column, and what was found
 */

/**
 * Every reader reads the file; what is equal is what most of them give, pagelane's where they are even.
 * @param {string} path
 * @param {string[]} names of the top-level columns
 * @returns {Promise<FileOutcome>}
 */
export async function compareFile(path, names) {
  const here = readers.filter(({ version }) => version !== null)
  /** @type {(any[] | string)[][]} */
  const results = []
  for (const reader of here) results.push(await readAll(reader, path, names))
  /** @type {FileOutcome} */
  const outcome = { names, byReader: new Map(here.map(({ name }) => [name, []])), faults: [] }
  for (const [c, name] of names.entries()) {
    const column = results.map((result) => result[c])
    const most = mostGiven(column)
    here.forEach((reader, r) => {
      const value = column[r]
      const is = typeof value === 'string' ? value : most.includes(r) ? EQUAL : DIFFERS
      outcome.byReader.get(reader.name)?.push(is)
    })
    if (!agrees(column, most)) outcome.faults.push(`${name}: ${explain(column, most)}`)
  }
  return outcome
}

/**
 * @param {(any[] | string)[]} column what each reader gives, pagelane first
 * @returns {number[]} the readers that give the same, most of those that read it
 */
function mostGiven(column) {
  /** @type {number[][]} */
  const groups = []
  column.forEach((values, r) => {
    if (typeof values === 'string') return
    const group = groups.find(([first]) => firstDifference(/** @type {any[]} */ (column[first]), values) < 0)
    if (group) group.push(r)
    else groups.push([r])
  })
  return groups.reduce((most, group) => (group.length > most.length ? group : most), [])
}

/**
 * Does pagelane give what most of the others that read the column give?
 * @param {(any[] | string)[]} column
 * @param {number[]} most
 */
function agrees(column, most) {
  const others = column.filter((values, r) => r > 0 && typeof values !== 'string').length
  return most[0] === 0 && (most.length - 1) * 2 > others
}

/** @param {(any[] | string)[]} column @param {number[]} most */
function explain(column, most) {
  const [ours] = column
  if (typeof ours === 'string') return ours
  if (most.length === 0 || most[0] === 0) return 'too few of the others read it alike'
  const theirs = /** @type {any[]} */ (column[most[0]])
  const row = firstDifference(theirs, ours)
  return `row ${row} is ${show(ours[row])}, not ${show(theirs[row])}`
}
