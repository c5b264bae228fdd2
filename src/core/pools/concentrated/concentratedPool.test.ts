import fc from 'fast-check'
import { expect, test } from 'vitest'
import { swapExactInput } from '#src/core/pools/pool.ts'
import { toAmount } from '#src/core/units/amount.ts'
import {
  amountOf,
  concentratedPool,
  move,
  poolOf,
  positions,
} from '#test/support/arbitraries/poolArbitrary.ts'
import { applyConcentratedEvent, type ConcentratedPool } from './concentratedPool.ts'
import { getSqrtRatioAtTick } from './tickMap.ts'

test('replaying the events of a pool gives the same pool', () => {
  const spacing = 60
  const near = fc.integer({ min: -20, max: 20 }).map((i) => i * spacing)
  const anyTick = fc.oneof(near, fc.integer({ min: -9_000, max: 9_000 }))
  fc.assert(
    fc.property(anyTick, positions(spacing, 0), (tick, minted) => {
      const price = { tick, sqrtPriceX96: getSqrtRatioAtTick(tick) }
      const tier = { fee: 3000, tickSpacing: spacing }
      const blank = poolOf(tier, [], { tick: 0, sqrtPriceX96: 0n })
      const initialised = applyConcentratedEvent(blank, { eventName: 'Initialize', args: price })
      const apply = (eventName: 'Mint' | 'Burn') => (pool: ConcentratedPool, at: number) => {
        const { liquidity = 0n, tickLower = 0, tickUpper = 0 } = minted[at] ?? {}
        return applyConcentratedEvent(pool, {
          eventName,
          args: { tickLower, tickUpper, amount: liquidity },
        })
      }
      const order = minted.map((_, at) => at)
      const full = order.reduce(apply('Mint'), initialised)
      expect(full).toEqual(poolOf(tier, minted, price))
      expect(order.reduce(apply('Burn'), full)).toEqual(initialised)
    }),
  )
})

test('a Swap moves the price, and a Burn of 0 returns the same object', () => {
  fc.assert(
    fc.property(concentratedPool, move, (pool, one) => {
      const next = swapExactInput(pool, one.zeroForOne, amountOf(pool, one))?.next
      if (next?.kind !== 'concentrated') return
      const { sqrtPriceX96, tick, liquidity } = next
      const args = { sqrtPriceX96, tick, liquidity }
      expect(applyConcentratedEvent(pool, { eventName: 'Swap', args })).toEqual(next)
      const nothing = { tickLower: -600, tickUpper: 600, amount: 0n }
      expect(applyConcentratedEvent(pool, { eventName: 'Burn', args: nothing })).toBe(pool)
    }),
  )
})

test('rejects a Burn of liquidity that the pool does not have', () => {
  const pool = poolOf({ fee: 3000, tickSpacing: 60 }, [], { tick: 0, sqrtPriceX96: 1n << 96n })
  const args = { tickLower: -60, tickUpper: 60, amount: toAmount(1n) }
  expect(() => applyConcentratedEvent(pool, { eventName: 'Burn', args })).toThrow(RangeError)
})
