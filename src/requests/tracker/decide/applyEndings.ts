import { type Deposit, depositEvent, isMined, refundOf } from '#src/requests/state/deposit.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { Endings, Failure, Payout } from './endings.ts'
import type { UnitOfWork } from './unitOfWork.ts'

/** Records failed transactions of the solver, and the deposits that the depository has paid out. */
export function applyEndings(work: UnitOfWork, { failures, payouts }: Endings): void {
  failTransactions(work, failures)
  endPaidOut(work, payouts)
}

/** Records the solver's transactions that failed, and reopens their fills, refunds and settlements. */
function failTransactions(work: UnitOfWork, failures: readonly Failure[]): void {
  for (const { kind, mined, cost } of failures) {
    const transaction = work
      .transactions()
      .find(({ attempts }) => attempts.some(({ hash }) => hash === mined.hash))
    if (transaction === undefined || transaction.status === 'reverted') continue
    work.putTransaction({ ...transaction, mined, failedCost: cost, status: 'reverted' })
    reopen(work, transaction, kind)
  }
}

function reopen(
  work: UnitOfWork,
  { purpose, requestId, depositIds }: SolverTransaction,
  kind: Failure['kind'],
): void {
  const deposits = depositIds.flatMap((depositId) => work.deposit(depositId) ?? [])
  if (purpose === 'fill' && work.advance(requestId, { type: 'fillReverted' }))
    for (const deposit of deposits) takeBackGone(work, deposit)
  if (purpose === 'settlement')
    for (const deposit of deposits)
      if (deposit.status === 'settling') work.putDeposit({ ...deposit, status: 'filled' })
  // A refund that never ran is still due.
  if (purpose === 'refund' && kind === 'reverted')
    for (const deposit of deposits) keep(work, deposit)
}

/** Takes back a deposit that a reorg removed while its fill was under way: it may never return. */
function takeBackGone(work: UnitOfWork, deposit: Deposit): void {
  const input = inputOf(work, deposit)
  if (input === undefined || deposit.status !== 'credited' || isMined(deposit)) return
  if (work.advance(deposit.requestId, depositEvent('depositUndone', deposit, input)))
    work.removeDeposit(deposit.depositId)
}

/** The deposit cannot be refunded. */
function keep(work: UnitOfWork, deposit: Deposit): void {
  if (deposit.status !== 'refundable') return
  const reason = 'EXECUTION_REVERTED'
  work.putDeposit({ ...deposit, status: 'kept', refundFailReason: reason })
  const input = inputOf(work, deposit)
  if (input !== undefined) work.advance(deposit.requestId, { type: 'refundFailed', reason, input })
}

const inputOf = (work: UnitOfWork, { requestId, depositId }: Deposit): number | undefined => {
  const request = work.request(requestId)
  return request && inputFundedBy(request, depositId)
}

/** Ends the deposits that the depository has paid out. Those of the solver's known transactions have ended before. */
function endPaidOut(work: UnitOfWork, payouts: readonly Payout[]): void {
  for (const payout of payouts) {
    const deposit = work.deposit(payout.depositId)
    if (deposit === undefined) continue
    switch (deposit.status) {
      case 'filled':
      case 'settling':
        // Also after an exit, which the solver has lost: the depository owes nothing more.
        work.putDeposit({ ...deposit, status: 'settled', paid: payout.payments })
        break
      case 'seen':
      case 'credited':
      case 'refundable':
      case 'kept':
        endUnfilled(work, deposit, payout)
        break
      case 'settled':
      case 'refunded':
        break
    }
  }
}

function endUnfilled(
  work: UnitOfWork,
  deposit: Deposit,
  { kind, payments, hash, block }: Payout,
): void {
  const input = inputOf(work, deposit)
  if (kind === 'settlement') {
    // The store has lost the fill of a request: the solver finds it again.
    if (input === undefined) work.putDeposit({ ...deposit, status: 'settled', paid: payments })
    return
  }
  const { refundFailReason: _, ...rest } = deposit
  const refunded: Deposit = { ...rest, status: 'refunded', paid: payments }
  work.putDeposit(refunded)
  if (input === undefined) return
  const { chainId } = deposit
  const paid = refundOf(refunded)
  const transaction = { chainId, hash, block, ...(paid && { paid }) }
  work.advance(deposit.requestId, { type: 'refundConfirmed', input, transaction })
}
