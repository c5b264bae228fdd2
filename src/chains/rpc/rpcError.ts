import { AppError } from '#src/core/errors.ts'

/** No RPC endpoint of the chain gave a usable answer. */
export class RpcUnavailableError extends AppError {
  /** @param reason for the log: the last failure of each endpoint, with its host. */
  constructor(chain: Readonly<{ id: number; displayName: string }>, reason?: string) {
    super(
      'RPC_HTTP_ERROR',
      `No RPC endpoint of ${chain.displayName} gives a usable answer at the moment.`,
      { chainId: chain.id },
      reason,
    )
  }
}

/** The chain is configured without RPC endpoints: its market comes from a feed, and no other data is available. */
export class NoEndpointError extends AppError {
  constructor(chain: Readonly<{ id: number; displayName: string }>) {
    super(
      'RPC_HTTP_ERROR',
      `This service has no RPC endpoint of ${chain.displayName}, which it would have to ask.`,
      { chainId: chain.id },
    )
  }
}

/**
 * A node understood the request and refused it: for example a log range that is too large, or an unknown block or tag.
 */
export class RpcRefusedError extends AppError {
  readonly rpcCode: number
  /** The node's message without URLs and keys. For decisions, not for users. */
  readonly words: string
  /** For the log: the host, if it is known, the code and the words. */
  override readonly reason: string

  /** @param refusal `reason` has the words of the node, and `rpc` its URL without keys. */
  constructor(
    chain: Readonly<{ id: number; displayName: string }>,
    refusal: Readonly<{ method: string; code: number; reason: string; rpc?: string }>,
  ) {
    super('RPC_HTTP_ERROR', `The RPC endpoint of ${chain.displayName} refused ${refusal.method}.`, {
      chainId: chain.id,
    })
    this.rpcCode = refusal.code
    this.words = refusal.reason
    const host = refusal.rpc === undefined ? '' : `${refusal.rpc}: `
    this.reason = `${host}${refusal.method}: error ${refusal.code}: ${refusal.reason}`
  }
}

/** The endpoint gave no answer or an invalid one, so the next endpoint is asked. The message is for the log. */
export class UnusableAnswerError extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UnusableAnswerError'
  }
}

/** The endpoint refused a request because of its rate limit. It stays healthy, and its budget is paused. */
export class RateLimitedError extends UnusableAnswerError {
  /** The pause that the endpoint requested; undefined if it named none. */
  readonly retryAfterMs: number | undefined

  constructor(reason: string, retryAfterMs?: number) {
    super(reason)
    this.name = 'RateLimitedError'
    this.retryAfterMs = retryAfterMs
  }
}

type RpcErrorBody = Readonly<{ code: number; message: string; data?: unknown }>

/** A node answered with a JSON-RPC error. The endpoint itself is healthy. */
export class JsonRpcError extends Error {
  readonly code: number
  readonly data: unknown
  /** The error is the result of the call, such as a revert: every node would return it. */
  readonly isDefinitive: boolean

  constructor({ code, message, data }: RpcErrorBody) {
    super(message)
    this.code = code
    this.data = data
    this.isDefinitive = isDefinitive(code, message)
  }
}

/**
 * The result of a JSON-RPC answer.
 * @throws JsonRpcError; RateLimitedError; UnusableAnswerError when it is not JSON-RPC
 */
export function readAnswer(answer: unknown, retryAfterMs?: number): unknown {
  const { error, result } = (answer ?? {}) as { error?: unknown; result?: unknown }
  if (error === undefined || error === null) {
    if (result === undefined) throw new UnusableAnswerError('no result and no error')
    return result
  }
  const { code, message } = error as Partial<RpcErrorBody>
  if (typeof code !== 'number' || typeof message !== 'string')
    throw new UnusableAnswerError('an error without a code or message')
  if (isOverloaded(code, message) && !isDefinitive(code, message))
    throw new RateLimitedError(message, retryAfterMs)
  throw new JsonRpcError(error as RpcErrorBody)
}

/** Messages of a failed call: geth and its forks, Besu and Nethermind, reth and anvil. */
const callError =
  /revert|out ?of ?gas|gas required exceeds|(?:invalid|bad) ?(?:fe)?(?:opcode|instruction|jump)|stack ?(?:under|over)flow|execution aborted|E?VM (?:error|exception|execution)/i
/** Messages of a rejected transaction. */
const sendError = /nonce too|already known|underpriced|insufficient funds|intrinsic gas/i

const isDefinitive = (code: number, message: string): boolean =>
  code === 3 || callError.test(message) || sendError.test(message)

/** Whether the error is a temporary limit. The code -32005 is ambiguous: some nodes use it for too large log ranges. */
const isOverloaded = (code: number, message: string): boolean =>
  code === 429 ||
  code === -32007 ||
  /rate.?limit|too many requests|request count|requests per|request limit|compute units|quota/i.test(
    message,
  )
