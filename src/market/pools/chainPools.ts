import { isDeepStrictEqual } from 'node:util'
import type { Hash } from 'viem'
import type { ChainClient } from '#src/chains/chainClient.ts'
import type { FollowedBlock } from '#src/chains/chainEvent.ts'
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

/** The pools of one chain at its head: those that are followed, and the graph of those that may be routed. */
export type ChainPools = Readonly<{
  graph: () => PoolGraph
  /** How many are followed, routed or not. */
  followed: () => number
  /** Follows these from the next `settle` on. */
  add: (found: readonly DiscoveredPool[]) => void
  /** Moves the head to the next block by its logs alone. */
  apply: (block: FollowedBlock) => void
  /** Moves the head back; `blocks` newest first. @throws Error when they cannot be undone. */
  undo: (blocks: readonly FollowedBlock[]) => void
  /**
   * Reads at the head what the logs do not tell: pools that are new or in doubt, and, in turn, a part of
   * all pools and currencies to check them, so that each comes up every `verifyEveryBlocks` blocks.
   * @returns whether the graph is another.
   * @throws RpcUnavailableError or RpcRefusedError when the node fails: what was to be read is
   * read at the next call.
   */
  settle: (blockHash: Hash) => Promise<boolean>
}>

type Deps = Readonly<{
  client: ChainClient
  log: Log
  checks: CurrencyChecks
  /** Called with each pool that turns out not to be as the chain has it. */
  onDifference: () => void
}>

/** So many pools are read at once. */
const poolsAtOnce = 50

/** A pool that cannot be read so often in a row is left out until its turn comes. */
const mostMisses = 5

export function createChainPools(
  { client, log, checks, onDifference }: Deps,
  { id: chainId, factories, finalityDepth, verifyEveryBlocks }: ChainConfig,
): ChainPools {
  const book = createPoolHistory(finalityDepth)
  const followed = new Map<Address, DiscoveredPool>()
  /** To be read at the next `settle`, with how often that failed so far. */
  const owed = new Map<Address, number>()
  const currencies = new Set<Address>()
  const poolsInTurn = createRoundRobin(followed, verifyEveryBlocks)
  const currenciesInTurn = createRoundRobin(currencies, verifyEveryBlocks)
  let graph = createGraph([])

  const isRouted = ({ currency0, currency1 }: Pool) =>
    checks.isAccepted(currency0) && checks.isAccepted(currency1)
  const rebuild = () => {
    graph = createGraph([...book.pools.values()].filter(isRouted))
  }

  const add = (found: readonly DiscoveredPool[]) => {
    for (const pool of found) {
      if (followed.has(pool.address)) continue
      followed.set(pool.address, pool)
      owed.set(pool.address, 0)
      currencies.add(pool.currency0).add(pool.currency1)
    }
  }

  const miss = (address: Address, blockHash: Hash) => {
    const misses = (owed.get(address) ?? 0) + 1
    if (misses < mostMisses) return void owed.set(address, misses)
    owed.delete(address)
    log.warn({ chainId, pool: address, blockHash }, 'A pool cannot be read: its turn will come')
  }

  /**
   * What is read counts when it is what is held, or when a second read says the same: a node that is
   * just taking in the next block has been seen to answer for this one with some of that one's state.
   * @returns whether a routed pool is another than before.
   */
  async function readDue(addresses: readonly Address[], blockHash: Hash): Promise<boolean> {
    const read = await readAt(addresses, blockHash)
    const news = [...read.values()].filter((pool) => !isHeld(pool))
    const again = await readAt(
      news.map(({ address }) => address),
      blockHash,
    )
    const sure = news.filter((pool) => isDeepStrictEqual(pool, again.get(pool.address)))
    for (const pool of sure) noteDifference(pool, blockHash)
    book.put(sure)
    for (const address of addresses) {
      const pool = read.get(address)
      if (pool !== undefined && isHeld(pool)) owed.delete(address)
      else miss(address, blockHash)
    }
    return sure.some(isRouted)
  }

  async function readAt(addresses: readonly Address[], blockHash: Hash) {
    const found = addresses.flatMap((address) => followed.get(address) ?? [])
    const pools = await readPools({ client, chainId }, found, blockHash)
    return new Map(pools.map((pool) => [pool.address, pool]))
  }

  const isHeld = (pool: Pool): boolean => isDeepStrictEqual(pool, book.pools.get(pool.address))

  function noteDifference(pool: Pool, blockHash: Hash): void {
    const held = book.pools.get(pool.address)
    if (held === undefined) return
    onDifference()
    const difference = poolDifference(held, pool)
    log.warn({ chainId, pool: pool.address, blockHash, difference }, 'A pool was not as held')
  }

  return {
    graph: () => graph,
    followed: () => followed.size,
    add,
    apply(block) {
      const { changed, contradicted } = book.apply(block)
      add(factories.flatMap((factory) => parsePoolCreations(factory, block.logs)))
      for (const pool of contradicted) {
        owed.set(pool, 0)
        onDifference()
        log.warn(
          { chainId, pool, block: block.number },
          'The logs contradict what is held of a pool',
        )
      }
      const routed = changed.filter(isRouted)
      if (contradicted.length > 0) rebuild()
      else if (routed.length > 0) graph = updateGraph(graph, routed)
    },
    undo(blocks) {
      for (const { hash } of blocks) for (const unknown of book.undo(hash)) owed.set(unknown, 0)
      rebuild()
    },
    async settle(blockHash) {
      const due = [...new Set([...owed.keys(), ...poolsInTurn()])]
      // Unless all goes through: a part may have been read or checked by then.
      let isChanged = true
      try {
        let hasNews = false
        for (let at = 0; at < due.length; at += poolsAtOnce)
          hasNews = (await readDue(due.slice(at, at + poolsAtOnce), blockHash)) || hasNews
        const unchecked = [...currencies].filter(
          (currency) => !checks.isAccepted(currency) && !checks.refusals().has(currency),
        )
        const wanted = [...new Set([...unchecked, ...currenciesInTurn()])]
        isChanged = (await checks.check(wanted, book.pools, blockHash)) || hasNews
      } finally {
        if (isChanged) rebuild()
      }
      return isChanged
    },
  }
}
