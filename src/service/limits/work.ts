import type { AppError } from '#src/core/errors.ts'
import { pausingBefore } from '#src/core/steps.ts'
import { type Client, type Identify, timeName } from '#src/service/callers.ts'
import { createPricingQueue } from './pricingQueue.ts'
import { createSubscriptionMemory } from './subscriptionMemory.ts'
import { createTimeAccounts } from './timeAccounts.ts'
import { createTurns } from './turns.ts'

export type Work = ReturnType<typeof createWork>

/**
 * What clients share fairly: the turns of requests and the queue of their prices, which charge one account of each
 * client, and the memory of subscriptions.
 */
export function createWork(identify: Identify) {
  const now = () => performance.now()
  const clock = { now, atEndOfTurn: setImmediate, accounts: createTimeAccounts(now) }
  const pricing = createPricingQueue({ ...clock, atEndOfTurn: afterAnswers })
  const turns = createTurns({ ...clock, leastPricing: pricing.leastTook })
  const hold = createSubscriptionMemory()
  return {
    pricing,
    inBackground: <Result>(client: Client, compute: () => Result | Promise<Result>) =>
      pricing.runInBackground(timeName(identify, client), () => pausingBefore(compute)),
    holdMemory: (client: Client, end: (error: AppError) => void) =>
      hold(timeName(identify, client), end),
    beginTurn: (client: Client) => turns.begin(timeName(identify, client)),
    beginOrder: (client: Client) => turns.beginOrder(timeName(identify, client)),
    waitMs: (client: Client) => {
      const name = timeName(identify, client)
      return Math.max(turns.waitMs(name), pricing.waitMs(name))
    },
  }
}

/** Calls back at the end of the turn, after the answers to the prices that are known now have been sent. */
const afterAnswers = (callback: () => void): void =>
  queueMicrotask(() => process.nextTick(setImmediate, callback))
