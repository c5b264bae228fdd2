import type { Registry } from 'prom-client'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { HttpServer } from '#src/gateway/http/httpServer.ts'
import { createMetrics } from '#src/gateway/monitoring/metrics.ts'
import { createProbeServer } from '#src/gateway/monitoring/probeServer.ts'
import type { WorkerStatus } from '#src/gateway/monitoring/workerStatus.ts'
import type { ChainStatuses, LatestMarkets } from '#src/market/markets.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { marketStatusOf } from '#src/service/chains.ts'

type Deps = Readonly<{
  log: Log
  store: Pick<RequestStore, 'health'>
  registry: Registry
  config: Pick<Config, 'chains'>
  clients: ReadonlyMap<ChainId, ChainClient>
  /** Undefined if only trackers run. */
  market: (LatestMarkets & ChainStatuses) | undefined
  workerStatuses: () => readonly WorkerStatus[]
}>

/** The health and metrics server of a process without the gateway role. Does not listen yet. */
export function createProbes(deps: Deps): HttpServer {
  const { log, registry, store, config, clients, market, workerStatuses } = deps
  const chains = () =>
    config.chains.map(({ id, name }) => {
      const latest = market?.latest(id)
      return {
        id,
        name,
        sequencer: latest?.sequencer?.status,
        market: market && marketStatusOf(market, id),
        head: latest && { ...latest.block, pools: latest.graph.pools.length },
      }
    })
  return createProbeServer({
    log,
    storeHealth: store.health,
    metrics: createMetrics({ registry, chains, clients, workerStatuses }),
    workerStatuses,
  })
}
