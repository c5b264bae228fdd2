import type { BlockId } from '#src/chains/chainEvent.ts'
import type { BlockHash, TxId } from '#src/core/units/txId.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import { applyEndings } from './applyEndings.ts'
import { decideDeposits, nextDecisionHeight } from './decideDeposits.ts'
import { observeDeposit, undoOrphanedDeposits } from './observeDeposits.ts'
import {
  confirmSwaps,
  confirmTransactions,
  observeTransactions,
  swapOf,
  undoOrphanedSwaps,
  undoOrphanedTransactions,
} from './transactions.ts'
import {
  type ChainRules,
  type ChainState,
  createUnitOfWork,
  type Stored,
  type UnitOfWork,
} from './unitOfWork.ts'

export type Decision = NextHeights &
  Readonly<{
    batch: Batch
    /** Hashes of transactions whose block was orphaned. Another block may include them. */
    orphaned: readonly TxId[]
  }>

type NextHeights = Readonly<{
  /** The next height at which a decision is due; undefined if no row waits. */
  dueAt: bigint | undefined
  /** The next height above the head at which a row reaches its confirmations; undefined if no row does. */
  confirmsAt: bigint | undefined
}>

/**
 * Derives all changes to the stored rows from the observed events and from the followed blocks. `at` is in
 * milliseconds. Pure and idempotent: after the batch is saved, the same input yields an empty batch.
 */
export function decide(
  stored: Stored,
  chain: ChainState,
  { rules, at }: Readonly<{ rules: ChainRules; at: number }>,
): Decision {
  const { followed, events, endings } = chain
  const work = createUnitOfWork(stored, { chainId: rules.id, at })
  // Observed before orphaned rows are undone: a deposit that moved to another block is not lost.
  for (const deposit of events.deposits) observeDeposit(work, deposit)
  const orphaned = [
    ...undoOrphanedDeposits(work, followed, stored.payments),
    ...undoOrphanedTransactions(work, followed),
    ...undoOrphanedSwaps(work, followed),
  ]
  observeTransactions(work, chain, rules)
  decideDeposits(work, chain, rules)
  confirmTransactions(work, followed, rules.fillConfirmations, stored.outcomes)
  confirmSwaps(work, stored.outcomes)
  if (endings !== undefined) applyEndings(work, endings)
  return { batch: work.batch(), orphaned, ...nextHeights(work, rules, followed) }
}

function nextHeights(
  work: UnitOfWork,
  { depositConfirmations, fillConfirmations }: ChainRules,
  followed: FollowedBlocks,
): NextHeights {
  const after = (block: BlockId<BlockHash> | undefined, confirmations: number) =>
    block === undefined ? [] : [block.number + BigInt(confirmations)]
  const heights = [
    ...work
      .deposits()
      .flatMap(({ status, block }) =>
        status === 'seen' && block !== undefined
          ? [nextDecisionHeight(followed, block, depositConfirmations)]
          : [],
      ),
    ...work
      .transactions()
      .flatMap(({ status, mined }) =>
        status === 'mined' ? after(mined?.block, fillConfirmations) : [],
      ),
    ...work
      .requests()
      .flatMap((request) =>
        request.state.status === 'pending' ? after(swapOf(request)?.block, fillConfirmations) : [],
      ),
  ]
  const [first] = heights.sort((one, other) => Number(one - other))
  // A confirmed but undecided row waits for another condition: decide again at the next block.
  const next = followed.head().number + 1n
  return {
    dueAt: first === undefined || first > next ? first : next,
    confirmsAt: heights.find((height) => height >= next),
  }
}
