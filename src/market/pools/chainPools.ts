import type { Log as ChainLog } from 'viem'
import type { BlockId, FollowedBlock } from '#src/chains/chainEvent.ts'
import { chunksOf } from '#src/chains/chunksOf.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { type PoolId, poolIdOf } from '#src/core/pools/poolKind.ts'
import type { PoolGraph } from '#src/core/router/graph.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { CurrencyChecks } from '#src/market/currencies/currencyChecks.ts'
import { type DiscoveredPool, marketKindOf } from '#src/market/kinds/kinds.ts'
import { depthOf } from '#src/market/kinds/poolDepth.ts'
import { inTurns } from '#src/market/reads/inTurns.ts'
import { createPoolCurrencies, type PoolCurrencies } from './poolCurrencies.ts'
import {
  applyLogs,
  createPoolHistory,
  createSingleReads,
  type PoolHistory,
  poolOfLog,
} from './poolHistory.ts'
import { readPools, readTwice } from './readPools.ts'
import { createRoutablePools, type RoutablePools } from './routablePools.ts'
import { createUnlogged, type Unlogged, type UnloggedReads } from './unlogged.ts'
import type { FactoryRefusals } from './verification/factoryRefusals.ts'
import {
  createDifferences,
  createVerificationQueue,
  type Differences,
  type VerificationQueue,
} from './verification/verificationQueue.ts'

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

type Chain = Readonly<{ id: ChainId; finalityDepth: number; verifyEverySeconds: number }>

/** The pools that the first read of a market reads. */
export type NewPools = Readonly<{
  /** Number of tracked pools, routable or not. */
  trackedCount: () => number
  /** Number of pools that are new or whose state is uncertain, without those whose last read failed. */
  unreadCount: () => number
  /**
   * Reads up to `limit` of the `unreadCount` pools at the head, which must not move during the read. The next `refresh`
   * adds them to the graph. @throws as `refresh`
   */
  readNew: (limit: number) => Promise<void>
}>

/** The pools that the upkeep keeps right. */
export type UpkeptPools = Readonly<{
  /** The block of the pools' states. Undefined before the first block. */
  head: () => BlockId | undefined
  /** Whether there is anything for `refresh` to read. */
  hasUnread: () => boolean
  /**
   * Reads new and uncertain pools from the chain, and checks new currencies. The head may move during the read.
   * @returns whether the graph changed.
   * @throws RpcUnavailableError or RpcRefusedError if the node fails. The next call repeats the failed reads.
   */
  refresh: () => Promise<boolean>
  /** Milliseconds until `verify` has work. */
  verifyInMs: () => number
  /**
   * Compares a few due pools and currencies with the chain. The head may move during the read: a state is compared with
   * the known state at the same block. A reorg voids the comparison.
   * @returns whether the graph changed.
   * @throws RpcUnavailableError or RpcRefusedError if the node fails. The same pools and currencies then stay due.
   */
  verify: () => Promise<boolean>
}>

/** The tracked pools, which the selection changes. */
export type TrackedPools = Readonly<{
  /** The block of the pools' states. Undefined before the first block. */
  head: () => BlockId | undefined
  /** Tracks these pools. The next `refresh` reads their state. */
  add: (discovered: readonly DiscoveredPool[]) => void
  /** Stops tracking these pools, and currencies that are in no other pool. Must not run during a read of pools. */
  remove: (pools: readonly PoolId[]) => void
  /** Whether a tracked pool or one of its currencies waits for `refresh`. */
  isAwaited: (pool: PoolId) => boolean
}>

/** The tracked pools of one chain at its head, and the graph of the routable ones. */
export class ChainPools implements NewPools, UpkeptPools, TrackedPools {
  readonly #deps: Deps
  readonly #chainId: ChainId
  readonly #history: PoolHistory
  readonly #tracked = new Map<PoolId, DiscoveredPool>()
  /** The pools to read at the next `refresh`. */
  readonly #unread: UnreadPools
  readonly #queue: VerificationQueue<PoolId>
  readonly #currencies: PoolCurrencies
  readonly #differences: Differences
  readonly #unlogged: Unlogged
  readonly #singleReads = createSingleReads()
  readonly #routable: RoutablePools
  /** Height of the block at which each pool was last read from the chain. */
  readonly #readAtHeight = new Map<PoolId, bigint>()
  /** The pools that are being read, with their logs of later blocks. */
  #reading = new Map<PoolId, PoolLog[]>()
  #reorgs = 0
  #head: BlockId | undefined
  /** The graph lacks pools that `readNew` has read. */
  #isGraphOld = false

