import type { Hash } from 'viem'
import type { RelayedCall } from '#src/requests/relayedCall.ts'
import type { Client } from '#src/service/callers.ts'
import type { ExecuteRequest } from '#src/service/input/executeInput.ts'

/** A call was accepted. */
export type ExecutedCall = Readonly<{
  /** For people. */
  message: string
  /** Id of the quoted request that the call deposits for, else of the call itself. */
  requestId: Hash
}>

/** The public state of a call. */
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
   * Accepts a call. The relayer sends it and pays its gas. The same call under the same request or idempotency key is
   * sent once. After an error nothing has happened.
   * @throws AppError UNAUTHORIZED; FORBIDDEN; UNSUPPORTED_EXECUTION_TYPE; INVALID_REQUEST; UNSUPPORTED_CHAIN;
   * CHAIN_DISABLED; UNKNOWN_REQUEST; CALL_REVERTED; GAS_BUDGET_EXCEEDED; RATE_LIMITED; STALE_MARKET;
   * PRICE_FETCH_FAILED; RPC_HTTP_ERROR; OVERLOADED; SERVICE_UNAVAILABLE
   */
  execute: (input: ExecuteRequest, client: Client) => Promise<ExecutedCall>
  /** The calls under a request id, the oldest first. @throws AppError SERVICE_UNAVAILABLE */
  relayedCalls: (requestId: Hash) => Promise<readonly RelayedCallAnswer[]>
}>
