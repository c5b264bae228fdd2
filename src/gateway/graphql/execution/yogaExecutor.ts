import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationTypeNode,
  parse,
} from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import type { Log } from '#src/config/log.ts'
import { AppError, type ErrorCode } from '#src/core/errors.ts'
import {
  createLiveSubscribe,
  type LiveEvents,
} from '#src/gateway/graphql/subscriptions/liveEvents.ts'
import { invalidRequest } from '#src/gateway/http/fieldIssues.ts'
import type { Reply } from '#src/gateway/http/reply.ts'
import type { Meter } from '#src/gateway/limits/meter.ts'
import type { RequestOutcome } from '#src/gateway/monitoring/metrics.ts'
import { createRequestContext } from '#src/gateway/requestContext.ts'
import type { Client } from '#src/service/callers.ts'
import type { Service } from '#src/service/service.ts'
import { type CompiledDocuments, operationLabel } from './compiledDocuments.ts'
import { type DocumentLimits, maxDocumentLength, maxTokens } from './documentLimits.ts'
import { errorAnswer } from './errorAnswer.ts'
import { type PersistedDocuments, usePersistedDocuments } from './persistedDocuments.ts'
import { conditionalRootErrors } from './subscriptionRoot.ts'
import { variableIssues } from './variableIssues.ts'

/** The answer to a GraphQL request. A subscription has `events`, which are sent instead of the body. */
export type GraphqlReply = Reply & RequestOutcome & Readonly<{ events?: LiveEvents }>

/** The data that the plugins report about a request. */
type Report = {
  operation: string
  code: ErrorCode | 'OK'
  events?: LiveEvents
  /** Reason why the whole document was not executed. */
  refusal?: AppError
}

/** Maximum number of documents in the parser cache. A parsed document takes up to 100 times the memory of its text. */
const maxDocuments = 200

/** An HTTP request whose body has been read. */
type HttpRequest = Readonly<{
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
  client: Client
  meter: Meter
}>

/** An operation received over a WebSocket. */
export type SentOperation = Readonly<{
  query: string
  documentId?: unknown
  extensions?: unknown
  operationName: string | undefined
  variables: Readonly<Record<string, unknown>> | undefined
  client: Client
  meter: Meter
}>

/** A valid operation, ready to run once. */
export type PreparedOperation = Readonly<{
  schema: GraphQLSchema
  /** A document with an operation of the same kind: a subscription keeps it, and the real one may be large. */
  document: DocumentNode
  run: () => Promise<ExecutionResult | LiveEvents>
  /** Its name in metrics. */
  operation: string
}>

const documentOf: Readonly<Record<OperationTypeNode, DocumentNode>> = {
  query: parse('query { a }'),
  mutation: parse('mutation { a }'),
  subscription: parse('subscription { a }'),
}

/** Our own data of a request, for the plugins. */
type ServerContext = { report: Report; client: Client; meter: Meter }

type Deps = Readonly<{
  schema: GraphQLSchema
  limits: DocumentLimits
  documents: CompiledDocuments
  persisted: PersistedDocuments
  operations: Service
  log: Log
}>

/** Answers every GraphQL request as the GraphQL-over-HTTP specification demands. Slower than the compiled executor. */
export function createYogaExecutor(deps: Deps) {
  const yoga = createPipeline(deps)

  return {
    /** @throws AppError NOT_ACCEPTABLE, RATE_LIMITED */
    answer: async (request: HttpRequest): Promise<GraphqlReply> => {
      const { method, url, headers, body, client, meter } = request
      const report: Report = { operation: 'none', code: 'OK' }
      const init = body === undefined ? { method, headers } : { method, headers, body }
      const response = await yoga.fetch(`http://gateway${url}`, init, { report, client, meter })
      // Always read to the end: Yoga's stream keeps a timer until then.
      const text = await response.text()
      if (report.refusal !== undefined) throw report.refusal
      if (report.events === undefined || response.ok) {
        const contentType = response.headers.get('content-type') ?? 'text/plain'
        const replied = { 'content-type': contentType }
        const { status } = response
        return { status, headers: replied, body: text, executor: 'yoga', ...report }
      }
      await report.events.return()
      throw new AppError(
        'NOT_ACCEPTABLE',
        'A subscription needs a client that accepts text/event-stream, or a WebSocket',
      )
    },

    /** Parses and validates an operation as over HTTP. @throws GraphQLError if it does not parse. */
    prepare: async (sent: SentOperation): Promise<PreparedOperation | readonly GraphQLError[]> => {
      const { operationName, variables, client, meter } = sent
      const report: Report = { operation: 'none', code: 'OK' }
      const query = deps.persisted.textOf(sent) ?? sent.query
      const params = { query, operationName, variables }
      const enveloped = yoga.getEnveloped({ params, report, client, meter } as never)
      const document = enveloped.parse(query)
      const { schema } = enveloped
      const errors = enveloped.validate(schema, document) as readonly GraphQLError[]
      if (errors.length > 0) return errors
      const contextValue = await enveloped.contextFactory()
      const args = { schema, document, contextValue, variableValues: variables, operationName }
      const kind = getOperationAST(document, operationName)?.operation
      if (kind === undefined) return [new GraphQLError('Unable to identify operation')]
      const run = async () => {
        if (kind !== 'subscription') return enveloped.execute(args)
        const result = await enveloped.subscribe(args)
        return report.events ?? result
      }
      const operation = operationLabel(document, operationName)
      return { schema, document: documentOf[kind], operation, run: once(run) }
    },
  }
}

/** A function that can run once, and then drops what it needs: a subscription keeps the function as long as it lives. */
function once<Result>(run: () => Result): () => Result {
  let left: typeof run | undefined = run
  return () => {
    if (left === undefined) throw new Error('A prepared operation can run only once')
    const taken = left
    left = undefined
    return taken()
  }
}

