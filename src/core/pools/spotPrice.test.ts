import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toAmount } from '#src/core/units/amount.ts'
import { toPips } from '#src/core/units/pips.ts'
import {
  amountOf,
  concentratedPool,
  constantProductPool,
  move,
  pairOf,
  poolOf,
  uniswapV4Pool,
} from '#test/support/arbitraries/poolArbitrary.ts'
import { runs } from '#test/support/runs.ts'
import { spotPrice } from './spotPrice.ts'
import { swapExactInput } from './swap.ts'

test('no swap gives more than the spot price', () => {
  fc.assert(
    fc.property(
      fc.oneof(constantProductPool, concentratedPool, uniswapV4Pool),
      move,
      (pool, one) => {
        const price = spotPrice(pool, one.zeroForOne)
        const swapped = swapExactInput(pool, one.zeroForOne, amountOf(pool, one))
        if (swapped === undefined || price === undefined) return
        const { amountIn, amountOut } = swapped
        expect(amountOut * price.denominator).toBeLessThanOrEqual(amountIn * price.numerator)
      },
    ),
    { numRuns: runs(1_000) },
  )
})

test('a small swap without a fee gives the spot price, to a millionth', () => {
  const deep = 10n ** 30n
  const everywhere = { tickLower: -600, tickUpper: 600, liquidity: deep }
  const price = { tick: 0, sqrtPriceX96: (1n << 96n) + (1n << 90n) }
  const concentrated = poolOf({ fee: 3000, tickSpacing: 60 }, [everywhere], price)
  for (const pool of [pairOf(0, deep, 3n * deep), { ...concentrated, fee: toPips(0) }])
    for (const zeroForOne of [true, false]) {
      const amount = toAmount(10n ** 15n)
      const { numerator = 0n, denominator = 1n } = spotPrice(pool, zeroForOne) ?? {}
      const given = swapExactInput(pool, zeroForOne, amount)?.amountOut ?? 0n
      expect(given * denominator * 1_000_001n).toBeGreaterThan(amount * numerator * 1_000_000n)
    }
})

test('an empty pool has no spot price', () => {
  expect(spotPrice(pairOf(3000, 0n, 5n), true)).toBeUndefined()
  expect(spotPrice(pairOf(3000, 5n, 0n), false)).toBeUndefined()
  const price = { tick: 0, sqrtPriceX96: 1n << 96n }
  expect(spotPrice(poolOf({ fee: 3000, tickSpacing: 60 }, [], price), true)).toBeUndefined()
})
