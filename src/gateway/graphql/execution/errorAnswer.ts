import { GraphQLError } from 'graphql'
import type { Log } from '#src/config/log.ts'
import { AppError, type ErrorCode, type ErrorData, statusByCode } from '#src/core/errors.ts'
import { dataOf } from '#src/gateway/http/fieldIssues.ts'
import { maskError } from '#src/gateway/http/maskError.ts'

/** An error as GraphQL clients receive it. */
export type ErrorAnswer = Readonly<{
  message: string
  extensions: Readonly<{ code: ErrorCode; statusCode: number; [fact: string]: unknown }>
}>

/**
 * Encodes an error. An `AppError` keeps its code and data, a mistake in the request gets a code by its HTTP
 * status, and any other error is a bug: it is logged and becomes UNKNOWN_ERROR.
 */
export function errorAnswer(error: GraphQLError, log: Log): ErrorAnswer {
  const cause = rootOf(error)
  if (cause instanceof AppError) return encode(cause)
  // The executor throws a plain error if our value does not fit its type. That is a bug too.
  if (cause instanceof GraphQLError) return coded(codeOf(error), cause.message)
  return encode(maskError(cause, log, 'A GraphQL operation failed', { path: error.path }))
}

const encode = (error: AppError): ErrorAnswer => coded(error.code, error.message, dataOf(error))

const coded = (code: ErrorCode, message: string, data?: ErrorData): ErrorAnswer => ({
  message,
  extensions: { ...data, code, statusCode: statusByCode[code] },
})

function rootOf(error: GraphQLError): unknown {
  const cause = error.originalError
  return cause instanceof GraphQLError ? rootOf(cause) : (cause ?? error)
}

const codeByStatus: Readonly<Record<number, ErrorCode>> = {
  405: 'METHOD_NOT_ALLOWED',
  406: 'NOT_ACCEPTABLE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
}

function codeOf({ extensions }: GraphQLError): ErrorCode {
  const { code, http } = extensions as { code?: string; http?: { status?: number } }
  if (code !== undefined && code in statusByCode) return code as ErrorCode
  return codeByStatus[http?.status ?? 400] ?? 'INVALID_REQUEST'
}
