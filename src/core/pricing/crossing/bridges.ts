import type { AppError } from '#src/core/errors.ts'
import { isOneErc20 } from '#src/core/pricing/leg/leg.ts'
import { assetOf, type ChainMarket, type Market } from '#src/core/pricing/market.ts'
import { type Currency, isSameCurrency } from '#src/core/units/currency.ts'
import { attempt } from './bestBridge.ts'
import { type Bridge, createBridge } from './bridge.ts'
import { type BridgeBound, createBridgeBound } from './bridgeBound.ts'
import { type BridgeTerms, keyOf } from './bridgeTerms.ts'
import { createMinCosts, type MinCosts } from './minCosts.ts'
import { requirePeg } from './peg.ts'

/** The chains of an order. */
export type Chains = Readonly<{ origin: ChainMarket; destination: ChainMarket }>

/** A bridge that an order may take. `isOwn`: its asset contains one of the two currencies of the order. */
export type OpenBridge = Readonly<{ bridge: Bridge; bound: BridgeBound; isOwn: boolean }>

/** The bridges of an order, and the errors of those that cannot be priced. */
export type Bridges = Readonly<{
  bridges: readonly OpenBridge[]
  failures: readonly AppError[]
}>

/** The known bridges of all orders between two chains at their blocks, by the key of their terms. */
type Known = Readonly<{
  assets: Market['assets']
  feeSchedule: Market['feeSchedule']
  byKey: Map<string, Readonly<{ terms: BridgeTerms; found: Bridges }>>
  costs: MinCosts
}>

/** By the market of the origin chain, then of the destination chain: both are immutable. */
const knownBridges = new WeakMap<ChainMarket, WeakMap<ChainMarket, Known>>()

/**
 * Maximum number of keys. Their bridges take some kilobytes each, and callers choose the terms, so a full cache is
 * cleared.
 */
const maxKnown = 128

/** The bridges of an order. Orders of any amount between the same currencies share them until the next block. */
export function bridgesOf(terms: BridgeTerms, market: Market, chains: Chains): Bridges {
  const key = keyOf(terms)
  if (key === undefined) return findBridges(terms, market, chains, createMinCosts())
  const { byKey, costs } = knownOn(market, chains)
  const known = byKey.get(key)
  if (known !== undefined && isForSameCurrencies(known.terms, terms)) return known.found
  const found = findBridges(terms, market, chains, costs)
  byKey.set(key, { terms, found })
  return found
}

/** Compares by identity, because a currency that has been read again is a new object that may differ. */
const isForSameCurrencies = (one: BridgeTerms, other: BridgeTerms): boolean =>
  one.origin === other.origin && one.destination === other.destination

function knownOn({ assets, feeSchedule }: Market, { origin, destination }: Chains): Known {
  const byDestination = knownBridges.get(origin) ?? new WeakMap<ChainMarket, Known>()
  knownBridges.set(origin, byDestination)
  const known = byDestination.get(destination)
  const isKnown = known?.assets === assets && known.feeSchedule === feeSchedule
  if (isKnown && known.byKey.size < maxKnown) return known
  const made = { assets, feeSchedule, byKey: new Map(), costs: createMinCosts() }
  byDestination.set(destination, made)
  return made
}

function findBridges(terms: BridgeTerms, market: Market, chains: Chains, costs: MinCosts): Bridges {
  const own = [assetOf(market, terms.origin), assetOf(market, terms.destination)]
  const failures: AppError[] = []
  const bridges = market.assets.flatMap((asset): readonly OpenBridge[] => {
    const deposit = asset.currencies.get(chains.origin.chain.id)
    const payout = asset.currencies.get(chains.destination.chain.id)
    if (deposit === undefined || payout === undefined) return []
    if (!isAllowed(terms, chains, deposit, payout)) return []
    const found = attempt(() => {
      requirePeg(asset, chains.origin, chains.destination)
      const bridge = createBridge(market, terms, chains, { deposit, payout })
      return { bridge, bound: createBridgeBound(terms, bridge, costs), isOwn: own.includes(asset) }
    }, failures)
    return found === undefined ? [] : [found]
  })
  return { bridges, failures }
}

/** On a single chain only one of the legs may swap, because the other leg is priced on pools without that swap. */
function isAllowed(terms: BridgeTerms, chains: Chains, deposit: Currency, payout: Currency) {
  const { origin, destination } = chains
  if (terms.useDepositAddress === true && !isSameCurrency(terms.origin, deposit)) return false
  const keepsOrigin = isOneErc20(origin, terms.origin, deposit)
  if (terms.disableOriginSwaps && !keepsOrigin) return false
  return origin !== destination || keepsOrigin || isOneErc20(destination, payout, terms.destination)
}
