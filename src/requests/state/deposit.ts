import type { Hash, Hex } from 'viem'
import type { Account } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type BlockHash, evmHash, type TxId } from '#src/core/units/txId.ts'
import type { Usd } from '#src/core/units/usd.ts'
import type { RequestEvent } from './requestEvent.ts'
import type { FailReason, ObservedTransaction, Payment, RefundFailReason } from './requestState.ts'

/**
 * The status of a deposit. A deposit is filled or refunded exactly once, whatever the status of its request:
 * seen → credited → filled | refundable; seen → refundable; refundable → refunded | kept | filled;
 * filled → settling → settled. A reorg that undoes the payment leads from filled, refunded and settled back to credited,
 * refundable and settling.
 * - `seen`: in a block that is not confirmed or not decided yet.
 * - `credited`: funds an input of its request.
 * - `filled`: the solver paid out its request.
 * - `settling`: the depository is paying it out to the solver and the app-fee recipients.
 * - `refundable`: will be paid back, for `reason`.
 * - `kept`: unrefundable, and never filled, for `refundFailReason`.
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

/** The deposit's value in US dollars and the height of its block, both as of the sending of the fill. */
type Exposure = Readonly<{ usd: Usd; height: bigint }>

/** A payment out of a deposit: the refund, or an app fee. */
export type DepositPayment = Readonly<{ recipient: Account; amount: Amount }>

/** Money that a depository received with an order id. */
export type Deposit = Readonly<{
  /**
   * `<chainId>:<id of its record>`. For a plain transfer, which has no record: `<chainId>:<txHash>:<logIndex>`.
   */
  depositId: string
  chainId: ChainId
  txHash: TxId
  /** The block that contains it; undefined after a reorg until another block contains it. */
  block?: Readonly<{ number: bigint; hash: BlockHash }>
  /** Index of its log in that block. Absent without a block, and in rows of an earlier version. */
  logIndex?: number
  /** Timestamp of that block, in seconds. */
  timestamp: number
  orderId: Hash
  /** Undefined if no request has this order. */
  requestId?: Hash
  depositor: Account
  currency: Account
  /** The amount received; more than 0. */
  amount: Amount
  /** The depository's record of it. A plain ERC-20 transfer has none, and counts only once its block is final. */
  record?: Readonly<{
    /** 0 for the first deposit with the same order, depositor, currency and amount. */
    index: number
    /** First block timestamp at which the depositor can take it back, in seconds since 1970. */
    exitTime: number
  }>
  status: DepositStatus
  reason?: FailReason
  refundFailReason?: RefundFailReason
  /**
   * Payments that their recipients got, without the solver's. Set once the payout is confirmed; absent if the chain does
   * not show them, and in rows from before they were stored.
   */
  paid?: readonly DepositPayment[]
  /** Payments that their recipients did not accept, and can claim from the depository; absent if there are none. */
  unpaid?: readonly DepositPayment[]
  /**
   * The solver's loss if a reorg removes the deposit. Set if the fill was sent before enough endpoints called it final.
   */
  exposure?: Exposure
  /** App fees that its settlement did not pay, because the depository refused them. The operator owes them. */
  owedAppFees?: readonly Readonly<{ recipient: Account; amount: bigint }>[]
  /** Number of times that its refund was postponed because it would fail or cost more than it pays. Absent: 0. */
  refundTries?: number
  /** Earliest time of the next attempt to refund it, Unix milliseconds. Absent: now. */
  refundDueAt?: number
  /** 0 until it is stored. Each save adds 1 and fails if the stored version differs. */
  version: number
}>

/**
 * A deposit that a block includes. After a reorg a deposit has no block, and the depository does not hold its money.
 */
export type MinedDeposit = Deposit & Required<Pick<Deposit, 'block'>>

export const isMined = (deposit: Deposit): deposit is MinedDeposit => deposit.block !== undefined

/**
 * Compares by block, then by log, earliest first. The result does not depend on the order in which deposits were read.
 */
export function byPlace(one: Deposit, other: Deposit): number {
  const [block, otherBlock] = [one.block?.number ?? 0n, other.block?.number ?? 0n]
  if (block !== otherBlock) return block < otherBlock ? -1 : 1
  const logs = (one.logIndex ?? -1) - (other.logIndex ?? -1)
  return logs || (one.depositId < other.depositId ? -1 : Number(one.depositId > other.depositId))
}

/** The id of a deposit's record in its depository. @throws Error for a plain transfer */
export function recordIdIn({ depositId, record }: Pick<Deposit, 'depositId' | 'record'>): Hex {
  const id = depositId.split(':').at(1)
  if (record === undefined || id === undefined) throw new Error(`${depositId} has no record`)
  return id as Hex
}

/** The transaction and the index of the log by which the depository knows a plain transfer. */
export const plainTransferOf = ({
  depositId,
  txHash,
}: Pick<Deposit, 'depositId' | 'txHash'>): readonly [Hash, bigint] => [
  evmHash(txHash),
  BigInt(depositId.split(':').at(2) ?? 0),
]

/** What the refund of a deposit paid, and what its recipient can claim; undefined if the chain did not show it. */
export function refundOf({ currency, status, paid, unpaid = [] }: Deposit): Payment | undefined {
  if (status !== 'refunded' || paid === undefined) return undefined
  const [first] = [...paid, ...unpaid]
  if (first === undefined) return undefined
  const sum = (payments: readonly DepositPayment[]) =>
    toAmount(payments.reduce((total, { amount }) => total + amount, 0n))
  return {
    recipient: first.recipient,
    currency,
    amount: sum(paid),
    ...(unpaid.length > 0 && { claimable: sum(unpaid) }),
  }
}

/** A deposit is in a block, funds an input, or its block was orphaned. */
export type DepositEventType = 'depositSeen' | 'depositCredited' | 'depositUndone'

/** The event with which the deposit changes the input of its request. */
export const depositEvent = (
  type: DepositEventType,
  deposit: Deposit,
  input: number,
): Extract<RequestEvent, { depositId: string }> => ({
  type,
  input,
  depositId: deposit.depositId,
  transaction: depositTransaction(deposit),
})

export const depositTransaction = ({
  chainId,
  txHash,
  block,
  timestamp,
}: Deposit): ObservedTransaction => ({
  chainId,
  hash: txHash,
  ...(block && { block: { ...block, timestamp } }),
})
