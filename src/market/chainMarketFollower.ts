import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import { followChain, pollSecondsOf } from '#src/chains/follow/followChain.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { SearchStore } from '#src/chains/search/searchStore.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { SettlementState } from '#src/core/pricing/market.ts'
import { type Account, evmAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import {
  type BlockReads,
  createBlockReads,
  type ReadBlock,
  type SolverReads,
} from './blockReads.ts'
import { priceRulesOf, toChainMarket } from './chainMarket.ts'
import type { Currencies } from './currencies/currencies.ts'
import { type CurrencyChecks, createCurrencyChecks } from './currencies/currencyChecks.ts'
import { createFinalityTracker, type FinalityTracker, finalityPauseOf } from './finalityTracker.ts'
import { createFirstRead, type FirstRead } from './firstRead.ts'
import { followedTopicsOf } from './kinds/kinds.ts'
import type { MarketFollower, Snapshot } from './marketFollower.ts'
import { ChainPools } from './pools/chainPools.ts'
import { Discovery, describeStart } from './pools/discovery/discoverPools.ts'
import { PoolSelection } from './pools/selection/poolSelection.ts'
import { type TrustedPrices, toTrustedPrices } from './pools/selection/readDepths.ts'
import {
  createFactoryRefusals,
  type FactoryRefusals,
} from './pools/verification/factoryRefusals.ts'
import { startUpkeep } from './pools/verification/upkeep.ts'
import { createUsdPrices } from './prices/usdPrices.ts'
import { type CallBudget, createCallBudget } from './reads/callBudget.ts'
import { createReadAhead, type ReadAhead } from './reads/readAhead.ts'
import { backOff, retry } from './reads/retry.ts'
import { createStoredValue, type StoredValue } from './storedValue.ts'

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

type Values = Readonly<{ reads: BlockReads; commit: () => void; areAll: () => boolean }>
type Ahead = ReadAhead<Parameters<ReadBlock>[0], Values>

/** Attempts to read gas, prices and balances at a block. The next block brings new ones. */
const maxReadAttempts = 4

/**
 * Starts to follow the chain. Publishes each block once its logs are applied and its gas, prices and balances are read,
 * and again after each change of the routable pools by the upkeep. RPC failures delay the feed but never end it.
 */
export class ChainMarketFollower implements MarketFollower {
  readonly ready: Promise<void>
  readonly refusedFactories: MarketFollower['refusedFactories']
  readonly #deps: Deps
  readonly #chain: ChainConfig
  readonly #solver: FeedArgs['solver']
  readonly #closer = new AbortController()
  readonly #first = Promise.withResolvers<void>()
  readonly #budget: CallBudget
  /** The client whose calls the budget counts. */
  readonly #charged: ChainClient
  readonly #checks: CurrencyChecks
  readonly #refusals: FactoryRefusals
  readonly #discovery: Discovery
  readonly #readBlock: ReadBlock
  readonly #finalityTracker: FinalityTracker
  readonly #exposure: StoredValue<Usd>
  readonly #unsettled: StoredValue<SettlementState['unsettled']>
  readonly #stoppedAssets: StoredValue<ReadonlySet<string>>
  readonly #findPrices: ReturnType<typeof createUsdPrices>
  readonly #running: Promise<void>
  /** Present while the market is read for the first time, or again. */
  #firstRead: FirstRead | undefined
  #latest: Snapshot | undefined
  #announced = 0n
  #differences = 0
  #resyncs = 0
  #verified = 0
  /** The newest block whose logs are applied. */
  #applied: FollowedBlock | undefined
  #feedPrices: BlockReads['feedPrices'] | undefined
  #selection: PoolSelection | undefined
  #upkeep: ReturnType<typeof startUpkeep> | undefined
  /** The last published block and its reads. Undefined once the pools are at a later block. */
  #published: Readonly<{ block: FollowedBlock; reads: BlockReads }> | undefined

  constructor(deps: Deps, { chain, solver }: FeedArgs) {
    const { client, log, currencies, searches, now } = deps
    const { id: chainId } = chain
    this.#deps = deps
    this.#chain = chain
    this.#solver = solver
    this.#budget = createCallBudget({ now }, chain.verifyCallsPerSecond)
    // New blocks have priority over the upkeep of pools. During the first read they wait for it.
    const priority = () => (this.#firstRead === undefined ? 'background' : 'normal')
    this.#charged = this.#budget.charge(client.withPriority(priority))
    this.#checks = createCurrencyChecks({ client: this.#charged, log, currencies }, chainId)
    this.#refusals = createFactoryRefusals({ client: this.#charged, log }, chain)
    this.#discovery = new Discovery({ client, log, store: searches, now }, chain)
    this.#readBlock = createBlockReads(client.withPriority('head'), chain, solver)
    this.#finalityTracker = createFinalityTracker(chain)
    this.#exposure = createStoredValue<Usd>(
      { log, read: deps.exposureOf },
      { chainId, name: 'exposure', initial: toUsd(0n) },
    )
    this.#unsettled = createStoredValue<SettlementState['unsettled']>(
      { log, read: deps.unsettledOf },
      { chainId, name: 'unsettled deposits', initial: new Map() },
    )
    this.#stoppedAssets = createStoredValue<ReadonlySet<string>>(
      { log, read: async (id) => symbolsOf(await deps.stoppedAssets(id)) },
      { chainId, name: 'stopped assets', initial: new Set() },
    )
    this.#findPrices = createUsdPrices(priceRulesOf(chain, solver.currencies))
    this.ready = this.#first.promise
    this.refusedFactories = this.#refusals.reasons
    this.#running = this.#run()
  }

  latest(): Snapshot | undefined {
    return this.#latest
  }

  announced(): bigint {
    return this.#announced
  }

  waitsFor(): string | undefined {
    return this.#latest === undefined
      ? describeStart(this.#discovery.progress(), this.#firstRead?.progress())
      : undefined
  }

  counts(): ReturnType<MarketFollower['counts']> {
    return {
      differences: this.#differences,
      resyncs: this.#resyncs,
      verified: this.#verified,
      discovered: this.#selection?.knownCount(),
    }
  }

  ask(currency: Account): number | undefined {
    if (this.#upkeep === undefined || this.#selection?.ask(evmAddress(currency)) !== true)
      return undefined
    this.#upkeep.wake()
    return Math.ceil(this.#budget.waitMs() / 1000 + this.#chain.blockSeconds) + 1
  }

  async close(): Promise<void> {
    this.#closer.abort()
    await this.#running
    this.#first.resolve()
  }

  #publish(pools: ChainPools, block: FollowedBlock, reads: BlockReads): void {
    this.#published = { block, reads }
    this.#feedPrices = reads.feedPrices
    const market = toChainMarket(this.#deps.currencies, {
      chain: this.#chain,
      block,
      exposedUsd: this.#exposure.last(),
      reads,
      findPrices: this.#findPrices,
      unsettled: this.#unsettled.last(),
      graph: pools.graph(),
      finality: this.#finalityTracker.at(block.number),
      refusedCurrencies: new Map([
        ...this.#checks.refusals(),
        ...this.#deps.currencies.conflicts(this.#chain.id),
      ]),
      stoppedAssets: this.#stoppedAssets.last(),
      unrecordedLimitUsd: this.#solver.unrecordedLimitUsd,
    })
    this.#latest = { market, trackedPools: pools.trackedCount() }
    this.#first.resolve()
    this.#deps.onSnapshot()
  }

  async #begin(pools: ChainPools, block: FollowedBlock, ahead: Ahead): Promise<void> {
    // In parallel with the other reads: each round trip delays the start.
    ahead.begin(block)
    // No market may lack a stop from before the start.
    await this.#stoppedAssets.first()
    await this.#deps.currencies.learnNamed(this.#chain.id, this.#solver.currencies, block.hash)
    await pools.refresh()
    // The first read is not rate limited, so the upkeep does not have to pay for its calls.
    this.#budget.reset()
    const { reads, commit } = await ahead.take(block)
    commit()
    this.#publish(pools, block, reads)
    this.#deps.log.info(
      { chainId: this.#chain.id, block: block.number, pools: pools.trackedCount() },
      'The market is ready',
    )
  }

  async #readValues(pools: ChainPools, block: Parameters<ReadBlock>[0]): Promise<Values> {
    const { readings, commit, areAll } = pools.unlogged()
    const { others, ...reads } = await this.#readBlock(block, readings)
    return { reads, commit: () => commit(others), areAll }
  }

  /** The first depth check runs before the prices of any block are read, so it reads them itself. */
  async #trustedPrices(): Promise<TrustedPrices> {
    if (this.#applied === undefined) return new Map()
    this.#feedPrices ??= (await this.#readBlock(this.#applied)).feedPrices
    const fed = this.#chain.priceFeeds.map(({ currency }) => currency)
    const unknown = fed.filter(
      (address) => this.#deps.currencies.known({ chainId: this.#chain.id, address }) === undefined,
    )
    if (unknown.length > 0)
      await this.#deps.currencies.learn(this.#chain.id, unknown, this.#applied.hash)
    return toTrustedPrices(this.#deps.currencies, this.#chain, this.#feedPrices)
  }

  async #advance(pools: ChainPools, block: FollowedBlock, ahead: Ahead): Promise<void> {
    this.#exposure.refresh()
    this.#unsettled.refresh()
    this.#stoppedAssets.refresh()
    const values = await retry(
      { log: this.#deps.log, signal: this.#closer.signal },
      {
        chainId: this.#chain.id,
        name: 'read gas, prices and balances',
        maxAttempts: maxReadAttempts,
      },
      () => ahead.take(block),
    )
    if (values === undefined) return
    values.commit()
    this.#publish(pools, block, values.reads)
  }

  /** Follows the chain from its newest block, with pools whose states are unknown. */
  async #follow(): Promise<void> {
    const { client, log } = this.#deps
    const { signal } = this.#closer
    const pools = this.#startPools()
    const selection = this.#startSelection(pools)
    const ahead = createReadAhead(
      (block: Parameters<ReadBlock>[0]) => this.#readValues(pools, block),
      ({ areAll }) => areAll(),
    )
    await this.#discovery.prepare(signal)
    const events = this.#events(ahead)
    const discovery = this.#discovery
    this.#firstRead = createFirstRead({ client, log, discovery, pools, selection, signal })
    this.#published = undefined
    try {
      for await (const event of events) {
        switch (event.type) {
          case 'block':
            await this.#take(event.block, { pools, selection, ahead })
            break
          case 'reorg':
            this.#published = undefined
            pools.undo(event.undone)
            break
          case 'finalized':
            this.#finalityTracker.finalize(event.block.number)
            break
        }
      }
    } finally {
      await this.#upkeep?.stop()
      this.#upkeep = undefined
    }
  }

  #startPools(): ChainPools {
    const { log, now } = this.#deps
    const onDifference = () => {
      this.#differences += 1
    }
    const onVerified = () => {
      this.#verified += 1
    }
    const checks = this.#checks
    const refusals = this.#refusals
    const client = this.#charged
    return new ChainPools(
      { client, log, checks, refusals, now, onDifference, onVerified },
      this.#chain,
    )
  }

  #startSelection(pools: ChainPools): PoolSelection {
    const { now } = this.#deps
    const trustedPrices = () => this.#trustedPrices()
    const deps = { client: this.#charged, pools, trustedPrices, now }
    this.#selection = new PoolSelection(deps, this.#chain)
    return this.#selection
  }

  #events(ahead: Ahead): ReturnType<typeof followChain> {
    const chain = this.#chain
    return followChain(this.#deps, {
      topics: followedTopicsOf(chain.factories),
      pollSeconds: pollSecondsOf(chain),
      finalityDepth: chain.finalityDepth,
      finalityPause: finalityPauseOf(chain),
      // The pools are still at the parent block.
      onHeader: (header) => {
        if (this.#firstRead === undefined) ahead.begin(header)
      },
      onHeight: (height) => {
        this.#announced = height
      },
      signal: this.#closer.signal,
    })
  }

  async #take(
    block: FollowedBlock,
    {
      pools,
      selection,
      ahead,
    }: Readonly<{ pools: ChainPools; selection: PoolSelection; ahead: Ahead }>,
  ): Promise<void> {
    this.#published = undefined
    pools.apply(block)
    selection.apply(block)
    this.#applied = block
    if (this.#firstRead === undefined) await this.#advance(pools, block, ahead)
    else if (await this.#firstRead.resume(block, () => this.#begin(pools, block, ahead)))
      this.#firstRead = undefined
    else return
    this.#upkeep ??= this.#startUpkeep(pools, selection)
    this.#upkeep.wake()
  }

  #startUpkeep(pools: ChainPools, selection: PoolSelection): ReturnType<typeof startUpkeep> {
    const { log, now } = this.#deps
    const onChange = () => {
      // While a block is being applied, it publishes the change itself.
      if (this.#published !== undefined)
        this.#publish(pools, this.#published.block, this.#published.reads)
    }
    const budget = this.#budget
    return startUpkeep({ pools, selection, budget, log, now, onChange }, this.#chain.id)
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#closer.signal.aborted; ) {
      const before = this.#latest
      try {
        await this.#follow()
      } catch (error) {
        if (this.#closer.signal.aborted) return
        failures = this.#latest === before ? failures + 1 : 1
        this.#resyncs += 1
        this.#deps.log.warn(
          { chainId: this.#chain.id, reason: reasonOf(error) },
          'Restarting the market of the chain',
        )
        await backOff(failures, this.#closer.signal)
      }
    }
  }
}

const symbolsOf = (stopped: readonly Readonly<{ asset: string }>[]): ReadonlySet<string> =>
  new Set(stopped.map(({ asset }) => asset))
