import fc from 'fast-check'
import { AppError } from '#src/core/errors.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { Price } from '#src/core/pricing/price.ts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import type { StepContext } from '#src/protocol/step.ts'
import { account, currencyOf, originChain } from '#test/support/fixtures/markets.ts'
import { attempt, orders } from '#test/support/orders/orders.ts'

export const contracts: ProtocolContracts = {
  depository: account('d'),
  router: account('e'),
  approvalProxy: account('f'),
}
export const solver = account('5')
const refundTo = account('3')
/** Accounts that receive only app fees. */
export const feeRecipients = [account('7'), account('8'), account('9')] as const
/** The target of the caller’s own calls. */
export const callee = account('6')

const hash = fc
  .bigInt(0n, 2n ** 256n - 1n)
  .map((value): `0x${string}` => `0x${value.toString(16).padStart(64, '0')}`)

const txs = fc.array(
  fc.record({
    to: fc.constant(callee),
    value: fc.bigInt(0n, 10n ** 6n).map(toAmount),
    data: fc.constantFrom('0x', '0x12345678' as const),
  }),
  { maxLength: 2 },
)

/** Orders with a distinct account for each party, and with all options that change how they execute. */
const executableOrders: fc.Arbitrary<Order> = fc
  .record({
    order: orders,
    shares: fc.array(fc.bigInt(0n, 300n), { maxLength: 3 }),
    hasOwnCalls: fc.integer({ min: 0, max: 3 }).map((at) => at === 0),
    txs,
    enableTrueExactOutput: fc.boolean(),
  })
  .map(({ order, shares, hasOwnCalls, enableTrueExactOutput, ...own }) => ({
    ...order,
    refundTo,
    enableTrueExactOutput,
    txs: hasOwnCalls
      ? own.txs.map((tx) =>
          order.destination.address === nativeAddress ? tx : { ...tx, value: toAmount(0n) },
        )
      : [],
    appFees: shares.map((fee, at) => ({
      recipient: feeRecipients[at] ?? feeRecipients[0],
      fee: toBps(fee),
    })),
  }))

/** Prices of those orders that the fixture market can price. */
export const prices: fc.Arbitrary<Price> = executableOrders
  .map((order) => attempt(order))
  .filter((price): price is Price => !(price instanceof AppError))

export const contexts: fc.Arbitrary<StepContext> = fc.record({
  requestId: hash,
  orderId: hash,
  contracts: fc.constant(contracts),
  wrappedNative: fc.constant(currencyOf(originChain, 'WETH').address),
  deadline: fc.integer({ min: 1_800_000_000, max: 1_900_000_000 }),
  unrecordedLimitUsd: fc.constant(toUsd(1_000_000_000n)),
  gas: fc.record({
    baseFeePerGas: fc.bigInt(0n, 10n ** 12n),
    priorityFeePerGas: fc.bigInt(0n, 10n ** 12n),
  }),
  solver: fc.constant(solver),
  allowance: fc.oneof(fc.constant(0n), fc.bigInt(0n, 10n ** 30n)),
  resetsAllowance: fc.boolean(),
})

export const wrappedOn = (price: Price): Address =>
  currencyOf(price.currencyIn.currency.chainId, 'WETH').address
