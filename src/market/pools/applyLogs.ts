import type { Log } from 'viem'
import type { Pool } from '#src/core/pools/pool.ts'
import type { PoolId } from '#src/core/pools/poolIdentity.ts'
import { toAddress } from '#src/core/units/address.ts'
import { marketKindOf } from '#src/market/kinds/kinds.ts'
import { poolOfLog } from './poolOfLog.ts'

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
