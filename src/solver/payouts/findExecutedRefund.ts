import { isDeepStrictEqual } from 'node:util'
import type { Header } from '#src/chains/rpc/rpcAnswer.ts'
import { createCallRequest } from '#src/execution/calls/callRequest.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { StoredRequest, TransactionSighting } from '#src/requests/state/requestState.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import {
  callRequestId,
  callRequestIn,
  createPaidOut,
  nonceOf,
  refundPayout,
} from './depositoryCalls.ts'
import { findPayout, type Payout } from './findPayout.ts'
import { refundChanges } from './refundChanges.ts'
import { payeeOf } from './refundRecipient.ts'

/** What is known of a payment back that the solver has signed, and anybody may have brought to the depository. */
type Repayment =
  | Readonly<{ kind: 'none' }>
  /** Not deep enough to count yet, or in no log that a node tells of. */
  | Readonly<{ kind: 'unsettled' }>
  /** It counts, and this is to be saved. */
  | Readonly<{ kind: 'settled'; changes: Batch }>

export type FindRepayment = (
  deposit: Deposit,
  request: StoredRequest | undefined,
  head: Pick<Header, 'number'>,
) => Promise<Repayment>

/** Asks whether the depository has paid a deposit back already, whoever brought what the solver has signed. */
export function createFindRepayment(
  { client, store, log, now }: Pick<SolverDeps, 'client' | 'store' | 'log' | 'now'>,
  solverChain: SolverChain,
): FindRepayment {
  const { chain, contracts } = solverChain
  const isPaidOut = createPaidOut(client, contracts)

  async function transactionOf(
    deposit: Deposit,
    request: StoredRequest,
    to: bigint,
  ): Promise<TransactionSighting | undefined> {
    const sent = await store.transactionsOf(request.requestId)
    const refunds = sent.filter(
      ({ purpose, depositIds }) => purpose === 'refund' && depositIds.includes(deposit.depositId),
    )
    // Of all attempts the first says what it is about.
    const signed = refunds.flatMap(({ attempts: [first] }) => first?.raw ?? [])
    const ids = new Set(signed.map((raw) => callRequestId(callRequestIn(raw), solverChain)))
    // What was only tried was shown to a node, and stored nowhere: it pays back all of the deposit.
    const terms = { nonce: nonceOf([deposit.depositId]), expiration: 0n }
    const payout = refundPayout(deposit, payeeOf(request, deposit), deposit.amount)
    const [whole] = createCallRequest([payout], terms).calls
    const range = { from: deposit.block?.number ?? 0n, to }
    const isIt = ({ id, call }: Payout) => ids.has(id) || isDeepStrictEqual(call, whole)
    return findPayout(client, contracts.depository, range, isIt)
  }

  return async (deposit, request, head) => {
    const { depositId } = deposit
    const deep = head.number - BigInt(chain.fillConfirmations)
    if (deep < 0n || !(await isPaidOut([depositId], deep)))
      return { kind: (await isPaidOut([depositId])) ? 'unsettled' : 'none' }
    const refunded: Deposit = { ...deposit, status: 'refunded' }
    const facts = { chainId: chain.id, depositId }
    if (request === undefined || inputFundedBy(request, depositId) === undefined)
      return { kind: 'settled', changes: { deposits: [refunded] } }
    const transaction = await transactionOf(deposit, request, deep)
    if (transaction === undefined) {
      log.warn(facts, 'No node tells which transaction refunded a deposit; asking on')
      return { kind: 'unsettled' }
    }
    log.info({ ...facts, hash: transaction.hash }, 'Somebody else brought a refund first')
    const event = { type: 'refundConfirmed', transaction } as const
    return { kind: 'settled', changes: refundChanges(refunded, request, event, now()) }
  }
}
