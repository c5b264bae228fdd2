import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Config } from '#src/config.ts'
import { createMetrics } from '#src/gateway/monitoring/metrics.ts'
import type { WorkerStatus } from '#src/gateway/monitoring/workerStatus.ts'
import { createGateway, type Gateway } from '#src/gateway/server.ts'
import type { Log } from '#src/log.ts'
import type { MarketFeed } from '#src/market/createMarket.ts'
import { createOperations } from '#src/operations/createOperations.ts'
import { createRandomHash } from '#src/operations/quote/randomHash.ts'
import type { Bus } from '#src/requests/events/bus.ts'
import { createHub } from '#src/requests/events/hub.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { ChainId } from '#src/units/chainId.ts'

type Deps = Readonly<{
  log: Log
  config: Config
  clients: ReadonlyMap<ChainId, ChainClient>
  market: MarketFeed
  store: RequestStore
  bus: Bus
  /** The only GraphQL documents to execute, by their ids. */
  trustedDocuments?: ReadonlyMap<string, string> | undefined
  /** Present where this process also runs trackers or solvers. */
  workerStatuses?: () => readonly WorkerStatus[]
}>

/** The public APIs. Does not listen yet. */
export function createApis(deps: Deps): Gateway {
  const { log, config, clients, market, store, bus, workerStatuses } = deps
  const hub = createHub({ log, store, bus })
  const ending = new AbortController()
  const operations = createOperations({
    log,
    config,
    market,
    store: store.put,
    requests: store,
    hub,
    ending: ending.signal,
    now: Date.now,
    randomHash: createRandomHash(),
  })
  const metrics = createMetrics({
    chains: operations.chains,
    clients,
    ...(workerStatuses !== undefined && { workerStatuses }),
  })
  const gateway = createGateway(
    { operations, log, metrics },
    { deadlineSeconds: 10, proxies: config.proxies, trustedDocuments: deps.trustedDocuments },
  )
  return {
    ...gateway,
    close: async () => {
      // Subscriptions never end by themselves.
      hub.close()
      ending.abort()
      await gateway.close()
    },
  }
}
