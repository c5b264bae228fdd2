import type { Hex, Log } from 'viem'
import type { LoggedBlock } from '#src/chains/chainEvent.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { type PoolId, toManagedPoolId } from '#src/core/pools/poolIdentity.ts'
import { toAddress } from '#src/core/units/address.ts'
import { marketKindOf, marketKinds } from '#src/market/kinds/kinds.ts'

export type Applied = Readonly<{
  /** The changed pools, in their state after the last log. */
  changed: readonly Pool[]
  /** Pools whose logs contradict their state, because an earlier log was missed. Their state is now unknown. */
  contradicted: readonly PoolId[]
}>

/** Applies a block's logs to the pools, in order. Ignores logs of other contracts. */
export function applyLogs(
  pools: ReadonlyMap<PoolId, Pool>,
  logs: readonly Log<bigint, number, false>[],
): Applied {
  const changed = new Map<PoolId, Pool>()
  const contradicted = new Set<PoolId>()
  for (const log of logs) {
    const id = poolOfLog(log)
    const before = changed.get(id) ?? pools.get(id)
    if (before === undefined || contradicted.has(id)) continue
    // Any contract can emit a log with the id of a managed pool.
    if (before.address !== toAddress(log.address)) continue
    const after = applyLog(before, log)
    if (after === undefined) contradicted.add(id)
    else if (after !== before) changed.set(id, after)
  }
  for (const [id, pool] of changed) if (!marketKindOf(pool).isConsistent(pool)) contradicted.add(id)
  for (const id of contradicted) changed.delete(id)
  return { changed: [...changed.values()], contradicted: [...contradicted] }
}

/** @returns undefined if the log contradicts the pool or cannot be decoded. */
function applyLog(pool: Pool, log: Log<bigint, number, false>): Pool | undefined {
  try {
    const event = marketKindOf(pool).events.get(log.topics[0] ?? '0x')
    return event === undefined ? pool : event(pool, log)
  } catch {
    return undefined
  }
}

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

/** The topics of pool events that a manager contract emits, with the pool's id as the first indexed field. */
const managedTopics: ReadonlySet<Hex | undefined> = new Set(
  marketKinds.flatMap(([, { isManaged, events }]) => (isManaged ? [...events.keys()] : [])),
)

/** The id of the pool that a pool event concerns: the id in a manager's event, else the emitting contract. */
export function poolOfLog({
  address,
  topics: [topic, id],
}: Pick<Log, 'address' | 'topics'>): PoolId {
  return managedTopics.has(topic) && id !== undefined ? toManagedPoolId(id) : toAddress(address)
}
