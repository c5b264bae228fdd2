import { GraphQLError } from 'graphql'
import { AppError, type ErrorCode, statusByCode } from '#src/errors.ts'
import type { Log } from '#src/log.ts'

/** What a caller is told of a failure. */
export type AnsweredError = Readonly<{
  message: string
  extensions: Readonly<{ code: ErrorCode; statusCode: number; [fact: string]: unknown }>
}>

/**
 * What the caller is told of `error`. What is neither an AppError nor a mistake in the request is a
 * bug: it is logged, and masked as UNKNOWN_ERROR.
 */
export function answeredError(error: GraphQLError, log: Log): AnsweredError {
  const cause = rootOf(error)
  if (cause instanceof AppError) return coded(cause)
  // About values of ours that fit no type the executor throws plain errors.
  if (cause instanceof GraphQLError) return coded({ code: codeOf(error), message: cause.message })
  log.error({ err: cause, path: error.path }, 'An operation failed')
  return coded({ code: 'UNKNOWN_ERROR', message: 'Something went wrong on our side' })
}

const coded = ({
  code,
  message,
  data,
}: Pick<AppError, 'code' | 'message'> & Partial<Pick<AppError, 'data'>>): AnsweredError => ({
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
