import { decodeEventLog, getAbiItem, type Hex, type Log, toEventSelector } from 'viem'
import { uniswapV2PairAbi, uniswapV3PoolAbi } from '#src/contracts/abis.ts'
import type { Pool } from '#src/pools/pool.ts'
import { applyConcentratedEvent, applyConstantProductEvent } from '#src/pools/poolEvents.ts'
import { liquidityAt } from '#src/pools/tickMap.ts'
import { type Address, toAddress } from '#src/units/address.ts'

const syncAbi = [getAbiItem({ abi: uniswapV2PairAbi, name: 'Sync' })] as const

/** The first topics of the logs that change the state of a pool, by its kind. */
const topics = {
  constantProduct: new Set(syncAbi.map(toEventSelector)),
  concentrated: new Set(
    uniswapV3PoolAbi.filter((item) => item.type === 'event').map(toEventSelector),
  ),
}

/** Of all logs that may change the state of a pool. */
export const poolTopics: readonly Hex[] = [...topics.constantProduct, ...topics.concentrated]

export type Applied = Readonly<{
  /** Each pool that is not what it was before, as it is after the last log. */
  changed: readonly Pool[]
  /** Pools of which the logs say what cannot be: an earlier one was missed. Their state is unknown. */
  contradicted: readonly Address[]
}>

/** What a block's logs, in their order, make of the pools; logs of other contracts are passed over. */
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

/** @returns undefined where pool and log do not fit together. */
function applyLog(pool: Pool, log: Log<bigint, number, false>): Pool | undefined {
  const topic = log.topics[0]
  if (topic === undefined || !topics[pool.kind].has(topic)) return pool
  try {
    switch (pool.kind) {
      case 'constantProduct':
        return applyConstantProductEvent(pool, decodeEventLog({ ...log, abi: syncAbi }))
      case 'concentrated':
        return applyConcentratedEvent(pool, decodeEventLog({ ...log, abi: uniswapV3PoolAbi }))
    }
  } catch {
    return undefined
  }
}

/** A swap says how much liquidity is in range, which the ticks say as well. */
const isConsistent = (pool: Pool): boolean =>
  pool.kind === 'constantProduct' || pool.liquidity === liquidityAt(pool.ticks, pool.tick)
