import type { IncomingMessage } from 'node:http'
import { GraphQLError } from 'graphql'
import { AppError } from '#src/errors.ts'
import type { Answer } from '#src/gateway/http/answer.ts'
import { parseBody, RequestAbortedError, readBody, requireJson } from '#src/gateway/http/body.ts'
import { preflight } from '#src/gateway/http/preflight.ts'
import { json, type Reply } from '#src/gateway/http/reply.ts'
import { within } from '#src/gateway/http/withDeadline.ts'
import type { Metrics } from '#src/gateway/monitoring/metrics.ts'
import type { Log } from '#src/log.ts'
import type { Operations } from '#src/operations/operations.ts'
import { createDocuments } from './execution/compiledDocuments.ts'
import { createCompiledLane } from './execution/compiledExecutor.ts'
import { answeredError } from './execution/errorAnswer.ts'
import { createGraphqlSockets } from './execution/graphqlSockets.ts'
import { createYogaLane } from './execution/yogaExecutor.ts'
import { createGraphiqlPage } from './explorer/graphiql.ts'
import { createSchema } from './schema.ts'

/** What stands behind /graphql: operations by POST, GET or WebSocket, and GraphiQL for browsers. */
export function createGraphqlFace(
  deps: Readonly<{ operations: Operations; log: Log; metrics: Metrics }>,
  { deadlineSeconds }: Readonly<{ deadlineSeconds: number }>,
) {
  const schema = createSchema()
  const documents = createDocuments(schema)
  const compiledLane = createCompiledLane({ ...deps, documents })
  const yogaLane = createYogaLane({ ...deps, schema, documents })
  const graphiqlPage = createGraphiqlPage(deps)

  /** `body` is absent for GET. */
  const answerOf = async (request: IncomingMessage, body?: string): Promise<Answer> => {
    const { method = 'GET', url = '/graphql', headers } = request
    const apiKey = headers['x-api-key']?.toString()
    const compiled =
      body === undefined
        ? undefined
        : await compiledLane(parseBody(body), { accept: headers.accept, apiKey })
    if (compiled !== undefined) return compiled
    const accept = headers.accept === undefined ? {} : { accept: headers.accept }
    return yogaLane.answer(
      body === undefined
        ? { method, url, headers: accept, apiKey }
        : {
            method,
            url,
            headers: { ...accept, 'content-type': 'application/json' },
            body,
            apiKey,
          },
    )
  }

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    let started = performance.now()
    let answered: Answer
    try {
      requireMethod(request)
      const body = request.method === 'POST' ? await readBody(requireJson(request)) : undefined
      started = performance.now()
      answered = await within(deadlineSeconds, answerOf(request, body))
    } catch (error) {
      if (error instanceof RequestAbortedError) throw error
      answered = refuse(error, deps.log)
    }
    deps.metrics.countRequest(answered, (performance.now() - started) / 1000)
    return answered
  }

  return {
    reply: async (request: IncomingMessage): Promise<Reply | Answer> => {
      const { method, headers } = request
      if (method === 'OPTIONS') return preflight(methods)
      if (method === 'GET' && headers.accept?.includes('text/html')) return graphiqlPage(request)
      return answer(request)
    },
    sockets: createGraphqlSockets({ ...deps, prepare: yogaLane.prepare }, { deadlineSeconds }),
  }
}

const methods = 'GET, POST, OPTIONS'

function requireMethod({ method }: IncomingMessage): void {
  if (method !== 'GET' && method !== 'POST')
    throw new AppError('METHOD_NOT_ALLOWED', `/graphql takes ${methods}`)
}

/** For requests that nobody was asked; clients still find the error where they look for it. */
function refuse(error: unknown, log: Log): Answer {
  const cause = error instanceof Error ? error : new Error(String(error))
  const { message, extensions } = answeredError(
    new GraphQLError(cause.message, { originalError: cause }),
    log,
  )
  const { code, statusCode } = extensions
  const headers = {
    ...(code === 'METHOD_NOT_ALLOWED' && { allow: methods }),
    // What is left of the body would be taken for the next request.
    ...(code === 'REQUEST_TOO_LARGE' && { connection: 'close' }),
  }
  const reply = json(statusCode, { errors: [{ message, extensions }] }, headers)
  return { ...reply, lane: 'none', operation: 'none', code }
}
