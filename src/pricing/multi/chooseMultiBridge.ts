import type { AppError } from '#src/errors.ts'
import { assetOf } from '#src/pricing/asset.ts'
import { attempt, bestCrossing, mostTelling } from '#src/pricing/crossing/bestBridge.ts'
import { NoMultiBridgeError } from '#src/pricing/failures.ts'
import type { Gathered } from '#src/pricing/fees/multiRelayFees.ts'
import { shapeOf } from '#src/pricing/gas/transactionSize.ts'
import type { Market } from '#src/pricing/market.ts'
import type { MultiOrder } from '#src/pricing/multiOrder.ts'
import { crossOutput } from './crossExactOutput.ts'
import { inCurrency, multiBound } from './multiBound.ts'
import { createMultiBridge, type MultiBridge } from './multiBridge.ts'
import { crossEverything, type MultiCrossing } from './multiCrossing.ts'
import { costOf, gasOf, type Terms } from './originCost.ts'

/**
 * The order over the asset that leaves the users best off: the most output, or for a given output the least that is
 * taken from them, after the gas of their deposits. One asset serves all origins, as there is one payment.
 * @throws AppError the most telling failure when none works.
 */
export function chooseMultiBridge(order: MultiOrder, market: Market): MultiCrossing {
  const { output } = order
  const failures: AppError[] = []
  const best = bestCrossing(bridgesOf(order, market, failures), {
    cross: (bridge) =>
      output === undefined ? crossEverything(order, bridge) : crossOutput(order, bridge, output),
    netOf: (crossing) => netOf(order, crossing),
    failures,
    most: Math.max(1, Math.floor(mostLegs / order.origins.length)),
  })
  if (best !== undefined) return best
  const chainIds = [...new Set(order.origins.map(({ currency }) => currency.chainId))]
  throw mostTelling(failures) ?? new NoMultiBridgeError(chainIds, order.destination)
}

/**
 * Origin legs that are worked out to compare bridges: of many origins the bounds alone tell the best from the others, as each
 * origin's own gain or loss by a bridge is a small part of all.
 */
const mostLegs = 24

/** In the order of what they could give at best; the pair's own assets first among equals. */
function bridgesOf(order: MultiOrder, market: Market, failures: AppError[]) {
  const { origins, destination, output } = order
  const own = [destination, ...origins.map(({ currency }) => currency)].map((currency) =>
    assetOf(market, currency),
  )
  const bridges = market.assets.flatMap((asset) => {
    const payout = asset.currencies.get(destination.chainId)
    if (payout === undefined) return []
    const taken = origins.filter(({ currency }) => asset.currencies.has(currency.chainId))
    if (taken.length === 0 || (output === undefined && taken.length < origins.length)) return []
    const found = attempt(() => {
      const bridge = createMultiBridge(order, market, { asset, payout })
      return {
        bridge,
        bound: multiBound(order, bridge, termsOf(order, bridge)),
        isOwn: own.includes(asset),
      }
    }, failures)
    return found ?? []
  })
  return bridges.sort(
    (one, other) =>
      compareBounds(other.bound, one.bound) || Number(other.isOwn) - Number(one.isOwn),
  )
}

/** Of infinite ones the difference is no number. */
const compareBounds = (one: number, other: number): number => (one === other ? 0 : one - other)

export const termsOf = (
  { originGasOverhead }: MultiOrder,
  { payoutPrice }: Pick<MultiBridge, 'payoutPrice'>,
): Terms => ({ payoutPrice, originGasOverhead })

/** What the users end up with in the order's currency; or negative, what it takes from them in US dollars. */
export function netOf(
  order: MultiOrder,
  { bridge, gathered, destinationLeg }: MultiCrossing,
): number {
  const terms = termsOf(order, bridge)
  const sumOf = (usdOf: (each: Gathered) => number) =>
    gathered.reduce((sum, each) => sum + usdOf(each), 0)
  if (order.output !== undefined) return -sumOf((each) => costOf(each, terms))
  const gas = sumOf(({ source, leg }) => gasOf(source, shapeOf(leg), terms))
  return Number(destinationLeg.amountOut) - inCurrency(gas, bridge.task)
}
