import type { RpcLimits } from '#src/config/endpoints.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import { type ChainProbe, evmProbe } from './chainProbe.ts'
import { withDeadline } from './deadline.ts'
import { createEndpointHealth, createUsualLatency, type EndpointHealth } from './endpointHealth.ts'
import { createLogRange } from './logRange.ts'
import type { PostJson } from './postJson.ts'
import { redactUrl } from './redact.ts'
import { RequestBudget } from './requestBudget.ts'
import { JsonRpcError, RateLimitedError, readAnswer, UnusableAnswerError } from './rpcError.ts'
import type { Priority, RpcRequest } from './rpcRequest.ts'

/** One RPC URL of a chain. It is used only after its chain has been checked. */
export type RpcEndpoint = EndpointHealth &
  Readonly<{
    /** Its URL without keys. */
    rpc: string
    /**
     * Sends the request once the budget allows it.
     * @throws JsonRpcError; RateLimitedError; UnusableAnswerError; UnwantedError if `isWanted` returns false at that
     * time; the reason of `signal`
     */
    send: (
      request: RpcRequest,
      options?: Readonly<{
        priority?: Priority
        signal?: AbortSignal | undefined
        isWanted?: () => boolean
      }>,
    ) => Promise<unknown>
    /**
     * Whether the endpoint has reached this height. Reads its height, unless an earlier answer was high enough.
     * @throws what `send` throws
     */
    hasReached: (
      height: bigint,
      options?: Readonly<{ priority?: Priority; signal?: AbortSignal | undefined }>,
    ) => Promise<boolean>
    /** Whether a request would have to wait for the budget. */
    isFull: RequestBudget['isFull']
    /** Milliseconds after which an answer to this method is slower than usual. */
    slowAfterMs: (method: string) => number
    usage: () => EndpointUsage
  }>

/** Usage and limits of an endpoint. */
export type EndpointUsage = ReturnType<RequestBudget['state']> &
  Readonly<{
    requests: ReturnType<UsageCounter['requests']>
    refusals: ReturnType<UsageCounter['refusals']>
    /** The configured or learnt maximum number of blocks of one `eth_getLogs`. */
    maxLogBlocks: number | undefined
  }>

/** The answer was no longer needed, so the request was not sent. */
export class UnwantedError extends Error {}

/** The concurrency of a slow node. It allows more than 100 requests per second at a latency of 0.5 s. */
const defaultMaxInFlight = 64
/** Minimum time between two warnings about rate limits. */
const refusalLogMs = 60_000

type EndpointArgs = Readonly<{
  url: string
  chainId: number
  timeoutSeconds: number
  limits?: RpcLimits | undefined
  /** The default is that of an EVM chain. */
  probe?: ChainProbe | undefined
}>

type Deps = Readonly<{
  log: Log
  closing: AbortSignal
  redact: (text: string) => string
  post: PostJson
}>

