import fc from 'fast-check'
import type { Hash } from 'viem'
import { expect, it } from 'vitest'
import { runs } from '#test/support/runs.ts'
import { createFairShares, createWatchList, maxWatched } from './watchList.ts'

const hashOf = (number: number): Hash => `0x${number.toString(16).padStart(64, '0')}`

it('floods of hints from several callers do not push out those of an honest one', () => {
  const list = createWatchList(() => 0)
  list.add({ txHash: hashOf(0) }, 7n)
  list.add({ txHash: hashOf(1), caller: 'honest' })
  for (let at = 2; at < 2 * maxWatched; at += 1)
    list.add({ txHash: hashOf(at), caller: `flood ${at % 4}` })
  expect(list.size()).toBe(maxWatched)
  const watched = list.due([hashOf(1), hashOf(2), hashOf(2 * maxWatched - 1)], 7n)
  expect(watched.map(({ txHash }) => txHash)).toEqual([
    hashOf(0),
    hashOf(1),
    hashOf(2 * maxWatched - 1),
  ])
})

it('drops transactions that no block contains in time', () => {
  let now = 0
  const list = createWatchList(() => now)
  list.add({ txHash: hashOf(1), caller: 'one' })
  now = 10 * 60_000
  list.add({ txHash: hashOf(2), caller: 'one' })
  now = 15 * 60_000
  // Naming it again does not prolong it.
  list.add({ txHash: hashOf(1), caller: 'one' })
  expect(list.due([hashOf(1), hashOf(2)], 1n).map(({ txHash }) => txHash)).toEqual([hashOf(2)])
  expect(list.size()).toBe(1)
})

const owner = fc.constantFrom('a', 'b', 'c')
const key = fc.nat(9).map((number) => `k${number}`)

it('keeps the newest entries of each owner, and those of owners with few', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 12 }),
      fc.array(fc.tuple(owner, fc.nat(3)), { maxLength: 60 }),
      (bound, named) => {
        const shares = createFairShares<string>(bound)
        const all = new Map<string, string[]>()
        for (const [at, [who]] of named.entries()) {
          shares.set(who, `${at}`, who)
          all.set(who, [...(all.get(who) ?? []), `${at}`])
        }
        expect(shares.size()).toBe(Math.min(named.length, bound))
        const kept = Map.groupBy([...shares.entries()], ([, who]) => who)
        const isFull = named.length > bound
        const fair = Math.floor(bound / all.size)
        for (const [who, keys] of all) {
          const held = (kept.get(who) ?? []).map(([each]) => each)
          expect(held).toEqual(keys.slice(keys.length - held.length))
          if (!isFull || keys.length <= fair) expect(held).toHaveLength(keys.length)
          else expect(held.length).toBeGreaterThanOrEqual(fair)
        }
      },
    ),
    { numRuns: runs(200) },
  )
})

it('holds each key once, with the newest value of any owner', () => {
  const acts = fc.array(fc.tuple(fc.constantFrom('set', 'delete'), owner, key), { maxLength: 60 })
  fc.assert(
    fc.property(acts, (script) => {
      const shares = createFairShares<number>(100)
      const model = new Map<string, number>()
      for (const [at, [act, who, named]] of script.entries()) {
        if (act === 'set') shares.set(who, named, at)
        else shares.delete(named)
        if (act === 'set') model.set(named, at)
        else model.delete(named)
        expect(shares.get(named)).toBe(model.get(named))
      }
      expect(new Map(shares.entries())).toEqual(model)
      expect(shares.size()).toBe(model.size)
    }),
    { numRuns: runs(200) },
  )
})

it('lets owners take turns, and skips entries that are not accepted', () => {
  const shares = createFairShares<string>(100)
  for (const named of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2'])
    shares.set(named.slice(0, 1), named, named)
  const taken: unknown[] = []
  for (let at = 0; at < 7; at += 1) taken.push(shares.take((value) => value !== 'c1'))
  expect(taken).toEqual(['a1', 'b1', 'c2', 'a2', 'a3', 'a4', undefined])
  expect([...shares.entries()]).toEqual([['c1', 'c1']])
})

it('gives a key to the owner with fewer entries: a flood that names it too does not take it along', () => {
  const shares = createFairShares<string>(10)
  for (let at = 0; at < 9; at += 1) shares.set('flood', `${at}`, '')
  shares.set('flood', 'honest', 'flood')
  shares.set('one', 'honest', 'one')
  shares.set('flood', 'honest', 'flood')
  for (let at = 9; at < 99; at += 1) shares.set('flood', `${at}`, '')
  expect(shares.get('honest')).toBe('flood')
})
