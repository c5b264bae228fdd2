import type { ChainClient } from '#src/chains/chainClient.ts'
import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import { followChain } from '#src/chains/followChain.ts'
import type { ChainConfig } from '#src/config.ts'
import type { Log } from '#src/log.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { Address } from '#src/units/address.ts'
import { toChainMarket } from './chainMarket.ts'
import type { Currencies } from './currencies/currencies.ts'
import { createCurrencyChecks } from './currencies/currencyChecks.ts'
import { poolTopics } from './pools/applyLogs.ts'
import { type ChainPools, createChainPools } from './pools/chainPools.ts'
import { creationTopics } from './pools/discoveredPool.ts'
import { createDiscovery } from './pools/discoverPools.ts'
import { type BlockReads, createBlockReads } from './reads/blockReads.ts'
import { reasonOf, rest, tryAgain } from './reads/tryAgain.ts'

/** A chain's market at one block. */
export type Snapshot = Readonly<{
  market: ChainMarket
  /** When its block was seen, in milliseconds of the clock that was given. */
  seenAt: number
  /** Pools that are followed, routed or not. */
  followed: number
}>

/** One chain's market, kept at the head of the chain. */
export type ChainFeed = Readonly<{
  latest: () => Snapshot | undefined
  /** Resolves with the first snapshot, or when the feed is closed before there is one. */
  ready: Promise<void>
  counts: () => Readonly<{
    /** Pools that were found not to be as the chain had them, and were read anew. */
    differences: number
    /** Times that everything was read anew: after a reorg too deep to be undone, or a failure. */
    resyncs: number
  }>
  /** Stops following; resolves when nothing of the feed is at work any more. */
  close: () => Promise<void>
}>

type Deps = Readonly<{
  client: ChainClient
  log: Log
  currencies: Currencies
  /** A clock that never goes back, in milliseconds. */
  now: () => number
  /** Called after `latest` has changed. */
  onSnapshot: () => void
}>

type FeedArgs = Readonly<{
  chain: ChainConfig
  solver: Readonly<{ address: Address; currencies: readonly Address[] }>
}>

/** How often the reads of one block are tried before they are left to the next block. */
const mostTries = 4

/**
 * Follows the chain from now on. Each block is first followed by its logs and published; then what
 * the logs do not tell is read, and published when it changes anything. A failing RPC delays this and
 * never ends it.
 */
export function createChainFeed(
  { client, log, currencies, now, onSnapshot }: Deps,
  { chain, solver }: FeedArgs,
): ChainFeed {
  const chainId = chain.id
  const closer = new AbortController()
  const { signal } = closer
  const first = Promise.withResolvers<void>()
  const checks = createCurrencyChecks({ client, log, currencies }, chainId)
  const discovery = createDiscovery(client, chain)
  const readBlock = createBlockReads(client, chain, solver)
  let latest: Snapshot | undefined
  let differences = 0
  let resyncs = 0

  function publish(pools: ChainPools, block: FollowedBlock, reads: BlockReads, seenAt: number) {
    const graph = pools.graph()
    const refusedCurrencies = checks.refusals()
    const market = toChainMarket(currencies, { chain, block, graph, reads, refusedCurrencies })
    latest = { market, seenAt, followed: pools.followed() }
    first.resolve()
    onSnapshot()
  }

  async function begin(pools: ChainPools, block: FollowedBlock): Promise<void> {
    const seenAt = now()
    pools.apply(block)
    pools.add(await discovery.at(block))
    await currencies.learn(chainId, solver.currencies, block.hash)
    for (const address of solver.currencies)
      if (currencies.known({ chainId, address }) === undefined)
        log.error({ chainId, address }, 'The configuration names a currency that cannot be read')
    await pools.settle(block.hash)
    publish(pools, block, await readBlock(block), seenAt)
    log.info({ chainId, block: block.number, pools: pools.followed() }, 'The market is in')
  }

  const attempt = <Value>(name: string, tries: number, run: () => Promise<Value>) =>
    tryAgain({ log, signal }, { chainId, name, tries }, run)

  async function advance(pools: ChainPools, block: FollowedBlock): Promise<void> {
    const seenAt = now()
    pools.apply(block)
    const reads = await attempt('read a block', mostTries, () => readBlock(block))
    if (reads !== undefined) publish(pools, block, reads, seenAt)
    const isChanged = await attempt('check pools', 1, () => pools.settle(block.hash))
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
        topics: [...poolTopics, ...Object.values(creationTopics)],
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
        log.warn({ chainId, reason: reasonOf(error) }, 'The market is read anew')
        await rest(failures, signal)
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

/** Looks four times a block; no slower than every 3 s, no faster than every 50 ms. */
const pollSecondsOf = ({ blockSeconds }: ChainConfig): number =>
  Math.min(Math.max(blockSeconds / 4, 0.05), 3)
