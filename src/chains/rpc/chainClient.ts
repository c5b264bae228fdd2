import { createPublicClient, custom, defineChain, type PublicClient, type Transport } from 'viem'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { Span } from '#src/config/tracing/tracer.ts'
import { AppError } from '#src/core/errors.ts'
import { evmProbe } from './chainProbe.ts'
import {
  createEndpoints,
  type EndpointRpcs,
  type NamedUsage,
  type PriorityOfAll,
  type RpcStatistics,
  requestsOf,
} from './endpoints.ts'
import type { Ask } from './failover.ts'
import { type OnHead, subscribeToHeads } from './headSocket.ts'
import { redactUrl } from './redact.ts'
import { checkAnswer } from './rpcAnswer.ts'
import { createUsageCounter } from './rpcEndpoint.ts'

type ViemClient = PublicClient<Transport, ReturnType<typeof toViemChain>>

/** Sends one JSON-RPC request to a chain. */
export type Rpc = Readonly<{ ask: Ask }>

/** Also says which chain it is, and where its Multicall3 is. */
export type ChainRpc = Rpc & Readonly<{ chain: ViemClient['chain'] }>

/** Calls contracts without a transaction. */
export type ContractReader = Pick<ViemClient, 'call' | 'readContract'>

/** Finds past logs and transactions. */
export type HistoryReader = Pick<
  ViemClient,
  'chain' | 'getLogs' | 'getBlockNumber' | 'getTransaction'
>

export type GasPriceReader = Pick<ViemClient, 'getGasPrice' | 'getFeeHistory'>

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
  const { id: chainId, rpcUrls, sendUrls = rpcUrls, wsUrl } = config
  const endpoints = createEndpoints(config, log, {
    timeoutSeconds,
    span,
    probe: evmProbe(chainId),
    otherUrls: wsUrl === undefined ? [] : [wsUrl],
  })
  const { askOf, closing, redact } = endpoints
  const socketUsage = createUsageCounter()
  const subscriptions = new Set<() => void>()

  const usage = (): readonly NamedUsage[] => [
    ...endpoints.usage(),
    ...(wsUrl === undefined
      ? []
      : [{ rpc: redactUrl(wsUrl), requests: socketUsage.requests(), budget: undefined }]),
  ]

  const shared = {
    endpoints: endpoints.endpoints,
    usage,
    requests: () => requestsOf(usage()),
    failures: endpoints.failures,
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
      endpoints.close()
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
