import type { Hash } from 'viem'
import type { BlockId } from '#src/chains/chainEvent.ts'
import type { ChainConfig } from '#src/config/config.ts'
import { isMultiInput } from '#src/requests/progress.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import { byPlace } from '#src/requests/state/deposit.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import type { ObservedEvents } from '#src/requests/tracker/read/readEvents.ts'
import { creditDeposits, nextDecisionHeight } from './creditDeposits.ts'
import { matchDeposit } from './depositInput.ts'
import { fundInputs } from './fundInputs.ts'
import { observeDeposit, undoOrphanedDeposits } from './observeDeposits.ts'
import {
  confirmTransactions,
  observeTransaction,
  undoOrphanedTransactions,
} from './solverTransactions.ts'
import { createUnitOfWork, type Stored, type UnitOfWork } from './unitOfWork.ts'
import { confirmSwaps, observeSwap, swapOf, undoOrphanedSwaps } from './userSwaps.ts'

export type ChainRules = Pick<ChainConfig, 'id' | 'depositConfirmations' | 'fillConfirmations'>

export type Decision = NextHeights &
  Readonly<{
    batch: Batch
    /** Hashes of transactions whose block was orphaned. Another block may include them. */
    orphaned: readonly Hash[]
  }>

type NextHeights = Readonly<{
  /** The next height at which a decision is due; undefined if no row waits. */
  dueAt: bigint | undefined
  /** The next height above the head at which a row reaches its confirmations; undefined if no row does. */
  confirmsAt: bigint | undefined
}>

/** The current view of the chain. */
type ChainState = Readonly<{
  followed: FollowedBlocks
  events: ObservedEvents
  /** Timestamp of the newest fully processed block, in seconds; undefined if not known yet. */
  processedUntil: number | undefined
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
  const { followed, events } = chain
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
  return { batch: work.batch(), orphaned, ...nextHeights(work, rules, followed) }
}

function observeTransactions(
  work: UnitOfWork,
  { followed, events }: ChainState,
  { id: chainId, depositConfirmations }: ChainRules,
): void {
  for (const { unpaid, ...run } of events.runs) observeTransaction(work, run, unpaid)
  for (const { requestId, at } of events.swaps) observeSwap(work, requestId, { chainId, ...at })
  for (const { requestId, at, ...place } of events.approvals) {
    const isConfirmed = followed.isConfirmed(at.block, depositConfirmations)
    const type = isConfirmed ? 'approvalConfirmed' : 'approvalSeen'
    work.advance(requestId, { type, ...place, transaction: { chainId, ...at } })
  }
  // Shown once it is confirmed: the same transaction may succeed in another block.
  for (const { requestId, at, ...place } of events.reverts)
    if (followed.isConfirmed(at.block, depositConfirmations))
      work.advance(requestId, {
        type: 'stepReverted',
        ...place,
        transaction: { chainId, ...at },
      })
}

/**
 * Resolves the candidate inputs of each deposit once. Then credits the deposits or makes them refundable, earliest
 * first.
 */
function decideDeposits(
  work: UnitOfWork,
  { followed, processedUntil }: ChainState,
  { id: chainId, depositConfirmations: confirmations }: ChainRules,
): void {
  // No record of the depository proves a plain transfer. After a reorg, other deposits could pay for it.
  const isFinal = (block: BlockId | undefined) =>
    block !== undefined && block.number <= followed.final().number
  const matches = work
    .deposits()
    .filter(
      ({ status, record, block }) => status === 'seen' && (record !== undefined || isFinal(block)),
    )
    .toSorted(byPlace)
    .map((deposit) => matchDeposit(work, deposit))
  const { multi = [], single = [] } = Object.groupBy(matches, ({ deposit: { requestId } }) => {
    const request = work.request(requestId)
    return request !== undefined && isMultiInput(request) ? 'multi' : 'single'
  })
  creditDeposits(work, single, { followed, confirmations })
  fundInputs(work, multi, { chainId, followed, confirmations, processedUntil })
}

function nextHeights(
  work: UnitOfWork,
  { depositConfirmations, fillConfirmations }: ChainRules,
  followed: FollowedBlocks,
): NextHeights {
  const after = (block: BlockId | undefined, confirmations: number) =>
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
