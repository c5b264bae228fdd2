import type { Registry } from 'prom-client'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { Tracer } from '#src/config/tracing/tracer.ts'
import { traceServer } from '#src/config/tracing/traceServer.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { HttpServer } from '#src/gateway/http/httpServer.ts'
import { createMetrics } from '#src/gateway/monitoring/metrics.ts'
import { createProbeServer } from '#src/gateway/monitoring/probeServer.ts'
import type { WorkerStatus } from '#src/gateway/monitoring/workerStatus.ts'
import { createGateway } from '#src/gateway/server.ts'
import type { Markets } from '#src/market/markets.ts'
import { createSvmReads } from '#src/market/svm/svmReads.ts'
import type { Bus } from '#src/requests/events/bus.ts'
import { createHub } from '#src/requests/events/hub.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { createInventory } from '#src/service/books/inventory.ts'
import { createCallers } from '#src/service/callers.ts'
import { marketStatusOf } from '#src/service/chains.ts'
import type { Work } from '#src/service/limits/work.ts'
import { createRandomHash } from '#src/service/quote/randomHash.ts'
import type { Service } from '#src/service/service.ts'
import { createService } from '#src/service/service.ts'
import { warmUp } from '#src/service/warmUp.ts'
import { createUpstream } from '#src/upstream/upstream.ts'
import type { UpstreamClient } from '#src/upstream/upstreamClient.ts'
import { type GatewayLimits, limitConcurrentStores, openRateLimiter } from './gatewayLimits.ts'

type Deps = Readonly<{
  log: Log
  config: Config
  clients: ReadonlyMap<ChainId, ChainClient>
  /** Of the svm chains; absent: there are none. */
  svmClients?: ReadonlyMap<ChainId, SvmClient> | undefined
  market: Markets
  work: Work
  store: RequestStore
  bus: Bus
  /** Registry with the metrics of the other parts of the process. */
  registry?: Registry
  tracer?: Tracer | undefined
  /** The only GraphQL documents to execute, by their ids. */
  trustedDocuments?: ReadonlyMap<string, string> | undefined
  /** Without them clients have no rate limit. */
  limits?: GatewayLimits | undefined
  /** Asks the service that the configuration names. */
  upstream?: UpstreamClient | undefined
  /** Present where this process also runs trackers or solvers. */
  workerStatuses?: () => readonly WorkerStatus[]
}>

/** The public APIs. */
export type Apis = HttpServer &
  Readonly<{
    /** Resolves when prices have reached their final speed: see `warmUp`. */
    warm: Promise<void>
  }>

const upstreamOf = ({ log, store: requests, config, upstream: client }: Deps) =>
  client && config.upstream
    ? createUpstream({ log, requests, client, now: Date.now }, config.upstream, {
        isOnly: config.chains.length === 0,
      })
    : undefined

/** Creates the APIs. They do not listen yet. */
export function createApis(deps: Deps): Apis {
  const { log, config, clients, market, store, bus, registry, tracer, workerStatuses } = deps
  const requests = { ...store, ...store.callers }
  const hub = createHub({ log, store: requests, bus })
  const ending = new AbortController()
  const untraced = createService({
    log,
    span: tracer?.span,
    config,
    market,
    work: deps.work,
    svmReads: createSvmReads(deps.svmClients ?? new Map()),
    store: deps.limits === undefined ? store.put : limitConcurrentStores(store.put),
    requests,
    upstream: upstreamOf(deps),
    hub,
    ending: ending.signal,
    now: Date.now,
    randomHash: createRandomHash(),
  })
  const operations = tracer === undefined ? untraced : traceOperations(untraced, tracer)
  const metrics = createMetrics({
    ...(registry !== undefined && { registry }),
    chains: operations.chains,
    clients,
    inventory: createInventory({ config, market }),
    ...(workerStatuses !== undefined && { workerStatuses }),
  })
  const opened =
    deps.limits &&
    openRateLimiter(
      { log, identify: createCallers(config.apiKeys), metrics: metrics.limits },
      deps.limits,
    )
  let isWarm = false
  const warm = warmUp({ market, ending: ending.signal })
    .catch((error: unknown) => log.error({ err: error }, 'The first prices failed'))
    .then(() => {
      isWarm = true
    })
  const gateway = createGateway(
    { operations, log, metrics, storeHealth: store.health, isWarm: () => isWarm },
    {
      deadlineSeconds: 10,
      proxies: config.proxies,
      trustedDocuments: deps.trustedDocuments,
      rateLimiter: opened?.rateLimiter,
      admission: deps.limits?.admission,
      connections: {
        ...deps.limits?.connections,
        // Behind proxies, the address of each connection is a proxy's.
        ...(config.proxies > 0 && { maxConnectionsPerAddress: Number.POSITIVE_INFINITY }),
      },
    },
  )
  if (tracer !== undefined) traceServer(gateway.server, tracer)
  return {
    ...gateway,
    warm,
    close: async () => {
      // Subscriptions never end by themselves.
      hub.close()
      ending.abort()
      await gateway.close()
      opened?.close()
    },
  }
}

/** The operations that are traced. */
const traced = [
  'price',
  'prices',
  'quote',
  'multiInputQuote',
  'storedQuote',
  'requestStatus',
  'requests',
  'currency',
  'balance',
  'bridge',
] as const satisfies readonly (keyof Service)[]

/**
 * The operations, with a span for each call of a traced one. Fields that an answer computes later run as its children.
 */
function traceOperations(operations: Service, tracer: Tracer): Service {
  const spans = traced.map((name) => {
    const operation = operations[name] as (...args: unknown[]) => unknown
    const call = (...args: unknown[]) =>
      tracer.span(`operation ${name}`, attributesOf(args[0]), () => {
        const answer = operation(...args)
        return answer instanceof Promise ? answer.then((each) => bound(each, tracer)) : answer
      })
    return [name, call]
  })
  return { ...operations, ...Object.fromEntries(spans) }
}

/** Runs an answer's fields that are computed on demand, such as the steps of a quote, as children of the span. */
function bound(answer: unknown, { bind }: Tracer): unknown {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer
  const calls = Object.entries(answer).filter(([, value]) => typeof value === 'function')
  if (calls.length === 0) return answer
  return { ...answer, ...Object.fromEntries(calls.map(([name, call]) => [name, bind(call)])) }
}

/** The chains of an order. Without addresses and amounts, because more people read traces than the database. */
function attributesOf(input: unknown): Readonly<Record<string, number>> {
  const { originChainId, destinationChainId } = (input ?? {}) as Record<string, unknown>
  return {
    ...(typeof originChainId === 'number' && { 'crossquote.origin_chain_id': originChainId }),
    ...(typeof destinationChainId === 'number' && {
      'crossquote.destination_chain_id': destinationChainId,
    }),
  }
}

type ProbeDeps = Readonly<{
  log: Log
  store: RequestStore
  registry: Registry
  config: Config
  clients: ReadonlyMap<ChainId, ChainClient>
  /** Undefined if only trackers run. */
  market: Markets | undefined
  workerStatuses: () => readonly WorkerStatus[]
}>

/** The health and metrics server of a process without the gateway role. Does not listen yet. */
export function createProbes(deps: ProbeDeps): HttpServer {
  const { log, registry, store, config, clients, market, workerStatuses } = deps
  const chains = () =>
    [...config.chains, ...config.svmChains].map(({ id, name }) => {
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
    metrics: createMetrics({
      registry,
      chains,
      clients,
      workerStatuses,
      inventory: market && createInventory({ config, market }),
    }),
    workerStatuses,
  })
}
