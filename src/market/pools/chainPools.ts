import { isDeepStrictEqual } from 'node:util'
import type { Hash } from 'viem'
import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config.ts'
import type { Log } from '#src/log.ts'
import type { CurrencyChecks } from '#src/market/currencies/currencyChecks.ts'
import type { Pool } from '#src/pools/pool.ts'
import { createGraph, type PoolGraph, updateGraph } from '#src/pricing/router/graph.ts'
import type { Address } from '#src/units/address.ts'
import { type DiscoveredPool, parsePoolCreations } from './discoveredPool.ts'
import { poolDifference } from './poolDifference.ts'
import { createPoolHistory } from './poolHistory.ts'
import { readPools } from './readPools.ts'
import { createRoundRobin } from './roundRobin.ts'

/** The tracked pools of one chain at its head, and the graph of the routable ones. */
export type ChainPools = Readonly<{
  graph: () => PoolGraph
  /** Number of tracked pools, routable or not. */
  trackedCount: () => number
  /** Tracks these pools. The next `refresh` reads their state. */
  add: (discovered: readonly DiscoveredPool[]) => void
  /** Moves the head to the next block by applying its logs. */
  apply: (block: FollowedBlock) => void
  /** Moves the head back. `blocks` are newest first. @throws Error if the blocks are too old. */
  undo: (blocks: readonly FollowedBlock[]) => void
  /**
   * Reads from the chain what logs do not tell: the state of new and uncertain pools. Also verifies a share of all
   * pools and currencies, so that each one is verified every `verifyEveryBlocks` blocks.
   * @returns whether the graph changed.
   * @throws RpcUnavailableError or RpcRefusedError if the node fails. The next call reads what is missing.
   */
  refresh: (blockHash: Hash) => Promise<boolean>
}>

type Deps = Readonly<{
  client: ChainClient
  log: Log
  checks: CurrencyChecks
  /** Called for each pool whose state differs from the chain. */
  onDifference: () => void
}>

const poolsPerRead = 50

/** After this many failed reads in a row, a pool waits for its next verification. */
const maxMisses = 5

export function createChainPools(
  { client, log, checks, onDifference }: Deps,
  { id: chainId, factories, finalityDepth, verifyEveryBlocks }: ChainConfig,
): ChainPools {
  const history = createPoolHistory(finalityDepth)
  const tracked = new Map<Address, DiscoveredPool>()
  /** The pools to read at the next `refresh`, with their failed reads in a row. */
  const unread = new Map<Address, number>()
  const currencies = new Set<Address>()
  const nextPoolsToVerify = createRoundRobin(tracked, verifyEveryBlocks)
  const nextCurrenciesToVerify = createRoundRobin(currencies, verifyEveryBlocks)
  let graph = createGraph([])

  const isRoutable = ({ currency0, currency1 }: Pool) =>
    checks.isAccepted(currency0) && checks.isAccepted(currency1)
  const rebuild = () => {
    graph = createGraph([...history.pools.values()].filter(isRoutable))
  }

  const add = (discovered: readonly DiscoveredPool[]) => {
    for (const pool of discovered) {
      if (tracked.has(pool.address)) continue
      tracked.set(pool.address, pool)
      unread.set(pool.address, 0)
      currencies.add(pool.currency0).add(pool.currency1)
    }
  }

  const recordMiss = (address: Address, blockHash: Hash) => {
    const misses = (unread.get(address) ?? 0) + 1
    if (misses < maxMisses) return void unread.set(address, misses)
    unread.delete(address)
    log.warn(
      { chainId, pool: address, blockHash },
      'Cannot read a pool; tries again at its next verification',
    )
  }

  /**
   * Reads pools and takes over those that differ, if a second read confirms the difference: a node that is importing
   * the next block sometimes answers with parts of that block's state.
   * @returns whether a routable pool changed.
   */
  async function refreshPools(addresses: readonly Address[], blockHash: Hash): Promise<boolean> {
    const read = await readAt(addresses, blockHash)
    const different = [...read.values()].filter((pool) => !isCurrent(pool))
    const reread = await readAt(
      different.map(({ address }) => address),
      blockHash,
    )
    const confirmed = different.filter((pool) => isDeepStrictEqual(pool, reread.get(pool.address)))
    for (const pool of confirmed) reportDifference(pool, blockHash)
    history.put(confirmed)
    for (const address of addresses) {
      const pool = read.get(address)
      if (pool !== undefined && isCurrent(pool)) unread.delete(address)
      else recordMiss(address, blockHash)
    }
    return confirmed.some(isRoutable)
  }

  async function readAt(addresses: readonly Address[], blockHash: Hash) {
    const discovered = addresses.flatMap((address) => tracked.get(address) ?? [])
    const pools = await readPools({ client, chainId }, discovered, blockHash)
    return new Map(pools.map((pool) => [pool.address, pool]))
  }

  const isCurrent = (pool: Pool): boolean =>
    isDeepStrictEqual(pool, history.pools.get(pool.address))

  /** Does nothing for a pool whose state was unknown. */
  function reportDifference(pool: Pool, blockHash: Hash): void {
    const known = history.pools.get(pool.address)
    if (known === undefined) return
    onDifference()
    const difference = poolDifference(known, pool)
    log.warn(
      { chainId, pool: pool.address, blockHash, difference },
      'A pool differs from the chain',
    )
  }

  return {
    graph: () => graph,
    trackedCount: () => tracked.size,
    add,
    apply(block) {
      const { changed, contradicted } = history.apply(block)
      add(factories.flatMap((factory) => parsePoolCreations(factory, block.logs)))
      for (const pool of contradicted) {
        unread.set(pool, 0)
        onDifference()
        log.warn({ chainId, pool, block: block.number }, 'Logs contradict the state of a pool')
      }
      const routable = changed.filter(isRoutable)
      if (contradicted.length > 0) rebuild()
      else if (routable.length > 0) graph = updateGraph(graph, routable)
    },
    undo(blocks) {
      for (const { hash } of blocks)
        for (const unknown of history.undo(hash)) unread.set(unknown, 0)
      rebuild()
    },
    async refresh(blockHash) {
      const due = [...new Set([...unread.keys(), ...nextPoolsToVerify()])]
      // Stays true if a read throws, because earlier reads may have changed pools.
      let isChanged = true
      try {
        let hasChangedPools = false
        for (let at = 0; at < due.length; at += poolsPerRead) {
          const batch = due.slice(at, at + poolsPerRead)
          hasChangedPools = (await refreshPools(batch, blockHash)) || hasChangedPools
        }
        const unchecked = [...currencies].filter(
          (currency) => !checks.isAccepted(currency) && !checks.refusals().has(currency),
        )
        const toCheck = [...new Set([...unchecked, ...nextCurrenciesToVerify()])]
        isChanged = (await checks.check(toCheck, history.pools, blockHash)) || hasChangedPools
      } finally {
        if (isChanged) rebuild()
      }
      return isChanged
    },
  }
}
