import { isDeepStrictEqual } from 'node:util'
import type { Hash } from 'viem'
import type { TxId } from '#src/core/units/txId.ts'
import { type Deposit, type DepositStatus, refundOf } from '#src/requests/state/deposit.ts'
import {
  inputFundedBy,
  isAwaiting,
  type ObservedTransaction,
  type Payment,
  type StoredRequest,
  transactionOf,
} from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import type { FailedPayment } from '#src/requests/tracker/read/trackedLogs.ts'
import type { ChainRules, ChainState, Outcome, UnitOfWork } from './unitOfWork.ts'

export function observeTransactions(
  work: UnitOfWork,
  { followed, events }: ChainState,
  { id: chainId, depositConfirmations }: ChainRules,
): void {
  for (const { unpaid, ...run } of events.runs) observeTransaction(work, run, unpaid)
  for (const { requestId, at } of events.swaps) observeSwap(work, requestId, { chainId, ...at })
  for (const { requestId, at, ...place } of events.approvals) {
    const isConfirmed = followed.isConfirmed(at.block, depositConfirmations)
    const type = isConfirmed ? 'approvalConfirmed' : 'approvalSeen'
    work.advance(requestId, { type, ...place, transaction: { chainId, ...at } })
  }
  // Shown once it is confirmed: the same transaction may succeed in another block.
  for (const { requestId, at, ...place } of events.reverts)
    if (followed.isConfirmed(at.block, depositConfirmations))
      work.advance(requestId, {
        type: 'stepReverted',
        ...place,
        transaction: { chainId, ...at },
      })
}

type Mined = NonNullable<SolverTransaction['mined']>
type Stage = 'Mined' | 'Undone' | 'Confirmed'

/**
 * Records that a block contains one attempt of a solver transaction. `hash` is the hash of that attempt.
 * @param unpaid the payments of the depository that failed in it.
 */
