import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import { followChain, pollSecondsOf } from '#src/chains/follow/followChain.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { SearchStore } from '#src/chains/search/searchStore.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { ChainMarket, SettlementState } from '#src/core/pricing/market.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Usd } from '#src/core/units/usd.ts'
import { priceRulesOf, toChainMarket } from './chainMarket.ts'
import type { Currencies } from './currencies/currencies.ts'
import { createCurrencyChecks } from './currencies/currencyChecks.ts'
import { createExposure } from './exposure.ts'
import { createFinalityTracker, finalityPauseOf } from './finalityTracker.ts'
import { createFirstRead, type FirstRead } from './firstRead.ts'
import { followedTopicsOf } from './kinds/kinds.ts'
import { ChainPools } from './pools/chainPools.ts'
import { Discovery } from './pools/discovery/discoverPools.ts'
import { describeStart } from './pools/discovery/searchProgress.ts'
import { PoolSelection } from './pools/selection/poolSelection.ts'
import type { TrustedPrices } from './pools/selection/readDepths.ts'
import { toTrustedPrices } from './pools/selection/trustedPrices.ts'
import { createFactoryRefusals } from './pools/verification/factoryRefusals.ts'
import { startUpkeep } from './pools/verification/upkeep.ts'
import { createUsdPrices } from './prices/usdPrices.ts'
import { type BlockReads, createBlockReads, type SolverReads } from './reads/blockReads.ts'
import { createCallBudget } from './reads/callBudget.ts'
import { createReadAhead, type ReadAhead } from './reads/readAhead.ts'
import { backOff, retry } from './reads/retry.ts'
import type { Reception } from './replica/replicaRefusals.ts'
import { createStops } from './stops.ts'
import { createStoredValue } from './storedValue.ts'

/** A chain's market at one block. */
export type Snapshot = Readonly<{
  market: ChainMarket
  /** Number of tracked pools, routable or not. */
  trackedPools: number
}>

/** One chain's market, kept current with the head of the chain. */
export type MarketFollower = Readonly<{
  latest: () => Snapshot | undefined
  /** The newest height that a node has reported; 0 before the first report. */
  announced: () => bigint
  /** Resolves with the first snapshot, or when the feed is closed before it has one. */
  ready: Promise<void>
  counts: () => Readonly<{
    /** Number of times that a pool differed from the chain and was read again. */
    differences: number
    /** Number of times that the whole market was read again, after a failure or a reorg that was too deep. */
    resyncs: number
    /** Number of times that a pool was compared with the chain. */
    verified: number
    /** Number of known pools, followed or not. Undefined before the discovery, and if the market comes from a feed. */
    discovered: number | undefined
  }>
  /** Reason why there is no snapshot yet, as a phrase for operators; undefined after the first snapshot. */
  waitsFor: () => string | undefined
  /** Why the pools of some factories are not used, for people. */
  refusedFactories: () => readonly string[]
  /**
   * Requests the pools of a currency that has no price. Returns the seconds until they are probably read; undefined if
   * they are read already or will not be. Absent if the market comes from a feed.
   */
  ask?: (currency: Address) => number | undefined
  /** Present if the market comes from a feed instead of a node. */
  reception?: () => Reception
  /** Stops following the chain. Resolves when all its work has ended. */
  close: () => Promise<void>
}>

type Deps = Readonly<{
  client: ChainClient
  log: Log
  currencies: Currencies
  searches: SearchStore
  /** A monotonic clock, in milliseconds. */
  now: () => number
  /** Value of a chain's deposits that are filled and not final yet. */
  exposureOf: (chainId: ChainId) => Promise<Usd>
  /** Deposits of a chain that are filled, or whose fill is under way, and that are not settled. */
  unsettledOf: (chainId: ChainId) => Promise<SettlementState['unsettled']>
  /** The assets that are stopped on a chain, by their symbols. */
  stoppedAssets: (chainId: ChainId) => Promise<readonly Readonly<{ asset: string }>[]>
  /** Called after each change of `latest`. */
  onSnapshot: () => void
}>

type FeedArgs = Readonly<{
  chain: ChainConfig
  solver: SolverReads & Readonly<{ unrecordedLimitUsd: Usd }>
}>

