import { usdQuoted } from '#src/core/pricing/conversion.ts'
import { relayBound } from '#src/core/pricing/fees/relayFees.ts'
import { fillCost } from '#src/core/pricing/fees/solverCosts.ts'
import { type TransactionSize, transactionCost } from '#src/core/pricing/gas/gas.ts'
import { minShape } from '#src/core/pricing/gas/transactionSize.ts'
import { sizesOf } from '#src/core/pricing/gas/transactionSizes.ts'
import {
  isOneErc20,
  type LegSwap,
  legAmountBounds,
  maxRatesFrom,
  maxRatesTo,
} from '#src/core/pricing/leg/leg.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import { isRelayed } from '#src/core/pricing/order.ts'
import type { RouteAmountBounds } from '#src/core/router/routeBounds.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { type Currency, isNative } from '#src/core/units/currency.ts'
import { convertDown } from '#src/core/units/usd.ts'
import type { AssetPair } from './assetPair.ts'

/** Allows for float rounding. */
const margin = 1e-9

/**
 * Upper bounds on the net result (see `netResult`) of any cross-chain price over an asset pair, from the loosest to the
 * tightest. They hold for any amount of the order.
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

/**
 * The gas of a deposit transaction in the currency whose amount the order leaves open, rounded down. 0 if a price is
 * missing, or if the solver sends the deposit, because its fees then include the gas.
 */
export function depositCost(
  { terms, origin, destination }: AssetPair,
  transaction: TransactionSize,
): Amount {
  if (isRelayed(terms)) return toAmount(0n)
  const wei = transactionCost(origin.gas, transaction)
  const native = usdQuoted(origin, origin.chain.native)
  const currency =
    terms.tradeType === 'EXACT_INPUT'
      ? usdQuoted(destination, terms.destination)
      : usdQuoted(origin, terms.origin)
  if (native === undefined || currency === undefined) return toAmount(0n)
  return convertDown(wei, native, currency)
}

/**
 * The minimum costs of the legs of an asset pair, by the number of hops of their longest path: `depositCost` and
 * `fillCost` of the smallest possible leg.
 */
export type MinCosts = Readonly<{
  ofDeposit: (assetPair: AssetPair) => (hops: number) => number
  /** Throws NoPriceError if the cost cannot be converted. */
  ofFill: (assetPair: AssetPair) => (hops: number) => number
}>

/**
 * Minimum costs of all orders without calls between two chains at their blocks. Most pairs of currencies share them,
 * because they depend only on the currency of the cost, on native ends, and on whether the leg needs a swap.
 */
export function createMinCosts(): MinCosts {
  const known = new Map<string, number[]>()
  const shared = (key: string, costOf: (hops: number) => bigint) => {
    const byHops = known.get(key) ?? []
    known.set(key, byHops)
    return (hops: number): number => {
      byHops[hops] ??= Number(costOf(hops))
      return byHops[hops]
    }
  }
  return {
    ofDeposit: (assetPair) => {
      const { terms, origin, deposit } = assetPair
      const open = terms.tradeType === 'EXACT_INPUT' ? terms.destination : terms.origin
      const how = `${terms.explicitDeposit} ${terms.permit?.kind} ${terms.permit?.payer}`
      return shared(
        `deposit ${open.chainId} ${open.address} ${how} ${kindOf(origin, terms.origin, deposit)}`,
        (hops) => {
          const smallest = minShape(origin, terms.origin, deposit, hops)
          const { explicitDeposit, permit } = terms
          const { deposit: sizeOf } = sizesOf(origin.gas)
          return depositCost(assetPair, sizeOf(smallest, explicitDeposit, permit?.kind))
        },
      )
    },
    ofFill: (assetPair) => {
      const { terms, destination, deposit, payout, topup, sweep, gasPercent } = assetPair
      const fee = `${deposit.address} ${payout.address} ${topup} ${sweep} ${gasPercent} ${terms.hasTokenAccount}`
      return shared(`fill ${fee} ${kindOf(destination, payout, terms.destination)}`, (hops) =>
        fillCost(assetPair, minShape(destination, payout, terms.destination, hops)),
      )
    },
  }
}

/** The properties that determine the size of a leg, apart from its hops: native ends, and whether it needs a swap. */
const kindOf = (market: ChainMarket, input: Currency, output: Currency): string =>
  `${isNative(input.address)} ${isNative(output.address)} ${isOneErc20(market, input, output)}`
