import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { advance } from '#src/requests/machine.ts'
import type { Batch, RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { createIsPaidOut } from '#src/solver/depository/depositoryCalls.ts'
import { createFindExecutedRefund } from '#src/solver/payouts/findExecutedRefund.ts'
import { givenUpChanges } from '#src/solver/payouts/refundChanges.ts'
import type { Runtime, SolverChain } from '#src/solver/ports.ts'

type Ports = Runtime & Readonly<{ client: ChainClient; store: RequestStore }>

/** Why a transaction had no effect. */
export type Failure = keyof typeof messages

const messages = {
  reverted: 'A transaction reverted',
  cancelled: 'A transaction was cancelled',
  replaced: 'Another transaction took the nonce of a transaction',
} as const

/**
 * Records that a transaction had no effect, and reopens its fill, refund or settlement. Waits until the failure is
 * final: a reorg could otherwise let the transaction take effect, and the solver would pay twice.
 */
export function createRecordFailure(
  ports: Ports,
  solverChain: SolverChain,
): (transaction: SolverTransaction, failure: Failure, view: ChainView) => Promise<void> {
  const { client, store, log, now } = ports
  const { chain, contracts } = solverChain
  const isPaidOut = createIsPaidOut(client, contracts)
  const findExecutedRefund = createFindExecutedRefund(ports, solverChain)

  /** Undefined while it is too early to decide. */
  async function changesOf(
    transaction: SolverTransaction,
    failure: Failure,
    view: ChainView,
  ): Promise<Batch | undefined> {
    switch (transaction.purpose) {
      case 'fill':
        return fillChanges(transaction)
      case 'refund':
        // A refund that never ran is still due.
        return failure === 'reverted' ? refundFailedChanges(transaction, view) : {}
      case 'settlement':
        // Anybody may still execute it, but the depository pays no deposit twice.
        return settlementChanges(transaction)
      case 'approval':
      case 'cancellation':
      case 'sweep':
      // The request fails once its signature has expired.
      case 'permit':
      // The relayer reads the outcome of its transaction itself.
      case 'relayedCall':
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
    const found = await findExecuted(transaction, view)
    if (found === undefined) return {}
    const { deposit, request, executed } = found
    if (executed.kind === 'unconfirmed') return undefined
    if (executed.kind === 'confirmed') return executed.changes
    return givenUpChanges(deposit, request, 'EXECUTION_REVERTED', now())
  }

  /** A refund also reverts if somebody else has executed the same signed payout. Undefined if that is recorded. */
  async function findExecuted({ requestId, depositIds }: SolverTransaction, { head }: ChainView) {
    // A refund has exactly one deposit.
    const [deposit] = await store.findDeposits(depositIds)
    if (deposit === undefined || deposit.status === 'refunded') return undefined
    const request = requestId === undefined ? undefined : await store.find(requestId)
    return { deposit, request, executed: await findExecutedRefund(deposit, request, head) }
  }

  /** A refund that somebody else executed is recorded as soon as our own refund would be. */
  async function recordExecuted(transaction: SolverTransaction, view: ChainView): Promise<void> {
    const found = await findExecuted(transaction, view)
    if (found?.executed.kind === 'confirmed') await store.save(found.executed.changes)
  }

  async function settlementChanges({ depositIds }: SolverTransaction): Promise<Batch> {
    const deposits = await store.findDeposits(depositIds)
    const settling = deposits.filter(({ status }) => status === 'settling')
    const changed = settling.map(async (each): Promise<Deposit> => {
      const status = (await isPaidOut(each)) ? 'settled' : 'filled'
      return { ...each, status }
    })
    return { deposits: await Promise.all(changed) }
  }

  return async (transaction, failure, view) => {
    const { transactionId, purpose, mined } = transaction
    if (mined !== undefined && mined.block.number > (await view.finalHeight())) {
      if (purpose === 'refund' && failure === 'reverted') await recordExecuted(transaction, view)
      return
    }
    const changes = await changesOf(transaction, failure, view)
    if (changes === undefined) return
    log.warn({ chainId: chain.id, transactionId, hash: mined?.hash }, messages[failure])
    await store.save({ ...changes, transactions: [{ ...transaction, status: 'reverted' }] })
  }
}
