import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type AppError, statusByCode } from '#src/core/errors.ts'
import { clientOf } from '#src/gateway/http/clientOf.ts'
import { type ErrorLog, maskError } from '#src/gateway/http/maskError.ts'
import { json, type Reply, send } from '#src/gateway/http/reply.ts'
import type { Client } from '#src/service/callers.ts'
import { OverloadedError } from '#src/service/limits/overloadedError.ts'
import { type MeterOf, retryHeaders } from './meter.ts'

/** The answer for an error before a request is read, in the form of the API at its path. */
function errorReply(path: string, { code, message, data }: AppError): Reply {
  const statusCode = statusByCode[code]
  const body =
    path === '/graphql'
      ? { errors: [{ message, extensions: { ...data, code, statusCode } }] }
      : { message, errorCode: code, statusCode, errorData: data }
  return json(statusCode, body, retryHeaders({ data }))
}

/** Encoded once, because a refusal must cost as little as possible. */
const forGraphql = errorReply('/graphql', new OverloadedError())
const forOthers = errorReply('/', new OverloadedError())

/** The refusal of a request to an overloaded gateway, in the form of the API at its path. */
const overloadReply = (path: string): Reply => (path === '/graphql' ? forGraphql : forOthers)

const retryMs = 1_000
/** Delay of the refusal for clients that retry before `retryMs`: refusing them takes time from the others. */
const holdMs = 250

/** Refuses requests with 503: at once, or with a delay on a connection that retries too early. */
export function createOverloadRefusal() {
  const retryNotBefore = new WeakMap<Socket, number>()
  return (response: ServerResponse, path: string): void => {
    const { socket } = response.req
    const now = performance.now()
    const isHasty = now < (retryNotBefore.get(socket) ?? 0)
    retryNotBefore.set(socket, now + retryMs)
    const refuse = () => send(response, overloadReply(path))
    if (isHasty) setTimeout(refuse, holdMs).unref()
    else refuse()
  }
}

type UpgradeLimits = Readonly<{
  admits: (client: Client) => boolean
  meterOf: MeterOf
  /** Reverse proxies in front of the gateway. */
  proxies: number
}>

/** Charges each WebSocket handshake to its client like any request. Returns the answer to a refused one. */
export function createUpgradeRefusal(
  { log }: Readonly<{ log: ErrorLog }>,
  { admits, meterOf, proxies }: UpgradeLimits,
): (request: IncomingMessage, path: string) => Promise<Reply | undefined> {
  return async (request, path) => {
    const client = clientOf(request, proxies)
    if (!admits(client)) return overloadReply(path)
    const meter = meterOf(client)
    try {
      await meter.arrive(0)
      return undefined
    } catch (error) {
      const reply = errorReply(path, maskError(error, log, 'A WebSocket handshake failed'))
      return { ...reply, headers: { ...reply.headers, ...meter.headers() } }
    }
  }
}
