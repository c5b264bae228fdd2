import type { Hash } from 'viem'
import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { FailReason, RefundFailReason } from './requestState.ts'

/**
 * The status of a deposit. A deposit is filled or refunded exactly once, whatever the status of its request:
 * seen → credited → filled | refundable; seen → refundable; refundable → refunded | kept;
 * filled → settling → settled.
 * - `seen`: in a block that is not confirmed or not decided yet.
 * - `credited`: funds an input of its request.
 * - `filled`: the solver paid out its request.
 * - `settling`: the depository is paying it out to the solver and the app-fee recipients.
 * - `refundable`: will be paid back; `reason` says why.
 * - `kept`: can be neither filled nor refunded; `refundFailReason` says why.
 */
export const depositStatuses = [
  'seen',
  'credited',
  'filled',
  'settling',
  'settled',
  'refundable',
  'refunded',
  'kept',
] as const

export type DepositStatus = (typeof depositStatuses)[number]

/** Money that a depository received with an order id. */
export type Deposit = Readonly<{
  /** `<chainId>:<txHash>:<ordinal>`; the ordinal numbers the deposits of the transaction from 0. */
  depositId: string
  chainId: ChainId
  txHash: Hash
  /** The block that contains it; undefined after a reorg, until another block does. */
  block?: Readonly<{ number: bigint; hash: Hash }>
  /** Timestamp of that block, in seconds. */
  timestamp: number
  orderId: Hash
  /** Undefined if no request has this order. */
  requestId?: Hash
  depositor: Address
  currency: Address
  /** The amount received; more than 0. */
  amount: Amount
  status: DepositStatus
  reason?: FailReason
  refundFailReason?: RefundFailReason
  /** 0 until it is stored. Each save adds 1 and fails if the stored version differs. */
  version: number
}>
