import { setImmediate } from 'node:timers/promises'
import { AppError } from '#src/core/errors.ts'
import type { Market } from '#src/core/pricing/market.ts'
import type { Order, SwapSourceFilter } from '#src/core/pricing/order.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import { toAddress } from '#src/core/units/address.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { amountForUsdUp, toUsd, type UsdPrice } from '#src/core/units/usd.ts'
import type { ChainCurrencies } from '#src/market/currencies/currencies.ts'
import type { Markets } from '#src/market/markets.ts'

type Deps = Readonly<{
  market: Readonly<{
    ready: Markets['ready']
    snapshot: Markets['snapshot']
    currencies: Readonly<{ ofChain: ChainCurrencies['ofChain'] }>
  }>
  /** Ends the warm-up. */
  ending: AbortSignal
  /** Only a test replaces it. */
  price?: (order: Order, market: Market) => unknown
  /** A monotonic clock, in milliseconds. */
  now?: () => number
}>

/** Enough for V8 to compile the search for routes on markets of thousands of pools. */
const maxOrders = 60
/** The search is compiled once `enoughFast` prices in a row take less than `fastMs`. */
const fastMs = 5
const enoughFast = 5
/** Prices that nearly empty the pools are slow even when compiled. They must not keep a gateway from being ready. */
const maxMs = 2_000

/**
 * Prices orders of several sizes between currencies of all chains once their markets are loaded, one in each turn of
 * the event loop, until prices are fast or took two seconds in sum. V8 compiles code that runs often: without the
 * warm-up the first callers of a process wait ten times as long as later ones. Orders that cannot be priced are
 * skipped.
 */
export async function warmUp({
  market,
  ending,
  price = priceSwap,
  now = () => performance.now(),
}: Deps): Promise<void> {
  await market.ready()
  const priced = pricedCurrencies(market)
  if (priced.length < 2) return
  let fast = 0
  let tookMs = 0
  for (let at = 0; at < maxOrders && fast < enoughFast && tookMs < maxMs; at += 1) {
    if (ending.aborted) return
    const startedAt = now()
    try {
      const order = orderAt(at, priced)
      price(order, market.snapshot([order.origin.chainId, order.destination.chainId]))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
    const ms = now() - startedAt
    fast = ms < fastMs ? fast + 1 : 0
    tookMs += ms
    await setImmediate()
  }
}

type Priced = Readonly<{ currency: Currency; price: UsdPrice }>

/** The currencies with a price on all chains. */
const pricedCurrencies = ({ snapshot, currencies }: Deps['market']): readonly Priced[] =>
  [...snapshot([]).chains].flatMap(([chainId, { usdPrices }]) =>
    currencies.ofChain(chainId).flatMap((currency) => {
      const price = usdPrices.get(currency.address)
      return price === undefined ? [] : [{ currency, price }]
    }),
  )

const anySource: SwapSourceFilter = { excluded: new Set() }
const account = toAddress(`0x${'1'.repeat(40)}`)
/** A thousand, ten thousand and a hundred thousand dollars. */
const values = [10n ** 9n, 10n ** 10n, 10n ** 11n].map(toUsd)
const tradeTypes = ['EXACT_INPUT', 'EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'] as const

/** Gives another pair, amount and trade type for each `at`. There are at least two currencies. */
function orderAt(at: number, priced: readonly Priced[]): Order {
  // A large prime: the origins of orders that follow each other lie far apart.
  const originAt = (at * 7_919) % priced.length
  const destinationAt = (originAt + 1 + (at % (priced.length - 1))) % priced.length
  const origin = itemAt(priced, originAt)
  const destination = itemAt(priced, destinationAt)
  const tradeType = itemAt(tradeTypes, at)
  const { currency, price } = tradeType === 'EXACT_INPUT' ? origin : destination
  return {
    user: account,
    recipient: account,
    refundTo: account,
    origin: origin.currency,
    destination: destination.currency,
    amount: amountForUsdUp(itemAt(values, at), currency.decimals, price),
    tradeType,
    appFees: [],
    explicitDeposit: true,
    swapSources: { origin: anySource, destination: anySource },
    disableOriginSwaps: false,
    forceSolverExecution: false,
    originGasOverhead: 0n,
    enableTrueExactOutput: false,
    txs: [],
  }
}

/** The item at `at` modulo the length. The list is not empty. */
const itemAt = <Item>(items: readonly Item[], at: number): Item => items[at % items.length] as Item
