import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { z } from 'zod'
import type { Log } from '#src/config/log.ts'
import { AppError, type ErrorCode } from '#src/core/errors.ts'
import { parseBody, RequestAbortedError, readBody, requireJson } from '#src/gateway/http/body.ts'
import { createCachedReplies } from '#src/gateway/http/cachedReply.ts'
import { clientOf } from '#src/gateway/http/clientOf.ts'
import { invalidRequest } from '#src/gateway/http/fieldIssues.ts'
import { json, preflight, type Reply } from '#src/gateway/http/reply.ts'
import { createDeadline } from '#src/gateway/http/withDeadline.ts'
import { type Meter, type MeterOf, retryHeaders } from '#src/gateway/limits/meter.ts'
import type { Metrics } from '#src/gateway/monitoring/metrics.ts'
import { createRequestContext } from '#src/gateway/requestContext.ts'
import type { Client } from '#src/service/callers.ts'
import type { Service } from '#src/service/service.ts'
import { errorReply } from './bodies/errorBody.ts'
import type { RestRoute } from './restRoute.ts'
import { servedRoutes } from './restRoutes.ts'

type Deps = Readonly<{ operations: Service; log: Log; metrics: Metrics }>

type Options = Readonly<{ deadlineSeconds: number; proxies: number; meterOf: MeterOf }>

/** The REST API: returns the handler of a path, or `undefined` if no route has that path. */
export function createRestApi(
  deps: Deps,
  { deadlineSeconds, proxies, meterOf }: Options,
): (path: string) => ((request: IncomingMessage) => Promise<Reply>) | undefined {
  const { operations, log, metrics } = deps
  const cached = createCachedReplies()

  const answerOf = async (route: RestRoute, request: IncomingMessage, sent: Sent) => {
    const { client, meter, body } = sent
    const { url = '' } = request
    await meter.arrive((body ?? url).length)
    const input = readInput(route, url, body)
    await meter.execute(route.units?.(input) ?? 1)
    const { operation } = route
    const referrer = route.referrerOf?.(input) ?? input['referrer']
    log.debug({ operation, referrer }, 'REST request')
    const context = createRequestContext(operations, client)
    const value = await route.answer(input, context)
    const names = [...context.unavailable].join(', ')
    return json(200, value, names === '' ? {} : { 'x-unavailable': names })
  }

  const withDeadline = createDeadline(deadlineSeconds)

  const reply = async (route: RestRoute, request: IncomingMessage): Promise<Reply> => {
    let started = performance.now()
    let answered: Readonly<{ reply: Reply; code: ErrorCode | 'OK' }>
    const client = clientOf(request, proxies)
    const meter = meterOf(client)
    try {
      requireMethod(route, request)
      const body = route.method === 'POST' ? await readBody(requireJson(request)) : undefined
      started = performance.now()
      const whole = await withDeadline(answerOf(route, request, { client, meter, body }))
      const { maxAgeSeconds } = route
      const reply =
        maxAgeSeconds === undefined ? whole : await cached(request, whole, maxAgeSeconds)
      answered = { reply, code: 'OK' }
    } catch (error) {
      if (error instanceof RequestAbortedError) throw error
      answered = errorReply(error, log, {
        headersOf: (failure) => headersOf(route, failure),
        namesError: route.namesError === true,
      })
    }
    const { operation } = route
    const seconds = (performance.now() - started) / 1000
    metrics.countRequest({ operation, code: answered.code, executor: 'rest' }, seconds)
    // A shared cache must not show one client the remaining units of another.
    const isShared = answered.code === 'OK' && route.maxAgeSeconds !== undefined
    if (isShared) return answered.reply
    const { headers } = answered.reply
    return { ...answered.reply, headers: { ...headers, ...meter.headers() } }
  }

  const byPath = new Map(servedRoutes.map((route) => [route.path, route]))
  return (path) => {
    const route = byPath.get(path)
    if (route === undefined) return undefined
    return async (request) =>
      request.method === 'OPTIONS' ? preflight(methodsOf(route)) : reply(route, request)
  }
}

type Sent = Readonly<{ client: Client; meter: Meter; body: string | undefined }>

/** node:http drops the body of an answer to HEAD. */
const methodsOf = ({ method }: RestRoute): string =>
  method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS'

function requireMethod(route: RestRoute, { method = '' }: IncomingMessage): void {
  const methods = methodsOf(route)
  if (!methods.split(', ').includes(method))
    throw new AppError('METHOD_NOT_ALLOWED', `${route.path} accepts ${methods}`)
}

const headersOf = (route: RestRoute, error: AppError): OutgoingHttpHeaders => ({
  ...retryHeaders(error),
  ...(error.code === 'METHOD_NOT_ALLOWED' && { allow: methodsOf(route) }),
  // The rest of the body would be parsed as the next request.
  ...(error.code === 'REQUEST_TOO_LARGE' && { connection: 'close' }),
})

/**
 * Reads and validates the input of a request. GraphQL validates with the same schemas.
 * @throws AppError that names every bad field.
 */
function readInput(
  { method, input, queryFields = [] }: RestRoute,
  url: string,
  body: string | undefined,
): z.output<RestRoute['input']> {
  const value =
    method === 'GET'
      ? readQuery(url)
      : { ...readObject(body ?? ''), ...fieldsIn(readQuery(url), queryFields) }
  const parsed = input.safeParse(value)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  return parsed.data
}

const fieldsIn = (query: ReturnType<typeof readQuery>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (name in query ? [[name, query[name]]] : [])))

/** A repeated parameter becomes a list, which every schema refuses. */
function readQuery(url: string): Readonly<Record<string, string | string[]>> {
  const mark = url.indexOf('?')
  const parameters = new URLSearchParams(mark === -1 ? '' : url.slice(mark))
  const found = new Map<string, string[]>()
  // One pass: `getAll` of each name takes 0.2 s for the longest query.
  for (const [name, value] of parameters) {
    const values = found.get(name)
    if (values === undefined) found.set(name, [value])
    else values.push(value)
  }
  return Object.fromEntries(
    [...found].map(([name, values]) => {
      const [value = ''] = values
      return [name, values.length === 1 ? value : values]
    }),
  )
}

function readObject(text: string): object {
  const value = parseBody(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  const message = 'The body must be a JSON object'
  throw new AppError('INVALID_REQUEST', message, { issues: [{ path: [], message }] })
}
