import { AppError } from '#src/errors.ts'
import type { Currency } from '#src/units/currency.ts'
import { type ChainsDeps, findChain, listChains } from './chains.ts'
import { searchCurrencies } from './currencies.ts'
import type { Loaders, Operations } from './operations.ts'
import { type PriceDeps, price } from './price.ts'

export type OperationsDeps = Pick<PriceDeps, 'snapshot' | 'knownCurrency'> &
  ChainsDeps &
  Readonly<{
    /** Every currency that needs no RPC call to know. */
    knownCurrencies: () => Iterable<Currency>
    loaders: () => Loaders
  }>

/** The operations that every face offers, over what the market knows. */
export function createOperations(deps: OperationsDeps): Operations {
  const chainById = new Map(deps.chains.map((chain) => [chain.id, chain]))
  const priceDeps = { ...deps, chains: chainById }
  return {
    loaders: deps.loaders,
    price: (request, loaders) => price(priceDeps, request, loaders),
    chains: () => listChains(deps),
    chain: (id) => findChain(deps, id),
    currencies: (filter) => searchCurrencies(deps.knownCurrencies(), filter),
    currency: async (chainId, address, loaders) => {
      const chain = findChain(deps, chainId)
      if (chain === undefined)
        throw new AppError('UNSUPPORTED_CHAIN', `chainId: chain ${chainId} is not supported.`, {
          field: 'chainId',
          chainId,
        })
      return deps.knownCurrency(chain.id, address) ?? loaders.currency(chain.id, address)
    },
  }
}
