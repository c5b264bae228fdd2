import { isDeepStrictEqual } from 'node:util'
import type { Log as ChainLog } from 'viem'
import type { BlockId, FollowedBlock } from '#src/chains/chainEvent.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config.ts'
import type { Log } from '#src/log.ts'
import type { CurrencyChecks } from '#src/market/currencies/currencyChecks.ts'
import type { Pool } from '#src/pools/pool.ts'
import { createGraph, type PoolGraph, updateGraph } from '#src/pricing/router/graph.ts'
import { type Address, toAddress } from '#src/units/address.ts'
import { applyLogs } from './applyLogs.ts'
import type { DiscoveredPool } from './discovery/discoveredPool.ts'
import { createPoolCurrencies } from './poolCurrencies.ts'
import { createPoolHistory } from './poolHistory.ts'
import { readPools } from './readPools.ts'
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
  remove: (addresses: readonly Address[]) => void
  /** Whether a tracked pool, or one of its currencies, waits for `refresh`. */
  isAwaited: (address: Address) => boolean
  /** Moves the head to the next block by applying its logs. */
  apply: (block: FollowedBlock) => void
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

/** Bounds the calls that one verification sends at a time: the ticks of each concentrated pool are one. */
const maxTickReads = 8
const maxCurrencyChecks = 8

/** After this many failed reads in a row, a pool waits for its next verification. */
const maxMisses = 5

type PoolLog = ChainLog<bigint, number, false>

