import { expect, it } from 'vitest'
import { createSubscriptionMemory } from './subscriptionMemory.ts'

/** Records who was ended, in order. */
function createMemory(maxBytes: number) {
  const ended: string[] = []
  const hold = createSubscriptionMemory(maxBytes)
  return {
    ended,
    hold: (client: string, bytes: number, name = client) => {
      const held = hold(client, ({ code }) => ended.push(`${name}: ${code}`))
      held.grow(bytes)
      return held
    },
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
  const { release } = hold('greedy', 60, 'first')
  hold('greedy', 60, 'second')
  release()
  release()
  hold('greedy', 100, 'third')
  hold('other', 1)
  expect(ended).toEqual(['second: SERVICE_UNAVAILABLE', 'third: SERVICE_UNAVAILABLE'])
})

it('counts the most that a subscription has taken, until it ends', () => {
  const { hold, ended } = createMemory(100)
  const first = hold('greedy', 10, 'first')
  hold('greedy', 10, 'second')
  hold('modest', 30)
  first.grow(50)
  first.grow(40)
  expect(ended).toEqual([])
  first.grow(61)
  expect(ended).toEqual(['second: SERVICE_UNAVAILABLE'])
  first.grow(101)
  first.grow(200)
  expect(ended).toEqual(['second: SERVICE_UNAVAILABLE', 'first: SERVICE_UNAVAILABLE'])
  hold('other', 70)
  expect(ended).toHaveLength(2)
})

it('counts a client that comes back after its last subscription has ended', () => {
  const { hold, ended } = createMemory(100)
  const first = hold('greedy', 101, 'first')
  const second = hold('greedy', 60, 'second')
  first.release()
  hold('modest', 50)
  expect(ended).toEqual(['first: SERVICE_UNAVAILABLE', 'second: SERVICE_UNAVAILABLE'])
  second.release()
})
