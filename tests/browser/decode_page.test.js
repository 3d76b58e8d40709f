/**
 * decodePage in Chromium, on the bytes of pages that were cut out of a file by hand.
 */
import assert from 'node:assert/strict'
import { Int64, Utf8, vectorFromArray } from 'apache-arrow'
import { describeInChromium } from './chromium.js'
import { writtenFile } from './written.js'

describeInChromium('decodePage in Chromium', (running, test) => {
  test('five lines from a file to values', async () => {
    const body = writtenFile({ v: vectorFromArray([7n, null, -1n, 9007199254740993n], new Int64()) })
    const { page, complaints } = await running.newPage()
    await page.route('**/four_rows.parquet', (route) => route.fulfill({ body }))
    await page.goto(`${running.origin}/tests/browser/pages/decode_page.html`)
    await page.waitForFunction(() => document.title !== 'decoding')
    assert.equal(await page.title(), '3 values of 4: 7, null, -1, 9007199254740993')
    assert.deepEqual(complaints, [])
  })

  test('a dictionary page, then the pages that use it', async () => {
    const names = Array.from({ length: 1000 }, (_, i) => (i % 7 === 0 ? null : `name ${i % 5}`))
    const options = /** @type {const} */ ({ codec: 'SNAPPY', dictionary: true })
    const body = writtenFile({ v: vectorFromArray(names, new Utf8()) }, options)
    const { page, complaints } = await running.newPage()
    await page.route('**/names.parquet', (route) => route.fulfill({ body }))
    await page.goto(`${running.origin}/tests/browser/pages/blank.html`)
    const decoded = await page.evaluate(async (library) => {
      const { decodePage } = await import(library)
      const file = new Uint8Array(await (await fetch('/names.parquet')).arrayBuffer())
      const options = { type: 'BYTE_ARRAY', logicalType: 'STRING', maxDefinitionLevel: 1, codec: 'SNAPPY' }
      const first = decodePage(file.subarray(4), options)
      const next = file.subarray(4 + first.bytesRead)
      const { column } = decodePage(next, { ...options, dictionary: first.column })
      return { entries: [...first.column], values: [...column] }
    }, '/wasm/index.js')
    assert.deepEqual(decoded.entries, ['name 1', 'name 2', 'name 3', 'name 4', 'name 0'])
    assert.deepEqual(decoded.values, names)
    assert.deepEqual(complaints, [])
  })
})
