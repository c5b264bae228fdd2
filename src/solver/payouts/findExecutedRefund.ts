import { isDeepStrictEqual } from 'node:util'
import type { Header } from '#src/chains/rpc/rpcAnswer.ts'
import { createCallRequest } from '#src/execution/calls/callRequest.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { ObservedTransaction, StoredRequest } from '#src/requests/state/requestState.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import {
  callRequestId,
  callRequestIn,
  createIsPaidOut,
  nonceOf,
  refundPayout,
} from './depositoryCalls.ts'
import { findPayout, type Payout } from './findPayout.ts'
import { refundChanges } from './refundChanges.ts'
import { refundRecipientOf } from './refundRecipient.ts'

/** A refund that the solver has signed, and that anybody may have executed. */
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

/** Finds out whether the depository has already refunded a deposit, whoever executed the payout that the solver signed. */
export function createFindExecutedRefund(
  { client, store, log, now }: Pick<SolverDeps, 'client' | 'store' | 'log' | 'now'>,
  solverChain: SolverChain,
): FindExecutedRefund {
  const { chain, contracts } = solverChain
  const isPaidOut = createIsPaidOut(client, contracts)

  async function transactionOf(
    deposit: Deposit,
    request: StoredRequest,
    to: bigint,
  ): Promise<ObservedTransaction | undefined> {
    const sent = await store.transactionsOf(request.requestId)
    const refunds = sent.filter(
      ({ purpose, depositIds }) => purpose === 'refund' && depositIds.includes(deposit.depositId),
    )
    // All attempts of a transaction have the same payout.
    const signed = refunds.flatMap(({ attempts: [first] }) => first?.raw ?? [])
    const ids = new Set(signed.map((raw) => callRequestId(callRequestIn(raw), solverChain)))
    // The call of a gas estimate is not stored, but a node saw it: it refunds the whole deposit.
    const terms = { nonce: nonceOf([deposit.depositId]), expiration: 0n }
    const payout = refundPayout(deposit, refundRecipientOf(request, deposit), deposit.amount)
    const [whole] = createCallRequest([payout], terms).calls
    const range = { from: deposit.block?.number ?? 0n, to }
    const isRefund = ({ id, call }: Payout) => ids.has(id) || isDeepStrictEqual(call, whole)
    return findPayout(client, contracts.depository, range, isRefund)
  }

  return async (deposit, request, head) => {
    const { depositId } = deposit
    const confirmed = head.number - BigInt(chain.fillConfirmations)
    if (confirmed < 0n || !(await isPaidOut([depositId], confirmed)))
      return { kind: (await isPaidOut([depositId])) ? 'unconfirmed' : 'none' }
    const refunded: Deposit = { ...deposit, status: 'refunded' }
    const facts = { chainId: chain.id, depositId }
    if (request === undefined || inputFundedBy(request, depositId) === undefined)
      return { kind: 'confirmed', changes: { deposits: [refunded] } }
    const transaction = await transactionOf(deposit, request, confirmed)
    if (transaction === undefined) {
      log.warn(facts, 'No node has the log of a deposit’s refund; will ask again')
      return { kind: 'unconfirmed' }
    }
    log.info({ ...facts, hash: transaction.hash }, 'Somebody else executed a refund first')
    const event = { type: 'refundConfirmed', transaction } as const
    return { kind: 'confirmed', changes: refundChanges(refunded, request, event, now()) }
  }
}
