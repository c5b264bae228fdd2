import { readReceipt } from '#src/chains/read/readTransaction.ts'
import type { Header } from '#src/chains/rpc/rpcAnswer.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { ObservedTransaction, StoredRequest } from '#src/requests/state/requestState.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'
import { failedPayments } from '#src/requests/tracker/read/trackedLogs.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import { createIsPaidOut } from './depositoryCalls.ts'
import { findPayout } from './findPayout.ts'
import { refundChanges } from './refundChanges.ts'

/** A refund that anybody may have executed: the solver's signed payout, or the exit of the depositor. */
type ExecutedRefund =
  | Readonly<{ kind: 'none' }>
  /** It has too few confirmations, or no node has its log. */
  | Readonly<{ kind: 'unconfirmed' }>
  /** It has enough confirmations: save `changes`. */
  | Readonly<{ kind: 'confirmed'; changes: Batch }>

type FindExecutedRefund = (
  deposit: Deposit,
  request: StoredRequest | undefined,
  head: Pick<Header, 'number'>,
) => Promise<ExecutedRefund>

/**
 * Checks whether the depository has already paid a deposit back, by the solver's signed payout (anybody may execute it)
 * or by the depositor's exit.
 */
export function createFindExecutedRefund(
  { client, log, now }: Pick<SolverDeps, 'client' | 'log' | 'now'>,
  { chain, contracts }: SolverChain,
): FindExecutedRefund {
  const isPaidOut = createIsPaidOut(client, contracts)

  /** The payments out of the deposit that failed. Undefined if no node has the transaction. */
  async function unpaidIn({ hash }: Pick<ObservedTransaction, 'hash'>, depositId: string) {
    const receipt = await readReceipt(client, hash)
    if (receipt === undefined) return undefined
    const failed = failedPayments({ chainId: chain.id, contracts }, receipt)
    return (failed.get(hash) ?? [])
      .filter((each) => each.depositId === depositId)
      .map(({ recipient, amount }) => ({ recipient, amount }))
  }

  return async (deposit, request, head) => {
    const { depositId } = deposit
    const confirmed = head.number - BigInt(chain.fillConfirmations)
    if (confirmed < 0n || !(await isPaidOut(deposit, confirmed)))
      return { kind: (await isPaidOut(deposit)) ? 'unconfirmed' : 'none' }
    const refunded: Deposit = { ...deposit, status: 'refunded' }
    const facts = { chainId: chain.id, depositId }
    if (request === undefined || inputFundedBy(request, depositId) === undefined)
      return { kind: 'confirmed', changes: { deposits: [refunded] } }
    const range = { from: deposit.block?.number ?? 0n, to: confirmed }
    const transaction = await findPayout(client, contracts.depository, deposit, range)
    if (transaction === undefined) {
      log.warn(facts, 'No node has the log of a deposit’s refund; will ask again')
      return { kind: 'unconfirmed' }
    }
    log.info({ ...facts, hash: transaction.hash }, 'Somebody else executed a refund first')
    const unpaid = await unpaidIn(transaction, depositId)
    if (unpaid === undefined) return { kind: 'unconfirmed' }
    const isRefused = unpaid.length > 0 && { isRefused: true as const }
    const event = { type: 'refundConfirmed', transaction, ...isRefused } as const
    const paid = unpaid.length > 0 ? { ...refunded, unpaid } : refunded
    return { kind: 'confirmed', changes: refundChanges(paid, request, event, now()) }
  }
}
