import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import { givenAmount, type SwapMode } from '#src/core/pools/poolKind.ts'
import { toAmount } from '#src/core/units/amount.ts'
import {
  amountOf,
  concentratedPool,
  concentratedPoolOf,
  endOfLiquidity,
  magnitude,
  move,
  tiers,
} from '#test/support/arbitraries/poolArbitrary.ts'
import { amountReachingBoundary } from '#test/support/models/reachBoundary.ts'
import { runs } from '#test/support/runs.ts'
import type { ConcentratedPool } from './concentratedPool.ts'
import {
  crossRange,
  getAmount0Down,
  getAmount0Up,
  getAmount1Down,
  getAmount1Up,
  getNextSqrtPriceFromInput,
  getNextSqrtPriceFromOutput,
  swapWithinRange,
} from './swapMath.ts'
import {
  getSqrtRatioAtTick,
  getTickAtSqrtRatio,
  maxSqrtRatio,
  maxTick,
  minSqrtRatio,
  minTick,
  ticksOf,
} from './tickMap.ts'

// Node cannot load the ES modules of the SDK, because they import folders. It can load the CommonJS build.
const require = createRequire(import.meta.url)
const { SqrtPriceMath, SwapMath, TickListDataProvider, TickMath, v3Swap } =
  require('@uniswap/v3-sdk') as typeof import('@uniswap/v3-sdk')
const JSBI = require('jsbi') as typeof import('jsbi')['default']
const toSdk = (value: bigint | number) => JSBI.BigInt(`${value}`)
const fromSdk = (value: object) => BigInt(`${value}`)

/** `undefined` if the contract reverts. */
function unlessReverted(compute: () => bigint): bigint | undefined {
  try {
    return compute()
  } catch {
    return undefined
  }
}

const tick = fc.integer({ min: minTick, max: maxTick })
const sqrtPrice = fc
  .tuple(fc.integer({ min: minTick, max: maxTick - 1 }), fc.bigInt(0n, (1n << 32n) - 1n))
  .map(([at, share]) => {
    const low = getSqrtRatioAtTick(at)
    return low + (((getSqrtRatioAtTick(at + 1) - low) * share) >> 32n)
  })

test('prices of ticks and ticks of prices', () => {
  fc.assert(
    fc.property(tick, sqrtPrice, (at, price) => {
      expect(getSqrtRatioAtTick(at)).toBe(fromSdk(TickMath.getSqrtRatioAtTick(at)))
      expect(getTickAtSqrtRatio(price)).toBe(TickMath.getTickAtSqrtRatio(toSdk(price)))
    }),
    {
      numRuns: runs(5_000, 600),
      examples: [
        [minTick, minSqrtRatio],
        [maxTick, maxSqrtRatio - 1n],
        [0, 1n << 96n],
      ],
    },
  )
})

test('amounts between prices', () => {
  fc.assert(
    fc.property(sqrtPrice, sqrtPrice, magnitude(0, 128), (one, other, liquidity) => {
      const [low, high] = one < other ? [one, other] : [other, one]
      const bounds = [toSdk(low), toSdk(high), toSdk(liquidity)] as const
      expect([
        getAmount0Up(low, high, liquidity),
        getAmount0Down(low, high, liquidity),
        getAmount1Up(low, high, liquidity),
        getAmount1Down(low, high, liquidity),
      ]).toEqual([
        fromSdk(SqrtPriceMath.getAmount0Delta(...bounds, true)),
        fromSdk(SqrtPriceMath.getAmount0Delta(...bounds, false)),
        fromSdk(SqrtPriceMath.getAmount1Delta(...bounds, true)),
        fromSdk(SqrtPriceMath.getAmount1Delta(...bounds, false)),
      ])
    }),
    { numRuns: runs(3_000, 400) },
  )
})

test('the price after an amount, also if products overflow 256 bits', () => {
  fc.assert(
    fc.property(
      fc.record({
        price: sqrtPrice,
        liquidity: magnitude(0, 128),
        amount: fc.oneof(fc.constant(0n), magnitude(0, 200)),
        zeroForOne: fc.boolean(),
      }),
      ({ price, liquidity, amount, zeroForOne }) => {
        const pool = [toSdk(price), toSdk(liquidity), toSdk(amount), zeroForOne] as const
        expect(
          unlessReverted(() => getNextSqrtPriceFromInput(price, liquidity, amount, zeroForOne)),
        ).toBe(unlessReverted(() => fromSdk(SqrtPriceMath.getNextSqrtPriceFromInput(...pool))))
        expect(
          unlessReverted(() => getNextSqrtPriceFromOutput(price, liquidity, amount, zeroForOne)),
        ).toBe(unlessReverted(() => fromSdk(SqrtPriceMath.getNextSqrtPriceFromOutput(...pool))))
      },
    ),
    { numRuns: runs(5_000, 600) },
  )
})

