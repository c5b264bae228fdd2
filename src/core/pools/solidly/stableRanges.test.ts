import fc from 'fast-check'
import { expect, it } from 'vitest'
import { swapExactOutput } from '#src/core/pools/pool.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toPips } from '#src/core/units/pips.ts'
import { stableDepth } from './stableRanges.ts'
import type { SolidlyPool } from './swapSolidly.ts'

const [unit0, unit1] = [10n ** 18n, 10n ** 6n]

const poolOf = (reserve0: bigint, reserve1: bigint) =>
  ({
    kind: 'solidly',
    source: 'aerodrome',
    chainId: 1,
    stable: true,
    isPaused: false,
    address: '0x03',
    currency0: '0x01',
    currency1: '0x02',
    fee: toPips(0),
    unit0,
    unit1,
    reserve0,
    reserve1,
  }) as unknown as SolidlyPool

/** The price of currency0 in currency1 by the derivatives of x³y + xy³. */
function priceOf({ reserve0, reserve1 }: Pick<SolidlyPool, 'reserve0' | 'reserve1'>): number {
  const [x, y] = [Number(reserve0) / Number(unit0), Number(reserve1) / Number(unit1)]
  return (3 * x * x * y + y ** 3) / (x ** 3 + 3 * x * y * y)
}

/** How much dearer a currency is once the pool has paid out this amount of it. */
function riseAfter(pool: SolidlyPool, zeroForOne: boolean, amountOut: bigint): number {
  const swap = swapExactOutput(pool, zeroForOne, toAmount(amountOut))
  if (swap === undefined) throw new Error('The pool does not pay its depth out')
  const ratio = priceOf(swap.next as SolidlyPool) / priceOf(pool)
  return zeroForOne ? 1 / ratio : ratio
}

it('is the amount of each currency that a stable pool pays out until its price has doubled', () => {
  const wholeUnits = fc.bigInt({ min: 10n ** 4n, max: 10n ** 9n })
  fc.assert(
    fc.property(wholeUnits, fc.double({ min: 0.05, max: 20, noNaN: true }), (whole, ratio) => {
      const pool = poolOf(whole * unit0, BigInt(Math.round(Number(whole * unit1) * ratio)))
      const { amount0, amount1 } = stableDepth(pool)
      for (const [zeroForOne, depth] of [
        [false, amount0],
        [true, amount1],
      ] as const) {
        const rise = riseAfter(pool, zeroForOne, depth)
        expect(rise).toBeLessThanOrEqual(2.000001)
        expect(rise).toBeGreaterThan(1.999)
      }
    }),
  )
})

it('is zero for a pool without liquidity', () => {
  expect(stableDepth(poolOf(0n, 5n))).toEqual({ amount0: 0n, amount1: 0n })
  expect(stableDepth(poolOf(5n, 0n))).toEqual({ amount0: 0n, amount1: 0n })
})
