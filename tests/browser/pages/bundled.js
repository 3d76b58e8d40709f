/**
 * What an application would write; the test bundles it. Reads the file named in the page's address.
 */
import { open } from 'pagelane'

const output = /** @type {HTMLElement} */ (document.getElementById('output'))
try {
  const file = await open(location.hash.slice(1))
  const table = await file.read({ columns: ['delay', 'origin'], rows: [0, 3] })
  output.textContent = JSON.stringify([...table.rows()], (_, value) =>
    typeof value === 'bigint' ? Number(value) : value
  )
} catch (error) {
  output.textContent = String(error)
}
