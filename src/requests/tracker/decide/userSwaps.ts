import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { type TransactionSighting, transactionOf } from '#src/requests/state/requestState.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import type { Draft } from './unitOfWork.ts'

type Hash = `0x${string}`

/** The user's own swap, where a block held it. */
export function swapOf({ execution, state }: StoredRequest): TransactionSighting | undefined {
  return execution === 'user' ? transactionOf(state.steps.at(-1)?.at(-1)) : undefined
}

/** A user's own swap that a block holds. */
export function seeSwap(draft: Draft, requestId: Hash, transaction: TransactionSighting): void {
  const known = draft.request(requestId)
  const isOpen = known?.state.status === 'waiting' || known?.state.status === 'pending'
  if (isOpen) draft.advance(requestId, { type: 'swapSeen', transaction })
}

/** Those that no block holds any more; gives their hashes. */
export function undoSwaps(draft: Draft, followed: FollowedBlocks): readonly Hash[] {
  return draft.requests().flatMap((request) => {
    const swap = swapOf(request)
    if (swap?.block === undefined || followed.standing(swap.block) !== 'out') return []
    return draft.advance(request.requestId, { type: 'swapUndone', transaction: swap })
      ? [swap.hash]
      : []
  })
}

/** Ends the requests whose swaps are deep enough, by what came of them. */
export function finishSwaps(
  draft: Draft,
  outcomes: ReadonlyMap<Hash, 'success' | 'reverted'>,
): void {
  for (const request of draft.requests()) {
    const swap = swapOf(request)
    const outcome = swap && outcomes.get(swap.hash)
    if (swap === undefined || outcome === undefined) continue
    const type = outcome === 'success' ? 'swapConfirmed' : 'swapReverted'
    draft.advance(request.requestId, { type, transaction: swap })
  }
}
