/** docs/compatibility.md, made of what the tests found out. */
import { DIFFERS, EQUAL, readers } from './outcomes.js'

/** Letters of the notes. @type {Record<string, string>} */
const LETTERS = { pagelane: 'n', pyarrow: 'p', DuckDB: 'd', 'parquet-wasm': 'w', hyparquet: 'h' }
const MISSING = 'not here'

/** Messages of a reader, numbered in the order in which they first appear. */
class Notes {
  constructor() {
    /** @type {Map<string, string[]>} */
    this.byReader = new Map(readers.map(({ name }) => [name, []]))
  }

  /** @param {string} reader @param {string} message @returns {string} */
  mark(reader, message) {
    const list = this.byReader.get(reader) ?? []
    if (!list.includes(message)) list.push(message)
    return `${LETTERS[reader]}${list.indexOf(message) + 1}`
  }

  lines() {
    return readers.flatMap(({ name }) =>
      (this.byReader.get(name) ?? []).map((message, i) => `* ${LETTERS[name]}${i + 1} ${name}: ${message}`)
    )
  }
}

/**
 * A cell: `equal`, or what is not, with the columns where it is not all of them.
 * @param {Notes} notes
 * @param {string} reader
 * @param {string[] | undefined} outcomes a column each; undefined: the reader is not here
 * @param {string[]} names
 */
function cell(notes, reader, outcomes, names) {
  if (outcomes === undefined) return MISSING
  if (outcomes.every((outcome) => outcome === EQUAL)) return EQUAL
  /** @type {Map<string, string[]>} */
  const columns = new Map()
  outcomes.forEach((outcome, i) => {
    if (outcome === EQUAL) return
    const text = outcome === DIFFERS ? DIFFERS : `refuses (${notes.mark(reader, outcome)})`
    columns.set(text, [...(columns.get(text) ?? []), names[i]])
  })
  return [...columns]
    .map(([text, list]) => (list.length === names.length ? text : `${text} ${listOf(list, names.length)}`))
    .join(', ')
}

/** @param {string[]} list @param {number} all */
function listOf(list, all) {
  return list.length <= 3 ? list.map((name) => `\`${name}\``).join(' ') : `${list.length} of ${all} columns`
}

/** @param {string} first @param {string[][]} rows */
function table(first, rows) {
  const head = [first, ...readers.map(({ name }) => name)]
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}

/**
 * @param {object} found
 * @param {[string, import('./outcomes.js').FileOutcome][]} found.files by name, in the order wanted
 * @param {[string, [string, Map<string, string>][]][]} found.features groups of features, each with an outcome a reader
 * @param {[string, string][]} found.exceptions file and column, and why pagelane does not follow the others
 * @returns {string}
 */
export function makeDocument({ files, features, exceptions }) {
  const notes = new Notes()
  const featureLines = features.flatMap(([group, rows]) => [
    `### ${group}`,
    '',
    ...table(
      'Feature',
      rows.map(([name, outcomes]) => [
        name,
        ...readers.map((reader) => {
          const outcome = outcomes.get(reader.name)
          return cell(notes, reader.name, outcome === undefined ? undefined : [outcome], [''])
        }),
      ])
    ),
    '',
  ])
  const fileRows = files.map(([name, { names, byReader }]) => [
    `\`${name}\``,
    ...readers.map((reader) => cell(notes, reader.name, byReader.get(reader.name), names)),
  ])
  return `${[
    '# Compatibility',
    '',
    'Written by `npm run compatibility`; `npm test` makes it again and compares. pagelane is the wasm module in Node.js; the',
    'C library reads every column of every file here with the same digest.',
    '',
    ...readers.map(({ name, version }) => `* ${name} ${version ?? MISSING}`),
    '',
    '**equal**: the values that were written, or, of a file made by others, what most of the readers give. **differs**: other values.',
    '**refuses**: an error, whose beginning stands in the notes below. Compared is what a reader can be made to give: integers for',
    'dates and times, no matter in which unit; floating point bit by bit. As equal count what JavaScript has no type for:',
    "hyparquet's decimals as floats, its times as integers, its maps as objects.",
    '',
    '## Features',
    '',
    'A small file for each, written by the model in `tests/reference`.',
    '',
    ...featureLines,
    '## Files of parquet-testing',
    '',
    ...table('File', fileRows),
    '',
    '## Where pagelane does not follow the others',
    '',
    ...exceptions.map(([place, why]) => `* \`${place}\`: ${why}`),
    '',
    '## Notes',
    '',
    ...notes.lines(),
  ].join('\n')}\n`
}

/**
 * The document without what it says of a reader, for machines that do not have that one, and without files of which it
 * might have the casting vote.
 * @param {string} text
 * @param {string} name
 * @param {string[]} files
 */
export function withoutReader(text, name, files) {
  const at = readers.findIndex((reader) => reader.name === name) + 2
  const note = new RegExp(`^\\* (${LETTERS[name]}\\d+ )?${name}\\b`)
  return text
    .split('\n')
    .filter((line) => !note.test(line) && !files.some((file) => line.startsWith(`| \`${file}\` |`)))
    .map((line) =>
      line.startsWith('|')
        ? line
            .split(' | ')
            .filter((_, i) => i + 1 !== at)
            .join(' | ')
        : line
    )
    .join('\n')
}
