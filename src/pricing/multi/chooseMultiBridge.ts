import type { AppError } from '#src/errors.ts'
import { assetOf } from '#src/pricing/asset.ts'
import { attempt, bestCrossing, mostTelling } from '#src/pricing/bestBridge.ts'
import { NoMultiBridgeError } from '#src/pricing/failures.ts'
import type { Market } from '#src/pricing/market.ts'
import type { MultiOrder } from '#src/pricing/multiOrder.ts'
import { shapeOf } from '#src/pricing/transactionSize.ts'
import { crossOutput } from './crossOutput.ts'
import { costOf, dollars, gasOf } from './dollars.ts'
import { multiBound } from './multiBound.ts'
import { createMultiBridge } from './multiBridge.ts'
import { crossEverything, type MultiCrossing } from './multiCrossing.ts'

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
  })
  if (best !== undefined) return best
  const chainIds = [...new Set(order.origins.map(({ currency }) => currency.chainId))]
  throw mostTelling(failures) ?? new NoMultiBridgeError(chainIds, order.destination)
}

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
      return { bridge, bound: multiBound(order, bridge), isOwn: own.includes(asset) }
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

/** What the users end up with in the order's currency; or negative, what it takes from them in US dollars. */
function netOf(order: MultiOrder, { bridge, gathered, destinationLeg }: MultiCrossing): number {
  const { payoutPrice, task } = bridge
  const terms = { payoutPrice, originGasOverhead: order.originGasOverhead }
  if (order.output !== undefined)
    return -gathered.reduce((sum, each) => sum + costOf(each, terms), 0)
  const { destination } = order
  const price = task.market.usdPrices.get(destination.address)
  const gas = gathered.reduce((sum, { source, leg }) => sum + gasOf(source, shapeOf(leg), terms), 0)
  const unit = price === undefined ? Number.POSITIVE_INFINITY : dollars(1n, destination, price)
  return Number(destinationLeg.amountOut) - gas / unit
}
