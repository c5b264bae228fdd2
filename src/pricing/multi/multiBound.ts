import { fillCost } from '#src/pricing/fees/relayFees.ts'
import { leastShape } from '#src/pricing/gas/transactionSize.ts'
import { erc20Of, isOneErc20, type LegTask } from '#src/pricing/leg/leg.ts'
import type { MultiOrder } from '#src/pricing/multiOrder.ts'
import { type RouteBound, routeBound } from '#src/pricing/router/routeBound.ts'
import type { Source } from './bridgeOrigin.ts'
import type { MultiBridge } from './multiBridge.ts'
import { dollars, gasOf, type Terms } from './originCost.ts'

/** For what float arithmetic rounds off on the way. */
const margin = 1e-9

/**
 * A net result that no crossing over `bridge` exceeds, as `netOf` counts it. The pools of a chain lose at the most once what
 * they lose to whoever trades them, however many swaps that takes.
 */
export function multiBound(order: MultiOrder, bridge: MultiBridge, terms: Terms): number {
  const { payout, fill, flat, task, sources } = bridge
  const destination = boundOf(task)
  if (destination.rate === 0) return Number.NEGATIVE_INFINITY
  const fixed = flat + fillCost(fill, leastShape(task.market, payout, task.output))
  const yields = sources.map((source) => yieldOf(bridge, source, terms))
  const free = extraOf(bridge) - Number(fixed)
  if (order.output === undefined) {
    const spent = yields.reduce((sum, { kept }) => sum + kept, free)
    const gas = yields.reduce((sum, each) => sum + each.gas, 0)
    const output = spent * destination.rate + destination.extra
    return output - inCurrency(gas, task)
  }
  const spent = (Number(order.output) * (1 - margin) - destination.extra) / destination.rate
  const gas = Math.min(...yields.map((each) => each.gas))
  return -leastValue(yields, spent - free) - gas
}

/** US dollars in the order's currency; nothing where that has no price. */
export function inCurrency(usd: number, { market, output }: LegTask): number {
  const price = market.usdPrices.get(output.address)
  return price === undefined ? 0 : usd / dollars(1n, output, price)
}

const swaps = ({ market, input, output }: LegTask): boolean => !isOneErc20(market, input, output)

const boundOf = ({ market, input, output }: LegTask): RouteBound =>
  routeBound(market.graph, erc20Of(market, input), erc20Of(market, output))

const scaleOf = ({ deposit, payout }: Source): number => 10 ** (payout.decimals - deposit.decimals)

/** Whether its swap trades in pools of the destination leg: then both together are bounded as one. */
const isJoint = ({ task }: MultiBridge, { market }: Source): boolean =>
  market === task.market && swaps(task)

/** Once a chain: all its sources are swapped into one deposit currency. */
function extraOf(bridge: MultiBridge): number {
  const swapped = bridge.sources.filter((each) => swaps(each.task) && !isJoint(bridge, each))
  const byMarket = new Map(
    swapped.map((each) => [each.market, boundOf(each.task).extra * scaleOf(each)]),
  )
  return [...byMarket.values()].reduce((sum, extra) => sum + extra, 0)
}

/** What all of an origin pays for at the best, in the payout currency; what it is worth, and its gas, in US dollars. */
type Yield = Readonly<{ kept: number; usd: number; gas: number }>

function yieldOf(bridge: MultiBridge, source: Source, terms: Terms): Yield {
  const { origin, market, task } = source
  const kept = Number(origin.amount) * rateOf(bridge, source) * (1 + margin)
  const price = market.usdPrices.get(origin.currency.address)
  const usd =
    price === undefined
      ? dollars(kept, bridge.payout, terms.payoutPrice)
      : dollars(origin.amount, origin.currency, price)
  return { kept, usd, gas: gasOf(source, leastShape(market, task.input, task.output), terms) }
}

/** Raw units of the payout currency that one of the origin's pays for at the most. */
function rateOf(bridge: MultiBridge, source: Source): number {
  const { task, bps } = source
  if (swaps(task) && isJoint(bridge, source))
    return boundOf({ ...task, output: bridge.task.output }).rate / boundOf(bridge.task).rate
  return boundOf(task).rate * scaleOf(source) * (1 - Number(bps) / 10_000)
}

/** What is taken for `needed` where everyone pays at its best, the best first; infinite where that is not enough. */
function leastValue(yields: readonly Yield[], needed: number): number {
  let left = needed
  let taken = 0
  for (const { kept, usd } of yields.toSorted(byRate)) {
    if (left <= 0) return taken
    if (left <= kept) return taken + (left / kept) * usd
    left -= kept
    taken += usd
  }
  return Number.POSITIVE_INFINITY
}

const byRate = (one: Yield, other: Yield): number => other.kept / other.usd - one.kept / one.usd
