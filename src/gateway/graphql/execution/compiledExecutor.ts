import type { ExecutionResult } from 'graphql'
import type { Log } from '#src/config/log.ts'
import { AppError } from '#src/core/errors.ts'
import type { Meter } from '#src/gateway/limits/meter.ts'
import { createRequestContext } from '#src/gateway/requestContext.ts'
import type { Client } from '#src/service/callers.ts'
import type { Service } from '#src/service/service.ts'
import type { CompiledDocuments, CompiledQuery } from './compiledDocuments.ts'
import { errorAnswer } from './errorAnswer.ts'
import { type PersistedDocuments, withDocument } from './persistedDocuments.ts'
import type { GraphqlReply } from './yogaExecutor.ts'

/** The media type of the answer for the `accept` headers of common clients. Yoga negotiates all others. */
const mediaTypeByAccept = new Map([
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/json, multipart/mixed', 'application/json'],
  ['application/graphql-response+json', 'application/graphql-response+json'],
  ['application/graphql-response+json, application/json', 'application/graphql-response+json'],
  ['application/graphql-response+json,application/json;q=0.9', 'application/graphql-response+json'],
])

/**
 * Answers frequent queries with compiled code, and without Yoga's pipeline, which is most of the cost of a
 * request. It returns `undefined` if Yoga must answer from the start: for documents that are not compiled
 * yet, malformed requests, invalid or too costly variables, and answers that do not fit their types, which graphql-jit
 * words differently from graphql-js. Only a query with such an answer runs twice.
 * @throws RateLimitedError
 */
export const createCompiledExecutor =
  (
    deps: Readonly<{
      documents: CompiledDocuments
      persisted: PersistedDocuments
      operations: Service
      log: Log
    }>,
  ) =>
  async (
    body: unknown,
    { accept = '*/*', client, meter }: Sender,
  ): Promise<GraphqlReply | undefined> => {
    const mediaType = mediaTypeByAccept.get(accept)
    const request = mediaType === undefined ? undefined : toRequest(body, deps.persisted)
    if (mediaType === undefined || request === undefined) return undefined
    const query = deps.documents.findCompiled(request.query, request.operationName, 'query')
    if (query === undefined || !query.isAffordable(request.variables)) return undefined
    const { operations, log } = deps
    await meter.execute(query.unitsOf(request.variables))
    const result = await query.run(createRequestContext(operations, client), request.variables)
    return toReply(result, query, mediaType, log)
  }

type Sender = Readonly<{ accept: string | undefined; client: Client; meter: Meter }>

type Request = Readonly<{
  query: string
  operationName: string | undefined
  variables: Readonly<Record<string, unknown>>
}>

/** `undefined` unless `value` is a well-formed GraphQL request. Apollo names itself in `extensions`. */
function toRequest(value: unknown, persisted: PersistedDocuments): Request | undefined {
  if (!isRecord(value)) return undefined
  const sent = resolve(value, persisted)
  if (sent === undefined) return undefined
  const { query, operationName, variables, extensions, ...others } = sent
  const plain =
    typeof query === 'string' &&
    (operationName == null || (typeof operationName === 'string' && operationName !== '')) &&
    (variables == null || isRecord(variables)) &&
    (extensions == null || isRecord(extensions)) &&
    Object.keys(others).length === 0
  if (!plain) return undefined
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} }
}

/** With the text of its document; `undefined` where Yoga refuses the document. */
function resolve(sent: Record<string, unknown>, persisted: PersistedDocuments) {
  try {
    return withDocument(persisted, sent)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function toReply(
  { data, errors }: ExecutionResult,
  { operation }: CompiledQuery,
  mediaType: string,
  log: Log,
): GraphqlReply | undefined {
  const headers = { 'content-type': `${mediaType}; charset=utf-8` }
  const reply = { status: 200, headers, executor: 'compiled', operation } as const
  if (errors === undefined) return { ...reply, body: JSON.stringify({ data }), code: 'OK' }
  // Those of resolvers. A query that ends with them may have stored quotes: it must not run again.
  if (!errors.every(({ originalError }) => originalError instanceof Error)) return undefined
  const shown = errors.map((error) => {
    const { message, extensions } = errorAnswer(error, log)
    return { message, locations: error.locations, path: error.path, extensions }
  })
  const code = shown[0]?.extensions.code ?? 'UNKNOWN_ERROR'
  return { ...reply, body: JSON.stringify({ errors: shown, data }), code }
}
