import { expect, it } from 'vitest'
import { partialStore } from '#test/support/store/partialStore.ts'
import { createAddressLimits } from './addressLimits.ts'
import { createOpenQuotes } from './openQuotes.ts'

/** Callers' stored quotes, and how often they were counted. */
function start() {
  const stored = new Map<string, number>()
  let [clock, counts] = [0, 0]
  const openQuotes = createOpenQuotes({
    count: async (caller, { limit }) => {
      counts += 1
      return Math.min(limit, stored.get(caller) ?? 0)
    },
    now: () => clock,
  })
  return {
    stored,
    counts: () => counts,
    pass: (milliseconds: number) => {
      clock += milliseconds
    },
    admit: (caller: string, limit = 100) =>
      openQuotes.admit(caller, limit).then(
        () => true,
        ({ code }) => code,
      ),
  }
}

it('admits as many quotes as are left, at once or one by one, and counts few times', async () => {
  const { stored, admit, counts } = start()
  stored.set('a', 40)
  const outcomes = await Promise.all(Array.from({ length: 70 }, () => admit('a')))
  expect(outcomes.filter((each) => each === true)).toHaveLength(60)
  expect(outcomes.at(-1)).toBe('TOO_MANY_OPEN_QUOTES')
  expect(await admit('b')).toBe(true)
  expect(counts()).toBe(2)
})

it('counts again once a second at the limit, and each minute below', async () => {
  const { stored, admit, counts, pass } = start()
  stored.set('a', 100)
  expect(await admit('a')).toBe('TOO_MANY_OPEN_QUOTES')
  stored.set('a', 99)
  expect(await admit('a')).toBe('TOO_MANY_OPEN_QUOTES')
  pass(1_000)
  expect(await admit('a')).toBe(true)
  expect(counts()).toBe(2)
  expect(await admit('b')).toBe(true)
  stored.set('b', 100)
  pass(59_999)
  expect(await admit('b')).toBe(true)
  pass(1)
  expect(await admit('b')).toBe('TOO_MANY_OPEN_QUOTES')
})

it('fails without a count, and counts again', async () => {
  let fails = true
  const { admit } = createOpenQuotes({
    count: async () => {
      if (fails) throw new Error('away')
      return 0
    },
    now: () => 0,
  })
  await expect(admit('a', 1)).rejects.toThrow('away')
  fails = false
  await admit('a', 1)
})

it('limits deposit addresses by caller and in all, with an error of their own', async () => {
  const own = new Map([['busy', 2]])
  let [all, clock] = [3, 0]
  const limits = createAddressLimits(
    {
      requests: partialStore({
        countLiveAddresses: async (caller) => own.get(caller) ?? 0,
        countWatchedAddresses: async () => all,
        evictUnpaidAddresses: async () => 0,
      }),
      now: () => clock,
    },
    { maxLive: 3, maxWatched: 1_000 },
  )
  const admit = (caller: string) =>
    limits.admit(caller).then(
      () => true,
      ({ code, data }) => [code, data.field],
    )
  expect(await admit('busy')).toBe(true)
  expect(await admit('busy')).toEqual(['TOO_MANY_OPEN_QUOTES', 'useDepositAddress'])
  expect(await admit('new')).toBe(true)
  all = 750
  clock += 60_000
  expect(await admit('new')).toEqual(['SERVICE_UNAVAILABLE', 'useDepositAddress'])
})
