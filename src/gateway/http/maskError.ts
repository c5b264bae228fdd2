import type { Log } from '#src/config/log.ts'
import { AppError } from '#src/core/errors.ts'

/** Takes the errors that are bugs. */
export type ErrorLog = Readonly<{ error: Log['error'] }>

/**
 * The error that the caller receives. An `AppError` is safe to show. Any other error is a bug: it is logged with
 * `message` and `facts`, and becomes UNKNOWN_ERROR, which reveals nothing.
 */
export function maskError(
  error: unknown,
  log: ErrorLog,
  message: string,
  facts: Readonly<Record<string, unknown>> = {},
): AppError {
  if (error instanceof AppError) return error
  log.error({ err: error, ...facts }, message)
  return new AppError('UNKNOWN_ERROR', 'Internal error. The operator can find it in the log')
}
