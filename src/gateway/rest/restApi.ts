import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { AppError, type ErrorCode } from '#src/errors.ts'
import { RequestAbortedError, readBody, requireJson } from '#src/gateway/http/body.ts'
import { createCachedReplies } from '#src/gateway/http/cachedReply.ts'
import { clientOf } from '#src/gateway/http/clientOf.ts'
import { json, preflight, type Reply } from '#src/gateway/http/reply.ts'
import { withDeadline } from '#src/gateway/http/withDeadline.ts'
import type { Metrics } from '#src/gateway/monitoring/metrics.ts'
import { createRequestContext } from '#src/gateway/requestContext.ts'
import type { Log } from '#src/log.ts'
import type { Operations } from '#src/operations/operations.ts'
import { errorReply } from './bodies/errorBody.ts'
import { readInput } from './readInput.ts'
import type { RestRoute } from './restRoute.ts'
import { restRoutes } from './restRoutes.ts'

type Deps = Readonly<{ operations: Operations; log: Log; metrics: Metrics }>

/** The REST API: returns what answers requests at a path, or `undefined` if no route has that path. */
export function createRestApi(
  deps: Deps,
  { deadlineSeconds, proxies }: Readonly<{ deadlineSeconds: number; proxies: number }>,
): (path: string) => ((request: IncomingMessage) => Promise<Reply>) | undefined {
  const { operations, log, metrics } = deps
  const cached = createCachedReplies()

  const answerOf = async (route: RestRoute, request: IncomingMessage, body?: string) => {
    const input = readInput(route, request.url ?? '', body)
    const { operation } = route
    log.debug({ operation, referrer: input['referrer'] }, 'REST request')
    return route.answer(input, createRequestContext(operations, clientOf(request, proxies)))
  }

  const reply = async (route: RestRoute, request: IncomingMessage): Promise<Reply> => {
    let started = performance.now()
    let answered: Readonly<{ reply: Reply; code: ErrorCode | 'OK' }>
    try {
      requireMethod(route, request)
      const body = route.method === 'POST' ? await readBody(requireJson(request)) : undefined
      started = performance.now()
      const value = await withDeadline(deadlineSeconds, answerOf(route, request, body))
      const { maxAgeSeconds } = route
      const whole = json(200, value)
      const reply =
        maxAgeSeconds === undefined ? whole : await cached(request, whole, maxAgeSeconds)
      answered = { reply, code: 'OK' }
    } catch (error) {
      if (error instanceof RequestAbortedError) throw error
      answered = errorReply(error, log, (code) => headersOf(route, code))
    }
    const { operation } = route
    const seconds = (performance.now() - started) / 1000
    metrics.countRequest({ operation, code: answered.code, executor: 'rest' }, seconds)
    return answered.reply
  }

  const byPath = new Map(restRoutes.map((route) => [route.path, route]))
  return (path) => {
    const route = byPath.get(path)
    if (route === undefined) return undefined
    return async (request) =>
      request.method === 'OPTIONS' ? preflight(methodsOf(route)) : reply(route, request)
  }
}

/** node:http drops the body of an answer to HEAD. */
const methodsOf = ({ method }: RestRoute): string =>
  method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS'

function requireMethod(route: RestRoute, { method = '' }: IncomingMessage): void {
  const methods = methodsOf(route)
  if (!methods.split(', ').includes(method))
    throw new AppError('METHOD_NOT_ALLOWED', `${route.path} accepts ${methods}`)
}

const headersOf = (route: RestRoute, code: ErrorCode): OutgoingHttpHeaders => ({
  ...(code === 'METHOD_NOT_ALLOWED' && { allow: methodsOf(route) }),
  // The rest of the body would be parsed as the next request.
  ...(code === 'REQUEST_TOO_LARGE' && { connection: 'close' }),
})
