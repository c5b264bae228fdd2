import type { Hash } from 'viem'
import {
  isAwaiting,
  type ObservedTransaction,
  type StoredRequest,
  transactionOf,
} from '#src/requests/state/requestState.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import type { Outcome, UnitOfWork } from './unitOfWork.ts'

/** The user's own swap, if it was observed; undefined for requests that the solver fills. */
export function swapOf({ execution, state }: StoredRequest): ObservedTransaction | undefined {
  return execution === 'user' ? transactionOf(state.steps.at(-1)?.at(-1)) : undefined
}

/** Records that a block contains the user's own swap. */
export function observeSwap(
  work: UnitOfWork,
  requestId: Hash,
  transaction: ObservedTransaction,
): void {
  const known = work.request(requestId)
  const isOpen =
    known !== undefined && (isAwaiting(known.state.status) || known.state.status === 'pending')
  if (isOpen) work.advance(requestId, { type: 'swapSeen', transaction })
}

/** Takes back swaps in orphaned blocks and returns their hashes. */
export function undoOrphanedSwaps(work: UnitOfWork, followed: FollowedBlocks): readonly Hash[] {
  return work.requests().flatMap((request) => {
    const swap = swapOf(request)
    if (swap?.block === undefined || followed.statusOf(swap.block) !== 'orphaned') return []
    return work.advance(request.requestId, { type: 'swapUndone', transaction: swap })
      ? [swap.hash]
      : []
  })
}

/** Ends the requests whose swap is confirmed, as success or failure by the outcome of its transaction. */
export function confirmSwaps(work: UnitOfWork, outcomes: ReadonlyMap<Hash, Outcome>): void {
  for (const request of work.requests()) {
    const swap = swapOf(request)
    const outcome = swap && outcomes.get(swap.hash)
    if (swap === undefined || outcome === undefined) continue
    const { status, ofRequests } = outcome
    const type = status === 'success' ? 'swapConfirmed' : 'swapReverted'
    const paid = status === 'success' ? ofRequests?.get(request.requestId) : undefined
    const transaction = { ...swap, ...paid }
    work.advance(request.requestId, { type, transaction })
  }
}
