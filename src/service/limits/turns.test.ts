import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { OverloadedError } from './overloadedError.ts'
import { createTimeAccounts } from './timeAccounts.ts'
import { createTurns } from './turns.ts'

/** Requests that work for a known time once they have begun. */
function createRig() {
  let time = 0
  let ends: (() => void)[] = []
  /** The requests that worked, by turn. */
  const turns: string[][] = [[]]
  const refused: string[] = []
  const accounts = createTimeAccounts(() => time)
  let leastPricing = Number.POSITIVE_INFINITY
  const { begin, beginOrder, waitMs } = createTurns({
    now: () => time,
    atEndOfTurn: (callback) => void ends.push(callback),
    accounts,
    leastPricing: () => leastPricing,
  })
  return {
    /** Orders are priced of a client that has taken this time. */
    priceOrdersOf: (took: number) => {
      leastPricing = took
    },
    accounts,
    waitMs,
    turns,
    refused,
    /** A request arrives. */
    send: async (client: string, name: string, milliseconds: number) => {
      const began = begin(client).then(
        () => {
          turns.at(-1)?.push(name)
          time += milliseconds
        },
        (error: unknown) => {
          if (!(error instanceof OverloadedError)) throw error
          refused.push(name)
        },
      )
      // What it does runs before the next event.
      await Promise.race([began, setImmediate()])
    },
    /** A request with orders of a millisecond each arrives. */
    sendOrders: async (client: string, count: number) => {
      await begin(client)
      const orders = Array.from({ length: count }, async (_, at) => {
        await beginOrder(client)
        turns.at(-1)?.push(`order ${at}`)
        time += 1
      })
      await Promise.race([Promise.all(orders), setImmediate()])
    },
    /** Ends the turn of the event loop. Returns whether another one is awaited. */
    endTurn: async () => {
      const ended = ends
      ends = []
      for (const end of ended) {
        end()
        await setImmediate()
      }
      turns.push([])
      return ends.length > 0
    },
    wait: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

describe('the turns of requests', () => {
  it('lets a request begin at once', async () => {
    const { send, turns, endTurn } = createRig()
    await send('a', 'first', 1)
    await send('b', 'second', 1)
    expect(turns).toEqual([['first', 'second']])
    expect(await endTurn()).toBe(false)
  })

  it('lets requests that arrive at once begin in several turns', async () => {
    const { send, turns, endTurn } = createRig()
    for (let at = 0; at < 4; at += 1) await send('a', `long ${at}`, 15)
    for (let at = 0; at < 8; at += 1) await send('a', `short ${at}`, 1)
    while (await endTurn());
    expect(turns.filter((names) => names.length > 0)).toEqual([
      ['long 0'],
      ['long 1'],
      ['long 2'],
      ['long 3'],
      ['short 0', 'short 1', 'short 2'],
      ['short 3', 'short 4', 'short 5'],
      ['short 6', 'short 7'],
    ])
  })

  it('lets the orders of one request begin in several turns', async () => {
    const { send, sendOrders, turns, endTurn } = createRig()
    await sendOrders('many', 13)
    await endTurn()
    await send('one', 'short', 1)
    while (await endTurn());
    const atOnce = Array.from({ length: 8 }, (_, at) => `order ${at}`)
    expect(turns.filter((names) => names.length > 0)).toEqual([
      atOnce,
      ['short', 'order 8', 'order 9'],
      ['order 10', 'order 11', 'order 12'],
    ])
  })

  it('lets the client go first that has taken the least time', async () => {
    const { send, turns, endTurn, waitMs, accounts } = createRig()
    for (let at = 0; at < 16; at += 1) await send('many', `long ${at}`, 15)
    await endTurn()
    await endTurn()
    expect([waitMs('many'), waitMs('one')]).toEqual([14 * 15, 0])
    await send('one', 'short', 1)
    await send('other', 'short too', 1)
    await endTurn()
    expect(turns).toEqual([['long 0'], ['long 1'], ['short', 'short too', 'long 2'], []])
    expect(['many', 'one', 'other'].map(accounts.tookOf)).toEqual([45, 1, 1])
  })

  it('lets requests wait for the orders of clients that have taken less, for eight turns', async () => {
    const { send, turns, endTurn, priceOrdersOf } = createRig()
    await send('busy', 'long', 60)
    await send('busy', 'next', 1)
    priceOrdersOf(1)
    await send('patient', 'at once', 1)
    for (let turn = 0; turn < 9; turn += 1) await endTurn()
    expect(turns.map((names) => names.length)).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 1, 0])
    expect(turns.flat()).toEqual(['long', 'at once', 'next'])
  })

  it('refuses a request that has waited for ten seconds', async () => {
    const { send, endTurn, refused, wait } = createRig()
    await send('a', 'first', 5)
    await send('a', 'second', 5)
    wait(10_001)
    expect([await endTurn(), refused]).toEqual([false, ['second']])
  })
})
