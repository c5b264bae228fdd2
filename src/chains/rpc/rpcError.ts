import { AppError } from '#src/core/errors.ts'

/** No RPC endpoint of the chain gave a usable answer. The log contains the reason of each failure. */
export class RpcUnavailableError extends AppError {
  constructor(chain: Readonly<{ id: number; displayName: string }>) {
    super(
      'RPC_HTTP_ERROR',
      `No RPC endpoint of ${chain.displayName} gives a usable answer at the moment.`,
      {
        chainId: chain.id,
      },
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
  /** The node's message without URLs and keys. For the log and for decisions, not for users. */
  override readonly reason: string

  constructor(
    chain: Readonly<{ id: number; displayName: string }>,
    refusal: Readonly<{ method: string; code: number; reason: string }>,
  ) {
    super('RPC_HTTP_ERROR', `The RPC endpoint of ${chain.displayName} refused ${refusal.method}.`, {
      chainId: chain.id,
    })
    this.rpcCode = refusal.code
    this.reason = refusal.reason
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
