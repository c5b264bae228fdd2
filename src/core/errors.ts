/** Every error code of this gateway, with the HTTP status that REST sends with it. */
export const statusByCode = {
  AMOUNT_TOO_LOW: 400,
  CALL_REVERTED: 400,
  CHAIN_DISABLED: 400,
  DESTINATION_TX_FAILED: 400,
  EXTRA_TXS_NOT_SUPPORTED: 400,
  FORBIDDEN: 403,
  GAS_BUDGET_EXCEEDED: 429,
  INSUFFICIENT_FUNDS: 400,
  INSUFFICIENT_LIQUIDITY: 400,
  INVALID_ADDRESS: 400,
  INVALID_EXTRA_TXS: 400,
  INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS: 400,
  INVALID_INPUT_CURRENCY: 400,
  INVALID_OUTPUT_CURRENCY: 400,
  INVALID_RECIPIENT: 400,
  INVALID_REQUEST: 400,
  INVALID_SLIPPAGE_TOLERANCE: 400,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  NOT_FOUND: 404,
  NO_SWAP_ROUTES_FOUND: 400,
  OVERLOADED: 503,
  PERMIT_FAILED: 400,
  PERSISTED_QUERY_MISMATCH: 400,
  PERSISTED_QUERY_NOT_FOUND: 404,
  PRICE_FETCH_FAILED: 503,
  QUERY_TOO_COMPLEX: 400,
  RATE_LIMITED: 429,
  REQUEST_TIMED_OUT: 503,
  REQUEST_TOO_LARGE: 413,
  RPC_HTTP_ERROR: 503,
  SERVICE_UNAVAILABLE: 503,
  SOLVER_CAPACITY_EXCEEDED: 400,
  STALE_MARKET: 503,
  SUBSCRIBER_TOO_SLOW: 503,
  SWAP_IMPACT_TOO_HIGH: 400,
  SWAP_QUOTE_FAILED: 503,
  TOO_MANY_OPEN_QUOTES: 429,
  UNAUTHORIZED: 401,
  UNKNOWN_ERROR: 500,
  UNKNOWN_REQUEST: 404,
  UNSUPPORTED_CHAIN: 400,
  UNSUPPORTED_CURRENCY: 400,
  UNSUPPORTED_ENDPOINT: 404,
  UNSUPPORTED_EXECUTION_TYPE: 400,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNSUPPORTED_PARAMETER: 400,
  UNSUPPORTED_ROUTE: 400,
  UNTRUSTED_DOCUMENT: 403,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof statusByCode

/** The values in the message, for programs. JSON values only. */
export type ErrorData = Readonly<Record<string, unknown>>

/** An expected failure with a stable code. Its message and data are safe to show to the caller. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly data: ErrorData | undefined
  /** The cause for the log, if it contains more than the message. */
  readonly reason?: string

  constructor(code: ErrorCode, message: string, data?: ErrorData, reason?: string) {
    super(message)
    if (reason !== undefined) this.reason = reason
    this.name = 'AppError'
    this.code = code
    this.data = data
  }
}

/** For `catch`: an expected failure becomes undefined. Anything else is a bug, and is thrown again. */
export function ignoreFailure(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
}

/**
 * The innermost cause of an error as a phrase for the log, without the text of wrappers: fetch only adds "fetch
 * failed", viem repeats the calldata, and Drizzle repeats the statement with its values.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.reason ?? error.message
  // A host with several addresses fails with one error for each, under an empty message.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  if (!(error instanceof Error)) return String(error)
  const { status, cause, details, shortMessage, code }: LibraryError = error
  if (typeof status === 'number') return `HTTP ${status}`
  if (cause instanceof Error) return reasonOf(cause)
  const message = details || shortMessage || error.message
  return typeof code !== 'string' || message.includes(code) ? message : `${code}: ${message}`
}

/**
 * Optional fields of errors of Node, fetch (`code`, `cause`), viem (`status`, `details`, `shortMessage`), Drizzle
 * (`cause`).
 */
type LibraryError = Error &
  Readonly<{ status?: unknown; details?: string; shortMessage?: string; code?: unknown }>

/**
 * The message of an error for an operator's terminal. Messages of viem have the whole URL of the endpoint, with its
 * key, and the calldata: of these only the innermost cause.
 */
export const messageOf = (error: unknown): string =>
  error instanceof Error && !('shortMessage' in error) ? error.message : reasonOf(error)
