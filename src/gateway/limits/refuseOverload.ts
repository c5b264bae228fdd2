import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type AppError, statusByCode } from '#src/errors.ts'
import { clientOf } from '#src/gateway/http/clientOf.ts'
import { maskError } from '#src/gateway/http/maskError.ts'
import { json, type Reply, send } from '#src/gateway/http/reply.ts'
import type { Log } from '#src/log.ts'
import { OverloadedError } from './admission.ts'
import { type MeterOf, retryHeaders } from './meter.ts'

/** An error before a request is read, in the shape of the API at its path. */
function errorReply(path: string, { code, message, data }: AppError): Reply {
  const statusCode = statusByCode[code]
  const body =
    path === '/graphql'
      ? { errors: [{ message, extensions: { ...data, code, statusCode } }] }
      : { message, errorCode: code, statusCode, errorData: data }
  return json(statusCode, body, retryHeaders({ data }))
}

/** Made once: a refusal must cost as little as possible. */
const forGraphql = errorReply('/graphql', new OverloadedError())
const forOthers = errorReply('/', new OverloadedError())

/** The refusal of a request to an overloaded gateway, in the shape of the API at its path. */
const overloadReply = (path: string): Reply => (path === '/graphql' ? forGraphql : forOthers)

const retryMs = 1_000
/** Clients that come again sooner than they were told hear of it later: refusing them takes time from the others. */
const holdMs = 250

/** Refuses requests with 503: at once, but with a delay on a connection that does not wait as told. */
export function createOverloadRefusal() {
  const toldUntil = new WeakMap<Socket, number>()
  return (response: ServerResponse, path: string): void => {
    const { socket } = response.req
    const now = performance.now()
    const isHasty = now < (toldUntil.get(socket) ?? 0)
    toldUntil.set(socket, now + retryMs)
    const refuse = () => send(response, overloadReply(path))
    if (isHasty) setTimeout(refuse, holdMs).unref()
    else refuse()
  }
}

type UpgradeLimits = Readonly<{
  admits: () => boolean
  meterOf: MeterOf
  /** Reverse proxies in front of the gateway. */
  proxies: number
}>

/** Charges each WebSocket handshake to its client as any request. Returns the answer to one that is refused for now. */
export function createUpgradeRefusal(
  { log }: Readonly<{ log: Pick<Log, 'error'> }>,
  { admits, meterOf, proxies }: UpgradeLimits,
): (request: IncomingMessage, path: string) => Promise<Reply | undefined> {
  return async (request, path) => {
    if (!admits()) return overloadReply(path)
    const meter = meterOf(clientOf(request, proxies))
    try {
      await meter.arrive(0)
      return undefined
    } catch (error) {
      const reply = errorReply(path, maskError(error, log, 'A WebSocket handshake failed'))
      return { ...reply, headers: { ...reply.headers, ...meter.headers() } }
    }
  }
}
