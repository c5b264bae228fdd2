import { relayBound } from '#src/core/pricing/fees/relayFees.ts'
import type { TransactionSize } from '#src/core/pricing/gas/gas.ts'
import {
  type LegSwap,
  legAmountBounds,
  maxRatesFrom,
  maxRatesTo,
} from '#src/core/pricing/leg/leg.ts'
import type { RouteAmountBounds } from '#src/core/router/routeAmountBounds.ts'
import type { AssetPair } from './assetPair.ts'
import { depositCost, type MinCosts } from './depositCost.ts'

/** Allows for float rounding. */
const margin = 1e-9

/**
 * Upper bounds on the net result (see `netResult`) of any cross-chain price over an asset pair, from the loosest to the tightest. They
 * hold for any amount of the order.
 */
export type NetResultBounds = Readonly<{
  /** From the best marginal rates. */
  marginal: (amount: number) => number
  /** With the price impact in the first and last pools of each leg. */
  withImpact: (amount: number) => number
  /** For an exact input, after its origin leg has been swapped, with its deposit transaction. */
  afterOrigin: (originLeg: LegSwap, transaction: TransactionSize) => number
}>

/** Upper bound on the rate and lower bound on the cost of a leg, for one number of hops of its longest path. */
type Hops = Readonly<{ rate: number; cost: number }>

/**
 * A route with longer paths may give more, but costs more gas. So each bound is the best over all numbers n of hops:
 * the maximum output of paths of at most n hops, less the gas of one path of n hops.
 * @param costs the minimum costs between these two chains at these blocks.
 * @throws NoPriceError if the cost of the fill cannot be converted.
 */
export function createNetResultBounds(assetPair: AssetPair, costs: MinCosts): NetResultBounds {
  const { legs, terms } = assetPair
  const relay = relayBound(assetPair)
  const originHops = hopsOf(maxRatesFrom(legs.origin), costs.ofDeposit(assetPair))
  const destinationHops = hopsOf(maxRatesTo(legs.destination), costs.ofFill(assetPair))

  // Loops are faster than closures here, and each price evaluates them for every asset pair.
  const outputFrom = (deposited: number, impact: RouteAmountBounds): number => {
    let max = Number.NEGATIVE_INFINITY
    for (const { rate, cost } of destinationHops) {
      const netInput = relay.maxNetInput(deposited * (1 + margin), cost)
      if (netInput * rate > max)
        max = Math.max(max, Math.min(netInput * rate, impact.maxOutput(netInput)))
    }
    return max
  }
  const exactInput = (
    amount: number,
    first: RouteAmountBounds,
    last: RouteAmountBounds,
  ): number => {
    const maxDeposit = first.maxOutput(amount)
    let max = Number.NEGATIVE_INFINITY
    for (const { rate, cost } of originHops)
      max = Math.max(max, outputFrom(Math.min(amount * rate, maxDeposit), last) - cost)
    return max
  }
  const exactOutput = (
    amount: number,
    first: RouteAmountBounds,
    last: RouteAmountBounds,
  ): number => {
    const out = amount * (1 - margin)
    const minNetInput = last.minInput(out)
    let deposited = Number.POSITIVE_INFINITY
    for (const { rate, cost } of destinationHops)
      deposited = Math.min(deposited, relay.minDeposit(Math.max(out / rate, minNetInput), cost))
    const minInput = first.minInput(deposited)
    let min = Number.POSITIVE_INFINITY
    for (const { rate, cost } of originHops)
      min = Math.min(min, Math.max(deposited / rate, minInput) + cost)
    return -min
  }
  const bound = terms.tradeType === 'EXACT_INPUT' ? exactInput : exactOutput
  let impacts: Readonly<{ first: RouteAmountBounds; last: RouteAmountBounds }> | undefined
  const impactsOf = () => {
    impacts ??= { first: legAmountBounds(legs.origin), last: legAmountBounds(legs.destination) }
    return impacts
  }
  return {
    marginal: (amount) => bound(amount, unbounded, unbounded),
    withImpact: (amount) => {
      const { first, last } = impactsOf()
      return bound(amount, first, last)
    },
    afterOrigin: (originLeg, transaction) =>
      outputFrom(Number(originLeg.amountOut), impactsOf().last) -
      Number(depositCost(assetPair, transaction)),
  }
}

const unbounded: RouteAmountBounds = {
  maxOutput: () => Number.POSITIVE_INFINITY,
  minInput: () => 0,
}

/**
 * By ascending number of hops. Leaves out a number of hops whose rate is no better than with fewer hops, because it
 * only costs more.
 * @param rates by the number of hops less one.
 */
function hopsOf(rates: readonly number[], costOf: (hops: number) => number): readonly Hops[] {
  const better = rates.flatMap((rate, at) =>
    rate > (rates[at - 1] ?? 0) ? { rate, cost: costOf(at + 1) } : [],
  )
  return better.length > 0 ? better : [{ rate: 0, cost: costOf(1) }]
}
