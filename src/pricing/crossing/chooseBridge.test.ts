import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#src/errors.ts'
import { erc20Of, swapLeg } from '#src/pricing/leg/leg.ts'
import type { Order } from '#src/pricing/order.ts'
import type { Price } from '#src/pricing/price.ts'
import { routeBound } from '#src/pricing/router/routeBound.ts'
import { toAmount } from '#src/units/amount.ts'
import { usdValueDown } from '#src/units/usd.ts'
import { market } from '#test/support/fixtures/markets.ts'
import { attempt, orders, priceOf } from '#test/support/orders/orders.ts'
import { runs } from '#test/support/runs.ts'

const crossings = orders.filter(({ origin, destination }) => origin.chainId !== destination.chainId)

/** The value of the output less that of the input and of the origin gas, in millionths of a dollar. */
const gain = ({ currencyIn, currencyOut, fees }: Price): bigint =>
  (currencyOut.usd ?? 0n) - (currencyIn.usd ?? 0n) - (fees.gas.usd ?? 0n)

/** The value of one raw unit of the currency whose amount the order leaves open, in millionths of a dollar. */
function unitWorth({ origin, destination, tradeType }: Order): bigint {
  const currency = tradeType === 'EXACT_INPUT' ? destination : origin
  const price = priceOf(market.chains.get(currency.chainId), currency.address)
  return usdValueDown(toAmount(1n), currency.decimals, price)
}

describe('chooseBridge', () => {
  it('is no worse than any single bridge asset', () => {
    fc.assert(
      fc.property(crossings, (order) => {
        const best = attempt(order)
        for (const asset of market.assets) {
          const single = attempt(order, { ...market, assets: [asset] })
          if (single instanceof AppError) continue
          if (best instanceof AppError) throw new Error(`Missed ${asset.symbol}`)
          // Each of the three figures is rounded down by less than one millionth, and the comparison rounds gas to
          // raw units of the currency whose amount the order leaves open.
          expect(gain(best)).toBeGreaterThanOrEqual(gain(single) - 4n - unitWorth(order))
        }
      }),
      { numRuns: runs(400) },
    )
  })
})

describe('routeBound', () => {
  it('bounds every swap', () => {
    fc.assert(
      fc.property(orders, ({ origin, destination, amount }) => {
        const chain = market.chains.get(origin.chainId)
        if (chain === undefined || origin.chainId !== destination.chainId) return
        const task = { market: chain, input: origin, output: destination, limits: {} }
        const leg = swapLeg(task, 'exactInput', amount)
        const ends = [erc20Of(chain, origin), erc20Of(chain, destination)] as const
        const { rate, extra } = routeBound(chain.graph, ...ends)
        if (leg === undefined) return
        const bound = rate * Number(amount) * (1 + 1e-9) + extra
        expect(Number(leg.amountOut)).toBeLessThanOrEqual(bound)
      }),
      { numRuns: runs(500) },
    )
  })
})
