import { Counter, Gauge, type Registry } from 'prom-client'
import type { MarketStatus } from '#src/service/chainSummary.ts'

type Chain = Readonly<{ name: string; market?: MarketStatus | undefined }>

/** Adds the metrics of the age and the verification of each chain's market. */
export function addMarketMetrics(registry: Registry, chains: () => readonly Chain[]): void {
  const registers = [registry]
  const labelNames = ['chain']

  const addGauge = (
    name: string,
    help: string,
    toValue: (market: MarketStatus) => number | undefined,
  ) =>
    new Gauge({
      name: `crossquote_market_${name}`,
      help,
      labelNames,
      registers,
      collect() {
        this.reset()
        for (const { name: chain, market } of chains()) {
          const value = market && toValue(market)
          if (value !== undefined) this.set({ chain }, value)
        }
      },
    })
  const addCounter = (name: string, help: string, toValue: (market: MarketStatus) => number) =>
    new Counter({
      name: `crossquote_market_${name}_total`,
      help,
      labelNames,
      registers,
      collect() {
        this.reset()
        for (const { name: chain, market } of chains())
          if (market !== undefined) this.inc({ chain }, toValue(market))
      },
    })

  addGauge(
    'age_seconds',
    'Seconds since the timestamp of the block that prices are computed from. Above maxMarketAgeSeconds prices are refused.',
    ({ ageSeconds }) => ageSeconds,
  )
  addGauge(
    'lag_blocks',
    'Blocks that a node has announced and the market does not have yet.',
    ({ lagBlocks }) => (lagBlocks === undefined ? undefined : Number(lagBlocks)),
  )
  addGauge(
    'stale',
    'Whether the prices of the chain are refused with STALE_MARKET: 1 or 0.',
    ({ ageSeconds, staleReason }) =>
      ageSeconds === undefined ? undefined : Number(staleReason !== undefined),
  )
  addGauge(
    'discovered_pools',
    'Pools of the configured factories that are known, followed or not. Absent with a feed.',
    ({ pools }) => pools.discovered,
  )
  addGauge(
    'followed_pools',
    'Pools whose state is kept current, whether routes can use them or not.',
    ({ pools }) => pools.followed,
  )
  addGauge(
    'refused_factories',
    'Sources whose pools are not used, because they swap with an event that is not decoded.',
    ({ refusedFactories }) => refusedFactories.length,
  )
  addCounter(
    'verified_pools',
    'Number of comparisons of a pool with the chain.',
    ({ verified }) => verified,
  )
  addCounter(
    'differences',
    'Number of pools that differed from the chain and were read again.',
    ({ differences }) => differences,
  )
  addCounter(
    'resyncs',
    'Number of full re-reads of the chain’s market, after a failure or a reorg that was too deep.',
    ({ resyncs }) => resyncs,
  )
}
