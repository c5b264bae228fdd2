import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountOf, concentratedPool, move } from '#test/poolArbitrary.ts'
import type { ConcentratedPool, Side } from './pool.ts'
import { swapExactInput, swapExactOutput } from './swap.ts'
import { maxTick, minTick, ticksOf } from './tickMap.ts'
import { getSqrtRatioAtTick, highestSqrtPrice, lowestSqrtPrice } from './tickMath.ts'

// Node cannot load the SDK's ES modules, which import folders; its CommonJS build it can.
const require = createRequire(import.meta.url)
const {
  TickListDataProvider,
  v3Swap,
}: typeof import('@uniswap/v3-sdk') = require('@uniswap/v3-sdk')
const JSBI: typeof import('jsbi')['default'] = require('jsbi')

/** As far as there are positions; beyond, the SDK would walk on through nothing, word by word. */
function endOfLiquidity(pool: ConcentratedPool, zeroForOne: boolean): bigint {
  const outermost = ticksOf(pool.ticks).at(zeroForOne ? 0 : -1)?.index ?? 0
  if (outermost === minTick) return lowestSqrtPrice
  if (outermost === maxTick) return highestSqrtPrice
  return getSqrtRatioAtTick(outermost) + (zeroForOne ? -1n : 1n)
}

/** The SDK's answer; undefined where the liquidity ends before the amount, or nothing comes out. */
async function sdkSwap(pool: ConcentratedPool, zeroForOne: boolean, side: Side, amount: bigint) {
  const limit = endOfLiquidity(pool, zeroForOne)
  if (zeroForOne ? pool.sqrtPriceX96 <= limit : pool.sqrtPriceX96 >= limit) return undefined
  const ticks = ticksOf(pool.ticks).map(({ index, liquidityNet, liquidityGross }) => ({
    index,
    liquidityNet: `${liquidityNet}`,
    liquidityGross: `${liquidityGross}`,
  }))
  const swapped = await v3Swap(
    JSBI.BigInt(pool.fee),
    JSBI.BigInt(`${pool.sqrtPriceX96}`),
    pool.tick,
    JSBI.BigInt(`${pool.liquidity}`),
    pool.tickSpacing,
    new TickListDataProvider(ticks, pool.tickSpacing),
    zeroForOne,
    JSBI.BigInt(`${side === 'amountIn' ? amount : -amount}`),
    JSBI.BigInt(`${limit}`),
  )
  const calculated = BigInt(swapped.amountCalculated.toString())
  const sqrtPriceX96 = BigInt(swapped.sqrtRatioX96.toString())
  if (sqrtPriceX96 === limit || calculated === 0n) return undefined
  const { tickCurrent: tick } = swapped
  const liquidity = BigInt(swapped.liquidity.toString())
  const between = ticksOf(pool.ticks).filter(({ index }) =>
    zeroForOne ? index <= pool.tick && index > tick : index > pool.tick && index <= tick,
  )
  return {
    ...(side === 'amountIn'
      ? { amountIn: amount, amountOut: -calculated }
      : { amountIn: calculated, amountOut: amount }),
    ticksCrossed: between.length,
    next: { ...pool, sqrtPriceX96, tick, liquidity },
  }
}

test('10,000 swaps in random pools are what @uniswap/v3-sdk says, to the unit', async () => {
  const seen = { swaps: 0, crossing: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(
      concentratedPool,
      fc.array(move, { minLength: 4, maxLength: 4 }),
      async (start, moves) => {
        let pool = start
        for (const next of moves) {
          const { zeroForOne, side } = next
          const amount = amountOf(pool, next)
          const swap = side === 'amountIn' ? swapExactInput : swapExactOutput
          const swapped = swap(pool, zeroForOne, amount)
          expect(swapped).toEqual(await sdkSwap(pool, zeroForOne, side, amount))
          if (swapped === undefined) seen.refused += 1
          else if (swapped.ticksCrossed > 0) seen.crossing += 1
          else seen.swaps += 1
          // Each swap begins where the last one ended, on a tick map that swaps have used before.
          if (swapped?.next.kind === 'concentrated') pool = swapped.next
        }
      },
    ),
    { numRuns: 2_500 },
  )
  expect(seen.crossing).toBeGreaterThan(2_000)
})
