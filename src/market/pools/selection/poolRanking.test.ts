import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { PoolId } from '#src/core/pools/poolKind.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import { createDemand, createPoolRanking } from './poolRanking.ts'

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

const at = (kind: number, place: number): Address =>
  toAddress(`0x${(kind * 1000 + place).toString(16).padStart(40, '0')}`)
const currency = (place: number) => at(1, place)
const poolOf = (place: number) => at(2, place)

function start() {
  const clock = { ms: 0 }
  const demand = createDemand({ now: () => clock.ms })
  /** Asks for the currency, and follows the pools that wait. */
  const follow = (place: number): boolean => {
    const waits = demand.queue(currency(place))
    for (let next = demand.next(); next !== undefined; next = demand.next())
      demand.follow(next, [poolOf(place)])
    return waits
  }
  return { clock, demand, follow }
}

it('lets few currencies wait', () => {
  const { demand } = start()
  const waiting = Array.from({ length: 100 }, (_, place) => demand.queue(currency(place)))
  expect(waiting.filter((waits) => waits)).toHaveLength(16)
  // One that waits already does not wait twice.
  expect(demand.queue(currency(0))).toBe(true)
})

it('refuses others while recent currencies take all its places', () => {
  const { clock, demand, follow } = start()
  for (let place = 0; place < 64; place += 1) expect(follow(place)).toBe(true)
  expect(follow(64)).toBe(false)
  clock.ms = 600_000
  // The least recently asked one makes room, not the oldest.
  demand.renew(currency(0))
  expect(follow(64)).toBe(true)
  expect(demand.release()).toEqual([poolOf(1)])
  expect([0, 1, 64].map((place) => demand.has(poolOf(place)))).toEqual([true, false, true])
})

it('drops a currency that nobody asked for during an hour', () => {
  const { clock, demand, follow } = start()
  follow(1)
  follow(2)
  clock.ms = 3_000_000
  expect(demand.renew(currency(1))).toEqual([poolOf(1)])
  clock.ms = 3_600_000
  expect(demand.release()).toEqual([poolOf(2)])
  expect(demand.renew(currency(2))).toBeUndefined()
  expect(demand.release()).toEqual([])
})

it('never follows more pools than its places, and reports each pool that leaves once', () => {
  const action = fc.record({ place: fc.nat(200), waitMs: fc.nat(400_000) })
  fc.assert(
    fc.property(fc.array(action, { maxLength: 400 }), (actions) => {
      const { clock, demand, follow } = start()
      const followed = new Set<PoolId>()
      for (const { place, waitMs } of actions) {
        clock.ms += waitMs / 10
        if (demand.renew(currency(place)) === undefined && follow(place))
          followed.add(poolOf(place))
        for (const pool of demand.release()) expect(followed.delete(pool)).toBe(true)
        expect(followed.size).toBeLessThanOrEqual(64)
        for (const pool of followed) expect(demand.has(pool)).toBe(true)
      }
    }),
  )
})
