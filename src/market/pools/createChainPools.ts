import type { Log as ChainLog } from 'viem'
import type { BlockId } from '#src/chains/chainEvent.ts'
import { chunksOf } from '#src/chains/chunksOf.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { type PoolId, poolIdOf } from '#src/core/pools/poolIdentity.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { CurrencyChecks } from '#src/market/currencies/currencyChecks.ts'
import { type DiscoveredPool, marketKindOf } from '#src/market/kinds/kinds.ts'
import { inTurns } from '#src/market/reads/inTurns.ts'
import { applyLogs } from './applyLogs.ts'
import type { ChainPools } from './chainPools.ts'
import { createPoolCurrencies } from './poolCurrencies.ts'
import { depthOf } from './poolDepth.ts'
import { createPoolHistory } from './poolHistory.ts'
import { poolOfLog } from './poolOfLog.ts'
import { readPools, readTwice } from './readPools.ts'
import { createRoutablePools } from './routablePools.ts'
import { createSingleReads } from './singleReads.ts'
import { createUnlogged } from './unlogged.ts'
import { createDifferences } from './verification/differences.ts'
import type { FactoryRefusals } from './verification/factoryRefusals.ts'
import { createVerificationQueue } from './verification/verificationQueue.ts'

type Deps = Readonly<{
  client: ChainClient
  log: Log
  checks: CurrencyChecks
  refusals: FactoryRefusals
  /** A monotonic clock, in milliseconds. */
  now: () => number
  /** Called for each pool whose known state differs from the chain. */
  onDifference: () => void
  /** Called for each pool that was compared with the chain. */
  onVerified: () => void
}>

const poolsPerRead = 50
/** Pools in one read of the first read, which makes several such reads in parallel. */
const newPoolsPerRead = 250

