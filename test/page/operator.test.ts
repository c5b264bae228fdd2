import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { cannedBooks } from '#test/support/canned/cannedBooks.ts'
import { chromium, launchBrowser, openTab, textOf } from '#test/support/clients/page/browser.ts'
import { lowContrastTexts, namelessControls } from '#test/support/clients/page/pageChecks.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

const key = 'the key of the operator'
const looks = [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 1280 },
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 390 },
] as const

async function enterKey(tab: Page, text: string): Promise<void> {
  await tab.waitForSelector('#key')
  await tab.type('#key', text)
  await tab.click('.show')
}

describe.skipIf(chromium === undefined)(
  `the page at /operator (in ${chromium ?? 'no browser: install Chromium, or set CHROMIUM_PATH'})`,
  () => {
    let gateway: ServedGateway
    let browser: Awaited<ReturnType<typeof launchBrowser>>
    /** The keys that were sent, with the days. */
    const asked: (readonly [string | undefined, number])[] = []
    beforeAll(async () => {
      ;[gateway, browser] = await Promise.all([
        serveGateway({
          solverBooks: async ({ apiKey }, days) => {
            asked.push([apiKey, days])
            if (apiKey !== key) throw new AppError('UNAUTHORIZED', 'x-api-key: unknown API key.')
            return cannedBooks
          },
        }),
        launchBrowser(),
      ])
    })
    afterAll(async () => {
      await browser?.close()
      await gateway?.close()
    })

    const record = () => ({ errors: [] as string[], origins: new Set<string>() })

    it('asks nothing without a key, and keeps a key that works in the session of the tab', async () => {
      const seen = record()
      const tab = await openTab(browser, seen)
      await tab.goto(`${gateway.url}/operator`)
      await textOf(tab, 'label', /API key/)
      expect(asked).toEqual([])
      await enterKey(tab, key)
      await textOf(tab, '.chain', /Chain 1/)
      expect(asked).toEqual([[key, 14]])
      await tab.reload()
      await textOf(tab, '.chain', /Chain 1/)
      expect(await tab.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ''])
      expect(tab.url()).toBe(`${gateway.url}/operator`)
      await tab.click('.quiet')
      await textOf(tab, 'label', /API key/)
      expect(
        await tab.evaluate(() => [
          sessionStorage.length,
          document.querySelectorAll('.chain').length,
        ]),
      ).toEqual([0, 0])
      expect([seen.errors, [...seen.origins]]).toEqual([[], [gateway.url]])
      await tab.close()
    })

    it('says why a key is refused, and forgets it', async () => {
      const tab = await openTab(browser, record())
      await tab.goto(`${gateway.url}/operator`)
      await enterKey(tab, 'the key of nobody')
      await textOf(tab, '.failure', /unknown API key/)
      expect(await tab.evaluate(() => sessionStorage.length)).toBe(0)
      await tab.close()
    })

    it('serves the page with a strict policy, and nothing that acts', async () => {
      const { headers } = await fetch(`${gateway.url}/operator`)
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self' 'sha256-[^']+'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'$/,
      )
      const tab = await openTab(browser, record())
      await tab.goto(`${gateway.url}/operator`)
      await enterKey(tab, key)
      await textOf(tab, '.chain', /Chain 1/)
      const controls = await tab.$$eval('button, a, input, select', (found) =>
        found.map((each) => each.textContent?.trim()),
      )
      expect(controls).toEqual(['Crossquote', 'Forget the key'])
      await tab.close()
    })

    it.each(looks)('is readable: $scheme, $width pixels', async (look) => {
      const tab = await openTab(browser, record(), look)
      await tab.goto(`${gateway.url}/operator`)
      const expectReadable = async () => {
        expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
        expect(await namelessControls(tab)).toEqual([])
        expect(await lowContrastTexts(tab)).toEqual([])
      }
      await textOf(tab, 'label', /API key/)
      await expectReadable()
      await enterKey(tab, key)
      expect(await textOf(tab, '.alarms')).toContain('ETH on Chain 1 is below its minimum')
      expect(await textOf(tab, '.moves')).toMatch(
        /Move 8 ETH \(\$24,000\.00\) from Chain 2 to Chain 1\. What a crossing costs here is unknown/,
      )
      expect(await textOf(tab, '.chain', /Chain 1/)).toMatch(
        /ETH1\s+\$3,000\.00.*0\.5 to settle10\s+10 %, low/,
      )
      expect(await textOf(tab, '.days')).toMatch(/01-31\$1,234\.50\$2\.50\$3\.00−\$0\.50/)
      expect(await textOf(tab, '.days')).toContain('2 values are unknown')
      expect(await textOf(tab, '.open')).toMatch(/under 5 min030.*1 h to 1 day001/)
      await expectReadable()
      await tab.close()
    })
  },
)
