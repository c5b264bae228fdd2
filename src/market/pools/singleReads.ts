import type { Hex } from 'viem'
import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import type { PoolId } from '#src/pools/poolIdentity.ts'
import { marketKinds } from './kinds/kinds.ts'
import { poolOfLog } from './poolOfLog.ts'

/**
 * The pools that were read once. A node that is importing a block sometimes answers with parts of that block's state. The
 * logs of that block then come on top of it: most tell the state after them, whatever it was before.
 */
type SingleReads = Readonly<{
  /** @param height of the block that they were read at. */
  add: (ids: readonly PoolId[], height: bigint) => void
  /** Those that changes of this block may have reached twice. It comes after the one that they were read at. */
  doubtedBy: (block: Pick<FollowedBlock, 'number' | 'logs'>) => readonly PoolId[]
}>

/** The events that tell a change, such as that of a position, and not the state after it. */
const changeTopics: ReadonlySet<Hex | undefined> = new Set(
  marketKinds.flatMap(([, { events, priceTopics }]) =>
    [...events.keys()].filter((topic) => !priceTopics.has(topic)),
  ),
)

/** Nodes forget the state of a block after so many others: one that answered was importing none of the later ones. */
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
