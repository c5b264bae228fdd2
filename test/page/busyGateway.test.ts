import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium, launchBrowser, type TabRecord, textOf } from '#test/support/clients/browser.ts'
import { refuseFirst } from '#test/support/clients/busyGateway.ts'
import { openSwapPage } from '#test/support/clients/swapPage.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'

describe.skipIf(chromium === undefined)(
  `the page at / of a busy gateway (in ${chromium ?? 'no browser: install Chromium, or set CHROMIUM_PATH'})`,
  () => {
    let stack: Stack
    let browser: Browser
    const record: TabRecord = { errors: [], origins: new Set() }
    beforeAll(async () => {
      ;[stack, browser] = await Promise.all([
        startStack({}, ['gateway', 'tracker', 'solver']),
        launchBrowser(),
      ])
    })
    afterAll(async () => {
      await browser?.close()
      await stack?.stop()
    })

    it('asks again for whatever was refused, and the swap completes', async () => {
      const opening = { prepare: refuseFirst }
      const pair = [[990001, 'ETH'], [990002, 'USDC'], '0.5'] as const
      const tab = await openSwapPage({ stack, browser, record }, ...pair, opening)
      await tab.locator('.primary::-p-text(Swap)').click()
      await textOf(tab, '.outcome', /Completed/)
      expect(await tab.$$('p.failure')).toEqual([])
      const refused = ['Chains', 'Currency', 'LivePrice', 'Quote', 'Index', 'Follow', 'Requests']
      expect(await tab.evaluate('refusedOperations')).toEqual(expect.arrayContaining(refused))
      expect(record.errors).toEqual([])
    })
  },
)
