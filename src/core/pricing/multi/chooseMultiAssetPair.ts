import { AppError } from '#src/core/errors.ts'
import { payoutScale, usdQuoted } from '#src/core/pricing/conversion.ts'
import {
  attempt,
  bestCrossChainPrice,
  mostUsefulFailure,
} from '#src/core/pricing/crossChain/bestAssetPair.ts'
import { maxNetRate } from '#src/core/pricing/fees/relayFees.ts'
import { minFillCost } from '#src/core/pricing/fees/solverCosts.ts'
import { minShape, shapeOf } from '#src/core/pricing/gas/transactionSize.ts'
import {
  isOneErc20,
  type LegTask,
  legAmountBounds,
  legOutputBound,
} from '#src/core/pricing/leg/leg.ts'
import { assetOf, type Market } from '#src/core/pricing/market.ts'
import type { MultiOrder } from '#src/core/pricing/order.ts'
import { pausingBefore } from '#src/core/steps.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { approximateUsd } from '#src/core/units/usd.ts'
import {
  type AssetPairOrigin,
  type CostTerms,
  costOf,
  createMultiAssetPair,
  depositGasUsd,
  fixedFee,
  type MultiAssetPair,
  type OriginSwap,
} from './multiAssetPair.ts'
import {
  alwaysContinue,
  checkSettlements,
  type MultiCrossChainPrice,
  priceExactInputs,
  priceExactOutput,
  type ShouldContinueMulti,
} from './multiCrossChainPrice.ts'

/**
 * Prices the order over the asset pair with the best result for the users: the largest output, or for a given output
 * the lowest cost, after the gas of the deposits. One asset serves all origins, because there is one payment.
 * @throws AppError the most useful failure if no asset works.
 */
