import type { Hex } from 'viem'
import type { LoggedBlock } from '#src/chains/chainEvent.ts'
import type { PoolId } from '#src/core/pools/poolIdentity.ts'
import { marketKinds } from '#src/market/kinds/kinds.ts'
import { poolOfLog } from './poolOfLog.ts'

/**
 * The pools that were read only once. A node that is importing a block sometimes answers with parts of that block's
 * state. The logs of that block are then applied twice. That is harmless for events that contain the new state, but not
 * for events that contain a change.
 */
type SingleReads = Readonly<{
  /** @param height of the block at which the pools were read. */
  add: (ids: readonly PoolId[], height: bigint) => void
  /** The pools to which changes of this block may have been applied twice. The block is later than their read. */
  doubtedBy: (block: LoggedBlock) => readonly PoolId[]
}>

/** The topics of events that contain a change, such as a liquidity delta, and not the new state. */
const changeTopics: ReadonlySet<Hex | undefined> = new Set(
  marketKinds.flatMap(([, { events, priceTopics }]) =>
    [...events.keys()].filter((topic) => !priceTopics.has(topic)),
  ),
)

/** Nodes keep the state of a block for 128 further blocks, so a node that answered was not importing a later block. */
const statesKept = 128n

export function createSingleReads(): SingleReads {
  const heights = new Map<PoolId, bigint>()
  let highest = -1n

  return {
    add(ids, height) {
      for (const id of ids) heights.set(id, height)
      if (height > highest) highest = height
    },
    doubtedBy({ number, logs }) {
      if (number > highest + statesKept) heights.clear()
      if (heights.size === 0) return []
      const changed = logs.filter(({ topics }) => changeTopics.has(topics[0])).map(poolOfLog)
      return [...new Set(changed)].filter((id) => number <= (heights.get(id) ?? -1n) + statesKept)
    },
  }
}
