import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { AppError, type ErrorCode } from '#src/errors.ts'
import { RequestAbortedError, readBody, requireJson } from '#src/gateway/http/body.ts'
import { preflight } from '#src/gateway/http/preflight.ts'
import { json, type Reply } from '#src/gateway/http/reply.ts'
import { within } from '#src/gateway/http/withDeadline.ts'
import type { Metrics } from '#src/gateway/monitoring/metrics.ts'
import type { Log } from '#src/log.ts'
import type { Operations } from '#src/operations/operations.ts'
import { errorReply } from './bodies/errorBody.ts'
import { readInput } from './readInput.ts'
import type { RestRoute } from './restRoute.ts'
import { restRoutes } from './restRoutes.ts'

type Deps = Readonly<{ operations: Operations; log: Log; metrics: Metrics }>

/** What answers a path, if it is one of the REST face. */
export function createRestFace(
  deps: Deps,
  { deadlineSeconds }: Readonly<{ deadlineSeconds: number }>,
): (path: string) => ((request: IncomingMessage) => Promise<Reply>) | undefined {
  const { operations, log, metrics } = deps

  const answerOf = async (route: RestRoute, request: IncomingMessage, body?: string) => {
    const input = readInput(route, request.url ?? '', body)
    const { operation } = route
    log.debug({ operation, referrer: input['referrer'] }, 'Asked by REST')
    const apiKey = request.headers['x-api-key']?.toString()
    return route.answer(input, { operations, loaders: operations.loaders(), apiKey })
  }

  const reply = async (route: RestRoute, request: IncomingMessage): Promise<Reply> => {
    let started = performance.now()
    let answered: Readonly<{ reply: Reply; code: ErrorCode | 'OK' }>
    try {
      requireMethod(route, request)
      const body = route.method === 'POST' ? await readBody(requireJson(request)) : undefined
      started = performance.now()
      const value = await within(deadlineSeconds, answerOf(route, request, body))
      answered = { reply: json(200, value), code: 'OK' }
    } catch (error) {
      if (error instanceof RequestAbortedError) throw error
      answered = errorReply(error, log, (code) => headersOf(route, code))
    }
    const { operation } = route
    const seconds = (performance.now() - started) / 1000
    metrics.countRequest({ operation, code: answered.code, lane: 'rest' }, seconds)
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

/** HEAD is a GET whose body stays here. */
const methodsOf = ({ method }: RestRoute): string =>
  method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS'

function requireMethod(route: RestRoute, { method = '' }: IncomingMessage): void {
  const methods = methodsOf(route)
  if (!methods.split(', ').includes(method))
    throw new AppError('METHOD_NOT_ALLOWED', `${route.path} takes ${methods}`)
}

const headersOf = (route: RestRoute, code: ErrorCode): OutgoingHttpHeaders => ({
  ...(code === 'METHOD_NOT_ALLOWED' && { allow: methodsOf(route) }),
  // What is left of the body would be taken for the next request.
  ...(code === 'REQUEST_TOO_LARGE' && { connection: 'close' }),
})
