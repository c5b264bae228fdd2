import type { ChainId } from '#src/core/units/chainId.ts'
import { toPubkey } from '#src/core/units/svm/pubkey.ts'
import { vmTypeOf } from '#src/core/units/vmType.ts'
import type { MarketLoaders, Markets } from '#src/market/markets.ts'
import type { SvmReads } from '#src/market/svm/svmReads.ts'
import type { Loaders } from './answers.ts'
import {
  createQuoteLoader,
  createRequestLoader,
  type RequestsDeps,
} from './requests/requestService.ts'

/** Creates each loader on its first use: most requests need none of them. */
export function createLoaders(
  market: MarketLoaders,
  requests: RequestsDeps['requests'],
  svm: Pick<SvmReads, 'balance'>,
): Loaders {
  let currencies: ReturnType<Markets['currencyLoader']> | undefined
  const balances = new Map<ChainId, ReturnType<Markets['balanceLoader']>>()
  let requestLoader: ReturnType<typeof createRequestLoader> | undefined
  let quoteLoader: ReturnType<typeof createQuoteLoader> | undefined
  // A loader answers all of its keys together. One loader per chain keeps a hanging node from delaying other chains.
  const balanceLoaderOf = (chainId: ChainId) => {
    const loader = balances.get(chainId) ?? market.balanceLoader()
    balances.set(chainId, loader)
    return loader
  }
  return {
    currency: (chainId, address) => {
      // Only configured currencies of svm chains are supported, and they are known.
      if (vmTypeOf(address) === 'svm') return Promise.resolve(undefined)
      currencies ??= market.currencyLoader()
      return currencies.load({ chainId, address })
    },
    balance: ({ chainId, address }, account, blockHash) =>
      vmTypeOf(address) === 'svm'
        ? svm.balance(chainId, toPubkey(account), toPubkey(address))
        : balanceLoaderOf(chainId).load({ chainId, currency: address, account, blockHash }),
    allowance: ({ currency, account, spender }, blockHash) => {
      const { chainId, address } = currency
      return balanceLoaderOf(chainId).load({
        chainId,
        currency: address,
        account,
        spender,
        blockHash,
      })
    },
    request: (requestId) => {
      requestLoader ??= createRequestLoader(requests)
      return requestLoader.load(requestId)
    },
    quotedRequest: (quoteId) => {
      quoteLoader ??= createQuoteLoader(requests)
      return quoteLoader.load(quoteId)
    },
  }
}
