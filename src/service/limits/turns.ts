import { leastBy } from '#src/core/leastBy.ts'
import { OverloadedError } from './overloadedError.ts'
import { alikeMs, type TimeAccounts } from './timeAccounts.ts'

/** Divides the turns of the event loop among clients: many requests that arrive at once delay no other for long. */
export type Turns = Readonly<{
  /**
   * Resolves when the client may go on: at once, or in a later turn if this one has worked for long. What runs then is
   * charged to the client. The clients that have taken the least time go first. A request also waits for the orders of
   * clients that have taken less.
   * @throws OverloadedError if it has waited for too long.
   */
  begin: (client: string) => Promise<void>
  /** The same for each order of a request that may have many: the first eight begin with their request. */
  beginOrder: (client: string) => Promise<void>
  /** About the milliseconds until a new request of this client would begin, by the pace of the last turns. */
  waitMs: (client: string) => number
}>

/** Milliseconds of requests in one turn before the others wait. */
const sliceMs = 3
/** Every eighth turn requests do not wait for orders, so that none waits forever. */
const agingTurns = 8
/** Maximum number of requests that begin in one turn after they have waited. */
const maxBegun = 64
/** Orders that begin at once. What they do runs later, so nobody knows yet how long it takes. */
const maxAtOnce = 8
/** The share of the last turn in the mean over turns. */
const newest = 0.1
/** Nobody expects the answer any more after this time. */
const maxWaitMs = 10_000

type Waiting = Readonly<{ since: number; resolve: () => void; reject: (error: Error) => void }>

type Deps = Readonly<{
  /** Monotonic milliseconds. */
  now: () => number
  /** Calls back once the events that have arrived by now are processed. */
  atEndOfTurn: (callback: () => void) => void
  accounts: TimeAccounts
  /** The least time of the clients whose orders are being priced; Infinity if none is. */
  leastPricing: () => number
}>

export function createTurns({ now, atEndOfTurn, accounts, leastPricing }: Deps): Turns {
  /** By client, in the order of arrival. */
  const waiting = new Map<string, Waiting[]>()
  let turns = 0
  /** Milliseconds of requests in this turn. */
  let worked = 0
  let begun = 0
  let turnBeganAt = 0
  /** A mean over the last turns, with all that the process does meanwhile. */
  let msPerRequest = 0
  let isAwaitingEnd = false
  /** Orders since the last request has begun. */
  let orders = 0

  const take = (client: string): Waiting | undefined => {
    const own = waiting.get(client)
    const next = own?.shift()
    if (own?.length === 0) waiting.delete(client)
    return next
  }
  const refuseLate = (): void => {
    const before = now() - maxWaitMs
    for (const [client, own] of waiting)
      while (own[0] !== undefined && own[0].since < before)
        take(client)?.reject(new OverloadedError())
  }
  const isAfterOrders = (client: string): boolean =>
    turns % agingTurns !== 0 && accounts.tookOf(client) >= leastPricing() + alikeMs
  /** Begins one request only: what it does runs after this callback. */
  const beginNext = (): void => {
    worked += accounts.end()
    const client = worked < sliceMs ? leastBy(waiting.keys(), accounts.tookOf) : undefined
    if (client === undefined || isAfterOrders(client)) return
    start(client)
    take(client)?.resolve()
  }
  const start = (client: string): void => {
    begun += 1
    orders = 0
    accounts.begin(client)
  }
  const endTurn = (): void => {
    accounts.end()
    if (begun > 0) {
      const pace = (now() - turnBeganAt) / begun
      msPerRequest += (pace - msPerRequest) * (msPerRequest === 0 ? 1 : newest)
    }
    turns += 1
    worked = 0
    begun = 0
    orders = 0
    isAwaitingEnd = false
    refuseLate()
    let count = 0
    for (const { length } of waiting.values()) count += length
    for (let place = 0; place < Math.min(count, maxBegun); place += 1) atEndOfTurn(beginNext)
    if (count > 0) awaitEnd()
  }
  const awaitEnd = (): void => {
    if (isAwaitingEnd) return
    isAwaitingEnd = true
    turnBeganAt = now()
    atEndOfTurn(endTurn)
  }

  const wait = (client: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const own = waiting.get(client) ?? []
      waiting.set(client, own)
      own.push({ since: now(), resolve, reject })
      awaitEnd()
    })

  return {
    begin: async (client) => {
      worked += accounts.end()
      if (waiting.size > 0 || worked >= sliceMs || isAfterOrders(client)) return wait(client)
      start(client)
      awaitEnd()
    },
    beginOrder: async (client) => {
      orders += 1
      if (orders > maxAtOnce) await wait(client)
    },
    waitMs: (client) => {
      const took = accounts.tookOf(client)
      let ahead = 0
      for (const [other, { length }] of waiting) if (accounts.tookOf(other) <= took) ahead += length
      return ahead * msPerRequest
    },
  }
}
