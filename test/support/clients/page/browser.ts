import { existsSync } from 'node:fs'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { waitLimitMs } from '#test/support/patience.ts'

// biome-ignore lint/style/noProcessEnv: names a browser that is not where Debian installs it.
const named = process.env['CHROMIUM_PATH']

/** Path of a Chromium. Undefined if there is none: tests in a browser are then skipped. */
export const chromium = [named, '/usr/bin/chromium'].find(
  (path) => path !== undefined && existsSync(path),
)

export const launchBrowser = (): Promise<Browser> =>
  puppeteer.launch({
    executablePath: chromium ?? '',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    timeout: waitLimitMs,
    protocolTimeout: waitLimitMs,
  })

/** The errors of a tab, and the origins of its requests. */
export type TabRecord = Readonly<{ errors: string[]; origins: Set<string> }>

/** Width in CSS pixels. */
export type Appearance = Readonly<{ scheme?: 'light' | 'dark'; width?: number }>

/** A tab that records its console errors, its failed requests and the origin of every request. */
export async function openTab(
  browser: Browser,
  record: TabRecord,
  { scheme = 'light', width = 1280 }: Appearance = {},
): Promise<Page> {
  const tab = await browser.newPage()
  tab.setDefaultTimeout(waitLimitMs)
  await tab.setViewport({ width, height: 900 })
  await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
  tab.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) record.errors.push(message.text())
  })
  tab.on('pageerror', (error) => record.errors.push(String(error)))
  tab.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'data:') record.origins.add(origin)
  })
  return tab
}

/** Waits until an element matches `selector` and its text, or its value, matches `pattern`. Returns that text. */
export async function textOf(tab: Page, selector: string, pattern = /./): Promise<string> {
  const found = await tab.waitForFunction(
    (wanted: string, source: string) =>
      [...document.querySelectorAll(wanted)]
        .map((each) => (each instanceof HTMLInputElement ? each.value : (each.textContent ?? '')))
        .find((text) => new RegExp(source).test(text)),
    { polling: 20 },
    selector,
    pattern.source,
  )
  return String(await found.jsonValue())
}

/**
 * Clicks the first visible, enabled element of `selector` whose text matches `pattern`. It looks and clicks in one turn:
 * a click at a position would miss an element that has moved meanwhile.
 */
export async function click(tab: Page, selector: string, pattern = /(?:)/): Promise<void> {
  await tab.waitForFunction(
    (wanted: string, source: string) => {
      const element = [...document.querySelectorAll<HTMLElement>(wanted)].find(
        (each) =>
          each.checkVisibility() &&
          !each.matches(':disabled') &&
          new RegExp(source).test(each.textContent ?? ''),
      )
      element?.click()
      return element !== undefined
    },
    { polling: 20 },
    selector,
    pattern.source,
  )
}

/** Replaces the text of an input in one turn: between single keys a page may render its old text again. */
export async function fill(tab: Page, selector: string, text: string): Promise<void> {
  await tab.waitForSelector(selector, { visible: true })
  await tab.$eval(
    selector,
    (element, value) => {
      const input = element as HTMLInputElement
      input.focus()
      // React compares with what the instance was set to: the setter of the prototype passes it by.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    },
    text,
  )
}
