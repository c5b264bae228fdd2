import type { BlockId } from '#src/chains/trail.ts'
import type { ChainConfig } from '#src/config.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import type { Sightings } from '#src/requests/tracker/read/readEvents.ts'
import { creditDeposits, judgedAt } from './creditDeposits.ts'
import { gatherDeposits } from './fundInputs.ts'
import { seeDeposit, undoDeposits } from './observeDeposits.ts'
import { finishTransactions, mineTransaction, undoTransactions } from './solverTransactions.ts'
import { createDraft, type Draft, type Stored } from './unitOfWork.ts'
import { finishSwaps, seeSwap, swapOf, undoSwaps } from './userSwaps.ts'

type Hash = `0x${string}`

export type ChainRules = Pick<ChainConfig, 'id' | 'depositConfirmations' | 'fillConfirmations'>

export type Decision = Readonly<{
  batch: Batch
  /** Transactions that are in no block any more, as far as is known: another may hold them. */
  undone: readonly Hash[]
  /** The height at which some of it is deep enough to count; undefined where nothing waits. */
  dueAt: bigint | undefined
}>

/** Of the chain. */
type Seen = Readonly<{
  followed: FollowedBlocks
  sightings: Sightings
  /** Seconds since 1970 before which nothing more comes to be known; undefined while nothing says. */
  closedAt: number | undefined
}>

/**
 * What follows for all that is stored from what was seen and from where the chain stands; `at` in
 * milliseconds since 1970. Pure: once it is saved, the same again follows to nothing.
 */
export function decide(
  stored: Stored,
  { followed, sightings, closedAt }: Seen,
  { rules, at }: Readonly<{ rules: ChainRules; at: number }>,
): Decision {
  const { id: chainId, depositConfirmations, fillConfirmations } = rules
  const draft = createDraft(stored, { chainId, at })
  // What another block holds now is no loss.
  for (const deposit of sightings.deposits) seeDeposit(draft, deposit)
  const undone = [
    ...undoDeposits(draft, followed, stored.payments),
    ...undoTransactions(draft, followed),
    ...undoSwaps(draft, followed),
  ]
  for (const run of sightings.runs) mineTransaction(draft, run)
  for (const { requestId, at } of sightings.swaps) seeSwap(draft, requestId, { chainId, ...at })
  for (const { requestId, at, ...place } of sightings.approvals) {
    const type = followed.isDeep(at.block, depositConfirmations)
      ? 'approvalConfirmed'
      : 'approvalSeen'
    draft.advance(requestId, { type, ...place, transaction: { chainId, ...at } })
  }
  creditDeposits(draft, followed, depositConfirmations)
  gatherDeposits(draft, followed, { chainId, confirmations: depositConfirmations, closedAt })
  finishTransactions(draft, followed, fillConfirmations)
  finishSwaps(draft, stored.outcomes)
  return { batch: draft.batch(), undone, dueAt: dueAt(draft, rules, followed) }
}

function dueAt(
  draft: Draft,
  { depositConfirmations, fillConfirmations }: ChainRules,
  followed: FollowedBlocks,
): bigint | undefined {
  const after = (block: BlockId | undefined, confirmations: number) =>
    block === undefined ? [] : [block.number + BigInt(confirmations)]
  const heights = [
    ...draft
      .deposits()
      .flatMap(({ status, block }) =>
        status === 'seen' && block !== undefined
          ? [judgedAt(followed, block, depositConfirmations)]
          : [],
      ),
    ...draft
      .transactions()
      .flatMap(({ status, mined }) =>
        status === 'mined' ? after(mined?.block, fillConfirmations) : [],
      ),
    ...draft
      .requests()
      .flatMap((request) =>
        request.state.status === 'pending' ? after(swapOf(request)?.block, fillConfirmations) : [],
      ),
  ]
  const [first] = heights.sort((one, other) => Number(one - other))
  if (first === undefined) return undefined
  // What should be deep enough by now waits for something else: it is looked at with the next block.
  const next = followed.head().number + 1n
  return first > next ? first : next
}
