import type { AppError } from '#src/core/errors.ts'
import { isOneErc20 } from '#src/core/pricing/leg/leg.ts'
import {
  assetOf,
  type ChainMarket,
  type ChainMarkets,
  type Market,
} from '#src/core/pricing/market.ts'
import type { SwapSourceFilter } from '#src/core/pricing/order.ts'
import { type Currency, isSameCurrency } from '#src/core/units/currency.ts'
import { type AssetPair, type AssetPairTerms, createAssetPair } from './assetPair.ts'
import { attempt } from './bestAssetPair.ts'
import {
  createMinCosts,
  createNetResultBounds,
  type MinCosts,
  type NetResultBounds,
} from './netResultBounds.ts'
import { requirePeg } from './peg.ts'

/** An asset pair that an order may take. `isOwn`: its asset contains one of the two currencies of the order. */
export type OpenAssetPair = Readonly<{
  assetPair: AssetPair
  bound: NetResultBounds
  isOwn: boolean
}>

/** The asset pairs of an order, and the errors of those that cannot be priced. */
export type AssetPairs = Readonly<{
  assetPairs: readonly OpenAssetPair[]
  failures: readonly AppError[]
}>

/** The known asset pairs of all orders between two chains at their blocks, by the key of their terms. */
type Known = Readonly<{
  assets: Market['assets']
  feeSchedule: Market['feeSchedule']
  byKey: Map<string, Readonly<{ terms: AssetPairTerms; found: AssetPairs }>>
  costs: MinCosts
}>

/** By the market of the origin chain, then of the destination chain: both are immutable. */
const knownAssetPairs = new WeakMap<ChainMarket, WeakMap<ChainMarket, Known>>()

/**
 * Maximum number of keys. Their asset pairs take some kilobytes each, and callers choose the terms, so a full cache is
 * cleared.
 */
const maxKnown = 128

/** The asset pairs of an order. Orders of any amount between the same currencies share them until the next block. */
export function assetPairsOf(
  terms: AssetPairTerms,
  market: Market,
  chains: ChainMarkets,
): AssetPairs {
  const key = keyOf(terms)
  if (key === undefined) return findAssetPairs(terms, market, chains, createMinCosts())
  const { byKey, costs } = knownOn(market, chains)
  const known = byKey.get(key)
  if (known !== undefined && isForSameCurrencies(known.terms, terms)) return known.found
  const found = findAssetPairs(terms, market, chains, costs)
  byKey.set(key, { terms, found })
  return found
}

/**
 * The key of the terms in a cache: equal keys mean equal terms. `undefined` for terms that rarely recur: those with
 * filters of swap sources or with destination calls.
 */
function keyOf(terms: AssetPairTerms): string | undefined {
  const { txs, txsGasLimit, authorizationList, swapSources, permit, sponsorship } = terms
  const isPlain =
    txs.length === 0 &&
    txsGasLimit === undefined &&
    authorizationList === undefined &&
    isOpen(swapSources.origin) &&
    isOpen(swapSources.destination)
  if (!isPlain) return undefined
  const { origin, destination, tradeType, appFees, fixedRate, topup, maxRouteLength } = terms
  const { explicitDeposit, useDepositAddress, disableOriginSwaps } = terms
  const ends = `${origin.address} ${destination.address} ${tradeType}`
  const deposit = `${explicitDeposit} ${useDepositAddress} ${disableOriginSwaps} ${permit?.kind} ${permit?.payer}`
  const payer = sponsorship === undefined ? 'user' : `sponsor ${sponsorship.maxUsd}`
  const fees = `${appFees.map(({ fee }) => fee)} ${fixedRate} ${topup} ${payer}`
  return `${ends} ${deposit} ${fees} ${maxRouteLength}`
}

const isOpen = ({ included, excluded }: SwapSourceFilter): boolean =>
  included === undefined && excluded.size === 0

/** Compares by identity, because a currency that has been read again is a new object that may differ. */
const isForSameCurrencies = (one: AssetPairTerms, other: AssetPairTerms): boolean =>
  one.origin === other.origin && one.destination === other.destination

function knownOn({ assets, feeSchedule }: Market, { origin, destination }: ChainMarkets): Known {
  const byDestination = knownAssetPairs.get(origin) ?? new WeakMap<ChainMarket, Known>()
  knownAssetPairs.set(origin, byDestination)
  const known = byDestination.get(destination)
  const isKnown = known?.assets === assets && known.feeSchedule === feeSchedule
  if (isKnown && known.byKey.size < maxKnown) return known
  const made = { assets, feeSchedule, byKey: new Map(), costs: createMinCosts() }
  byDestination.set(destination, made)
  return made
}

function findAssetPairs(
  terms: AssetPairTerms,
  market: Market,
  chains: ChainMarkets,
  costs: MinCosts,
): AssetPairs {
  const own = [assetOf(market, terms.origin), assetOf(market, terms.destination)]
  const failures: AppError[] = []
  const assetPairs = market.assets.flatMap((asset): readonly OpenAssetPair[] => {
    const deposit = asset.currencies.get(chains.origin.chain.id)
    const payout = asset.currencies.get(chains.destination.chain.id)
    if (deposit === undefined || payout === undefined) return []
    if (!isAllowed(terms, chains, deposit, payout)) return []
    const found = attempt(() => {
      requirePeg(asset, chains.origin, chains.destination)
      const assetPair = createAssetPair(market, terms, chains, { deposit, payout })
      return {
        assetPair,
        bound: createNetResultBounds(assetPair, costs),
        isOwn: own.includes(asset),
      }
    }, failures)
    return found === undefined ? [] : [found]
  })
  return { assetPairs, failures }
}

/** On a single chain only one of the legs may swap, because the other leg is priced on pools without that swap. */
function isAllowed(
  terms: AssetPairTerms,
  chains: ChainMarkets,
  deposit: Currency,
  payout: Currency,
) {
  const { origin, destination } = chains
  if (terms.useDepositAddress === true && !isSameCurrency(terms.origin, deposit)) return false
  const keepsOrigin = isOneErc20(origin, terms.origin, deposit)
  if (terms.disableOriginSwaps && !keepsOrigin) return false
  return origin !== destination || keepsOrigin || isOneErc20(destination, payout, terms.destination)
}
