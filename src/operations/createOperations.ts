import type { Config } from '#src/config.ts'
import type { MarketFeed } from '#src/market/createMarket.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { createCallers } from './callers.ts'
import { type ChainsDeps, findChain, listChains } from './chains.ts'
import { searchCurrencies } from './currencies.ts'
import type { Loaders, Operations } from './operations.ts'
import { type MultiInputDeps, multiInputQuote } from './quote/multiInputQuote.ts'
import { type PriceDeps, price } from './quote/price.ts'
import { type QuoteDeps, quote } from './quote/quote.ts'
import {
  createRequestLoader,
  createRequestOperations,
  type RequestsDeps,
} from './requests/requestOperations.ts'
import { UnsupportedChainError } from './unsupportedChain.ts'
import { usdPrice } from './usdPrice.ts'

type Deps = Readonly<{
  log: PriceDeps['log']
  config: Pick<
    Config,
    'chains' | 'assets' | 'apiKeys' | 'maxSwapImpact' | 'multiInputSeconds' | 'solver'
  >
  market: Pick<
    MarketFeed,
    'snapshot' | 'latest' | 'currencies' | 'currencyLoader' | 'balanceLoader' | 'trials'
  >
}> &
  Pick<QuoteDeps, 'store' | 'now' | 'randomHash'> &
  Pick<RequestsDeps, 'requests' | 'hub'>

/** The operations that every face offers, over what the market knows. */
export function createOperations(deps: Deps): Operations {
  const { config, market } = deps
  const { known, list } = market.currencies
  const quoteDeps = quoteDepsOf(deps)
  const chainsDeps: ChainsDeps = { config, latest: market.latest, known }
  const chainIdOf = (id: number): ChainId => {
    const chain = config.chains.find((each) => each.id === id)
    if (chain === undefined) throw new UnsupportedChainError(['chainId'], id, config.chains)
    return chain.id
  }
  return {
    ...createRequestOperations({ ...deps, latest: market.latest, chainIdOf }),
    loaders: () => createLoaders(market, deps.requests),
    price: (request, loaders) => price(quoteDeps, request, loaders),
    quote: (request, loaders, apiKey) => quote(quoteDeps, request, loaders, apiKey),
    multiInputQuote: (request, loaders, apiKey) =>
      multiInputQuote(quoteDeps, request, loaders, apiKey),
    chains: () => listChains(chainsDeps),
    chain: (id) => findChain(chainsDeps, id),
    currencies: (filter) => searchCurrencies(list(), filter),
    currency: async (id, address, loaders) => {
      const chainId = chainIdOf(id)
      return known({ chainId, address }) ?? loaders.currency(chainId, address)
    },
    usdPrice: (id, address) => usdPrice(market.latest(chainIdOf(id)), address),
  }
}

function quoteDepsOf({ log, config, market, store, now, randomHash }: Deps): MultiInputDeps {
  const { chains } = config
  return {
    log,
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
    snapshot: market.snapshot,
    knownCurrency: (chainId, address) => market.currencies.known({ chainId, address }),
    trials: market.trials,
    identify: createCallers(config.apiKeys),
    maxSwapImpact: config.maxSwapImpact,
    multiInputSeconds: config.multiInputSeconds,
  }
}

/** Made when first used: most requests know all their currencies and ask for no balance. */
function createLoaders(
  market: Pick<MarketFeed, 'currencyLoader' | 'balanceLoader'>,
  requests: RequestsDeps['requests'],
): Loaders {
  let currencies: ReturnType<MarketFeed['currencyLoader']> | undefined
  let held: ReturnType<MarketFeed['balanceLoader']> | undefined
  let stored: ReturnType<typeof createRequestLoader> | undefined
  const balances = () => {
    held ??= market.balanceLoader()
    return held
  }
  return {
    currency: (chainId, address) => {
      currencies ??= market.currencyLoader()
      return currencies.load({ chainId, address })
    },
    balance: ({ chainId, address }, account, blockHash) =>
      balances().load({ chainId, currency: address, account, blockHash }),
    allowance: ({ currency, account, spender }, blockHash) => {
      const { chainId, address } = currency
      return balances().load({ chainId, currency: address, account, spender, blockHash })
    },
    request: (requestId) => {
      stored ??= createRequestLoader(requests)
      return stored.load(requestId)
    },
  }
}
