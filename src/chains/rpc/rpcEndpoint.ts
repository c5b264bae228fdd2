import { backoffMs } from '#src/chains/backoff.ts'
import { reasonOf } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import { withDeadline } from './deadline.ts'
import { createJsonPoster } from './postJson.ts'
import { redactUrl } from './redact.ts'
import { parseChainId } from './rpcAnswer.ts'
import { UnusableAnswerError } from './rpcError.ts'

export type RpcRequest = Readonly<{ method: string; params?: readonly unknown[] }>

/** One RPC URL of a chain. It is used only after its chain id has been checked. */
export type RpcEndpoint = Readonly<{
  health: () => 'healthy' | 'unchecked' | 'backingOff'
  /** Whether it serves the configured chain. Concurrent callers share one check. @throws the reason of `signal` */
  check: (signal?: AbortSignal) => Promise<boolean>
  /** @throws JsonRpcError; UnusableAnswerError; the reason of `signal` */
  send: (request: RpcRequest, signal?: AbortSignal) => Promise<unknown>
  /** Grows with each good check and with each backoff. */
  period: () => number
  /**
   * Reports a failure of a request that was sent in the period `sentIn`. Starts a backoff that is longer after each
   * failure, unless a check or a backoff came since: what failed late tells nothing new. The next use checks the chain
   * id again.
   */
  reportFailure: (error: UnusableAnswerError, sentIn: number) => void
}>

/** A node answered with a JSON-RPC error. The endpoint itself is healthy. */
export class JsonRpcError extends Error {
  readonly code: number
  readonly data: unknown
  /** The error is the result of the call, such as a revert: every node would answer the same. */
  readonly isDefinitive: boolean

  constructor({ code, message, data }: RpcErrorBody) {
    super(message)
    this.code = code
    this.data = data
    this.isDefinitive = isDefinitive(code, message)
  }
}

const maxBackoffMs = 60_000
const backoffBounds = { minMs: 1_000, maxMs: maxBackoffMs }

export function createRpcEndpoint(
  {
    log,
    closing,
    redact,
    count,
  }: Readonly<{
    log: Log
    closing: AbortSignal
    redact: (text: string) => string
    count: (method: string) => void
  }>,
  {
    url,
    chainId,
    timeoutSeconds,
  }: Readonly<{ url: string; chainId: number; timeoutSeconds: number }>,
): RpcEndpoint {
  const rpc = redactUrl(url)
  // Not batched: one slow or refused call would delay the others, and reads already share multicalls.
  const post = createJsonPoster(url)
  let requests = 0
  let checked = false
  let checking: Promise<boolean> | undefined
  let failures = 0
  let failedAt = 0
  let period = 0
  /** End of the current backoff, which a good check ends early. */
  let backoffUntil = 0
  /** When the last backoff was due to end. Failures before it do not count again. */
  let dueAt = 0
  let isFailureLogged = false

  async function send({ method, params }: RpcRequest, signal?: AbortSignal): Promise<unknown> {
    count(method)
    requests += 1
    const body = { jsonrpc: '2.0', id: requests, method, params }
    try {
      const answer = await withDeadline(timeoutSeconds, [closing, signal], (stop) =>
        post(body, stop),
      )
      return readAnswer(answer)
    } catch (error) {
      signal?.throwIfAborted()
      throw error instanceof JsonRpcError ? error : new UnusableAnswerError(reasonOf(error))
    }
  }

  async function check(signal?: AbortSignal): Promise<boolean> {
    if (checked) return true
    checking ??= checkChainId()
    const current = checking
    return withDeadline(2 * timeoutSeconds, [signal], () => current)
  }

  async function checkChainId(): Promise<boolean> {
    const sentIn = period
    try {
      const found = parseChainId(await send({ method: 'eth_chainId', params: [] }))
      if (found !== BigInt(chainId)) throw new WrongChainError(found, chainId)
      checked = true
      period += 1
      backoffUntil = 0
      if (isFailureLogged) log.info({ chainId, rpc }, 'RPC endpoint works again')
      isFailureLogged = false
    } catch (error) {
      reportFailure(
        error instanceof UnusableAnswerError ? error : new UnusableAnswerError(reasonOf(error)),
        sentIn,
      )
    } finally {
      checking = undefined
    }
    return checked
  }

  function reportFailure(error: UnusableAnswerError, sentIn: number): void {
    const now = Date.now()
    // Concurrent requests fail together. They count as one failure.
    if (closing.aborted || sentIn !== period) return
    checked = false
    period += 1
    // It passed a check and failed again at once: the same backoff goes on.
    if (now < dueAt) {
      backoffUntil = dueAt
      return
    }
    if (now - failedAt > 2 * maxBackoffMs) failures = 0
    failures += 1
    const currentBackoffMs =
      error instanceof WrongChainError ? maxBackoffMs : backoffMs(failures, backoffBounds)
    failedAt = now
    dueAt = now + currentBackoffMs
    backoffUntil = dueAt
    const facts = {
      chainId,
      rpc,
      reason: redact(error.message),
      backoffSeconds: currentBackoffMs / 1000,
    }
    isFailureLogged = true
    if (error instanceof WrongChainError)
      log.error(facts, 'RPC endpoint serves another chain and is not used')
    else log.warn(facts, 'RPC endpoint failed and is backing off')
  }

  function health(): ReturnType<RpcEndpoint['health']> {
    if (Date.now() < backoffUntil) return 'backingOff'
    return checked ? 'healthy' : 'unchecked'
  }

  return { health, check, send, period: () => period, reportFailure }
}

class WrongChainError extends UnusableAnswerError {
  constructor(found: bigint, wanted: number) {
    super(`its chain id is ${found}, not ${wanted}`)
  }
}

type RpcErrorBody = Readonly<{ code: number; message: string; data?: unknown }>

/** @throws JsonRpcError; UnusableAnswerError when the node is overloaded or its answer is not JSON-RPC */
function readAnswer(answer: unknown): unknown {
  const { error, result } = (answer ?? {}) as { error?: unknown; result?: unknown }
  if (error === undefined || error === null) {
    if (result === undefined) throw new UnusableAnswerError('no result and no error')
    return result
  }
  const { code, message } = error as Partial<RpcErrorBody>
  if (typeof code !== 'number' || typeof message !== 'string')
    throw new UnusableAnswerError('an error without a code or message')
  if (isOverloaded(code, message) && !isDefinitive(code, message))
    throw new UnusableAnswerError(message)
  throw new JsonRpcError(error as RpcErrorBody)
}

/** Messages of a failed call: geth and its forks, Besu and Nethermind, reth and anvil. */
const callError =
  /revert|out ?of ?gas|gas required exceeds|(?:invalid|bad) ?(?:fe)?(?:opcode|instruction|jump)|stack ?(?:under|over)flow|execution aborted|E?VM (?:error|exception|execution)/i
/** Messages of a rejected transaction. */
const sendError = /nonce too|already known|underpriced|insufficient funds|intrinsic gas/i

const isDefinitive = (code: number, message: string): boolean =>
  code === 3 || callError.test(message) || sendError.test(message)

/** Temporary limits. The code -32005 alone is ambiguous: some nodes use it for a log range that is too large. */
const isOverloaded = (code: number, message: string): boolean =>
  code === 429 ||
  code === -32007 ||
  /rate.?limit|too many requests|request count|requests per|request limit|compute units|quota/i.test(
    message,
  )
