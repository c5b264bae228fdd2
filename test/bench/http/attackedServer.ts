import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { readEnvironment } from '#src/config/environment.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import { createGraph, updateGraph } from '#src/core/router/graph.ts'
import { createRateLimiter } from '#src/gateway/limits/rateLimiter.ts'
import { createWork } from '#src/service/limits/work.ts'
import { createPricedOrders } from '#src/service/order/pricedOrders.ts'
import { multiInputQuote } from '#src/service/quote/multiInputQuote.ts'
import { price, prices } from '#src/service/quote/price.ts'
import { limitsOf } from '#src/system/gatewayLimits.ts'
import { applyBlock, generateTwoChains } from '#test/bench/size/twoChains.ts'
import { createQuoteDeps, loaders } from '#test/support/fixtures/quoteDeps.ts'
import { serveGateway } from '#test/support/gateways/serveGateway.ts'

/** Since the last report. `cpu` is a share of one core. */
export type ServerReport = Readonly<{ longestTurnMs: number; cpu: number }>

const [seed = 1, pools = 1_000] = process.argv.slice(2).map(Number)
const chains = generateTwoChains(seed, pools)
const engine = { createGraph, updateGraph }
let market = chains.marketFor(engine)
setInterval(() => {
  market = applyBlock(market, chains.nextBlock(), engine)
}, 1_000)

const currencies = new Map(
  chains.currencies.map((each) => [`${each.chainId}:${each.address}`, each]),
)
const { pricing, ...work } = createWork(() => undefined)
const { deps } = createQuoteDeps({
  ...work,
  pricing,
  orders: createPricedOrders((order, market, { client }) =>
    pricing.run(client, () => priceSwap(order, market)),
  ),
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
    multiInputQuote: (request, own, client) => multiInputQuote(deps, request, own, client),
  },
  { deadlineSeconds: 10, proxies: 1, rateLimiter, admission, connections },
)

const turns = monitorEventLoopDelay({ resolution: 1 })
turns.enable()
let reportedAt = performance.now()
let cpuBefore = process.cpuUsage()

/** Any message asks for a report. */
process.on('message', () => {
  const { user, system } = process.cpuUsage(cpuBefore)
  const cpu = (user + system) / 1_000 / (performance.now() - reportedAt)
  process.send?.({ longestTurnMs: turns.max / 1e6, cpu } satisfies ServerReport)
  turns.reset()
  reportedAt = performance.now()
  cpuBefore = process.cpuUsage()
})
process.send?.((gateway.server.address() as AddressInfo).port)
