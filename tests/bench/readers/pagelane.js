/**
 * The three ways in which pagelane hands columns over, from a file in memory.
 */
import { open } from 'pagelane'
import { listOf } from './parquet_wasm.js'

/**
 * @param {Uint8Array} bytes of the file
 * @returns {Promise<import('../rounds.js').Arm[]>}
 */
export async function pagelaneArms(bytes) {
  const into = arraysLike(await readOwned(bytes))
  return [
    ownedArm(bytes),
    {
      name: 'pagelane into',
      output: 'into',
      run: () => readInto(bytes, into),
      columns: async () => columnsOf(await readInto(bytes, into)),
    },
    { name: 'pagelane view', output: 'view', run: () => readViews(bytes), columns: () => copiedViews(bytes) },
  ]
}

/**
 * @param {Uint8Array} bytes of the file
 * @returns {import('../rounds.js').Arm}
 */
export function ownedArm(bytes) {
  return {
    name: 'pagelane owned',
    output: 'owned',
    run: () => readOwned(bytes),
    columns: async () => columnsOf(await readOwned(bytes)),
  }
}

/**
 * @param {Uint8Array} bytes
 * @returns {Promise<import('pagelane').Table>}
 */
async function readOwned(bytes) {
  const file = await open(bytes)
  return file.read()
}

/**
 * @param {Uint8Array} bytes
 * @param {Record<string, import('pagelane').TypedArray>} into
 * @returns {Promise<import('pagelane').Table>}
 */
async function readInto(bytes, into) {
  const file = await open(bytes)
  return file.read({ into })
}

/**
 * Every page of every column as views into the decoder's memory, each let go for the next.
 * @param {Uint8Array} bytes
 * @param {(name: string, column: import('pagelane').Column<any>) => void} [visit]
 */
async function readViews(bytes, visit) {
  const file = await open(bytes)
  for (const { name } of file.columns) {
    for await (const page of file.pages(name)) {
      if (page.header.type === 'DICTIONARY_PAGE') continue
      const column = await page.decode({ view: true })
      visit?.(name, column)
    }
  }
}

/**
 * The arrays for `into`: fixed-width columns have them, strings do not.
 * @param {import('pagelane').Table} table
 * @returns {Record<string, import('pagelane').TypedArray>}
 */
function arraysLike(table) {
  /** @type {Record<string, import('pagelane').TypedArray>} */
  const arrays = {}
  for (const { name, values } of table.columns) {
    if (values !== undefined) arrays[name] = values.slice()
  }
  return arrays
}

/**
 * @param {import('pagelane').Table} table
 * @returns {import('../rounds.js').Columns}
 */
function columnsOf(table) {
  return Object.fromEntries(
    table.columns.map((column) => [column.name, { length: table.numRows, at: accessor(column) }])
  )
}

/**
 * @param {Uint8Array} bytes
 * @returns {Promise<import('../rounds.js').Columns>}
 */
async function copiedViews(bytes) {
  /** @type {Record<string, unknown[]>} */
  const values = {}
  await readViews(bytes, (name, column) => {
    const at = accessor(column)
    const list = (values[name] ??= [])
    for (let i = 0; i < column.length; i++) list.push(at(i))
  })
  return Object.fromEntries(
    Object.entries(values).map(([name, list]) => [name, { length: list.length, at: (i) => list[i] }])
  )
}

/**
 * Stored values, not what get() makes of them: a timestamp stays an integer.
 * @param {import('pagelane').Column<any>} column
 * @returns {(i: number) => unknown}
 */
function accessor({ values, validity, offsets, data, children }) {
  /** @param {number} i */
  const isValid = (i) => validity === null || ((validity[i >> 3] >> (i & 7)) & 1) === 1
  if (offsets !== undefined && children?.length === 1) {
    const element = accessor(children[0])
    return (i) => (isValid(i) ? listOf(offsets[i], offsets[i + 1], element) : null)
  }
  if (values !== undefined) return (i) => (isValid(i) ? values[i] : null)
  if (data === undefined) throw new Error('a dictionary or a struct was not asked for')
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return (i) => (isValid(i) ? text.toString('utf8', offsets[i], offsets[i + 1]) : null)
}
