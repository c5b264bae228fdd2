import { decodeEventLog, getAbiItem, type Hex, type Log, toEventSelector } from 'viem'
import { pancakeV3SwapAbi, uniswapV2PairAbi, uniswapV3PoolAbi } from '#src/contracts/abis.ts'
import { liquidityAt } from '#src/pools/concentrated/tickMap.ts'
import type { Pool } from '#src/pools/pool.ts'
import { applyConcentratedEvent, applyConstantProductEvent } from '#src/pools/poolEvents.ts'
import { type Address, toAddress } from '#src/units/address.ts'

const syncAbi = [getAbiItem({ abi: uniswapV2PairAbi, name: 'Sync' })] as const

/** Of Uniswap v3 and its forks: a pool emits the Swap event of its own code only. */
const concentratedAbi = [
  ...uniswapV3PoolAbi.filter((item) => item.type === 'event'),
  ...pancakeV3SwapAbi,
] as const

/** The event topics that change the state of a pool, by pool kind. */
const topics = {
  constantProduct: new Set(syncAbi.map(toEventSelector)),
  concentrated: new Set(concentratedAbi.map(toEventSelector)),
}

/** The event topics that may change the state of any pool. */
export const poolTopics: readonly Hex[] = [...topics.constantProduct, ...topics.concentrated]

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
  const topic = log.topics[0]
  if (topic === undefined || !topics[pool.kind].has(topic)) return pool
  try {
    switch (pool.kind) {
      case 'constantProduct':
        return applyConstantProductEvent(pool, decodeEventLog({ ...log, abi: syncAbi }))
      case 'concentrated':
        return applyConcentratedEvent(pool, decodeEventLog({ ...log, abi: concentratedAbi }))
    }
  } catch {
    return undefined
  }
}

/** A Swap event reports the liquidity in range, which must equal the sum over the ticks. */
const isConsistent = (pool: Pool): boolean =>
  pool.kind === 'constantProduct' || pool.liquidity === liquidityAt(pool.ticks, pool.tick)
