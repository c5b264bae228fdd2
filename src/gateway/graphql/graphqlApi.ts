import type { IncomingMessage } from 'node:http'
import { GraphQLError } from 'graphql'
import type { Log } from '#src/config/log.ts'
import { AppError } from '#src/core/errors.ts'
import { parseBody, RequestAbortedError, readBody, requireJson } from '#src/gateway/http/body.ts'
import { clientOf } from '#src/gateway/http/clientOf.ts'
import { invalidRequest } from '#src/gateway/http/fieldIssues.ts'
import { json, preflight, type Reply } from '#src/gateway/http/reply.ts'
import { createDeadline } from '#src/gateway/http/withDeadline.ts'
import { type Meter, type MeterOf, retryHeaders } from '#src/gateway/limits/meter.ts'
import type { Metrics } from '#src/gateway/monitoring/metrics.ts'
import type { Client } from '#src/service/callers.ts'
import type { Service } from '#src/service/service.ts'
import { createCompiledDocuments } from './execution/compiledDocuments.ts'
import { createCompiledExecutor } from './execution/compiledExecutor.ts'
import { createDocumentLimits } from './execution/documentLimits.ts'
import { errorAnswer } from './execution/errorAnswer.ts'
import { createPersistedDocuments } from './execution/persistedDocuments.ts'
import { createYogaExecutor, type GraphqlReply } from './execution/yogaExecutor.ts'
import { createGraphiqlPage } from './explorer/graphiql.ts'
import { createSchema } from './schema.ts'
import { createGraphqlSockets } from './subscriptions/graphqlSockets.ts'

type Options = Readonly<{
  deadlineSeconds: number
  proxies: number
  trustedDocuments?: ReadonlyMap<string, string> | undefined
  meterOf: MeterOf
  admits: () => boolean
}>

/** The GraphQL API at /graphql: operations over POST, GET and WebSocket, and GraphiQL for browsers. */
export function createGraphqlApi(
  deps: Readonly<{ operations: Service; log: Log; metrics: Metrics }>,
  { deadlineSeconds, proxies, trustedDocuments, meterOf, admits }: Options,
) {
  const schema = createSchema()
  const limits = createDocumentLimits(schema)
  const documents = createCompiledDocuments(schema, limits)
  const persisted = createPersistedDocuments(trustedDocuments)
  const executeCompiled = createCompiledExecutor({ ...deps, documents, persisted })
  const yogaExecutor = createYogaExecutor({ ...deps, schema, limits, documents, persisted })
  const graphiqlPage = createGraphiqlPage(deps)

  /** Tries the compiled executor, then Yoga. A GET has no `body`. */
  const answerOf = async (
    request: IncomingMessage,
    { client, meter }: Sender,
    body?: string,
  ): Promise<GraphqlReply> => {
    const { method = 'GET', url = '/graphql', headers } = request
    await meter.arrive((body ?? url).length)
    const sent = body === undefined ? sentIn(url) : parseBody(body)
    const compiled = await executeCompiled(sent, {
      accept: headers.accept,
      client,
      meter,
    })
    if (compiled !== undefined) return compiled
    const accept = headers.accept === undefined ? {} : { accept: headers.accept }
    return yogaExecutor.answer(
      body === undefined
        ? { method, url, headers: accept, client, meter }
        : {
            method,
            url,
            headers: { ...accept, 'content-type': 'application/json' },
            body,
            client,
            meter,
          },
    )
  }

  const withDeadline = createDeadline(deadlineSeconds)

  const answer = async (request: IncomingMessage): Promise<GraphqlReply> => {
    let started = performance.now()
    let answered: GraphqlReply
    const client = clientOf(request, proxies)
    const meter = meterOf(client)
    try {
      requireMethod(request)
      const body = request.method === 'POST' ? await readBody(requireJson(request)) : undefined
      started = performance.now()
      answered = await withDeadline(answerOf(request, { client, meter }, body))
    } catch (error) {
      if (error instanceof RequestAbortedError) throw error
      answered = refuse(error, deps.log)
    }
    deps.metrics.countRequest(answered, (performance.now() - started) / 1000)
    return { ...answered, headers: { ...answered.headers, ...meter.headers() } }
  }

  return {
    reply: async (request: IncomingMessage): Promise<Reply | GraphqlReply> => {
      const { method, headers } = request
      if (method === 'OPTIONS') return preflight(methods)
      if (method === 'GET' && headers.accept?.includes('text/html')) return graphiqlPage(request)
      return answer(request)
    },
    sockets: createGraphqlSockets(
      { ...deps, prepare: yogaExecutor.prepare },
      { deadlineSeconds, proxies, meterOf, admits },
    ),
  }
}

type Sender = Readonly<{ client: Client; meter: Meter }>

/** The request of a GET. Empty parameters are left out, as in Yoga. @throws AppError INVALID_REQUEST */
function sentIn(url: string): unknown {
  const mark = url.indexOf('?')
  const parameters = new URLSearchParams(mark === -1 ? '' : url.slice(mark))
  const given = [...parameters].filter(([, text]) => text !== '')
  return Object.fromEntries(given.map(([name, text]) => [name, parameterOf(name, text)]))
}

function parameterOf(name: string, text: string): unknown {
  if (name !== 'variables' && name !== 'extensions') return text
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = `Not valid JSON: ${(error as Error).message}`
    throw invalidRequest([{ path: [name], message }])
  }
}

const methods = 'GET, POST, OPTIONS'

function requireMethod({ method }: IncomingMessage): void {
  if (method !== 'GET' && method !== 'POST')
    throw new AppError('METHOD_NOT_ALLOWED', `/graphql accepts ${methods}`)
}

/** The answer to a request that was refused before execution, in the form of a GraphQL result. */
function refuse(error: unknown, log: Log): GraphqlReply {
  const cause = error instanceof Error ? error : new Error(String(error))
  const { message, extensions } = errorAnswer(
    new GraphQLError(cause.message, { originalError: cause }),
    log,
  )
  const { code, statusCode } = extensions
  const headers = {
    ...(code === 'METHOD_NOT_ALLOWED' && { allow: methods }),
    ...(cause instanceof AppError && retryHeaders(cause)),
    // The rest of the body would be parsed as the next request.
    ...(code === 'REQUEST_TOO_LARGE' && { connection: 'close' }),
  }
  const reply = json(statusCode, { errors: [{ message, extensions }] }, headers)
  return { ...reply, executor: 'none', operation: 'none', code }
}