export function createRpcEndpoint(
  { log, closing, redact, post }: Deps,
  { url, chainId, timeoutSeconds, limits = {}, probe = evmProbe(chainId) }: EndpointArgs,
): RpcEndpoint {
  const rpc = redactUrl(url)
  // Not batched: one slow or refused call would delay the others, and reads already share multicalls.
  const budget = new RequestBudget({
    requestsPerSecond: limits.requestsPerSecond ?? Number.POSITIVE_INFINITY,
    maxInFlight: limits.maxInFlight ?? defaultMaxInFlight,
    closing,
  })
  const logRange = createLogRange(limits.maxLogBlocks)
  const latency = createUsualLatency()
  const counter = createUsageCounter()
  /** The highest height that the endpoint has reported. */
  let reached = -1n
  let requests = 0
  const logRateLimit = createRateLimitLog({ log, redact }, { chainId, rpc })
  const logRefusal = createRefusalLog({ log, redact }, { chainId, rpc })

  const send: RpcEndpoint['send'] = async (
    request,
    { priority = 'normal', signal, isWanted = () => true } = {},
  ) => {
    logRange.check(request)
    try {
      return await budget.run(
        priority,
        () => {
          if (!isWanted()) throw new UnwantedError()
          return exchange(request, signal)
        },
        signal,
      )
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof UnwantedError) throw error
      if (error instanceof RateLimitedError) {
        counter.countRefusal(request.method, 'rateLimit')
        health.noteFailure(error)
        logRateLimit(error, budget.state().requestsPerSecond)
        throw error
      }
      if (!(error instanceof JsonRpcError)) throw new UnusableAnswerError(reasonOf(error))
      if (!error.isDefinitive) {
        counter.countRefusal(request.method, 'refused')
        logRange.learn(request, error)
        logRefusal(request.method, error)
      }
      throw error
    }
  }

  async function exchange({ method, params }: RpcRequest, signal?: AbortSignal): Promise<unknown> {
    counter.countRequest(method)
    requests += 1
    const body = { jsonrpc: '2.0', id: requests, method, params }
    const sentAt = performance.now()
    const { json, retryAfterMs } = await withDeadline(timeoutSeconds, [closing, signal], (stop) =>
      post(body, stop),
    )
    const result = readAnswer(json, retryAfterMs)
    latency.record(method, performance.now() - sentAt)
    return result
  }

  async function hasReached(height: bigint, options?: Parameters<typeof send>[1]) {
    if (reached >= height) return true
    const found = probe.parseHeight(await send(probe.height, options))
    if (found > reached) reached = found
    return reached >= height
  }

  const checkChain = async () =>
    probe.checkIdentity(await send(probe.identity, { priority: 'head' }))
  const health = createEndpointHealth(
    { log, closing, redact, checkChain },
    { rpc, chainId, timeoutSeconds },
  )

  return {
    ...health,
    rpc,
    send,
    hasReached,
    isFull: (priority) => budget.isFull(priority),
    slowAfterMs: latency.slowAfterMs,
    usage: () => ({
      ...budget.state(),
      requests: counter.requests(),
      refusals: counter.refusals(),
      maxLogBlocks: logRange.maxBlocks(),
    }),
  }
}

/** Logs refusals for rate limits, as a warning at most once a minute. */
function createRateLimitLog(
  { log, redact }: Readonly<{ log: Log; redact: (text: string) => string }>,
  endpoint: Readonly<{ chainId: number; rpc: string }>,
) {
  let warnedAt = Number.NEGATIVE_INFINITY
  return ({ message, retryAfterMs }: RateLimitedError, perSecond: number): void => {
    const now = Date.now()
    const isNews = now - warnedAt > refusalLogMs
    if (isNews) warnedAt = now
    const requestsPerSecond = Math.floor(perSecond)
    log[isNews ? 'warn' : 'debug'](
      { ...endpoint, reason: redact(message), retryAfterMs, requestsPerSecond },
      'Rate limited by RPC endpoint; slowing down',
    )
  }
}

/** Logs what the node refuses, and its words: for people at most once a minute. */
function createRefusalLog(
  { log, redact }: Readonly<{ log: Log; redact: (text: string) => string }>,
  endpoint: Readonly<{ chainId: number; rpc: string }>,
) {
  let loggedAt = Number.NEGATIVE_INFINITY
  return (method: string, { code, message }: JsonRpcError): void => {
    const now = Date.now()
    const isNews = now - loggedAt > refusalLogMs
    if (isNews) loggedAt = now
    log[isNews ? 'info' : 'debug'](
      { ...endpoint, method, code, reason: redact(message) },
      'RPC endpoint refused a request',
    )
  }
}

/** Reason of a refusal: too many requests, or an error answer to the request. */
type RefusalReason = 'rateLimit' | 'refused'

type Refusal = Readonly<{ method: string; reason: RefusalReason; count: number }>

/** Counts the requests to one endpoint and its refusals. */
type UsageCounter = Readonly<{
  countRequest: (method: string) => void
  countRefusal: (method: string, reason: RefusalReason) => void
  /** Number of requests sent so far, by method, including retries and checks of the chain id. */
  requests: () => ReadonlyMap<string, number>
  refusals: () => readonly Refusal[]
}>

export function createUsageCounter(): UsageCounter {
  const requests = new Map<string, number>()
  const refusals = new Map<string, Refusal>()
  return {
    countRequest: (method) => void requests.set(method, (requests.get(method) ?? 0) + 1),
    countRefusal: (method, reason) => {
      const key = `${method} ${reason}`
      const count = (refusals.get(key)?.count ?? 0) + 1
      refusals.set(key, { method, reason, count })
    },
    requests: () => requests,
    refusals: () => [...refusals.values()],
  }
}
