import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { WatchedAddress } from '#src/requests/addressStore.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { createSweepRotation } from './sweepCandidates.ts'

/** A rotation through `count` addresses, with a pause of `pauseMs` between two reads. */
function start(count: number, pauseMs: () => number) {
  const ids = Array.from({ length: count }, (_, at) => `0x${`${at}`.padStart(64, '0')}` as const)
  let clock = 0
  let reads = 0
  const watchedAddresses: RequestStore['watchedAddresses'] = async (_, __, { after, limit }) => {
    reads += 1
    const from = after === undefined ? 0 : ids.findIndex((id) => id > after)
    const page = from < 0 ? [] : ids.slice(from, from + limit)
    return page.map((requestId) => ({ requestId }) as WatchedAddress)
  }
  const store = { watchedAddresses } as RequestStore
  const chain = { id: 1 } as never
  const rotation = createSweepRotation({ store, now: () => clock }, { chain })
  return {
    reads: () => reads,
    read: async () => {
      const found = await rotation.next()
      const at = clock
      clock += pauseMs()
      return { at, ids: found.map(({ requestId }) => requestId) }
    },
  }
}

it('returns each of 10,000 addresses at least every minute, for any pauses between reads', async () => {
  const pauses = fc.array(fc.integer({ min: 250, max: 10_000 }), { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 10_000 }), pauses, async (count, all) => {
      let turn = 0
      const { read } = start(count, () => all[turn++ % all.length] ?? 0)
      const lastSeen = new Map<string, number>()
      for (let now = 0; now < 130_000; ) {
        const { at, ids } = await read()
        now = at
        for (const id of ids) {
          expect(at - (lastSeen.get(id) ?? 0)).toBeLessThanOrEqual(60_000)
          lastSeen.set(id, at)
        }
      }
      expect(lastSeen.size).toBe(count)
      expect([...lastSeen.values()].every((at) => at > 60_000)).toBe(true)
    }),
    { numRuns: 20 },
  )
})

it('returns up to 500 addresses with every read of the store', async () => {
  const { read, reads } = start(499, () => 1_000)
  for (let turn = 1; turn < 4; turn += 1) {
    expect((await read()).ids).toHaveLength(499)
    expect(reads()).toBe(turn)
  }
})

it('reads no more addresses than the period needs', async () => {
  const { read } = start(10_000, () => 1_000)
  expect((await read()).ids).toHaveLength(10_000)
  expect((await read()).ids).toHaveLength(500)
})
