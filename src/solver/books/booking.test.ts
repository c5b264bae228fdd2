import fc from 'fast-check'
import {
  concatHex,
  type Hex,
  numberToHex,
  padHex,
  serializeTransaction,
  toEventSelector,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toUsd, toUsdPrice, usdValueFloor } from '#src/core/units/usd.ts'
import { fillCall } from '#src/protocol/calls/fillCall.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { spendingTopics } from '#src/requests/tracker/read/trackedLogs.ts'
import { contracts } from '#test/support/arbitraries/executionArbitrary.ts'
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

const hash = `0x${'1'.repeat(64)}` as const
const topicOf = (address: string) => padHex(account(address), { size: 32 })
const wordOf = (amount: bigint) => numberToHex(amount, { size: 32, signed: true })
/** The pool manager is the account 4, the router the account e. */
const logOf = (address: Hex, topics: readonly Hex[], data: Hex) => ({ address, topics, data })
const transfer = ({ address }: typeof usdc, from: string, to: string, amount: bigint) =>
  logOf(address, [spendingTopics.transfer, topicOf(from), topicOf(to)], wordOf(amount))
const wrapLog = (by: string, amount: bigint) =>
  logOf(wrapped.address, [spendingTopics.wrap, topicOf(by)], wordOf(amount))
const unwrapLog = (by: string, amount: bigint) =>
  logOf(wrapped.address, [spendingTopics.unwrap, topicOf(by)], wordOf(amount))
const swapTopic = toEventSelector(
  'Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)',
)
const swapLog = (amount0: bigint, amount1: bigint) =>
  logOf(
    account('4'),
    [swapTopic, hash, topicOf('e')],
    concatHex([wordOf(amount0), wordOf(amount1), ...Array<Hex>(4).fill(wordOf(1n))]),
  )
const inOrder = (logs: readonly ReturnType<typeof logOf>[]) =>
  ({ logs: logs.map((log, logIndex) => ({ ...log, logIndex, transactionHash: hash })) }) as never

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
    const logs = [
      transfer(usdc, '5', '6', 90_000_000n),
      transfer(usdc, '6', '5', 2_000_000n),
      transfer(wrapped, '6', '5', 10n ** 15n),
      // Another contract's claim, and transfers of others.
      transfer(currencyOf(originChain, 'LONG'), '6', '5', 10n ** 30n),
      transfer(usdc, '6', '7', 5_000_000n),
      transfer(usdc, '5', '5', 5_000_000n),
    ]
    const taken = takenBy(transaction, inOrder(logs), { contracts, market: prices.market })
    const fill = { transaction, taken, request: undefined, filled: [] }
    expect(fillBooking(fill, prices)).toEqual({
      volumeUsd: 85_000_000n,
      feesUsd: null,
      sponsoredUsd: 0n,
    })
    expect(fillBooking(fill, pricesOf(new Map())).volumeUsd).toBeNull()
  })

  it.each([
    [
      'an exact output, which took less than was sent',
      { input: native, output: usdc, sent: 100n },
      [swapLog(-90n, 30n), transfer(usdc, '4', 'e', 30n)],
      90n,
    ],
    [
      'a path in wrapped currency as well',
      { input: native, output: usdc, sent: 100n },
      [
        unwrapLog('2', 40n),
        wrapLog('e', 60n),
        swapLog(-35n, 12n),
        transfer(usdc, '4', 'e', 12n),
        transfer(wrapped, 'e', '5', 2n),
      ],
      93n,
    ],
    [
      'a path through the native currency, of which a part is left',
      { input: usdc, output: wrapped, sent: 0n },
      [
        swapLog(50n, -20n),
        transfer(usdc, 'e', '4', 20n),
        swapLog(-45n, 70n),
        transfer(wrapped, '4', 'e', 70n),
      ],
      -5n,
    ],
    [
      'a pool without native currency',
      { input: usdc, output: wrapped, sent: 0n },
      [swapLog(50n, -20n), transfer(wrapped, '4', 'e', 50n), transfer(usdc, 'e', '4', 20n)],
      0n,
    ],
    [
      'a native output, which the recipient gets whole',
      { input: usdc, output: native, sent: 0n },
      [swapLog(50n, -20n), transfer(usdc, 'e', '4', 20n)],
      0n,
    ],
  ] as const)('counts the native currency that Uniswap v4 returns: %s', (_, ends, logs, taken) => {
    const { input, output, sent } = ends
    const { data, value } = fillCall({
      contracts,
      solver: account('5'),
      identity: account('5'),
      orderId: hash,
      deadline: 1n,
      conversion: {
        contracts,
        wrappedNative: wrapped.address,
        input: input.address,
        output: output.address,
        route: undefined,
        limitsOutput: true,
      },
      netInput: input === native ? sent : 20n,
      payment: { recipient: account('6'), minimum: 1n, txs: [] },
      topup: output === native ? 0n : 7n,
    })
    const raw = serializeTransaction({ type: 'eip1559', chainId: 1, data, value })
    const attempt = { hash, raw, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
    const mined = { hash, block: { number: 1n, hash } }
    const fill = { ...transaction, attempts: [attempt], mined }
    const all = takenBy(fill, inOrder(logs), { contracts, market: prices.market })
    expect(all.get(nativeAddress)).toBe(taken + (output === native ? 0n : 7n))
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
