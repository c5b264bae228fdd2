import { type Hash, parseTransaction } from 'viem'
import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { TxId } from '#src/core/units/txId.ts'
import type { Usd } from '#src/core/units/usd.ts'
import { vmTypeOf } from '#src/core/units/vmType.ts'
import type { ObservedBlock } from './requestState.ts'

/**
 * sent ↔ mined → final; sent → reverted.
 * - `sent`: stored, and sent or about to be sent.
 * - `mined`: a block contains one of its attempts.
 * - `final`: confirmed. A reorg deeper than the confirmations leads back to `sent`.
 * - `reverted`: reverted in a final block. Until then it stays `sent`, as it may still succeed after a reorg.
 */
export const solverTransactionStatuses = ['sent', 'mined', 'final', 'reverted'] as const

type SolverTransactionStatus = (typeof solverTransactionStatuses)[number]

/** `permit`: executes a user's signed permit. `relayedCall`: the relayer sends the call of an API key. */
export const purposes = [
  'fill',
  'refund',
  'approval',
  'settlement',
  'cancellation',
  'sweep',
  'permit',
  'relayedCall',
] as const

/** One signed version of a transaction. All attempts share its nonce, so that at most one can be mined. */
export type Attempt = Readonly<{
  hash: TxId
  /** The signed transaction. */
  raw: `0x${string}`
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}>

/**
 * What a transaction of the solver or the relayer cost and brought. Written once, when the transaction is final. Dollars
 * are at the prices of that moment. Null: the value is unknown, for want of a price or of a receipt.
 */
export type Booking = Readonly<{
  /** UTC day of the transaction's block: days since 1970. Without a block's time, the day of its sending. */
  day: number
  /** Gas in wei, with the data fee of an OP stack rollup. */
  gas: bigint | null
  /** Value of the gas, rounded up. */
  gasUsd: Usd | null
  /** Value of what a fill took from the solver, rounded up. Absent for other transactions. */
  volumeUsd?: Usd | null
  /**
   * Of a fill: the deposits without app fees, minus what it took from the solver. Of a refund: what the depository kept
   * for its cost. Rounded down, and possibly negative. Absent for other transactions.
   */
  feesUsd?: Usd | null
  /** Fees of a fill that its API key sponsors, as quoted. Absent for other transactions. */
  sponsoredUsd?: Usd
}>

/** A transaction of the solver. It is stored before it is sent. */
export type SolverTransaction = Readonly<{
  /** `fill:<requestId>:<try>`, `refund:<depositId>:<try>` and so on. A duplicate is refused. */
  transactionId: string
  purpose: (typeof purposes)[number]
  chainId: ChainId
  account: Account
  /** Unique per chain and account. */
  nonce: number
  requestId?: Hash
  /** The deposits that it fills, refunds or settles. */
  depositIds: readonly string[]
  /** Amounts that it takes from the solver, without gas. For a refund, amounts that it takes from the depository. */
  spends: readonly Readonly<{ currency: Account; amount: Amount }>[]
  /** Oldest first; at least one. */
  attempts: readonly Attempt[]
  status: SolverTransactionStatus
  /** The mined attempt and its block. */
  mined?: Readonly<{ hash: TxId; block: ObservedBlock }>
  /** Its gas cost in wei, if it reverted in a final block. */
  failedCost?: bigint
  /** Set once it is final and in the solver's books. */
  booked?: Booking
  /** Unix time in milliseconds. */
  createdAt: number
  /** 0 until it is stored. Each save adds 1 and fails if the stored version differs. */
  version: number
}>

/** Whether an attempt only uses the nonce of its transaction. Only on EVM chains transactions are cancelled. */
export function isCancellation(
  { account }: SolverTransaction,
  { raw }: Pick<Attempt, 'raw'>,
): boolean {
  if (vmTypeOf(account) !== 'evm') return false
  const { to, data = '0x', value = 0n } = parseTransaction(raw)
  return to?.toLowerCase() === account && data === '0x' && value === 0n
}

/** Whether the transaction itself reverted in a block. A cancelled or replaced transaction did not. */
export function isReverted(transaction: SolverTransaction): boolean {
  const { status, mined, attempts } = transaction
  const attempt = attempts.find(({ hash }) => hash === mined?.hash)
  return status === 'reverted' && attempt !== undefined && !isCancellation(transaction, attempt)
}

/** Whether the last attempt is a cancellation. No paying attempt follows. */
export function isCancelled(transaction: SolverTransaction): boolean {
  const last = transaction.attempts.at(-1)
  return last !== undefined && isCancellation(transaction, last)
}
