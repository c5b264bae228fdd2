import { createPublicClient, custom, defineChain, type PublicClient, type Transport } from 'viem'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import { inSpan, type Span } from '#src/config/tracing/tracer.ts'
import { AppError } from '#src/core/errors.ts'
import { type Ask, Failover, type SoleEndpoint } from './failover.ts'
import { type OnHead, subscribeToHeads } from './headSocket.ts'
import { createJsonPoster } from './postJson.ts'
import { createRedactor, redactUrl } from './redact.ts'
import { checkAnswer } from './rpcAnswer.ts'
import {
  createRpcEndpoint,
  createUsageCounter,
  type EndpointUsage,
  type RpcEndpoint,
} from './rpcEndpoint.ts'
import { RateLimitedError } from './rpcError.ts'
import type { Priority } from './rpcRequest.ts'

type ViemClient = PublicClient<Transport, ReturnType<typeof toViemChain>>

/** Sends one JSON-RPC request to a chain. */
export type Rpc = Readonly<{ ask: Ask }>

/** Also says which chain it is, and where its Multicall3 is. */
export type ChainRpc = Rpc & Readonly<{ chain: ViemClient['chain'] }>

/** The endpoints of a chain, for answers that several of them must give. */
export type EndpointRpcs = Readonly<{
  /** Each URL of `rpcUrls` alone, in configured order. Does not include URLs that are only in `sendUrls`. */
  endpoints: readonly SoleEndpoint[]
}>

/** Calls contracts without a transaction. */
export type ContractReader = Pick<ViemClient, 'call' | 'readContract'>

/** Finds past logs and transactions. */
export type HistoryReader = Pick<
  ViemClient,
  'chain' | 'getLogs' | 'getBlockNumber' | 'getTransaction'
>

export type GasPriceReader = Pick<ViemClient, 'getGasPrice' | 'getFeeHistory'>

