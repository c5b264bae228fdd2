import { expect, it } from 'vitest'
import { createSubscriptionMemory } from './subscriptionMemory.ts'

/** Records who was ended, in order. */
function createMemory(maxBytes: number) {
  const ended: string[] = []
  const hold = createSubscriptionMemory(maxBytes)
  return {
    ended,
    hold: (client: string, bytes: number, name = client) =>
      hold(client, bytes, ({ code }) => ended.push(`${name}: ${code}`)),
  }
}

it('ends the newest subscriptions of the client that holds the most', () => {
  const { hold, ended } = createMemory(100)
  hold('greedy', 30, 'first')
  hold('greedy', 30, 'second')
  hold('modest', 30)
  expect(ended).toEqual([])
  hold('new', 20)
  expect(ended).toEqual(['second: SERVICE_UNAVAILABLE'])
})

it('ends a subscription at once if its own client holds the most', () => {
  const { hold, ended } = createMemory(100)
  hold('modest', 40)
  hold('greedy', 50, 'first')
  hold('greedy', 50, 'second')
  expect(ended).toEqual(['second: SERVICE_UNAVAILABLE'])
  hold('giant', 101)
  expect(ended).toEqual(['second: SERVICE_UNAVAILABLE', 'giant: SERVICE_UNAVAILABLE'])
})

it('has room again for every subscription that has ended, and counts its end once', () => {
  const { hold, ended } = createMemory(100)
  const close = hold('greedy', 60, 'first')
  hold('greedy', 60, 'second')
  close()
  close()
  hold('greedy', 100, 'third')
  hold('other', 1)
  expect(ended).toEqual(['second: SERVICE_UNAVAILABLE', 'third: SERVICE_UNAVAILABLE'])
})
