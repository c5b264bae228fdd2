import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { statusByCode } from '#src/errors.ts'
import { json, type Reply, send } from '#src/gateway/http/reply.ts'
import { OverloadedError } from './admission.ts'
import { retryHeaders } from './meter.ts'

const { code, message, data } = new OverloadedError()
const statusCode = statusByCode[code]
const headers = retryHeaders({ data })

/** Made once: a refusal must cost as little as possible. */
const forGraphql = json(
  statusCode,
  { errors: [{ message, extensions: { ...data, code, statusCode } }] },
  headers,
)
const forOthers = json(
  statusCode,
  { message, errorCode: code, statusCode, errorData: data },
  headers,
)

/** The refusal of a request to an overloaded gateway, in the shape of the API at its path. */
export const overloadReply = (path: string): Reply => (path === '/graphql' ? forGraphql : forOthers)

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