function observeTransaction(
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

/** Sets transactions in orphaned blocks back to `sent`, reopens their deposits, and returns their hashes. */
export function undoOrphanedTransactions(
  work: UnitOfWork,
  followed: FollowedBlocks,
): readonly TxId[] {
  return work.transactions().flatMap((transaction) => {
    const { mined, ...rest } = transaction
    if (transaction.status === 'reverted' || mined === undefined) return []
    if (followed.statusOf(mined.block) !== 'orphaned') return []
    work.putTransaction({ ...rest, status: 'sent' })
    setUnpaid(work, transaction, [])
    const deposits = transaction.depositIds.flatMap((id) => work.deposit(id) ?? [])
    for (const each of reopened(transaction, deposits)) work.putDeposit(each)
    advanceRequest(work, transaction, 'Undone', mined)
    return [mined.hash]
  })
}

/** Finalizes transactions with enough confirmations, their deposits, and the requests that they pay. */
export function confirmTransactions(
  work: UnitOfWork,
  followed: FollowedBlocks,
  confirmations: number,
  outcomes: ReadonlyMap<TxId, Outcome>,
): void {
  for (const transaction of work.transactions()) {
    const { status, mined, purpose, requestId } = transaction
    if (status !== 'mined' || mined === undefined) continue
    if (!followed.isConfirmed(mined.block, confirmations)) continue
    work.putTransaction({ ...transaction, status: 'final' })
    const depositStatus = statusAfter[purpose]
    const outcome = outcomes.get(mined.hash)
    if (depositStatus !== undefined) closeDeposits(work, transaction, depositStatus, outcome)
    const paid = requestId && outcome?.ofRequests?.get(requestId)?.paid
    advanceRequest(work, transaction, 'Confirmed', mined, paid)
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

/** The status of a deposit while the transaction that led to its status is under way again. */
const statusAgain: Partial<Record<DepositStatus, DepositStatus>> = {
  filled: 'credited',
  refunded: 'refundable',
  settled: 'settling',
}

/** The deposits that the transaction has closed, opened again: a reorg has undone it, and it may still fail. */
export const reopened = (
  { purpose, status: ended }: SolverTransaction,
  deposits: readonly Deposit[],
): readonly Deposit[] =>
  deposits.flatMap(({ paid: _, ...deposit }) => {
    const status = statusAgain[deposit.status]
    const isItsEnd = ended === 'final' && deposit.status === statusAfter[purpose]
    return status !== undefined && isItsEnd ? [{ ...deposit, status }] : []
  })

function closeDeposits(
  work: UnitOfWork,
  { depositIds }: SolverTransaction,
  status: DepositStatus,
  outcome: Outcome | undefined,
): void {
  for (const depositId of depositIds) {
    const deposit = work.deposit(depositId)
    if (deposit === undefined || !statusesBefore[status]?.includes(deposit.status)) continue
    const paid = outcome?.ofDeposits?.get(depositId)
    work.putDeposit({ ...deposit, status, ...(paid && { paid }) })
  }
}

/** A refund advances the request only if the refunded deposit funds one of its inputs. */
function advanceRequest(
  work: UnitOfWork,
  { purpose, requestId, depositIds, chainId }: SolverTransaction,
  stage: Stage,
  { hash, block }: Mined,
  paid?: Payment,
): void {
  const transaction = { chainId, hash, block }
  if (purpose === 'fill')
    work.advance(requestId, {
      type: `fill${stage}`,
      transaction: paid ? { ...transaction, paid } : transaction,
    })
  if (purpose !== 'refund') return
  for (const depositId of depositIds) {
    const request = work.request(requestId)
    const input = request && inputFundedBy(request, depositId)
    if (input === undefined) continue
    const deposit = stage === 'Confirmed' ? work.deposit(depositId) : undefined
    const isRefused = deposit?.unpaid !== undefined
    const refund = deposit && refundOf(deposit)
    const event = {
      type: `refund${stage}`,
      input,
      transaction: refund ? { ...transaction, paid: refund } : transaction,
    } as const
    work.advance(requestId, isRefused ? { ...event, type: 'refundConfirmed', isRefused } : event)
  }
}

/** The user's own swap, if it was observed; undefined for requests that the solver fills. */
export function swapOf({ execution, state }: StoredRequest): ObservedTransaction | undefined {
  return execution === 'user' ? transactionOf(state.steps.at(-1)?.at(-1)) : undefined
}

/** Records that a block contains the user's own swap. */
function observeSwap(work: UnitOfWork, requestId: Hash, transaction: ObservedTransaction): void {
  const known = work.request(requestId)
  const isOpen =
    known !== undefined && (isAwaiting(known.state.status) || known.state.status === 'pending')
  if (isOpen) work.advance(requestId, { type: 'swapSeen', transaction })
}

/** Takes back swaps in orphaned blocks and returns their hashes. */
export function undoOrphanedSwaps(work: UnitOfWork, followed: FollowedBlocks): readonly TxId[] {
  return work.requests().flatMap((request) => {
    const swap = swapOf(request)
    if (swap?.block === undefined || followed.statusOf(swap.block) !== 'orphaned') return []
    return work.advance(request.requestId, { type: 'swapUndone', transaction: swap })
      ? [swap.hash]
      : []
  })
}

/** Ends the requests whose swap is confirmed, as success or failure by the outcome of its transaction. */
export function confirmSwaps(work: UnitOfWork, outcomes: ReadonlyMap<TxId, Outcome>): void {
  for (const request of work.requests()) {
    const swap = swapOf(request)
    const outcome = swap && outcomes.get(swap.hash)
    if (swap === undefined || outcome === undefined) continue
    const { status, ofRequests } = outcome
    const type = status === 'success' ? 'swapConfirmed' : 'swapReverted'
    const paid = status === 'success' ? ofRequests?.get(request.requestId) : undefined
    const transaction = { ...swap, ...paid }
    work.advance(request.requestId, { type, transaction })
  }
}
