import type { Config } from '#src/config/config.ts'
import { inSpan, type Span } from '#src/config/tracing/tracer.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { ServedMarkets } from '#src/market/markets.ts'
import type { AddressStore } from '#src/requests/addressStore.ts'
import type { PermitStore } from '#src/requests/permitStore.ts'
import type { RelayedCallStore } from '#src/requests/relayedCall.ts'
import type { BatchStore, CallerReads, QuoteStore } from '#src/requests/requestStore.ts'
import type { HintStore } from '#src/requests/trackingStore.ts'
import { createCallers } from './callers.ts'
import { bridge } from './catalogue/bridge.ts'
import { createTrendingCurrencies } from './catalogue/trendingCurrencies.ts'
import {
  assetCurrencies,
  type ChainsDeps,
  findChain,
  isCurrent,
  listChains,
  sweepableOn,
} from './chains.ts'
import { searchCurrencies, usdPriceOf, withoutRefused } from './currencies.ts'
import type { Fallback, Upstream } from './fallback.ts'
import { UnsupportedChainError } from './input/fieldError.ts'
import { createAddressLimits } from './limits/addressLimits.ts'
import { createOpenQuotes } from './limits/openQuotes.ts'
import { createChainHeads } from './live/chainHeads.ts'
import { createLivePrices } from './live/livePrices.ts'
import { createPricedOrders } from './live/pricedOrders.ts'
import { createLoaders } from './loaders.ts'
import type { Operations } from './operations.ts'
import { priceAsked } from './order/askedPools.ts'
import { createKnownContracts } from './payees/knownContracts.ts'
import { executePermit } from './permits/executePermit.ts'
import { balanceInTime } from './quote/balanceInTime.ts'
import { type MultiInputDeps, multiInputQuote } from './quote/multiInputQuote.ts'
import { type PriceDeps, price } from './quote/price.ts'
import { prices } from './quote/prices.ts'
import { type QuoteDeps, quote } from './quote/quote.ts'
import { storedQuote } from './quote/storedQuote.ts'
import { createRelayedCallOperations } from './relayedCalls/createRelayedCallOperations.ts'
import { createIndexDepositAddress } from './requests/indexDepositAddress.ts'
import { createRequestOperations, type RequestsDeps } from './requests/requestOperations.ts'

type LiveDeps = Parameters<typeof createLivePrices>[0]

type Deps = Readonly<{
  /** Traces the pricing of an order. */
  span?: Span | undefined
  log: PriceDeps['log'] & LiveDeps['log']
  config: Pick<
    Config,
    | 'chains'
    | 'assets'
    | 'apiKeys'
    | 'maxOpenQuotes'
    | 'maxSwapImpact'
    | 'multiInputSeconds'
    | 'solver'
    | 'relayer'
  >
  /** The service that `config.upstream` names. */
  upstream?: Upstream | undefined
  market: ServedMarkets
}> &
  Pick<QuoteDeps, 'store' | 'now' | 'randomHash'> &
  Pick<RequestsDeps, 'hub'> &
  Pick<LiveDeps, 'ending'> &
  Readonly<{
    requests: BatchStore &
      QuoteStore &
      CallerReads &
      HintStore &
      AddressStore &
      PermitStore &
      RelayedCallStore
  }>

