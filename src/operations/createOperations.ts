import type { Config } from '#src/config.ts'
import { AppError } from '#src/errors.ts'
import type { MarketFeed } from '#src/market/createMarket.ts'
import { type ChainsDeps, findChain, listChains } from './chains.ts'
import { searchCurrencies } from './currencies.ts'
import type { Loaders, Operations } from './operations.ts'
import { type PriceDeps, price } from './price.ts'

type Deps = Readonly<{
  log: PriceDeps['log']
  config: Pick<Config, 'chains' | 'assets'>
  market: Pick<
    MarketFeed,
    'snapshot' | 'latest' | 'currencies' | 'currencyLoader' | 'balanceLoader'
  >
}>

/** The operations that every face offers, over what the market knows. */
export function createOperations({ log, config, market }: Deps): Operations {
  const { known, list } = market.currencies
  const priceDeps: PriceDeps = {
    log,
    chains: new Map(config.chains.map((chain) => [chain.id, chain])),
    snapshot: market.snapshot,
    knownCurrency: (chainId, address) => known({ chainId, address }),
  }
  const chainsDeps: ChainsDeps = { config, latest: market.latest, known }
  return {
    loaders: () => createLoaders(market),
    price: (request, loaders) => price(priceDeps, request, loaders),
    chains: () => listChains(chainsDeps),
    chain: (id) => findChain(chainsDeps, id),
    currencies: (filter) => searchCurrencies(list(), filter),
    currency: async (id, address, loaders) => {
      const chain = config.chains.find((each) => each.id === id)
      if (chain === undefined)
        throw new AppError('UNSUPPORTED_CHAIN', `chainId: chain ${id} is not supported.`, {
          field: 'chainId',
          chainId: id,
        })
      return known({ chainId: chain.id, address }) ?? loaders.currency(chain.id, address)
    },
  }
}

/** Made when first used: most requests know all their currencies and ask for no balance. */
function createLoaders(market: Pick<MarketFeed, 'currencyLoader' | 'balanceLoader'>): Loaders {
  let currencies: ReturnType<MarketFeed['currencyLoader']> | undefined
  let balances: ReturnType<MarketFeed['balanceLoader']> | undefined
  return {
    currency: (chainId, address) => {
      currencies ??= market.currencyLoader()
      return currencies.load({ chainId, address })
    },
    balance: ({ chainId, address }, account, blockHash) => {
      balances ??= market.balanceLoader()
      return balances.load({ chainId, currency: address, account, blockHash })
    },
  }
}
