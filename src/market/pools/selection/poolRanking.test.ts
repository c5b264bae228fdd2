import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { PoolId } from '#src/core/pools/poolIdentity.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import { createPoolRanking } from './poolRanking.ts'

const poolAt = (at: number): Address => toAddress(`0x${at.toString(16).padStart(40, '0')}`)
const depthsOf = (given: Readonly<Record<number, number>>): ReadonlyMap<Address, Usd> =>
  new Map(
    Object.entries(given).map(([at, depth]) => [poolAt(Number(at)), toUsd(BigInt(depth))] as const),
  )

const depthRounds = fc.array(fc.dictionary(fc.nat(12).map(String), fc.nat(400)), { maxLength: 12 })

it('follows the deepest pools of at least the minimum after the first depths', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.nat(12).map(String), fc.nat(400)),
      fc.integer({ min: 1, max: 8 }),
      (given, maxPools) => {
        const { joined, left } = createPoolRanking({ minUsd: toUsd(100n), maxPools }).judge(
          depthsOf(given),
        )
        const wanted = Object.entries(given)
          .filter(([, depth]) => depth >= 100)
          .sort(([one, a], [other, b]) => b - a || Number(one) - Number(other))
          .slice(0, maxPools)
        expect(joined).toEqual(wanted.map(([at]) => poolAt(Number(at))))
        expect(left).toEqual([])
      },
    ),
  )
})

it('stays within its bound, and reports each change once', () => {
  fc.assert(
    fc.property(depthRounds, fc.integer({ min: 1, max: 5 }), (rounds, maxPools) => {
      const ranking = createPoolRanking({ minUsd: toUsd(100n), maxPools })
      const followed = new Set<PoolId>()
      for (const round of rounds) {
        const { joined, left } = ranking.judge(depthsOf(round))
        for (const pool of left) expect(followed.delete(pool)).toBe(true)
        for (const pool of joined) {
          expect(followed.has(pool)).toBe(false)
          followed.add(pool)
        }
        expect(followed.size).toBeLessThanOrEqual(maxPools)
        for (const pool of followed) expect(ranking.has(pool)).toBe(true)
      }
    }),
  )
})

it('drops a pool after two consecutive depths below half of the minimum', () => {
  const ranking = createPoolRanking({ minUsd: toUsd(100n) })
  const judge = (depth: number) => ranking.judge(depthsOf({ 1: depth }))
  expect(judge(99)).toEqual({ joined: [], left: [] })
  expect(judge(100)).toEqual({ joined: [poolAt(1)], left: [] })
  for (const depth of [50, 49, 50, 49, 99, 0])
    expect(judge(depth)).toEqual({ joined: [], left: [] })
  // No depth is known while a feed is out of date: nothing changes.
  expect(ranking.judge(new Map())).toEqual({ joined: [], left: [] })
  expect(judge(49)).toEqual({ joined: [], left: [poolAt(1)] })
})

it('gives a place to another pool only if that is more than twice as deep', () => {
  const ranking = createPoolRanking({ minUsd: toUsd(0n), maxPools: 2 })
  expect(ranking.judge(depthsOf({ 1: 10, 2: 20, 3: 0 })).joined).toEqual([poolAt(2), poolAt(1)])
  expect(ranking.judge(depthsOf({ 4: 20 }))).toEqual({ joined: [], left: [] })
  expect(ranking.judge(depthsOf({ 4: 21 }))).toEqual({ joined: [poolAt(4)], left: [poolAt(1)] })
})
