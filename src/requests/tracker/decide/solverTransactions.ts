import { isDeepStrictEqual } from 'node:util'
import type { Hash } from 'viem'
import type { DepositStatus } from '#src/requests/state/deposit.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import type { FailedPayment } from '#src/requests/tracker/read/trackedLogs.ts'
import type { UnitOfWork } from './unitOfWork.ts'

type Mined = NonNullable<SolverTransaction['mined']>
type Stage = 'Mined' | 'Undone' | 'Confirmed'

/**
 * Records that a block contains one attempt of a solver transaction. `hash` is the hash of that attempt.
 * @param unpaid the payments of the depository that failed in it.
 */
export function observeTransaction(
  work: UnitOfWork,
  mined: Mined,
  unpaid: readonly FailedPayment[] = [],
): void {
  for (const transaction of work.transactions()) {
    const isIt = transaction.attempts.some(({ hash }) => hash === mined.hash)
    if (!isIt || transaction.mined?.block.hash === mined.block.hash) continue
    // A transaction that reverted in another block has succeeded in this one.
    const status = transaction.status === 'final' ? 'final' : 'mined'
    work.putTransaction({ ...transaction, mined, status })
    setUnpaid(work, transaction, unpaid)
    advanceRequest(work, transaction, 'Mined', mined)
  }
}

/** Sets transactions in orphaned blocks back to `sent` and returns their hashes. */
export function undoOrphanedTransactions(
  work: UnitOfWork,
  followed: FollowedBlocks,
): readonly Hash[] {
  return work.transactions().flatMap((transaction) => {
    const { mined, ...rest } = transaction
    if (transaction.status === 'reverted' || mined === undefined) return []
    if (followed.statusOf(mined.block) !== 'orphaned') return []
    work.putTransaction({ ...rest, status: 'sent' })
    setUnpaid(work, transaction, [])
    advanceRequest(work, transaction, 'Undone', mined)
    return [mined.hash]
  })
}

/** Finalizes transactions with enough confirmations, their deposits, and the requests that they pay. */
export function confirmTransactions(
  work: UnitOfWork,
  followed: FollowedBlocks,
  confirmations: number,
): void {
  for (const transaction of work.transactions()) {
    const { status, mined, purpose } = transaction
    if (status !== 'mined' || mined === undefined) continue
    if (!followed.isConfirmed(mined.block, confirmations)) continue
    work.putTransaction({ ...transaction, status: 'final' })
    const depositStatus = statusAfter[purpose]
    if (depositStatus !== undefined) closeDeposits(work, transaction, depositStatus)
    advanceRequest(work, transaction, 'Confirmed', mined)
  }
}

/** Sets the failed payments out of the transaction's deposits. */
function setUnpaid(
  work: UnitOfWork,
  { depositIds }: SolverTransaction,
  failed: readonly FailedPayment[],
): void {
  for (const id of depositIds) {
    const deposit = work.deposit(id)
    const unpaid = failed
      .filter(({ depositId }) => depositId === id)
      .map(({ recipient, amount }) => ({ recipient, amount }))
    if (deposit === undefined || isDeepStrictEqual(deposit.unpaid ?? [], unpaid)) continue
    const { unpaid: _, ...rest } = deposit
    work.putDeposit(unpaid.length === 0 ? rest : { ...rest, unpaid })
  }
}

/** The status of the transaction's deposits once the transaction is final. */
const statusAfter: Readonly<Record<SolverTransaction['purpose'], DepositStatus | undefined>> = {
  fill: 'filled',
  refund: 'refunded',
  settlement: 'settled',
  approval: undefined,
  cancellation: undefined,
  sweep: undefined,
  permit: undefined,
  relayedCall: undefined,
}

/** The deposit statuses that may precede each of these. */
const statusesBefore: Partial<Record<DepositStatus, readonly DepositStatus[]>> = {
  filled: ['seen', 'credited', 'refundable'],
  refunded: ['seen', 'credited', 'refundable'],
  settled: ['filled', 'settling'],
}

function closeDeposits(
  work: UnitOfWork,
  { depositIds }: SolverTransaction,
  status: DepositStatus,
): void {
  for (const depositId of depositIds) {
    const deposit = work.deposit(depositId)
    if (deposit === undefined || !statusesBefore[status]?.includes(deposit.status)) continue
    work.putDeposit({ ...deposit, status })
  }
}

/** A refund advances the request only if the refunded deposit funds one of its inputs. */
function advanceRequest(
  work: UnitOfWork,
  { purpose, requestId, depositIds, chainId }: SolverTransaction,
  stage: Stage,
  { hash, block }: Mined,
): void {
  const transaction = { chainId, hash, block }
  if (purpose === 'fill') work.advance(requestId, { type: `fill${stage}`, transaction })
  if (purpose !== 'refund') return
  for (const depositId of depositIds) {
    const request = work.request(requestId)
    const input = request && inputFundedBy(request, depositId)
    if (input === undefined) continue
    const isRefused = stage === 'Confirmed' && work.deposit(depositId)?.unpaid !== undefined
    const event = { type: `refund${stage}`, input, transaction } as const
    work.advance(requestId, isRefused ? { ...event, type: 'refundConfirmed', isRefused } : event)
  }
}
