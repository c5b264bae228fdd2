import { setTimeout } from 'node:timers/promises'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import type { Log } from '#src/config/log.ts'
import type { SvmChainConfig } from '#src/config/svm/svmChain.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { ChainMarket, SettlementState } from '#src/core/pricing/market.ts'
import { createGraph } from '#src/core/router/graph.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { createFinalityTracker } from '#src/market/finalityTracker.ts'
import type { MarketFollower, Snapshot } from '#src/market/marketFollower.ts'
import type { OtherChainPorts } from '#src/market/otherChain.ts'
import { createSvmBlockReads, type SvmBlockReads, type SvmSolver } from './svmBlockReads.ts'
import { createSvmFeeds } from './svmFeeds.ts'

export type SvmMarketPorts = Readonly<{
  client: SvmClient
  /** Of the EVM chains, for price feeds. */
  clients: ReadonlyMap<ChainId, ChainClient>
  log: Log
  /** A monotonic clock, in milliseconds. */
  now: () => number
  unsettledOf: (chainId: ChainId) => Promise<SettlementState['unsettled']>
  stoppedAssets: (chainId: ChainId) => Promise<readonly Readonly<{ asset: string }>[]>
}>

export type SvmMarketArgs = Readonly<{
  chain: SvmChainConfig
  native: Currency
  solver: SvmSolver | undefined
  /** The native currency and the mints of all assets. */
  currencies: readonly Pubkey[]
}>

/** Slots until a block is final, before the first measurement: Tower BFT needs 32. */
const usualFinality = 32
/** The shortest pause between two reads. */
const minPauseMs = 500
/** The longest wait of a start for the price feeds. */
const maxFeedWaitMs = 15_000
const currencyPauseMs = 60_000

/**
 * Follows the market of a Solana chain: no pools, prices from feeds of EVM chains, and what is read at `confirmed`.
 * Failures are logged once, and the last snapshot grows old.
 */
export function followSvmMarket(
  ports: SvmMarketPorts & OtherChainPorts,
  args: SvmMarketArgs,
): MarketFollower {
  const { log, now, onSnapshot, currencies } = ports
  const { chain } = args
  const ending = new AbortController()
  const started = Promise.withResolvers<void>()
  const startedAt = now()
  const readBlock = createSvmBlockReads(ports.client, { ...args, program: chain.program })
  const feeds = createSvmFeeds(ports, chain.priceFeeds)
  const finality = createFinalityTracker({ finalityDepth: usualFinality })
  let latest: Snapshot | undefined
  let failure: string | undefined
  let resyncs = 0
  let learntAt: number | undefined

  /** Mints are read until all named ones are known: a node that is down at the start must not hide them for ever. */
  async function learnCurrencies(hash: ChainMarket['block']['hash']): Promise<void> {
    const isKnown = ({ chainId, address }: Readonly<{ chainId: ChainId; address: Pubkey }>) =>
      currencies.known({ chainId, address }) !== undefined
    const named = args.currencies.filter((each) => each !== svmNative)
    const isLearnt = named.every((address) => isKnown({ chainId: chain.id, address }))
    if (learntAt !== undefined && (isLearnt || now() - learntAt < currencyPauseMs)) return
    await currencies.learnNamed(chain.id, named, hash)
    learntAt = now()
  }

  async function round(): Promise<void> {
    const [reads, unsettled, stopped] = await Promise.all([
      readBlock(),
      ports.unsettledOf(chain.id),
      ports.stoppedAssets(chain.id),
      feeds.refresh(),
    ])
    await learnCurrencies(reads.block.hash)
    // Another endpoint may be behind.
    if (latest !== undefined && reads.block.number < latest.market.block.number) return
    finality.finalize(reads.finalSlot)
    const market = toMarket(args, reads, {
      feedPrices: feeds.prices(reads.block.timestamp),
      finality: finality.at(reads.block.number),
      unsettled,
      stoppedAssets: new Set(stopped.map(({ asset }) => asset)),
      refusedCurrencies: currencies.conflicts(chain.id),
    })
    latest = { market, trackedPools: 0 }
    onSnapshot()
  }

  async function attempt(): Promise<void> {
    try {
      await round()
      if (failure !== undefined) {
        resyncs += 1
        log.info({ chain: chain.id }, 'The market of the chain is followed again')
      }
      failure = undefined
    } catch (error) {
      if (ending.signal.aborted) return
      if (failure === undefined)
        log.warn(
          { chain: chain.id, reason: reasonOf(error) },
          'The market of a chain cannot be read',
        )
      failure = reasonOf(error)
    }
  }

  /** A chain that is down, or whose feeds are, does not delay the start of the others. */
  function settleStart(): void {
    const isPriced = latest !== undefined && isFullyPriced(chain, latest.market)
    if (isPriced || failure !== undefined || now() - startedAt > maxFeedWaitMs) started.resolve()
  }

  async function follow(): Promise<void> {
    const pause = Math.max(chain.blockSeconds * 1000, minPauseMs)
    while (!ending.signal.aborted) {
      await attempt()
      settleStart()
      await setTimeout(pause, undefined, { signal: ending.signal }).catch(() => undefined)
    }
    started.resolve()
  }

  const following = follow()
  return {
    latest: () => latest,
    announced: () => latest?.market.block.number ?? 0n,
    ready: started.promise,
    counts: () => ({ differences: 0, resyncs, verified: 0, discovered: undefined }),
    waitsFor: () => (latest === undefined ? (failure ?? 'its first block') : undefined),
    refusedFactories: () => [],
    close: async () => {
      ending.abort()
      await following
    },
  }
}

const isFullyPriced = ({ priceFeeds }: SvmChainConfig, { feedPrices }: ChainMarket): boolean =>
  priceFeeds.every(({ currency }) => feedPrices.has(currency))

type MarketParts = Pick<
  ChainMarket,
  'feedPrices' | 'finality' | 'stoppedAssets' | 'refusedCurrencies'
> &
  Pick<SettlementState, 'unsettled'>

const noPools = createGraph([])
const nothing = toUsd(0n)

function toMarket(
  { chain, native }: SvmMarketArgs,
  { block, gas, solverBalances, settlement }: SvmBlockReads,
  { unsettled, ...parts }: MarketParts,
): ChainMarket {
  return {
    chain: {
      id: chain.id,
      name: chain.name,
      native,
      wrappedNative: svmNative,
      blockSeconds: chain.blockSeconds,
      minPoolDepthUsd: nothing,
      depositPolicy: {
        // Deposits are credited once they are final.
        minBlocks: 0,
        tiers: [],
        maxUnfinalizedUsd: nothing,
        agreeAboveUsd: chain.agreeAboveUsd,
        agreeingEndpoints: chain.agreeingEndpoints,
        endpoints: chain.rpcUrls.length,
        // The program records every deposit.
        unrecordedLimitUsd: nothing,
      },
    },
    block,
    exposedUsd: nothing,
    settlement: settlement && { ...settlement, unsettled },
    graph: noPools,
    gas,
    usdPrices: parts.feedPrices,
    solverBalances,
    ...parts,
  }
}
