import { advance } from '#src/requests/machine.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { RequestEvent } from '#src/requests/state/requestEvent.ts'
import { inputFundedBy, type ObservedTransaction } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import type { ObservedDeposit } from '#src/requests/tracker/read/trackedLogs.ts'
import { type InputRef, matchDeposit, selectInput, selectShownInput } from './depositInput.ts'
import type { UnitOfWork } from './unitOfWork.ts'

type DepositEventType = 'depositSeen' | 'depositCredited' | 'depositUndone'

export const depositEvent = (
  type: DepositEventType,
  deposit: Deposit,
  input: number,
): Extract<RequestEvent, { depositId: string }> => ({
  type,
  input,
  depositId: deposit.depositId,
  transaction: transactionOf(deposit),
})

export const transactionOf = ({
  chainId,
  txHash,
  block,
  timestamp,
}: Deposit): ObservedTransaction => ({
  chainId,
  hash: txHash,
  ...(block && { block: { ...block, timestamp } }),
})

function advanceInput(
  work: UnitOfWork,
  type: DepositEventType,
  deposit: Deposit,
  target: InputRef | undefined,
): void {
  if (target !== undefined)
    work.advance(target.request.requestId, depositEvent(type, deposit, target.at))
}

/** Records a deposit that a block contains: a new one, a known one, or one that a reorg has changed. */
export function observeDeposit(work: UnitOfWork, observed: ObservedDeposit): void {
  const known = work.deposit(observed.depositId)
  if (known?.block?.hash === observed.block.hash) return
  const hasOtherOrder = known?.status === 'seen' && known.orderId !== observed.orderId
  if (hasOtherOrder)
    advanceInput(work, 'depositUndone', known, selectInput(work, matchDeposit(work, known)))
  const deposit =
    known === undefined || hasOtherOrder
      ? newDeposit(work, observed, known?.version ?? 0)
      : moved(known, observed)
  work.putDeposit(deposit)
  const match = matchDeposit(work, deposit)
  advanceInput(work, 'depositSeen', deposit, selectShownInput(work, match))
}

function newDeposit(work: UnitOfWork, observed: ObservedDeposit, version: number): Deposit {
  const request = work
    .requests()
    .find((each) => each.execution === 'solver' && each.orderId === observed.orderId)
  const requestId = request && { requestId: request.requestId }
  return { ...observed, ...requestId, status: 'seen', version }
}

/** The known deposit in its new block. The same transaction may deposit another amount there. */
const moved = (
  known: Deposit,
  { block, logIndex, timestamp, amount }: ObservedDeposit,
): Deposit => ({ ...known, block, logIndex, timestamp, amount })

/**
 * Takes back the deposits in orphaned blocks and returns their transaction hashes. A deposit that a payment draws on
 * only loses its block: it may return to the chain, and must not be credited a second time.
 */
export function undoOrphanedDeposits(
  work: UnitOfWork,
  followed: FollowedBlocks,
  payments: readonly SolverTransaction[],
): readonly Deposit['txHash'][] {
  const orphaned = work
    .deposits()
    .filter(({ block }) => block !== undefined && followed.statusOf(block) === 'orphaned')
  for (const deposit of orphaned) {
    const target = selectInput(work, matchDeposit(work, deposit))
    if (isTakenBack(work, deposit, target, payments)) {
      advanceInput(work, 'depositUndone', deposit, target)
      work.removeDeposit(deposit.depositId)
    } else {
      const { block: _, logIndex: __, ...rest } = deposit
      work.putDeposit(rest)
    }
  }
  return orphaned.map(({ txHash }) => txHash)
}

function isTakenBack(
  work: UnitOfWork,
  deposit: Deposit,
  target: InputRef | undefined,
  payments: readonly SolverTransaction[],
): boolean {
  const { depositId, status, requestId } = deposit
  if (status === 'seen') return true
  if (status !== 'credited' && status !== 'refundable') return false
  const request = target?.request
  const input = request && inputFundedBy(request, depositId)
  const fundsInput = input !== undefined
  const isPaid = [...payments, ...work.transactions()].some(
    (payment) =>
      payment.status !== 'reverted' &&
      (payment.depositIds.includes(depositId)
        ? payment.purpose === 'fill' || payment.purpose === 'refund'
        : fundsInput && payment.purpose === 'fill' && payment.requestId === requestId),
  )
  if (isPaid) return false
  if (request === undefined || input === undefined) return true
  const { inputStates } = advance(request, depositEvent('depositUndone', deposit, input), 0)
  return inputStates[input]?.status !== 'funded'
}
