import { type Address, nativeAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'

type Priced = Readonly<{
  chains: readonly Readonly<{
    id: ChainId
    wrappedNative: Address
    priceFeeds: readonly Readonly<{ currency: Address }>[]
    allowPoolPrices: boolean
  }>[]
  assets: readonly Readonly<{
    symbol: string
    currencies: readonly Readonly<{ chainId: ChainId; address: Address }>[]
  }>[]
}>

type Issue = Readonly<{ path: (string | number)[]; message: string }>

const remedy = 'add one, or set allowPoolPrices'

/**
 * Native and bridged currencies without a feed, on chains that do not allow pool prices. A pool's price can be
 * manipulated for one block, and the solver would pay at that price. The native and the wrapped native currency share a
 * feed.
 */
export function priceFeedIssues({ chains, assets }: Priced): readonly Issue[] {
  return chains.flatMap(({ id, wrappedNative, priceFeeds, allowPoolPrices }, at) => {
    if (allowPoolPrices) return []
    const path = ['chains', at, 'priceFeeds']
    const fed = new Set(priceFeeds.map(({ currency }) => currency))
    const isNative = (address: Address) => address === nativeAddress || address === wrappedNative
    const hasNative = fed.has(nativeAddress) || fed.has(wrappedNative)
    const unfed = assets.flatMap(({ symbol, currencies }) =>
      currencies
        .filter(({ chainId, address }) => chainId === id && !isNative(address) && !fed.has(address))
        .map(({ address }) => ({
          path,
          message: `${symbol} (${address}) is bridged and has no feed: ${remedy}`,
        })),
    )
    return hasNative
      ? unfed
      : [{ path, message: `the native currency has no feed: ${remedy}` }, ...unfed]
  })
}