  constructor(deps: Deps, { id, finalityDepth, verifyEverySeconds }: Chain) {
    const { checks, log, now, onDifference, refusals } = deps
    this.#deps = deps
    this.#chainId = id
    this.#history = createPoolHistory(finalityDepth)
    this.#unread = createUnreadPools({ log }, id)
    this.#queue = createVerificationQueue<PoolId>({ now }, verifyEverySeconds * 1000)
    const check = (addresses: readonly Address[]) => this.#check(addresses)
    this.#currencies = createPoolCurrencies({ checks, check, now }, verifyEverySeconds * 1000)
    this.#differences = createDifferences({ log, refusals, onDifference }, id)
    this.#unlogged = createUnlogged(this.#history)
    const { isCurrent } = this.#unlogged
    this.#routable = createRoutablePools({
      pools: this.#history.pools,
      checks,
      refusals,
      isCurrent,
    })
  }

  graph(): PoolGraph {
    return this.#routable.graph()
  }

  trackedCount(): number {
    return this.#tracked.size
  }

  unreadCount(): number {
    return this.#unread.untried().length
  }

  head(): BlockId | undefined {
    return this.#head
  }

  add(discovered: readonly DiscoveredPool[]): void {
    for (const pool of discovered) {
      if (this.#tracked.has(poolIdOf(pool))) {
        // A reorg may have undone its creation, and the failed reads since then may have removed it from `unread`.
        if (!this.#history.pools.has(poolIdOf(pool))) this.#unread.add([poolIdOf(pool)])
        continue
      }
      this.#tracked.set(poolIdOf(pool), pool)
      this.#unread.add([poolIdOf(pool)])
      this.#queue.add(poolIdOf(pool))
      this.#currencies.add(pool)
      this.#unlogged.add(pool)
    }
  }

  remove(ids: readonly PoolId[]): void {
    const gone = ids.flatMap((id) => this.#tracked.get(id) ?? [])
    for (const id of gone.map(poolIdOf)) {
      for (const each of [this.#tracked, this.#readAtHeight]) each.delete(id)
      this.#unread.remove(id)
      this.#queue.remove(id)
    }
    this.#history.remove(ids)
    this.#unlogged.remove(ids)
    this.#currencies.remove(gone, this.#tracked.values())
    this.#rebuild()
  }

  isAwaited(id: PoolId): boolean {
    const pool = this.#tracked.get(id)
    return this.#unread.has(id) || (pool !== undefined && this.#currencies.areNew(pool))
  }

  /** Moves the head to the next block by applying its logs. */
  apply(block: FollowedBlock): void {
    this.#head = { number: block.number, hash: block.hash }
    const { changed, contradicted } = this.#history.apply(block)
    this.#unread.add(this.#singleReads.doubtedBy(block))
    if (this.#reading.size > 0)
      for (const each of block.logs) this.#reading.get(poolOfLog(each))?.push(each)
    for (const pool of contradicted) {
      this.#unread.add([pool])
      this.#deps.onDifference()
      this.#deps.log.warn(
        { chainId: this.#chainId, pool, block: block.number },
        'Logs contradict the state of a pool',
      )
    }
    for (const pool of changed) {
      this.#queue.trade(poolIdOf(pool))
      this.#currencies.add(pool)
    }
    if (contradicted.length > 0) this.#rebuild()
    else this.#routable.update(changed)
  }

  /** Reads of the pool values that change without a log, to be made at each block and committed once it is applied. */
  unlogged(): UnloggedReads {
    return this.#unlogged.next((lost) => {
      this.#unread.add(lost)
      this.#rebuild()
    })
  }

  /** Moves the head back. `blocks` are newest first. @throws Error if the blocks are too old. */
  undo(blocks: readonly FollowedBlock[]): void {
    this.#reorgs += 1
    for (const { number, hash, parentHash } of blocks) {
      this.#unread.add(this.#history.undo(hash))
      this.#head = { number: number - 1n, hash: parentHash }
    }
    this.#rebuild()
  }

  async readNew(limit: number): Promise<void> {
    const block = this.#head
    if (block === undefined) return
    this.#isGraphOld = true
    const due = chunksOf(this.#unread.untried().slice(0, limit), newPoolsPerRead)
    await inTurns(due, (ids) => this.#readOnceAtHead(ids, block))
  }

  hasUnread(): boolean {
    return this.#unread.all().length > 0 || this.#currencies.areNew()
  }

  refresh(): Promise<boolean> {
    return this.#rebuildAfter(async () => {
      const due = this.#unread.all()
      let isChanged = this.#isGraphOld
      for (let at = 0; at < due.length; at += poolsPerRead)
        isChanged = (await this.#readAtHead(due.slice(at, at + poolsPerRead))) || isChanged
      return (await this.#currencies.checkNew()) || isChanged
    })
  }

  verifyInMs(): number {
    return Math.min(this.#queue.waitMs(), this.#currencies.verifyInMs())
  }

  verify(): Promise<boolean> {
    return this.#rebuildAfter(async () => {
      const hasRefused = await this.#differences.inspect()
      const arePoolsChanged = await this.#readAtHead(this.#nextPools())
      const areCurrenciesChanged = await this.#currencies.verify(maxCurrencyChecks)
      return hasRefused || arePoolsChanged || areCurrenciesChanged
    })
  }

  #rebuild(): void {
    this.#isGraphOld = false
    this.#routable.rebuild()
  }

  /** Reads pools at the head and adopts the states that differ. @returns whether the routable pools changed. */
  async #readAtHead(ids: readonly PoolId[]): Promise<boolean> {
    const block = this.#head
    if (block === undefined || ids.length === 0) return false
    const before = this.#reorgs
    const known = new Map(ids.map((id) => [id, this.#history.pools.get(id)]))
    this.#reading = new Map(ids.map((id) => [id, []]))
    const { same, confirmed } = await readTwice((some) => this.#readAt(some, block), known)
    // After a reorg the block that was read may be orphaned, and the known states may be those of other blocks.
    if (this.#reorgs !== before) return false
    const taken = confirmed.flatMap((pool) => this.#toHead(pool) ?? [])
    this.#history.put(taken)
    if (this.#head?.hash !== block.hash) this.#unlogged.invalidate(taken)
    for (const onChain of confirmed) {
      const before = known.get(poolIdOf(onChain))
      const since = this.#readAtHeight.get(poolIdOf(onChain)) ?? block.number - 1n
      if (before !== undefined) this.#differences.report({ known: before, onChain, since }, block)
    }
    const resolved = new Set([...taken.map(poolIdOf), ...same])
    for (const id of ids) {
      this.#queue.verified(id)
      if (known.get(id) !== undefined) this.#deps.onVerified()
      if (!resolved.has(id)) this.#unread.miss(id, block)
      // A block that was applied during the read may have removed the pool: it stays in `unread`.
      else if (this.#history.pools.has(id)) this.#unread.remove(id)
    }
    for (const id of resolved) this.#readAtHeight.set(id, block.number)
    for (const pool of taken) this.#currencies.add(pool)
    return (await this.#differences.inspect()) || taken.some(this.#routable.accepts)
  }

  async #readAt(ids: readonly PoolId[], { hash }: BlockId): Promise<Map<PoolId, Pool>> {
    const discovered = ids.flatMap((id) => this.#tracked.get(id) ?? [])
    const pools = await readPools(
      { client: this.#deps.client, chainId: this.#chainId },
      discovered,
      hash,
    )
    return new Map(pools.map((pool) => [poolIdOf(pool), pool]))
  }

  /** Reads unknown pools at the head and adopts them without a second read. */
  async #readOnceAtHead(ids: readonly PoolId[], block: BlockId): Promise<void> {
    const read = await this.#readAt(ids, block)
    this.#history.put([...read.values()])
    this.#singleReads.add([...read.keys()], block.number)
    for (const id of ids) {
      this.#queue.verified(id)
      const pool = read.get(id)
      if (pool === undefined) {
        this.#unread.miss(id, block)
        continue
      }
      this.#unread.remove(id)
      this.#readAtHeight.set(id, block.number)
      this.#currencies.add(pool)
      // Caches the depth now: prices and probes need all depths at once after the first read.
      depthOf(pool)
    }
  }

  /** Moves a pool that was read at an earlier block to the head. Undefined if the logs since then contradict it. */
  #toHead(pool: Pool): Pool | undefined {
    const id = poolIdOf(pool)
    const { changed, contradicted } = applyLogs(new Map([[id, pool]]), this.#reading.get(id) ?? [])
    return contradicted.length > 0 ? undefined : (changed[0] ?? pool)
  }

  async #check(addresses: readonly Address[]): Promise<boolean> {
    return this.#head === undefined
      ? false
      : this.#deps.checks.check(addresses, this.#history.pools, this.#head.hash)
  }

  /**
   * Runs the reads, and rebuilds the graph if they changed it or threw: a read before the failure may have changed it.
   */
  async #rebuildAfter(reads: () => Promise<boolean>): Promise<boolean> {
    let isChanged = true
    try {
      isChanged = await reads()
    } finally {
      this.#reading = new Map()
      if (this.#isGraphOld) await this.#routable.fill()
      if (isChanged) this.#rebuild()
    }
    return isChanged
  }

  /** The next pools to verify, limited by the number of calls that one verification may send. */
  #nextPools(): readonly PoolId[] {
    let ownCalls = 0
    return this.#queue.due(poolsPerRead).filter((id) => {
      const pool = this.#tracked.get(id)
      if (pool !== undefined) ownCalls += marketKindOf(pool).ownCalls
      return ownCalls <= maxOwnCalls
    })
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
        'Cannot read a pool; retrying at its next verification',
      )
    },
  }
}
