import { advance } from '#src/requests/state/advance.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { RequestEvent } from '#src/requests/state/requestEvent.ts'
import type { TransactionSighting } from '#src/requests/state/requestState.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import type { DepositSighting } from '#src/requests/tracker/read/trackedLogs.ts'
import { payableOf, shownAt } from './depositInput.ts'
import type { Draft } from './unitOfWork.ts'

const sightingOf = ({ chainId, txHash, block }: Deposit): TransactionSighting => ({
  chainId,
  hash: txHash,
  ...(block && { block }),
})

/** Tells the request that the deposit is for, if there is any. */
export function tell(
  draft: Draft,
  deposit: Deposit,
  type: 'depositSeen' | 'depositCredited' | 'depositUndone',
): void {
  const payable = type === 'depositSeen' ? shownAt(draft, deposit) : payableOf(draft, deposit)
  if (payable === undefined) return
  draft.advance(payable.request.requestId, eventOf(deposit, type, payable.at))
}

const eventOf = (
  deposit: Deposit,
  type: 'depositSeen' | 'depositCredited' | 'depositUndone',
  input: number,
): RequestEvent => ({
  ...{ type, input, depositId: deposit.depositId },
  transaction: sightingOf(deposit),
})

/** A deposit that a block holds, whether it is new, known, or another than it was before a reorg. */
export function seeDeposit(draft: Draft, sighting: DepositSighting): void {
  const known = draft.deposit(sighting.depositId)
  if (known?.block?.hash === sighting.block.hash) return
  const isAnother = known?.status === 'seen' && known.orderId !== sighting.orderId
  if (isAnother) tell(draft, known, 'depositUndone')
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
  if (deposit !== undefined) tell(draft, deposit, 'depositSeen')
}

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
      tell(draft, deposit, 'depositUndone')
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
  const request = payableOf(draft, deposit)?.request
  const input = request && inputFundedBy(request, depositId)
  const isFunding = input !== undefined
  const isPaid = [...payments, ...draft.transactions()].some(
    (payment) =>
      payment.status !== 'reverted' &&
      (payment.depositIds.includes(depositId)
        ? payment.purpose === 'fill' || payment.purpose === 'refund'
        : isFunding && payment.purpose === 'fill' && payment.requestId === requestId),
  )
  if (isPaid) return false
  if (request === undefined || input === undefined) return true
  const { fundings } = advance(request, eventOf(deposit, 'depositUndone', input), 0)
  return fundings[input]?.status !== 'funded'
}
