import { AppError } from '#src/core/errors.ts'
import {
  attempt,
  bestCrossChainPrice,
  mostUsefulFailure,
} from '#src/core/pricing/crossChain/bestAssetPair.ts'
import { assetOf, type Market } from '#src/core/pricing/market.ts'
import type { MultiOrder } from '#src/core/pricing/order.ts'
import type { Currency } from '#src/core/units/currency.ts'
import {
  type CostTerms,
  costOf,
  createMultiAssetPair,
  type MultiAssetPair,
} from './multiAssetPair.ts'
import {
  alwaysContinue,
  checkSettlements,
  type MultiCrossChainPrice,
  priceExactInputs,
  priceExactOutput,
  type ShouldContinueMulti,
} from './multiCrossChainPrice.ts'
import {
  gasOf,
  inDestinationCurrency,
  multiNetResultBound,
  netResultBoundAfterOrigins,
} from './multiNetResultBound.ts'

/**
 * Prices the order over the asset pair with the best result for the users: the largest output, or for a given output
 * the lowest cost, after the gas of the deposits. One asset serves all origins, because there is one payment.
 * @throws AppError the most useful failure if no asset works.
 */
export function chooseMultiAssetPair(order: MultiOrder, market: Market): MultiCrossChainPrice {
  const { output } = order
  const failures: AppError[] = []
  const best = bestCrossChainPrice(assetPairsOf(order, market, failures), {
    price: (assetPair, toBeat: number | undefined) => {
      const shouldContinue = toBeat === undefined ? alwaysContinue : continueAbove(order, toBeat)
      const crossChainPrice =
        output === undefined
          ? priceExactInputs(order, assetPair, shouldContinue)
          : priceExactOutput(order, assetPair, output)
      if (crossChainPrice !== undefined) checkSettlements(crossChainPrice.origins)
      return crossChainPrice
    },
    netOf: (crossChainPrice) => netOf(order, crossChainPrice),
    failures,
    maxCompared: Math.max(1, Math.floor(maxOriginLegs / order.origins.length)),
  })
  if (best !== undefined) return best
  throw mostUsefulFailure(failures) ?? new NoMultiAssetPairError(order)
}

const continueAbove = (order: MultiOrder, toBeat: number): ShouldContinueMulti => ({
  afterOrigins: (assetPair, origins, maxNetInput) =>
    netResultBoundAfterOrigins(assetPair, origins, maxNetInput, costTerms(order, assetPair)) >
    toBeat,
  withMaxOutput: (crossChainPrice) => netOf(order, crossChainPrice) > toBeat,
})

/**
 * Maximum number of origin legs to price for the comparison of asset pairs. With many origins the bounds alone find the
 * best asset pair, because the effect of an asset pair on one origin is a small part of the whole.
 */
const maxOriginLegs = 24

/** By descending upper bound. Among equals, the assets of the order's own currencies come first. */
function assetPairsOf(order: MultiOrder, market: Market, failures: AppError[]) {
  const { origins, destination, output } = order
  const own = [destination, ...origins.map(({ currency }) => currency)].map((currency) =>
    assetOf(market, currency),
  )
  const assetPairs = market.assets.flatMap((asset) => {
    const payout = asset.currencies.get(destination.chainId)
    if (payout === undefined) return []
    const usable = origins.filter(({ currency }) => asset.currencies.has(currency.chainId))
    if (usable.length === 0 || (output === undefined && usable.length < origins.length)) return []
    const found = attempt(() => {
      const assetPair = createMultiAssetPair(order, market, { asset, payout })
      const bound = multiNetResultBound(order, assetPair, costTerms(order, assetPair))
      return { assetPair, bound, isOwn: own.includes(asset) }
    }, failures)
    return found ?? []
  })
  return assetPairs.sort(
    (one, other) =>
      compareBounds(other.bound, one.bound) || Number(other.isOwn) - Number(one.isOwn),
  )
}

/** The difference of two infinite bounds would be NaN. */
const compareBounds = (one: number, other: number): number => (one === other ? 0 : one - other)

export const costTerms = (
  { originGasOverhead }: MultiOrder,
  { payoutPrice }: Pick<MultiAssetPair, 'payoutPrice'>,
): CostTerms => ({ payoutPrice, originGasOverhead })

/** The output after gas in raw units; for an exact output, the negative cost in US dollars. */
export function netOf(order: MultiOrder, { assetPair, origins, destinationLeg }: Priced): number {
  const terms = costTerms(order, assetPair)
  if (order.output !== undefined)
    return -origins.reduce((sum, each) => sum + costOf(each, terms), 0)
  return (
    Number(destinationLeg.amountOut) - inDestinationCurrency(gasOf(origins, terms), assetPair.task)
  )
}

type Priced = Pick<MultiCrossChainPrice, 'assetPair' | 'origins' | 'destinationLeg'>

/** The solver can bridge no asset from all origins of the order at once. */
class NoMultiAssetPairError extends AppError {
  constructor({
    origins,
    destination,
  }: Readonly<{ origins: MultiOrder['origins']; destination: Currency }>) {
    const chainIds = [...new Set(origins.map(({ currency }) => currency.chainId))]
    super(
      'UNSUPPORTED_ROUTE',
      `The solver has no currency that it takes on each of the chains ${chainIds.join(', ')} and pays out on chain ${destination.chainId}.`,
      { originChainIds: chainIds, destinationChainId: destination.chainId },
    )
  }
}
