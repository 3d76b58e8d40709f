/**
 * The page: opens a file by address, picker or drop, and shows what is in it.
 */
import { open } from '../wasm/index.js'
import { element } from './dom.js'
import { countText, sizeText } from './format.js'
import { rowsSection } from './rows.js'
import { schemaSection } from './schema.js'

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @returns {T}
 */
const byId = (id) => /** @type {T} */ (document.getElementById(id))

const urlInput = /** @type {HTMLInputElement} */ (byId('url'))
const fileInput = /** @type {HTMLInputElement} */ (byId('file'))
const status = byId('status')
const problem = byId('problem')
const report = byId('report')
const dropTarget = byId('drop-target')

/** Of the file that is being opened; a new one ends the old one's requests. */
let current = new AbortController()

/**
 * @param {File | string} source a string is an address
 */
async function show(source) {
  current.abort()
  current = new AbortController()
  const { signal } = current
  const name = typeof source === 'string' ? nameOf(source) : source.name
  report.hidden = problem.hidden = true
  document.title = `${name}: pagelane`
  document.body.dataset.state = 'busy'
  status.textContent = `Reading the footer of ${name}…`
  try {
    const file = await open(typeof source === 'string' ? new URL(source, document.baseURI) : source, { signal })
    signal.throwIfAborted()
    report.replaceChildren(
      element('h2', { class: 'file-name', tabindex: '-1' }, name),
      facts(file),
      schemaSection(file)
    )
    report.hidden = false
    report.querySelector('h2')?.focus({ preventScroll: true })
    status.textContent = 'Reading the first rows…'
    report.append(await rowsSection(file, signal))
    status.textContent = ''
    document.body.dataset.state = 'shown'
    file.close()
  } catch (error) {
    if (signal.aborted) return
    status.textContent = ''
    document.body.dataset.state = 'failed'
    showProblem(name, error, typeof source === 'string')
  }
}

/**
 * @param {string} address
 * @returns {string} its last part
 */
function nameOf(address) {
  const last =
    address
      .split(/[?#]/)[0]
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? address
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

/**
 * @param {import('../wasm/index.js').ParquetFile} file
 * @returns {HTMLElement}
 */
function facts(file) {
  const { metadata, columns, numRows } = file
  const entries = {
    Rows: countText(numRows),
    Columns: countText(columns.length),
    'Row groups': countText(metadata.rowGroups?.length ?? 0),
    Size: sizeText(file.byteLength),
    'Written by': metadata.createdBy ?? 'not said',
  }
  return element(
    'dl',
    { class: 'facts' },
    ...Object.entries(entries).map(([name, value]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, value))
    )
  )
}

/** @type {Record<string, string>} what a person can do about it */
const ADVICE = {
  TRUNCATED: 'The file ends too early. It may not be a Parquet file, or was not copied in full.',
  CORRUPT: 'The bytes are not what the Parquet format says they must be.',
  UNSUPPORTED: 'The file is valid as far as one can tell, but uses something that this version does not read.',
  KEY: 'The file is encrypted. This page has no way to give it a key.',
  LIMIT: 'The file asks for more memory than the limit allows.',
  SOURCE: 'The bytes could not be fetched.',
}

/**
 * @param {string} name
 * @param {unknown} error
 * @param {boolean} isAddress
 */
function showProblem(name, error, isAddress) {
  const { code, message } = /** @type {import('../wasm/index.js').PagelaneError} */ (error)
  problem.replaceChildren(
    element('h2', {}, `${name} could not be read`),
    element('p', { class: 'message' }, element('code', {}, code ?? 'ERROR'), ` ${message}`)
  )
  if (ADVICE[code] !== undefined) problem.append(element('p', { class: 'note' }, ADVICE[code]))
  if (code === 'SOURCE' && isAddress) {
    problem.append(
      element(
        'p',
        { class: 'note' },
        'A server of another site must allow this page to read from it (CORS). A file that is saved on this computer always works.'
      )
    )
  }
  problem.hidden = false
}

byId('url-form').addEventListener('submit', (event) => {
  event.preventDefault()
  // the part after # is not sent to any server
  const hash = `#url=${encodeURIComponent(urlInput.value.trim())}`
  if (location.hash === hash) followHash()
  else location.hash = hash
})

fileInput.addEventListener('change', () => {
  const file = fileInput.files?.[0]
  if (file !== undefined) showLocal(file)
  fileInput.value = ''
})

/** @param {File} file */
function showLocal(file) {
  history.replaceState(null, '', location.pathname + location.search)
  urlInput.value = ''
  show(file)
}

/** Opens what the address of the page names: #url=… */
function followHash() {
  const address = new URLSearchParams(location.hash.slice(1)).get('url')
  if (address === null || address === '') return
  urlInput.value = address
  show(address)
}
addEventListener('hashchange', followHash)
followHash()

/** dragenter and dragleave come for every element passed; the pointer has left when as many of one as of the other came */
let depth = 0
addEventListener('dragenter', (event) => {
  if (event.dataTransfer?.types.includes('Files')) dropTarget.hidden = ++depth === 0
})
addEventListener('dragleave', () => {
  if (depth > 0 && --depth === 0) dropTarget.hidden = true
})
addEventListener('dragover', (event) => event.preventDefault())
addEventListener('drop', (event) => {
  event.preventDefault()
  depth = 0
  dropTarget.hidden = true
  const file = event.dataTransfer?.files[0]
  if (file !== undefined) showLocal(file)
})
