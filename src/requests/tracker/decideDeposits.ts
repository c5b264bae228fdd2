import { advance } from '#src/requests/advance.ts'
import type { Deposit } from '#src/requests/deposit.ts'
import type { TransactionSighting } from '#src/requests/requestState.ts'
import type { SolverTransaction } from '#src/requests/solverTransaction.ts'
import type { StoredRequest } from '#src/requests/storedRequest.ts'
import type { Draft } from './draft.ts'
import type { FollowedBlocks } from './followedBlocks.ts'
import type { DepositSighting } from './trackedLogs.ts'

export const sightingOf = ({ chainId, txHash, block }: Deposit): TransactionSighting => ({
  chainId,
  hash: txHash,
  ...(block && { block }),
})

/** The request that the deposit shows in: one of another chain is not paid by it. */
export const payableOf = (
  draft: Draft,
  { requestId, chainId }: Deposit,
): StoredRequest | undefined => {
  const request = draft.request(requestId)
  return request?.originChainId === chainId ? request : undefined
}

/** A deposit that a block holds, whether it is new, known, or another than it was before a reorg. */
export function seeDeposit(draft: Draft, sighting: DepositSighting): void {
  const known = draft.deposit(sighting.depositId)
  if (known?.block?.hash === sighting.block.hash) return
  const isAnother = known?.status === 'seen' && known.orderId !== sighting.orderId
  if (isAnother) draft.advance(known.requestId, undone(known))
  if (known === undefined || isAnother) {
    const request = draft
      .requests()
      .find((each) => each.execution === 'solver' && each.orderId === sighting.orderId)
    draft.putDeposit({
      ...sighting,
      ...(request && { requestId: request.requestId }),
      status: 'seen',
      version: known?.version ?? 0,
    })
  } else {
    // The same transaction may bring another amount in another block.
    const { block, timestamp, amount } = sighting
    draft.putDeposit({ ...known, block, timestamp, amount })
  }
  const deposit = draft.deposit(sighting.depositId)
  const request = deposit && payableOf(draft, deposit)
  if (deposit !== undefined && request !== undefined)
    draft.advance(request.requestId, {
      type: 'depositSeen',
      transaction: sightingOf(deposit),
    })
}

const undone = (deposit: Deposit) =>
  ({ type: 'depositUndone', transaction: sightingOf(deposit) }) as const

/**
 * Takes back the deposits that no block holds any more. Where a payment is on its way, or made, for one, only
 * its block is: the money may come back, and must not be waited for a second time.
 */
export function undoDeposits(
  draft: Draft,
  followed: FollowedBlocks,
  payments: readonly SolverTransaction[],
): readonly Deposit['txHash'][] {
  const gone = draft
    .deposits()
    .filter(({ block }) => block !== undefined && followed.standing(block) === 'out')
  for (const deposit of gone) {
    if (isTakenBack(draft, deposit, payments)) {
      const request = payableOf(draft, deposit)
      if (request !== undefined) draft.advance(request.requestId, undone(deposit))
      if (request?.fundingDepositId === deposit.depositId) draft.fund(request.requestId, undefined)
      draft.removeDeposit(deposit.depositId)
    } else {
      const { block: _, ...rest } = deposit
      draft.putDeposit(rest)
    }
  }
  return gone.map(({ txHash }) => txHash)
}

function isTakenBack(
  draft: Draft,
  deposit: Deposit,
  payments: readonly SolverTransaction[],
): boolean {
  const { depositId, status, requestId } = deposit
  if (status === 'seen') return true
  if (status !== 'credited' && status !== 'refundable') return false
  const request = payableOf(draft, deposit)
  const isFunding = request?.fundingDepositId === depositId
  const isPaid = [...payments, ...draft.transactions()].some(
    (payment) =>
      payment.status !== 'reverted' &&
      (payment.purpose === 'fill' || payment.purpose === 'refund') &&
      (payment.depositIds.includes(depositId) || (isFunding && payment.requestId === requestId)),
  )
  if (isPaid) return false
  return !isFunding || advance(request.state, undone(deposit), 0).status === 'waiting'
}
