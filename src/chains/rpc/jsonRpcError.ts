import { RateLimitedError, UnusableAnswerError } from './rpcError.ts'

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
