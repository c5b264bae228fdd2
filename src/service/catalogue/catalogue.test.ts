import { expect, it } from 'vitest'
import { ether, otherUsdc } from '#test/support/canned/cannedCurrencies.ts'
import { partialStore } from '#test/support/store/partialStore.ts'
import { createTrendingCurrencies } from './catalogue.ts'

function start() {
  const asked: unknown[][] = []
  let [clock, fails] = [100_000_000, false]
  const trending = createTrendingCurrencies({
    requests: partialStore({
      boughtSince: async (...args) => {
        asked.push(args)
        if (fails) throw new Error('away')
        return [otherUsdc, ether]
      },
    }),
    known: ({ chainId }) => (chainId === ether.chainId ? ether : undefined),
    now: () => clock,
  })
  return {
    asked,
    trending,
    pass: (milliseconds: number) => {
      clock += milliseconds
    },
    fail: (does: boolean) => {
      fails = does
    },
  }
}

it('asks the store for one day, at most once a minute for each order', async () => {
  const { asked, trending, pass } = start()
  expect(await Promise.all([trending('count'), trending('count')])).toEqual([[ether], [ether]])
  await trending('usd')
  pass(59_999)
  await trending('count')
  expect(asked).toEqual([
    [13_600_000, 'count', 100],
    [13_600_000, 'usd', 100],
  ])
  pass(1)
  await trending('count')
  expect(asked).toHaveLength(3)
})

it('asks again after a failure', async () => {
  const { trending, fail } = start()
  fail(true)
  await expect(trending('count')).rejects.toThrow('away')
  fail(false)
  expect(await trending('count')).toEqual([ether])
})
