import { GraphQLError, type GraphQLSchema, parse } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import type { ErrorCode } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import type { Operations } from '#src/operations/operations.ts'
import type { Answer } from './answer.ts'
import { answeredError } from './answeredError.ts'
import { type Documents, operationLabel } from './documents.ts'
import { invalidRequest } from './invalidRequest.ts'
import { limitErrors, longestDocument, mostTokens } from './limits.ts'
import { variableIssues } from './variableIssues.ts'

/** What plugins learn of a request, for metrics. */
type Seen = { operation: string; code: ErrorCode | 'OK' }

/** A parsed document takes up to 100 times its text. */
const mostDocuments = 200

/** A request as node:http gives it, its body read. */
type HttpRequest = Readonly<{
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** What came as `x-api-key`. */
  apiKey: string | undefined
}>

/** Answers every GraphQL request there is, by the book of GraphQL over HTTP. */
export function createYogaLane(
  deps: Readonly<{
    schema: GraphQLSchema
    documents: Documents
    operations: Operations
    log: Log
  }>,
) {
  const { schema, operations, log } = deps
  const yoga = createYoga<{ seen: Seen; apiKey: string | undefined }>({
    schema,
    context: ({ apiKey }) => ({ operations, loaders: operations.loaders(), apiKey }),
    plugins: [
      useLimits(),
      useDocuments(deps.documents),
      useVariableIssues(),
      useAnsweredErrors(log),
    ],
    parserAndValidationCache: {
      documentCache: new LRUCache({ max: mostDocuments }),
      errorCache: new LRUCache({ max: mostDocuments }),
    },
    logging: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    maskedErrors: false,
    // All of these are the business of the HTTP server before it.
    maxRequestBodySize: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    batching: false,
  })

  return async ({ method, url, headers, body, apiKey }: HttpRequest): Promise<Answer> => {
    const seen: Seen = { operation: 'none', code: 'OK' }
    const init = body === undefined ? { method, headers } : { method, headers, body }
    const response = await yoga.fetch(`http://gateway${url}`, init, { seen, apiKey })
    return {
      status: response.status,
      headers: { 'content-type': response.headers.get('content-type') ?? 'text/plain' },
      body: await response.text(),
      lane: 'yoga',
      ...seen,
    }
  }
}

/** Failures are logged once, where they are answered. */
const ignore = () => {}

const useLimits = (): Plugin => ({
  onParse: ({ setParseFn }) =>
    setParseFn((source: string, options) => {
      if (source.length > longestDocument)
        throw new GraphQLError(`A document has at most ${longestDocument} characters`, {
          extensions: { code: 'QUERY_TOO_COMPLEX' },
        })
      return parse(source, { ...options, maxTokens: mostTokens })
    }),
  onValidate({ params: { schema, documentAST }, setResult }) {
    const errors = limitErrors(schema, documentAST)
    if (errors.length > 0) setResult(errors)
  },
})

/** What comes to execution is valid. */
const useDocuments = (documents: Documents): Plugin<{ seen: Seen }> => ({
  onExecute({ args, context: { params, seen } }) {
    if (params.query) documents.note(params.query)
    seen.operation = operationLabel(args.document, args.operationName ?? undefined)
  },
})

/** Names every bad variable at once, where graphql-js stops at those of the wrong type. */
const useVariableIssues = (): Plugin => ({
  onExecute: ({ args }) => ({
    onExecuteDone({ result, setResult }) {
      if ('data' in result || !('errors' in result)) return
      const issues = variableIssues(args)
      if (issues.length === 0) return
      const error = invalidRequest(issues)
      setResult({ errors: [new GraphQLError(error.message, { originalError: error })] })
    },
  }),
})

const useAnsweredErrors = (log: Log): Plugin<object, { seen: Seen }> => ({
  onResultProcess({ result, setResult, serverContext: { seen } }) {
    if (!('errors' in result) || result.errors === undefined) return
    const errors = result.errors.map((error, at) => {
      const { message, extensions } = answeredError(error, log)
      if (at === 0) seen.code = extensions.code
      const { statusCode } = extensions
      // With `spec` Yoga answers 200 to who asks for application/json, as GraphQL over HTTP wants.
      const http = error.extensions['http'] ?? { status: statusCode, spec: statusCode < 500 }
      return new GraphQLError(message, {
        nodes: error.nodes ?? null,
        source: error.source ?? null,
        positions: error.positions ?? null,
        path: error.path ?? null,
        extensions: 'data' in result ? extensions : { ...extensions, http },
      })
    })
    setResult({ ...result, errors })
  },
})
