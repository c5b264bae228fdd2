import { type Deposit, type DepositEventType, depositEvent } from '#src/requests/state/deposit.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import type { ObservedDeposit } from '#src/requests/tracker/read/trackedLogs.ts'
import { type InputRef, matchDeposit, selectInput, selectShownInput } from './decideDeposits.ts'
import type { UnitOfWork } from './unitOfWork.ts'

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

/** Takes back what was shown of a deposit that was not final, unless it is stored. */
export function hideDeposit(work: UnitOfWork, observed: ObservedDeposit): void {
  if (work.deposit(observed.depositId) !== undefined) return
  const deposit = newDeposit(work, observed, 0)
  const target = selectShownInput(work, matchDeposit(work, deposit))
  advanceInput(work, 'depositUndone', deposit, target)
}

function newDeposit(work: UnitOfWork, observed: ObservedDeposit, version: number): Deposit {
  const request = work
    .requests()
    .find((each) => each.execution === 'solver' && each.orderId === observed.orderId)
  const requestId = request && { requestId: request.requestId }
  return { ...observed, ...requestId, status: 'seen', version }
}

/**
 * The known deposit in its new block. The same transaction may deposit another amount there. Another transaction may
 * make the same record, and endpoints find the deposit by its transaction.
 */
const moved = (
  known: Deposit,
  { txHash, block, logIndex, timestamp, amount }: ObservedDeposit,
): Deposit => ({ ...known, txHash, block, logIndex, timestamp, amount })

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
  for (const deposit of orphaned)
    if (!takeBack(work, deposit, payments)) {
      const { block: _, logIndex: __, ...rest } = deposit
      work.putDeposit(rest)
    }
  return orphaned.map(({ txHash }) => txHash)
}

/** False if a payment draws on the deposit, or its request goes on without the deposit's block. */
function takeBack(
  work: UnitOfWork,
  deposit: Deposit,
  payments: readonly SolverTransaction[],
): boolean {
  const match = matchDeposit(work, deposit)
  const target = selectInput(work, match)
  if (deposit.status !== 'seen' && isPaid(work, deposit, target, payments)) return false
  advanceInput(work, 'depositUndone', deposit, target)
  if (deposit.status !== 'seen' && selectInput(work, match)?.isFunded) return false
  work.removeDeposit(deposit.depositId)
  return true
}

function isPaid(
  work: UnitOfWork,
  { depositId, status, requestId }: Deposit,
  target: InputRef | undefined,
  payments: readonly SolverTransaction[],
): boolean {
  if (status !== 'credited' && status !== 'refundable') return true
  return [...payments, ...work.transactions()].some(
    (payment) =>
      payment.status !== 'reverted' &&
      (payment.depositIds.includes(depositId)
        ? payment.purpose === 'fill' || payment.purpose === 'refund'
        : target?.isFunded && payment.purpose === 'fill' && payment.requestId === requestId),
  )
}
