import { AppError } from '#src/core/errors.ts'
import { isOneErc20 } from '#src/core/pricing/leg/leg.ts'
import {
  assetOf,
  type ChainMarket,
  type ChainMarkets,
  type Market,
} from '#src/core/pricing/market.ts'
import type { Order, SwapSourceFilter } from '#src/core/pricing/order.ts'
import { pausingBefore } from '#src/core/steps.ts'
import { type Currency, isSameCurrency } from '#src/core/units/currency.ts'
import { type AssetPair, type AssetPairTerms, asAlternative, createAssetPair } from './assetPair.ts'
import { attempt, bestCrossChainPrice, type Candidate, mostUsefulFailure } from './bestAssetPair.ts'
import { type CrossChainPrice, priceAcross } from './crossChainPrice.ts'
import {
  createMinCosts,
  createNetResultBounds,
  depositCost,
  type MinCosts,
  type NetResultBounds,
} from './netResultBounds.ts'
import { requirePeg } from './peg.ts'

/**
 * Prices the order over the best asset pair of which the solver holds enough. If no such asset works and the order
 * may wait for liquidity, prices it over the best of all assets.
 * @throws AppError the most useful failure if no asset works.
 */
export function chooseAssetPair(
  order: Order,
  market: Market,
  chains: ChainMarkets,
): CrossChainPrice {
  const { externalLiquiditySeconds, ...withoutWaiting } = order
  if (externalLiquiditySeconds === undefined) return choose(order, market, chains)
  const immediate = attempt(() => choose(withoutWaiting, market, chains), [])
  return immediate ?? choose(order, market, chains)
}

/**
 * Prices the order over the asset pair with the best result for the user: the largest output or the smallest input,
 * after the gas of the deposit. Tries every asset that is on both chains, except those whose upper bound is no better
 * than the best result so far.
 * @throws AppError the most useful failure if no asset works.
 */
function choose(order: Order, market: Market, chains: ChainMarkets): CrossChainPrice {
  const { assetPairs, failures: unpriced } = pausingBefore(() =>
    assetPairsOf(order, market, chains),
  )
  const failures = [...unpriced]
  const best = bestCrossChainPrice(byTightBound(assetPairs, Number(order.amount)), {
    price: ({ assetPair, bound }, toBeat) => {
      const minNet = toBeat === undefined ? Number.NEGATIVE_INFINITY : Number(toBeat)
      return priceAcross(order, toBeat === undefined ? assetPair : asAlternative(assetPair), {
        afterOrigin: (originLeg, { size }) => bound.afterOrigin(originLeg, size) > minNet,
        withMaxOutput: ({ size }, maxOutput) =>
          toBeat === undefined || maxOutput - depositCost(assetPair, size) > toBeat,
      })
    },
    netOf: netResult,
    failures,
  })
  if (best === undefined) throw mostUsefulFailure(failures) ?? noAssetPair(order, market, chains)
  return best
}

/** An asset pair with its marginal bound at first, later with its bound with price impact. */
type BoundedAssetPair = Candidate<OpenAssetPair>

/** By descending bound. Among equals, the assets of the order's own currencies come first. */
const compareBounds = (one: BoundedAssetPair, other: BoundedAssetPair): number =>
  other.bound - one.bound || Number(other.assetPair.isOwn) - Number(one.assetPair.isOwn)

/**
 * Asset pairs by descending bound with price impact. That bound takes longer than the marginal one, so it is computed
 * only for asset pairs whose marginal bound is high enough.
 */
function* byTightBound(
  assetPairs: readonly OpenAssetPair[],
  amount: number,
): Generator<BoundedAssetPair> {
  const loose = assetPairs
    .map((assetPair) => ({ assetPair, bound: assetPair.bound.marginal(amount) }))
    .sort(compareBounds)
  const tight: BoundedAssetPair[] = []
  while (loose.length + tight.length > 0) {
    for (let [next] = loose; next !== undefined; [next] = loose) {
      if (tight[0] !== undefined && tight[0].bound > next.bound) break
      loose.shift()
      tight.push({ ...next, bound: next.assetPair.bound.withImpact(amount) })
      tight.sort(compareBounds)
    }
    const best = tight.shift()
    if (best !== undefined) yield best
  }
}

function noAssetPair(
  order: Order,
  market: Market,
  { origin, destination }: ChainMarkets,
): AppError {
  const deposits = market.assets.flatMap(({ currencies }) => {
    const deposit = currencies.get(origin.chain.id)
    return deposit === undefined || !currencies.has(destination.chain.id) ? [] : [deposit]
  })
  if (deposits.length === 0) return new NoAssetPairError(order.origin, order.destination)
  return new OptionsAssetPairError(order, deposits)
}

/**
 * The output (or the negative input) less the gas of the deposit, in the currency whose amount the order leaves open.
 */
function netResult(crossChainPrice: CrossChainPrice): bigint {
  const { assetPair, originLeg, depositCall, destinationLeg } = crossChainPrice
  const isInput = assetPair.terms.tradeType === 'EXACT_INPUT'
  const result = isInput ? destinationLeg.amountOut : -originLeg.amountIn
  return result - depositCost(assetPair, depositCall.size)
}

/** The solver can bridge no asset between the two chains. */
class NoAssetPairError extends AppError {
  constructor(origin: Currency, destination: Currency) {
    super(
      'UNSUPPORTED_ROUTE',
      `The solver has no currency that it takes on chain ${origin.chainId} and pays out on chain ${destination.chainId}.`,
      { originChainId: origin.chainId, destinationChainId: destination.chainId },
    )
  }
}

/** The options of the order exclude every asset that the solver can bridge. */
class OptionsAssetPairError extends AppError {
  /**
   * @param deposits the currencies that the solver takes on the origin chain for an asset that it pays out on the
   * destination chain.
   */
  constructor(
    { origin, destination, disableOriginSwaps, useDepositAddress }: Order,
    deposits: readonly Currency[],
  ) {
    const taken = deposits.map(({ symbol }) => symbol).join(', ')
    const paysAddress = useDepositAddress === true
    const otherField = disableOriginSwaps ? 'disableOriginSwaps' : 'forceSolverExecution'
    const field = paysAddress ? 'useDepositAddress' : otherField
    const reason =
      paysAddress || disableOriginSwaps
        ? `${origin.symbol} would have to be swapped on chain ${origin.chainId} before the deposit`
        : `the solver swaps on one side only, and neither takes ${origin.symbol} nor pays out ${destination.symbol} on chain ${origin.chainId}`
    super('UNSUPPORTED_ROUTE', `${field}: ${reason}; the solver takes ${taken}.`, { field })
  }
}

/** An asset pair that an order may take. `isOwn`: its asset contains one of the two currencies of the order. */
type OpenAssetPair = Readonly<{
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
  const { explicitDeposit, useDepositAddress, disableOriginSwaps, hasTokenAccount } = terms
  const ends = `${origin.address} ${destination.address} ${tradeType}`
  const deposit = `${explicitDeposit} ${useDepositAddress} ${disableOriginSwaps} ${permit?.kind} ${permit?.payer}`
  const payer = sponsorship === undefined ? 'user' : `sponsor ${sponsorship.maxUsd}`
  const fees = `${appFees.map(({ fee }) => fee)} ${fixedRate} ${topup} ${payer}`
  return `${ends} ${deposit} ${fees} ${maxRouteLength} ${hasTokenAccount}`
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
