import { isDeepStrictEqual } from 'node:util'
import type { Log as ChainLog } from 'viem'
import type { BlockId, FollowedBlock } from '#src/chains/chainEvent.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config.ts'
import type { Log } from '#src/log.ts'
import type { CurrencyChecks } from '#src/market/currencies/currencyChecks.ts'
import type { Pool } from '#src/pools/pool.ts'
import { type PoolId, poolIdOf } from '#src/pools/poolIdentity.ts'
import { createGraph, type PoolGraph, regraph, updateGraph } from '#src/pricing/router/graph.ts'
import type { Address } from '#src/units/address.ts'
import { applyLogs } from './applyLogs.ts'
import { type DiscoveredPool, marketKindOf } from './kinds/kinds.ts'
import { createPoolCurrencies } from './poolCurrencies.ts'
import { createPoolHistory } from './poolHistory.ts'
import { poolOfLog } from './poolOfLog.ts'
import { readPools } from './readPools.ts'
import { createUnlogged, type UnloggedReads } from './unlogged.ts'
import { createUnreadPools } from './unreadPools.ts'
import { createDifferences } from './verification/differences.ts'
import type { FactoryRefusals } from './verification/factoryRefusals.ts'
import { createVerificationQueue } from './verification/verificationQueue.ts'

/** The tracked pools of one chain at its head, and the graph of the routable ones. */
export type ChainPools = Readonly<{
  graph: () => PoolGraph
  /** Number of tracked pools, routable or not. */
  trackedCount: () => number
  /** Number of pools that were not read yet, or whose state is uncertain. Those that cannot be read are not among them. */
  unreadCount: () => number
  /** The block that the pools are at. Undefined before the first one. */
  head: () => BlockId | undefined
  /** Tracks these pools. The next `refresh` reads their state. */
  add: (discovered: readonly DiscoveredPool[]) => void
  /** Tracks these pools no longer, nor the currencies that no other pool has. Never while the pools are being read. */
  remove: (pools: readonly PoolId[]) => void
  /** Whether a tracked pool, or one of its currencies, waits for `refresh`. */
  isAwaited: (pool: PoolId) => boolean
  /** Moves the head to the next block by applying its logs. */
  apply: (block: FollowedBlock) => void
  /** What no log tells of the pools: to be read at each block, whose pools they are once it is settled. */
  unlogged: () => UnloggedReads
  /** Moves the head back. `blocks` are newest first. @throws Error if the blocks are too old. */
  undo: (blocks: readonly FollowedBlock[]) => void
  /** Whether there is anything for `refresh` to read. */
  hasUnread: () => boolean
  /** Reads up to `limit` of the `unreadCount` pools at the head. The next `refresh` takes them into the graph. @throws as `refresh` */
  readNew: (limit: number) => Promise<void>
  /**
   * Reads from the chain what logs do not tell: the state of new and uncertain pools and currencies. The head may move
   * meanwhile.
   * @returns whether the graph changed.
   * @throws RpcUnavailableError or RpcRefusedError if the node fails. The next call reads what is missing.
   */
  refresh: () => Promise<boolean>
  /** Milliseconds until `verify` has work. */
  verifyInMs: () => number
  /**
   * Compares a few pools and currencies that are due with the chain. The head may move meanwhile: a state is compared
   * with the one at the block that was read. A reorg voids the comparison.
   * @returns whether the graph changed.
   * @throws RpcUnavailableError or RpcRefusedError if the node fails. The same ones are then due still.
   */
  verify: () => Promise<boolean>
}>

type Deps = Readonly<{
  client: ChainClient
  log: Log
  checks: CurrencyChecks
  refusals: FactoryRefusals
  /** A monotonic clock, in milliseconds. */
  now: () => number
  /** Called for each pool whose state differs from the chain. */
  onDifference: () => void
  /** Called for each pool that was compared with the chain. */
  onVerified: () => void
}>

const poolsPerRead = 50
/** Of the first read, which is one round trip after the other: a chain has thousands. */
const newPoolsPerRead = 250

/** Bounds what one verification asks the endpoint for: up to 33 million gas for the ticks of each concentrated pool. */
const maxOwnCalls = 8
const maxCurrencyChecks = 8

type PoolLog = ChainLog<bigint, number, false>

