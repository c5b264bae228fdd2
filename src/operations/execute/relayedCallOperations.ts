import type { Client } from '#src/operations/callers.ts'
import type { ExecuteRequest } from '#src/operations/input/executeInput.ts'
import type { RelayedCall } from '#src/requests/relayedCall.ts'

type Hash = `0x${string}`

/** A call was accepted. */
export type ExecutedCall = Readonly<{
  /** For people. */
  message: string
  /** Of the quote, or of the call itself. */
  requestId: Hash
}>

/** What a call's id shows. */
export type RelayedCallAnswer = Pick<
  RelayedCall,
  | 'requestId'
  | 'chainId'
  | 'isQuoted'
  | 'status'
  | 'failReason'
  | 'reason'
  | 'txHash'
  | 'createdAt'
  | 'updatedAt'
>

/** Calls that the relayer sends for API keys. */
export type RelayedCallOperations = Readonly<{
  /**
   * Accepts a call, which the relayer sends and pays the gas of. The same call under the same request or idempotency key is
   * sent once. Nothing has happened after an error.
   * @throws AppError UNAUTHORIZED; FORBIDDEN; UNSUPPORTED_EXECUTION_TYPE; INVALID_REQUEST; UNSUPPORTED_CHAIN; CHAIN_DISABLED;
   * UNKNOWN_REQUEST; CALL_REVERTED; GAS_BUDGET_EXCEEDED; RATE_LIMITED; STALE_MARKET; PRICE_FETCH_FAILED; RPC_HTTP_ERROR;
   * OVERLOADED; SERVICE_UNAVAILABLE
   */
  execute: (input: ExecuteRequest, client: Client) => Promise<ExecutedCall>
  /** The calls under a request id, the oldest first. @throws AppError SERVICE_UNAVAILABLE */
  relayedCalls: (requestId: Hash) => Promise<readonly RelayedCallAnswer[]>
}>
