import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import { inSpan, type Span } from '#src/config/tracing/tracer.ts'
import type { ChainProbe } from './chainProbe.ts'
import { type Ask, Failover, type SoleEndpoint } from './failover.ts'
import { createJsonPoster } from './postJson.ts'
import { createRedactor, redactUrl } from './redact.ts'
import { createRpcEndpoint, type EndpointUsage, type RpcEndpoint } from './rpcEndpoint.ts'
import { RateLimitedError } from './rpcError.ts'
import type { Priority } from './rpcRequest.ts'

/** The endpoints of a chain, for answers that several of them must give. */
export type EndpointRpcs = Readonly<{
  /** Each URL of `rpcUrls` alone, in configured order. Does not include URLs that are only in `sendUrls`. */
  endpoints: readonly SoleEndpoint[]
}>

/** What monitoring shows of a chain's endpoints. */
export type RpcStatistics = Readonly<{
  /** Number of JSON-RPC requests sent so far, by method, including retries and checks of the chain id. */
  requests: () => ReadonlyMap<string, number>
  /** The requests and refusals of each URL. `rpc` is its position and its host. */
  usage: () => readonly NamedUsage[]
  /**
   * Number of requests without a usable answer, by endpoint. An endpoint's name is its position and its URL without
   * keys.
   */
  failures: () => ReadonlyMap<string, number>
}>

/** The requests and refusals of one URL. For a WebSocket only the requests are counted. */
export type NamedUsage = Readonly<{
  /** Its URL without keys. */
  rpc: string
  requests: EndpointUsage['requests']
  budget: (Omit<EndpointUsage, 'requests'> & Readonly<{ isBackingOff: boolean }>) | undefined
}>

/** A constant priority, or a function that returns the priority of each request. */
export type PriorityOfAll = Priority | (() => Priority)

/** All endpoints of one chain, of any virtual machine. */
type ChainEndpoints = EndpointRpcs &
  RpcStatistics &
  Readonly<{
    /** Asks these URLs of the configuration one after another. */
    askOf: (urls: readonly string[], priority?: PriorityOfAll) => Ask
    /** Makes foreign text safe to log. */
    redact: (text: string) => string
    /** Fires on `close`. */
    closing: AbortSignal
    /** Ends all requests. Later ones throw RpcUnavailableError. */
    close: () => void
  }>

type EndpointsConfig = Pick<ChainConfig, 'id' | 'displayName' | 'rpcUrls'> &
  Partial<Pick<ChainConfig, 'sendUrls' | 'rpcLimits'>>

type Options = Readonly<{
  /** Limits one request to one URL. */
  timeoutSeconds: number
  span?: Span | undefined
  probe: ChainProbe
  /** Further URLs whose keys must not reach a log. */
  otherUrls?: readonly string[]
}>

/** Connects at the first request. */
export function createEndpoints(
  config: EndpointsConfig,
  log: Log,
  { timeoutSeconds, span, probe, otherUrls = [] }: Options,
): ChainEndpoints {
  const { id: chainId, rpcUrls, sendUrls = rpcUrls, rpcLimits } = config
  const closer = new AbortController()
  const closing = closer.signal
  const urls = [...new Set([...rpcUrls, ...sendUrls])]
  const redact = createRedactor([...urls, ...otherUrls])
  const failed = new Map<string, number>()
  const endpoints = new Map(
    urls.map((url, at) => {
      const name = nameOf(url, at)
      const endpoint = createRpcEndpoint(
        { log, closing, redact, post: createJsonPoster(url) },
        { url, chainId, timeoutSeconds, limits: rpcLimits?.get(url), probe },
      )
      const count = () => void failed.set(name, (failed.get(name) ?? 0) + 1)
      return [url, { name, endpoint: countFailures(endpoint, count) }]
    }),
  )
  const endpointsOf = (some: readonly string[]) =>
    some.flatMap((url) => endpoints.get(url)?.endpoint ?? [])

  const askOf = (asked: readonly string[], priority?: PriorityOfAll): Ask => {
    const deps = { closing, redact }
    const now = () => (typeof priority === 'function' ? priority() : priority)
    const args = { chain: config, timeoutSeconds, priority: now }
    const failover = new Failover({ ...deps, endpoints: endpointsOf(asked) }, args)
    return (request, parse, signal) =>
      inSpan(span, `rpc ${request.method}`, { 'crossquote.chain_id': chainId }, () =>
        failover.ask(request, parse, signal),
      )
  }
  const sole = rpcUrls.map((url): SoleEndpoint => {
    const [endpoint] = endpointsOf([url])
    return {
      rpc: endpoints.get(url)?.name ?? '',
      isBackingOff: () => endpoint?.health() === 'backingOff',
      ask: askOf([url]),
    }
  })

  const usage = (): readonly NamedUsage[] =>
    [...endpoints.values()].map(({ name, endpoint }) => {
      const { requests, ...budget } = endpoint.usage()
      const isBackingOff = endpoint.health() === 'backingOff'
      return { rpc: name, requests, budget: { ...budget, isBackingOff } }
    })

  return {
    askOf,
    redact,
    closing,
    endpoints: sole,
    usage,
    requests: () => requestsOf(usage()),
    failures: () => failed,
    close: () => closer.abort(),
  }
}

/** The sum of all URLs, by method. */
export function requestsOf(usage: readonly NamedUsage[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const [method, count] of usage.flatMap(({ requests }) => [...requests]))
    sums.set(method, (sums.get(method) ?? 0) + count)
  return sums
}

const nameOf = (url: string, at: number): string => `${at}: ${redactUrl(url)}`

/** Wraps an endpoint: calls `count` for each request without a usable answer. */
const countFailures = (endpoint: RpcEndpoint, count: () => void): RpcEndpoint => ({
  ...endpoint,
  check: async (signal) => {
    const isUsable = await endpoint.check(signal).catch(countLimit(count))
    if (!isUsable) count()
    return isUsable
  },
  send: (...request) => endpoint.send(...request).catch(countLimit(count)),
  reportFailure: (...failure) => {
    count()
    endpoint.reportFailure(...failure)
  },
})

const countLimit =
  (count: () => void) =>
  (error: unknown): never => {
    if (error instanceof RateLimitedError) count()
    throw error
  }
