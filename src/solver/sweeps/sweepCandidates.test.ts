import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { WatchedAddress } from '#src/requests/addressStore.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import {
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { createSweepRotation, decideSweep, topUpSeconds } from './sweepCandidates.ts'

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

const chain = market.chains.get(originChain) as ChainMarket
const usdc = currencyOf(originChain, 'USDC').address
const foreign = currencyOf(originChain, 'LONG').address

const watched: WatchedAddress = {
  requestId: `0x${'11'.repeat(32)}`,
  orderId: `0x${'22'.repeat(32)}`,
  address: nativeAddress,
  depositor: nativeAddress,
  status: 'waiting',
  chainId: originChain,
  currency: usdc,
  leastDeposit: toAmount(1_000_000_000n),
  isOpen: false,
  deadline: 2_000,
}

const balance = (amount: bigint, currency = usdc) => ({ currency, amount: toAmount(amount) })
const complete = balance(1_000_000_000n)
const short = balance(999_999_999n)

type Times = Parameters<typeof decideSweep>[4]

const decide = (
  held: readonly ReturnType<typeof balance>[],
  change: Partial<WatchedAddress> = {},
  times: Times = { now: 1_000, since: 1_000 },
) => decideSweep({ ...watched, ...change }, held, market, chain, times)

describe('decideSweep', () => {
  it('sweeps a complete payment at once, and alone', () => {
    expect(decide([complete])).toEqual([usdc])
    expect(decide([balance(10n ** 18n, nativeAddress), complete])).toEqual([usdc])
  })

  it('waits for the rest of an incomplete payment, or of one in another currency', () => {
    const ends = { now: 1_000 + topUpSeconds, since: 1_000 }
    for (const held of [short, balance(10n ** 18n, nativeAddress)]) {
      expect(decide([held])).toBe('wait')
      expect(decide([held], {}, { ...ends, now: ends.now - 1 })).toBe('wait')
      expect(decide([held], {}, ends)).toEqual([held.currency])
    }
  })

  it('sweeps a payment after the deposit or the deadline without a wait, to refund it', () => {
    for (const status of ['pending', 'success', 'refund'] as const)
      expect(decide([short], { status })).toEqual([usdc])
    expect(decide([short], {}, { now: 2_001, since: 2_001 })).toEqual([usdc])
    expect(decide([short], { chainId: destinationChain })).toEqual([usdc])
  })

  it('leaves alone amounts below the gas of a sweep, and currencies that the solver does not bridge', () => {
    expect(decide([balance(1_000_000n)], { status: 'success' })).toEqual([])
    expect(decide([balance(10n ** 30n, foreign)], { status: 'success' })).toEqual([])
    expect(decide([])).toEqual([])
    const dust = toAmount(1_000_000n)
    expect(decide([balance(dust)], { leastDeposit: dust })).toEqual([])
  })

  it('sweeps any payment to an open address at once, if it pays for its sweep and its refund', () => {
    const isOpen = { isOpen: true }
    const alone = decide([balance(10_000_000n)], { status: 'success' })
    expect(alone).toEqual([usdc])
    for (const held of [complete, short, balance(10_000_000n), balance(10n ** 18n, nativeAddress)])
      expect(decide([held], isOpen)).toEqual([held.currency])
    expect(decide([balance(1_000_000n)], isOpen)).toEqual([])
    expect(decide([balance(1_000_000n)], { ...isOpen, leastDeposit: toAmount(1n) })).toEqual([])
  })
})
