import type { HTTPRequest, Page } from 'puppeteer-core'
import { users } from '#src/devnet/accounts.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'
import { type Appearance, click, launchBrowser, openTab, type TabRecord } from './browser.ts'

/** A currency by its symbol, on a chain. */
export type Place = readonly [chainId: number, symbol: string]

/** `url` of a proxy in front of the gateway. */
type Opening = Appearance & Readonly<{ url?: string; prepare?: (tab: Page) => Promise<void> }>

export type SwapPage = readonly [from: Place, to: Place, amount: string, opening?: Opening]

/** A gateway with its solver on a devnet, and a browser whose tabs share one record. `hasSvm`: with its Solana chain. */
export async function startSwapPages(hasSvm = false) {
  const [stack, browser] = await Promise.all([
    startStack({}, ['gateway', 'tracker', 'solver'], undefined, { hasSvm }),
    launchBrowser(),
  ])
  const record: TabRecord = { errors: [], origins: new Set() }
  const placeOf = ([chainId, symbol]: Place) => `${chainId}:${stack.currencyOn(chainId, symbol)}`
  return {
    stack,
    record,
    /** Opens the page in a new tab, with a swap filled in. */
    async open(
      ...[from, to, amount, { url = stack.url, prepare = async () => {}, ...look } = {}]: SwapPage
    ) {
      const tab = await openTab(browser, record, look)
      await prepare(tab)
      await tab.goto(`${url}/?from=${placeOf(from)}&to=${placeOf(to)}&amount=${amount}`)
      return tab
    },
    async stop() {
      await browser.close()
      await stack.stop()
    },
  }
}

/** Sets the clock of a page ahead of the time of day. */
export const turnClock = (tab: Page, seconds: number): Promise<void> =>
  tab.evaluate((ahead) => {
    const { clock = Date.now } = window as { clock?: () => number }
    Object.assign(window, { clock })
    Date.now = () => clock() + ahead * 1000
  }, seconds)

/** Waits until the page shows an output below `amount`. */
export async function waitForLowerOutput(tab: Page, amount: number): Promise<void> {
  await tab.waitForFunction(
    (most) => Number(document.querySelector<HTMLInputElement>('#get')?.value) < most,
    { polling: 'raf' },
    amount,
  )
}

/** Delays the page's next quote until `act` ends. */
export async function actBeforeQuote(tab: Page, act: () => Promise<void>): Promise<void> {
  let acted: Promise<void> | undefined
  await tab.setRequestInterception(true)
  async function take(request: HTTPRequest): Promise<void> {
    const isQuote = request.postData()?.includes('quote(') === true
    if (isQuote) acted ??= act()
    if (isQuote) await acted
    await request.continue()
  }
  tab.on('request', (request) => void take(request))
}

export const clickSwap = (tab: Page): Promise<void> => click(tab, '.primary', /Swap/)

/** The hashes that the page shows, in order. */
export const hashesOn = (tab: Page): Promise<`0x${string}`[]> =>
  tab.$$eval('.progress code', (codes) => codes.map((code) => code.title as `0x${string}`))

/** The input of a swap of ether on one chain that does not come from the page, by the devnet's third account. */
export const etherSwap = (stack: Stack, chainId: number, ether: bigint, symbol: string) => ({
  user: users[2].address,
  originChainId: chainId,
  originCurrency: stack.currencyOn(chainId, 'ETH'),
  destinationChainId: chainId,
  destinationCurrency: stack.currencyOn(chainId, symbol),
  amount: `${ether * 10n ** 18n}`,
  tradeType: 'EXACT_INPUT',
})
