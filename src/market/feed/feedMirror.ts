import { isDeepStrictEqual } from 'node:util'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { applyChanges } from './feedChanges.ts'
import { type FeedMessage, isAfter, type Position } from './feedMessage.ts'
import { emptyState, type FeedState } from './feedState.ts'
import { joinParts } from './snapshotParts.ts'

/**
 * What became of a message: it was applied, it sends the reader to a snapshot, it is older than what is known, or one before it is
 * missing. Only the first changes the state. After a gap nothing but a snapshot does.
 */
export type Verdict = 'applied' | 'renewed' | 'replayed' | 'gap'

type Block = ChainMarket['block']

/** The state of a feed as its messages tell, in memory. Trusts that each message is of the feed, not that it is the next one. */
export type FeedMirror = Readonly<{
  /** Undefined before the first snapshot. */
  state: () => FeedState | undefined
  /** The last message that was applied. */
  position: () => Position | undefined
  /** Whether only a snapshot helps. */
  needsSnapshot: () => boolean
  take: (message: FeedMessage) => Verdict
  /** Whether `takeSnapshot` would take the snapshot of which this is a part. */
  wants: (part: FeedMessage) => boolean
  /**
   * Takes over a snapshot from its parts in order, unless it is older than what is known; `gap` where they are not all of one
   * snapshot.
   */
  takeSnapshot: (parts: readonly FeedMessage[]) => Verdict
}>

/**
 * @param isFresh whether prices may be computed from a block. A snapshot of an earlier term counts as old as long as the known
 * state is fresh. Afterwards it may be that of a feed whose database was restored, and whose terms count from before.
 */
export function createFeedMirror(
  { isFresh }: Readonly<{ isFresh: (block: Block) => boolean }>,
  chainId: ChainId,
): FeedMirror {
  let known: Readonly<{ state: FeedState; position: Position }> | undefined
  let hasGap = true

  const wants = (part: FeedMessage): boolean =>
    part.kind === 'part' &&
    (known === undefined ||
      isAfter(part.position, known.position) ||
      (hasGap && isDeepStrictEqual(part.position, known.position)) ||
      (!isFresh(known.state.market.block) && isFresh(part.changes.head.block)))

  const fall = (): Verdict => {
    hasGap = true
    return 'gap'
  }

  return {
    state: () => known?.state,
    position: () => known?.position,
    needsSnapshot: () => hasGap,
    wants,
    take(message) {
      if (known === undefined) return 'gap'
      const { state, position } = known
      if (!isAfter(message.position, position)) return 'replayed'
      const isNext =
        message.position.term === position.term && message.position.count === position.count + 1n
      if (message.kind === 'snapshot') {
        hasGap = true
        return 'renewed'
      }
      if (hasGap || !isNext || message.kind === 'part') return fall()
      if (message.kind === 'beat') {
        known = { state: { ...state, announced: message.announced }, position: message.position }
        return 'applied'
      }
      if (message.previous !== state.market.block.hash) return fall()
      const next = attempt(() => applyChanges(state, message.changes, chainId))
      if (next === undefined) return fall()
      known = { state: next, position: message.position }
      return 'applied'
    },
    takeSnapshot(parts) {
      const own = parts.filter((each, at) => isPart(each, at, parts))
      const [first] = own
      if (first === undefined || own.length < first.parts) return 'gap'
      if (!wants(first)) return 'replayed'
      const changes = joinParts(own.map((each) => each.changes))
      const state = changes && attempt(() => applyChanges(emptyState, changes, chainId))
      if (state === undefined) return 'gap'
      known = { state, position: first.position }
      hasGap = false
      return 'applied'
    },
  }
}

/** Undefined where the changes are not of the state. */
function attempt(apply: () => FeedState): FeedState | undefined {
  try {
    return apply()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const isPart = (
  message: FeedMessage,
  at: number,
  all: readonly FeedMessage[],
): message is Extract<FeedMessage, { kind: 'part' }> =>
  message.kind === 'part' &&
  message.part === at &&
  message.parts === all.length &&
  isDeepStrictEqual(message.position, all[0]?.position)
