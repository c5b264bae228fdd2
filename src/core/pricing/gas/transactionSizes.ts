import type { Order } from '#src/core/pricing/order.ts'
import { svmSizes } from '#src/core/pricing/svm/svmSizes.ts'
import type { Account } from '#src/core/units/address.ts'
import { isNative } from '#src/core/units/currency.ts'
import type { GasMarket, TransactionSize } from './gas.ts'
import {
  addressPayment,
  depositTransaction,
  fillTransaction,
  swapTransaction,
  sweepTransaction,
  topupSize,
} from './transactionSize.ts'

/** The terms of a deposit that determine the size of its settlement. */
export type SettledOrder = Partial<Pick<Order, 'appFees' | 'explicitDeposit'>>

// Measured (`npm run bench:gas`) and rounded up.

/** The share of one recorded deposit in a settlement of twenty, overhead of the transaction included. */
const batched: TransactionSize = { gas: 19_000n, bytes: 320n }
/** The settlement of an unrecorded plain transfer of an ERC-20, which takes one transaction each. */
const alone: TransactionSize = { gas: 102_000n, bytes: 700n }
/**
 * The size that one app fee adds. A recipient of native currency may use up its 50,000 gas, and then has a claim; an
 * ERC-20 transfer does not call its recipient.
 */
const appFee = {
  native: { gas: 95_000n, bytes: 128n },
  erc20: { gas: 45_000n, bytes: 128n },
} as const

function settlement(
  deposit: Account,
  { appFees = [], explicitDeposit = true }: SettledOrder,
): TransactionSize {
  const own = explicitDeposit || isNative(deposit) ? batched : alone
  const each = isNative(deposit) ? appFee.native : appFee.erc20
  const count = BigInt(appFees.length)
  return { gas: own.gas + each.gas * count, bytes: own.bytes + each.bytes * count }
}

/** Approximate size of a refund that pays its cost to the solver. */
const refundSize: TransactionSize = { gas: 140_000n, bytes: 900n }

const evmSizes = {
  /** The transaction of a user that swaps alone on one chain. */
  swap: swapTransaction,
  /** The deposit transaction of the user, with the swap before it if there is one. */
  deposit: depositTransaction,
  /** The fill transaction of the solver, which pays the recipient and marks the order as filled. */
  fill: fillTransaction,
  /** The size that the gas top-up in native currency adds to a fill. */
  topup: topupSize,
  /** The payment of a user to a deposit address. */
  addressPayment,
  /** The first sweep of a deposit address. */
  sweep: sweepTransaction,
  /** The share of one deposit in the settlements that the solver sends. */
  settlement,
  /** A fill with one swap, for estimates of how many fills the solver can pay for. */
  usualFill: { gas: 300_000n, bytes: 1_500n },
  refund: (_currency: Account): TransactionSize => refundSize,
}

/** The sizes of the transactions on a chain, by its virtual machine. */
export const sizesOf = ({ vmType }: GasMarket): typeof evmSizes =>
  vmType === 'evm' ? evmSizes : svmSizes
