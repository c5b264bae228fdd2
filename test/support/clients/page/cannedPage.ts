import type { Page } from 'puppeteer-core'
import { AppError } from '#src/core/errors.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { PriceAnswer } from '#src/service/answers.ts'
import type { Warning } from '#src/service/quote/warnings.ts'
import { ether, otherUsdc } from '#test/support/canned/cannedCurrencies.ts'
import { cannedOperations } from '#test/support/canned/cannedOperations.ts'
import { cannedPrice } from '#test/support/canned/cannedQuotes.ts'
import { startTcpProxy } from '#test/support/clients/tcpProxy.ts'
import { answerOf, paidState } from '#test/support/fixtures/requestAnswer.ts'
import { serveGateway } from '#test/support/gateways/serveGateway.ts'
import { type Appearance, launchBrowser, openTab } from './browser.ts'
import { chooseWallet, injectWallet } from './injectedWallet.ts'

/** Amounts of ether, and what their swap loses. */
export const amounts = {
  fair: '1',
  high: '2',
  severe: '3',
  refused: '4',
  tooMuch: '5',
  /** The subscription itself fails, with the same error. */
  failing: '6',
} as const

const lostHundredths: Readonly<Record<string, bigint>> = { '2': 412n, '3': 1_280n, '4': 9_710n }

const wholeEther = 10n ** 18n

function priceOf(amount: string | bigint): PriceAnswer {
  const units = String(BigInt(amount) / wholeEther)
  const lost = lostHundredths[units] ?? 33n
  const usd = (cannedPrice.currencyIn.usd ?? 0n) * (lost - 3n)
  return {
    ...cannedPrice,
    totalImpact: { usd: toUsd(-(usd / 10_000n) - 1_000_000n), percentHundredths: -lost },
    swapImpact: { usd: toUsd(-(usd / 10_000n)), percentHundredths: -(lost - 3n) },
    warnings: async () => warningsOf[units] ?? [],
  }
}

const warningsOf: Readonly<Record<string, readonly Warning[]>> = {
  '2': [
    {
      code: 'UNVERIFIED_CURRENCY',
      severity: 'WARNING',
      message: 'USDC on chain 990002 is in no token list of this service.',
      data: {},
    },
  ],
  '4': [
    {
      code: 'QUOTE_REFUSED',
      severity: 'CRITICAL',
      message: 'A quote is refused: Swap impact is too high: -97.07%. Set overridePriceImpact.',
      data: { errorCode: 'SWAP_IMPACT_TOO_HIGH' },
    },
  ],
}

const tooMuch = new AppError(
  'NO_SWAP_ROUTES_FOUND',
  'No swap route found (origin leg: chain 990001, ETH to USDC): the pools are too shallow for 5 ETH; the largest amount that works is 1.234567890123456789 ETH.',
  {
    maxAmount: '1234567890123456789',
    maxAmountCurrency: { chainId: 990_001, address: `0x${'0'.repeat(40)}` },
  },
)

/** An iterator that gives `first` and then waits until it is returned. */
function lasting<Event>(first: Event): AsyncIterableIterator<Event> {
  let isSent = false
  let end = (_: IteratorResult<Event>) => {}
  const events: AsyncIterableIterator<Event> = {
    next: () => {
      if (isSent)
        return new Promise((resolve) => {
          end = resolve
        })
      isSent = true
      return Promise.resolve({ value: first, done: false })
    },
    return: async () => {
      const done = { value: undefined, done: true } as const
      end(done)
      return done
    },
    [Symbol.asyncIterator]: () => events,
  }
  return events
}

/** A gateway with fixed prices behind a proxy that can fail, and a browser. No chain runs. */
export async function startCannedPages() {
  const [gateway, browser] = await Promise.all([
    serveGateway({
      watchPrice: ({ amount = '0' }) => {
        if (BigInt(amount) / wholeEther === 6n) throw tooMuch
        const isTooMuch = BigInt(amount) / wholeEther === 5n
        const price = isTooMuch ? undefined : priceOf(amount)
        const failure = isTooMuch ? tooMuch : undefined
        return lasting({ price, failure, blocks: cannedPrice.blocks })
      },
      watchChainHead: (chainId) => {
        const chain = cannedOperations.chain(chainId)
        if (chain?.head === undefined) throw new Error(`No chain ${chainId}`)
        return lasting({ ...chain.head, chainId: chain.id })
      },
      chain: (chainId) => {
        const chain = cannedOperations.chain(chainId)
        return chain && { ...chain, explorerUrl: 'https://explorer.example/' }
      },
      balance: async ({ symbol }) => toAmount(symbol === 'ETH' ? 10n * wholeEther : 0n),
      // The market has moved since the price.
      quote: async () => {
        throw new AppError(
          'SWAP_IMPACT_TOO_HIGH',
          'Swap impact is too high: -97.07%. Swap a smaller amount, or set overridePriceImpact.',
        )
      },
      watchRequest: async function* () {
        yield answerOf(paidState, { destinationCurrency: nativeAddress })
      },
    }),
    launchBrowser(),
  ])
  const { hostname: host, port } = new URL(gateway.url)
  const proxy = await startTcpProxy({ host, port: Number(port) })
  const url = `http://127.0.0.1:${proxy.port}`
  return {
    url,
    browser,
    proxy,
    async open(
      amount: string,
      look: Appearance = {},
      prepare: (tab: Page) => Promise<void> = async () => {},
    ) {
      const tab = await openTab(browser, { errors: [], origins: new Set() }, look)
      await prepare(tab)
      const places = `from=990001:${ether.address}&to=990002:${otherUsdc.address}`
      await tab.goto(`${url}/?${places}&amount=${amount}`)
      return tab
    },
    async openWithWallet(amount: string, look: Appearance = {}) {
      const user = '0x1111111111111111111111111111111111111111'
      const tab = await this.open(amount, look, (tab) => injectWallet(tab, user, []))
      await chooseWallet(tab)
      return tab
    },
    async stop() {
      await browser.close()
      await proxy.stop()
      await gateway.close()
    },
  }
}
