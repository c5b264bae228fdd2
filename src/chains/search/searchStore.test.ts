import { hostname } from 'node:os'
import { expect, it } from 'vitest'
import { createMemorySearches, withLease } from './searchStore.ts'

const { signal } = new AbortController()
const args = { duty: 'pools:1', onWait: () => undefined, signal }

it('names the host that has the lease, and leaves none behind', async () => {
  const store = createMemorySearches()
  const requests: { holder: string }[] = []
  const recording: typeof store = {
    ...store,
    acquireLease: (request) => {
      requests.push(request)
      return store.acquireLease(request)
    },
  }
  expect(await withLease(recording, args, async () => 'found')).toBe('found')
  expect(requests[0]?.holder.split(' ')[0]).toBe(hostname())
  expect(await store.acquireLease({ duty: 'pools:1', holder: 'other', leaseMs: 1 })).toBe(true)
})

it('releases the lease after an extension that was still under way', async () => {
  const store = createMemorySearches()
  const slow = Promise.withResolvers<void>()
  const extending = Promise.withResolvers<void>()
  let count = 0
  const delayed: typeof store = {
    ...store,
    acquireLease: async (request) => {
      count += 1
      if (count > 1) {
        extending.resolve()
        await slow.promise
      }
      return store.acquireLease(request)
    },
  }
  const timing = { leaseMs: 60_000, beatMs: 1, retryMs: 1 }
  const done = withLease(delayed, { ...args, timing }, () => extending.promise)
  await extending.promise
  slow.resolve()
  await done
  expect(await store.acquireLease({ duty: 'pools:1', holder: 'other', leaseMs: 1 })).toBe(true)
})