export function createChainPools(
  { client, log, checks, refusals, now, onDifference, onVerified }: Deps,
  {
    id: chainId,
    finalityDepth,
    verifyEverySeconds,
  }: Pick<ChainConfig, 'id' | 'finalityDepth' | 'verifyEverySeconds'>,
): ChainPools {
  const history = createPoolHistory(finalityDepth)
  const tracked = new Map<PoolId, DiscoveredPool>()
  /** The pools to read at the next `refresh`. */
  const unread = createUnreadPools({ log }, chainId)
  const poolQueue = createVerificationQueue<PoolId>({ now }, verifyEverySeconds * 1000)
  const currencies = createPoolCurrencies({ checks, check, now }, verifyEverySeconds * 1000)
  /** Height of the block at which each pool was last read from the chain. */
  const readAtHeight = new Map<PoolId, bigint>()
  /** The pools that are being read, with their logs of later blocks. */
  let reading = new Map<PoolId, PoolLog[]>()
  const differences = createDifferences({ log, refusals, onDifference }, chainId)
  const unlogged = createUnlogged(history)
  let reorgs = 0
  let head: BlockId | undefined
  let graph = createGraph([])
  /** Pools were read that the graph does not have yet. */
  let isGraphOld = false

  const isRoutable = (pool: Pool) =>
    refusals.accepts(pool) &&
    unlogged.isSettled(poolIdOf(pool)) &&
    checks.isAccepted(pool.currency0) &&
    checks.isAccepted(pool.currency1)
  const rebuild = () => {
    isGraphOld = false
    graph = regraph(graph, [...history.pools.values()].filter(isRoutable))
  }

  const add = (discovered: readonly DiscoveredPool[]) => {
    for (const pool of discovered) {
      if (tracked.has(poolIdOf(pool))) {
        // A reorg undid its creation. It may have been given up since then.
        if (!history.pools.has(poolIdOf(pool))) unread.add([poolIdOf(pool)])
        continue
      }
      tracked.set(poolIdOf(pool), pool)
      unread.add([poolIdOf(pool)])
      poolQueue.add(poolIdOf(pool))
      currencies.add(pool)
      unlogged.add(pool)
    }
  }

  /**
   * Reads pools at the head and takes over those that differ, if a second read confirms the difference: a node that is
   * importing the next block sometimes answers with parts of that block's state.
   * @returns whether a routable pool changed.
   */
  async function readAtHead(ids: readonly PoolId[]): Promise<boolean> {
    const block = head
    if (block === undefined || ids.length === 0) return false
    const before = reorgs
    const known = new Map(ids.map((id) => [id, history.pools.get(id)]))
    reading = new Map(ids.map((id) => [id, []]))
    const read = await readAt(ids, block)
    const different = [...read.values()].filter(
      (pool) => !isDeepStrictEqual(pool, known.get(poolIdOf(pool))),
    )
    const reread = await readAt(different.map(poolIdOf), block)
    // The blocks that were read may be orphaned, and the known states are those of other blocks.
    if (reorgs !== before) return false
    const confirmed = different.filter((pool) =>
      isDeepStrictEqual(pool, reread.get(poolIdOf(pool))),
    )
    const taken = confirmed.flatMap((pool) => toHead(pool) ?? [])
    history.put(taken)
    if (head?.hash !== block.hash) unlogged.unsettle(taken)
    for (const onChain of confirmed) {
      const before = known.get(poolIdOf(onChain))
      const since = readAtHeight.get(poolIdOf(onChain)) ?? block.number - 1n
      if (before !== undefined) differences.report({ known: before, onChain, since }, block)
    }
    const settled = new Set(taken.map(poolIdOf))
    for (const pool of read.values()) if (!different.includes(pool)) settled.add(poolIdOf(pool))
    for (const id of ids) {
      poolQueue.verified(id)
      if (known.get(id) !== undefined) onVerified()
      if (!settled.has(id)) unread.miss(id, block)
      // A block that came meanwhile may have removed the pool, which is then read again.
      else if (history.pools.has(id)) unread.remove(id)
    }
    for (const id of settled) readAtHeight.set(id, block.number)
    for (const pool of taken) currencies.add(pool)
    return (await differences.inspect()) || taken.some(isRoutable)
  }

  async function readAt(ids: readonly PoolId[], { hash }: BlockId) {
    const discovered = ids.flatMap((id) => tracked.get(id) ?? [])
    const pools = await readPools({ client, chainId }, discovered, hash)
    return new Map(pools.map((pool) => [poolIdOf(pool), pool]))
  }

  /** The state at the head of a pool that was read at an earlier block. Undefined if the logs since then contradict it. */
  function toHead(pool: Pool): Pool | undefined {
    const id = poolIdOf(pool)
    const { changed, contradicted } = applyLogs(new Map([[id, pool]]), reading.get(id) ?? [])
    return contradicted.length > 0 ? undefined : (changed[0] ?? pool)
  }

  async function check(addresses: readonly Address[]): Promise<boolean> {
    return head === undefined ? false : checks.check(addresses, history.pools, head.hash)
  }

  /** Runs the reads, and then rebuilds the graph if they changed it, or if one threw: earlier ones may have. */
  async function rebuildAfter(reads: () => Promise<boolean>): Promise<boolean> {
    let isChanged = true
    try {
      isChanged = await reads()
    } finally {
      reading = new Map()
      if (isChanged) rebuild()
    }
    return isChanged
  }

  /** The next pools to verify, without more calls than a verification may send at a time. */
  function nextPools(): readonly PoolId[] {
    let ownCalls = 0
    return poolQueue.due(poolsPerRead).filter((id) => {
      const pool = tracked.get(id)
      if (pool !== undefined) ownCalls += marketKindOf(pool).ownCalls
      return ownCalls <= maxOwnCalls
    })
  }

  return {
    graph: () => graph,
    trackedCount: () => tracked.size,
    unreadCount: () => unread.untried().length,
    head: () => head,
    add,
    remove(ids) {
      const gone = ids.flatMap((id) => tracked.get(id) ?? [])
      for (const id of gone.map(poolIdOf)) {
        for (const each of [tracked, readAtHeight]) each.delete(id)
        unread.remove(id)
        poolQueue.remove(id)
      }
      history.remove(ids)
      unlogged.remove(ids)
      currencies.remove(gone, tracked.values())
      rebuild()
    },
    isAwaited: (id) => {
      const pool = tracked.get(id)
      return unread.has(id) || (pool !== undefined && currencies.areNew(pool))
    },
    apply(block) {
      head = { number: block.number, hash: block.hash }
      const { changed, contradicted } = history.apply(block)
      if (reading.size > 0) for (const each of block.logs) reading.get(poolOfLog(each))?.push(each)
      for (const pool of contradicted) {
        unread.add([pool])
        onDifference()
        log.warn({ chainId, pool, block: block.number }, 'Logs contradict the state of a pool')
      }
      for (const pool of changed) {
        poolQueue.trade(poolIdOf(pool))
        currencies.add(pool)
      }
      const routable = changed.filter(isRoutable)
      if (contradicted.length > 0) rebuild()
      else if (routable.length > 0) graph = updateGraph(graph, routable)
    },
    unlogged: () =>
      unlogged.next((lost) => {
        unread.add(lost)
        rebuild()
      }),
    undo(blocks) {
      reorgs += 1
      for (const { number, hash, parentHash } of blocks) {
        unread.add(history.undo(hash))
        head = { number: number - 1n, hash: parentHash }
      }
      rebuild()
    },
    readNew: async (limit) => {
      const due = unread.untried().slice(0, limit)
      isGraphOld = true
      for (let at = 0; at < due.length; at += newPoolsPerRead)
        await readAtHead(due.slice(at, at + newPoolsPerRead))
    },
    hasUnread: () => unread.all().length > 0 || currencies.areNew(),
    refresh: () =>
      rebuildAfter(async () => {
        const due = unread.all()
        let isChanged = isGraphOld
        for (let at = 0; at < due.length; at += poolsPerRead)
          isChanged = (await readAtHead(due.slice(at, at + poolsPerRead))) || isChanged
        return (await currencies.checkNew()) || isChanged
      }),
    verifyInMs: () => Math.min(poolQueue.waitMs(), currencies.verifyInMs()),
    verify: () =>
      rebuildAfter(async () => {
        const hasRefused = await differences.inspect()
        const arePoolsChanged = await readAtHead(nextPools())
        const areCurrenciesChanged = await currencies.verify(maxCurrencyChecks)
        return hasRefused || arePoolsChanged || areCurrenciesChanged
      }),
  }
}
