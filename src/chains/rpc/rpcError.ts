import { AppError } from '#src/errors.ts'

/** No URL of the chain gave an answer that can be used. The reasons of each stand in the log. */
export class RpcUnavailableError extends AppError {
  constructor(chain: Readonly<{ id: number; displayName: string }>) {
    super('RPC_HTTP_ERROR', `No RPC of ${chain.displayName} answers as it should at the moment.`, {
      chainId: chain.id,
    })
  }
}

/** A node understood the request and declined it: a range too large, a tag or block that it does not know. */
export class RpcRefusedError extends AppError {
  readonly rpcCode: number
  /** The node's own words without URLs and keys: for the log and for decisions, not for users. */
  override readonly reason: string

  constructor(
    chain: Readonly<{ id: number; displayName: string }>,
    refusal: Readonly<{ method: string; code: number; reason: string }>,
  ) {
    super('RPC_HTTP_ERROR', `The RPC of ${chain.displayName} declined ${refusal.method}.`, {
      chainId: chain.id,
    })
    this.rpcCode = refusal.code
    this.reason = refusal.reason
  }
}

/** No answer, or one that no sound node gives: its URL is left for the next one. The message is for the log. */
export class UnusableAnswerError extends Error {
  constructor(what: string) {
    super(what)
    this.name = 'UnusableAnswerError'
  }
}