/** Creates the operations that GraphQL, REST and the WebSockets offer. */
export function createService(deps: Deps): Operations {
  const { config, market } = deps
  const { known, list } = market.currencies
  const quoteDeps = quoteDepsOf(deps)
  const loaders = () => createLoaders(market, deps.requests)
  const live = createLivePrices({ ...quoteDeps, ...deps, loaders })
  const watchHead = createChainHeads(deps)
  const { latest, status, waitsFor } = market
  const chainsDeps: ChainsDeps = { config, latest, status, known, waitsFor }
  const chainIdOf = (id: number): ChainId => {
    const chain = config.chains.find((each) => each.id === id)
    if (chain === undefined) throw new UnsupportedChainError(['chainId'], id, config.chains)
    return chain.id
  }
  const priceOrder: Operations['price'] = (request, loaders) => {
    live.yieldTo()
    return price(quoteDeps, request, loaders)
  }
  const fallback = fallbackOf(deps, quoteDeps)
  const refusal = (chainId: ChainId, address: Address) =>
    market.latest(chainId)?.refusedCurrencies.get(address)
  const stored = createRequestOperations({
    ...deps,
    latest: market.latest,
    identify: quoteDeps.identify,
    depositoryOn: (chainId) => quoteDeps.contracts.get(chainId)?.depository,
    chainIdOf,
  })
  return {
    ...stored,
    indexTransaction: deps.upstream?.announcing(stored.indexTransaction) ?? stored.indexTransaction,
    loaders,
    ageMs: market.ageMs,
    price: (request, loaders) => fallback.price(request, () => priceOrder(request, loaders)),
    watchPrice: live.watch,
    quote: (request, loaders, client) => {
      live.yieldTo()
      return fallback.quote(request, client, () => quote(quoteDeps, request, loaders, client))
    },
    multiInputQuote: (request, loaders, client) => {
      live.yieldTo()
      return multiInputQuote(quoteDeps, request, loaders, client)
    },
    prices: (requests, loaders) => {
      live.yieldTo()
      return prices(quoteDeps, requests, loaders)
    },
    ...createRelayedCallOperations({ ...deps, identify: quoteDeps.identify }),
    executePermit: (input) => executePermit(deps, input),
    supportsPermit: (chainId, address) => {
      const known = market.permits.known(chainId, address)
      if (known === undefined) return undefined
      return known.permit2 && (known.eip3009 !== undefined || known.eip2612 !== undefined)
    },
    storedQuote: (quoteId, loaders) => storedQuote(quoteDeps, quoteId, loaders),
    chains: () => listChains(chainsDeps),
    chain: (id) => findChain(chainsDeps, id),
    watchChainHead: (id) => watchHead(chainIdOf(id)),
    currencies: (filter) => searchCurrencies(list(), filter, refusal),
    currency: async (id, address, loaders) => {
      const chainId = chainIdOf(id)
      const currency = known({ chainId, address }) ?? (await loaders.currency(chainId, address))
      return currency && withoutRefused(currency, refusal)
    },
    knownUsdPrice: (chainId, address) => market.latest(chainId)?.usdPrices.get(address),
    refusal,
    balance: async (currency, user, loaders) => {
      const blockHash = market.latest(currency.chainId)?.block.hash
      return blockHash && balanceInTime(loaders.balance(currency, user, blockHash))
    },
    usdPrice: (id, address) => usdPriceOf(market.latest(chainIdOf(id)), address),
    indexDepositAddress: createIndexDepositAddress({
      ...deps,
      ...quoteDeps,
      latest: market.latest,
      sweepable: (chainId) => sweepableOn(chainsDeps, chainId),
      chainIdOf,
    }),
    trendingCurrencies: createTrendingCurrencies({ ...deps, known }),
    assetCurrencies: (currency) => assetCurrencies(chainsDeps, currency),
    isHealthy: (id) => isCurrent(market, chainIdOf(id)),
    bridge: (question, loaders) =>
      bridge({ config, known, snapshot: market.snapshot, price: priceOrder }, question, loaders),
  }
}

function quoteDepsOf({
  log,
  config,
  market,
  store,
  requests,
  now,
  randomHash,
  span,
}: Deps): MultiInputDeps & Pick<LiveDeps, 'orders'> {
  const { chains } = config
  return {
    log,
    orders: createPricedOrders((order, current) =>
      priceAsked(market.ask, [order.origin, order.destination], () =>
        inSpan(span, 'pricing', {}, () => priceSwap(order, current)),
      ),
    ),
    span,
    store,
    now,
    randomHash,
    chains: new Map(chains.map((chain) => [chain.id, chain])),
    swapSources: new Map(
      chains.map(({ id, factories }) => [id, new Set(factories.map(({ source }) => source))]),
    ),
    contracts: new Map(
      chains.flatMap(({ id, contracts }) => (contracts === undefined ? [] : [[id, contracts]])),
    ),
    solver: config.solver.address,
    identity: config.solver.identity ?? config.solver.address,
    snapshot: market.snapshot,
    askPools: market.ask,
    knownCurrency: (chainId, address) => market.currencies.known({ chainId, address }),
    knownContract: createKnownContracts(chains, market.latest),
    contractKinds: market.contractKinds,
    simulator: market.simulator,
    permits: market.permits,
    identify: createCallers(config.apiKeys),
    openQuotes: createOpenQuotes({ count: requests.countOpenQuotes, now }),
    addressLimits: createAddressLimits({ requests, now }),
    maxOpenQuotes: config.maxOpenQuotes,
    maxTopupUsd: config.solver.maxTopupUsd,
    externalLiquiditySeconds: config.solver.externalLiquiditySeconds,
    maxSwapImpact: config.maxSwapImpact,
    multiInputSeconds: config.multiInputSeconds,
  }
}

/** Without an upstream service, our own answer is the only one. */
const fallbackOf = ({ market, upstream }: Deps, quoteDeps: QuoteDeps): Fallback =>
  upstream?.fallbackFor({
    ...quoteDeps,
    knownUsdPrice: (chainId, address) => market.latest(chainId)?.usdPrices.get(address),
  }) ?? { price: (_, own) => own(), quote: (_, __, own) => own() }
