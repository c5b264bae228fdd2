import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium, launchBrowser } from '#test/support/clients/page/browser.ts'
import { requestId } from '#test/support/fixtures/requestAnswer.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'
import { waitLimitMs } from '#test/support/patience.ts'

describe.skipIf(chromium === undefined)('GraphiQL in Chromium', () => {
  let gateway: ServedGateway
  let browser: Browser
  beforeAll(async () => {
    gateway = await serveGateway()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.close()
  })

  it('switches tabs at the first click, and follows the newest request', async () => {
    const page = await browser.newPage()
    page.setDefaultTimeout(waitLimitMs)
    const errors: unknown[] = []
    page.on('pageerror', (error) => errors.push(error))
    await page.goto(`${gateway.url}/graphql`, { waitUntil: 'domcontentloaded' })
    const tab = await page.waitForSelector('.graphiql-tab button[title=Follow]')
    await tab?.click()
    await page.waitForFunction(
      () => document.querySelector('.graphiql-tab-active')?.textContent?.includes('Follow'),
      { timeout: waitLimitMs },
    )
    await page.waitForFunction(
      (id) => document.querySelector('.graphiql-query-editor')?.textContent?.includes(id),
      { timeout: waitLimitMs },
      requestId,
    )
    expect(errors).toEqual([])
    await page.close()
  })
})
