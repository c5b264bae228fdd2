import { UnusableAnswerError } from '#src/chains/rpc/rpcError.ts'
import type { SvmRpc } from '#src/chains/svm/svmRpc.ts'
import type { SvmTransaction } from '#src/chains/svm/svmTransaction.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { svmNative } from '#src/core/units/svm/pubkey.ts'
import { type SvmSignature, toSvmSignature } from '#src/core/units/svm/signature.ts'
import type { TxId } from '#src/core/units/txId.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import { decodeAdvanceNonce } from '#src/protocol/svm/systemProgram.ts'
import type { Payment, StoredRequest } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { Failure } from '#src/requests/tracker/decide/endings.ts'
import type { Outcome } from '#src/requests/tracker/decide/unitOfWork.ts'
import type { DepositoryEvents } from './depositoryEvents.ts'

/** A transaction of the solver, and the attempt of it that is final. */
export type Landed = Readonly<{
  transaction: SolverTransaction
  found: SvmTransaction
  /** What it paid out of deposits. Undefined: its amounts contradict each other. */
  events: DepositoryEvents | undefined
}>

/**
 * The attempts of open transactions that are final at a slot up to `until`. Fills do not use the vault, so that its
 * history lacks them.
 * @throws UnusableAnswerError if an endpoint lacks a final one; what the RPC throws
 */
export async function readLanded(
  client: Pick<SvmRpc, 'getStatuses' | 'getTransaction'>,
  transactions: readonly SolverTransaction[],
  until: bigint,
): Promise<readonly Omit<Landed, 'events'>[]> {
  const attempts = transactions
    .filter(({ status }) => status === 'sent')
    .flatMap((transaction) =>
      transaction.attempts.map(({ hash }) => ({ transaction, signature: toSvmSignature(hash) })),
    )
  if (attempts.length === 0) return []
  const statuses = await client.getStatuses(attempts.map(({ signature }) => signature))
  const final = attempts.filter((_, at) => {
    const status = statuses[at]
    return status?.commitment === 'finalized' && status.slot <= until
  })
  return Promise.all(
    final.map(async ({ transaction, signature }) => ({
      transaction,
      found: await mustFind(client, signature),
    })),
  )
}

/** @throws UnusableAnswerError if no endpoint has the final transaction */
export async function mustFind(
  client: Pick<SvmRpc, 'getTransaction'>,
  signature: SvmSignature,
): Promise<SvmTransaction> {
  const found = await client.getTransaction(signature, 'finalized')
  if (found === undefined) throw new UnusableAnswerError(`no node has transaction ${signature}`)
  return found
}

/** Undefined if it took effect. */
export function failureOf({ transaction, found }: Landed): Failure['kind'] | undefined {
  if (found.error !== undefined) return 'reverted'
  return transaction.purpose !== 'cancellation' && onlyUsesNonce(found) ? 'cancelled' : undefined
}

const onlyUsesNonce = ({ instructions }: SvmTransaction): boolean =>
  instructions.every(
    (each) => each.programId === programIds.computeBudget || decodeAdvanceNonce(each) !== undefined,
  )

/** What the transactions that took effect paid, by their hashes. */
export function outcomesOf(
  landed: readonly Landed[],
  requests: readonly StoredRequest[],
): ReadonlyMap<TxId, Outcome> {
  const effective = landed.filter((each) => failureOf(each) === undefined)
  return new Map(effective.map((each) => [each.found.signature, outcomeOf(each, requests)]))
}

function outcomeOf(
  { transaction, found, events }: Landed,
  requests: readonly StoredRequest[],
): Outcome {
  const status = 'success'
  if (transaction.purpose !== 'fill') {
    const paid = events?.payouts.flatMap(({ depositId, payments }) =>
      depositId === undefined ? [] : [[depositId, payments] as const],
    )
    return { status, ofDeposits: new Map(paid) }
  }
  const request = requests.find(({ requestId }) => requestId === transaction.requestId)
  const paid = request && paidTo(request, found)
  return { status, ofRequests: new Map(request && paid ? [[request.requestId, { paid }]] : []) }
}

/** By how much the recipient has more than before. Undefined if it does not: it may have paid something itself. */
function paidTo(
  { recipient, destinationCurrency: currency }: StoredRequest,
  { lamports, tokens }: SvmTransaction,
): Payment | undefined {
  const changes =
    currency === svmNative
      ? [...lamports].flatMap(([account, change]) => (account === recipient ? [change] : []))
      : [...tokens.values()].filter(({ owner, mint }) => owner === recipient && mint === currency)
  const amount = changes.reduce((sum, { before, after }) => sum + after - before, 0n)
  return amount > 0n ? { recipient, currency, amount: toAmount(amount) } : undefined
}
