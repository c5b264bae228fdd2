import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import puppeteer, { type ElementHandle, type Page } from 'puppeteer-core'

const chromium = '/usr/bin/chromium'

/** A currency in the list that the widget opens. */
const row = '[role=dialog] button[role=radio][class*="58px"]'

/** Chromium on a loaded machine takes its time. */
const timeout = 180_000

/**
 * Searches a currency, swaps into it and reads the history, as a user does. Writes a screenshot of each stage into
 * `directory`. @throws Error if a stage is not reached, or the page logs an error of its own.
 */
export async function driveWidget(url: string, directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true })
  const browser = await puppeteer.launch({
    executablePath: chromium,
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      // The kit asks other hosts for balances and names; it works without them.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
    ],
    timeout,
    protocolTimeout: timeout,
  })
  const page = await browser.newPage()
  const shoot = (name: string) => page.screenshot({ path: join(directory, `${name}.png`) })
  try {
    page.setDefaultTimeout(timeout)
    await page.setViewport({ width: 1000, height: 900 })
    const refused = watch(page, url)

    await page.goto(url, { waitUntil: 'domcontentloaded' })
    await (await byText(page, 'button', 'Select Token')).click()
    const search = await page.waitForSelector('input[placeholder^="Search for a token"]')
    await byText(page, row, 'USDC')
    await shoot('1-tokens')
    await search?.type('usdt')
    await page.waitForFunction(
      (css) => {
        const rows = [...document.querySelectorAll(css)].map((each) => each.textContent ?? '')
        return rows.length > 1 && rows.every((text) => text.includes('USDT'))
      },
      {},
      row,
    )
    await shoot('2-search')
    const found = await page.$$(row)
    await found[1]?.click()
    await page.waitForSelector('[role=dialog]', { hidden: true })

    const amount = await page.waitForSelector('input[inputmode=decimal]')
    await amount?.type('0.5')
    await page.waitForSelector('button[aria-label=Swap]:not([disabled])')
    await shoot('3-quote')
    const before = await page.$eval('#history', newest)
    await page.click('button[aria-label=Swap]:not([disabled])')
    await byText(page, '[role=dialog]', 'Transaction Details')
    await shoot('4-progress')
    // The history has shown the duration.
    await byText(page, '[role=dialog]', 'Completed in')
    await shoot('5-completed')
    await (await byText(page, '[role=dialog] button', 'Done')).click()

    await (await byText(page, '#history button', 'Refresh')).click()
    await page.waitForFunction(
      (last) => {
        const text = document.querySelector('#history li')?.textContent ?? ''
        return text !== last && text.includes('success')
      },
      {},
      before,
    )
    await page.$eval('#history', (section) => section.scrollIntoView())
    await shoot('6-history')
    const entries = await page.$$eval('#history li', (rows) => rows.map((row) => row.textContent))
    process.stdout.write(`${entries.join('\n')}\n`)
    if (refused.length > 0) throw new Error(`The gateway refused: ${refused.join('; ')}`)
  } catch (error) {
    await shoot('failed')
    throw error
  } finally {
    await browser.close()
  }
}

/** The newest entry of the history; empty without any. */
const newest = (section: Element): string => section.querySelector('li')?.textContent ?? ''

/** Collects what the gateway refuses. */
function watch(page: Page, url: string): readonly string[] {
  const refused: string[] = []
  const isLocal = (other: string) => /^https?:\/\/(localhost|127\.0\.0\.1)[:/]/.test(other)
  page.on('response', (response) => {
    if (response.status() >= 400 && isLocal(response.url()) && !response.url().startsWith(url))
      refused.push(`${response.status()} ${response.url()}`)
  })
  page.on('pageerror', (error) => process.stdout.write(`${error}\n`))
  return refused
}

/** Waits for an element whose text contains `text`. */
async function byText(page: Page, selector: string, text: string): Promise<ElementHandle> {
  const found = await page.waitForFunction(
    (css, wanted) =>
      [...document.querySelectorAll(css)].find((each) => each.textContent?.includes(wanted)),
    { timeout },
    selector,
    text,
  )
  const element = found.asElement()
  if (element === null) throw new Error(`No ${selector} says ${text}`)
  return element as ElementHandle
}
