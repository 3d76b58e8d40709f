/**
 * The first rows of a file as a table.
 */
import { cell, element, headCell, table } from './dom.js'
import { countText, isNumeric, plural, typeText, valueText } from './format.js'

/** @typedef {import('../wasm/index.js').ParquetFile} ParquetFile */
/** @typedef {import('../wasm/index.js').Table} Table */

const MAX_ROWS = 50
const MAX_COLUMNS = 50

/**
 * Fetches and decodes no more than the rows and columns that are shown.
 * @param {ParquetFile} file
 * @param {AbortSignal} signal
 * @returns {Promise<HTMLElement>}
 */
export async function rowsSection(file, signal) {
  // what cannot be read is left out by name; asking for columns by number would be an error then
  const first = file.columns.slice(0, MAX_COLUMNS).map(({ index }) => index)
  const columns = first.length < file.columns.length ? first : undefined
  const shown = await file.read({ columns, rows: [0, MAX_ROWS], signal })
  const section = element(
    'section',
    { 'aria-labelledby': 'rows-title', class: 'rows' },
    element('h2', { id: 'rows-title' }, 'First rows')
  )
  if (shown.columns.length > 0 && shown.numRows > 0) section.append(rowsTable(shown))
  section.append(...notesOf(file, shown, columns).map((note) => element('p', { class: 'note' }, note)))
  if (shown.unsupported.length > 0) section.append(leftOut(shown))
  return section
}

/**
 * @param {Table} shown
 * @returns {HTMLElement}
 */
function rowsTable(shown) {
  const heads = [headCell('Row', 'number index')]
  for (const { name, type } of shown.columns) {
    const head = headCell(name, isNumeric(type) ? 'number' : '')
    head.append(element('span', { class: 'type' }, typeText(type)))
    heads.push(head)
  }
  const rows = Array.from({ length: shown.numRows }, (_, row) => [
    element('th', { scope: 'row', role: 'rowheader', class: 'number index' }, countText(row)),
    ...shown.columns.map((column) => {
      const value = valueAt(column, row)
      if (value instanceof Error) return cell(column.name, 'text', value.message)
      if (value === null) return cell(column.name, isNumeric(column.type) ? 'number null' : 'null', 'null')
      const text = valueText(value, column.type)
      if (isNumeric(column.type)) return cell(column.name, 'number', text)
      const made = cell(column.name, 'text', text)
      if (text.length > 40) made.title = text
      return made
    }),
  ])
  return table('First rows', heads, rows)
}

/**
 * @param {Table['columns'][number]} column
 * @param {number} row
 * @returns {unknown} the value, or the error of one that cannot be had, a broken variant say
 */
function valueAt(column, row) {
  try {
    return column.get(row)
  } catch (error) {
    return error
  }
}

/**
 * @param {ParquetFile} file
 * @param {Table} shown
 * @param {number[] | undefined} chosen
 * @returns {string[]}
 */
function notesOf(file, shown, chosen) {
  const notes = []
  if (shown.numRows === 0) notes.push('The file has no rows.')
  else if (shown.columns.length === 0) notes.push('None of its columns can be shown.')
  if (chosen !== undefined) {
    notes.push(`${plural(chosen.length, 'column')} of ${countText(file.columns.length)} shown.`)
  }
  if (shown.numRows < file.numRows) {
    notes.push(`${plural(shown.numRows, 'row')} of ${countText(file.numRows)} shown.`)
  }
  return notes
}

/**
 * @param {Table} shown
 * @returns {HTMLElement} the columns that cannot be read, and why
 */
function leftOut({ unsupported }) {
  const items = unsupported.map(({ error }) =>
    element('li', {}, element('code', {}, error.code), ` ${error.message}`)
  )
  const summary = element('summary', {}, `${plural(unsupported.length, 'column')} not shown`)
  return element('details', { class: 'note' }, summary, element('ul', {}, ...items))
}
