import { AppError } from '#src/core/errors.ts'
import type { ChainMarkets, Market } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { assetPairsOf, type OpenAssetPair } from './assetPairs.ts'
import { attempt, bestCrossChainPrice, type Candidate, mostUsefulFailure } from './bestAssetPair.ts'
import { type CrossChainPrice, priceAcross } from './crossChainPrice.ts'
import { depositCost } from './netResultBounds.ts'

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
  const { assetPairs, failures: unpriced } = assetPairsOf(order, market, chains)
  const failures = [...unpriced]
  const best = bestCrossChainPrice(byTightBound(assetPairs, Number(order.amount)), {
    price: ({ assetPair, bound }, toBeat) => {
      const minNet = toBeat === undefined ? Number.NEGATIVE_INFINITY : Number(toBeat)
      return priceAcross(order, assetPair, {
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
 * Asset pairs by descending bound with price impact. That bound takes longer than the marginal one, so it is computed only
 * for asset pairs whose marginal bound is high enough.
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
