import type { AddressInfo } from 'node:net'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { createLivePrices } from '#src/service/live/livePrices.ts'
import { createPricedOrders } from '#src/service/order/pricedOrders.ts'
import { price } from '#src/service/quote/price.ts'
import { createRandom } from '#test/bench/route/generate/random.ts'
import { createQuoteDeps, loaders } from '#test/support/fixtures/quoteDeps.ts'
import { serveGateway } from '#test/support/gateways/serveGateway.ts'
import { devnetMarket, generatedMarket, nextMarket, type PriceInput } from './markets.ts'

export type Ready = Readonly<{
  port: number
  followed: readonly PriceInput[]
  asked: readonly PriceInput[]
}>

/** Publishes a block at each interval, of one chain after the other, for some time. */
export type Run = Readonly<{ seconds: number; blockMs: number }>

/** `published` has the time of each block in milliseconds since 1970, by block number. */
export type Ran = Readonly<{
  published: Readonly<Record<number, number>>
  /** Searches for routes. */
  searches: number
  /** Share of one core. */
  cpu: number
  rss: number
  live: number
}>

const [kind = 'generated', inputs = '200'] = process.argv.slice(2)
const first = await (kind === 'devnet' ? devnetMarket() : generatedMarket())
const random = createRandom(7)

let market = first.market
/** The chains of the inputs: a block of another one changes no price. */
const { originChainId, destinationChainId } = first.input(random)
const chainIds = [...new Set([originChainId, destinationChainId])] as ChainId[]
let number = 1_000n
let searches = 0
const listeners = new Set<(chainId: ChainId) => void>()
const currencies = new Map(
  first.currencies.map((each) => [`${each.chainId}:${each.address}`, each]),
)
const orders = createPricedOrders(async (order, at) => {
  searches += 1
  return priceSwap(order, at)
})
const { deps } = createQuoteDeps({
  orders,
  snapshot: () => market,
  chains: new Map(
    [...market.chains.keys()].map((id) => [id, { id, disabled: false, vmType: 'evm' as const }]),
  ),
  contracts: new Map(),
  knownCurrency: (chainId, address) => currencies.get(`${chainId}:${address}`),
})
const live = createLivePrices({
  ...deps,
  orders,
  pricing: { tookInBackground: () => 0 },
  log: {
    debug: () => undefined,
    error: (fact: unknown) => process.stderr.write(`${JSON.stringify(fact)}\n`),
  } as never,
  market: {
    latest: (chainId) => market.chains.get(chainId),
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  },
  loaders: () => loaders,
  ending: new AbortController().signal,
})
const gateway = await serveGateway({
  loaders: () => loaders,
  price: (request, own, client) => price(deps, request, own, client),
  watchPrice: live.watch,
})

const { port } = gateway.server.address() as AddressInfo
/** Only inputs that the market can price. */
const draw = (count: number): PriceInput[] =>
  Array.from({ length: count }, () => first.input(random))
process.send?.({ port, followed: draw(Number(inputs)), asked: draw(500) } satisfies Ready)

const now = () => performance.timeOrigin + performance.now()

process.on('message', ({ seconds, blockMs }: Run) => {
  globalThis.gc?.()
  const cpuBefore = process.cpuUsage()
  const searchesBefore = searches
  const startedAt = now()
  const published: Record<number, number> = {}
  const timer = setInterval(() => {
    if (now() - startedAt < seconds * 1_000) {
      number += 1n
      const chainId = chainIds[Number(number) % chainIds.length] as ChainId
      market = nextMarket(market, first.market, { chainId, number }, random)
      published[Number(number)] = now()
      for (const listener of listeners) listener(chainId)
      return
    }
    clearInterval(timer)
    const elapsed = now() - startedAt
    const { user, system } = process.cpuUsage(cpuBefore)
    globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    const cpu = (user + system) / 1_000 / elapsed
    const ran = {
      published,
      searches: searches - searchesBefore,
      cpu,
      rss,
      live: heapUsed + external,
    }
    process.send?.(ran satisfies Ran)
  }, blockMs)
})
