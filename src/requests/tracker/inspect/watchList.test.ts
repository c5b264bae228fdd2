import type { Hash } from 'viem'
import { expect, it } from 'vitest'
import { createWatchList, maxWatched } from './watchList.ts'

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
