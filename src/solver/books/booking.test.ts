import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toUsd, toUsdPrice, usdValueFloor } from '#src/core/units/usd.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import {
  account,
  currencyOf,
  destinationChain,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { runs } from '#test/support/runs.ts'
import {
  type BookPrices,
  dayOf,
  fillBooking,
  gasBooking,
  refundBooking,
  unknownBooking,
} from './booking.ts'
import { takenBy } from './receiptCost.ts'

const usdc = currencyOf(originChain, 'USDC')
const native = currencyOf(originChain, 'ETH')
const wrapped = currencyOf(originChain, 'WETH')
const price = (dollars: bigint) => toUsdPrice(dollars * 10n ** 18n)

const pricesOf = (usdPrices: BookPrices['market']['usdPrices']): BookPrices => ({
  market: {
    chain: { id: originChain, native, wrappedNative: wrapped.address } as never,
    usdPrices,
  },
  known: ({ chainId, address }) =>
    [usdc, native, wrapped, currencyOf(destinationChain, 'USDC')].find(
      (each) => each.chainId === chainId && each.address === address,
    ),
})
const prices = pricesOf(
  new Map([
    [usdc.address, price(1n)],
    [nativeAddress, price(3000n)],
  ]),
)

const transaction: SolverTransaction = {
  transactionId: 'fill:1',
  purpose: 'fill',
  chainId: originChain,
  account: account('5'),
  nonce: 1,
  depositIds: ['1'],
  spends: [{ currency: usdc.address, amount: toAmount(100n) }],
  attempts: [],
  status: 'final',
  createdAt: 86_400_000 * 20,
  version: 1,
}

describe('a booking', () => {
  it('rounds a value down, whatever its sign', () => {
    const amounts = fc.bigInt(-(10n ** 40n), 10n ** 40n)
    fc.assert(
      fc.property(
        amounts,
        fc.nat({ max: 30 }),
        fc.bigInt(1n, 10n ** 30n),
        (amount, decimals, of) => {
          const value = usdValueFloor(amount, decimals, toUsdPrice(of))
          const unit = 10n ** BigInt(decimals + 12)
          expect(value * unit <= amount * of && (value + 1n) * unit > amount * of).toBe(true)
        },
      ),
      { numRuns: runs(200) },
    )
  })

  it('is on the UTC day of the block, else of the sending', () => {
    const block = { number: 1n, hash: '0x00' as const, timestamp: 86_400 * 21 - 1 }
    const mined = { hash: '0x01' as const, block }
    expect(dayOf(86_400_000 * 20 - 1)).toBe(19)
    expect(gasBooking(transaction, 0n, prices).day).toBe(20)
    expect(gasBooking({ ...transaction, mined }, 0n, prices).day).toBe(20)
    const next = { ...mined, block: { ...block, timestamp: 86_400 * 21 } }
    expect(gasBooking({ ...transaction, mined: next }, 0n, prices).day).toBe(21)
  })

  it('rounds the gas up, and has no dollars without a price', () => {
    expect(gasBooking(transaction, 1n, prices)).toMatchObject({ gas: 1n, gasUsd: 1n })
    expect(gasBooking(transaction, 0n, pricesOf(new Map()))).toMatchObject({ gasUsd: 0n })
    expect(gasBooking(transaction, 1n, pricesOf(new Map()))).toMatchObject({
      gas: 1n,
      gasUsd: null,
    })
  })

  it('counts only transfers of the currencies that the fill spends', () => {
    const move = (currency: typeof usdc, from: string, to: string, amount: bigint) => ({
      account: account(from),
      recipient: account(to),
      currency: currency.address,
      amount,
      txHash: '0x01' as const,
      logIndex: 0,
    })
    const moved = [
      move(usdc, '5', '6', 90_000_000n),
      move(usdc, '6', '5', 2_000_000n),
      move(wrapped, '6', '5', 10n ** 15n),
      // Another contract's claim, and transfers of others.
      move(currencyOf(originChain, 'LONG'), '6', '5', 10n ** 30n),
      move(usdc, '6', '7', 5_000_000n),
      move(usdc, '5', '5', 5_000_000n),
    ]
    const taken = takenBy(transaction, moved, prices.market)
    const fill = { transaction, taken, request: undefined, filled: [] }
    expect(fillBooking(fill, prices)).toEqual({
      volumeUsd: 85_000_000n,
      feesUsd: null,
      sponsoredUsd: 0n,
    })
    expect(fillBooking(fill, pricesOf(new Map())).volumeUsd).toBeNull()
  })

  it('takes what the depository kept of a refund, and nothing of a plain transfer', () => {
    const deposit = {
      currency: usdc.address,
      amount: toAmount(1_000_000n),
      record: { index: 0, exitTime: 1 },
      paid: [{ recipient: account('1'), amount: toAmount(700_000n) }],
      unpaid: [{ recipient: account('1'), amount: toAmount(100_000n) }],
    } as unknown as Deposit
    expect(refundBooking(deposit, prices)).toEqual({ feesUsd: 200_000n })
    expect(refundBooking(deposit, pricesOf(new Map()))).toEqual({ feesUsd: null })
    const { record: _, ...plain } = deposit
    expect(refundBooking(plain as Deposit, prices)).toEqual({ feesUsd: 0n })
    const { paid: __, ...unread } = deposit
    expect(refundBooking(unread as Deposit, prices)).toEqual({ feesUsd: null })
    expect(refundBooking(undefined, prices)).toEqual({ feesUsd: null })
  })

  it('of an unknown transaction has null for each value that its purpose has', () => {
    const unknown = { day: 20, gas: null, gasUsd: null }
    expect(unknownBooking(transaction)).toEqual({
      ...unknown,
      volumeUsd: null,
      feesUsd: null,
      sponsoredUsd: toUsd(0n),
    })
    expect(unknownBooking({ ...transaction, purpose: 'refund' })).toEqual({
      ...unknown,
      feesUsd: null,
    })
    expect(unknownBooking({ ...transaction, status: 'reverted' })).toEqual(unknown)
  })
})
