import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { FailReason, RefundFailReason } from './requestState.ts'

type Hash = `0x${string}`

/**
 * What becomes of a deposit. It is filled or refunded exactly once, whatever its request's status:
 * seen → credited → filled | refundable; seen → refundable; refundable → refunded | kept;
 * filled → settling → settled. `seen`: in a block, not deep enough yet. `credited`: its request counts on
 * it. `filled`: its request was paid out. `settling`: the depository pays it out to whom it is due now, the
 * solver and app-fee recipients. `refundable`: to be paid back, `reason` says why. `kept`: it can be neither, `refundFailReason`
 * says why.
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

/** Money that arrived at one of our depositories with the id of an order. */
export type Deposit = Readonly<{
  /** `<chainId>:<txHash>:<ordinal>`; the ordinal counts the deposits of the transaction from 0. */
  depositId: string
  chainId: ChainId
  txHash: Hash
  /** Where it was last seen; undefined after a reorg, until it is in a block again. */
  block?: Readonly<{ number: bigint; hash: Hash }>
  /** Seconds since 1970, of that block. */
  timestamp: number
  orderId: Hash
  /** Undefined where no request of ours has this order. */
  requestId?: Hash
  depositor: Address
  currency: Address
  /** What arrived; more than 0. */
  amount: Amount
  status: DepositStatus
  reason?: FailReason
  refundFailReason?: RefundFailReason
  /** 0 until it is stored; the store counts it up with each save, and saves none that has moved on. */
  version: number
}>