export function chooseMultiAssetPair(order: MultiOrder, market: Market): MultiCrossChainPrice {
  const { output } = order
  const { assetPairs, failures: unpriced } = pausingBefore(() => assetPairsOf(order, market))
  const failures = [...unpriced]
  const best = bestCrossChainPrice(assetPairs, {
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
function assetPairsOf(order: MultiOrder, market: Market) {
  const failures: AppError[] = []
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
  assetPairs.sort(
    (one, other) =>
      compareBounds(other.bound, one.bound) || Number(other.isOwn) - Number(one.isOwn),
  )
  return { assetPairs, failures }
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

/** Allows for float rounding. */
const margin = 1e-9

/**
 * Upper bound on the net result (see `netOf`) of any cross-chain price over `assetPair`. `extra` counts once per chain,
 * because the pools of a chain lose to arbitrage at most once, however many swaps there are.
 */
export const multiNetResultBound = (
  order: MultiOrder,
  assetPair: MultiAssetPair,
  terms: CostTerms,
): number =>
  order.output === undefined
    ? inputsBound(assetPair, terms)
    : outputBound(order.output, assetPair, terms)

/** Upper bound for an exact input: the whole amount of every origin. */
function inputsBound(assetPair: MultiAssetPair, terms: CostTerms): number {
  const { fill, task, origins } = assetPair
  const fixed = fixedFee(assetPair, origins) + minFillCost(fill, task.output)
  const alone = origins.filter((origin) => isAlone(assetPair, origin))
  const together = origins.filter((origin) => !alone.includes(origin))
  const payouts = [
    ...alone.map(
      (origin) => maxNetRate(origin, 1) * maxOutputAlone(origin.task, Number(origin.amount)),
    ),
    ...together.map((origin) => Number(origin.amount) * netRateOf(assetPair, origin)),
  ]
  const maxNetInput = sumOf(payouts) * (1 + margin) + extraOf(assetPair, together) - Number(fixed)
  const gas = sumOf(origins.map((origin) => minGasOf(origin, terms)))
  return destinationBound(assetPair, maxNetInput) - inDestinationCurrency(gas, task)
}

/**
 * Upper bound for an exact input whose origins have been swapped and leave at most `maxNetInput`. Infinite if an
 * origin may trade in the pools of the destination leg, because it may have improved their rate.
 */
export const netResultBoundAfterOrigins = (
  assetPair: MultiAssetPair,
  origins: readonly OriginSwap[],
  maxNetInput: Amount,
  terms: CostTerms,
): number =>
  sharesDestination(assetPair)
    ? Number.POSITIVE_INFINITY
    : maxOutputAlone(assetPair.task, Number(maxNetInput)) -
      inDestinationCurrency(gasOf(origins, terms), assetPair.task)

/** Upper bound on the output of the destination leg. */
function destinationBound(assetPair: MultiAssetPair, maxNetInput: number): number {
  const { task } = assetPair
  if (!sharesDestination(assetPair)) return maxOutputAlone(task, Math.max(0, maxNetInput))
  const { rate, extra } = legOutputBound(task)
  return rate === 0 ? Number.NEGATIVE_INFINITY : maxNetInput * rate + extra
}

/**
 * Upper bound on the output of a leg whose pools no other leg trades in. It includes price impact and is faster than
 * `legOutputBound`.
 */
const maxOutputAlone = (task: LegTask, amountIn: number): number =>
  legAmountBounds(task).maxOutput(amountIn) * (1 + margin)

/** Upper bound for an exact output of `wanted` from any subset of the origins. */
function outputBound(wanted: Amount, assetPair: MultiAssetPair, terms: CostTerms): number {
  const { fill, task, origins } = assetPair
  const destination = legOutputBound(task)
  if (destination.rate === 0) return Number.NEGATIVE_INFINITY
  // Any origin may turn out not to be needed, so no settlement cost is certain.
  const fixed = fixedFee(assetPair, []) + minFillCost(fill, task.output)
  const yields = origins.map((origin) => yieldOf(assetPair, origin, terms))
  const maxNetInput = (Number(wanted) * (1 - margin) - destination.extra) / destination.rate
  const gas = Math.min(...origins.map((origin) => minGasOf(origin, terms)))
  return -minValue(yields, maxNetInput - extraOf(assetPair, origins) + Number(fixed)) - gas
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)

/** The gas of the cheapest deposit, in US dollars. */
const minGasOf = (origin: AssetPairOrigin, terms: CostTerms): number => {
  const { market, task } = origin
  return depositGasUsd(origin, minShape(market, task.input, task.output), terms)
}

/** The gas of all deposits, in US dollars. */
const gasOf = (origins: readonly OriginSwap[], terms: CostTerms): number =>
  sumOf(origins.map(({ origin, leg }) => depositGasUsd(origin, shapeOf(leg), terms)))

/** US dollars in raw units of the destination currency; 0 if it has no price. */
function inDestinationCurrency(usd: number, { market, output }: LegTask): number {
  const quoted = usdQuoted(market, output)
  return quoted === undefined ? 0 : usd / approximateUsd(1n, quoted)
}

const needsSwap = ({ market, input, output }: LegTask): boolean =>
  !isOneErc20(market, input, output)

/** Whether the origin trades in pools of the destination leg: then both legs share one bound. */
const isOnDestination = ({ task }: MultiAssetPair, { market }: AssetPairOrigin): boolean =>
  market === task.market && needsSwap(task)

const sharesDestination = (assetPair: MultiAssetPair): boolean =>
  assetPair.origins.some((origin) => isOnDestination(assetPair, origin))

/** Whether no other leg trades in the pools of its chain. */
const isAlone = (assetPair: MultiAssetPair, origin: AssetPairOrigin): boolean =>
  assetPair.origins.every((other) => other === origin || other.market !== origin.market) &&
  !isOnDestination(assetPair, origin)

/** The `extra` of each chain, once: all origins of a chain swap to the same deposit currency. */
function extraOf(assetPair: MultiAssetPair, origins: readonly AssetPairOrigin[]): number {
  const swapped = origins.filter(
    (origin) => needsSwap(origin.task) && !isOnDestination(assetPair, origin),
  )
  const byMarket = new Map(
    swapped.map((origin) => [
      origin.market,
      legOutputBound(origin.task).extra * payoutScale(origin),
    ]),
  )
  return [...byMarket.values()].reduce((sum, extra) => sum + extra, 0)
}

/** The whole amount of an origin: an upper bound on its net payout, and its value in US dollars. */
type Yield = Readonly<{ net: number; usd: number }>

function yieldOf(assetPair: MultiAssetPair, origin: AssetPairOrigin, terms: CostTerms): Yield {
  const { market, amount, currency } = origin
  const net = Number(amount) * netRateOf(assetPair, origin) * (1 + margin)
  const quoted = usdQuoted(market, currency)
  const usd =
    quoted === undefined
      ? approximateUsd(net, { decimals: assetPair.payout.decimals, price: terms.payoutPrice })
      : approximateUsd(amount, quoted)
  return { net, usd }
}

/** Upper bound on the net payout for one raw unit of the origin. */
function netRateOf(assetPair: MultiAssetPair, origin: AssetPairOrigin): number {
  const { task } = origin
  if (needsSwap(task) && isOnDestination(assetPair, origin))
    return (
      legOutputBound({ ...task, output: assetPair.task.output }).rate /
      legOutputBound(assetPair.task).rate
    )
  return maxNetRate(origin, legOutputBound(task).rate)
}

/**
 * Lower bound on the value that pays for `needed`, with the best rates first; infinite if all origins are not enough.
 */
function minValue(yields: readonly Yield[], needed: number): number {
  let left = needed
  let value = 0
  for (const { net, usd } of yields.toSorted(byRate)) {
    if (left <= 0) return value
    if (left <= net) return value + (left / net) * usd
    left -= net
    value += usd
  }
  return Number.POSITIVE_INFINITY
}

const byRate = (one: Yield, other: Yield): number => other.net / other.usd - one.net / one.usd
