import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { MultiOrder } from '#src/core/pricing/order.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { wideMarket } from '#test/support/fixtures/markets.ts'
import { multiOrders } from '#test/support/orders/multiOrders.ts'
import { runs } from '#test/support/runs.ts'
import {
  costTerms,
  multiNetResultBound,
  netOf,
  netResultBoundAfterOrigins,
} from './chooseMultiAssetPair.ts'
import { createMultiAssetPair, type MultiAssetPair } from './multiAssetPair.ts'
import {
  type MultiCrossChainPrice,
  priceExactInputs,
  priceExactOutput,
} from './multiCrossChainPrice.ts'

const cases = fc.record({
  order: multiOrders(5),
  asset: fc.constantFrom(...wideMarket.assets),
  percent: fc.integer({ min: 1, max: 95 }),
})

function crossed(run: () => MultiCrossChainPrice): MultiCrossChainPrice | undefined {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return undefined
  }
}

/** Relative rounding of float sums. */
const rounding = 1e-9

function expectBounded(
  order: MultiOrder,
  assetPair: MultiAssetPair,
  crossChainPrice: MultiCrossChainPrice,
): void {
  const net = netOf(order, crossChainPrice)
  const bound = multiNetResultBound(order, assetPair, costTerms(order, assetPair))
  expect(Number.isFinite(net)).toBe(true)
  expect(net - Math.abs(net) * rounding).toBeLessThanOrEqual(bound)
}

it('bounds the net result of every price, of whole origins and of a part', () => {
  let tried = 0
  fc.assert(
    fc.property(cases, ({ order, asset, percent }) => {
      const payout = asset.currencies.get(order.destination.chainId)
      if (payout === undefined) throw new Error('The fixture has every asset everywhere')
      const assetPair = createMultiAssetPair(order, wideMarket, { asset, payout })
      const whole = crossed(() => priceExactInputs(order, assetPair))
      if (whole === undefined) return
      expectBounded(order, assetPair, whole)
      const { origins, destinationLeg } = whole
      const net = netOf(order, whole)
      expect(net - Math.abs(net) * rounding).toBeLessThanOrEqual(
        netResultBoundAfterOrigins(
          assetPair,
          origins,
          destinationLeg.amountIn,
          costTerms(order, assetPair),
        ),
      )
      const output = toAmount((whole.destinationLeg.amountOut * BigInt(percent) + 99n) / 100n)
      const part = { ...order, output }
      const partial = crossed(() => priceExactOutput(part, assetPair, output))
      if (partial === undefined) return
      expectBounded(part, assetPair, partial)
      tried += 1
    }),
    { numRuns: runs(300) },
  )
  expect(tried).toBeGreaterThan(0)
})
