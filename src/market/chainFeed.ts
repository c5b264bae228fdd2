import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import { followChain, pollSecondsOf } from '#src/chains/follow/followChain.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config.ts'
import { reasonOf } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { toUsd, type Usd } from '#src/units/usd.ts'
import { toChainMarket } from './chainMarket.ts'
import type { Currencies } from './currencies/currencies.ts'
import { createCurrencyChecks } from './currencies/currencyChecks.ts'
import { createFinalityTracker } from './finalityTracker.ts'
import { poolTopics } from './pools/applyLogs.ts'
import { type ChainPools, createChainPools } from './pools/chainPools.ts'
import { poolCreationTopics } from './pools/discoveredPool.ts'
import { createDiscovery } from './pools/discoverPools.ts'
import { type BlockReads, createBlockReads } from './reads/blockReads.ts'
import { backOff, retry } from './reads/retry.ts'

/** A chain's market at one block. */
export type Snapshot = Readonly<{
  market: ChainMarket
  /** Time at which the block arrived, in milliseconds of `Deps.now`. */
  seenAt: number
  /** Number of tracked pools, routable or not. */
  trackedPools: number
}>

/** One chain's market, kept current with the head of the chain. */
export type ChainFeed = Readonly<{
  latest: () => Snapshot | undefined
  /** Resolves with the first snapshot, or when the feed is closed before it has one. */
  ready: Promise<void>
  counts: () => Readonly<{
    /** Number of times that a pool differed from the chain and was read again. */
    differences: number
    /** Number of times that the whole market was read again, after a failure or a reorg that was too deep. */
    resyncs: number
  }>
  /** Stops following the chain. Resolves when all its work has ended. */
  close: () => Promise<void>
}>

type Deps = Readonly<{
  client: ChainClient
  log: Log
  currencies: Currencies
  /** A monotonic clock, in milliseconds. */
  now: () => number
  /** Value of a chain's deposits that are filled and not final yet. */
  exposureOf: (chainId: ChainId) => Promise<Usd>
  /** Called after each change of `latest`. */
  onSnapshot: () => void
}>

type FeedArgs = Readonly<{
  chain: ChainConfig
  solver: Readonly<{ address: Address; currencies: readonly Address[]; unrecordedLimitUsd: Usd }>
}>

/** Attempts to read gas, prices and balances at a block. The next block brings new ones. */
const maxReadAttempts = 4

/**
 * Starts to follow the chain. Each block is published twice at most: once after its logs have been applied and its
 * gas, prices and balances read, and again if the refresh of pools and currencies changed the routable pools. RPC
 * failures delay the feed but never end it.
 */
export function createChainFeed(
  { client, log, currencies, exposureOf, now, onSnapshot }: Deps,
  { chain, solver }: FeedArgs,
): ChainFeed {
  const chainId = chain.id
  const closer = new AbortController()
  const { signal } = closer
  const first = Promise.withResolvers<void>()
  const checks = createCurrencyChecks({ client, log, currencies }, chainId)
  const discovery = createDiscovery(client, chain)
  const readBlock = createBlockReads(client, chain, solver)
  const finalityTracker = createFinalityTracker(chain)
  let latest: Snapshot | undefined
  let exposedUsd = toUsd(0n)
  let isReadingExposure = false
  let differences = 0
  let resyncs = 0

  function publish(pools: ChainPools, block: FollowedBlock, reads: BlockReads, seenAt: number) {
    const graph = pools.graph()
    const refusedCurrencies = checks.refusals()
    const finality = finalityTracker.at(block.number)
    const parts = { chain, block, finality, exposedUsd, graph, reads, refusedCurrencies }
    const market = toChainMarket(currencies, {
      ...parts,
      solverCurrencies: solver.currencies,
      unrecordedLimitUsd: solver.unrecordedLimitUsd,
    })
    latest = { market, seenAt, trackedPools: pools.trackedCount() }
    first.resolve()
    onSnapshot()
  }

  /** For the next snapshot: prices do not wait for the database. While it is away no fill adds exposure. */
  function readExposure(): void {
    if (isReadingExposure) return
    isReadingExposure = true
    exposureOf(chainId)
      .then(
        (usd) => {
          exposedUsd = usd
        },
        (error) => log.debug({ chainId, reason: reasonOf(error) }, 'Cannot read the exposure'),
      )
      .finally(() => {
        isReadingExposure = false
      })
  }

  async function begin(pools: ChainPools, block: FollowedBlock): Promise<void> {
    const seenAt = now()
    pools.apply(block)
    pools.add(await discovery.at(block))
    await currencies.learn(chainId, solver.currencies, block.hash)
    for (const address of solver.currencies)
      if (currencies.known({ chainId, address }) === undefined)
        log.error({ chainId, address }, 'The configuration names a currency that cannot be read')
    await pools.refresh(block.hash)
    publish(pools, block, await readBlock(block), seenAt)
    log.info({ chainId, block: block.number, pools: pools.trackedCount() }, 'The market is ready')
  }

  const attempt = <Value>(name: string, maxAttempts: number, run: () => Promise<Value>) =>
    retry({ log, signal }, { chainId, name, maxAttempts }, run)

  async function advance(pools: ChainPools, block: FollowedBlock): Promise<void> {
    const seenAt = now()
    pools.apply(block)
    readExposure()
    const reads = await attempt('read gas, prices and balances', maxReadAttempts, () =>
      readBlock(block),
    )
    if (reads !== undefined) publish(pools, block, reads, seenAt)
    const isChanged = await attempt('refresh pools', 1, () => pools.refresh(block.hash))
    if (reads !== undefined && isChanged) publish(pools, block, reads, seenAt)
  }

  async function follow(): Promise<void> {
    const onDifference = () => {
      differences += 1
    }
    const pools = createChainPools({ client, log, checks, onDifference }, chain)
    await discovery.prepare(await client.getBlockNumber())
    const events = followChain(
      { client, log },
      {
        topics: [...poolTopics, ...Object.values(poolCreationTopics)],
        pollSeconds: pollSecondsOf(chain),
        finalityDepth: chain.finalityDepth,
        signal,
      },
    )
    let hasBegun = false
    for await (const event of events) {
      switch (event.type) {
        case 'block':
          await (hasBegun ? advance : begin)(pools, event.block)
          hasBegun = true
          break
        case 'reorg':
          pools.undo(event.undone)
          break
        case 'finalized':
          finalityTracker.finalize(event.block.number)
          break
      }
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
    ready: first.promise,
    counts: () => ({ differences, resyncs }),
    async close() {
      closer.abort()
      await running
      first.resolve()
    },
  }
}
