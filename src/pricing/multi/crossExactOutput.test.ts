import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Gathered, sharesKept } from '#src/pricing/fees/multiRelayFees.ts'
import { depositFor } from '#src/pricing/fees/relayFees.ts'
import { swapLeg } from '#src/pricing/leg/leg.ts'
import { marketAhead } from '#src/pricing/leg/marketAfterSwaps.ts'
import type { Market } from '#src/pricing/market.ts'
import type { MultiOrder } from '#src/pricing/multiOrder.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { wholeBps } from '#src/units/bps.ts'
import { divUp } from '#src/units/mulDiv.ts'
import { wideMarket } from '#test/support/fixtures/markets.ts'
import { multiOrders } from '#test/support/fixtures/multiOrders.ts'
import type { Source } from './bridgeOrigin.ts'
import { crossOutput } from './crossExactOutput.ts'
import { createMultiBridge, type MultiBridge } from './multiBridge.ts'
import { crossEverything, type MultiCrossing } from './multiCrossing.ts'
import { costOf } from './originCost.ts'

/** Quarters of an origin that a plan by hand takes of it; the last origin pays the rest. */
const quarters = [1n, 2n, 3n, 4n]

type Part = Readonly<{ source: Source; quarter: bigint }>

/** Every choice of some of these, in every order that ends with another of them, and of quarters of all but that. */
function plansOf(
  sources: readonly Source[],
): readonly Readonly<{ parts: readonly Part[]; last: Source }>[] {
  return sources.flatMap((last) => {
    const others = sources.filter((each) => each !== last)
    const choices = others.reduce<readonly (readonly Part[])[]>(
      (chosen, source) =>
        chosen.flatMap((parts) => [
          parts,
          ...quarters.map((quarter) => [...parts, { source, quarter }]),
        ]),
      [[]],
    )
    return choices.map((parts) => ({ parts, last }))
  })
}

/** What a plan takes, if it comes to `needed`. */
function costByHand(
  { parts, last }: ReturnType<typeof plansOf>[number],
  needed: Amount,
  terms: Parameters<typeof costOf>[1],
): number {
  let market: Market = wideMarket
  const swap = ({ task }: Source, kind: 'exactInput' | 'exactOutput', amount: Amount) => {
    const chain = market.chains.get(task.market.chain.id) ?? task.market
    const leg = swapLeg({ ...task, market: chain }, kind, amount)
    if (leg !== undefined) market = marketAhead(market, chain.chain.id, [leg])
    return leg
  }
  const gathered: Gathered[] = []
  for (const { source, quarter } of parts) {
    const leg = swap(source, 'exactInput', toAmount((source.origin.amount * quarter) / 4n))
    if (leg === undefined) return Number.POSITIVE_INFINITY
    gathered.push({ source, leg })
  }
  const missing = needed * wholeBps - sharesKept(gathered)
  if (missing <= 0n) return Number.POSITIVE_INFINITY
  const payout = toAmount(divUp(missing, wholeBps - last.bps))
  const leg = swap(last, 'exactOutput', depositFor(last, payout))
  if (leg === undefined || leg.amountIn > last.origin.amount) return Number.POSITIVE_INFINITY
  gathered.push({ source: last, leg })
  return gathered.reduce((sum, each) => sum + costOf(each, terms), 0)
}

const cases = fc
  .record({
    order: multiOrders(3),
    asset: fc.constantFrom(...wideMarket.assets),
    percent: fc.integer({ min: 5, max: 95 }),
  })
  .map(({ order, asset, percent }) => {
    const payout = asset.currencies.get(order.destination.chainId)
    if (payout === undefined) throw new Error('The fixture has every asset everywhere')
    const bridge = createMultiBridge(order, wideMarket, { asset, payout })
    const most = crossEverything(order, bridge).destinationLeg.amountOut
    return { order, bridge, output: toAmount((most * BigInt(percent) + 99n) / 100n) }
  })

/** What the deposits of a crossing pay for. */
const neededBy = ({ destinationLeg, fees }: MultiCrossing, { flat }: MultiBridge): Amount =>
  toAmount(destinationLeg.amountIn + fees.relayerGas + flat)

describe('crossOutput', () => {
  it('takes no more than any plan by hand', () => {
    fc.assert(
      fc.property(cases, ({ order, bridge, output }) => {
        const crossing = crossOutput({ ...order, output } as MultiOrder, bridge, output)
        const terms = {
          payoutPrice: bridge.payoutPrice,
          originGasOverhead: order.originGasOverhead,
        }
        const cost = crossing.gathered.reduce((sum, each) => sum + costOf(each, terms), 0)
        const byHand = plansOf(bridge.sources).map((plan) =>
          costByHand(plan, neededBy(crossing, bridge), terms),
        )
        // A unit of DUST is worth seven cents: in whole ones no plan comes out even.
        expect(cost).toBeLessThan(Math.min(...byHand) * 1.001 + 0.14)
      }),
      { numRuns: 100 },
    )
  })
})
