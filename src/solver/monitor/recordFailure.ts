import type { Batch } from '#src/requests/requestStore.ts'
import { advance } from '#src/requests/state/advance.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { callRequestIn, createPaidOut } from '#src/solver/payouts/depositoryCalls.ts'
import { createFindRepayment } from '#src/solver/payouts/findExecutedRefund.ts'
import { refundChanges } from '#src/solver/payouts/refundChanges.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'

/** How a transaction came to nothing. */
export type Fate = keyof typeof fates

const fates = {
  failed: 'A transaction reverted',
  cancelled: 'A transaction was cancelled',
  replaced: 'Another transaction took its nonce',
} as const

/**
 * Settles what a transaction was for that has come to nothing, once that is final: before, another block may hold
 * it in which it goes through, and what it was for would be paid twice.
 */
export function createReverts(
  deps: Pick<SolverDeps, 'client' | 'store' | 'log' | 'now'>,
  solverChain: SolverChain,
): (transaction: SolverTransaction, fate: Fate, view: ChainView) => Promise<void> {
  const { client, store, log, now } = deps
  const { chain, contracts } = solverChain
  const isPaidOut = createPaidOut(client, contracts)
  const findRepayment = createFindRepayment(deps, solverChain)

  /** Undefined where it is too early to say. */
  async function changesOf(
    transaction: SolverTransaction,
    fate: Fate,
    view: ChainView,
  ): Promise<Batch | undefined> {
    switch (transaction.purpose) {
      case 'fill':
        return fillChanges(transaction)
      case 'refund':
        // What was never tried is due as before.
        return fate === 'failed' ? refundFailedChanges(transaction, view) : {}
      case 'settlement':
        // Brought by somebody else it would settle its deposits once more, beside what does so next.
        return isBringable(transaction, view.head) ? undefined : settlementChanges(transaction)
      case 'approval':
      case 'cancellation':
        return {}
    }
  }

  async function fillChanges({ requestId }: SolverTransaction): Promise<Batch> {
    const request = requestId === undefined ? undefined : await store.find(requestId)
    if (request === undefined) return {}
    const state = advance(request, { type: 'fillReverted' }, now())
    return state === request.state ? {} : { requests: [{ ...request, state }] }
  }

  async function refundFailedChanges(
    transaction: SolverTransaction,
    view: ChainView,
  ): Promise<Batch | undefined> {
    const found = await findRepaid(transaction, view)
    if (found === undefined) return {}
    const { deposit, request, repayment } = found
    if (repayment.kind === 'unsettled') return undefined
    if (repayment.kind === 'settled') return repayment.changes
    const reason = 'EXECUTION_REVERTED'
    const kept: Deposit = { ...deposit, status: 'kept', refundFailReason: reason }
    return refundChanges(kept, request, { type: 'refundFailed', reason }, now())
  }

  /** A refund reverts as well where somebody else has brought the same before; undefined where that is settled. */
  async function findRepaid({ requestId, depositIds }: SolverTransaction, { head }: ChainView) {
    // A refund is of one.
    const [deposit] = await store.findDeposits(depositIds)
    if (deposit === undefined || deposit.status === 'refunded') return undefined
    const request = requestId === undefined ? undefined : await store.find(requestId)
    return { deposit, request, repayment: await findRepayment(deposit, request, head) }
  }

  /** What somebody else has brought counts as soon as a refund of ours does. */
  async function settleRepaid(transaction: SolverTransaction, view: ChainView): Promise<void> {
    const found = await findRepaid(transaction, view)
    if (found?.repayment.kind === 'settled') await store.save(found.repayment.changes)
  }

  async function settlementChanges({ depositIds }: SolverTransaction): Promise<Batch> {
    const deposits = await store.findDeposits(depositIds)
    const settling = deposits.filter(({ status }) => status === 'settling')
    const status = (await isPaidOut(depositIds)) ? 'settled' : 'filled'
    return { deposits: settling.map((each): Deposit => ({ ...each, status })) }
  }

  return async (transaction, fate, view) => {
    const { transactionId, purpose, mined } = transaction
    if (mined !== undefined && mined.block.number > (await view.final())) {
      if (purpose === 'refund' && fate === 'failed') await settleRepaid(transaction, view)
      return
    }
    const changes = await changesOf(transaction, fate, view)
    if (changes === undefined) return
    log.warn({ chainId: chain.id, transactionId, hash: mined?.hash }, fates[fate])
    await store.save({ ...changes, transactions: [{ ...transaction, status: 'reverted' }] })
  }
}

const isBringable = ({ attempts: [first] }: SolverTransaction, { timestamp }: ChainView['head']) =>
  first !== undefined && timestamp <= callRequestIn(first.raw).expiration
