import type { Registry } from 'prom-client'
import type { SequencerState } from '#src/core/pricing/market.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { MarketStatus } from '#src/service/chains.ts'
import { addReadings, type Readings } from './readings.ts'

/** What the metrics of a chain are read from. */
export type ObservedChain = Readonly<{
  id: ChainId
  name: string
  head?: Head | undefined
  sequencer?: SequencerState['status'] | undefined
  market?: MarketStatus | undefined
}>

type Head = Readonly<{ number: bigint; timestamp: bigint; pools: number }>

/** Adds the metrics of each chain: its newest block, its market, and the feed that the market comes from. */
export function addMarketMetrics(registry: Registry, chains: () => readonly ObservedChain[]): void {
  /** The part of each chain that `partOf` returns, if it has one. */
  const each =
    <Part>(partOf: (chain: ObservedChain) => Part | undefined) =>
    () =>
      chains().flatMap((chain) => {
        const part = partOf(chain)
        return part === undefined ? [] : [[{ chain: chain.name }, part] as const]
      })
  addReadings(
    registry,
    ['chain'],
    each(({ head }) => head),
    headReadings,
  )
  addReadings(
    registry,
    ['chain'],
    each(({ sequencer }) => sequencer),
    sequencerReadings,
  )
  addReadings(
    registry,
    ['chain'],
    each(({ market }) => market),
    marketReadings,
  )
  addReadings(
    registry,
    ['chain'],
    each(({ market }) => market?.feed),
    feedReadings,
  )
  const refusals = () =>
    chains().flatMap(({ name: chain, market }) =>
      [...(market?.feed?.refused ?? [])].map(
        ([reason, count]) => [{ chain, reason }, count] as const,
      ),
    )
  addReadings(registry, ['chain', 'reason'], refusals, feedRefusalReadings)
}

const headReadings: Readings<Head> = {
  crossquote_chain_head_block: [
    'Height of the block that prices are computed from.',
    ({ number }) => Number(number),
  ],
  crossquote_chain_head_timestamp_seconds: [
    'Timestamp of the block that prices are computed from, in seconds since 1970.',
    ({ timestamp }) => Number(timestamp),
  ],
  crossquote_chain_pools: ['Count of the pools that routes can use.', ({ pools }) => pools],
}

const sequencerReadings: Readings<SequencerState['status']> = {
  crossquote_chain_sequencer_up: [
    'Whether the sequencer of a rollup is up, and was for its grace time: 1 or 0. With 0 the chain has no prices.',
    (sequencer) => Number(sequencer === 'up'),
  ],
}

const marketReadings: Readings<MarketStatus> = {
  crossquote_market_age_seconds: [
    'Seconds since the timestamp of the block that prices are computed from. Above maxMarketAgeSeconds prices are refused.',
    ({ ageSeconds }) => ageSeconds,
  ],
  crossquote_market_lag_blocks: [
    'Blocks that a node has announced and the market does not have yet.',
    ({ lagBlocks }) => (lagBlocks === undefined ? undefined : Number(lagBlocks)),
  ],
  crossquote_market_stale: [
    'Whether the prices of the chain are refused with STALE_MARKET: 1 or 0.',
    ({ ageSeconds, staleReason }) =>
      ageSeconds === undefined ? undefined : Number(staleReason !== undefined),
  ],
  crossquote_market_discovered_pools: [
    'Pools of the configured factories that are known, followed or not. Absent with a feed.',
    ({ pools }) => pools.discovered,
  ],
  crossquote_market_followed_pools: [
    'Pools whose state is kept current, whether routes can use them or not.',
    ({ pools }) => pools.followed,
  ],
  crossquote_market_refused_factories: [
    'Sources whose pools are not used, because they swap with an event that is not decoded.',
    ({ refusedFactories }) => refusedFactories.length,
  ],
  crossquote_market_verified_pools_total: [
    'Number of comparisons of a pool with the chain.',
    ({ verified }) => verified,
  ],
  crossquote_market_differences_total: [
    'Number of pools that differed from the chain and were read again.',
    ({ differences }) => differences,
  ],
  crossquote_market_resyncs_total: [
    'Number of full re-reads of the chain’s market, after a failure or a reorg that was too deep.',
    ({ resyncs }) => resyncs,
  ],
}

const feedReadings: Readings<NonNullable<MarketStatus['feed']>> = {
  crossquote_feed_age_seconds: [
    'Seconds since the last message of the feed that was accepted. It has one every two seconds. Above 15 prices are refused.',
    ({ silentMs }) => (silentMs === undefined ? undefined : silentMs / 1000),
  ],
  crossquote_feed_snapshots_total: [
    'Number of snapshots of the feed from which the market of the chain started.',
    ({ snapshots }) => snapshots,
  ],
}

const feedRefusalReadings: Readings<number> = {
  crossquote_feed_refused_total: [
    'Messages of the feed that changed nothing, by reason: forged (a wrong or missing HMAC), unreadable, misplaced, replayed, gap (messages before it are missing).',
    (count) => count,
  ],
}
