import { type Account, type Address, nativeAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Usd } from '#src/core/units/usd.ts'

/** A problem that spans several keys of the configuration. */
export type Issue = Readonly<{ path: (string | number)[]; message: string }>

type Identified = Readonly<{
  chains: readonly Readonly<{ id: ChainId }>[]
  svmChains: readonly Readonly<{ id: ChainId }>[]
  assets: readonly Readonly<{
    symbol: string
    currencies: readonly Readonly<{ chainId: ChainId }>[]
  }>[]
}>

/** Chains that are configured twice, and assets on unknown chains or twice on a chain. */
export function chainIdIssues({ chains, svmChains, assets }: Identified): readonly Issue[] {
  const ids = [...chains, ...svmChains].map(({ id }) => id)
  const pathAt = (at: number) =>
    at < chains.length ? ['chains', at, 'id'] : ['svmChains', at - chains.length, 'id']
  const repeated = ids.flatMap((id, at) =>
    ids.indexOf(id) < at ? [{ path: pathAt(at), message: `chain ${id} is configured twice` }] : [],
  )
  const misplaced = assets.flatMap(({ symbol, currencies }, at) =>
    currencies.flatMap(({ chainId }, place) => {
      const path = ['assets', at, 'currencies', place, 'chainId']
      const isSecond = currencies.findIndex((each) => each.chainId === chainId) < place
      return [
        ...(isSecond
          ? [
              {
                path,
                message: `${symbol} has two currencies on chain ${chainId}; an asset has at most one per chain`,
              },
            ]
          : []),
        ...(ids.includes(chainId) ? [] : [{ path, message: `chain ${chainId} is not configured` }]),
      ]
    }),
  )
  return [...repeated, ...misplaced]
}

type Priced = Readonly<{
  chains: readonly Readonly<{
    id: ChainId
    wrappedNative: Address
    priceFeeds: readonly Readonly<{ currency: Address }>[]
    allowPoolPrices: boolean
  }>[]
  assets: readonly Readonly<{
    symbol: string
    currencies: readonly Readonly<{ chainId: ChainId; address: Account }>[]
  }>[]
}>

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
    const fed = new Set<Account>(priceFeeds.map(({ currency }) => currency))
    const isNative = (address: Account) => address === nativeAddress || address === wrappedNative
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

type Bounded = Readonly<{
  chains: readonly Readonly<{
    minPoolUsd: Usd
    maxPools?: number | undefined
    priceFeeds: readonly unknown[]
    factories: readonly Readonly<{ pairs: readonly unknown[] }>[]
  }>[]
}>

/** Limits on followed pools that have no effect, or exclude every pool. */
export const poolBoundIssues = ({ chains }: Bounded): readonly Issue[] =>
  chains.flatMap(({ minPoolUsd, maxPools, priceFeeds, factories }, at) => {
    const given = [
      ...(minPoolUsd > 0n ? ['minPoolUsd'] : []),
      ...(maxPools === undefined ? [] : ['maxPools']),
    ]
    const hasWholeFactory = factories.some(({ pairs }) => pairs.length === 0)
    const fault = hasWholeFactory
      ? priceFeeds.length === 0 &&
        'counts the depth of pools in currencies with a feed, and priceFeeds has none'
      : 'bounds the pools of whole factories, and each factory has pairs'
    return fault === false
      ? []
      : given.map((option) => ({ path: ['chains', at, option], message: fault }))
  })

type Endpoints = Readonly<{
  chains: readonly Readonly<{
    rpcUrls: readonly string[]
    sendUrls?: readonly string[] | undefined
    wsUrl?: string | undefined
  }>[]
}>

/** @param canLack whether chains may be without `rpcUrls`: true for a process that reads its market from a feed. */
export function endpointIssues({ chains }: Endpoints, canLack: boolean): readonly Issue[] {
  return chains.flatMap(({ rpcUrls, sendUrls, wsUrl }, at) => {
    if (rpcUrls.length > 0) return []
    if (!canLack)
      return [
        {
          path: ['chains', at, 'rpcUrls'],
          message:
            'is missing: only a process with ROLES=gateway and MARKET_SOURCE=feed can do without endpoints',
        },
      ]
    const useless = Object.entries({ sendUrls, wsUrl }).filter(([, given]) => given !== undefined)
    return useless.map(([name]) => ({ path: ['chains', at, name], message: 'needs rpcUrls' }))
  })
}
