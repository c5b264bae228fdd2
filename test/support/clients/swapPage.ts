import type { Browser, HTTPRequest, Page } from 'puppeteer-core'
import type { Stack } from '#test/support/gateways/stack.ts'
import { type Look, openTab, type TabRecord } from './browser.ts'

/** A currency by its symbol, on a chain. */
export type Place = readonly [chainId: number, symbol: string]

type Opening = Look & Readonly<{ prepare?: (tab: Page) => Promise<void> }>

export type SwapPage = readonly [from: Place, to: Place, amount: string, opening?: Opening]

/** Opens the page of a gateway in a new tab, with a swap filled in. */
export async function openSwapPage(
  { stack, browser, record }: Readonly<{ stack: Stack; browser: Browser; record: TabRecord }>,
  ...[from, to, amount, { prepare = async () => {}, ...look } = {}]: SwapPage
): Promise<Page> {
  const place = ([chainId, symbol]: Place) => `${chainId}:${stack.currencyOn(chainId, symbol)}`
  const tab = await openTab(browser, record, look)
  await prepare(tab)
  await tab.goto(`${stack.url}/?from=${place(from)}&to=${place(to)}&amount=${amount}`)
  return tab
}

/** Sets the clock of a page ahead of the time of day. */
export const turnClock = (tab: Page, seconds: number): Promise<void> =>
  tab.evaluate((ahead) => {
    const { clock = Date.now } = window as { clock?: () => number }
    Object.assign(window, { clock })
    Date.now = () => clock() + ahead * 1000
  }, seconds)

/** Waits until the page shows an output below `amount`. */
export async function untilLessIsPaid(tab: Page, amount: number): Promise<void> {
  await tab.waitForFunction(
    (most) => Number(document.querySelector<HTMLInputElement>('#get')?.value) < most,
    { polling: 'raf' },
    amount,
  )
}

/** Holds the next quote that the page asks for until `act` is done. */
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