test('one step of a swap', () => {
  fc.assert(
    fc.property(
      fc.record({
        current: sqrtPrice,
        target: sqrtPrice,
        liquidity: magnitude(0, 128),
        amount: magnitude(0, 160),
        mode: fc.constantFrom<SwapMode>('exactInput', 'exactOutput'),
        fee: fc.integer({ min: 0, max: 999_999 }),
      }),
      ({ current, target, liquidity, amount, mode, fee }) => {
        const pips = BigInt(fee)
        const whole = crossRange(current, target, liquidity, pips)
        const step =
          amount >= whole[givenAmount[mode]]
            ? whole
            : swapWithinRange(current, current >= target, liquidity, mode, amount, pips)
        const [price, input, output, feeAmount] = SwapMath.computeSwapStep(
          toSdk(current),
          toSdk(target),
          toSdk(liquidity),
          toSdk(mode === 'exactInput' ? amount : -amount),
          toSdk(fee),
        )
        expect(step).toEqual({
          sqrtPriceX96: fromSdk(price),
          amountIn: fromSdk(input) + fromSdk(feeAmount),
          amountOut: fromSdk(output),
        })
      },
    ),
    { numRuns: runs(5_000, 600) },
  )
})

/** The result of the SDK; `undefined` if the liquidity ends before the amount, or the output is 0. */
async function sdkSwap(
  pool: ConcentratedPool,
  zeroForOne: boolean,
  mode: SwapMode,
  amount: bigint,
) {
  const limit = endOfLiquidity(pool, zeroForOne)
  if (zeroForOne ? pool.sqrtPriceX96 <= limit : pool.sqrtPriceX96 >= limit) return undefined
  const ticks = ticksOf(pool.ticks).map(({ index, liquidityNet, liquidityGross }) => ({
    index,
    liquidityNet: `${liquidityNet}`,
    liquidityGross: `${liquidityGross}`,
  }))
  const swapped = await v3Swap(
    toSdk(pool.fee),
    toSdk(pool.sqrtPriceX96),
    pool.tick,
    toSdk(pool.liquidity),
    pool.tickSpacing,
    new TickListDataProvider(ticks, pool.tickSpacing),
    zeroForOne,
    toSdk(mode === 'exactInput' ? amount : -amount),
    toSdk(limit),
  )
  const calculated = fromSdk(swapped.amountCalculated)
  const sqrtPriceX96 = fromSdk(swapped.sqrtRatioX96)
  if (sqrtPriceX96 === limit || calculated === 0n) return undefined
  const { tickCurrent: tick } = swapped
  const liquidity = fromSdk(swapped.liquidity)
  const between = ticksOf(pool.ticks).filter(({ index }) =>
    zeroForOne ? index <= pool.tick && index > tick : index > pool.tick && index <= tick,
  )
  return {
    ...(mode === 'exactInput'
      ? { amountIn: amount, amountOut: -calculated }
      : { amountIn: calculated, amountOut: amount }),
    ticksCrossed: between.length,
    next: { ...pool, sqrtPriceX96, tick, liquidity },
  }
}

const swapOf = (mode: SwapMode) => (mode === 'exactInput' ? swapExactInput : swapExactOutput)

test.each(tiers)('swaps in random pools with a fee of $fee', async (tier) => {
  let crossing = 0
  const fourMoves = fc.array(move, { minLength: 4, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(concentratedPoolOf(tier), fourMoves, async (start, moves) => {
      let pool = start
      for (const one of moves) {
        const amount = amountOf(pool, one)
        const swapped = swapOf(one.mode)(pool, one.zeroForOne, amount)
        expect(swapped).toEqual(await sdkSwap(pool, one.zeroForOne, one.mode, amount))
        if (swapped === undefined) continue
        if (swapped.ticksCrossed > 0) crossing += 1
        // Each swap starts after the previous one, on a tick map with a used tick table.
        if (swapped.next.kind === 'concentrated') pool = swapped.next
      }
    }),
    { numRuns: runs(500, 120) },
  )
  expect(crossing).toBeGreaterThan(10)
})

test('swaps that exactly reach a boundary, and one unit less or more', async () => {
  let reaching = 0
  await fc.assert(
    fc.asyncProperty(concentratedPool, move, async (pool, one) => {
      const amount = amountReachingBoundary(pool, one)
      if (amount === undefined) return
      reaching += 1
      for (const near of [amount - 1n, amount, amount + 1n])
        if (near > 0n)
          expect(swapOf(one.mode)(pool, one.zeroForOne, toAmount(near))).toEqual(
            await sdkSwap(pool, one.zeroForOne, one.mode, near),
          )
    }),
    { numRuns: runs(2_000, 300) },
  )
  expect(reaching).toBeGreaterThan(20)
})
