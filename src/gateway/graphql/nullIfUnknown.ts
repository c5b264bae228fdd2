import { AppError, type ErrorCode } from '#src/core/errors.ts'

const unknown: ReadonlySet<ErrorCode> = new Set(['UNKNOWN_REQUEST', 'UNSUPPORTED_CHAIN'])

/** Null for the error of an unknown request or chain: queries answer null for anything that does not exist. */
export function nullIfUnknown(error: unknown): null {
  if (error instanceof AppError && unknown.has(error.code)) return null
  throw error
}
