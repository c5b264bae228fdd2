import type { HTTPRequest, Page } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromium, click, fill, textOf } from '#test/support/clients/page/browser.ts'
import { amounts, startCannedPages } from '#test/support/clients/page/cannedPage.ts'
import {
  cutAmounts,
  lowContrastTexts,
  namelessControls,
} from '#test/support/clients/page/pageChecks.ts'
import { clickSwap } from '#test/support/clients/page/swapPage.ts'

const looks = [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 1280 },
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 390 },
] as const

/** What must hold in every state: nothing is wider than the screen, cut off, nameless or hard to read. */
async function expectReadable(tab: Page, width: number): Promise<void> {
  expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  expect(await namelessControls(tab)).toEqual([])
  expect(await cutAmounts(tab)).toEqual([])
  expect(await lowContrastTexts(tab)).toEqual([])
}

const button = (tab: Page) =>
  tab.$eval('.primary', (element) => ({
    words: element.textContent ?? '',
    isOn: !(element as HTMLButtonElement).disabled,
  }))

describe.skipIf(chromium === undefined)(
  `the states of the page (in ${chromium ?? 'no browser: install Chromium, or set CHROMIUM_PATH'})`,
  () => {
    let pages: Awaited<ReturnType<typeof startCannedPages>>
    beforeAll(async () => {
      pages = await startCannedPages()
    })
    // One test that fails in the middle does not take the server from the next.
    afterEach(() => {
      pages.proxy.up()
      pages.proxy.heal()
    })
    afterAll(() => pages?.stop())

    it('loads its files with four requests', async () => {
      const asked: string[] = []
      const tab = await pages.open(amounts.fair, {}, async (tab) => {
        tab.on('request', (request) => {
          if (request.url().startsWith(pages.url)) asked.push(new URL(request.url()).pathname)
        })
      })
      await textOf(tab, '.order')
      // The browser asks for the icon as often as it likes.
      const isOnce = (path: string) => path !== '/graphql' && path !== '/page/icon.svg'
      expect(asked.filter(isOnce).sort()).toEqual(['/', '/page/page.css', '/page/page.js'])
      expect(asked).toContain('/page/icon.svg')
      await tab.waitForFunction(
        () => (document.querySelector<HTMLImageElement>('.brand img')?.naturalWidth ?? 0) > 0,
      )
      await tab.close()
    })

    it('says in words that it did not load', async () => {
      const lose = (request: HTTPRequest) =>
        request.url().endsWith('.js') ? request.abort() : request.continue()
      const tab = await pages.open(amounts.fair, {}, async (tab) => {
        await tab.setRequestInterception(true)
        tab.on('request', (request) => void lose(request))
      })
      await tab.waitForSelector('.unloaded', { visible: true })
      expect(await textOf(tab, '.unloaded')).toMatch(/did not load completely.*load it again/)
      expect(await tab.$eval('.loading', (line) => getComputedStyle(line).display)).toBe('none')
      await tab.close()
    })

    it.each(looks)(
      'warns of a loss, and asks before a severe one: $scheme, $width px',
      async (look) => {
        const tab = await pages.openWithWallet(amounts.high, look)
        expect(await textOf(tab, '.loss.high')).toMatch(
          /You get \$[\d,.]+ less than you pay, 4\.1%/,
        )
        await tab.waitForSelector('.primary:enabled')
        await textOf(tab, '.order .note', /USDC on Chain 2 is in no token list/)
        await expectReadable(tab, look.width)
        await fill(tab, '#pay', amounts.severe)
        await textOf(tab, '.loss.severe', /12\.8%: the pools are shallow/)
        await textOf(tab, '.primary', /Accept the loss to swap/)
        expect((await button(tab)).isOn).toBe(false)
        await expectReadable(tab, look.width)
        await click(tab, '#accept-loss')
        await tab.waitForSelector('.primary:enabled')
        expect((await button(tab)).words).toBe('Swap')
        // Consent is for one order.
        await fill(tab, '#pay', `${amounts.severe}.5`)
        await textOf(tab, '.primary', /Accept the loss to swap/)
        await fill(tab, '#pay', amounts.refused)
        await textOf(tab, '.refusal', /refuses a swap that loses so much/)
        expect(await button(tab)).toEqual({ words: 'This swap would be refused', isOn: false })
        expect(await tab.$('#accept-loss')).toBeNull()
        await expectReadable(tab, look.width)
        await tab.close()
      },
    )

    it.each(looks)(
      'says that the server is gone, and comes back: $scheme, $width px',
      async (look) => {
        const tab = await pages.openWithWallet(amounts.fair, look)
        await tab.waitForSelector('.primary:enabled')
        const isOldAtOnce = tab.waitForFunction(
          () =>
            /Reconnecting/.test(document.querySelector('.live')?.textContent ?? '') && {
              field: document.querySelector('.field.old #get') !== null,
              line: document.querySelector('.live.old') !== null,
            },
          { polling: 'mutation' },
        )
        pages.proxy.down()
        expect(await (await isOldAtOnce).jsonValue()).toEqual({ field: true, line: true })
        expect(await button(tab)).toEqual({ words: 'Reconnecting…', isOn: false })
        await expectReadable(tab, look.width)
        pages.proxy.up()
        await textOf(tab, '.live dt', /Live/)
        await tab.waitForSelector('.primary:enabled')
        // The next price comes after the connection.
        await tab.waitForSelector('.field.old', { hidden: true })
        await tab.close()
      },
    )

    it('offers no swap with the price of an earlier order', async () => {
      const tab = await pages.openWithWallet(amounts.fair)
      await tab.waitForSelector('.primary:enabled')
      await tab.evaluate(() => {
        const offered: string[] = []
        Object.assign(globalThis, { offered })
        new MutationObserver(() => {
          offered.push(document.querySelector('.primary:enabled')?.textContent ?? '')
        }).observe(document, { attributes: true, childList: true, subtree: true })
      })
      await fill(tab, '#pay', amounts.tooMuch)
      await textOf(tab, '.primary', /No price for this swap/)
      expect(await tab.evaluate(() => Reflect.get(globalThis, 'offered'))).not.toContain('Swap')
      await tab.close()
    })

    it('notices a server that is silent', async () => {
      const tab = await pages.openWithWallet(amounts.fair)
      await tab.waitForSelector('.primary:enabled')
      pages.proxy.hang()
      await textOf(tab, '.live dt', /Reconnecting/)
      pages.proxy.heal()
      await textOf(tab, '.live dt', /Live/)
      await tab.close()
    })

    it.each(looks)(
      'shows what was received, with hashes to copy: $scheme, $width px',
      async (look) => {
        const tab = await pages.openWithWallet(amounts.fair, look)
        await tab.evaluate(() => {
          const clipboard = {
            writeText: async (copied: string) => void Object.assign(window, { copied }),
          }
          Object.defineProperty(navigator, 'clipboard', { value: clipboard })
        })
        await click(tab, '.history button')
        await textOf(tab, '.outcome', /Completed/)
        // The page scrolls to it.
        await tab.waitForFunction(() => {
          const line = document.querySelector('.outcome')?.getBoundingClientRect()
          return line !== undefined && line.top >= 0 && line.bottom <= innerHeight
        })
        expect(await textOf(tab, '.received')).toMatch(/^Received[\d,.]+ ETH.*on Chain 2/)
        expect(
          await tab.$$eval('.request a', (links) => links.map(({ pathname }) => pathname)),
        ).toEqual(expect.arrayContaining([expect.stringMatching(/^\/tx\/0xf1f1/)]))
        const hash = await tab.$eval('.received code', (code) => code.title)
        await click(tab, '.received .copy')
        await textOf(tab, '.received .copy', /Copied/)
        expect(await tab.evaluate('copied')).toBe(hash)
        await expectReadable(tab, look.width)
        await tab.close()
      },
    )

    it('words a refusal of the quote itself without options that the page lacks', async () => {
      const tab = await pages.openWithWallet(amounts.fair)
      await clickSwap(tab)
      expect(await textOf(tab, '.order > .failure')).toBe(
        'The gateway refuses a swap that loses so much. Swap a smaller amount.',
      )
      await tab.close()
    })

    it('takes the largest amount that works from an error of the subscription too', async () => {
      const tab = await pages.openWithWallet(amounts.failing)
      await click(tab, '.remedy')
      await tab.waitForSelector('.primary:enabled')
      await tab.close()
    })

    it.each(looks)(
      'words an error, and takes the largest amount that works: $scheme, $width px',
      async (look) => {
        const tab = await pages.openWithWallet(amounts.tooMuch, look)
        expect(await textOf(tab, '.order [role=alert]')).toBe(
          'No swap route found (origin leg: Chain 1, ETH to USDC): the pools are too shallow for 5 ETH; the largest amount that works is 1.23456 ETH.',
        )
        await textOf(tab, '.primary', /No price for this swap/)
        expect((await button(tab)).isOn).toBe(false)
        await expectReadable(tab, look.width)
        await click(tab, '.remedy')
        await tab.waitForSelector('.primary:enabled')
        expect(await tab.$eval('#pay', (field) => (field as HTMLInputElement).value)).toBe(
          '1.234567890123456789',
        )
        await tab.close()
      },
    )

    it('shows costs that add up to their sum, and the tolerance apart', async () => {
      const tab = await pages.openWithWallet(amounts.fair)
      await textOf(tab, '.costs .headline', /of what you pay/)
      const texts = (selector: string) =>
        tab.$$eval(selector, (all) => all.map((each) => each.textContent ?? ''))
      expect(await texts('.costs .headline b')).toEqual(['$10.00'])
      expect(await texts('.costs dl > [class]:not(.sum) dd')).toEqual(['$9.00', '$0.40', '$0.60'])
      expect(await texts('.costs .sum ~ div')).toEqual([
        expect.stringMatching(/Tolerance, 0\.5%\s*at most \$14\.95 less/),
        expect.stringMatching(/Minimum, promised\s*2,975\.05 USDC/),
        expect.stringMatching(/Plus gas from your wallet\s*\$6\.00/),
      ])
      await tab.close()
    })
  },
)
