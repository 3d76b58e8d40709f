/**
 * The page in web/: opened by address, picker and drop; what it fetches, what it shows, how it fails.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Float32, Utf8, vectorFromArray } from 'apache-arrow'
import { describeInChromium, FLIGHTS, recordResponses } from './chromium.js'
import { writtenFile } from './written.js'

const FLIGHTS_PATH = fileURLToPath(new URL(`../../node_modules/vega-datasets/data/${FLIGHTS}`, import.meta.url))
const screenshots = fileURLToPath(new URL('../../build/screenshots/', import.meta.url))

describeInChromium('web page', (running, test) => {
  /** @param {import('./chromium.js').Page} page */
  const shown = (page) => page.waitForSelector('body[data-state="shown"]', { timeout: 20_000 })

  /**
   * @param {import('./chromium.js').Page} page
   * @param {string} selector
   * @returns {Promise<string[][]>} text of the cells
   */
  const cellsOf = (page, selector) =>
    page.$$eval(`${selector} tr`, (rows) =>
      rows.map((row) => [...row.children].map((cell) => cell.textContent ?? ''))
    )

  /** @param {import('./chromium.js').Page} page */
  async function assertFlights(page) {
    assert.equal(await page.textContent('.file-name'), FLIGHTS)
    assert.deepEqual(await page.$$eval('.facts dd', (all) => all.map((each) => each.textContent)), [
      '3,000,000',
      '5',
      '11',
      '13.5 MB',
      'Polars',
    ])
    const schema = await cellsOf(page, '.schema tbody')
    assert.deepEqual(
      schema.map((row) => row.slice(0, 4)),
      [
        ['date', 'timestamp, µs, local', 'INT64', 'optional'],
        ['delay', 'int64', 'INT64', 'optional'],
        ['distance', 'int64', 'INT64', 'optional'],
        ['origin', 'string', 'BYTE_ARRAY', 'optional'],
        ['destination', 'string', 'BYTE_ARRAY', 'optional'],
      ]
    )
    for (const [, , , , encodings, codec] of schema) {
      assert.match(encodings, /RLE_DICTIONARY/)
      assert.equal(codec, 'ZSTD')
    }
    const rows = await cellsOf(page, '.rows tbody')
    assert.equal(rows.length, 50)
    assert.deepEqual(rows[0], ['0', '2001-01-01 00:01:00', '33', '2176', 'LAS', 'PHL'])
  }

  test('opens a file by address, with range requests for what is shown', async () => {
    const { page, complaints } = await running.newPage({ viewport: { width: 1280, height: 1000 } })
    const responses = recordResponses(page, '/data/')
    await page.goto(`${running.origin}/web/`)
    await page.getByLabel('Web address').fill(`${running.origin}/data/${FLIGHTS}`)
    await page.keyboard.press('Enter')
    await shown(page)
    await assertFlights(page)
    assert.ok(
      responses.every(({ status }) => status === 206),
      'only ranges are fetched'
    )
    const fetched = responses.reduce((sum, { size }) => sum + size, 0)
    assert.ok(fetched > 0 && fetched < 2_000_000, `${fetched} bytes fetched of 13,493,022`)
    assert.equal(await page.evaluate(() => location.hash.startsWith('#url=')), true)
    assert.deepEqual(complaints, [])
  })

  test('opens a file by drop and by picker, and requests nothing', async () => {
    const { page, complaints } = await running.newPage()
    await page.goto(`${running.origin}/web/`)
    const file = await page.evaluateHandle(
      async ({ url, name }) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([await (await fetch(url)).blob()], name))
        return transfer
      },
      { url: `${running.origin}/data/${FLIGHTS}`, name: FLIGHTS }
    )
    const requests = []
    page.on('request', (request) => requests.push(request.url()))
    await page.dispatchEvent('body', 'dragenter', { dataTransfer: file })
    assert.equal(await page.isVisible('#drop-target'), true)
    await page.dispatchEvent('body', 'drop', { dataTransfer: file })
    assert.equal(await page.isVisible('#drop-target'), false)
    await shown(page)
    await assertFlights(page)

    const buffer = writtenFile({ n: vectorFromArray([1.5, null], new Float32()) })
    await page.setInputFiles('#file', { name: 'small.parquet', mimeType: '', buffer })
    await page.waitForFunction(() => document.querySelector('.file-name')?.textContent === 'small.parquet')
    await shown(page)
    assert.deepEqual(await cellsOf(page, '.rows tbody'), [
      ['0', '1.5'],
      ['1', 'null'],
    ])
    assert.deepEqual(requests, [])
    assert.deepEqual(complaints, [])
  })

  test('says what is wrong, and with which code', async () => {
    const { page } = await running.newPage()
    await page.goto(`${running.origin}/web/#url=${encodeURIComponent(`${running.origin}/data/none.parquet`)}`)
    await page.waitForSelector('#problem:not([hidden])')
    assert.match((await page.textContent('#problem')) ?? '', /none\.parquet could not be read.*SOURCE.*404/s)

    const broken = readFileSync(FLIGHTS_PATH).subarray(0, 4000)
    await page.setInputFiles('#file', { name: 'half.parquet', mimeType: '', buffer: broken })
    await page.waitForFunction(() => document.querySelector('#problem h2')?.textContent?.startsWith('half'))
    assert.match((await page.textContent('#problem .message code')) ?? '', /^(TRUNCATED|CORRUPT)$/)
    assert.equal(await page.isVisible('#report'), false)

    // a good file after a bad one takes the message away
    await page.setInputFiles('#file', FLIGHTS_PATH)
    await shown(page)
    assert.equal(await page.isVisible('#problem'), false)
  })

  test('text from a file is text', async () => {
    const { page, complaints } = await running.newPage()
    const evil = '<img src=x onerror="document.title=1">'
    const buffer = writtenFile({ [evil]: vectorFromArray([evil, null], new Utf8()) })
    await page.goto(`${running.origin}/web/`)
    await page.setInputFiles('#file', { name: `${evil}.parquet`, mimeType: '', buffer })
    await shown(page)
    assert.equal(await page.locator('main img').count(), 0)
    assert.deepEqual(await cellsOf(page, '.rows tbody'), [
      ['0', evil],
      ['1', 'null'],
    ])
    assert.deepEqual(complaints, [])
  })

  test('works by keyboard, and fits a narrow screen', async () => {
    const { page } = await running.newPage({ viewport: { width: 360, height: 740 } })
    await page.goto(`${running.origin}/web/`)
    const visited = []
    for (let i = 0; i < 4; i++) {
      await page.keyboard.press('Tab')
      visited.push(
        await page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.trim())
      )
    }
    assert.deepEqual(visited, ['pagelane', 'url', 'Open', 'file'])
    await page.setInputFiles('#file', FLIGHTS_PATH)
    await shown(page)
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return { scrollWidth, clientWidth }
    })
    assert.ok(scrollWidth <= clientWidth, `the page is ${scrollWidth} wide on a screen of ${clientWidth}`)
  })

  test('pictures of it, for people to look at', async () => {
    mkdirSync(screenshots, { recursive: true })
    for (const [name, options] of Object.entries({
      light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
      dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
      narrow: { colorScheme: 'light', viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 },
    })) {
      const { page } = await running.newPage(
        /** @type {import('playwright-core').BrowserContextOptions} */ (options)
      )
      await page.goto(`${running.origin}/web/`)
      writeFileSync(`${screenshots}${name}-empty.png`, await page.screenshot())
      await page.setInputFiles('#file', FLIGHTS_PATH)
      await shown(page)
      writeFileSync(`${screenshots}${name}.png`, await page.screenshot({ fullPage: true }))
      await page.setInputFiles('#file', {
        name: 'letter.txt',
        mimeType: '',
        buffer: Buffer.from('Dear reader,\n'.repeat(9)),
      })
      await page.waitForSelector('#problem:not([hidden])')
      writeFileSync(`${screenshots}${name}-problem.png`, await page.screenshot())
      await page.context().close()
    }
  })
})