/** Attempts to read gas, prices and balances at a block. The next block brings new ones. */
const maxReadAttempts = 4

/**
 * Starts to follow the chain. Publishes each block once its logs are applied and its gas, prices and balances are read,
 * and again after each change of the routable pools by the upkeep. RPC failures delay the feed but never end it.
 */
export function createMarketFollower(
  {
    client,
    log,
    currencies,
    searches,
    exposureOf,
    unsettledOf,
    stoppedAssets,
    now,
    onSnapshot,
  }: Deps,
  { chain, solver }: FeedArgs,
): MarketFollower {
  const chainId = chain.id
  const closer = new AbortController()
  const { signal } = closer
  const first = Promise.withResolvers<void>()
  const budget = createCallBudget({ now }, chain.verifyCallsPerSecond)
  /** Present while the market is read for the first time, or anew. */
  let firstRead: FirstRead | undefined
  // New blocks have priority over the upkeep of pools. During the first read they wait for it.
  const priority = () => (firstRead === undefined ? 'background' : 'normal')
  const charged = budget.charge(client.withPriority(priority))
  const checks = createCurrencyChecks({ client: charged, log, currencies }, chainId)
  const refusals = createFactoryRefusals({ client: charged, log }, chain)
  const discovery = new Discovery({ client, log, store: searches, now }, chain)
  const readBlock = createBlockReads(client.withPriority('head'), chain, solver)
  const finalityTracker = createFinalityTracker(chain)
  const exposure = createExposure({ log, exposureOf }, chainId)
  const unsettled = createStoredValue<SettlementState['unsettled']>(
    { log, read: unsettledOf },
    { chainId, name: 'unsettled deposits', initial: new Map() },
  )
  const stops = createStops({ log, stoppedAssets }, chainId)
  const findPrices = createUsdPrices(priceRulesOf(chain, solver.currencies))
  let latest: Snapshot | undefined
  let announced = 0n
  let differences = 0
  let resyncs = 0
  let verified = 0
  /** The newest block whose logs are applied. */
  let applied: FollowedBlock | undefined
  let feedPrices: BlockReads['feedPrices'] | undefined
  let selection: PoolSelection | undefined
  let upkeep: ReturnType<typeof startUpkeep> | undefined
  /** The last published block and its reads. Undefined once the pools are at a later block. */
  let published: Readonly<{ block: FollowedBlock; reads: BlockReads }> | undefined

  function publish(pools: ChainPools, block: FollowedBlock, reads: BlockReads) {
    published = { block, reads }
    feedPrices = reads.feedPrices
    const market = toChainMarket(currencies, {
      chain,
      block,
      exposedUsd: exposure.usd(),
      reads,
      findPrices,
      unsettled: unsettled.last(),
      graph: pools.graph(),
      finality: finalityTracker.at(block.number),
      refusedCurrencies: new Map([...checks.refusals(), ...currencies.conflicts(chainId)]),
      stoppedAssets: stops.symbols(),
      unrecordedLimitUsd: solver.unrecordedLimitUsd,
    })
    latest = { market, trackedPools: pools.trackedCount() }
    first.resolve()
    onSnapshot()
  }

  type Ahead = ReadAhead<Parameters<typeof readBlock>[0], Awaited<ReturnType<typeof readValues>>>
  async function begin(pools: ChainPools, block: FollowedBlock, ahead: Ahead): Promise<void> {
    // In parallel with the other reads: each round trip delays the start.
    ahead.begin(block)
    await stops.first()
    await currencies.learnNamed(chainId, solver.currencies, block.hash)
    await pools.refresh()
    // The first read is not rate limited, so the upkeep does not have to pay for its calls.
    budget.reset()
    const { reads, commit } = await ahead.take(block)
    commit()
    publish(pools, block, reads)
    log.info({ chainId, block: block.number, pools: pools.trackedCount() }, 'The market is ready')
  }

  async function readValues(pools: ChainPools, block: Parameters<typeof readBlock>[0]) {
    const { readings, commit, areAll } = pools.unlogged()
    const { others, ...reads } = await readBlock(block, readings)
    return { reads, commit: () => commit(others), areAll }
  }

  /** The first depth check runs before the prices of any block are read, so it reads them itself. */
  async function trustedPrices(): Promise<TrustedPrices> {
    if (applied === undefined) return new Map()
    feedPrices ??= (await readBlock(applied)).feedPrices
    const fed = chain.priceFeeds.map(({ currency }) => currency)
    const unknown = fed.filter((address) => currencies.known({ chainId, address }) === undefined)
    if (unknown.length > 0) await currencies.learn(chainId, unknown, applied.hash)
    return toTrustedPrices(currencies, chain, feedPrices)
  }

  const attempt = <Value>(name: string, maxAttempts: number, run: () => Promise<Value>) =>
    retry({ log, signal }, { chainId, name, maxAttempts }, run)

  async function advance(pools: ChainPools, block: FollowedBlock, ahead: Ahead): Promise<void> {
    exposure.refresh()
    unsettled.refresh()
    stops.refresh()
    const read = () => ahead.take(block)
    const values = await attempt('read gas, prices and balances', maxReadAttempts, read)
    if (values === undefined) return
    values.commit()
    publish(pools, block, values.reads)
  }

  async function follow(): Promise<void> {
    const onDifference = () => {
      differences += 1
    }
    const onVerified = () => {
      verified += 1
    }
    const pools = new ChainPools(
      { client: charged, log, checks, refusals, now, onDifference, onVerified },
      chain,
    )
    const read = (block: Parameters<typeof readBlock>[0]) => readValues(pools, block)
    const ahead = createReadAhead(read, ({ areAll }) => areAll())
    const chosen = new PoolSelection({ client: charged, pools, trustedPrices, now }, chain)
    selection = chosen
    await discovery.prepare(signal)
    const events = followChain(
      { client, log },
      {
        topics: followedTopicsOf(chain.factories),
        pollSeconds: pollSecondsOf(chain),
        finalityDepth: chain.finalityDepth,
        finalityPause: finalityPauseOf(chain),
        // The pools are still at the parent block.
        onHeader: (header) => {
          if (firstRead === undefined) ahead.begin(header)
        },
        onHeight: (height) => {
          announced = height
        },
        signal,
      },
    )
    firstRead = createFirstRead({ client, log, discovery, pools, selection: chosen, signal })
    published = undefined
    const onChange = () => {
      // While a block is being applied, it publishes the change itself.
      if (published !== undefined) publish(pools, published.block, published.reads)
    }
    const take = async (block: FollowedBlock) => {
      published = undefined
      pools.apply(block)
      chosen.apply(block)
      applied = block
      if (firstRead === undefined) await advance(pools, block, ahead)
      else if (await firstRead.resume(block, () => begin(pools, block, ahead)))
        firstRead = undefined
      else return
      upkeep ??= startUpkeep({ pools, selection: chosen, budget, log, now, onChange }, chainId)
      upkeep.wake()
    }
    try {
      for await (const event of events) {
        switch (event.type) {
          case 'block':
            await take(event.block)
            break
          case 'reorg':
            published = undefined
            pools.undo(event.undone)
            break
          case 'finalized':
            finalityTracker.finalize(event.block.number)
            break
        }
      }
    } finally {
      await upkeep?.stop()
      upkeep = undefined
    }
  }

  async function run(): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const before = latest
      try {
        await follow()
      } catch (error) {
        if (signal.aborted) return
        failures = latest === before ? failures + 1 : 1
        resyncs += 1
        log.warn({ chainId, reason: reasonOf(error) }, 'Restarts the market feed of the chain')
        await backOff(failures, signal)
      }
    }
  }

  const running = run()
  return {
    latest: () => latest,
    announced: () => announced,
    ready: first.promise,
    waitsFor: () =>
      latest === undefined ? describeStart(discovery.progress(), firstRead?.progress()) : undefined,
    counts: () => ({ differences, resyncs, verified, discovered: selection?.knownCount() }),
    ask(currency) {
      if (upkeep === undefined || selection?.ask(currency) !== true) return undefined
      upkeep.wake()
      return Math.ceil(budget.waitMs() / 1000 + chain.blockSeconds) + 1
    },
    refusedFactories: refusals.reasons,
    async close() {
      closer.abort()
      await running
      first.resolve()
    },
  }
}
