import { describe, expect, it } from 'vitest'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { WatchedAddress } from '#src/requests/addressStore.ts'
import {
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { decideSweep, topUpSeconds } from './decideSweep.ts'

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
