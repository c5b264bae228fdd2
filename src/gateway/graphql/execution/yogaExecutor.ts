import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  parse,
} from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import { AppError, type ErrorCode } from '#src/errors.ts'
import type { Answer } from '#src/gateway/http/answer.ts'
import { invalidRequest } from '#src/gateway/http/invalidRequest.ts'
import type { Log } from '#src/log.ts'
import type { Operations } from '#src/operations/operations.ts'
import { type Documents, operationLabel } from './compiledDocuments.ts'
import { limitErrors, longestDocument, mostTokens } from './documentLimits.ts'
import { answeredError } from './errorAnswer.ts'
import { createLiveSubscribe, type LiveEvents } from './liveEvents.ts'
import { variableIssues } from './variableIssues.ts'

/** What plugins learn of a request: for metrics, and what a subscription gives. */
type Seen = { operation: string; code: ErrorCode | 'OK'; events?: LiveEvents }

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

/** An operation as it came over a WebSocket. */
export type SentOperation = Readonly<{
  query: string
  operationName: string | undefined
  variables: Readonly<Record<string, unknown>> | undefined
  apiKey: string | undefined
}>

/** Found valid, and ready to be run. */
export type PreparedOperation = ExecutionArgs &
  Readonly<{
    run: () => Promise<ExecutionResult | LiveEvents>
    /** Names it in metrics. */
    operation: string
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
      useLiveSubscriptions(createLiveSubscribe(deps)),
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

  return {
    answer: async ({ method, url, headers, body, apiKey }: HttpRequest): Promise<Answer> => {
      const seen: Seen = { operation: 'none', code: 'OK' }
      const init = body === undefined ? { method, headers } : { method, headers, body }
      const response = await yoga.fetch(`http://gateway${url}`, init, { seen, apiKey })
      // Read to its end in any case: Yoga's stream has a timer that runs until then.
      const text = await response.text()
      if (seen.events === undefined || response.ok) {
        const contentType = response.headers.get('content-type') ?? 'text/plain'
        const { status } = response
        return {
          status,
          headers: { 'content-type': contentType },
          body: text,
          lane: 'yoga',
          ...seen,
        }
      }
      await seen.events.return?.()
      throw new AppError(
        'NOT_ACCEPTABLE',
        'A subscription is answered to who accepts text/event-stream, or over WebSocket',
      )
    },

    /** Judges an operation as one over HTTP is. @throws GraphQLError for text that does not parse. */
    prepare: async ({
      query,
      operationName,
      variables,
      apiKey,
    }: SentOperation): Promise<PreparedOperation | readonly GraphQLError[]> => {
      const seen: Seen = { operation: 'none', code: 'OK' }
      const params = { query, operationName, variables }
      const enveloped = yoga.getEnveloped({ params, seen, apiKey } as never)
      const document = enveloped.parse(query)
      const errors = enveloped.validate(enveloped.schema, document) as readonly GraphQLError[]
      if (errors.length > 0) return errors
      const { schema } = enveloped
      const kind = getOperationAST(document, operationName)?.operation
      const contextValue = await enveloped.contextFactory()
      let args: ExecutionArgs | undefined = {
        schema,
        document,
        contextValue,
        variableValues: variables,
        operationName,
      }
      return {
        schema,
        document,
        operationName,
        operation: operationLabel(document, operationName),
        run: async () => {
          if (args === undefined) throw new Error('An operation runs once')
          const taken = args
          // This object lives as long as a subscription does: what it came with need not.
          args = undefined
          return kind === 'subscription' ? enveloped.subscribe(taken) : enveloped.execute(taken)
        },
      }
    },
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
const useDocuments = (documents: Documents): Plugin<{ seen: Seen }> => {
  const note: NonNullable<Plugin<{ seen: Seen }>['onExecute']> = ({ args, context }) => {
    const { params, seen } = context
    if (params.query) documents.note(params.query)
    seen.operation = operationLabel(args.document, args.operationName ?? undefined)
  }
  return { onExecute: note, onSubscribe: note as never }
}

const useLiveSubscriptions = (
  subscribe: ReturnType<typeof createLiveSubscribe>,
): Plugin<object, { seen: Seen }> => ({
  onSubscribe: ({ setSubscribeFn }) => setSubscribeFn(subscribe as never),
  onResultProcess({ result, setResult, serverContext: { seen } }) {
    if (!(Symbol.asyncIterator in result)) return
    // Yoga has its say on media types alone: its own stream keeps more than a subscriber should cost.
    seen.events = result as unknown as LiveEvents
    setResult(nothing())
  },
})

async function* nothing(): AsyncGenerator<never> {}

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
