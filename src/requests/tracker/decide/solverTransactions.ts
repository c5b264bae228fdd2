import type { BlockId } from '#src/chains/trail.ts'
import type { DepositStatus } from '#src/requests/state/deposit.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import type { Draft } from './unitOfWork.ts'

type Hash = `0x${string}`
type Mined = NonNullable<SolverTransaction['mined']>
type Stage = 'Mined' | 'Undone' | 'Confirmed'

/** The solver's transaction is in a block: `hash` is of the attempt that made it. */
export function mineTransaction(
  draft: Draft,
  mined: Readonly<{ hash: Hash; block: BlockId }>,
): void {
  for (const transaction of draft.transactions()) {
    const isIt = transaction.attempts.some(({ hash }) => hash === mined.hash)
    if (!isIt || transaction.mined?.block.hash === mined.block.hash) continue
    // One that failed in another block has gone through in this one.
    const status = transaction.status === 'final' ? 'final' : 'mined'
    draft.putTransaction({ ...transaction, mined, status })
    tell(draft, transaction, 'Mined', mined)
  }
}

/** Those that no block holds any more are to be sent again; gives their hashes. */
export function undoTransactions(draft: Draft, followed: FollowedBlocks): readonly Hash[] {
  return draft.transactions().flatMap((transaction) => {
    const { mined, ...rest } = transaction
    if (transaction.status === 'reverted' || mined === undefined) return []
    if (followed.standing(mined.block) !== 'out') return []
    draft.putTransaction({ ...rest, status: 'sent' })
    tell(draft, transaction, 'Undone', mined)
    return [mined.hash]
  })
}

/** What is deep enough counts, for good: for its deposits, and for the request that it paid. */
export function finishTransactions(
  draft: Draft,
  followed: FollowedBlocks,
  confirmations: number,
): void {
  for (const transaction of draft.transactions()) {
    const { status, mined, purpose } = transaction
    if (status !== 'mined' || mined === undefined) continue
    if (!followed.isDeep(mined.block, confirmations)) continue
    draft.putTransaction({ ...transaction, status: 'final' })
    const becomes = afterwards[purpose]
    if (becomes !== undefined) closeDeposits(draft, transaction, becomes)
    tell(draft, transaction, 'Confirmed', mined)
  }
}

/** What its deposits are once a transaction counts. */
const afterwards: Readonly<Record<SolverTransaction['purpose'], DepositStatus | undefined>> = {
  fill: 'filled',
  refund: 'refunded',
  settlement: 'settled',
  approval: undefined,
  cancellation: undefined,
}

const before: Partial<Record<DepositStatus, readonly DepositStatus[]>> = {
  filled: ['seen', 'credited', 'refundable'],
  refunded: ['seen', 'credited', 'refundable'],
  settled: ['filled', 'settling'],
}

function closeDeposits(
  draft: Draft,
  { depositIds }: SolverTransaction,
  status: DepositStatus,
): void {
  for (const depositId of depositIds) {
    const deposit = draft.deposit(depositId)
    if (deposit === undefined || !before[status]?.includes(deposit.status)) continue
    draft.putDeposit({ ...deposit, status })
  }
}

/** Tells the request, unless what is paid back is not what the request counts on. */
function tell(
  draft: Draft,
  { purpose, requestId, depositIds, chainId }: SolverTransaction,
  stage: Stage,
  { hash, block }: Mined,
): void {
  const transaction = { chainId, hash, block }
  if (purpose === 'fill') draft.advance(requestId, { type: `fill${stage}`, transaction })
  if (purpose !== 'refund') return
  for (const depositId of depositIds) {
    const request = draft.request(requestId)
    const input = request && inputFundedBy(request, depositId)
    if (input !== undefined)
      draft.advance(requestId, { type: `refund${stage}`, input, transaction })
  }
}