/** Bounds the load of one verification: the ticks of a concentrated pool take up to 33 million gas. */
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
  /** The graph lacks pools that `readNew` has read. */
  let isGraphOld = false
  const singleReads = createSingleReads()
  const { isCurrent } = unlogged
  const routable = createRoutablePools({ pools: history.pools, checks, refusals, isCurrent })
  const rebuild = () => {
    isGraphOld = false
    routable.rebuild()
  }

  const add = (discovered: readonly DiscoveredPool[]) => {
    for (const pool of discovered) {
      if (tracked.has(poolIdOf(pool))) {
        // A reorg may have undone its creation, and the failed reads since then may have removed it from `unread`.
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

  /** Reads pools at the head and adopts the states that differ. @returns whether the routable pools changed. */
  async function readAtHead(ids: readonly PoolId[]): Promise<boolean> {
    const block = head
    if (block === undefined || ids.length === 0) return false
    const before = reorgs
    const known = new Map(ids.map((id) => [id, history.pools.get(id)]))
    reading = new Map(ids.map((id) => [id, []]))
    const { same, confirmed } = await readTwice((some) => readAt(some, block), known)
    // After a reorg the block that was read may be orphaned, and the known states may be those of other blocks.
    if (reorgs !== before) return false
    const taken = confirmed.flatMap((pool) => toHead(pool) ?? [])
    history.put(taken)
    if (head?.hash !== block.hash) unlogged.invalidate(taken)
    for (const onChain of confirmed) {
      const before = known.get(poolIdOf(onChain))
      const since = readAtHeight.get(poolIdOf(onChain)) ?? block.number - 1n
      if (before !== undefined) differences.report({ known: before, onChain, since }, block)
    }
    const resolved = new Set([...taken.map(poolIdOf), ...same])
    for (const id of ids) {
      poolQueue.verified(id)
      if (known.get(id) !== undefined) onVerified()
      if (!resolved.has(id)) unread.miss(id, block)
      // A block that was applied during the read may have removed the pool: it stays in `unread`.
      else if (history.pools.has(id)) unread.remove(id)
    }
    for (const id of resolved) readAtHeight.set(id, block.number)
    for (const pool of taken) currencies.add(pool)
    return (await differences.inspect()) || taken.some(routable.accepts)
  }

  async function readAt(ids: readonly PoolId[], { hash }: BlockId) {
    const discovered = ids.flatMap((id) => tracked.get(id) ?? [])
    const pools = await readPools({ client, chainId }, discovered, hash)
    return new Map(pools.map((pool) => [poolIdOf(pool), pool]))
  }

  /** Reads unknown pools at the head and adopts them without a second read. */
  async function readOnceAtHead(ids: readonly PoolId[], block: BlockId): Promise<void> {
    const read = await readAt(ids, block)
    history.put([...read.values()])
    singleReads.add([...read.keys()], block.number)
    for (const id of ids) {
      poolQueue.verified(id)
      const pool = read.get(id)
      if (pool === undefined) {
        unread.miss(id, block)
        continue
      }
      unread.remove(id)
      readAtHeight.set(id, block.number)
      currencies.add(pool)
      // Caches the depth now: prices and probes need all depths at once after the first read.
      depthOf(pool)
    }
  }

  /** Moves a pool that was read at an earlier block to the head. Undefined if the logs since then contradict it. */
  function toHead(pool: Pool): Pool | undefined {
    const id = poolIdOf(pool)
    const { changed, contradicted } = applyLogs(new Map([[id, pool]]), reading.get(id) ?? [])
    return contradicted.length > 0 ? undefined : (changed[0] ?? pool)
  }

  async function check(addresses: readonly Address[]): Promise<boolean> {
    return head === undefined ? false : checks.check(addresses, history.pools, head.hash)
  }

  /**
   * Runs the reads, and rebuilds the graph if they changed it or threw: a read before the failure may have changed it.
   */
  async function rebuildAfter(reads: () => Promise<boolean>): Promise<boolean> {
    let isChanged = true
    try {
      isChanged = await reads()
    } finally {
      reading = new Map()
      if (isGraphOld) await routable.fill()
      if (isChanged) rebuild()
    }
    return isChanged
  }

  /** The next pools to verify, limited by the number of calls that one verification may send. */
  function nextPools(): readonly PoolId[] {
    let ownCalls = 0
    return poolQueue.due(poolsPerRead).filter((id) => {
      const pool = tracked.get(id)
      if (pool !== undefined) ownCalls += marketKindOf(pool).ownCalls
      return ownCalls <= maxOwnCalls
    })
  }

  return {
    graph: routable.graph,
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
      unread.add(singleReads.doubtedBy(block))
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
      if (contradicted.length > 0) rebuild()
      else routable.update(changed)
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
      const block = head
      if (block === undefined) return
      isGraphOld = true
      const due = chunksOf(unread.untried().slice(0, limit), newPoolsPerRead)
      await inTurns(due, (ids) => readOnceAtHead(ids, block))
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

/** The pools to read at the next refresh. */
type UnreadPools = Readonly<{
  /** Adds pools, or forgets their failed reads. */
  add: (ids: readonly PoolId[]) => void
  remove: (id: PoolId) => void
  has: (id: PoolId) => boolean
  all: () => readonly PoolId[]
  /** The pools without a failed read. */
  untried: () => readonly PoolId[]
  /** Counts a failed read. Removes the pool after five failures in a row; its next verification reads it again. */
  miss: (id: PoolId, block: BlockId) => void
}>

const maxMisses = 5

function createUnreadPools({ log }: Readonly<{ log: Log }>, chainId: ChainId): UnreadPools {
  /** Number of consecutive failed reads of each pool. */
  const misses = new Map<PoolId, number>()

  return {
    add(ids) {
      for (const id of ids) misses.set(id, 0)
    },
    remove: (id) => void misses.delete(id),
    has: (id) => misses.has(id),
    all: () => [...misses.keys()],
    untried: () => [...misses].flatMap(([id, count]) => (count === 0 ? [id] : [])),
    miss(id, { hash: blockHash }) {
      const count = (misses.get(id) ?? 0) + 1
      if (count < maxMisses) return void misses.set(id, count)
      misses.delete(id)
      log.warn(
        { chainId, pool: id, blockHash },
        'Cannot read a pool; tries again at its next verification',
      )
    },
  }
}
