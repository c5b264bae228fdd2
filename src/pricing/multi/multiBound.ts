import { erc20Of, isOneErc20, type LegTask } from '#src/pricing/leg.ts'
import type { MultiOrder } from '#src/pricing/multiOrder.ts'
import { fillCost } from '#src/pricing/relay.ts'
import { type RouteBound, routeBound } from '#src/pricing/routeBound.ts'
import { leastShape } from '#src/pricing/transactionSize.ts'
import { dollars } from './dollars.ts'
import type { MultiBridge } from './multiBridge.ts'
import type { Source } from './source.ts'

/** For what float arithmetic rounds off on the way. */
const margin = 1e-9

/**
 * A net result that no crossing over `bridge` exceeds, as `netOf` counts it. Pools lose at the most once what they
 * lose to whoever trades them, however many swaps that takes.
 */
export function multiBound(order: MultiOrder, bridge: MultiBridge): number {
  const { market, input, output } = bridge.task
  const isMoved = bridge.sources.some((source) => source.market === market && swaps(source.task))
  // What is swapped into the payout may make room for the swap out of it.
  if (isMoved && !isOneErc20(market, input, output)) return Number.POSITIVE_INFINITY
  const { payout, fill, flat } = bridge
  const fixed = Number(flat) + Number(fillCost(fill, leastShape(market, payout, output)))
  const destination = boundOf(bridge.task)
  const extra = extraOf(bridge.sources)
  const yields = bridge.sources.map((source) => yieldOf(bridge, source))
  if (order.output === undefined) {
    const spent = yields.reduce((sum, { kept }) => sum + kept, extra - fixed)
    return spent * destination.rate + destination.extra
  }
  const spent = (Number(order.output) * (1 - margin) - destination.extra) / destination.rate
  return -leastValue(yields, spent + fixed - extra)
}

const swaps = ({ market, input, output }: LegTask): boolean => !isOneErc20(market, input, output)

const boundOf = ({ market, input, output }: LegTask): RouteBound =>
  routeBound(market.graph, erc20Of(market, input), erc20Of(market, output))

const scaleOf = ({ deposit, payout }: Source): number => 10 ** (payout.decimals - deposit.decimals)

/** Once a chain: all its sources are swapped into one deposit currency. */
function extraOf(sources: readonly Source[]): number {
  const byMarket = new Map(
    sources
      .filter(({ task }) => swaps(task))
      .map((source) => [source.market, boundOf(source.task).extra * scaleOf(source)]),
  )
  return [...byMarket.values()].reduce((sum, extra) => sum + extra, 0)
}

/** What all of an origin pays for at the best, and what it is worth in US dollars. */
type Yield = Readonly<{ kept: number; value: number }>

function yieldOf({ payout, payoutPrice }: MultiBridge, source: Source): Yield {
  const { origin, market, bps } = source
  const share = 1 - Number(bps) / 10_000
  const { rate } = boundOf(source.task)
  const kept = Number(origin.amount) * rate * (1 + margin) * scaleOf(source) * share
  const price = market.usdPrices.get(origin.currency.address)
  const value =
    price === undefined
      ? dollars(kept, payout, payoutPrice)
      : dollars(origin.amount, origin.currency, price)
  return { kept, value }
}

/** What is taken for `needed` where everyone pays at its best, the best first; gas is left out. */
function leastValue(yields: readonly Yield[], needed: number): number {
  let left = needed
  let taken = 0
  for (const { kept, value } of yields.toSorted(byRate)) {
    if (left <= 0) break
    const share = Math.min(1, left / kept)
    taken += share * value
    left -= share * kept
  }
  return left > 0 ? Number.POSITIVE_INFINITY : taken
}

const byRate = (one: Yield, other: Yield): number => other.kept / other.value - one.kept / one.value