/** What monitoring shows of a chain's endpoints. */
type RpcStatistics = Readonly<{
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

export type HeadSource = Readonly<{
  /**
   * Calls `listener` with the number of each block that the WebSocket announces, and with its header if the block's
   * hash proves it. Calls it without a number when the WebSocket reconnects. Never calls it on a chain without
   * `wsUrl`. Returns the function that unsubscribes.
   */
  onHead: (listener: OnHead) => () => void
}>

/**
 * viem's client of one chain, over all its RPC URLs. When all of them fail, every action throws
 * RpcUnavailableError or RpcRefusedError itself, not wrapped in an error of viem.
 */
export type ChainClient = ViemClient &
  ChainRpc &
  EndpointRpcs &
  HeadSource &
  RpcStatistics &
  Readonly<{
    /** Returns a client whose requests all have this priority. By default the method determines the priority. */
    withPriority: (priority: PriorityOfAll) => ChainClient
    /** Ends all requests and sockets. Later requests throw RpcUnavailableError. */
    close: () => void
  }>

/** The requests and refusals of one URL. For a WebSocket only the requests are counted. */
type NamedUsage = Readonly<{
  /** Its URL without keys. */
  rpc: string
  requests: EndpointUsage['requests']
  budget: (Omit<EndpointUsage, 'requests'> & Readonly<{ isBackingOff: boolean }>) | undefined
}>

/** A constant priority, or a function that returns the priority of each request. */
type PriorityOfAll = Priority | (() => Priority)

type ClientConfig = Pick<
  ChainConfig,
  'id' | 'displayName' | 'rpcUrls' | 'wsUrl' | 'nativeCurrency' | 'multicall3'
> &
  Partial<Pick<ChainConfig, 'sendUrls' | 'rpcLimits'>>

/** Connects at the first request. `timeoutSeconds` limits one request to one URL. */
export function createChainClient(
  config: ClientConfig,
  log: Log,
  {
    timeoutSeconds = 10,
    span,
  }: Readonly<{ timeoutSeconds?: number; span?: Span | undefined }> = {},
): ChainClient {
  const { id: chainId, rpcUrls, sendUrls = rpcUrls, wsUrl, rpcLimits } = config
  const closer = new AbortController()
  const closing = closer.signal
  const urls = [...new Set([...rpcUrls, ...sendUrls])]
  const redact = createRedactor(wsUrl === undefined ? urls : [...urls, wsUrl])
  const socketUsage = createUsageCounter()
  const failed = new Map<string, number>()
  const endpoints = new Map(
    urls.map((url, at) => {
      const name = nameOf(url, at)
      const endpoint = createRpcEndpoint(
        { log, closing, redact, post: createJsonPoster(url) },
        { url, chainId, timeoutSeconds, limits: rpcLimits?.get(url) },
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
  const subscriptions = new Set<() => void>()

  const usage = (): readonly NamedUsage[] => [
    ...[...endpoints.values()].map(({ name, endpoint }) => {
      const { requests, ...budget } = endpoint.usage()
      const isBackingOff = endpoint.health() === 'backingOff'
      return { rpc: name, requests, budget: { ...budget, isBackingOff } }
    }),
    ...(wsUrl === undefined
      ? []
      : [{ rpc: redactUrl(wsUrl), requests: socketUsage.requests(), budget: undefined }]),
  ]

  const shared = {
    endpoints: sole,
    usage,
    requests: () => sumOf(usage().map(({ requests }) => requests)),
    failures: () => failed,
    onHead: (listener: OnHead) => {
      if (wsUrl === undefined || closing.aborted) return () => undefined
      const count = socketUsage.countRequest
      const end = subscribeToHeads({ log, redact, count }, { url: wsUrl, chainId }, listener)
      subscriptions.add(end)
      return () => {
        subscriptions.delete(end)
        end()
      }
    },
    close: () => {
      closer.abort()
      for (const end of subscriptions) end()
      subscriptions.clear()
    },
  }
  const byPriority = new Map<PriorityOfAll, ChainClient>()

  function clientOf(priority?: PriorityOfAll): ChainClient {
    const read = askOf(rpcUrls, priority)
    const send = askOf(sendUrls, priority)
    const ask: Ask = (request, ...rest) =>
      (request.method === 'eth_sendRawTransaction' ? send : read)(request, ...rest)
    const client = createViemClient(config, ask)
    return { ...client, ...surfaceRpcErrors(client), ...shared, ask, withPriority }
  }

  function withPriority(priority: PriorityOfAll): ChainClient {
    const client = byPriority.get(priority) ?? clientOf(priority)
    byPriority.set(priority, client)
    return client
  }

  return clientOf()
}

const createViemClient = (config: ClientConfig, ask: Ask) =>
  createPublicClient({
    chain: toViemChain(config),
    cacheTime: 0,
    // With EIP-3668 a contract could make this server fetch any URL.
    ccipRead: false,
    transport: custom(
      {
        request: async ({ method, params }) =>
          (await ask({ method, params }, (answer) => checkAnswer(method, answer) ?? undefined)) ??
          null,
      },
      { retryCount: 0 },
    ),
  })

function sumOf(counts: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const [method, count] of counts.flatMap((each) => [...each]))
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

/** Without URLs, because viem would put them into its error messages. */
const toViemChain = ({ id, displayName, nativeCurrency, multicall3 }: ClientConfig) => {
  const { name, symbol, decimals } = nativeCurrency
  return defineChain({
    id,
    name: displayName,
    nativeCurrency: { name, symbol, decimals },
    rpcUrls: { default: { http: [] } },
    contracts: { multicall3: { address: multicall3 } },
  })
}

/** Unwraps our own errors, because viem's actions wrap the errors of their transport in different ways. */
function surfaceRpcErrors<Actions extends object>(actions: Actions): Partial<Actions> {
  const surfaced = Object.entries(actions).flatMap(([name, action]) => {
    if (typeof action !== 'function' || name === 'extend') return []
    const act = (...args: unknown[]) => {
      const result: unknown = action(...args)
      return result instanceof Promise ? result.catch(throwInner) : result
    }
    return [[name, act]]
  })
  return Object.fromEntries(surfaced)
}

function throwInner(error: unknown): never {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AppError) throw cause
  throw error
}
