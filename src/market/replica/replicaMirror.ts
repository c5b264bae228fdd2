import { isDeepStrictEqual } from 'node:util'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { applyChanges } from './replicaChanges.ts'
import { isAfter, type Position, type ReplicaMessage } from './replicaMessage.ts'
import { emptyState, type ReplicaState } from './replicaState.ts'
import { joinParts } from './snapshotParts.ts'

/**
 * The result of a message. `applied`: it changed the state. `renewed`: the reader must load a snapshot. `replayed`: it
 * is not newer than the state. `gap`: an earlier message is missing; from then on only a snapshot changes the state.
 */
export type Verdict = 'applied' | 'renewed' | 'replayed' | 'gap'

type Block = ChainMarket['block']

/**
 * The state of a replica, built from its messages in memory. Trusts that messages are authentic, but checks their order.
 */
export type ReplicaMirror = Readonly<{
  /** Undefined before the first snapshot. */
  state: () => ReplicaState | undefined
  /** The position of the last applied message. */
  position: () => Position | undefined
  /** Whether the mirror can continue only from a snapshot. */
  needsSnapshot: () => boolean
  take: (message: ReplicaMessage) => Verdict
  /** Whether `takeSnapshot` would accept the snapshot that this part belongs to. */
  wants: (part: ReplicaMessage) => boolean
  /**
   * Replaces the state by a snapshot, given its parts in order. `replayed` if the snapshot is too old; `gap` if the
   * parts are not those of one whole snapshot.
   */
  takeSnapshot: (parts: readonly ReplicaMessage[]) => Verdict
}>

/**
 * @param isFresh whether prices may be computed from a block. A snapshot of an earlier position is refused while the
 * known state is fresh. Once the state is stale, a fresh one is accepted: a restored database begins with lower terms.
 */
export function createReplicaMirror(
  { isFresh }: Readonly<{ isFresh: (block: Block) => boolean }>,
  chainId: ChainId,
): ReplicaMirror {
  let known: Readonly<{ state: ReplicaState; position: Position }> | undefined
  let hasGap = true

  const wants = (part: ReplicaMessage): boolean =>
    part.kind === 'part' &&
    (known === undefined ||
      isAfter(part.position, known.position) ||
      (hasGap && isDeepStrictEqual(part.position, known.position)) ||
      (!isFresh(known.state.market.block) && isFresh(part.changes.head.block)))

  const reportGap = (): Verdict => {
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
      if (hasGap || !isNext || message.kind === 'part') return reportGap()
      if (message.kind === 'beat') {
        known = { state: { ...state, announced: message.announced }, position: message.position }
        return 'applied'
      }
      if (message.previous !== state.market.block.hash) return reportGap()
      const next = attempt(() => applyChanges(state, message.changes, chainId))
      if (next === undefined) return reportGap()
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

/** Undefined if the changes do not fit the state. */
function attempt(apply: () => ReplicaState): ReplicaState | undefined {
  try {
    return apply()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const isPart = (
  message: ReplicaMessage,
  at: number,
  all: readonly ReplicaMessage[],
): message is Extract<ReplicaMessage, { kind: 'part' }> =>
  message.kind === 'part' &&
  message.part === at &&
  message.parts === all.length &&
  isDeepStrictEqual(message.position, all[0]?.position)