export function createChainPools(
  { client, log, checks, refusals, now, onDifference, onVerified }: Deps,
  { id: chainId, finalityDepth, verifyEverySeconds }: ChainConfig,
): ChainPools {
  const history = createPoolHistory(finalityDepth)
  const tracked = new Map<Address, DiscoveredPool>()
  /** The pools to read at the next `refresh`, with their failed reads in a row. */
  const unread = new Map<Address, number>()
  const poolQueue = createVerificationQueue<Address>({ now }, verifyEverySeconds * 1000)
  const currencies = createPoolCurrencies({ checks, check, now }, verifyEverySeconds * 1000)
  /** Height of the block at which each pool was last read from the chain. */
  const readAtHeight = new Map<Address, bigint>()
  /** The pools that are being read, with their logs of later blocks. */
  let reading = new Map<Address, PoolLog[]>()
  const differences = createDifferences({ log, refusals, onDifference }, chainId)
  let reorgs = 0
  let head: BlockId | undefined
  let graph = createGraph([])
  /** Pools were read that the graph does not have yet. */
  let isGraphOld = false

  const isRoutable = (pool: Pool) =>
    refusals.accepts(pool) && checks.isAccepted(pool.currency0) && checks.isAccepted(pool.currency1)
  const rebuild = () => {
    isGraphOld = false
    graph = createGraph([...history.pools.values()].filter(isRoutable))
  }

  const add = (discovered: readonly DiscoveredPool[]) => {
    for (const pool of discovered) {
      if (tracked.has(pool.address)) {
        // A reorg undid its creation. It may have been given up since then.
        if (!history.pools.has(pool.address)) unread.set(pool.address, 0)
        continue
      }
      tracked.set(pool.address, pool)
      unread.set(pool.address, 0)
      poolQueue.add(pool.address)
      currencies.add(pool)
    }
  }

  const untried = (): readonly Address[] =>
    [...unread].flatMap(([address, misses]) => (misses === 0 ? [address] : []))

  const recordMiss = (address: Address, { hash: blockHash }: BlockId) => {
    const misses = (unread.get(address) ?? 0) + 1
    if (misses < maxMisses) return void unread.set(address, misses)
    unread.delete(address)
    log.warn(
      { chainId, pool: address, blockHash },
      'Cannot read a pool; tries again at its next verification',
    )
  }

  /**
   * Reads pools at the head and takes over those that differ, if a second read confirms the difference: a node that is
   * importing the next block sometimes answers with parts of that block's state.
   * @returns whether a routable pool changed.
   */
  async function readAtHead(addresses: readonly Address[]): Promise<boolean> {
    const block = head
    if (block === undefined || addresses.length === 0) return false
    const before = reorgs
    const known = new Map(addresses.map((address) => [address, history.pools.get(address)]))
    reading = new Map(addresses.map((address) => [address, []]))
    const read = await readAt(addresses, block)
    const different = [...read.values()].filter(
      (pool) => !isDeepStrictEqual(pool, known.get(pool.address)),
    )
    const reread = await readAt(
      different.map(({ address }) => address),
      block,
    )
    // The blocks that were read may be orphaned, and the known states are those of other blocks.
    if (reorgs !== before) return false
    const confirmed = different.filter((pool) => isDeepStrictEqual(pool, reread.get(pool.address)))
    const taken = confirmed.flatMap((pool) => toHead(pool) ?? [])
    history.put(taken)
    for (const onChain of confirmed) {
      const before = known.get(onChain.address)
      const since = readAtHeight.get(onChain.address) ?? block.number - 1n
      if (before !== undefined) differences.report({ known: before, onChain, since }, block)
    }
    const settled = new Set(taken.map(({ address }) => address))
    for (const pool of read.values()) if (!different.includes(pool)) settled.add(pool.address)
    for (const address of addresses) {
      poolQueue.verified(address)
      if (known.get(address) !== undefined) onVerified()
      if (!settled.has(address)) recordMiss(address, block)
      // A block that came meanwhile may have removed the pool, which is then read again.
      else if (history.pools.has(address)) unread.delete(address)
    }
    for (const address of settled) readAtHeight.set(address, block.number)
    for (const pool of taken) currencies.add(pool)
    return (await differences.inspect()) || taken.some(isRoutable)
  }

  async function readAt(addresses: readonly Address[], { hash }: BlockId) {
    const discovered = addresses.flatMap((address) => tracked.get(address) ?? [])
    const pools = await readPools({ client, chainId }, discovered, hash)
    return new Map(pools.map((pool) => [pool.address, pool]))
  }

  /** The state at the head of a pool that was read at an earlier block. Undefined if the logs since then contradict it. */
  function toHead(pool: Pool): Pool | undefined {
    const { address } = pool
    const { changed, contradicted } = applyLogs(
      new Map([[address, pool]]),
      reading.get(address) ?? [],
    )
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
  function nextPools(): readonly Address[] {
    let tickReads = 0
    return poolQueue.due(poolsPerRead).filter((address) => {
      if (tracked.get(address)?.kind === 'concentrated') tickReads += 1
      return tickReads <= maxTickReads
    })
  }

  return {
    graph: () => graph,
    trackedCount: () => tracked.size,
    unreadCount: () => untried().length,
    head: () => head,
    add,
    remove(addresses) {
      const gone = addresses.flatMap((address) => tracked.get(address) ?? [])
      for (const { address } of gone) {
        for (const each of [tracked, unread, readAtHeight]) each.delete(address)
        poolQueue.remove(address)
      }
      history.remove(addresses)
      currencies.remove(gone, tracked.values())
      rebuild()
    },
    isAwaited: (address) => {
      const pool = tracked.get(address)
      return unread.has(address) || (pool !== undefined && currencies.areNew(pool))
    },
    apply(block) {
      head = { number: block.number, hash: block.hash }
      const { changed, contradicted } = history.apply(block)
      if (reading.size > 0)
        for (const each of block.logs) reading.get(toAddress(each.address))?.push(each)
      for (const pool of contradicted) {
        unread.set(pool, 0)
        onDifference()
        log.warn({ chainId, pool, block: block.number }, 'Logs contradict the state of a pool')
      }
      for (const pool of changed) {
        poolQueue.trade(pool.address)
        currencies.add(pool)
      }
      const routable = changed.filter(isRoutable)
      if (contradicted.length > 0) rebuild()
      else if (routable.length > 0) graph = updateGraph(graph, routable)
    },
    undo(blocks) {
      reorgs += 1
      for (const { number, hash, parentHash } of blocks) {
        for (const unknown of history.undo(hash)) unread.set(unknown, 0)
        head = { number: number - 1n, hash: parentHash }
      }
      rebuild()
    },
    readNew: async (limit) => {
      const due = untried().slice(0, limit)
      isGraphOld = true
      for (let at = 0; at < due.length; at += poolsPerRead)
        await readAtHead(due.slice(at, at + poolsPerRead))
    },
    hasUnread: () => unread.size > 0 || currencies.areNew(),
    refresh: () =>
      rebuildAfter(async () => {
        const due = [...unread.keys()]
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
