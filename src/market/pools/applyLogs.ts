import type { Hex, Log } from 'viem'
import { liquidityAt } from '#src/pools/concentrated/tickMap.ts'
import type { Pool } from '#src/pools/pool.ts'
import { applyConcentratedEvent, applyConstantProductEvent } from '#src/pools/poolEvents.ts'
import { type Address, toAddress } from '#src/units/address.ts'
import { poolLogDecoders } from './poolLogs.ts'

/** The event topics that may change the state of any pool. */
export const poolTopics: readonly Hex[] = [
  ...poolLogDecoders.constantProduct.keys(),
  ...poolLogDecoders.concentrated.keys(),
]

export type Applied = Readonly<{
  /** The changed pools, in their state after the last log. */
  changed: readonly Pool[]
  /** Pools whose logs contradict their state, because an earlier log was missed. Their state is now unknown. */
  contradicted: readonly Address[]
}>

/** Applies a block's logs, in order, to the pools. Ignores logs of other contracts. */
export function applyLogs(
  pools: ReadonlyMap<Address, Pool>,
  logs: readonly Log<bigint, number, false>[],
): Applied {
  const changed = new Map<Address, Pool>()
  const contradicted = new Set<Address>()
  for (const log of logs) {
    const address = toAddress(log.address)
    const before = changed.get(address) ?? pools.get(address)
    if (before === undefined || contradicted.has(address)) continue
    const after = applyLog(before, log)
    if (after === undefined) contradicted.add(address)
    else if (after !== before) changed.set(address, after)
  }
  for (const [address, pool] of changed) if (!isConsistent(pool)) contradicted.add(address)
  for (const address of contradicted) changed.delete(address)
  return { changed: [...changed.values()], contradicted: [...contradicted] }
}

/** @returns undefined if the log contradicts the pool or cannot be decoded. */
function applyLog(pool: Pool, log: Log<bigint, number, false>): Pool | undefined {
  const topic = log.topics[0] ?? '0x'
  try {
    switch (pool.kind) {
      case 'constantProduct': {
        const decode = poolLogDecoders.constantProduct.get(topic)
        return decode === undefined ? pool : applyConstantProductEvent(pool, decode(log))
      }
      case 'concentrated': {
        const decode = poolLogDecoders.concentrated.get(topic)
        return decode === undefined ? pool : applyConcentratedEvent(pool, decode(log))
      }
    }
  } catch {
    return undefined
  }
}

/** A Swap event reports the liquidity in range, which must equal the sum over the ticks. */
const isConsistent = (pool: Pool): boolean =>
  pool.kind === 'constantProduct' || pool.liquidity === liquidityAt(pool.ticks, pool.tick)
