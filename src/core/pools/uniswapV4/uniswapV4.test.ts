import { expect, test } from 'vitest'
import { swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toPips } from '#src/core/units/pips.ts'
import { managedIdAt, poolOf } from '#test/support/arbitraries/poolArbitrary.ts'
import type { UniswapV4Pool } from './uniswapV4.ts'

/** Swaps about one for one, without a fee, and holds far more than a manager can count. */
const deep: UniswapV4Pool = {
  ...poolOf(
    { fee: 0, tickSpacing: 60 },
    [{ tickLower: -887_220, tickUpper: 887_220, liquidity: 2n ** 128n - 1n }],
    { tick: 0, sqrtPriceX96: 2n ** 96n },
  ),
  kind: 'uniswapV4',
  id: managedIdAt(0),
  protocolFees: { zeroForOne: toPips(0), oneForZero: toPips(0) },
}
const maxCounted = 2n ** 127n - 1n

test.each([true, false])(
  'swaps no input that its manager cannot count, zeroForOne %s',
  (zeroForOne) => {
    expect(swapExactInput(deep, zeroForOne, toAmount(maxCounted))?.amountIn).toBe(maxCounted)
    expect(swapExactInput(deep, zeroForOne, toAmount(maxCounted + 1n))).toBeUndefined()
  },
)

test('asks for no more than its manager can count', () => {
  // Half of the reserve costs all of it.
  const half = toAmount(2n ** 127n - 2n ** 120n)
  expect(swapExactOutput(deep, true, half)).toBeUndefined()
  const { amountIn } = swapExactOutput(deep, true, toAmount(2n ** 126n)) ?? {}
  expect(amountIn).toBeGreaterThan(2n ** 126n)
  expect(amountIn).toBeLessThanOrEqual(maxCounted)
})

test('pays no more than its manager can count', () => {
  const price = { tick: 276_324, sqrtPriceX96: 1_000_000n * 2n ** 96n }
  const dear = { ...deep, ...price }
  expect(swapExactInput(dear, true, toAmount(2n ** 80n))?.amountOut).toBeLessThanOrEqual(maxCounted)
  expect(swapExactInput(dear, true, toAmount(2n ** 90n))).toBeUndefined()
})
