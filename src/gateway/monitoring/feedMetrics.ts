import { Counter, Gauge, type Registry } from 'prom-client'
import type { MarketStatus } from '#src/service/chainSummary.ts'

type Chain = Readonly<{ name: string; market?: MarketStatus | undefined }>
type Reception = NonNullable<MarketStatus['feed']>

/** Adds the metrics of markets that come from a feed. Other gateways have none of them. */
export function addFeedMetrics(registry: Registry, chains: () => readonly Chain[]): void {
  const registers = [registry]
  const receptions = (): readonly (readonly [chain: string, Reception])[] =>
    chains().flatMap(({ name, market }) => (market?.feed ? [[name, market.feed] as const] : []))

  new Gauge({
    name: 'crossquote_feed_age_seconds',
    help: 'Seconds since the last message of the feed that was accepted. It has one every two seconds. Above 15 prices are refused.',
    labelNames: ['chain'],
    registers,
    collect() {
      this.reset()
      for (const [chain, { silentMs }] of receptions())
        if (silentMs !== undefined) this.set({ chain }, silentMs / 1000)
    },
  })
  new Counter({
    name: 'crossquote_feed_refused_total',
    help: 'Messages of the feed that changed nothing, by reason: forged (a wrong or missing HMAC), unreadable, misplaced, replayed, gap (messages before it are missing).',
    labelNames: ['chain', 'reason'],
    registers,
    collect() {
      this.reset()
      for (const [chain, { refused }] of receptions())
        for (const [reason, count] of refused) this.inc({ chain, reason }, count)
    },
  })
  new Counter({
    name: 'crossquote_feed_snapshots_total',
    help: 'Number of snapshots of the feed from which the market of the chain started.',
    labelNames: ['chain'],
    registers,
    collect() {
      this.reset()
      for (const [chain, { snapshots }] of receptions()) this.inc({ chain }, snapshots)
    },
  })
}
