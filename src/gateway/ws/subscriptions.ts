import { z } from 'zod'
import type { Log } from '#src/config/log.ts'
import { AppError, type ErrorCode, statusByCode } from '#src/core/errors.ts'
import { parseBody } from '#src/gateway/http/body.ts'
import { dataOf, invalidRequest } from '#src/gateway/http/fieldIssues.ts'
import { maskError } from '#src/gateway/http/maskError.ts'
import type { SocketMetrics } from '#src/gateway/monitoring/metrics.ts'
import { differsFrom, type StatusUpdate, statusUpdate } from '#src/requests/status.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import { hashField } from '#src/service/input/inputFields.ts'
import { OverloadedError } from '#src/service/limits/overloadedError.ts'
import type { Service } from '#src/service/service.ts'

type Deps = Readonly<{
  watchRequest: Service['watchRequest']
  openSubscription: SocketMetrics['openSubscription']
  log: Log
  /** Charges a message to the client, after the earlier ones. @throws AppError RATE_LIMITED */
  charge: () => Promise<void>
  /** Whether the gateway has time for one more subscription. */
  admits: () => boolean
  send: (message: object) => void
  /** Whether the client is still connected: it may leave while its messages wait to be charged. */
  isConnected: () => boolean
  /** Closes the connection. The client then polls, or connects again. */
  disconnect: () => void
}>

/** Maximum number of requests that one connection can follow. */
const maxSubscriptions = 100

/** Errors that the client can correct on the same connection. After any other error the connection is closed. */
const correctable: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'OVERLOADED',
  'RATE_LIMITED',
  'REQUEST_TOO_LARGE',
  'UNKNOWN_REQUEST',
]

/** The subscriptions of one connection, by request id. */
export function createSubscriptions(deps: Deps) {
  const { watchRequest, openSubscription, log, charge, admits, send, isConnected, disconnect } =
    deps
  const open = new Map<string, AsyncIterableIterator<RequestAnswer>>()

  const end = (id: string): void => {
    const answers = open.get(id)
    open.delete(id)
    answers
      ?.return?.()
      .catch((error: unknown) => log.error({ err: error }, 'A subscription failed to end'))
  }

  const subscribe = async (message: ClientMessage & { type: 'subscribe' }): Promise<void> => {
    const { event, filters } = message
    const { id } = filters
    end(id)
    if (!admits()) throw new OverloadedError()
    if (open.size >= maxSubscriptions)
      throw new AppError(
        'INVALID_REQUEST',
        `A connection can follow at most ${maxSubscriptions} requests`,
      )
    const answers = watchRequest(id)
    open.set(id, answers)
    const closed = openSubscription('/ws')
    const isOpen = () => open.get(id) === answers
    try {
      let last: StatusUpdate | undefined
      for await (const answer of answers) {
        if (!isOpen()) return
        if (last === undefined)
          send({ type: 'subscribe', status: 'success', data: { event, filters } })
        const update = statusUpdate(answer.request, answer.state)
        if (isNews(answer, update, last))
          send({ event: statusEvent, timestamp: Date.now(), data: update })
        last = update
      }
    } catch (error) {
      if (isOpen()) throw error
    } finally {
      closed()
      if (isOpen()) open.delete(id)
    }
  }

  const unsubscribe = ({ event, filters }: ClientMessage & { type: 'unsubscribe' }): void => {
    for (const id of filters === undefined ? open.keys() : [filters.id]) end(id)
    send({ type: 'unsubscribe', status: 'success', data: { event, ...(filters && { filters }) } })
  }

  const refuse = (error: unknown, sent?: ClientMessage): void => {
    const failure = maskError(error, log, 'A status subscription failed')
    send(refusalOf(failure, sent))
    if (!correctable.includes(failure.code)) disconnect()
  }

  return {
    /** Acts on one message of the client. Never throws: an error is sent to the client. */
    receive: async (text: string): Promise<void> => {
      let message: ClientMessage | undefined
      try {
        try {
          message = parseClientMessage(text)
        } finally {
          // An unreadable message costs the same.
          await charge()
        }
        if (!isConnected()) return
        if (message.type === 'subscribe') await subscribe(message)
        else unsubscribe(message)
      } catch (error) {
        refuse(error, message)
      }
    },
    endAll: (): void => {
      for (const id of open.keys()) end(id)
    },
  }
}

/** Whether an update is sent. The first one is sent only if something has happened since the quote. */
const isNews = ({ state }: RequestAnswer, update: StatusUpdate, last: StatusUpdate | undefined) =>
  last === undefined ? state.seq > 0 : differsFrom(update, last)

/** The answer to a message that failed; without `sent` to a message that cannot be read. */
function refusalOf(failure: AppError, sent?: ClientMessage) {
  const { type = 'error', event, filters } = sent ?? {}
  const { code: errorCode, message } = failure
  const { issues, retryAfterSeconds } = dataOf(failure)
  const errorData = issues || retryAfterSeconds ? { issues, retryAfterSeconds } : undefined
  const statusCode = statusByCode[errorCode]
  return {
    type,
    status: 'error',
    data: { event, filters, message, errorCode, statusCode, errorData },
  }
}

/** The only event that clients can subscribe to. */
const statusEvent = 'request.status.updated'

const event = z.literal(statusEvent, `The only event is ${statusEvent}`)

const filters = z.strictObject({ id: hashField })

const clientMessage = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('subscribe'), event, filters }),
    z.object({ type: z.literal('unsubscribe'), event, filters: filters.optional() }),
  ],
  'The type of a message is subscribe or unsubscribe',
)

/**
 * A message of a client of /ws. `filters.id` is a request id; an `unsubscribe` without filters ends all subscriptions.
 */
type ClientMessage = z.output<typeof clientMessage>

/** @throws AppError INVALID_REQUEST, REQUEST_TOO_LARGE */
function parseClientMessage(text: string): ClientMessage {
  const parsed = clientMessage.safeParse(parseBody(text))
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  return parsed.data
}
