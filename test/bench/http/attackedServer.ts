import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { readEnvironment } from '#src/config/environment.ts'
import { AppError } from '#src/core/errors.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import { createGraph, updateGraph } from '#src/core/router/graph.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import { createRateLimiter } from '#src/gateway/limits/rateLimiter.ts'
import type { PriceEvent } from '#src/service/answers.ts'
import { priceInput } from '#src/service/input/priceInput.ts'
import { createWork } from '#src/service/limits/work.ts'
import { createChainHeads } from '#src/service/live/chainHeads.ts'
import { createLivePrices } from '#src/service/live/livePrices.ts'
import { createPricedOrders } from '#src/service/order/pricedOrders.ts'
import { multiInputQuote } from '#src/service/quote/multiInputQuote.ts'
import { price, prices } from '#src/service/quote/price.ts'
import { limitsOf } from '#src/system/gatewayLimits.ts'
import { applyBlock, generateTwoChains } from '#test/bench/size/twoChains.ts'
import { client, createQuoteDeps, loaders } from '#test/support/fixtures/quoteDeps.ts'
import { serveGateway } from '#test/support/gateways/serveGateway.ts'
import { inputOf } from './attackBodies.ts'

/** Since the last report. `cpu` is a share of one core. */
export type ServerReport = Readonly<{ longestTurnMs: number; cpu: number }>

const [seed = 1, pools = 1_000] = process.argv.slice(2).map(Number)
const chains = generateTwoChains(seed, pools)
const engine = { createGraph, updateGraph }
let market = chains.marketFor(engine)
const listeners = new Set<(chainId: ChainId) => void>()
setInterval(() => {
  market = applyBlock(market, chains.nextBlock(), engine)
  for (const chainId of market.chains.keys()) for (const listener of listeners) listener(chainId)
}, 1_000)

const markets = {
  latest: (chainId: ChainId) => market.chains.get(chainId),
  listen: (listener: (chainId: ChainId) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
const ending = new AbortController().signal
const watchHead = createChainHeads({ market: markets, ending })

const currencies = new Map(
  chains.currencies.map((each) => [`${each.chainId}:${each.address}`, each]),
)
const { pricing, ...work } = createWork(() => undefined)
const orders = createPricedOrders((order, market, { client, isInBackground }) => {
  const price = () => priceSwap(order, market)
  return isInBackground ? pricing.runInBackground(client, price) : pricing.run(client, price)
})
const { deps } = createQuoteDeps({
  ...work,
  pricing,
  orders,
  snapshot: () => market,
  chains: new Map(
    [...market.chains.keys()].map((id) => [id, { id, disabled: false, vmType: 'evm' as const }]),
  ),
  contracts: new Map(),
  knownCurrency: (chainId, address) => currencies.get(`${chainId}:${address}`),
})
const { admission, connections = {}, rates } = limitsOf(readEnvironment({}))
const rateLimiter = createRateLimiter(
  {
    log: { warn: () => undefined },
    identify: deps.identify,
    metrics: { countLimited: () => undefined, countFallback: () => undefined },
  },
  rates,
)
const gateway = await serveGateway(
  {
    loaders: () => loaders,
    price: (request, own, client) => price(deps, request, own, client),
    prices: (requests, own, client) => prices(deps, requests, own, client),
    ...work,
    watchChainHead: (chainId) => watchHead(toChainId(chainId)),
    multiInputQuote: (request, own, client) => multiInputQuote(deps, request, own, client),
  },
  { deadlineSeconds: 10, proxies: 1, rateLimiter, admission, connections },
)

const live = createLivePrices({
  ...deps,
  orders,
  pricing,
  log: { error: (fact: unknown) => process.stderr.write(`${JSON.stringify(fact)}\n`) },
  market: markets,
  loaders: () => loaders,
  ending,
})
/** The inputs that one client follows. */
const followed = Array.from({ length: 300 }, () => chains.drawTrade([1e6, 1e8]).exactInput)
let following: AsyncIterableIterator<PriceEvent>[] = []
function follow(): void {
  following = followed.map((order) => live.watch(priceInput.parse(inputOf(order)), 0, client))
  for (const items of following) void drain(items)
}
async function drain(items: AsyncIterableIterator<PriceEvent>): Promise<void> {
  try {
    for await (const _ of items);
  } catch (error) {
    // Some orders have no price.
    if (!(error instanceof AppError)) throw error
  }
}

const turns = monitorEventLoopDelay({ resolution: 1 })
turns.enable()
let reportedAt = performance.now()
let cpuBefore = process.cpuUsage()

/** Any message asks for a report; `follow` and `unfollow` begin and end live prices before that. */
process.on('message', (message) => {
  if (message === 'follow') follow()
  if (message === 'unfollow') for (const items of following) void items.return?.()
  const { user, system } = process.cpuUsage(cpuBefore)
  const cpu = (user + system) / 1_000 / (performance.now() - reportedAt)
  process.send?.({ longestTurnMs: turns.max / 1e6, cpu } satisfies ServerReport)
  turns.reset()
  reportedAt = performance.now()
  cpuBefore = process.cpuUsage()
})
process.send?.((gateway.server.address() as AddressInfo).port)
