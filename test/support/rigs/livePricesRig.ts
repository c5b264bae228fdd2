import { AppError } from '#src/core/errors.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import type { PriceEvent } from '#src/service/answers.ts'
import { type PriceInput, priceInput } from '#src/service/input/priceInput.ts'
import { createLivePrices } from '#src/service/live/livePrices.ts'
import { createPricedOrders } from '#src/service/order/pricedOrders.ts'
import { price } from '#src/service/quote/price.ts'
import { type ChangingMarket, createChangingMarket } from '#test/support/fixtures/changingMarket.ts'
import {
  account,
  currencyOf,
  destinationChain,
  originChain,
  thirdChain,
} from '#test/support/fixtures/markets.ts'
import { client, createQuoteDeps, loaders } from '#test/support/fixtures/quoteDeps.ts'

type Place = Parameters<typeof currencyOf>

/** An input as a client sends it. */
const inputOf = ([origin, from]: Place, [destination, to]: Place, amount = 10n ** 18n) => ({
  user: account('1') as string,
  originChainId: origin as number,
  originCurrency: currencyOf(origin, from).address as string,
  destinationChainId: destination as number,
  destinationCurrency: currencyOf(destination, to).address as string,
  amount: `${amount}`,
  tradeType: 'EXACT_INPUT',
})

/** Without pools on the origin chain it has no route. */
export const swappingInput = inputOf([originChain, 'LONG'], [destinationChain, 'USDC'], 10n ** 22n)
export const swapping = { ...priceInput.parse(swappingInput), user: account('1') }

/** Inputs of every kind as clients send them. The first is ether on one chain for USDC on another. */
export const inputs = [
  inputOf([originChain, 'ETH'], [destinationChain, 'USDC']),
  inputOf([originChain, 'ETH'], [originChain, 'WBTC']),
  inputOf([destinationChain, 'LONG'], [originChain, 'ETH'], 10n ** 22n),
  inputOf([thirdChain, 'ETH'], [destinationChain, 'USDT']),
] as const
export const requests: readonly PriceInput[] = inputs.map((input) => priceInput.parse(input))
export const crossChainPrice = { ...priceInput.parse(inputs[0]), user: account('1') }

/** Live prices over a market that the test changes, and the searches for routes so far. */
export function createLiveRig(
  market: ChangingMarket = createChangingMarket(),
  options?: Readonly<{ maxTopics: number }>,
  ofTopics = loaders,
) {
  let searches = 0
  /** What every search waits for. */
  const search = { after: Promise.resolve() }
  const orders = createPricedOrders(async (order, at) => {
    searches += 1
    await search.after
    return priceSwap(order, at)
  })
  const { deps } = createQuoteDeps({ snapshot: market.snapshot, orders })
  const errors: unknown[] = []
  const ending = new AbortController()
  const log = { debug: () => undefined, error: (fact: unknown) => errors.push(fact) }
  /** By client: what it has taken, in the test. */
  const took = new Map<string, number>()
  const pricing = { tookInBackground: (name: string) => took.get(name) ?? 0 }
  const own = { log, market, orders, pricing, loaders: () => ofTopics, ending: ending.signal }
  const live = createLivePrices({ ...deps, ...own }, options)
  return {
    market,
    live,
    deps,
    errors,
    took,
    search,
    end: () => ending.abort(),
    searches: () => searches,
  }
}

export type LiveRig = ReturnType<typeof createLiveRig>

/** Runs the event loop until all due prices have been computed and dispatched. */
export async function dispatchDuePrices(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** The price or failure of an event, as a string to compare. */
export const shown = (event: Pick<PriceEvent, 'price' | 'failure'>): string =>
  JSON.stringify(
    event.price ?? [
      event.failure?.code,
      event.failure?.code === 'STALE_MARKET'
        ? event.failure.data?.['chainId']
        : event.failure?.message,
    ],
    (key, value: unknown) => {
      if (key === 'blocks' || key === 'pool') return undefined
      if (value instanceof Set) return [...value]
      return typeof value === 'bigint' ? `${value}n` : value
    },
  )

/** The current answer of `price`. */
export async function asked({ deps }: Pick<LiveRig, 'deps'>, request: PriceInput) {
  try {
    const answer = await price({ ...deps, orders: createPricedOrders() }, request, loaders, client)
    return shown({ price: answer, failure: undefined })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return shown({ price: undefined, failure: error })
  }
}

/** The possible answers of `price` at the blocks of the event. */
export async function askedAt(rig: LiveRig, request: PriceInput, event: PriceEvent) {
  const answers = rig.market.marketsAt(event.blocks).map((at) => {
    const deps = { ...rig.deps, snapshot: () => at }
    return asked({ deps }, request)
  })
  return Promise.all(answers)
}
