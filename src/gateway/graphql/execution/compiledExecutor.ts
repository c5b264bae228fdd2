import type { ExecutionResult } from 'graphql'
import type { Answer } from '#src/gateway/http/answer.ts'
import type { Log } from '#src/log.ts'
import type { Operations } from '#src/operations/operations.ts'
import type { CompiledQuery, Documents } from './compiledDocuments.ts'
import { answeredError } from './errorAnswer.ts'

/** Media types by `accept` header as common clients send it; whoever sends another is Yoga's. */
const mediaTypeByAccept = new Map([
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/json, multipart/mixed', 'application/json'],
  ['application/graphql-response+json', 'application/graphql-response+json'],
  ['application/graphql-response+json, application/json', 'application/graphql-response+json'],
  ['application/graphql-response+json,application/json;q=0.9', 'application/graphql-response+json'],
])

/**
 * Answers the queries that come again and again: compiled, and without Yoga's pipeline, which is
 * most of what a request costs. It gives `undefined` for whatever is not plain, for Yoga to answer
 * from the start: malformed requests, variables that do not fit, and any errors but a single one of
 * our own, for which graphql-js and graphql-jit have different words. Queries may well run twice.
 */
export const createCompiledLane =
  (deps: Readonly<{ documents: Documents; operations: Operations; log: Log }>) =>
  (
    body: unknown,
    { accept = '*/*', apiKey }: Sent,
  ): Answer | Promise<Answer | undefined> | undefined => {
    const mediaType = mediaTypeByAccept.get(accept)
    const request = mediaType === undefined ? undefined : toRequest(body)
    if (mediaType === undefined || request === undefined) return undefined
    const query = deps.documents.find(request.query, request.operationName, 'query')
    if (query === undefined) return undefined
    const { operations, log } = deps
    const context = { operations, loaders: operations.loaders(), apiKey }
    const result = query.run(context, request.variables)
    return result instanceof Promise
      ? result.then((settled) => toAnswer(settled, query, mediaType, log))
      : toAnswer(result, query, mediaType, log)
  }

/** Of a request's headers, what matters here. */
type Sent = Readonly<{ accept: string | undefined; apiKey: string | undefined }>

type Request = Readonly<{
  query: string
  operationName: string | undefined
  variables: Readonly<Record<string, unknown>>
}>

/** `undefined` unless `value` is a GraphQL request beyond doubt. */
function toRequest(value: unknown): Request | undefined {
  if (!isRecord(value)) return undefined
  const { query, operationName, variables, ...others } = value
  const plain =
    typeof query === 'string' &&
    (operationName == null || (typeof operationName === 'string' && operationName !== '')) &&
    (variables == null || isRecord(variables)) &&
    Object.keys(others).length === 0
  if (!plain) return undefined
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function toAnswer(
  { data, errors }: ExecutionResult,
  { operation }: CompiledQuery,
  mediaType: string,
  log: Log,
): Answer | undefined {
  const headers = { 'content-type': `${mediaType}; charset=utf-8` }
  const answer = { status: 200, headers, lane: 'compiled', operation } as const
  if (errors === undefined) return { ...answer, body: JSON.stringify({ data }), code: 'OK' }
  const [error, another] = errors
  if (!(error?.originalError instanceof Error) || another !== undefined) return undefined
  const { message, extensions } = answeredError(error, log)
  const told = { message, locations: error.locations, path: error.path, extensions }
  return { ...answer, body: JSON.stringify({ errors: [told], data }), code: extensions.code }
}
