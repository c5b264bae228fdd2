import { setImmediate } from 'node:timers/promises'
import { type Hash, zeroAddress } from 'viem'
import { backOff } from '#src/chains/backoff.ts'
import type { BlockId, FollowedBlock } from '#src/chains/chainEvent.ts'
import { createReadFinal, type ReadFinal } from '#src/chains/follow/finality.ts'
import { readBlockLogs, readHeaderAt, readHeaderOf } from '#src/chains/read/readBlock.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type BlockLog, type Header, parseHeader } from '#src/chains/rpc/rpcAnswer.ts'
import { RpcUnavailableError } from '#src/chains/rpc/rpcError.ts'
import { createRangeLimit } from '#src/chains/search/rangeLimit.ts'
import { nodesDiffer, resumeSearch, searchLogs } from '#src/chains/search/searchLogs.ts'
import {
  type LogPlace,
  type LogSearch,
  type SearchState,
  type SearchStore,
  withLease,
} from '#src/chains/search/searchStore.ts'
import type { Log } from '#src/config/log.ts'
import { AppError, reasonOf } from '#src/core/errors.ts'
import { type PoolId, poolIdOf } from '#src/core/pools/poolKind.ts'
import { toAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import {
  type Creation,
  type DiscoveredPool,
  type Factory,
  marketKindOf,
} from '#src/market/kinds/kinds.ts'
import { readAll } from '#src/market/reads/readAll.ts'
import { askFactories, parseCreations } from './poolCreations.ts'

/** The pools of a chain: the pools of configured pairs, and the pools of whole factories. */
export type FoundPools = Readonly<{
  ofPairs: readonly DiscoveredPool[]
  ofFactories: readonly DiscoveredPool[]
}>

type Deps = Readonly<{
  client: ChainClient
  log: Log
  store: SearchStore
  /** A monotonic clock, in milliseconds. */
  now: () => number
}>

type Chain = Readonly<{
  id: ChainId
  displayName: string
  factories: readonly Factory[]
  finalityDepth: number
}>

/** The database has fewer logs than the search has found. */
class LostLogsError extends AppError {
  constructor(chainId: ChainId, { stored, found }: Readonly<{ stored: number; found: number }>) {
    super(
      'SERVICE_UNAVAILABLE',
      `The database has ${stored} of ${found} logs of chain ${chainId}: searching from the start.`,
      { chainId },
    )
  }
}

/** Finds the pools that a chain's configuration selects. */
export class Discovery {
  readonly #deps: Deps
  readonly #chain: Chain
  /** For a factory with configured pairs, the factory itself is asked for the pools. */
  readonly #searched: readonly Factory[]
  readonly #readFinal: ReadFinal
  readonly #report: (progress: SearchProgress) => void
  readonly #found = new Map<PoolId, Creation>()
  readonly #verified = new Set<PoolId>()
  /** The first block of each factory that the stored search does not cover. */
  readonly #nextBlocks = new Map<Factory, bigint>()
  #genesis: Hash | undefined
  #isPrepared = false
  #learnt: bigint | undefined
  #progress: SearchProgress | undefined

  constructor(deps: Deps, chain: Chain) {
    this.#deps = deps
    this.#chain = chain
    this.#searched = chain.factories.filter(({ pairs }) => pairs.length === 0)
    this.#readFinal = createReadFinal(deps.client, chain)
    this.#report = createProgressReport(deps, chain.id)
  }

  /** Undefined while no search runs. */
  progress(): SearchProgress | undefined {
    return this.#progress
  }

  /** Number of the pools that `prepare` has found. */
  foundCount(): number {
    return this.#found.size
  }

  /**
   * Searches the logs of all final blocks. Starts where any process on the same store has stopped. Retries after
   * failures, until the search is complete or the signal fires. A second call does nothing: `at` searches the newer
   * blocks, so that neither the database nor another process can delay it.
   */
  async prepare(signal: AbortSignal): Promise<void> {
    if (this.#searched.length === 0) return
    for (let failures = 1; !this.#isPrepared && !signal.aborted; failures += 1) {
      const before = this.#progress?.searchedBlocks
      try {
        await this.#search(signal)
        this.#isPrepared = true
        this.#progress = undefined
        return
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof AppError)) throw error
        this.#deps.log.warn(
          { chainId: this.#chain.id, reason: reasonOf(error) },
          'Cannot search for pools; will resume where it stopped',
        )
        if (this.#progress?.searchedBlocks !== before) failures = 1
        await backOff(failures, signal)
      }
    }
  }

  /**
   * All pools that exist at a block.
   * @throws RpcUnavailableError or RpcRefusedError if the node fails.
   */
  async at(block: BlockId, signal: AbortSignal): Promise<FoundPools> {
    const { hash } = block
    const newest = this.#searched.length === 0 ? [] : await this.#readNewest(block, signal)
    const tails = await Promise.all(
      this.#searched.map((factory) => this.#searchTail(factory, newest, signal)),
    )
    const created = [...this.#found.values(), ...tails.flat()]
    await this.#verify(created, hash)
    const configured = this.#chain.factories.map((factory) =>
      findConfiguredPools(this.#deps.client, factory, hash),
    )
    const own = created.map(({ pool }) => pool).filter((pool) => this.#verified.has(poolIdOf(pool)))
    return { ofPairs: (await Promise.all(configured)).flat(), ofFactories: own }
  }

  #expect(header: Header | undefined): Header {
    if (header === undefined) throw new RpcUnavailableError(this.#chain)
    return header
  }

  /** The newest final block, and the height of the newest block. Undefined while the chain has no final block. */
  async #newestFinal(
    signal: AbortSignal,
  ): Promise<Readonly<{ final: BlockId; height: bigint }> | undefined> {
    const latest = this.#expect(await this.#deps.client.ask(latestBlock, parseHeader, signal))
    const final = await this.#readFinal(latest.number, signal)
    if (final === undefined) return undefined
    const hash =
      final.hash ?? this.#expect(await readHeaderAt(this.#deps.client, final.number, signal)).hash
    return { final: { number: final.number, hash }, height: latest.number }
  }

  #searchOf(factory: Factory, genesis: Hash): LogSearch {
    return {
      chainId: this.#chain.id,
      genesis,
      address: factory.factory,
      topic: marketKindOf(factory).creationTopic,
    }
  }

  async #search(signal: AbortSignal): Promise<void> {
    const own = this.#expect(await readHeaderAt(this.#deps.client, 0n, signal)).hash
    this.#genesis = own
    const newest = await this.#newestFinal(signal)
    if (newest === undefined) return
    const onWait = () => {
      this.#progress = { ...this.#progressOf(newest.final, new Map()), isWaiting: true }
      this.#deps.log.info(
        { chainId: this.#chain.id },
        'Waiting for another process that searches the chain for pools',
      )
    }
    const lease = { duty: `pools:${this.#chain.id}`, onWait, signal }
    await withLease(this.#deps.store, lease, () => this.#searchAll(own, newest, signal))
    signal.throwIfAborted()
    for (const factory of this.#searched) await this.#load(factory, this.#searchOf(factory, own))
  }

  async #searchAll(
    own: Hash,
    { final, height }: Readonly<{ final: BlockId; height: bigint }>,
    signal: AbortSignal,
  ): Promise<void> {
    const reached = new Map<Factory, SearchState>()
    for (const factory of this.#searched) {
      const onProgress = (state: SearchState) => {
        reached.set(factory, state)
        this.#progress = this.#progressOf(final, reached)
        this.#report(this.#progress)
      }
      const range = { from: factory.fromBlock, final }
      const key = this.#searchOf(factory, own)
      const state = await resumeSearch(this.#deps, key, {
        range,
        height,
        learnt: this.#learnt,
        onProgress,
        signal,
      })
      this.#learnt = state.span
    }
  }

  #progressOf(final: BlockId, reached: ReadonlyMap<Factory, SearchState>): SearchProgress {
    const count = (to: (factory: Factory) => bigint) =>
      this.#searched.reduce((sum, factory) => {
        const blocks = to(factory) - factory.fromBlock
        return blocks > 0n ? sum + blocks : sum
      }, 0n)
    return {
      searchedBlocks: count((factory) => reached.get(factory)?.next ?? 0n),
      totalBlocks: count(() => final.number + 1n),
      pools: [...reached.values()].reduce((sum, state) => sum + state.found, 0),
      isWaiting: false,
    }
  }

  /** Reads the stored logs. Logs that another process adds meanwhile are of later blocks, which `at` searches. */
  async #load(factory: Factory, key: LogSearch): Promise<void> {
    const state = await this.#deps.store.findSearch(key)
    if (state === undefined) return
    let after: LogPlace | undefined
    let count = 0
    for (;;) {
      const logs = await this.#deps.store.foundLogs(key, { after, limit: logsPerPage })
      const own = logs
        .filter(({ blockNumber }) => blockNumber >= factory.fromBlock)
        .map((log) => ({ ...log, address: factory.factory }))
      for (const creation of parseCreations(factory, own))
        this.#found.set(poolIdOf(creation.pool), creation)
      after = logs.at(-1)
      count += logs.length
      await setImmediate()
      if (logs.length < logsPerPage) break
    }
    if (count < state.found) {
      await this.#deps.store.forgetSearch(key)
      throw new LostLogsError(this.#chain.id, { stored: count, found: state.found })
    }
    this.#nextBlocks.set(factory, state.next)
  }

  /** The pools that the factory created after the stored blocks, up to the last block of `newest`. */
  async #searchTail(
    factory: Factory,
    newest: readonly FollowedBlock[],
    signal: AbortSignal,
  ): Promise<Creation[]> {
    const from = this.#nextBlocks.get(factory) ?? factory.fromBlock
    const height = newest.at(-1)?.number ?? 0n
    const to = height - BigInt(newest.length)
    const topic = marketKindOf(factory).creationTopic
    const filter = { address: factory.factory, topics: [topic] }
    const wanted = { filter, from, to, height }
    const limit = createRangeLimit(this.#learnt)
    const creations: Creation[] = []
    for await (const { logs } of searchLogs(this.#deps.client, wanted, { limit, signal }))
      creations.push(...parseCreations(factory, logs))
    const isOwn = ({ address, topics, blockNumber }: BlockLog) =>
      address === factory.factory && topics[0] === topic && blockNumber >= from
    const logs = newest.flatMap((block) => block.logs.filter(isOwn))
    return [...creations, ...parseCreations(factory, logs)]
  }

  /**
   * The newest blocks up to `last`, lowest first. Read by hash, because the nodes behind one URL may be on different
   * forks.
   */
  async #readNewest(last: BlockId, signal: AbortSignal): Promise<readonly FollowedBlock[]> {
    const topics = this.#searched.map((factory) => marketKindOf(factory).creationTopic)
    const blocks: Promise<FollowedBlock>[] = []
    for (let { number, hash } = last; blocks.length < nodesDiffer && number >= 0n; number -= 1n) {
      const header = this.#expect(await readHeaderOf(this.#deps.client, { number, hash }, signal))
      // The logs and the next header are read in parallel. `Promise.all` below reports a failure.
      const block = readBlockLogs(this.#deps, header, topics, signal)
      block.catch(() => undefined)
      blocks.unshift(block)
      hash = header.parentHash
    }
    return Promise.all(blocks)
  }

  /** Accepts a pool only if its factory confirms it: neither the database nor a log is trusted. */
  async #verify(creations: readonly Creation[], blockHash: Hash): Promise<void> {
    const unverified = creations.filter(({ pool }) => !this.#verified.has(poolIdOf(pool)))
    const answers = await askFactories(this.#deps.client, unverified, blockHash)
    for (const [at, { pool }] of unverified.entries())
      if (answers[at]) this.#verified.add(poolIdOf(pool))
    for (const factory of this.#searched) {
      const wrong = unverified.filter((each, at) => each.factory === factory && !answers[at])
      if (wrong.length === 0) continue
      const pools = wrong.slice(0, 10).map(({ pool }) => poolIdOf(pool))
      const count = wrong.length
      this.#deps.log.error(
        { chainId: this.#chain.id, factory: factory.factory, pools, count },
        'A factory does not confirm found pools; leaving them out until the next start searches again',
      )
      if (this.#genesis !== undefined && wrong.some(({ pool }) => this.#found.has(poolIdOf(pool))))
        await this.#deps.store
          .forgetSearch(this.#searchOf(factory, this.#genesis))
          .catch(() => undefined)
    }
  }
}

/** Parsed in one turn of the event loop. */
const logsPerPage = 1_000

const latestBlock = { method: 'eth_getBlockByNumber', params: ['latest', false] }

/**
 * The pools of the configured pairs of `factory` that exist at a block.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
export async function findConfiguredPools(
  client: ChainClient,
  factory: Factory,
  blockHash: Hash,
): Promise<readonly DiscoveredPool[]> {
  const { candidates: candidatesOf } = marketKindOf(factory)
  const candidates = factory.pairs.flatMap(([one, other]) =>
    one < other ? candidatesOf(factory, one, other) : candidatesOf(factory, other, one),
  )
  const { addresses } = await readAll(
    client,
    { addresses: candidates.map(({ readAddress }) => readAddress) },
    blockHash,
  )
  return candidates.flatMap(({ toPool }, at) => {
    const address = addresses[at]
    const exists = address !== undefined && address !== zeroAddress
    return exists ? [toPool(toAddress(address))] : []
  })
}

/** Progress of the search for a chain's pools. */
type SearchProgress = Readonly<{
  /** Blocks, counted once for each factory. */
  searchedBlocks: bigint
  totalBlocks: bigint
  /** Number of pools found so far. */
  pools: number
  /** Another process searches, and this one waits for its results. */
  isWaiting: boolean
}>

/** Percent, rounded down: 100 only when all is searched. */
const shareOf = ({ searchedBlocks, totalBlocks }: SearchProgress): number =>
  totalBlocks === 0n ? 100 : Number((searchedBlocks * 100n) / totalBlocks)

const reportEveryMs = 10_000

/** Logs the progress at most every ten seconds, with the remaining time at the mean speed since the first call. */
function createProgressReport(
  { log, now }: Readonly<{ log: Log; now: () => number }>,
  chainId: ChainId,
): (progress: SearchProgress) => void {
  let reportedAt = now()
  let start: Readonly<{ at: number; searched: bigint }> | undefined

  return (progress) => {
    start ??= { at: now(), searched: progress.searchedBlocks }
    if (now() - reportedAt < reportEveryMs) return
    reportedAt = now()
    const { searchedBlocks, totalBlocks, pools } = progress
    const done = Number(searchedBlocks - start.searched)
    const left = Number(totalBlocks - searchedBlocks)
    const secondsLeft = done > 0 ? Math.ceil(((now() - start.at) / 1000 / done) * left) : undefined
    log.info(
      { chainId, pools, share: `${shareOf(progress)} %`, secondsLeft },
      'Searching the chain for pools',
    )
  }
}

/** The step that delays a chain's first snapshot, as a phrase for operators. */
export function describeStart(
  search: SearchProgress | undefined,
  read: Readonly<{ read: number; known: number }> | undefined,
): string {
  if (read !== undefined) return `${read.read} of ${read.known} pools are read`
  if (search === undefined) return 'the first block'
  const who = search.isWaiting ? 'another process searches for pools' : 'searches for pools'
  return `${who}: ${shareOf(search)} % of the blocks, ${search.pools} pools`
}
