import { createPublicClient, custom, defineChain, type PublicClient, type Transport } from 'viem'
import type { ChainConfig } from '#src/config.ts'
import { AppError } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import { inSpan, type Span } from '#src/tracing/tracer.ts'
import type { SoleEndpoint } from './agreement.ts'
import { type Ask, createFailover } from './failover.ts'
import { subscribeToHeads } from './headSocket.ts'
import { createRedactor, redactUrl } from './redact.ts'
import { checkAnswer } from './rpcAnswer.ts'
import { createRpcEndpoint, type RpcEndpoint } from './rpcEndpoint.ts'

/**
 * viem's client of one chain, over all its RPC URLs. When all of them fail, every action throws
 * RpcUnavailableError or RpcRefusedError itself, not wrapped in an error of viem.
 */
export type ChainClient = PublicClient<Transport, ReturnType<typeof toViemChain>> &
  Readonly<{
    ask: Ask
    /** Each RPC URL alone, in configured order. */
    endpoints: readonly SoleEndpoint[]
    /** Number of JSON-RPC requests sent so far, by method, with every retry and every check of a chain id. */
    requests: () => ReadonlyMap<string, number>
    /** Number of requests that an endpoint did not answer, or not usably, by its position and its URL without keys. */
    failures: () => ReadonlyMap<string, number>
    /**
     * Calls `listener` with the number of each block that the WebSocket announces, and without a number when the
     * WebSocket reconnects. Never calls it on a chain without `wsUrl`. Returns the function that unsubscribes.
     */
    onHead: (listener: (number?: bigint) => void) => () => void
    /** Ends all requests and sockets. Later requests throw RpcUnavailableError. */
    close: () => void
  }>

type ClientConfig = Pick<
  ChainConfig,
  'id' | 'displayName' | 'rpcUrls' | 'wsUrl' | 'nativeCurrency' | 'multicall3'
>

/** Connects at the first request. `timeoutSeconds` bounds one request to one URL. */
export function createChainClient(
  config: ClientConfig,
  log: Log,
  {
    timeoutSeconds = 10,
    span,
  }: Readonly<{ timeoutSeconds?: number; span?: Span | undefined }> = {},
): ChainClient {
  const { id: chainId, rpcUrls, wsUrl } = config
  const closer = new AbortController()
  const closing = closer.signal
  const redact = createRedactor(wsUrl === undefined ? rpcUrls : [...rpcUrls, wsUrl])
  const sent = new Map<string, number>()
  const count = (method: string) => void sent.set(method, (sent.get(method) ?? 0) + 1)
  const failed = new Map<string, number>()
  const endpoints = rpcUrls.map((url, at) =>
    countFailures(
      createRpcEndpoint({ log, closing, redact, count }, { url, chainId, timeoutSeconds }),
      () => void failed.set(nameOf(url, at), (failed.get(nameOf(url, at)) ?? 0) + 1),
    ),
  )
  const askOf = (asked: readonly RpcEndpoint[]): Ask => {
    const failover = createFailover(
      { endpoints: asked, closing, redact },
      { chain: config, timeoutSeconds },
    )
    return (request, parse, signal) =>
      inSpan(span, `rpc ${request.method}`, { 'crossquote.chain_id': chainId }, () =>
        failover(request, parse, signal),
      )
  }
  const ask = askOf(endpoints)

  const client = createPublicClient({
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
  const subscriptions = new Set<() => void>()

  return {
    ...client,
    ...surfaceRpcErrors(client),
    ask,
    endpoints: endpoints.map((endpoint, at) => ({
      rpc: nameOf(rpcUrls[at] ?? '', at),
      isBackingOff: () => endpoint.health() === 'backingOff',
      ask: askOf([endpoint]),
    })),
    requests: () => sent,
    failures: () => failed,
    onHead: (listener) => {
      if (wsUrl === undefined || closing.aborted) return () => undefined
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
}

const nameOf = (url: string, at: number): string => `${at}: ${redactUrl(url)}`

/** The endpoint, which calls `count` for each request that it did not answer. */
const countFailures = (endpoint: RpcEndpoint, count: () => void): RpcEndpoint => ({
  ...endpoint,
  check: async (signal) => {
    const isUsable = await endpoint.check(signal)
    if (!isUsable) count()
    return isUsable
  },
  reportFailure: (...failure) => {
    count()
    endpoint.reportFailure(...failure)
  },
})

/** Has no URLs: viem would put them into its error messages. */
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

/** viem wraps the errors of its transport, differently in each action: this unwraps our own errors. */
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
