import type { Server } from 'node:http'
import { Registry } from 'prom-client'
import { type ChainClient, createChainClient } from '#src/chains/rpc/chainClient.ts'
import { version } from '#src/config/command.ts'
import type { Config } from '#src/config/config.ts'
import type { Role } from '#src/config/environment.ts'
import type { Signer } from '#src/config/keys/signer.ts'
import type { Log } from '#src/config/log.ts'
import type { Tracer } from '#src/config/tracing/tracer.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { addBuildInfo } from '#src/gateway/monitoring/buildInfo.ts'
import { addStoreMetrics } from '#src/gateway/monitoring/storeMetrics.ts'
import { createMarkets, type Markets } from '#src/market/markets.ts'
import type { ReplicaPlace } from '#src/market/replica/replicaReader.ts'
import type { Bus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { createCallers } from '#src/service/callers.ts'
import { createWork } from '#src/service/limits/work.ts'
import { createUpstreamClient } from '#src/upstream/upstreamClient.ts'
import { type Apis, createApis, createProbes } from './apis.ts'
import type { GatewayLimits } from './gatewayLimits.ts'
import { createLeadership, defaultTiming } from './leadership.ts'
import { connectLeases } from './leaseConnection.ts'
import { observeStore } from './observedStore.ts'
import type { SvmSystem } from './svm/svmSystem.ts'
import { startWorkers } from './workers.ts'

type Deps = Readonly<{
  log: Log
  store: RequestStore
  bus: Bus
  /** The market's monotonic clock, in milliseconds. */
  now: () => number
  /** The time to compare with the timestamps of a chain's blocks, Unix milliseconds. */
  time: (chainId: ChainId) => number
  /** Present if traces are sent to a collector. */
  tracer?: Tracer | undefined
}>

type SystemArgs = Readonly<{
  config: Config
  /** The verified currencies of the token list. */
  listed: readonly Currency[]
  roles: ReadonlySet<Role>
  /** Whether a chain may restart from another genesis under its id. Then the stored rows of the old one are deleted. */
  isDevnet?: boolean
  /** The only GraphQL documents to execute, by their ids. Undefined: any document. */
  trustedDocuments?: ReadonlyMap<string, string> | undefined
  /** Without them clients have no rate limit. */
  limits?: GatewayLimits | undefined
  /** The solver's account. Required for the solver role. */
  account?: Signer
  /** The allocator, if it has another key than the solver. */
  allocator?: Signer
  /** Signs the calls of API keys, if the configuration names a relayer. */
  relayer?: Signer | undefined
  /** The svm chains, from `loadSvm`. Undefined if the configuration has none. */
  svm?: SvmSystem | undefined
  /** Redis, stream prefix and secret of the feeds. Required for the role `feed`. */
  feed?: ReplicaPlace | undefined
  /** Whether the market is read from the feeds. Must be false for a solver. */
  readsFeed?: boolean
  /** The database in which processes elect leaders. Without it, this process leads every duty. */
  databaseUrl?: string
}>

/** The running parts of one process. */
export type System = Readonly<{
  clients: ReadonlyMap<ChainId, ChainClient>
  /** Undefined if only trackers run. */
  market: Markets | undefined
  /** Undefined without the gateway role. */
  gateway: Apis | undefined
  /** The gateway's server, else the server of health and metrics. Does not listen yet. */
  server: Server
  /** Resolves when the market has a snapshot of every chain and the gateway's prices have reached their final speed. */
  ready: () => Promise<void>
  /** Makes `/ready` return 503. Requests are still answered. */
  drain: () => void
  /** Stops everything in reverse order. The store and the bus stay open. */
  stop: () => Promise<void>
}>

/** Starts the parts for the given roles. The store and the bus are already running. */
export function startSystem(deps: Deps, args: SystemArgs): System {
  const { log, tracer } = deps
  const { config, roles, databaseUrl, account, allocator, relayer, svm, isDevnet = false } = args
  const clients = new Map(
    config.chains.map((chain) => [chain.id, createChainClient(chain, log, { span: tracer?.span })]),
  )
  const registry = new Registry()
  const names = new Map([...config.chains, ...config.svmChains].map(({ id, name }) => [id, name]))
  const metrics = addStoreMetrics(registry, names)
  addBuildInfo(registry, version())
  const store = observeStore(deps.store, { metrics, tracer })
  const market = startMarket({ ...deps, store }, clients, args)
  const leases =
    databaseUrl === undefined
      ? undefined
      : connectLeases({ log }, { databaseUrl, timeoutMs: defaultTiming.beatMs })
  const leadership = createLeadership({ log, leases })
  const upstream =
    config.upstream && createUpstreamClient({ log, now: () => performance.now() }, config.upstream)
  const shared = { ...deps, store, config, clients, svmClients: svm?.clients, upstream }
  const work = createWork(createCallers(config.apiKeys))
  const workers = startWorkers(
    {
      ...shared,
      svm,
      market,
      pricing: work.pricing,
      leadership,
      account,
      allocator,
      relayer,
      isDevnet,
      feed: args.feed,
    },
    roles,
  )
  const { workerStatuses } = workers
  const gateway =
    roles.has('gateway') && market !== undefined
      ? createApis({
          ...shared,
          registry,
          market,
          work,
          workerStatuses,
          trustedDocuments: args.trustedDocuments,
          limits: args.limits,
        })
      : undefined
  const api = gateway ?? createProbes({ ...shared, registry, market, workerStatuses })
  return {
    clients,
    market,
    gateway,
    server: api.server,
    ready: async () => {
      await market?.ready()
      await gateway?.warm
    },
    drain: api.drain,
    stop: async () => {
      await api.close()
      await workers.stop()
      await leadership.close()
      await leases?.close()
      await market?.close()
      for (const client of clients.values()) client.close()
      svm?.close()
    },
  }
}

/** Follows the market of every chain, if a role of this process needs it. */
function startMarket(
  { log, now, time, store }: Deps,
  clients: ReadonlyMap<ChainId, ChainClient>,
  { config, listed, roles, limits, feed, readsFeed, svm }: SystemArgs,
): Markets | undefined {
  if (!(roles.has('gateway') || roles.has('solver') || roles.has('feed'))) return undefined
  const stored = { unsettledOf: store.unsettledAmounts, stoppedAssets: store.stoppedAssets }
  return createMarkets(
    {
      clients,
      log,
      now,
      time,
      searches: store,
      exposureOf: store.exposureUsd,
      ...stored,
    },
    {
      config,
      listed,
      maxCallerCalls: limits?.callerCalls,
      readsPermits: roles.has('gateway'),
      feed: readsFeed === true ? feed : undefined,
      others: svm?.marketChains({ clients, log, now, ...stored }),
    },
  )
}