/** Yoga with our plugins. The HTTP server in front of it reads bodies, and adds headers. */
function createPipeline({ schema, operations, log, ...deps }: Deps) {
  const documentCache = new LRUCache<string, DocumentNode>({
    max: maxDocuments,
    memoMethod: (text) => parse(text),
  })
  const live = { operations, log, parse: (text: string) => documentCache.memo(text) }
  return createYoga<ServerContext>({
    schema,
    context: ({ client }) => createRequestContext(operations, client),
    plugins: [
      usePersistedDocuments(deps.persisted),
      useLimits(deps.limits),
      useMeter(deps.limits),
      useCompiledDocuments(deps.documents),
      useLiveSubscriptions(createLiveSubscribe({ ...deps, ...live })),
      useVariableIssues(),
      useErrorAnswers(log),
    ],
    parserAndValidationCache: {
      documentCache,
      errorCache: new LRUCache({ max: maxDocuments }),
    },
    logging: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    maskedErrors: false,
    // The HTTP server in front of Yoga does all of these.
    maxRequestBodySize: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    batching: false,
  })
}

/** Yoga logs nothing: errors are logged once, when they are answered. */
const ignore = () => {}

const useLimits = (limits: DocumentLimits): Plugin => {
  const checkCost: NonNullable<Plugin['onExecute']> = ({ args, setResultAndStopExecution }) => {
    const check = limits.costCheck(args.document, args.operationName ?? undefined)
    const errors = check(args.variableValues ?? {})
    if (errors.length > 0) setResultAndStopExecution({ errors })
  }
  return {
    onParse: ({ setParseFn }) =>
      setParseFn((source: string, options) => {
        if (source.length > maxDocumentLength)
          throw new GraphQLError(`A document may have at most ${maxDocumentLength} characters`, {
            extensions: { code: 'QUERY_TOO_COMPLEX' },
          })
        return parse(source, { ...options, maxTokens: maxTokens })
      }),
    onValidate({ params: { documentAST }, setResult }) {
      const errors = [...limits.documentErrors(documentAST), ...conditionalRootErrors(documentAST)]
      if (errors.length > 0) setResult(errors)
    },
    onExecute: checkCost,
    onSubscribe: checkCost as never,
  }
}

/** Records documents for compilation. Every document that reaches execution is valid. */
const useCompiledDocuments = (documents: CompiledDocuments): Plugin<{ report: Report }> => {
  const record: NonNullable<Plugin<{ report: Report }>['onExecute']> = ({ args, context }) => {
    const { params, report } = context
    if (params.query) documents.addValid(params.query)
    report.operation = operationLabel(args.document, args.operationName ?? undefined)
  }
  return { onExecute: record, onSubscribe: record as never }
}

const useLiveSubscriptions = (
  subscribe: ReturnType<typeof createLiveSubscribe>,
): Plugin<{ report: Report }> => ({
  onSubscribe: ({ setSubscribeFn }) =>
    setSubscribeFn((async (args: Parameters<typeof subscribe>[0] & Reporting) => {
      const result = await subscribe(args)
      if (!('flow' in result)) return result
      // Yoga only negotiates the media type. Its own event stream needs too much memory per subscriber.
      args.contextValue.report.events = result
      return nothing()
    }) as never),
})

type Reporting = Readonly<{ contextValue: { report: Report } }>

async function* nothing(): AsyncGenerator<never> {}

/** Reports all bad variables at once: graphql-js reports wrong types only. */
const useVariableIssues = (): Plugin => ({
  onExecute: ({ args }) => ({
    onExecuteDone({ result, setResult }) {
      if ('data' in result || !('errors' in result)) return
      const refused = refuseVariables(args)
      if (refused !== undefined) setResult(refused)
    },
  }),
  onSubscribe: ({ args }) => ({
    onSubscribeResult({ result, setResult }) {
      // An error of the resolver has a path.
      if (!('errors' in result) || result.errors?.[0]?.path !== undefined) return
      const refused = refuseVariables(args)
      if (refused !== undefined) setResult(refused)
    },
  }),
})

/** The answer to bad variables; `undefined` if they are not the problem. */
function refuseVariables(args: ExecutionArgs): ExecutionResult | undefined {
  const issues = variableIssues(args)
  if (issues.length === 0) return undefined
  const error = invalidRequest(issues)
  return { errors: [new GraphQLError(error.message, { originalError: error })] }
}

const useErrorAnswers = (log: Log): Plugin<object, { report: Report }> => ({
  onResultProcess({ result, setResult, serverContext: { report } }) {
    if (!('errors' in result) || result.errors === undefined) return
    const errors = result.errors.map((error, at) => {
      const { message, extensions } = errorAnswer(error, log)
      if (at === 0) report.code = extensions.code
      const { statusCode } = extensions
      // With `spec` Yoga answers 200 to clients that accept application/json, as GraphQL over HTTP demands.
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

type Metered = { meter: Meter; report: { refusal?: AppError } }

/** Charges each operation to its client, and refuses operations above the client's rate limit. */
const useMeter = (limits: DocumentLimits): Plugin<Metered> => {
  const charge: NonNullable<Plugin<Metered>['onExecute']> = async ({
    args,
    context,
    setResultAndStopExecution,
  }) => {
    const { meter, report } = context
    const unitsOf = limits.unitsOf(args.document, args.operationName ?? undefined)
    try {
      await meter.execute(unitsOf(args.variableValues ?? {}))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      report.refusal = error
      const refused = new GraphQLError(error.message, { originalError: error })
      setResultAndStopExecution({ errors: [refused] })
    }
  }
  return { onExecute: charge, onSubscribe: charge as never }
}
