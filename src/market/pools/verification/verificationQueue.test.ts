import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createVerificationQueue } from './verificationQueue.ts'

const everyMs = 1_000

const queueOf = (keys: readonly string[]) => {
  const clock = { ms: 0 }
  const queue = createVerificationQueue<string>({ now: () => clock.ms }, everyMs)
  for (const key of keys) queue.add(key)
  return { clock, ...queue }
}

test('each key is due once in the period, for any trades', () => {
  const step = fc.record({ trades: fc.array(fc.nat(9)), ms: fc.nat(300) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const keys = Array.from({ length: 10 }, (_, at) => `${at}`)
      const { clock, trade, due, verified, waitMs } = queueOf(keys)
      const last = new Map(keys.map((key) => [key, 0]))
      for (const { trades, ms } of steps) {
        for (const at of trades) trade(`${at}`)
        clock.ms += ms
        const found = due(keys.length)
        expect(found.length > 0).toBe(waitMs() === 0)
        for (const key of keys)
          expect(found.includes(key) || clock.ms - (last.get(key) ?? 0) < everyMs).toBe(true)
        for (const key of found) {
          verified(key)
          last.set(key, clock.ms)
        }
        expect(due(keys.length)).toEqual([])
      }
    }),
  )
})

test('traded pools are due ten times as often, the most recently traded first', () => {
  const { clock, trade, due, verified, waitMs } = queueOf(['a', 'b', 'c'])
  for (const key of ['a', 'b', 'a']) trade(key)
  clock.ms = 99
  expect([due(9), waitMs()]).toEqual([[], 1])
  clock.ms = 100
  expect(due(9)).toEqual(['a', 'b'])
  verified('a')
  clock.ms = 500
  // It was not traded again.
  expect(due(9)).toEqual(['b'])
})

test('trades do not keep the others from their turn', () => {
  const { clock, trade, due } = queueOf(['old', 'a', 'b', 'c', 'd'])
  for (const key of ['a', 'b', 'c', 'd']) trade(key)
  clock.ms = everyMs
  expect(due(2)).toEqual(['d', 'old'])
})

test('ignores a key that is not tracked', () => {
  const { clock, trade, verified, due, waitMs } = queueOf([])
  trade('unknown')
  verified('unknown')
  clock.ms = 10 * everyMs
  expect([due(9), waitMs()]).toEqual([[], Number.POSITIVE_INFINITY])
})

test('the next key is due when the first of all is', () => {
  const key = fc.nat(5)
  const step = fc.tuple(fc.constantFrom('add', 'remove', 'trade', 'verified'), key, fc.nat(40))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let time = 0
      const queue = createVerificationQueue<number>({ now: () => time }, 1_000)
      const verifiedAt = new Map<number, number>()
      const traded = new Set<number>()
      for (const [act, each, pause] of steps) {
        time += pause
        queue[act](each)
        if (act === 'add' && !verifiedAt.has(each)) verifiedAt.set(each, time)
        if (act === 'verified' && verifiedAt.has(each)) verifiedAt.set(each, time)
        if (act === 'remove') verifiedAt.delete(each)
        if (act === 'trade' && verifiedAt.has(each)) traded.add(each)
        else if (act === 'remove' || act === 'verified') traded.delete(each)
        const due = [...verifiedAt].map(([one, at]) => at + (traded.has(one) ? 100 : 1_000) - time)
        expect(queue.waitMs()).toBe(Math.max(0, Math.min(Number.POSITIVE_INFINITY, ...due)))
      }
    }),
  )
})
