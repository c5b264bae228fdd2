import { minFillCost } from '#src/pricing/fees/fillCost.ts'
import { maxNetRate } from '#src/pricing/fees/multiRelayFees.ts'
import { payoutScale } from '#src/pricing/fees/shares.ts'
import { minShape } from '#src/pricing/gas/transactionSize.ts'
import { isOneErc20, type LegTask, legBound } from '#src/pricing/leg/leg.ts'
import type { MultiOrder } from '#src/pricing/multiOrder.ts'
import { usdQuoted } from '#src/pricing/usdConversion.ts'
import { approximateUsd } from '#src/units/usd.ts'
import type { BridgeOrigin } from './bridgeOrigin.ts'
import { fixedFee, type MultiBridge } from './multiBridge.ts'
import { type CostTerms, depositGasUsd } from './originCost.ts'

/** Allows for float rounding. */
const margin = 1e-9

/**
 * Upper bound on the net result (see `netOf`) of any crossing over `bridge`. The pools of one chain lose at most once what
 * they lose to arbitrage, however many swaps there are: so `extra` counts once per chain.
 */
export function multiBound(order: MultiOrder, bridge: MultiBridge, terms: CostTerms): number {
  const { fill, task, origins } = bridge
  const destination = legBound(task)
  if (destination.rate === 0) return Number.NEGATIVE_INFINITY
  // An exact output may use any of the origins: no settlement is certain.
  const settled = order.output === undefined ? origins : []
  const fixed = fixedFee(bridge, settled) + minFillCost(fill, task.output)
  const yields = origins.map((origin) => yieldOf(bridge, origin, terms))
  const free = extraOf(bridge) - Number(fixed)
  if (order.output === undefined) {
    const spent = yields.reduce((sum, { net }) => sum + net, free)
    const gas = yields.reduce((sum, each) => sum + each.gas, 0)
    const output = spent * destination.rate + destination.extra
    return output - inDestinationCurrency(gas, task)
  }
  const spent = (Number(order.output) * (1 - margin) - destination.extra) / destination.rate
  const gas = Math.min(...yields.map((each) => each.gas))
  return -minValue(yields, spent - free) - gas
}

/** US dollars in raw units of the destination currency; 0 if it has no price. */
export function inDestinationCurrency(usd: number, { market, output }: LegTask): number {
  const quoted = usdQuoted(market, output)
  return quoted === undefined ? 0 : usd / approximateUsd(1n, quoted)
}

const needsSwap = ({ market, input, output }: LegTask): boolean =>
  !isOneErc20(market, input, output)

/** Whether the origin trades in pools of the destination leg: then both legs share one bound. */
const isOnDestination = ({ task }: MultiBridge, { market }: BridgeOrigin): boolean =>
  market === task.market && needsSwap(task)

/** The `extra` of each chain, once: all origins of a chain swap to the same deposit currency. */
function extraOf(bridge: MultiBridge): number {
  const swapped = bridge.origins.filter(
    (origin) => needsSwap(origin.task) && !isOnDestination(bridge, origin),
  )
  const byMarket = new Map(
    swapped.map((origin) => [origin.market, legBound(origin.task).extra * payoutScale(origin)]),
  )
  return [...byMarket.values()].reduce((sum, extra) => sum + extra, 0)
}

/** Upper bound on the net payout of all of an origin; its value and its gas in US dollars. */
type Yield = Readonly<{ net: number; usd: number; gas: number }>

function yieldOf(bridge: MultiBridge, origin: BridgeOrigin, terms: CostTerms): Yield {
  const { market, task, amount, currency } = origin
  const net = Number(amount) * netRateOf(bridge, origin) * (1 + margin)
  const quoted = usdQuoted(market, currency)
  const usd =
    quoted === undefined
      ? approximateUsd(net, { decimals: bridge.payout.decimals, price: terms.payoutPrice })
      : approximateUsd(amount, quoted)
  return { net, usd, gas: depositGasUsd(origin, minShape(market, task.input, task.output), terms) }
}

/** Upper bound on the net payout for one raw unit of the origin. */
function netRateOf(bridge: MultiBridge, origin: BridgeOrigin): number {
  const { task } = origin
  if (needsSwap(task) && isOnDestination(bridge, origin))
    return legBound({ ...task, output: bridge.task.output }).rate / legBound(bridge.task).rate
  return maxNetRate(origin, legBound(task).rate)
}

/** Lower bound on the value that pays for `needed`, with the best rates first; infinite if all origins are not enough. */
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
