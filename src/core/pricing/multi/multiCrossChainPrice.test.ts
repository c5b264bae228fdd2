import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SwapMode } from '#src/core/pools/poolKind.ts'
import { depositFor } from '#src/core/pricing/conversion.ts'
import { netPayoutInBps } from '#src/core/pricing/fees/relayFees.ts'
import { swapLeg } from '#src/core/pricing/leg/leg.ts'
import { marketAfterSwaps } from '#src/core/pricing/leg/swapSequence.ts'
import type { Market } from '#src/core/pricing/market.ts'
import type { MultiOrder } from '#src/core/pricing/order.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { divUp } from '#src/core/units/arithmetic.ts'
import { wholeBps } from '#src/core/units/bps.ts'
import { wideMarket } from '#test/support/fixtures/markets.ts'
import { multiOrders } from '#test/support/orders/multiOrders.ts'
import { runs } from '#test/support/runs.ts'
import {
  type AssetPairOrigin,
  costOf,
  createMultiAssetPair,
  fixedFee,
  type MultiAssetPair,
  type OriginSwap,
} from './multiAssetPair.ts'
import {
  type MultiCrossChainPrice,
  priceExactInputs,
  priceExactOutput,
} from './multiCrossChainPrice.ts'

/** Quarters of an origin that a brute-force plan uses; the last origin pays the rest. */
const quarters = [1n, 2n, 3n, 4n]

type Part = Readonly<{ origin: AssetPairOrigin; quarter: bigint }>

/** All plans: every subset of the origins, every last origin, and every number of quarters of the others. */
function plansOf(
  origins: readonly AssetPairOrigin[],
): readonly Readonly<{ parts: readonly Part[]; last: AssetPairOrigin }>[] {
  return origins.flatMap((last) => {
    const others = origins.filter((each) => each !== last)
    const choices = others.reduce<readonly (readonly Part[])[]>(
      (chosen, origin) =>
        chosen.flatMap((parts) => [
          parts,
          ...quarters.map((quarter) => [...parts, { origin, quarter }]),
        ]),
      [[]],
    )
    return choices.map((parts) => ({ parts, last }))
  })
}

/** The cost of a plan with a net payout of `needed`; infinite if it cannot have one. */
function costOfPlan(
  { parts, last }: ReturnType<typeof plansOf>[number],
  needed: Amount,
  terms: Parameters<typeof costOf>[1],
): number {
  let market: Market = wideMarket
  const swap = ({ task }: AssetPairOrigin, mode: SwapMode, amount: Amount) => {
    const chain = market.chains.get(task.market.chain.id) ?? task.market
    const leg = swapLeg({ ...task, market: chain }, mode, amount)
    if (leg !== undefined) market = marketAfterSwaps(market, chain.chain.id, [leg])
    return leg
  }
  const swapped: OriginSwap[] = []
  for (const { origin, quarter } of parts) {
    const leg = swap(origin, 'exactInput', toAmount((origin.amount * quarter) / 4n))
    if (leg === undefined) return Number.POSITIVE_INFINITY
    swapped.push({ origin, leg })
  }
  const missing = needed * wholeBps - netPayoutInBps(swapped)
  if (missing <= 0n) return Number.POSITIVE_INFINITY
  const payout = toAmount(divUp(missing, wholeBps - last.bps))
  const leg = swap(last, 'exactOutput', depositFor(last, payout))
  if (leg === undefined || leg.amountIn > last.amount) return Number.POSITIVE_INFINITY
  swapped.push({ origin: last, leg })
  return swapped.reduce((sum, each) => sum + costOf(each, terms), 0)
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
    const assetPair = createMultiAssetPair(order, wideMarket, { asset, payout })
    const max = priceExactInputs(order, assetPair).destinationLeg.amountOut
    return { order, assetPair, output: toAmount((max * BigInt(percent) + 99n) / 100n) }
  })

/** The net payout that a cross-chain price needs. */
const neededBy = (
  { origins, destinationLeg, fees }: MultiCrossChainPrice,
  assetPair: MultiAssetPair,
): Amount =>
  toAmount(
    destinationLeg.amountIn +
      fees.relayerGas +
      fixedFee(
        assetPair,
        origins.map(({ origin }) => origin),
      ),
  )

describe('priceExactOutput', () => {
  it('costs no more than any brute-force plan', () => {
    fc.assert(
      fc.property(cases, ({ order, assetPair, output }) => {
        const crossChainPrice = priceExactOutput(
          { ...order, output } as MultiOrder,
          assetPair,
          output,
        )
        const terms = {
          payoutPrice: assetPair.payoutPrice,
          originGasOverhead: order.originGasOverhead,
        }
        const cost = crossChainPrice.origins.reduce((sum, each) => sum + costOf(each, terms), 0)
        const costs = plansOf(assetPair.origins).map((plan) =>
          costOfPlan(plan, neededBy(crossChainPrice, assetPair), terms),
        )
        // A unit of DUST is worth seven cents, so no plan in whole units matches exactly.
        expect(cost).toBeLessThan(Math.min(...costs) * 1.001 + 0.14)
      }),
      { numRuns: runs(100) },
    )
  })
})
